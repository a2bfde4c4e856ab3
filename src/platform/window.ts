import type { Clock } from '../lib/clock.ts';
import type { Window } from '../store/window.ts';

/**
 * The sliding window of one process (PLATFORM.md, Limits): who holds a place in a lane, and when each falls free.
 * A place is free from the millisecond `release` named, or `holdMs` after it was taken if nobody released it.
 */
export function createMemoryWindow(clock: Clock): Window {
  const lanes = new Map<string, Map<string, number>>();
  let last = 0;

  /** The places still held in a lane. Removes the expired ones. */
  function places(lane: string): Map<string, number> {
    const now = clock.now();
    const held = lanes.get(lane) ?? new Map<string, number>();
    lanes.set(lane, held);
    for (const [id, freeAt] of held) if (freeAt <= now) held.delete(id);
    return held;
  }

  return {
    take(lane, limit, holdMs) {
      const held = places(lane);
      if (held.size < limit) {
        last += 1;
        const id = `${lane}-${last}`;
        held.set(id, clock.now() + holdMs);
        return { id };
      }
      // After the limit was lowered, more than one place must fall free first.
      const expiries = [...held.values()].sort((a, b) => a - b);
      return { freeAt: expiries[Math.max(0, held.size - limit)] ?? clock.now() + holdMs };
    },
    release(id, at) {
      for (const held of lanes.values()) {
        const until = held.get(id);
        if (until !== undefined) held.set(id, Math.min(until, at));
      }
    },
    held: (lane) => places(lane).size,
  };
}
