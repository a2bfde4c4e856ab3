import { setTimeout as sleep } from 'node:timers/promises';
import { isLocked } from './sqlite-file.ts';

/** The longest pause between two attempts to get the lock. */
const MAX_PAUSE_MS = 50;

/** Runs the transactions of this process on one file one after another. Single statements wait for them. */
export class Turns {
  /** Resolves when the transaction under way, and those that wait for it, have ended. */
  #last: Promise<void> | undefined;
  /** True while the transaction whose turn it is waits for the lock of another process, so that it has not begun. */
  #isWaiting = false;
  readonly #listeners = new Set<() => void>();

  take<T>(work: () => Promise<T>): Promise<T> {
    const running = (this.#last ?? Promise.resolve()).then(work);
    const ended = running
      .then(
        () => undefined,
        () => undefined,
      )
      .then(() => {
        if (this.#last === ended) this.#last = undefined;
        this.#tell();
      });
    this.#last = ended;
    return running;
  }

  /** Waits before the transaction of this turn tries again to begin. Single statements run meanwhile. */
  async pause(wait: Promise<unknown>): Promise<void> {
    this.#isWaiting = true;
    this.#tell();
    await wait;
    this.#isWaiting = false;
  }

  get isBusy(): boolean {
    return this.#last !== undefined && !this.#isWaiting;
  }

  /** Resolves when no transaction is under way; there may be a new one by then. */
  async free(): Promise<void> {
    while (this.isBusy) await new Promise<void>((resolve) => this.#listeners.add(resolve));
  }

  /** Resolves when the transactions known now have ended; there may be new ones by then. */
  async ended(): Promise<void> {
    await this.#last;
  }

  get hasAny(): boolean {
    return this.#last !== undefined;
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }
}

/**
 * The transactions of this process by path. If another connection of this process held SQLite's lock, one that waits for
 * it would take attempts and time from the one that holds it.
 */
const turnsByPath = new Map<string, Turns>();

export function turnsOf(path: string): Turns {
  const turns = turnsByPath.get(path) ?? new Turns();
  if (path !== ':memory:') turnsByPath.set(path, turns);
  return turns;
}

/** The time that one caller has for the lock of another process. Between its attempts, the process does other work. */
export class Patience {
  readonly #until: number;
  #pauseMs = 1;

  constructor(ms: number) {
    this.#until = performance.now() + ms;
  }

  /**
   * Repeats `work` until the lock is free, or the time is over.
   * @param turns `after`: it runs while none of their transactions is under way. `within`: it begins one of them.
   */
  async attempt<T>(work: () => T, turns: { after?: Turns; within?: Turns } = {}): Promise<T> {
    for (;;) {
      while (turns.after?.isBusy) await turns.after.free();
      try {
        return work();
      } catch (error) {
        if (!isLocked(error) || performance.now() >= this.#until) throw error;
      }
      const pause = sleep(this.#pauseMs);
      this.#pauseMs = Math.min(2 * this.#pauseMs, MAX_PAUSE_MS);
      await (turns.within ? turns.within.pause(pause) : pause);
    }
  }
}
