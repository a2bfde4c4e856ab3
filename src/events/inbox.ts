import { randomUUID } from 'node:crypto';
import type { Clock } from '../lib/clock.ts';
import type { Database, Value } from '../store/types.ts';
import { type Claimable, Claims, claimedRow } from './claims.ts';
import { RELEASE, readReport, releaseFirst, storeAtOnce, storeDeliveries, storeRepeats } from './deliveries.ts';
import {
  type Claim,
  type EventFilter,
  fromRow,
  type InboxState,
  type LastReport,
  OPEN,
  type RetryOptions,
  type Row,
  type StoredEvent,
  TURN,
} from './inbox-schema.ts';
import { changeNumbers, moveNames, namesOf, readSince, removeNames } from './names.ts';
import type { PlatformEvent } from './parse.ts';
import type { Tally } from './tallies.ts';
import { type Receipt, WriteQueue, type Writing } from './write-queue.ts';

export {
  type Claim,
  type ClaimedEvent,
  type InboxState,
  type LastReport,
  PARKED,
  type StoredEvent,
} from './inbox-schema.ts';

export interface InboxOptions {
  database: Database;
  /** The store's clock. */
  clock: Clock;
}

const MAX_ATTEMPTS = 10;
const MAX_DELAY_MS = 300_000;
/** An event that failed only because the other side was down is given up after three days. */
const MAX_WAIT_MS = 3 * 86_400_000;
const MAX_REASON = 500;
/** Long operations change this many events per transaction, so that no transaction is long. */
const STEP = 100;
/** Longer lists are read in parts. */
const MAX_LIST = 500;

/** 1, 2, 4 … 300 seconds after the first, second, third … failure. */
export function backoff(failures: number): number {
  return Math.min(MAX_DELAY_MS, 1000 * 2 ** Math.min(Math.max(failures, 1) - 1, 20));
}

/**
 * The durable inbox. An event is on the disk before its delivery is answered, and it is stored once even if it is sent
 * several times. Events of one subject are handled in order of arrival, by the process that has claimed them.
 */
export class Inbox {
  readonly #clock: Clock;
  readonly #database: Database;
  readonly #queue: WriteQueue;
  readonly #claims: Claims;

