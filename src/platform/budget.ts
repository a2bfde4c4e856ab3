import { randomUUID } from 'node:crypto';
import Bottleneck from 'bottleneck';
import type { Priority } from '../lib/actor.ts';
import { after, type Clock, MINUTE_MS, monotonicOf } from '../lib/clock.ts';
import { readOrElse } from '../store/key-values.ts';
import type { Queries, Transaction } from '../store/types.ts';
import { type ClientOptions, cancelled, closing, outOfBudget } from './wire.ts';

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
 * request is sent until its Retry-After is over. Then one request probes, and the others wait for its answer. Another
 * process learns of the limit by a 429 of its own, which does nothing.
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
  /** True from a 429 until a request was answered otherwise. */
  #isDoubtful = false;
  /** True while a request tests whether the limit has ended. */
  #isProbing = false;
  #closed = false;

  /**
   * @param lane its name in the database in which all processes count, and the requests per period
   * @param options without a database, this process counts alone
   */
  constructor(lane: { name: string; limit: number; periodMs: number }, options: ClientOptions) {
    this.#clock = options.clock;
    this.#limit = lane.limit;
    this.#periodMs = lane.periodMs;
    this.#shares = sharesOf(lane.limit);
    this.#places = new Places(options, lane.name, Math.min(options.timeoutMs + lane.periodMs, LONGEST_HOLD_MS));
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
    this.#isDoubtful = true;
    this.#isProbing = false;
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#places.now() + Math.min(ms, LONGEST_PAUSE_MS));
    for (const ticket of [...this.#queue]) {
      try {
        this.refuse(ticket.want);
      } catch (error) {
        this.#fail(ticket, error);
      }
    }
  }

  /** Throws `rate_limited` for a call whose deadline is before the end of the lane's pause. */
  refuse({ deadline }: Want): void {
    const pauseMs = this.#pausedUntil - this.#places.now();
    if (pauseMs > 0 && pauseMs >= deadline - this.#clock.now()) throw outOfBudget(pauseMs);
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
    // Where nobody waits, a call takes its place itself, so that a slow database does not hold up the calls after it.
    const found = this.#queue.size === 0 ? await this.#tryTake(levelOf(want), want.actor) : 'window';
    const error = this.#closed ? closing() : want.signal?.aborted ? cancelled() : undefined;
    if (error && typeof found !== 'string') found.unused();
    if (error) throw error;
    if (typeof found !== 'string') return found;
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

  /** Gives out places until nobody waits. */
  async #serve(): Promise<void> {
    while (this.#queue.size > 0) {
      await this.#giveOut();
      if (this.#queue.size === 0 || this.#hasNews) continue;
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
        if (found === 'window') return;
        // Other classes, and other actors of this one, need not wait for this one's part of the window.
        if (typeof found === 'string') full.add(found === 'class' ? String(level) : turnOf(want));
        // Its call may have left while the place was taken.
        else if (!this.#settle(ticket)) found.unused();
        else {
          this.#turns.set(turnOf(want), ++this.#given);
          ticket.resolve(found);
        }
      } catch (error) {
        this.#fail(ticket, error);
      }
    }
  }

  /** The next call by class, then by the turns of the actors. */
  #next(full: ReadonlySet<string>): Ticket | undefined {
    let next: { ticket: Ticket; level: number; turn: number } | undefined;
    for (const ticket of this.#queue) {
      const [level, key] = [levelOf(ticket.want), turnOf(ticket.want)];
      if (full.has(String(level)) || full.has(key)) continue;
      const turn = this.#turns.get(key) ?? 0;
      if (!next || level < next.level || (level === next.level && turn < next.turn)) next = { ticket, level, turn };
    }
    return next?.ticket;
  }

  /** Takes a place, or returns the reason why there is none for this class now. */
  async #tryTake(level: number, actor: string): Promise<Place | Full['full']> {
    const isHeld = () => this.#isProbing || this.#pausedUntil > this.#places.now();
    if (!isHeld()) {
      const taken = await this.#places.take(this.#shares[level] as Share, actor);
      if (typeof taken !== 'string') {
        this.#freeAt = taken.freeAt;
        return taken.full;
      }
      if (!isHeld()) {
        this.#isProbing = this.#isDoubtful;
        return this.#place(taken, this.#isProbing);
      }
      // A 429 came, or another request began to probe, while the place was taken.
      this.#places.release(taken, 0);
    }
    if (this.#isProbing) this.#freeAt = this.#places.now() + COUNT_AGAIN_MS;
    return 'window';
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
    this.#isDoubtful = !isOpen;
    this.#isProbing = false;
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

/** A window whose next free place is not known is counted again after this time. */
const COUNT_AGAIN_MS = 1_000;
/** While the database is away, the processes that were counted share this part of the window. */
const PART_OF_COUNTED = 1 / 2;
/** Each other process has this part, because it does not know how many others there are. The window holds six of them. */
const PART_OF_NEW = 1 / 12;
/** A place whose request is not sent at once is held for this much longer. */
const KEPT_MS = MINUTE_MS;
/** A place is held for this long at most, by every process: its timeout may be longer, and no request travels for longer. */
const LONGEST_HOLD_MS = 3 * MINUTE_MS;
/** Released places are written together, so that a read costs one transaction and not two. */
const GATHER_MS = 50;
/** Ended rows are deleted this often. */
const TIDY_MS = 5_000;

/** The share of a class of requests in the window. */
export interface Share {
  /** The class, as a number: 0 is the most urgent. */
  level: number;
  /** Maximum number of places held by all classes when one is given to this class. */
  limit: number;
  /** Maximum number of places that this class may hold. */
  ownLimit: number;
  /** The last places of the class, which actors that hold `many` in this process leave to others; 0: none are kept. */
  newcomers: number;
  many: number;
}

/** No place is free. */
export interface Full {
  /** The time when the next one is free. */
  freeAt: number;
  /** The reason: the window is full or one request probes, or the class or the actor has used its own part. */
  full: 'window' | 'class' | 'actor';
}

/** A place of this process. */
interface Held {
  /** In the time of `now`. */
  freeAt: number;
  level: number;
  actor: string;
}

/**
 * The sliding window of one lane. A place is one row, inserted in a transaction that counts the others, so that all
 * processes together keep the limit. While the database is away, this process uses a part of the window.
 *
 * All times are the monotonic ones of the clock, which all processes of a machine share, so that a clock that is set
 * neither frees places nor holds them. Processes of several machines use the time of their database, which each of them
 * follows by its own monotonic clock.
 */
export class Places {
  readonly #options: Pick<ClientOptions, 'clock' | 'log' | 'database'>;
  readonly #lane: string;
  readonly #holdMs: number;
  readonly #owner = randomUUID();
  /** The places of this process, by id. */
  readonly #own = new Map<string, Held>();
  /** Places that the database does not have as they are now. */
  readonly #unwritten = new Set<string>();
  readonly #writes = new Set<Promise<unknown>>();
  /** Cancels the next write of changed places. */
  #cancel: (() => void) | undefined;
  #tidiedAt = Number.NEGATIVE_INFINITY;
  /** This process's part of the window while the database is away. */
  #part = 1;
  /** The places of the other processes at the last count, and until when they are held at most. */
  #others = { taken: 0, until: 0 };
  /** Time of the last attempt to take a place. The others do not count a process that took none for a minute. */
  #triedAt = Number.NEGATIVE_INFINITY;

  /**
   * @param options without a database, the window belongs to this process alone
   * @param lane its name in the database
   * @param holdMs a place without an answer is free after this time
   */
  constructor(options: Pick<ClientOptions, 'clock' | 'log' | 'database'>, lane: string, holdMs: number) {
    this.#options = options;
    this.#lane = lane;
    this.#holdMs = holdMs;
  }

  /** The time of the places, in ms. */
  now(): number {
    return Math.floor(monotonicOf(this.#options.clock));
  }

  /** Takes a place: its id, or the reason why there is none. Rejects only if the database refuses the statements themselves. */
  async take(share: Share, actor: string): Promise<string | Full> {
    const now = this.now();
    if (this.#options.database && now - this.#triedAt > MINUTE_MS) this.#part = PART_OF_NEW;
    this.#triedAt = now;
    const mine = [...this.#own.values()].filter((one) => one.actor === actor && one.freeAt > now).length;
    const kept = mine < share.many ? 0 : share.newcomers;
    const given = { ...share, limit: Math.max(1, share.limit - kept) };
    const shared = this.#options.database?.transaction((tx) => this.#takeShared(tx, given, actor));
    const found = shared && (await readOrElse(shared, undefined));
    const taken = found ?? this.#takeAlone(given, actor);
    if (found === undefined && this.#options.database) this.#writeAllAgain();
    return kept > 0 && typeof taken !== 'string' && taken.full === 'window' ? { ...taken, full: 'actor' } : taken;
  }

  /** Frees the place after this time; 0: at once. */
  release(id: string, ms: number): void {
    const own = this.#own.get(id);
    if (!own) return;
    own.freeAt = Math.min(own.freeAt, this.now() + ms);
    this.#flush(id, Math.min(ms, GATHER_MS));
  }

  /** True if the place is held for this long from now on. */
  holds(id: string, ms: number): boolean {
    return (this.#own.get(id)?.freeAt ?? 0) >= this.now() + ms;
  }

  /** Holds the place for longer, because its request is not sent yet. */
  keep(id: string): void {
    const own = this.#own.get(id);
    if (!own) return;
    own.freeAt += KEPT_MS;
    this.#flush(id);
  }

  /** Places held now, by all processes. */
  async held(): Promise<number> {
    const { database } = this.#options;
    const held = database && (await readOrElse(this.#count(database, this.now()), undefined));
    return held ?? this.#ownHeld().length;
  }

  /** Resolves when all pending writes of this process have ended. */
  async close(): Promise<void> {
    if (this.#cancel) this.#writeChanged();
    await Promise.all(this.#writes);
  }

  async #takeShared(tx: Transaction, { level, limit, ownLimit }: Share, actor: string): Promise<string | Full> {
    await tx.lock(`places ${this.#lane}`);
    if (this.now() - this.#tidiedAt >= TIDY_MS) await this.#tidy(tx);
    const now = this.now();
    const total = await this.#count(tx, now);
    this.#others = { taken: Math.max(0, total - this.#own.size), until: now + MINUTE_MS };
    if (total >= limit) return { freeAt: await this.#nextFree(tx, now, total - limit), full: 'window' };
    // Those of the class are counted only where they decide.
    const ofClass = total < ownLimit ? 0 : await this.#count(tx, now, level);
    if (ofClass >= ownLimit) return { freeAt: await this.#nextFree(tx, now, ofClass - ownLimit, level), full: 'class' };
    const id = randomUUID();
    const own = { freeAt: now + this.#holdMs, level, actor };
    await this.#insert(tx, id, own);
    this.#own.set(id, own);
    return id;
  }

  /** Held places, of one class if `level` is given. */
  async #count(queries: Queries, now: number, level = -1): Promise<number> {
    const row = await queries.get<{ n: number }>(
      'SELECT count(*) AS n FROM places WHERE lane = ? AND free_at > ? AND (level = ? OR ? < 0)',
      ...[this.#lane, now, level, level],
    );
    return row?.n ?? 0;
  }

  /** Deletes ended rows, writes those of this process, and counts the processes that send. */
  async #tidy(tx: Transaction): Promise<void> {
    const now = this.now();
    this.#tidiedAt = now;
    await this.#writeOwn(tx, now);
    this.#ownHeld();
    // A time that is later than any request needs is that of another clock: before the machine restarted, or of the store
    // that this one was copied from.
    const latest = now + LONGEST_HOLD_MS + KEPT_MS;
    await tx.run('DELETE FROM places WHERE lane = ? AND (free_at <= ? OR free_at > ?)', this.#lane, now, latest);
    const others = 'SELECT count(DISTINCT owner) AS n FROM places WHERE lane = ? AND owner <> ?';
    const row = await tx.get<{ n: number }>(others, this.#lane, this.#owner);
    this.#part = PART_OF_COUNTED / (1 + (row?.n ?? 0));
  }

  /** Time when `more` + 1 places will be free, of one class if `level` is given; 0 if fewer are held. */
  async #nextFree(tx: Transaction, now: number, more: number, level = -1): Promise<number> {
    const row = await tx.get<{ at: number }>(
      `SELECT free_at AS at FROM places WHERE lane = ? AND free_at > ? AND (level = ? OR ? < 0)
         ORDER BY free_at LIMIT 1 OFFSET ?`,
      ...[this.#lane, now, level, level, more],
    );
    return row?.at ?? 0;
  }

  /** Writes the places of this process that the database does not have as they are. */
  async #writeOwn(tx: Transaction, now: number): Promise<void> {
    for (const id of this.#unwritten) {
      const own = this.#own.get(id);
      if (own && own.freeAt > now - this.#holdMs) await this.#insert(tx, id, own);
    }
    this.#unwritten.clear();
  }

  async #insert(tx: Transaction, id: string, { level, freeAt }: Held): Promise<void> {
    await tx.run(
      `INSERT INTO places (id, lane, owner, level, free_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET free_at = excluded.free_at`,
      ...[id, this.#lane, this.#owner, level, freeAt],
    );
  }

  /** Takes a place in this process's part of the window, without the database. */
  #takeAlone({ level, limit, ownLimit }: Share, actor: string): string | Full {
    const now = this.now();
    const held = this.#ownHeld();
    const ofClass = held.filter((one) => one.level === level);
    const taken = this.#others.until > now ? this.#others.taken : 0;
    const part = (all: number) => Math.max(1, Math.floor((all - taken) * this.#part));
    const full = (places: readonly Held[], most: number) =>
      places[places.length - most]?.freeAt ?? now + COUNT_AGAIN_MS;
    if (held.length >= part(limit)) return { freeAt: full(held, part(limit)), full: 'window' };
    if (ofClass.length >= part(ownLimit)) return { freeAt: full(ofClass, part(ownLimit)), full: 'class' };
    const id = randomUUID();
    this.#own.set(id, { freeAt: now + this.#holdMs, level, actor });
    return id;
  }

  /** The places of this process, sorted by the time at which they are free. */
  #ownHeld(): Held[] {
    const now = this.now();
    for (const [id, { freeAt }] of this.#own) if (freeAt <= now) this.#own.delete(id);
    return [...this.#own.values()].sort((a, b) => a.freeAt - b.freeAt);
  }

  /** Lets the next count write all places of this process first, because a transaction that failed may have held them. */
  #writeAllAgain(): void {
    this.#tidiedAt = Number.NEGATIVE_INFINITY;
    for (const id of this.#own.keys()) this.#unwritten.add(id);
  }

  /** Writes a place with the others that changed: now, or where `ms` is given, those of this time together. */
  #flush(id: string, ms = 0): void {
    if (!this.#options.database) return;
    this.#unwritten.add(id);
    if (ms === 0) this.#writeChanged();
    else this.#cancel ??= after(this.#options.clock, ms, () => this.#writeChanged());
  }

  /**
   * Writes without waiting. If the database is away, the next place that is taken writes the change, or the row expires.
   */
  #writeChanged(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    const { database, log } = this.#options;
    if (!database) return;
    const writing = database
      .transaction((tx) => this.#writeOwn(tx, this.now()))
      .catch((error: unknown) => {
        this.#writeAllAgain();
        log?.('debug', { error: String(error) }, 'the budget could not be written');
      })
      .finally(() => this.#writes.delete(writing));
    this.#writes.add(writing);
  }
}
