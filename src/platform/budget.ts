import Bottleneck from 'bottleneck';
import type { Priority } from '../lib/actor.ts';
import { after, type Clock } from '../lib/clock.ts';
import type { SwitchboardError } from '../lib/errors.ts';
import type { Database } from '../store/types.ts';
import { cancelled, closing, outOfBudget } from './answer.ts';
import { COUNT_AGAIN_MS, Places, type Share, type Taken } from './places.ts';
import type { ClientOptions } from './types.ts';

/** The classes in the order they are served. Bottleneck has ten priorities, so each class has two. */
const CLASSES: readonly Priority[] = ['confirmed', 'person', 'assistant', 'batch', 'background'];
/** True if calls of the first class are served before those of the second. */
export function isMoreUrgent(one: Priority, other: Priority): boolean {
  return CLASSES.indexOf(one) < CLASSES.indexOf(other);
}

/**
 * The longest pause after a 429, even if its Retry-After is longer. Then one request probes whether the limit is over.
 */
export const LONGEST_PAUSE_MS = 120_000;

/** A request for a place. */
export interface Want {
  priority: Priority;
  /** The actor that asks for it; actors of one class take turns. */
  actor: string;
  /** Epoch ms. */
  deadline: number;
  /**
   * Epoch ms: the latest time at which the place is useful, if that changes while it waits. By default the deadline.
   */
  latest?: () => number;
  signal?: AbortSignal | undefined;
  /** The longest pause of the platform in ms that it waits for. By default only the deadline counts. */
  maxPauseMs?: number | undefined;
  /** Called when it starts to wait, with the seconds expected. */
  onWait?: ((seconds: number) => void) | undefined;
  /** Called before an attempt is repeated because the platform did not answer, with the seconds until then. */
  onRetry?: ((seconds: number) => void) | undefined;
  /** Called once it is queued, with a function that moves it to a more urgent class. */
  onQueued?: (raise: (priority: Priority) => void) => void;
  /** Called when an attempt is sent (true) and when it is over (false). */
  onWire?: (is: boolean) => void;
}

/** A held place. Exactly one of `used` and `unused` takes effect; further calls do nothing. */
export interface Place {
  /** Called while its request is not sent yet: it is held for longer, and another request may probe in its stead. */
  keep(): void;
  /**
   * Called when the answer's headers arrived or the attempt failed: the place is free one period from now. `limited`:
   * the answer was 429; left out where there was no answer.
   */
  used(answer: { limited?: boolean }): void;
  /** Called if nothing was sent: the place is free at once. */
  unused(): void;
}

export interface LaneOptions {
  clock: Clock;
  log: ClientOptions['log'];
  /** The installation's database, in which all its processes count. Left out: this process counts alone. */
  database?: Database | undefined;
  /** Name in the database. */
  name: string;
  /** Requests per period. */
  limit: number;
  periodMs: number;
  timeoutMs: number;
}

/** A call that waits for a place. */
interface Ticket {
  want: Want;
  level: number;
  settled: boolean;
  resolve: (place: Place) => void;
  reject: (error: SwitchboardError) => void;
  /** Cancels its deadline and stops listening to its caller. */
  clear: () => void;
  /** Cancels the wait for its class's part of the window. */
  stopTimer?: () => void;
}

/**
 * The shares of the classes in a window, by level. Of 120 places, 6 are kept for confirmed actions and 14 more for people.
 * Background work leaves 12 to assistants, and batches hold at most half. The last 10 of each class are for actors that
 * hold fewer than 30, confirmed actions excepted. Small limits keep nothing back.
 */
export function sharesOf(limit: number): readonly Share[] {
  const person = limit - Math.floor(limit / 20);
  const assistant = person - Math.floor((limit * 7) / 60);
  const background = assistant - Math.floor(limit / 10);
  return [limit, person, assistant, assistant, background].map((most, level) => ({
    level,
    limit: Math.max(1, most),
    ownLimit: CLASSES[level] === 'batch' ? Math.max(1, Math.floor(limit / 2)) : limit,
    newcomers: level === 0 ? 0 : Math.floor(limit / 12),
    many: Math.max(1, Math.floor(limit / 4)),
  }));
}