  constructor({ database, clock }: InboxOptions) {
    this.#clock = clock;
    this.#database = database;
    this.#queue = new WriteQueue({
      database,
      clock,
      store: (writing, events) => storeDeliveries(writing, events, clock.now()),
      // On SQLite a transaction costs no more than its flush.
      ...(database.engine === 'postgres' && {
        storeAtOnce: (writing: Writing, events: readonly PlatformEvent[]) => storeAtOnce(writing, events, clock.now()),
        storeRepeats: (writing: Writing, events: readonly PlatformEvent[]) =>
          storeRepeats(writing, events, clock.now()),
      }),
      release: (queries, subjects) => releaseFirst(queries, subjects, clock.now()),
    });
    this.#claims = new Claims({ database, clock, queue: this.#queue, owner: randomUUID() });
  }

  /** Resolves when the event is on the disk, to `repeat` if it had been received before. */
  receive(event: PlatformEvent): Promise<Receipt> {
    return this.#queue.deliver(event);
  }

  /** Claims the events that this process may handle now for `ms`: at most one of each subject, the longest due first. */
  claim(limit: number, ms: number): Promise<Claimable> {
    return this.#claims.take(limit, ms);
  }

  /** Extends claims for `ms`. Resolves to the claims that this process still holds. */
  renew(claims: readonly Claim[], ms: number): Promise<Claim[]> {
    return this.#claims.renew(claims, ms);
  }

  /** Gives back every claim of this process, so that another one takes over at once. */
  async release(): Promise<void> {
    if (!this.#queue.isClosed) await this.#claims.release();
  }

  /** Releases events that an interrupted process left parked. If there is a pause, the next event is tried at once. */
  async takeOver(): Promise<void> {
    const now = this.#clock.now();
    await this.#database.run(RELEASE, now, now);
    await this.#claims.endPause();
  }

  /** Records that a handler has succeeded and is not called again. Resolves to false if the claim is not the newest. */
  handled(claim: Claim, name: string): Promise<boolean> {
    return this.#queue.writeLater(async (writing) => {
      const row = await claimedRow(writing, claim);
      if (!row) return false;
      const names = new Set(JSON.parse(row.handled) as string[]).add(name);
      await writing.queries.run('UPDATE events SET handled = ? WHERE id = ?', JSON.stringify([...names]), row.id);
      return true;
    });
  }

  /**
   * Marks the event as delivered. `report` is what people were shown about its subject. Resolves to false if the claim
   * is no longer the newest.
   */
  done(claim: Claim, report?: LastReport): Promise<boolean> {
    return this.#queue.writeLater(async (writing) => {
      const row = await writing.queries.get<Pick<Row, 'kind' | 'subject'>>(
        `UPDATE events SET state = 'delivered', reason = '', settled_at = ?, claimed_until = 0, owner = NULL
           WHERE id = ? AND claim = ? AND ${OPEN} RETURNING kind, subject`,
        this.#clock.now(),
        claim.id,
        claim.claim,
      );
      if (!row) return false;
      writing.subjects.add(row.subject);
      writing.count('handled', row.kind);
      if (report) await this.#writeReport(writing, row.subject, report);
      return true;
    });
  }

  /** Ends the pause because events can be shown again. Events that waited are handled one by one, in order. */
  async resume(): Promise<void> {
    await this.#database.run('UPDATE event_pause SET until = 0, in_order_until = ? WHERE until > 0', this.#clock.now());
  }

  /**
   * Puts off an event while none can be shown. It keeps its place and is never given up. No event is handled before
   * `probeAt` (epoch ms), and then only one. Resolves to true if this begins the pause.
   */
  hold(claim: Claim, reason: string, probeAt: number): Promise<boolean> {
    return this.#queue.writeLater(async (writing) => {
      const row = await claimedRow(writing, claim);
      if (!row) return false;
      await writing.queries.run(
        `UPDATE events SET state = 'failed', reason = ?, claimed_until = 0, owner = NULL WHERE id = ?`,
        reason.slice(0, MAX_REASON),
        row.id,
      );
      writing.count('waited', row.kind);
      const before = await writing.queries.get<{ until: number }>('SELECT until FROM event_pause FOR UPDATE');
      await writing.queries.run(
        `INSERT INTO event_pause (one, until, in_order_until) VALUES (1, ?, 0)
           ON CONFLICT (one) DO UPDATE SET until = excluded.until`,
        probeAt,
      );
      return (before?.until ?? 0) === 0;
    });
  }

  /**
   * Records a failed attempt. Resolves to `failed` if another attempt follows, otherwise to `dead`; undefined if the
   * claim is no longer the newest.
   */
  retry(claim: Claim, reason: string, options: RetryOptions = {}): Promise<InboxState | undefined> {
    return this.#queue.writeLater(async (writing) => {
      const row = await claimedRow(writing, claim);
      return row && this.#fail(writing, row, reason.slice(0, MAX_REASON), options);
    });
  }

  /** Tries dead events again, all of them by default. Resolves to their number. */
  async revive(ids?: readonly number[]): Promise<number> {
    return this.#inSteps(await this.deadIds(ids), (writing, id) => this.#revive(writing, id));
  }

  /**
   * Gives dead events up for good, all of them by default. Repeats of them are not shown either. Resolves to their
   * number.
   */
  async drop(ids?: readonly number[]): Promise<number> {
    return this.#inSteps(await this.deadIds(ids), ({ queries }, id) =>
      queries.run(
        `UPDATE events SET state = 'dropped', settled_at = ? WHERE id = ? AND state = 'dead'`,
        this.#clock.now(),
        id,
      ),
    );
  }

  /** The ids of the dead events, oldest first; of those among `ids`, if given. */
  async deadIds(ids?: readonly number[]): Promise<number[]> {
    const rows = await this.#database.all<{ id: number }>(`SELECT id FROM events WHERE state = 'dead' ORDER BY id`);
    const dead = rows.map(({ id }) => id);
    return ids === undefined ? dead : dead.filter((id) => ids.includes(id));
  }

  /** The newest dead events, newest first. */
  dead(limit = 100): Promise<StoredEvent[]> {
    return this.#read(`SELECT * FROM events WHERE state = 'dead' ORDER BY id DESC LIMIT ?`, limit);
  }

  async get(id: number): Promise<StoredEvent | undefined> {
    return (await this.getAll([id]))[0];
  }

  async getAll(ids: readonly number[]): Promise<StoredEvent[]> {
    const found: StoredEvent[] = [];
    for (let at = 0; at < ids.length; at += MAX_LIST) {
      const part = ids.slice(at, at + MAX_LIST);
      found.push(
        ...(await this.#read(`SELECT * FROM events WHERE id IN (${part.map(() => '?').join(', ')})`, ...part)),
      );
    }
    return found;
  }

  /** The last report that people were shown about a subject. */
  lastReport(subject: string): Promise<LastReport | undefined> {
    return readReport({ queries: this.#database }, subject);
  }

  /**
   * Events that arrived since `from` (epoch ms), oldest first. If there are more than `limit`, the newest ones are
   * returned.
   */
  async since(from: number, limit = 500, filter: EventFilter = {}): Promise<StoredEvent[]> {
    return (await readSince(this.#database, from, limit, filter)).reverse().map(fromRow);
  }

  /** Ids and times of the events that arrived since `from` (epoch ms). */
  arrivals(from: number): Promise<{ id: number; at: number }[]> {
    return this.#database.all(
      'SELECT id, arrived_at AS at FROM events WHERE arrived_at >= ? ORDER BY arrived_at, id',
      from,
    );
  }

  /** The numbers of open and dead events, and the arrival of the oldest open one. */
  async counts(): Promise<{ open: number; dead: number; oldestOpenAt: number | undefined }> {
    const open = await this.#database.get<{ n: number; at: number | null }>(
      `SELECT count(*) AS n, min(arrived_at) AS at FROM events WHERE ${OPEN}`,
    );
    const dead = await this.#database.get<{ n: number }>(`SELECT count(*) AS n FROM events WHERE state = 'dead'`);
    return { open: open?.n ?? 0, dead: dead?.n ?? 0, oldestOpenAt: open?.at ?? undefined };
  }

  /** Counts a refused delivery. Counts are written in batches, so that a flood causes no disk writes. */
  refused(reason: string): void {
    this.#queue.tallies.count('refused', reason);
  }

  tallies(): Promise<Tally[]> {
    return this.#queue.tallies.all(this.#database);
  }

  /**
   * Erases the content of events that were settled before this time (epoch ms), some at a time. Their keys stay, so
   * that a repeat is recognized. Resolves to their number.
   */
  async erase(before: number): Promise<number> {
    for (let erased = 0; ; ) {
      const step = await this.#queue.write((writing) => this.#eraseSome(writing, before));
      erased += step;
      if (step < STEP || this.#queue.isClosed) return erased;
    }
  }

  /** Calls the listener soon after a write that left work to do, and after any write of another process. */
  onWork(listener: () => void): () => void {
    const own = this.#queue.onWork(listener);
    const others = this.#database.onOtherWrites(listener);
    return () => {
      own();
      others();
    };
  }

  /** Resolves when everything is written and the listeners have been called. */
  settled(): Promise<void> {
    return this.#queue.settled();
  }

  /** Writes and answers everything that waits. The database stays open. */
  close(): Promise<void> {
    return this.#queue.close();
  }

  async #fail(
    writing: Writing,
    row: Row,
    reason: string,
    { outage = false, last = false }: RetryOptions,
  ): Promise<InboxState> {
    const now = this.#clock.now();
    const attempts = row.attempts + (outage ? 0 : 1);
    const waits = row.waits + (outage ? 1 : 0);
    const isSpent = outage ? now - row.arrived_at >= MAX_WAIT_MS : attempts >= MAX_ATTEMPTS;
    await writing.queries.run(
      `UPDATE events SET state = 'failed', attempts = ?, waits = ?, reason = ?, next_at = ?, claimed_until = 0, owner = NULL
         WHERE id = ?`,
      attempts,
      waits,
      reason,
      now + backoff(attempts + waits),
      row.id,
    );
    writing.count(outage ? 'waited' : 'retried', row.kind);
    if (!isSpent && !last) return 'failed';
    await writing.queries.run(`UPDATE events SET state = 'dead', settled_at = ? WHERE id = ?`, now, row.id);
    writing.subjects.add(row.subject);
    writing.count('died', row.kind);
    writing.leavesWork = true;
    return 'dead';
  }

  /** Writes some events at a time. Resolves to the number of changed rows. */
  async #inSteps(ids: readonly number[], write: (writing: Writing, id: number) => Promise<number>): Promise<number> {
    let changed = 0;
    for (let at = 0; at < ids.length; at += STEP)
      changed += await this.#queue.write(async (writing) => {
        let some = 0;
        for (const id of ids.slice(at, at + STEP)) some += await write(writing, id);
        return some;
      });
    return changed;
  }

  async #revive(writing: Writing, id: number): Promise<number> {
    const { queries } = writing;
    const row = await queries.get<Row>(`SELECT * FROM events WHERE id = ? AND state = 'dead' FOR UPDATE`, id);
    if (!row) return 0;
    const now = this.#clock.now();
    await queries.run(
      `UPDATE events AS e SET state = 'new', attempts = 0, waits = 0, next_at = ${TURN}, arrived_at = ?, settled_at = NULL
         WHERE id = ?`,
      now,
      now,
      id,
    );
    await moveNames(queries, row, await this.#valuesOf(writing, row), now);
    writing.subjects.add(row.subject);
    writing.leavesWork = true;
    return 1;
  }

  async #eraseSome(writing: Writing, before: number): Promise<number> {
    const { queries } = writing;
    const rows = await queries.all<Row & { key: string }>(
      `SELECT * FROM events WHERE state IN ('delivered','dropped') AND erased = 0 AND settled_at < ?
         ORDER BY settled_at LIMIT ? FOR UPDATE SKIP LOCKED`,
      before,
      STEP,
    );
    for (const row of rows) {
      await removeNames(queries, row, await this.#valuesOf(writing, row));
      const { key, subject } = row;
      const event = JSON.stringify({ kind: 'unknown', name: '', key, subject, fields: {} });
      await queries.run('UPDATE events SET event = ?, erased = 1 WHERE id = ?', event, row.id);
    }
    return rows.length;
  }

  /** The numbers and ids under which an event is found. */
  async #valuesOf(writing: Writing, row: Row): Promise<string[]> {
    const numbers = row.kind === 'order' ? (await readReport(writing, row.subject))?.numbers : undefined;
    return [...new Set([...namesOf(JSON.parse(row.event) as PlatformEvent), ...(numbers ?? [])])];
  }

  async #writeReport(writing: Writing, subject: string, { status, message, numbers = [] }: LastReport): Promise<void> {
    const before = (await readReport(writing, subject))?.numbers ?? [];
    await writing.queries.run(
      `INSERT INTO told (subject, status, message, at, numbers) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (subject) DO UPDATE SET status = excluded.status, message = excluded.message, at = excluded.at,
           numbers = excluded.numbers`,
      subject,
      status,
      message,
      this.#clock.now(),
      JSON.stringify(numbers),
    );
    await changeNumbers(writing.queries, subject, { before, now: numbers });
  }

  async #read(sql: string, ...values: Value[]): Promise<StoredEvent[]> {
    return (await this.#database.all<Row>(sql, ...values)).map(fromRow);
  }
}

export function openInbox(options: InboxOptions): Inbox {
  return new Inbox(options);
}
