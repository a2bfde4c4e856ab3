import { megabytes, usedText } from '../../../tools/shared/line.ts';
import { type Fields, textOf } from '../../lib/json.ts';
import type { Style } from '../../lib/style.ts';
import { orderState, portInProgress, type StepState } from '../../platform/dialect/orders.ts';

/* Pictures of values: data usage as a bar, a port-in as steps, events as counts over time. */

const BAR = 20;
/** From this share on, a bar is yellow. A lookup uses the same share to report that data is nearly used up. */
const NEARLY = 0.9;

/** `█████████████░░░░░░░ 12.5 of 20 MB used (63 %)`; undefined if the record has no readable usage. */
export function usageBar(usage: Fields, style: Style): string | undefined {
  const [used, remaining] = [megabytes(usage.Used), megabytes(usage.Remaining)];
  const words = usedText(usage);
  if (used === undefined || remaining === undefined || words === undefined || used + remaining <= 0) return undefined;
  const share = Math.min(1, used / (used + remaining));
  const filled = Math.round(share * BAR);
  const bar = `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)}`;
  return `${share >= NEARLY ? style.yellow(bar) : style.green(bar)} ${words} (${Math.round(share * 100)} %)`;
}

const STEP_MARKS: Readonly<Record<StepState, { mark: string; paint: keyof Style }>> = {
  done: { mark: '✓', paint: 'green' },
  current: { mark: '●', paint: 'cyan' },
  rejected: { mark: '✕', paint: 'red' },
  ahead: { mark: '○', paint: 'dim' },
};

/**
 * `✓ Submitted ─ ● Carrier approval ─ ○ Scheduled ─ ○ Completed`; undefined for another record. `known` is true if the
 * record certainly is a port-in.
 */
export function portInSteps(record: Fields, style: Style, known = false): string | undefined {
  const isPortIn = known || /port.?in/i.test(textOf(record.OrderType)) || 'PortInNumber' in record;
  const steps = isPortIn ? portInProgress(orderState(record)) : [];
  if (steps.length === 0) return undefined;
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
