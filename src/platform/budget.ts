import Bottleneck from 'bottleneck';
import type { Priority } from '../lib/actor.ts';
import { after, type Clock } from '../lib/clock.ts';
import { cancelled, closing, outOfBudget } from './answer.ts';
import { COUNT_AGAIN_MS, type Full, LONGEST_HOLD_MS, Places, type Share } from './places.ts';
import type { ClientOptions } from './wire.ts';

/** The classes in the order they are served. */
const CLASSES: readonly Priority[] = ['confirmed', 'person', 'assistant', 'batch', 'background'];

/** The more urgent of two classes. */
export function moreUrgent(one: Priority, other: Priority): Priority {
  return CLASSES.indexOf(one) < CLASSES.indexOf(other) ? one : other;
}

/**
 * The longest pause after a 429, even if its Retry-After is longer. Then one request probes whether the limit is over.
 */
export const LONGEST_PAUSE_MS = 120_000;

/** A request for a place. Its class may become more urgent, and its deadline later, while it waits. */
export interface Want {
  priority: Priority;
  /** The actor that asks for it; actors of one class take turns. */
  actor: string;
  /** Epoch ms. */
  deadline: number;
  signal?: AbortSignal | undefined;
  /** The longest pause of the platform in ms that it waits for. By default only the deadline counts. */
  maxPauseMs?: number | undefined;
  /** Called when it starts to wait, with the seconds expected. */
  onWait?: ((seconds: number) => void) | undefined;
  /** Called before an attempt is repeated, with the seconds until then; `isBusy` is true if the platform answered 503. */
  onRetry?: ((seconds: number, isBusy: boolean) => void) | undefined;
}

/** A held place. Exactly one of `used` and `unused` takes effect; further calls do nothing. */
export interface Place {
  /** Called while its request is not sent yet: it is held for longer, and another request may probe in its stead. */
  keep(): void;
  /** False if the process was suspended for so long that others may use the place. Asked right before the first byte. */
  mayUse(): boolean;
  /**
   * Called when the answer's headers arrived or the attempt failed: the place is free one period from now. `limited`:
   * the answer was 429; left out where there was no answer.
   */
  used(answer: { limited?: boolean }): void;
  /** Called if nothing was sent: the place is free at once. */
  unused(): void;
}

/** A call that waits for a place. */
interface Ticket {
  want: Want;
  isTold: boolean;
  resolve: (place: Place) => void;
  reject: (error: unknown) => void;
  /** Cancels its deadline and stops listening to its caller. */
  clear: () => void;
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
 * Calls wait in one queue: the most urgent class goes first, and within a class the actors take turns. After a 429 no
 * request is sent until its Retry-After is over. Then one request probes, and the others wait for its answer.
 */
export class Lane {
  readonly #clock: Clock;
  readonly #limit: number;
  readonly #periodMs: number;
  readonly #shares: readonly Share[];
  readonly #places: Places;
  /** Calls that wait, in the order in which they came. */
  readonly #queue = new Set<Ticket>();
  /** By class and actor, the number of the last place that was given out. */
  readonly #turns = new Map<string, number>();
  #given = 0;
  /** Runs one search for places at a time. */
  readonly #searches = new Bottleneck({ maxConcurrent: 1 });
  /** True if a call came since places were given out. */
  #hasNews = false;
  /** Ends the wait for the next place. */
  #wake: () => void = () => undefined;
  /** Time (of `Places.now`) when the next place is free, as far as is known. */
  #freeAt = 0;
  /** In the time of `Places.now`. */
  #pausedUntil = 0;
  #closed = false;

  /**
   * @param lane its name in the database in which all processes count, and the requests per period
   * @param options without a database, this process counts alone
   */
  constructor(lane: { name: string; limit: number; periodMs: number }, options: ClientOptions) {
    const { clock, log, database, timeoutMs } = options;
    this.#clock = clock;
    this.#limit = lane.limit;
    this.#periodMs = lane.periodMs;
    this.#shares = sharesOf(lane.limit);
    const holdMs = Math.min(timeoutMs + lane.periodMs, LONGEST_HOLD_MS);
    this.#places = new Places({ clock, log, database, lane: lane.name, holdMs });
  }

