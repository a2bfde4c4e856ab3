import type { State } from '../ledger/ledger.ts';
import { sleep, systemClock } from '../lib/clock.ts';
import { POLL_MS } from '../lib/durations.ts';
import type { Gate } from './gate.ts';

/**
 * Waits while an action is in one of these states. The ledger is read again and again, because a person may decide in
 * another process.
 *
 * @param options.signal ends the wait
 * @param options.ms ends the wait after this time
 * @returns the state in which the action is then; undefined if the ledger does not have it
 */
export async function whileIn(
  states: readonly State[],
  id: string,
  gate: Gate,
  options: { signal: AbortSignal; ms?: number },
): Promise<State | undefined> {
  const { signal } = options;
  const until = options.ms === undefined ? Number.POSITIVE_INFINITY : Date.now() + options.ms;
  let wake = new AbortController();
  const stop = gate.onChange((action) => {
    if (action.id === id) wake.abort();
  });
  try {
    for (;;) {
      wake = new AbortController();
      const state = (await gate.actions.get(id))?.state;
      if (state === undefined || !states.includes(state)) return state;
      if (signal.aborted || Date.now() >= until) return state;
      await sleep(systemClock, POLL_MS, [signal, wake.signal]);
    }
  } finally {
    stop();
  }
}
