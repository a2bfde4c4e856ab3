import type { Clock } from '../../../src/demo/playground/types.ts';

/** A clock that stands until told otherwise. */
export function manualClock(start = Date.now()): Clock & { advance(ms: number): void; pending(): number } {
  let now = start;
  let serial = 0;
  const timers = new Map<number, { at: number; run: () => void }>();
  return {
    now: () => now,
    setTimeout(run, ms) {
      timers.set(++serial, { at: now + ms, run });
      return serial;
    },
    clearTimeout: (handle) => void timers.delete(handle as number),
    pending: () => timers.size,
    advance(ms) {
      now += ms;
      for (const [id, timer] of [...timers]) {
        if (timer.at > now) continue;
        timers.delete(id);
        timer.run();
      }
    },
  };
}

export function plain(text: string) {
  return { type: 'plain_text', text };
}

export function section(text: string) {
  return { type: 'section', text: { type: 'mrkdwn', text } };
}

export function button(more: Record<string, unknown> = {}) {
  return { type: 'button', text: plain('Go'), action_id: 'go', ...more };
}

export function actions(...elements: unknown[]) {
  return { type: 'actions', block_id: 'acts', elements };
}

export function option(i: number, text = `Option ${i}`, value = `v${i}`) {
  return { text: plain(text), value };
}

export function options(count: number) {
  return Array.from({ length: count }, (_, i) => option(i));
}

/** Waits for a condition without sleeping for a fixed time. */
export async function until(condition: () => boolean): Promise<void> {
  for (let i = 0; i < 5000 && !condition(); i++) await new Promise((resolve) => setImmediate(resolve));
  if (!condition()) throw new Error('the condition never came true');
}