  /** Calls that wait for a place. */
  get waiting(): number {
    return this.#queue.size;
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
  refuse({ deadline, maxPauseMs = Number.POSITIVE_INFINITY }: Want): void {
    const pauseMs = this.#pausedUntil - this.#places.now();
    const isImpatient = pauseMs > maxPauseMs;
    if (pauseMs > 0 && (pauseMs >= deadline - this.#clock.now() || isImpatient))
      throw outOfBudget(pauseMs, isImpatient);
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
    // Where nobody waits, no search is scheduled.
    const found = this.#queue.size === 0 ? await this.#tryTake(levelOf(want), want.actor) : undefined;
    const place = found && 'used' in found ? found : undefined;
    const isOver = this.#closed || want.signal?.aborted === true;
    if (isOver) place?.unused();
    if (isOver) throw this.#closed ? closing() : cancelled();
    if (place) return place;
    return new Promise((resolve, reject) => {
      const onAbort = () => this.#fail(ticket, cancelled());
      let cancel: () => void = () => undefined;
      const untilDeadline = () => {
        const left = want.deadline - this.#clock.now();
        if (left > 0) cancel = after(this.#clock, left, untilDeadline);
        else this.#fail(ticket, outOfBudget(this.#nextMs()));
      };
      const clear = () => {
        cancel();
        want.signal?.removeEventListener('abort', onAbort);
      };
      const ticket: Ticket = { want, isTold: false, resolve, reject, clear };
      want.signal?.addEventListener('abort', onAbort, { once: true });
      this.#queue.add(ticket);
      untilDeadline();
      this.#hasNews = true;
      this.#wake();
      void this.#searches.schedule(() => this.#serve());
    });
  }

  /** Rejects all waiting calls. Requests already sent continue. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const ticket of [...this.#queue]) this.#fail(ticket, closing());
    await this.#places.close();
  }

  #pauseUntil(end: number): void {
    if (end <= this.#pausedUntil) return;
    this.#pausedUntil = end;
    for (const ticket of [...this.#queue]) {
      try {
        this.refuse(ticket.want);
      } catch (error) {
        this.#fail(ticket, error);
      }
    }
  }

  /** Gives out places until nobody waits. */
  async #serve(): Promise<void> {
    while (this.#queue.size > 0) {
      await this.#giveOut();
      if (this.#queue.size === 0) break;
      if (this.#hasNews) continue;
      for (const ticket of this.#queue) this.#tell(ticket);
      const ms = Math.min(Math.max(this.#nextMs(), 1), COUNT_AGAIN_MS);
      await new Promise<void>((resolve) => {
        const cancel = after(this.#clock, ms, () => this.#wake());
        this.#wake = () => {
          this.#wake = () => undefined;
          cancel();
          resolve();
        };
      });
    }
    this.#turns.clear();
  }

  /** Gives out the places that are free now. */
  async #giveOut(): Promise<void> {
    this.#hasNews = false;
    const full = new Set<string>();
    for (let ticket = this.#next(full); ticket !== undefined; ticket = this.#next(full)) {
      const { want } = ticket;
      const level = levelOf(want);
      try {
        const found = await this.#tryTake(level, want.actor);
        if ('used' in found) {
          this.#turns.set(turnOf(want), ++this.#given);
          // Its call may have left while the place was taken.
          if (this.#settle(ticket)) ticket.resolve(found);
          else found.unused();
        } else {
          if (found.full === 'window' || found.full === 'paused') return;
          // Other classes, and other actors of this one, need not wait for this one's part of the window.
          full.add(found.full === 'class' ? String(level) : turnOf(want));
        }
      } catch (error) {
        this.#fail(ticket, error);
      }
    }
  }

  /** The next call by class, then by the turns of the actors. */
  #next(full: ReadonlySet<string>): Ticket | undefined {
    let [best, bestLevel, bestTurn]: [Ticket | undefined, number, number] = [undefined, 0, 0];
    for (const ticket of this.#queue) {
      const level = levelOf(ticket.want);
      if (best !== undefined && level > bestLevel) continue;
      const key = turnOf(ticket.want);
      const turn = this.#turns.get(key) ?? 0;
      if (full.has(String(level)) || full.has(key)) continue;
      if (best === undefined || level < bestLevel || turn < bestTurn)
        [best, bestLevel, bestTurn] = [ticket, level, turn];
    }
    return best;
  }

  /** Takes a place, or returns the reason why there is none for this class now. */
  async #tryTake(level: number, actor: string): Promise<Place | Full> {
    const share = this.#shares[level];
    if (share === undefined) throw new RangeError(`there is no level ${level}`);
    const isPaused = () => this.#pausedUntil > this.#places.now();
    const taken = isPaused() ? undefined : await this.#places.take(share, actor);
    if (taken && 'full' in taken) {
      this.#freeAt = taken.freeAt;
      if (taken.full === 'paused') this.#pauseUntil(taken.freeAt);
      return taken;
    }
    if (taken && !isPaused()) return this.#place(taken.id, taken.probes);
    // A 429 came while the place was taken.
    if (taken) this.#places.release(taken.id, 0);
    return { freeAt: this.#pausedUntil, full: 'paused' };
  }

  /** Tells a call once that it waits, with the seconds expected. */
  #tell(ticket: Ticket): void {
    if (ticket.isTold) return;
    ticket.isTold = true;
    const level = levelOf(ticket.want);
    const ahead = [...this.#queue].filter(({ want }) => levelOf(want) <= level).length - 1;
    const ms = this.#nextMs() + Math.floor(ahead / this.#limit) * this.#periodMs;
    ticket.want.onWait?.(Math.max(1, Math.ceil(ms / 1000)));
  }

  /** Milliseconds until the next place is free, as far as is known. */
  #nextMs(): number {
    return Math.max(this.#freeAt, this.#pausedUntil) - this.#places.now();
  }

  #fail(ticket: Ticket, error: unknown): void {
    if (!this.#settle(ticket)) return;
    ticket.reject(error);
    if (this.#queue.size === 0) this.#wake();
  }

  /** Takes a call out of the queue. False if it has left before. */
  #settle(ticket: Ticket): boolean {
    ticket.clear();
    return this.#queue.delete(ticket);
  }

  #place(id: string, probes: boolean): Place {
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
      mayUse: () => this.#places.holds(id, this.#periodMs),
      used: ({ limited }) => {
        if (!end(this.#periodMs)) return;
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

function levelOf({ priority }: Want): number {
  return CLASSES.indexOf(priority);
}

/** The actor of a class. */
function turnOf(want: Want): string {
  return `${levelOf(want)} ${want.actor}`;
}
