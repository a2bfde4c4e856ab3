import { randomUUID } from 'node:crypto';
import { personOf } from '../lib/actor.ts';
import { type Clock, inTime, SECOND_MS } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { levelOf } from '../store/key-values.ts';
import { LEASE_MS } from '../work/holds.ts';
import type { Conversations, Message } from './conversations.ts';
import type { Stopped } from './turn-events.ts';
import type { TurnRequest } from './turn-request.ts';

/** A turn of this process. */
export interface OwnTurn {
  /** The messages so far. */
  messages: Message[];
  abort: AbortController;
  /** Ends the turn, and remembers these messages. */
  end(answered: readonly Message[]): Promise<void>;
}

/** The turns of this process: one at a time in a thread, and up to three that wait for it in their order. */
export class Turns {
  readonly #conversations: Conversations;
  readonly #clock: Clock;
  readonly #log: Log;
  /** The turns that run, by their ids. */
  readonly #running = new Map<string, { thread: string; abort: AbortController }>();
  /** Wakes the turns that wait. */
  readonly #wakes = new Set<() => void>();
  #isClosed = false;

  constructor({ conversations, clock, log }: { conversations: Conversations; clock: Clock; log: Log }) {
    this.#conversations = conversations;
    this.#clock = clock;
    this.#log = log;
  }

  /**
   * Begins a turn, after the one that runs in the thread. `full`: too many wait. `closed`: this process stops.
   *
   * @param onWait called once if the turn has to wait
   */
  async begin(request: TurnRequest, onWait: () => void): Promise<OwnTurn | 'full' | 'closed'> {
    const { thread, writer, interrupted } = request;
    const turn = randomUUID();
    for (let waits = false; ; waits = true) {
      if (this.#isClosed) {
        if (waits) await this.#conversations.leave(thread, turn);
        return 'closed';
      }
      const begun = await this.#conversations.begin(thread, personOf(writer), { turn, interrupted });
      if (begun === 'full') return begun;
      if (begun !== 'waits') return await this.#own(request, turn);
      if (!waits) onWait();
      await this.#change();
    }
  }

  /** Stops the turn of a thread, if this process runs it. */
  abort(thread: string, why: Stopped): void {
    for (const one of this.#running.values()) if (one.thread === thread) one.abort.abort(why);
  }

  /** Stops all turns of this process, and refuses further ones. */
  close(): void {
    this.#isClosed = true;
    for (const { abort } of this.#running.values()) abort.abort('shutdown' satisfies Stopped);
    this.#wakeAll();
  }

  /** Resolves when a turn that waits may begin: one ended here, or another process may have ended one. */
  async #change(): Promise<void> {
    let wake: () => void = () => undefined;
    const woken = new Promise<void>((resolve) => (wake = resolve));
    this.#wakes.add(wake);
    await inTime(this.#clock, SECOND_MS, woken, () => undefined);
    this.#wakes.delete(wake);
  }

  #wakeAll(): void {
    for (const wake of [...this.#wakes]) wake();
  }

  async #own({ thread, memories = [thread], writer }: TurnRequest, turn: string): Promise<OwnTurn> {
    const abort = new AbortController();
    this.#running.set(turn, { thread, abort });
    if (this.#isClosed) abort.abort('shutdown' satisfies Stopped);
    const release = this.#hold(thread, turn, abort);
    const messages = await this.#conversations.messages(memories[0] ?? thread);
    return {
      ...{ messages, abort },
      end: async (answered) => {
        release();
        this.#running.delete(turn);
        await this.#conversations.end({ thread, turn, person: personOf(writer), memories }, answered);
        this.#wakeAll();
      },
    };
  }

  /** Keeps the turn until it is released, and ends it when it was stopped or forgotten in another process. */
  #hold(thread: string, turn: string, abort: AbortController): () => void {
    let isOver = false;
    let timer: unknown;
    const renew = async () => {
      this.#clock.clearTimeout(timer);
      try {
        const state = await this.#conversations.renew(thread, turn);
        if (!isOver && state !== 'held') abort.abort((state === 'gone' ? 'taken_over' : state) satisfies Stopped);
      } catch (error) {
        this.#log(levelOf(error, 'warn'), { error: String(error) }, 'a turn could not be kept');
      }
      if (!isOver) timer = this.#clock.setTimeout(() => void renew(), LEASE_MS / 3);
    };
    timer = this.#clock.setTimeout(() => void renew(), LEASE_MS / 3);
    const unsubscribe = this.#conversations.onOtherWrites(() => void renew());
    return () => {
      isOver = true;
      this.#clock.clearTimeout(timer);
      unsubscribe();
    };
  }
}
