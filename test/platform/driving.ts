import { storeUnavailable } from '../../src/store/key-values.ts';
import type { Database } from '../../src/store/types.ts';
import { FakeClock } from '../support/clock.ts';
import { cpuTime } from '../support/cpu.ts';

/** Rounds of a turn: each runs the timers that are due at once, and what follows from them. */
const ROUNDS = 3;
/** Passes of the event loop in a round: many more than a round trip on loopback within one process takes. */
const PASSES = 30;
/** A query that has not ended after this long waits for a timer of the test's own clock, which is frozen. */
const LONGEST_QUERY_MS = 1_000;

/** Queries of watched databases that have not ended. */
let queries = 0;

/** The same database; `turn` waits for its queries, which take as long as another process does. */
export function watched(database: Database): Database {
  const counted = async <T>(query: Promise<T>): Promise<T> => {
    queries += 1;
    try {
      return await query;
    } finally {
      queries -= 1;
    }
  };
  return {
    ready: () => counted(database.ready()),
    run: (...query) => counted(database.run(...query)),
    get: (...query) => counted(database.get(...query)),
    all: (...query) => counted(database.all(...query)),
    transaction: (work) => counted(database.transaction(work)),
    onOtherWrites: (listener) => database.onOtherWrites(listener),
  };
}

/** A watched database, whose transactions fail while it is away: at once, or when they are committed. */
export const unlessAway = (database: Database, isAway: () => boolean | 'at the commit'): Database => ({
  ...database,
  transaction: async (work) => {
    const away = isAway();
    if (away === true) throw storeUnavailable(new Error('the test stopped it'));
    return database.transaction(async (tx) => {
      const result = await work(tx);
      if (away) throw storeUnavailable(new Error('the test stopped it'));
      return result;
    });
  },
});

/**
 * Lets everything happen that can without moving the clock. Counts passes of the event loop, not milliseconds, so that a
 * busy machine takes longer and comes as far.
 */
export async function turn(): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 0));
    for (let pass = 0; pass < PASSES; pass += 1) await new Promise(setImmediate);
    const end = performance.now() + LONGEST_QUERY_MS;
    while (queries > 0 && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** Lets everything happen that can without time moving, also over several processes. */
export async function settle(): Promise<void> {
  for (let n = 0; n < 5; n += 1) await turn();
}

/** Steps after something happened, in which its effects may still come to an end. */
const EFFECT_STEPS = 10;
/** Further steps between two looks at whether something happened after all. */
const IDLE_STEPS = 20;

/** Moves a clock step by step. Nothing happens while no timer runs, so most steps without one are not waited for. */
export class Stepper {
  readonly #clock: FakeClock;
  readonly #progress: () => number;
  #idle = 0;
  #seen = -1;

  /** @param progress counts what happens, so that time does not go on in the midst of it */
  constructor(clock: FakeClock, progress: () => number = () => 0) {
    this.#clock = clock;
    this.#progress = progress;
  }

  /** True if there is something to wait for after the step. */
  step(ms: number): boolean {
    const seen = this.#progress();
    const isStill = this.#clock.advance(ms) === 0 && seen === this.#seen;
    this.#seen = seen;
    this.#idle = isStill ? this.#idle + 1 : 0;
    return this.#idle < EFFECT_STEPS || this.#idle % IDLE_STEPS === 0;
  }
}

/** Far longer than any call may wait, by the test's clock. */
const LONGEST_DRIVE_MS = 3 * 3_600_000;

/** Lets time pass step by step until a promise settles. */
export async function drive<T>(
  clock: FakeClock,
  promise: Promise<T>,
  stepMs = 1000,
  progress?: () => number,
): Promise<T> {
  let done = false;
  const end = () => {
    done = true;
  };
  promise.then(end, end);
  const stop = clock.now() + LONGEST_DRIVE_MS;
  const stepper = new Stepper(clock, progress);
  await turn();
  while (!done && clock.now() < stop) if (stepper.step(stepMs)) await turn();
  if (!done) throw new Error('it never settled');
  return promise;
}

/** The longest time the event loop stood still while `work` and what follows from it ran, in ms of processor time. */
export async function longestBlock(work: () => void, ended: () => boolean | Promise<boolean>): Promise<number> {
  await new Promise(setImmediate);
  let longest = 0;
  let last = cpuTime();
  work();
  do {
    await new Promise(setImmediate);
    longest = Math.max(longest, cpuTime() - last);
    last = cpuTime();
  } while (!(await ended()));
  return longest;
}

/** A clock whose timers cost nothing: 10,000 of them are set, and none of them is to fire. */
export class StillClock extends FakeClock {
  override setTimeout(run: () => void, ms: number): unknown {
    return ms > 100_000 ? undefined : super.setTimeout(run, ms);
  }
}