/**
 * One limit of the platform (PLATFORM.md, Limits): in no period do more than `limit` requests arrive. A place is held
 * from before the request is sent until one period after its answer began, so that neither network delay nor a burst
 * can put more requests into any period of the platform.
 *
 * Bottleneck orders the calls that wait: by class, and within a class the actors take turns. After a 429 no request is
 * sent until its Retry-After is over. Then one request probes, and the others wait for its answer.
 */
export class Lane {
  readonly #options: LaneOptions;
  readonly #shares: readonly Share[];
  readonly #places: Places;
  /** Serves one call after another, the most urgent first. */
  readonly #turns = new Bottleneck({ maxConcurrent: 1 });
  /** Queues by actor. Each has one call at a time in `#turns`, so that actors take turns. */
  readonly #actors = new Bottleneck.Group({ maxConcurrent: 1 });
  readonly #tickets = new Set<Ticket>();
  /** Calls that wait, by level. */
  readonly #waiting = CLASSES.map(() => 0);
  /** Calls that wait, by class and actor. */
  readonly #actorsWaiting = new Map<string, number>();
  /** By level, the last call that tried to take a place without waiting for its turn. */
  readonly #last: Promise<void>[] = [];
  /** The call whose turn it is. */
  #serving: Ticket | undefined;
  /** Ends the wait of the call whose turn it is. */
  #wake: () => void = () => undefined;
  /** Time (the lane's own) when the next place is free, as far as is known. */
  #freeAt = 0;
  /** By the lane's time. */
  #pausedUntil = 0;
  #closed = false;

  constructor(options: LaneOptions) {
    const { clock, log, database, name, limit, periodMs, timeoutMs } = options;
    this.#options = options;
    this.#shares = sharesOf(limit);
    this.#places = new Places({ clock, log, database, lane: name, holdMs: timeoutMs + periodMs });
    this.#actors.on('created', (limiter) => limiter.chain(this.#turns));
  }

  /** Calls that wait for a place. */
  get waiting(): number {
    return this.#tickets.size;
  }

  /** Places held now, in all processes. */
  used(): Promise<number> {
    return this.#places.held();
  }

  /**
   * Called after a 429: no place is given out for `ms`, at most for `LONGEST_PAUSE_MS`. Calls whose time is over before
   * that are rejected at once.
   */
  pause(ms: number): void {
    const end = this.#places.now() + Math.min(ms, LONGEST_PAUSE_MS);
    this.#places.pause(end);
    this.#pauseUntil(end);
  }

