import { randomUUID } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Database, Transaction } from '../types.ts';
import type { Ask, Full, LaneState, Taken, Window } from '../window.ts';
import { LocalLane, type Stamp, stampOf } from './local-lane.ts';
import {
  beat,
  type Found,
  heldByOthers,
  type LaneRow,
  LEASE_MS,
  Leasing,
  leave,
  lockLane,
  writeChanges,
} from './rows.ts';
import { Unwritten } from './unwritten.ts';

/** A release makes a place free sooner than it was taken for, so it may be written a little later. */
const FLUSH_MS = 200;
/** How often a process says that it is alive. */
const BEAT_MS = 2_000;
/** While the store is away: how often it is tried. */
const RETRY_MS = 1_000;
/** What other processes wrote is read at most this often. */
const READ_GAP_MS = 250;

export interface SharedWindowOptions {
  /** The area `budget`. */
  database: Database;
  /** This machine's. The store's own time decides what is free. */
  clock: Clock;
  log: Log;
  /** This process; left out: a new id. */
  owner?: string;
}

/**
 * The window of all processes that share a store, so that together they keep the platform's limit.
 *
 * A process leases a block of places in one transaction and uses them without a further write; what is not used within a
 * second is given back. Free is what the store's clock says is free. While the store is away, a process uses at most its
 * part of what other processes did not hold; what it used is written before it leases again.
 */
export class SharedWindow implements Window {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #owner: string;
  readonly #lanes = new Map<string, LocalLane>();
  readonly #unwritten: Unwritten;
  /** Resolves when the transaction under way has ended. They run one after another. */
  #turn: Promise<unknown> = Promise.resolve();
  readonly #timers = new Map<'flush' | 'beat' | 'read' | LocalLane, unknown>();
  #stopListening: (() => void) | undefined;
  /** This machine's clock minus the store's, when they were last compared. */
  #offset = 0;
  /** Processes that share the window; undefined until they were counted. */
  #processes: number | undefined;
  #isAway = false;
  #isClosed = false;
  #last = 0;

  constructor({ database, clock, log, owner = randomUUID() }: SharedWindowOptions) {
    this.#database = database;
    this.#clock = clock;
    this.#log = log;
    this.#owner = owner;
    this.#unwritten = new Unwritten(clock);
  }

  take(ask: Ask): Taken {
    const lane = this.#lane(ask.lane);
    const id = lane.use(ask.level, ask.holdMs);
    if (id !== undefined) return { id };
    if (this.#isClosed) return { freeAt: this.#clock.now() + RETRY_MS };
    if (this.#isAway) return this.#takeAlone(lane, ask);
    if (lane.leasing === undefined) {
      const leasing = this.#lease(lane, ask).finally(() => {
        lane.leasing = undefined;
      });
      lane.leasing = leasing;
    }
    return { leasing: lane.leasing };
  }

