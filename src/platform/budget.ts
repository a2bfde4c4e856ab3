import Bottleneck from 'bottleneck';
import type { Priority } from '../lib/actor.ts';
import type { Clock } from '../lib/clock.ts';
import type { SwitchboardError } from '../lib/errors.ts';
import type { Full, LaneState, Window } from '../store/window.ts';
import { type Entry, FairQueue, LEVELS, levelOf, PRIORITIES } from './fair-queue.ts';
import { cancelled, closing, outOfBudget } from './not-sent.ts';
import { after } from './retry.ts';
import { Holdings, limitsByLevel } from './shares.ts';

/** Interval for checking a shared window, which does not report places released by other processes. */
const LOOK_AGAIN_MS = 1000;
/** The longest pause after a 429, whatever its Retry-After says. After it, one request probes whether the limit is over. */
export const LONGEST_PAUSE_MS = 120_000;
/** The pause after a 429 without a readable Retry-After. */
const SHORTEST_PAUSE_MS = 1000;

/** A request for a place. */
export interface Want {
  priority: Priority;
  /** The actor that asks for it; actors of one class take turns. */
  actor: string;
  /** Epoch ms. */
  deadline: number;
  /** Epoch ms: the latest time at which the place is useful, if that changes while it waits. By default the deadline. */
  latest?: () => number;
  signal?: AbortSignal | undefined;
  /** Called when it starts to wait, with the seconds expected. */
  onWait?: ((seconds: number) => void) | undefined;
  /** Called once it is queued, with a function that moves it forward in the queue. */
  onQueued?: (raise: (priority: Priority) => void) => void;
  /** Called when an attempt is sent (true) and when it is over (false). */
  onWire?: (is: boolean) => void;
}

/** A held place. Exactly one of the two methods takes effect; further calls do nothing. */
export interface Place {
  /**
   * The answer's headers came, or the attempt failed: the place falls free one period from now. `limited`: the answer
   * was 429; left out where there was no answer.
   */
  used(answer: { limited?: boolean }): void;
  /** Nothing was sent: the place is free at once. */
  unused(): void;
}

export interface LaneOptions {
  clock: Clock;
  window: Window;
  /** The window is shared with other processes. */
  shared: boolean;
  /** Name in the window. */
  name: string;
  /** Places per period. */
  limit: number;
  periodMs: number;
  timeoutMs: number;
}

interface Ticket extends Entry {
  want: Want;
  settled: boolean;
  resolve: (place: Place) => void;
  reject: (error: SwitchboardError) => void;
  clear: () => void;
}

/**
 * The budget of one lane (PLATFORM.md, Limits): in no period do more than `limit` requests arrive. A place is held from
 * before the request is sent until one period after its answer began, so that neither network delay nor a burst can put
 * more requests into any period of the platform. It is written by hand because no rate limiter on npm holds a sliding
 * window over several processes together with fair turns and priorities.
 *
 * Calls that find no place wait in a `FairQueue`; so do those whose place the window is still asking the store for. Each place goes to the call whose turn it is. The last places of the window
 * are reserved for people and confirmed actions (`limitsByLevel`). After a 429 no request is sent until its Retry-After is
 * over, at most for `LONGEST_PAUSE_MS`; then one request probes, and the others wait for its answer. A shared window tells the
 * lanes of other processes, and lets one of them all probe.
 */
export class Lane {
  readonly #options: LaneOptions;
  readonly #limits: readonly number[];
  readonly #holdings: Holdings;
  readonly #queue: FairQueue<Ticket>;
  /**
   * Starts calls that hold a place: by class, each in a turn of the event loop of its own, so that the places of a minute
   * that fall free together do not block the loop. It never holds more calls than the limit of the window: its own queue
   * becomes slow with thousands of jobs, and does not know actors.
   */
  readonly #starter = new Bottleneck();
  /** Tickets that wait, and those that the starter holds. */
  readonly #tickets = new Set<Ticket>();
  #pausedUntil = 0;
  /** True from a 429 until a request gets a different answer. */
  #doubtful = false;
  /** True while the probe is under way. */
  #probing = false;
  #freeAt = 0;
  /** True while the window asks the store for places. */
  #asking = false;
  /** Tell calls how long they wait, once that is known. */
  #untold: (() => void)[] = [];
  readonly #stopListening: () => void;
  /** Epoch ms, while the lane's timer is set. */
  #wakesAt = Number.POSITIVE_INFINITY;
  #clearTimer: () => void = () => undefined;
  #closed = false;

  constructor(options: LaneOptions) {
    const { clock, limit, window, name } = options;
    this.#options = options;
    this.#stopListening = window.onState(name, (state) => this.#onState(state));
    this.#limits = limitsByLevel(limit);
    this.#holdings = new Holdings(limit);
    this.#queue = new FairQueue((actor) => this.#holdings.holdsMany(actor, clock.now()));
  }

  /** Calls that wait for a place. */
  get waiting(): number {
    return this.#tickets.size;
  }

