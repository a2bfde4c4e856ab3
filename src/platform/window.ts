import type { Clock } from '../lib/clock.ts';
import type { Ask, Taken, Window } from '../store/window.ts';

/**
 * The sliding window of one process (PLATFORM.md, Limits): who holds a place in a lane, and when each falls free.
 * A place is free from the millisecond `release` named, or `holdMs` after it was taken if nobody released it.
 */
export class MemoryWindow implements Window {
  readonly #clock: Clock;
  readonly #lanes = new Map<string, Map<string, number>>();
  #last = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  take({ lane, limit, holdMs }: Ask): Exclude<Taken, { leasing: unknown }> {
    const held = this.#places(lane);
    if (held.size < limit) {
      this.#last += 1;
      const id = `${lane}-${this.#last}`;
      held.set(id, this.#clock.now() + holdMs);
      return { id };
    }
    // After the limit was lowered, more than one place must fall free first.
    const expiries = [...held.values()].sort((a, b) => a - b);
    return { freeAt: expiries[Math.max(0, held.size - limit)] ?? this.#clock.now() + holdMs };
  }

  release(id: string, at: number): void {
    for (const held of this.#lanes.values()) {
      const until = held.get(id);
      if (until !== undefined) held.set(id, Math.min(until, at));
    }
  }

  async held(lane: string): Promise<number> {
    return this.#places(lane).size;
  }

  pause(): void {
    // There is no other process to tell.
  }

  probed(): void {
    // There is no other process to tell.
  }

  onState(): () => void {
    return () => undefined;
  }

  /** The places still held in a lane. Removes the expired ones. */
  #places(lane: string): Map<string, number> {
    const now = this.#clock.now();
    const held = this.#lanes.get(lane) ?? new Map<string, number>();
    this.#lanes.set(lane, held);
    for (const [id, freeAt] of held) if (freeAt <= now) held.delete(id);
    return held;
  }
}

export function createMemoryWindow(clock: Clock): MemoryWindow {
  return new MemoryWindow(clock);
}