  release(id: string, at: number): void {
    if (this.#isClosed) return;
    for (const lane of this.#lanes.values()) {
      if (!lane.has(id)) continue;
      if (at <= this.#clock.now()) {
        lane.giveBack(id);
        this.#unwritten.unused(id);
      } else {
        lane.hold(id, at);
        this.#unwritten.place(id, lane.name, at);
      }
    }
    this.#flushIn(FLUSH_MS);
  }

  async held(name: string): Promise<number> {
    const lane = this.#lane(name);
    try {
      if (!this.#unwritten.isEmpty) await this.#flush();
      const row = await this.#database.get<{ n: number }>(
        'SELECT count(*) AS n FROM places WHERE lane = ? AND free_at > ?',
        name,
        this.#clock.now() - this.#offset,
      );
      return Math.max(0, (row?.n ?? 0) - lane.unused);
    } catch (error) {
      this.#log('debug', { error: String(error) }, 'the budget cannot be read; showing what was known last');
      return lane.used().length + (lane.heldByOthers ?? 0);
    }
  }

  pause(name: string, until: number): void {
    const lane = this.#lane(name);
    lane.changes += 1;
    this.#unwritten.pause(name, until);
    // What was leased before the pause is too old after it.
    this.#giveBack(lane, true);
    this.#flushIn(0);
  }

  probed(name: string, isOpen: boolean): void {
    this.#lane(name).changes += 1;
    this.#unwritten.probed(name, isOpen);
    this.#flushIn(0);
  }

  onState(name: string, listener: (state: LaneState) => void): () => void {
    const { listeners } = this.#lane(name);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }

  /** Gives back the leases and writes what is not written. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stopListening?.();
    for (const timer of this.#timers.values()) this.#clock.clearTimeout(timer);
    this.#timers.clear();
    // Nothing was ever taken.
    if (this.#lanes.size === 0) return;
    try {
      await this.#turn;
      for (const lane of this.#lanes.values()) this.#notUsed(lane, true);
      await this.#write((tx) => leave(tx, this.#owner));
    } catch (error) {
      this.#log('debug', { error: String(error) }, 'the budget was not written; its places fall free by themselves');
    }
  }

  #lane(name: string): LocalLane {
    let lane = this.#lanes.get(name);
    if (!lane) {
      lane = new LocalLane(name, this.#clock);
      this.#lanes.set(name, lane);
    }
    return lane;
  }

  readonly #newId = (): string => {
    this.#last += 1;
    return `${this.#owner}:${this.#last.toString(36)}`;
  };

  async #lease(lane: LocalLane, ask: Ask): Promise<Full | undefined> {
    const { changes } = lane;
    try {
      const { found, from } = await this.#write(async (tx, { now, from, row }) => {
        const options = { ask, owner: this.#owner, now, newId: this.#newId };
        const read = row ?? (await lockLane(tx, lane.name));
        return { found: await new Leasing(tx, options).run(read, lane.isWaiting), from };
      }, lane.name);
      return this.#leased(lane, { found, from, changes, level: ask.level });
    } catch (error) {
      this.#lost(error);
      return undefined;
    } finally {
      this.#start();
    }
  }

  #leased(
    lane: LocalLane,
    { found, from, changes, level }: { found: Found; from: Stamp; changes: number; level: number },
  ): Full | undefined {
    lane.heldByOthers = found.heldByOthers;
    lane.isWaiting = found.isWaiting;
    this.#tell(lane, changes, found.row);
    if (found.ids.length === 0) return { freeAt: found.freeAt + this.#offset };
    lane.lease({ level, ids: found.ids, from, isProbe: found.row.isDoubtful });
    // The lane was paused, or the window closed, while the store was asked.
    if (this.#isClosed || lane.changes !== changes) this.#giveBack(lane, true);
    else this.#endIn(lane);
    return undefined;
  }

  /** A place of this process's part, while the store is away. */
  #takeAlone(lane: LocalLane, { limit, holdMs }: Ask): Taken {
    const now = this.#clock.now();
    const retry = { freeAt: now + RETRY_MS };
    if (lane.heldByOthers === undefined || this.#processes === undefined) return retry;
    const allowed = Math.floor((limit - lane.heldByOthers) / this.#processes);
    const used = lane.used();
    if (used.length >= allowed) return { freeAt: Math.min(retry.freeAt, used[used.length - allowed] ?? retry.freeAt) };
    const id = this.#newId();
    lane.hold(id, now + holdMs);
    this.#unwritten.place(id, lane.name, now + holdMs);
    return { id };
  }

  /** Starts to say that this process is alive, and to listen to others, once it takes part. */
  #start(): void {
    if (this.#isClosed || this.#stopListening) return;
    this.#stopListening = this.#database.onOtherWrites(() => this.#otherWrote());
    void this.#beat();
  }

  async #beat(): Promise<void> {
    this.#cancel('beat');
    try {
      await this.#write(async (tx, { now }) => {
        this.#processes = await beat(tx, this.#owner, now);
        const held = await heldByOthers(tx, this.#owner, now);
        for (const lane of this.#lanes.values()) lane.heldByOthers = held.get(lane.name) ?? 0;
      });
      if (this.#isAway && this.#unwritten.isEmpty) {
        this.#isAway = false;
        this.#log('info', {}, 'the budget can be read again');
      }
    } catch (error) {
      this.#lost(error);
    }
    this.#after('beat', this.#isAway ? RETRY_MS : BEAT_MS, () => void this.#beat());
  }

  #lost(error: unknown): void {
    if (this.#isAway || this.#isClosed) return;
    this.#isAway = true;
    this.#log('warn', { error: String(error) }, 'the budget cannot be read; this process uses its own part of it');
    this.#after('beat', RETRY_MS, () => void this.#beat());
  }

  #otherWrote(): void {
    if (this.#isAway) {
      void this.#beat();
      return;
    }
    if (!this.#timers.has('read')) this.#after('read', READ_GAP_MS, () => void this.#readStates());
  }

  /** Reads what other processes learned from 429s. */
  async #readStates(): Promise<void> {
    const changes = new Map([...this.#lanes.values()].map((lane) => [lane.name, lane.changes]));
    try {
      const rows = await this.#database.all<{ lane: string; until: number; doubtful: number }>(
        'SELECT lane, paused_until AS until, doubtful FROM lanes',
      );
      for (const { lane, until, doubtful } of rows) {
        const state = { pausedUntil: until, isDoubtful: doubtful === 1 };
        const known = this.#lanes.get(lane);
        if (known) this.#tell(known, changes.get(lane) ?? -1, state);
      }
    } catch (error) {
      this.#lost(error);
    }
  }

  /** Not told: what was read before this process wrote something newer. `pausedUntil`: the store's time. */
  #tell(lane: LocalLane, changes: number, { pausedUntil, isDoubtful }: LaneState): void {
    if (lane.changes !== changes || this.#unwritten.concerns(lane.name)) return;
    const state = { pausedUntil: pausedUntil + this.#offset, isDoubtful };
    if (pausedUntil + this.#offset > this.#clock.now()) this.#giveBack(lane, true);
    for (const listener of lane.listeners) listener(state);
  }

  #endIn(lane: LocalLane): void {
    if (!this.#timers.has(lane)) this.#after(lane, LEASE_MS, () => this.#giveBack(lane));
  }

  #giveBack(lane: LocalLane, all = false): void {
    if (this.#notUsed(lane, all)) this.#flushIn(0);
    if (lane.unused > 0 && !this.#isClosed) this.#endIn(lane);
  }

  /** Ends leases. Another process may probe in place of one that did not. True if there is something to write. */
  #notUsed(lane: LocalLane, all: boolean): boolean {
    const ended = lane.end(all);
    for (const { ids, isProbe } of ended) {
      for (const id of ids) this.#unwritten.unused(id);
      if (isProbe) this.#unwritten.probed(lane.name, false);
    }
    return ended.length > 0;
  }

  #flushIn(ms: number): void {
    if (this.#isClosed) return;
    if (ms === 0) {
      this.#cancel('flush');
      void this.#flush();
    } else if (!this.#timers.has('flush')) this.#after('flush', ms, () => void this.#flush());
  }

  async #flush(): Promise<void> {
    this.#cancel('flush');
    try {
      await this.#turn;
      if (!this.#unwritten.isEmpty && !this.#isAway) await this.#write(async () => undefined);
    } catch (error) {
      this.#lost(error);
    }
  }

  /**
   * Writes what is not written yet, then does the work, in one transaction. `lane`: locked before the time is read, so
   * that what an earlier transaction wrote is counted. Its row is left out if this transaction may have changed it.
   */
  #write<T>(
    work: (tx: Transaction, at: { now: number; from: Stamp; row: LaneRow | undefined }) => Promise<T>,
    lane?: string,
  ): Promise<T> {
    const running = this.#turn.then(async () => {
      const { changes, written } = this.#unwritten.batch();
      const value = await this.#database.transaction(async (tx) => {
        const row = lane === undefined ? undefined : await lockLane(tx, lane);
        const from = stampOf(this.#clock);
        const now = await tx.now();
        this.#offset = from.wall - now;
        const own = changes(now);
        await writeChanges(tx, this.#owner, own);
        return work(tx, { now, from, row: own.pauses.length + own.probes.length > 0 ? undefined : row });
      });
      written();
      return value;
    });
    this.#turn = running.catch(() => undefined);
    return running;
  }

  #after(name: 'flush' | 'beat' | 'read' | LocalLane, ms: number, run: () => void): void {
    this.#cancel(name);
    if (this.#isClosed) return;
    this.#timers.set(
      name,
      this.#clock.setTimeout(() => {
        this.#timers.delete(name);
        run();
      }, ms),
    );
  }

  #cancel(name: 'flush' | 'beat' | 'read' | LocalLane): void {
    this.#clock.clearTimeout(this.#timers.get(name));
    this.#timers.delete(name);
  }
}
