import { type Clock, inTime } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { levelOf } from '../store/key-values.ts';
import { LEASE_MS } from '../work/holds.ts';
import {
  answers,
  type Begun,
  type Conversations,
  type Interrupted,
  type Message,
  type Remembered,
  turnIdFor,
} from './conversations.ts';
import type { Stopped } from './turn-events.ts';

export interface ThreadTurnsOptions {
  conversations: Conversations;
  clock: Clock;
  log: Log;
}

/** A turn of this process. */
export interface OwnTurn extends Begun {
  thread: string;
  abort: AbortController;
  /**
   * Ends the turn, and remembers these messages after the earlier ones, and those of other memories. False if it was
   * forgotten or taken over.
   */
  end(answered: readonly Message[], others: readonly Remembered[]): Promise<boolean>;
}

/** The turns of this process: one at a time in a thread, and up to three that wait for it in their order. */
export class ThreadTurns {
  readonly #options: ThreadTurnsOptions;
  readonly #running = new Map<string, { thread: string; abort: AbortController; ended: Promise<void> }>();
  readonly #waiting = new Set<Promise<unknown>>();
  /** Wakes the turns that wait. */
  readonly #wakes = new Set<() => void>();
  #isClosed = false;

  constructor(options: ThreadTurnsOptions) {
    this.#options = options;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /**
   * Begins a turn, after the one that runs in the thread. `full`: too many wait. `closed`: this process stops.
   * `retracted`: the message was deleted or changed while it waited.
   *
   * @param asked.message id of the message that it answers
   * @param asked.onWait called once if the turn has to wait
   */
  async begin(asked: {
    thread: string;
    person: string;
    message: string | undefined;
    interrupted: Interrupted | undefined;
    onWait: () => void;
  }): Promise<OwnTurn | 'full' | 'closed' | 'retracted'> {
    const work = this.#begin(asked);
    this.#waiting.add(work);
    try {
      const begun = await work;
      return typeof begun === 'string' ? begun : this.#own(asked.thread, begun);
    } finally {
      this.#waiting.delete(work);
    }
  }

  /** Stops the turns of a thread that this process runs. */
  abort(thread: string, why: Stopped): void {
    for (const one of this.#running.values()) if (one.thread === thread) one.abort.abort(why);
  }

  /** Stops the turn of this process that answers this message, and has those that wait look again. */
  retract(thread: string, message: string): void {
    for (const [turn, one] of this.#running)
      if (one.thread === thread && answers(turn, message)) one.abort.abort('retracted' satisfies Stopped);
    this.#wake();
  }

  /** Stops all turns of this process, and resolves when they have said so. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wake();
    const running = [...this.#running.values()];
    for (const { abort } of running) abort.abort('shutdown' satisfies Stopped);
    await Promise.allSettled([...running.map(({ ended }) => ended), ...this.#waiting]);
  }

  async #begin({
    thread,
    person,
    message,
    interrupted,
    onWait,
  }: Parameters<ThreadTurns['begin']>[0]): Promise<Begun | 'full' | 'closed' | 'retracted'> {
    const { conversations } = this.#options;
    const turn = turnIdFor(message);
    for (let tries = 0; ; tries += 1) {
      if (this.#isClosed) {
        if (tries > 0) await conversations.leave(thread, turn);
        return 'closed';
      }
      const changed = this.#nextChange();
      const begun = await conversations.begin(thread, person, { turn, interrupted });
      if (begun !== 'waits') {
        changed.cancel();
        // The turns behind it may begin.
        if (begun === 'retracted') this.#wake();
        return begun;
      }
      if (tries === 0) onWait();
      await changed.happened;
    }
  }

  /** The next moment at which a turn that waits may begin: one began or ended here, or another process wrote. */
  #nextChange(): { happened: Promise<unknown>; cancel: () => void } {
    const { conversations, clock } = this.#options;
    let wake: () => void = () => undefined;
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    this.#wakes.add(wake);
    const unsubscribe = conversations.onOtherWrites(wake);
    const happened = inTime(clock, LEASE_MS / 3, woken, () => undefined).finally(() => {
      this.#wakes.delete(wake);
      unsubscribe();
    });
    return { happened, cancel: wake };
  }

  #wake(): void {
    for (const wake of [...this.#wakes]) wake();
  }

  #own(thread: string, { turn, messages }: Begun): OwnTurn {
    const abort = new AbortController();
    if (this.#isClosed) abort.abort('shutdown' satisfies Stopped);
    let ended: () => void = () => undefined;
    this.#running.set(turn, { thread, abort, ended: new Promise((resolve) => (ended = resolve)) });
    this.#wake();
    const release = this.#hold(thread, turn, abort);
    return {
      ...{ thread, turn, messages, abort },
      end: async (answered, others) => {
        release();
        this.#running.delete(turn);
        try {
          return await this.#options.conversations.end(thread, turn, [...messages, ...answered], others);
        } finally {
          ended();
          this.#wake();
        }
      },
    };
  }

  /** Keeps the turn, and ends it when the thread was stopped or forgotten in another process. */
  #hold(thread: string, turn: string, abort: AbortController): () => void {
    const { clock, log, conversations } = this.#options;
    let isOver = false;
    let timer: unknown;
    const renew = async () => {
      clock.clearTimeout(timer);
      const state = await conversations.renew(thread, turn);
      if (isOver) return;
      if (state !== 'held') abort.abort((state === 'gone' ? 'taken_over' : state) satisfies Stopped);
      timer = clock.setTimeout(() => void look(), LEASE_MS / 3);
    };
    const look = () =>
      renew().catch((error: unknown) =>
        log(levelOf(error, 'warn'), { error: String(error) }, 'a turn could not be kept'),
      );
    timer = clock.setTimeout(() => void look(), LEASE_MS / 3);
    const unsubscribe = conversations.onOtherWrites(() => void look());
    return () => {
      isOver = true;
      clock.clearTimeout(timer);
      unsubscribe();
    };
  }
}