  /** Throws `rate_limited` for a call that does not wait for the end of the lane's pause, by its deadline or its patience. */
  refuse(want: Want): void {
    if (this.#isTooLate(want)) throw outOfBudget(this.#pauseMs(), this.#isImpatient(want));
  }

  /**
   * Takes a place, at once if one is free and no call that goes first is waiting. Rejects with a `SwitchboardError`
   * (`not_done`): `rate_limited` at the deadline, or before it where it cannot be kept; `timeout` when the caller
   * cancels; `network` when the client is closed.
   */
  async take(want: Want): Promise<Place> {
    if (this.#closed) throw closing();
    if (want.signal?.aborted) throw cancelled();
    this.refuse(want);
    // Calls of one class take their turn one after another, so that only the first of many queries a full window.
    const level = CLASSES.indexOf(want.priority);
    const found = (this.#last[level] ?? Promise.resolve()).then(() => this.#takeOrQueue(want, level));
    this.#last[level] = found.then(
      () => undefined,
      () => undefined,
    );
    const { place } = await found;
    return place;
  }

  /**
   * Tries to take a place unless a call goes first. The place is wrapped, because the next call must not wait for it.
   */
  async #takeOrQueue(want: Want, level: number): Promise<{ place: Place | Promise<Place> }> {
    // A call of the same class may wait because its actor holds many places.
    if (!this.#waitsBefore(level) && !this.#actorsWaiting.has(actorKey(want, level))) {
      const found = await this.#tryTake(level, want.actor);
      if ('used' in found) return { place: this.#given(want, found) };
    }
    if (this.#closed) throw closing();
    if (want.signal?.aborted) throw cancelled();
    return { place: this.#queue(want, level) };
  }

  /** Rejects all waiting calls. Requests already sent continue. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const ticket of [...this.#tickets]) this.#fail(ticket, closing());
    await Promise.all([this.#turns.disconnect(false), this.#actors.disconnect(false)]);
    await this.#places.close();
  }

  /** Releases a place that was taken after its caller had cancelled. */
  #given({ signal }: Want, place: Place): Place {
    if (!this.#closed && !signal?.aborted) return place;
    place.unused();
    throw this.#closed ? closing() : cancelled();
  }

  #isTooLate(want: Want): boolean {
    const pauseMs = this.#pauseMs();
    const timeMs = (want.latest?.() ?? want.deadline) - this.#options.clock.now();
    return pauseMs > 0 && (pauseMs >= timeMs || this.#isImpatient(want));
  }

  #isImpatient({ maxPauseMs = Number.POSITIVE_INFINITY }: Want): boolean {
    return this.#pauseMs() > maxPauseMs;
  }

  /** Milliseconds until the pause ends; 0 or less if there is none. */
  #pauseMs(): number {
    return this.#pausedUntil - this.#places.now();
  }

  #pauseUntil(end: number): void {
    if (end <= this.#pausedUntil) return;
    this.#pausedUntil = end;
    const waitMs = this.#pauseMs();
    for (const ticket of [...this.#tickets])
      if (this.#isTooLate(ticket.want)) this.#fail(ticket, outOfBudget(waitMs, this.#isImpatient(ticket.want)));
  }

  /** True if a call waits whose level is below this one. */
  #waitsBefore(level: number): boolean {
    return this.#waiting.slice(0, level).some((count) => count > 0);
  }

  /** Takes a place, or returns the reason why there is none for this class now. */
  async #tryTake(level: number, actor: string): Promise<Place | Exclude<Taken, { id: string }>> {
    const share = this.#shares[level];
    if (share === undefined) throw new RangeError(`there is no level ${level}`);
    const isPaused = () => this.#pauseMs() > 0;
    if (isPaused()) return { freeAt: this.#pausedUntil, full: 'paused' };
    const taken = await this.#places.take(share, actor);
    if ('id' in taken && !isPaused()) return this.#place(taken.id, taken.probes);
    if ('id' in taken) {
      // A 429 came while the place was taken.
      this.#places.release(taken.id, 0);
      return { freeAt: this.#pausedUntil, full: 'paused' };
    }
    this.#freeAt = taken.freeAt;
    if (taken.full === 'paused') this.#pauseUntil(taken.freeAt);
    return taken;
  }

  #queue(want: Want, level: number): Promise<Place> {
    return new Promise((resolve, reject) => {
      const { clock } = this.#options;
      const ticket: Ticket = { want, level, settled: false, resolve, reject, clear: () => undefined };
      const onAbort = () => this.#fail(ticket, cancelled());
      const cancel = after(clock, want.deadline - clock.now(), () => this.#fail(ticket, outOfBudget(this.#nextMs())));
      want.signal?.addEventListener('abort', onAbort, { once: true });
      ticket.clear = () => {
        cancel();
        want.signal?.removeEventListener('abort', onAbort);
      };
      this.#tickets.add(ticket);
      this.#count(ticket, 1);
      this.#enter(ticket);
      want.onQueued?.((better) => this.#raise(ticket, CLASSES.indexOf(better)));
      want.onWait?.(this.#expectedSeconds(level));
    });
  }

  /** Moves a waiting call to a more urgent class. Its first turn takes the place. */
  #raise(ticket: Ticket, level: number): void {
    if (ticket.settled || level >= ticket.level) return;
    this.#count(ticket, -1);
    ticket.level = level;
    this.#count(ticket, 1);
    this.#enter(ticket);
  }

  #count({ want, level }: Ticket, change: 1 | -1): void {
    this.#waiting[level] = (this.#waiting[level] ?? 0) + change;
    const key = actorKey(want, level);
    const left = (this.#actorsWaiting.get(key) ?? 0) + change;
    if (left > 0) this.#actorsWaiting.set(key, left);
    else this.#actorsWaiting.delete(key);
  }

  /** Puts a call into the queue. `again`: its turn had come already, so it goes before the others of its class. */
  #enter(ticket: Ticket, again = false): void {
    const priority = 2 * ticket.level + (again ? 0 : 1);
    const queue = again ? this.#turns : this.#actors.key(actorKey(ticket.want, ticket.level));
    // `#serve` does not throw, and what the queue drops when the client closes has been rejected before.
    queue.schedule({ priority }, () => this.#serve(ticket)).catch(() => undefined);
    if (this.#serving && ticket.level < this.#serving.level) this.#wake();
  }

  /** The call's turn: waits for the next place of its class. A more urgent call that comes meanwhile goes first. */
  async #serve(ticket: Ticket): Promise<void> {
    this.#serving = ticket;
    while (!ticket.settled) {
      const found = await this.#tryTake(ticket.level, ticket.want.actor);
      if ('used' in found) {
        this.#offer(ticket, found);
        return;
      }
      if (ticket.settled) return;
      // Calls of other classes need not wait for this class's part of the window.
      if (found.full === 'class') {
        ticket.stopTimer = after(this.#options.clock, this.#nextMs(), () => this.#enter(ticket, true));
        return;
      }
      await this.#wait();
      if (ticket.settled || !this.#waitsBefore(ticket.level)) continue;
      this.#enter(ticket, true);
      return;
    }
  }

  #offer(ticket: Ticket, place: Place): void {
    if (ticket.settled) {
      place.unused();
      return;
    }
    this.#settle(ticket);
    ticket.resolve(place);
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => {
      const ms = Math.min(Math.max(this.#nextMs(), 1), COUNT_AGAIN_MS);
      const cancel = after(this.#options.clock, ms, () => this.#wake());
      this.#wake = () => {
        this.#wake = () => undefined;
        cancel();
        resolve();
      };
    });
  }

  #expectedSeconds(level: number): number {
    const { limit, periodMs } = this.#options;
    const ahead = this.#waiting.slice(0, level + 1).reduce((sum, count) => sum + count, -1);
    return Math.max(1, Math.ceil((this.#nextMs() + Math.floor(ahead / limit) * periodMs) / 1000));
  }

  /** Milliseconds until the next place is free, as far as is known. */
  #nextMs(): number {
    return Math.max(this.#freeAt, this.#pausedUntil) - this.#places.now();
  }

  #fail(ticket: Ticket, error: SwitchboardError): void {
    if (ticket.settled) return;
    this.#settle(ticket);
    ticket.reject(error);
    if (ticket === this.#serving) this.#wake();
  }

  #settle(ticket: Ticket): void {
    ticket.settled = true;
    ticket.clear();
    ticket.stopTimer?.();
    this.#tickets.delete(ticket);
    this.#count(ticket, -1);
  }

  #place(id: string, probes: boolean): Place {
    const { periodMs } = this.#options;
    let held = true;
    const end = (ms: number): boolean => {
      if (!held) return false;
      held = false;
      this.#places.release(id, ms);
      this.#freeAt = Math.min(this.#freeAt, this.#places.now() + ms);
      return true;
    };
    return {
      keep: () => {
        this.#places.keep(id);
        if (probes) this.#probed(false);
      },
      used: ({ limited }) => {
        if (!end(periodMs)) return;
        if (limited) this.pause(COUNT_AGAIN_MS);
        else if (probes) this.#probed(limited === false);
      },
      unused: () => {
        if (!end(0)) return;
        if (probes) this.#probed(false);
        else this.#wake();
      },
    };
  }

  /** Records the answer to the request that probes after a pause. */
  #probed(isOpen: boolean): void {
    this.#places.probed(isOpen);
    this.#freeAt = 0;
    this.#wake();
  }
}

function actorKey({ actor }: Want, level: number): string {
  return `${level} ${actor}`;
}