  /** Places held now, in all processes. */
  used(): Promise<number> {
    return this.#options.window.held(this.#options.name);
  }

  /**
   * The platform answered 429: no place is given out before `until` (epoch ms), at most `LONGEST_PAUSE_MS` from now. Calls
   * whose time is over before that are rejected at once.
   */
  pause(until: number): void {
    const now = this.#options.clock.now();
    const end = Math.min(until, now + LONGEST_PAUSE_MS);
    this.#doubtful = true;
    this.#options.window.pause(this.#options.name, end);
    this.#pauseUntil(end);
  }

  #pauseUntil(end: number): void {
    if (end <= this.#pausedUntil) return;
    this.#pausedUntil = end;
    const now = this.#options.clock.now();
    for (const ticket of [...this.#tickets]) {
      if (this.#isTooLate(ticket.want)) this.#fail(ticket, outOfBudget(end - now));
    }
    this.#pump();
  }

  /** What other processes' answers did to the lane. The answer to a probe of this process counts more. */
  #onState({ pausedUntil, isDoubtful }: LaneState): void {
    if (isDoubtful) {
      this.#doubtful = true;
      this.#pauseUntil(pausedUntil);
    } else if (this.#doubtful && !this.#probing) {
      this.#doubtful = false;
      this.#pump();
    }
  }

  /** Throws `rate_limited` for a call whose deadline is before the end of the lane's pause. */
  refuse(want: Want): void {
    if (this.#isTooLate(want)) throw outOfBudget(this.#pausedUntil - this.#options.clock.now());
  }

  /**
   * Takes a place, at once if one is free and no call that goes first is waiting. Throws or rejects with a `SwitchboardError`
   * (`not_done`): `rate_limited` at the deadline, or before it where it cannot be kept; `timeout` when the caller
   * cancels; `network` when the client is closed.
   */
  take(want: Want): Place | Promise<Place> {
    if (this.#closed) throw closing();
    if (want.signal?.aborted) throw cancelled();
    this.refuse(want);
    const now = this.#options.clock.now();
    if (this.#isOpen(now)) {
      const level = levelOf(want.priority, this.#holdings.holdsMany(want.actor, now));
      if (this.#queue.size === 0 || this.#queue.firstLevel() > level) {
        const id = this.#fromWindow(level, 1);
        if (id !== undefined) return this.#place(id, want.actor);
      }
    }
    return this.#wait(want);
  }

  /** Rejects all waiting calls. Requests already sent continue. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#stopListening();
    this.#sleep();
    for (const ticket of [...this.#tickets]) this.#fail(ticket, closing());
    await this.#starter.disconnect(false);
  }

  #isTooLate({ deadline, latest }: Want): boolean {
    return this.#pausedUntil > this.#options.clock.now() && this.#pausedUntil >= (latest?.() ?? deadline);
  }

  #isOpen(now: number): boolean {
    return this.#pausedUntil <= now && !this.#probing;
  }

  #wait(want: Want): Promise<Place> {
    return new Promise((resolve, reject) => {
      const { clock, limit, periodMs } = this.#options;
      const { priority, actor } = want;
      const ticket: Ticket = { want, priority, actor, settled: false, resolve, reject, clear: () => undefined };
      let aborted = false;
      const onAbort = () => {
        aborted = true;
        this.#fail(ticket, cancelled());
      };
      const cancel = after(clock, want.deadline - clock.now(), () => this.#fail(ticket, outOfBudget(this.#nextMs())));
      want.signal?.addEventListener('abort', onAbort, { once: true });
      ticket.clear = () => {
        cancel();
        // A signal that fired has removed the listener already; searching for it among thousands takes long.
        if (!aborted) want.signal?.removeEventListener('abort', onAbort);
      };
      this.#tickets.add(ticket);
      const wasFirst = this.#queue.firstLevel();
      this.#queue.add(ticket);
      // A call that does not change which place is needed next does not make the lane check.
      if (this.#queue.firstLevel() < wasFirst) this.#pump();
      want.onQueued?.((better) => {
        if (ticket.links === undefined || PRIORITIES.indexOf(better) >= PRIORITIES.indexOf(ticket.priority)) return;
        this.#queue.move(ticket, better);
        this.#pump();
      });
      const tell = () => {
        if (ticket.links === undefined) return;
        const rounds = Math.floor(this.#queue.ahead(ticket) / limit);
        want.onWait?.(Math.max(1, Math.ceil((this.#nextMs() + rounds * periodMs) / 1000)));
      };
      if (this.#asking) this.#untold.push(tell);
      else tell();
    });
  }

  /** Milliseconds until the next known place falls free. */
  #nextMs(): number {
    return Math.max(this.#freeAt, this.#pausedUntil) - this.#options.clock.now();
  }

  #fail(ticket: Ticket, error: SwitchboardError): void {
    if (ticket.settled) return;
    this.#queue.remove(ticket);
    this.#settle(ticket);
    ticket.reject(error);
    if (this.#queue.size === 0) this.#sleep();
  }

  #settle(ticket: Ticket): void {
    ticket.settled = true;
    ticket.clear();
    this.#tickets.delete(ticket);
  }

  /** The id of a free place. Undefined if there is none, or the window has to ask for it: then it is tried again. */
  #fromWindow(level: number, calls: number): string | undefined {
    if (this.#asking) return undefined;
    const { window, name, limit, timeoutMs, periodMs } = this.#options;
    const taken = window.take({
      lane: name,
      level,
      limit: this.#limits[level] ?? limit,
      holdMs: timeoutMs + periodMs,
      calls,
    });
    if ('id' in taken) return taken.id;
    if ('freeAt' in taken) this.#freeAt = taken.freeAt;
    else {
      this.#asking = true;
      void taken.leasing.then((full) => this.#asked(level, full));
    }
    return undefined;
  }

  /** The window has asked: there are places, or none for this level and less urgent ones. */
  #asked(level: number, full: Full | undefined): void {
    this.#asking = false;
    if (full === undefined || this.#queue.firstLevel() < level) {
      this.#pump();
      return;
    }
    this.#freeAt = full.freeAt;
    if (this.#queue.size > 0 && !this.#closed) this.#wakeAt(Math.max(this.#freeAt, this.#pausedUntil));
    this.#tellAll();
  }

  #tellAll(): void {
    for (const tell of this.#untold.splice(0)) tell();
  }

  /** Assigns the free places in turn, then sets the timer for the next one. */
  #pump(): void {
    if (this.#closed) return;
    let level = this.#queue.firstLevel();
    const now = this.#options.clock.now();
    while (level < LEVELS && this.#isOpen(now)) {
      const id = this.#fromWindow(level, this.#queue.sizeAt(level));
      const ticket = id === undefined ? undefined : this.#queue.next();
      if (id === undefined || ticket === undefined) break;
      this.#start(ticket, this.#place(id, ticket.actor));
      level = this.#queue.firstLevel();
    }
    // The answer to the probe, or that of the window, calls this method again.
    if (level === LEVELS || this.#probing || this.#asking) this.#sleep();
    else this.#wakeAt(this.#pausedUntil > now ? this.#pausedUntil : this.#freeAt);
    if (!this.#asking) this.#tellAll();
  }

  #start(ticket: Ticket, place: Place): void {
    // `serve` does not throw, and what the starter drops when the client closes has been rejected before.
    this.#starter
      .schedule({ priority: PRIORITIES.indexOf(ticket.priority) }, async () => this.#serve(ticket, place))
      .catch(() => undefined);
  }

  #serve(ticket: Ticket, place: Place): void {
    const paused = this.#pausedUntil > this.#options.clock.now();
    if (!ticket.settled && !paused) {
      this.#settle(ticket);
      ticket.resolve(place);
      return;
    }
    if (!ticket.settled) this.#queue.add(ticket, true);
    place.unused();
  }

  /** Sets the lane's one timer. `at`: epoch ms. */
  #wakeAt(at: number): void {
    const { clock, shared } = this.#options;
    const now = clock.now();
    const ms = Math.max(1, shared ? Math.min(at - now, LOOK_AGAIN_MS) : at - now);
    if (this.#wakesAt === now + ms) return;
    this.#sleep();
    this.#wakesAt = now + ms;
    this.#clearTimer = after(clock, ms, () => {
      this.#wakesAt = Number.POSITIVE_INFINITY;
      this.#pump();
    });
  }

  #sleep(): void {
    this.#clearTimer();
    this.#clearTimer = () => undefined;
    this.#wakesAt = Number.POSITIVE_INFINITY;
  }

  #place(id: string, actor: string): Place {
    const { clock, window, name, periodMs } = this.#options;
    const probes = this.#doubtful;
    this.#probing = probes;
    this.#holdings.taken(actor);
    let held = true;
    return {
      used: ({ limited }) => {
        if (!held) return;
        held = false;
        const freeAt = clock.now() + periodMs;
        window.release(id, freeAt);
        this.#holdings.leaves(actor, freeAt);
        if (probes) this.#probing = false;
        if (probes && limited === false) this.#doubtful = false;
        if (probes && !limited) window.probed(name, limited === false);
        if (limited) this.pause(clock.now() + SHORTEST_PAUSE_MS);
        if (probes) {
          this.#pump();
          return;
        }
        // Until now the place was held for as long as an attempt may take.
        this.#freeAt = Math.min(this.#freeAt, freeAt);
        if (this.#queue.size > 0 && this.#isOpen(clock.now()) && freeAt < this.#wakesAt) this.#wakeAt(freeAt);
      },
      unused: () => {
        if (!held) return;
        held = false;
        window.release(id, clock.now());
        this.#holdings.givenBack(actor);
        if (probes) {
          this.#probing = false;
          window.probed(name, false);
        }
        this.#pump();
      },
    };
  }
}
