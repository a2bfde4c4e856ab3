import type { Step } from '../../cards/card.ts';
import type { Style } from '../../lib/style.ts';
import type { StepState } from '../../platform/dialect/orders.ts';

/* Pictures of values: data usage as a bar, a port-in as steps, events as counts over time. */

const BAR = 20;
/** From this share on, a bar is yellow. A lookup uses the same share to report that data is nearly used up. */
const NEARLY = 0.9;

/** A share of 1 as a bar. */
export function usageBar(share: number, style: Style): string {
  const filled = Math.round(Math.min(1, share) * BAR);
  const bar = `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)}`;
  return share >= NEARLY ? style.yellow(bar) : style.green(bar);
}

const STEP_MARKS: Readonly<Record<StepState, { mark: string; paint: keyof Style }>> = {
  done: { mark: '✓', paint: 'green' },
  current: { mark: '●', paint: 'cyan' },
  rejected: { mark: '✕', paint: 'red' },
  ahead: { mark: '○', paint: 'dim' },
};

/** `✓ Submitted ─ ● Carrier approval ─ ○ Scheduled ─ ○ Completed`. */
export function stepsLine(steps: readonly Step[], style: Style): string {
  return steps
    .map(({ label, state }) => style[STEP_MARKS[state].paint](`${STEP_MARKS[state].mark} ${label}`))
    .join(' ─ ');
}

const BUCKETS = 24;
const LEVELS = '▁▂▃▄▅▆▇█';

/**
 * One line for each list of events: its name, the distribution of its events over the span, and their number.
 *
 * @param lists the lists, each with the times of its events (epoch ms)
 * @param span the first and the last moment (epoch ms)
 */
export function eventCounts(
  lists: readonly { name: string; times: readonly number[] }[],
  span: { from: number; until: number },
  style: Style,
): string[] {
  const width = Math.max(0, ...lists.map(({ name }) => name.length));
  return lists.map(
    ({ name, times }) => `${name.padEnd(width)}  ${style.cyan(sparkline(times, span))}  ${times.length}`,
  );
}

function sparkline(times: readonly number[], { from, until }: { from: number; until: number }): string {
  const counts = Array.from({ length: BUCKETS }, () => 0);
  for (const time of times) {
    const at = Math.floor(((time - from) / Math.max(1, until - from)) * BUCKETS);
    const bucket = Math.min(BUCKETS - 1, Math.max(0, at));
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  const most = Math.max(1, ...counts);
  return counts
    .map((count) => (count === 0 ? '·' : LEVELS.charAt(Math.ceil((count / most) * LEVELS.length) - 1)))
    .join('');
}
