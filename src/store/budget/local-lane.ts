import { type Clock, monotonicOf } from '../../lib/clock.ts';
import type { Full, LaneState } from '../window.ts';
import { LEASE_MS } from './rows.ts';

/** Where the two clocks of a machine differ by more, it was suspended or its clock was set. */
const JUMP_MS = 250;

/** A moment by both clocks of this machine. */
export interface Stamp {
  wall: number;
  monotonic: number;
}

export function stampOf(clock: Clock): Stamp {
  return { wall: clock.now(), monotonic: monotonicOf(clock) };
}

/** Places that may be used without a write. */
export interface Lease {
  /** The level they were taken at. They serve it and more urgent ones. */
  level: number;
  ids: string[];
  /** Its one place was given out to probe whether the platform answers again after a 429. */
  isProbe: boolean;
  /** Before the store's time was read, so that the lease ends here before it ends there. */
  from: Stamp;
}

/** What one process knows of a lane: its leases, the places it uses, and what others hold. */
export class LocalLane {
  readonly name: string;
  readonly listeners = new Set<(state: LaneState) => void>();
  /** Places that other processes held when the store was last read; undefined before. */
  heldByOthers: number | undefined;
  leasing: Promise<Full | undefined> | undefined;
  /** Other processes have been told that calls wait here. */
  isWaiting = false;
  /** Counts the 429s and probes of this process. */
  changes = 0;
  readonly #clock: Clock;
  #leases: Lease[] = [];
  /** When each used place falls free, in epoch ms. */
  readonly #used = new Map<string, number>();

  constructor(name: string, clock: Clock) {
    this.name = name;
    this.#clock = clock;
  }

  /** Leased places that nobody uses. */
  get unused(): number {
    return this.#leases.reduce((sum, { ids }) => sum + ids.length, 0);
  }

  lease(lease: Lease): void {
    this.#leases.push(lease);
  }

  /** Uses a leased place, one that the fewest levels may use first. */
  use(level: number, holdMs: number): string | undefined {
    if (this.#leases.length === 0) return undefined;
    const now = stampOf(this.#clock);
    let best: Lease | undefined;
    for (const lease of this.#leases)
      if (lease.level >= level && lease.level < (best?.level ?? Number.POSITIVE_INFINITY) && isValid(lease, now))
        best = lease;
    const id = best?.ids.pop();
    if (id === undefined) return undefined;
    if (best?.ids.length === 0) this.#leases = this.#leases.filter((lease) => lease !== best);
    this.#used.set(id, now.wall + holdMs);
    return id;
  }

  /** Ends the leases that must not be used any more, or all, and returns them. Their places were not used. */
  end(all = false): Lease[] {
    const now = stampOf(this.#clock);
    const ended = this.#leases.filter((lease) => all || !isValid(lease, now));
    this.#leases = this.#leases.filter((lease) => !ended.includes(lease));
    return ended;
  }

  /** A place is used, or falls free at another time (epoch ms). */
  hold(id: string, until: number): void {
    this.#used.set(id, until);
  }

  giveBack(id: string): void {
    this.#used.delete(id);
  }

  has(id: string): boolean {
    return this.#used.has(id);
  }

  /** When the places that this process uses fall free, the soonest first. */
  used(): number[] {
    const now = this.#clock.now();
    for (const [id, until] of this.#used) if (until <= now) this.#used.delete(id);
    return [...this.#used.values()].sort((a, b) => a - b);
  }
}

function isValid({ from }: Lease, now: Stamp): boolean {
  const wall = now.wall - from.wall;
  const ran = now.monotonic - from.monotonic;
  return wall < LEASE_MS && ran < LEASE_MS && Math.abs(wall - ran) <= JUMP_MS;
}
