import { type Clock, monotonicOf } from '../../lib/clock.ts';
import type { Changes } from './rows.ts';

/** A time in the future, kept as what was left of it at a moment, so that setting the clock does not move it. */
interface Later {
  lane: string;
  ms: number;
  /** Monotonic. */
  from: number;
}

/** What a process has not written to the store yet. */
export class Unwritten {
  readonly #clock: Clock;
  readonly #places = new Map<string, Later>();
  readonly #unused = new Set<string>();
  readonly #pauses = new Map<string, Later>();
  readonly #probes = new Map<string, { isOpen: boolean }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isEmpty(): boolean {
    return this.#places.size + this.#unused.size + this.#pauses.size + this.#probes.size === 0;
  }

  /** True while a pause, or the end of a probe, of this lane is not written. */
  concerns(lane: string): boolean {
    return this.#pauses.has(lane) || this.#probes.has(lane);
  }

  /** A used place falls free at `at` (epoch ms of this machine). */
  place(id: string, lane: string, at: number): void {
    this.#places.set(id, this.#later(lane, at));
  }

  unused(id: string): void {
    this.#places.delete(id);
    this.#unused.add(id);
  }

  pause(lane: string, until: number): void {
    const pause = this.#later(lane, until);
    const known = this.#pauses.get(lane);
    if (known === undefined || this.#left(known) < pause.ms) this.#pauses.set(lane, pause);
    else this.#pauses.set(lane, { ...known });
    this.#probes.delete(lane);
  }

  probed(lane: string, isOpen: boolean): void {
    this.#probes.set(lane, { isOpen });
  }

  /** All of it as it is now. `written` forgets what has not changed since. */
  batch(): { changes: (now: number) => Changes; written: () => void } {
    const places = [...this.#places];
    const unused = [...this.#unused];
    const pauses = [...this.#pauses];
    const probes = [...this.#probes];
    return {
      changes: (now) => ({
        places: places.map(([id, later]) => ({ id, lane: later.lane, freeAt: now + this.#left(later) })),
        unused,
        pauses: pauses.map(([lane, later]) => ({ lane, until: now + this.#left(later) })),
        probes: probes.map(([lane, { isOpen }]) => ({ lane, isOpen })),
      }),
      written: () => {
        forget(this.#places, places);
        forget(this.#pauses, pauses);
        forget(this.#probes, probes);
        for (const id of unused) this.#unused.delete(id);
      },
    };
  }

  #later(lane: string, at: number): Later {
    return { lane, ms: at - this.#clock.now(), from: monotonicOf(this.#clock) };
  }

  /** A machine that slept counts too little as passed: the place is then held longer than it has to be. */
  #left({ ms, from }: Later): number {
    return Math.max(0, Math.ceil(ms - (monotonicOf(this.#clock) - from)));
  }
}

function forget<V>(all: Map<string, V>, written: readonly (readonly [string, V])[]): void {
  for (const [key, value] of written) if (all.get(key) === value) all.delete(key);
}
