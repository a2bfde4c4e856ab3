import type { Clock } from '../lib/clock.ts';
import { addColumns, type Database, openDatabase, type Value } from '../store/database.ts';
import {
  type EventFilter,
  FIRST,
  fromRow,
  HEADS,
  type InboxState,
  type LastReport,
  OPEN,
  PARKED,
  type RetryOptions,
  type Row,
  SCHEMA,
  SINCE,
  type StoredEvent,
  TURN,
} from './inbox-schema.ts';
import { Lead, type Owner } from './lead.ts';
import type { PlatformEvent } from './parse.ts';
import type { Tally } from './tallies.ts';
import { WriteQueue } from './write-queue.ts';

export { type InboxState, type LastReport, PARKED, type StoredEvent } from './inbox-schema.ts';

export interface InboxOptions {
  path: string;
  clock: Clock;
  /** Left out: this process. */
  owner?: Owner;
}

const MAX_ATTEMPTS = 10;
const MAX_DELAY_MS = 300_000;
/** An event that only ever failed because the other side was down is given up after three days. */
const MAX_WAIT_MS = 3 * 86_400_000;
const MAX_REASON = 500;
/**
 * How often the file is checked for writes of other processes. SQLite's `data_version` is a read of shared memory: 4
 * checks a second cost less than 0.01 % of a core. Watching the file would not work: its log is written through a memory
 * map, and network and container file systems report nothing.
 */
const CHECK_MS = 250;

/** 1, 2, 4 … 300 seconds after the first, second, third … failure. */
export function backoff(failures: number): number {
  return Math.min(MAX_DELAY_MS, 1000 * 2 ** Math.min(Math.max(failures, 1) - 1, 20));
}

/**
 * The durable inbox. An event is on the disk before the platform is told that it was received, and it is stored once
 * however often it is sent. Of each subject, events are handled in the order in which they arrived.
 */
export class Inbox {
  readonly #clock: Clock;
  readonly #db: Database;
  readonly #queue: WriteQueue;
  readonly #lead: Lead;
  #version: number | undefined;
  #checking: NodeJS.Timeout | undefined;

  constructor({ path, clock, owner }: InboxOptions) {
    this.#clock = clock;
    this.#db = openDatabase(path, SCHEMA, { durable: true });
    addColumns(this.#db, 'told', { numbers: `TEXT NOT NULL DEFAULT '[]'` });
    // A process of an older version on the same file settles events without releasing the next one.
    this.#db.run(`UPDATE events AS e SET next_at = ? WHERE ${OPEN} AND next_at = ${PARKED} AND ${FIRST}`, clock.now());
    this.#version = this.#db.version();
    this.#lead = new Lead(this.#db, clock, owner);
    this.#queue = new WriteQueue(this.#db, clock);
  }

  /** Resolves when the event is on the disk. `repeat`: it had been received before. */
  receive(event: PlatformEvent): Promise<'new' | 'repeat'> {
    return this.#queue.writeDelivery(() => this.#insert(event));
  }

  /** The events that may be handled now, at most one of each subject, the longest due first. */
  due(now: number, limit = 32): StoredEvent[] {
    return this.#read(`SELECT e.* ${HEADS} AND e.next_at <= ? ORDER BY e.next_at, e.id LIMIT ?`, now, limit);
  }

  /** When the next event falls due, except those in `besides`; undefined when none waits. */
  nextDue(besides: readonly number[] = []): number | undefined {
    return this.#db.get<{ at: number }>(
      `SELECT e.next_at AS at ${HEADS} AND e.next_at < ${PARKED}
         AND e.id NOT IN (SELECT value FROM json_each(?)) ORDER BY e.next_at, e.id LIMIT 1`,
      JSON.stringify(besides),
    )?.at;
  }

  /** One handler has succeeded: it is not called again for this event. */
  handled(id: number, name: string): Promise<void> {
    return this.#queue.writeLater(() => {
      const row = this.#row(id);
      if (!row) return;
      const names = new Set(JSON.parse(row.handled) as string[]).add(name);
      this.#db.run('UPDATE events SET handled = ? WHERE id = ?', JSON.stringify([...names]), id);
    });
  }

  /** The event is delivered. `report`: what people now know of its subject. */
  done(id: number, report?: LastReport): Promise<void> {
    return this.#queue.writeLater(() => {
      const row = this.#row(id);
      if (!row || !this.#settle(id, row.subject, 'delivered', '')) return;
      this.#queue.tallies.count('handled', row.kind);
      if (report) this.#writeReport(row.subject, report);
    });
  }

  /** Puts off an event while none can be shown. It keeps its place and is never given up. */
  hold(id: number, reason: string): Promise<void> {
    return this.#queue.writeLater(() => {
      const row = this.#openRow(id);
      if (!row) return;
      this.#db.run(`UPDATE events SET state = 'failed', reason = ? WHERE id = ?`, reason.slice(0, MAX_REASON), id);
      this.#queue.tallies.count('waited', row.kind);
    });
  }

  /** An attempt failed. Resolves to `failed` if there will be another, otherwise to `dead`. */
  retry(id: number, reason: string, options: RetryOptions = {}): Promise<InboxState> {
    return this.#queue.writeLater(() => {
      const row = this.#openRow(id);
      return row ? this.#fail(row, reason.slice(0, MAX_REASON), options) : (this.#row(id)?.state ?? 'dead');
    });
  }

  /** Tries dead events again; left out: all of them. Resolves to how many. */
  revive(ids?: readonly number[]): Promise<number> {
    return this.#queue.write(() => {
      const dead = this.deadIds(ids);
      const now = this.#clock.now();
      for (const id of dead)
        this.#db.run(
          `UPDATE events AS e SET state = 'new', attempts = 0, waits = 0, next_at = ${TURN}, arrived_at = ?,
             settled_at = NULL WHERE id = ?`,
          now,
          now,
          id,
        );
      if (dead.length > 0) this.#queue.leaveWork();
      return dead.length;
    });
  }

  /** Gives dead events up for good; left out: all of them. A repeat of them is not shown either. Resolves to how many. */
  drop(ids?: readonly number[]): Promise<number> {
    return this.#queue.write(() => {
      const dead = this.deadIds(ids);
      for (const id of dead)
        this.#db.run(`UPDATE events SET state = 'dropped', settled_at = ? WHERE id = ?`, this.#clock.now(), id);
      return dead.length;
    });
  }

  /** The ids of the dead events, oldest first; of those among `ids`, if given. */
  deadIds(ids?: readonly number[]): number[] {
    const rows = this.#db.all<{ id: number }>(
      `SELECT id FROM events WHERE state = 'dead' AND (? OR id IN (SELECT value FROM json_each(?))) ORDER BY id`,
      ids === undefined ? 1 : 0,
      JSON.stringify(ids ?? []),
    );
    return rows.map(({ id }) => id);
  }

  /** The newest dead events, newest first. */
  dead(limit = 100): StoredEvent[] {
    return this.#read(`SELECT * FROM events WHERE state = 'dead' ORDER BY id DESC LIMIT ?`, limit);
  }

  get(id: number): StoredEvent | undefined {
    const row = this.#row(id);
    return row && fromRow(row);
  }

  /** What people were last shown about a subject. */
  lastReport(subject: string): LastReport | undefined {
    const row = this.#db.get<{ status: string; message: string; numbers: string }>(
      'SELECT status, message, numbers FROM told WHERE subject = ?',
      subject,
    );
    return row && { ...row, numbers: JSON.parse(row.numbers) as string[] };
  }

  /** Events that arrived since then (epoch ms), oldest first. If there are more than `limit`, the newest of them. */
  since(from: number, limit = 500, { until = PARKED, kinds, about = [] }: EventFilter = {}): StoredEvent[] {
    const filters = [kinds ? 1 : 0, JSON.stringify(kinds ?? []), JSON.stringify(about)];
    return this.#read(SINCE, from, until, ...filters, limit).reverse();
  }

  /** Which events arrived since then, without their content. */
  arrivals(from: number): { id: number; at: number }[] {
    return this.#db.all<{ id: number; at: number }>(
      'SELECT id, arrived_at AS at FROM events WHERE arrived_at >= ? ORDER BY arrived_at, id',
      from,
    );
  }

  /** How many events are open and dead, and when the oldest open one arrived. */
  counts(): { open: number; dead: number; oldestOpenAt: number | undefined } {
    const open = this.#db.get<{ n: number; at: number | null }>(
      `SELECT count(*) AS n, min(arrived_at) AS at FROM events WHERE ${OPEN}`,
    );
    const dead = this.#db.get<{ n: number }>(`SELECT count(*) AS n FROM events WHERE state = 'dead'`);
    return { open: open?.n ?? 0, dead: dead?.n ?? 0, oldestOpenAt: open?.at ?? undefined };
  }

  /** Counts a refused delivery. Counts are written in batches, so that a flood causes no disk writes. */
  refused(reason: string): void {
    this.#queue.tallies.count('refused', reason);
  }

  tallies(): Tally[] {
    return this.#queue.tallies.all();
  }

  /** Erases the content of events that were settled before then. Their keys stay, so that a repeat is recognized. */
  erase(before: number): Promise<number> {
    return this.#queue.write(() =>
      this.#db.run(
        `UPDATE events SET event = json_object('kind', 'unknown', 'name', '', 'key', key, 'subject', subject, 'fields', json('{}'))
           WHERE state IN ('delivered','dropped') AND settled_at < ? AND json_extract(event, '$.fields') <> '{}'`,
        before,
      ),
    );
  }

  /** One process at a time handles events. A holder that is gone, or whose time is over, is replaced. */
  lead(ms: number, isGone: (holder: Owner) => boolean): { mine: boolean; until: number } {
    return this.#lead.claim(ms, isGone);
  }

  /** Gives the lead back. */
  resign(): void {
    if (!this.#queue.isClosed) this.#lead.resign();
  }

  /** Calls the listener soon after a write that left work to do, and after any write of another process. */
  onWork(listener: () => void): () => void {
    this.#checkForOthers();
    return this.#queue.onWork(listener);
  }

  /** Resolves when everything is written, and the listeners have been told of it. */
  settled(): Promise<void> {
    return this.#queue.settled();
  }

  /** Writes and answers what waits, and closes the file. */
  close(): void {
    if (this.#queue.isClosed) return;
    this.#queue.close();
    clearInterval(this.#checking);
    this.#db.close();
  }

  #insert(event: PlatformEvent): 'new' | 'repeat' {
    const { kind, key, subject } = event;
    const now = this.#clock.now();
    const inserted = this.#db.run(
      `INSERT OR IGNORE INTO events (key, kind, subject, event, next_at, received_at, arrived_at) VALUES (?, ?, ?, ?,
         CASE WHEN EXISTS (SELECT 1 FROM events WHERE subject = ? AND ${OPEN}) THEN ${PARKED} ELSE ? END, ?, ?)`,
      key,
      kind,
      subject,
      JSON.stringify(event),
      subject,
      now,
      now,
      now,
    );
    if (inserted === 1) {
      this.#queue.tallies.count('received', kind);
      this.#queue.leaveWork();
      return 'new';
    }
    this.#db.run('UPDATE events SET repeats = repeats + 1 WHERE key = ?', key);
    this.#queue.tallies.count('repeated', kind);
    if (event.kind === 'order') this.#openAgain(key, subject, event);
    return 'repeat';
  }

  /**
   * A corrected order passes the same states a second time, and (order, status) is one key. If the last report is of
   * another state, the repeat is a hint to read the order again; it is shown only if the order really has changed.
   */
  #openAgain(key: string, subject: string, { status, message }: LastReport): void {
    const last = this.lastReport(subject);
    if (!last || (last.status === status && (message === '' || last.message === message))) return;
    const now = this.#clock.now();
    const opened = this.#db.run(
      `UPDATE events AS e SET state = 'new', again = 1, attempts = 0, waits = 0, handled = '[]', reason = '',
         next_at = ${TURN}, arrived_at = ?, settled_at = NULL WHERE key = ? AND state IN ('delivered','dead','dropped')`,
      now,
      now,
      key,
    );
    if (opened === 1) this.#queue.leaveWork();
  }

  #fail(row: Row, reason: string, { outage = false, last = false }: RetryOptions): InboxState {
    const now = this.#clock.now();
    const attempts = row.attempts + (outage ? 0 : 1);
    const waits = row.waits + (outage ? 1 : 0);
    const isSpent = outage ? now - row.arrived_at >= MAX_WAIT_MS : attempts >= MAX_ATTEMPTS;
    this.#db.run(
      `UPDATE events SET state = 'failed', attempts = ?, waits = ?, reason = ?, next_at = ? WHERE id = ?`,
      attempts,
      waits,
      reason,
      now + backoff(attempts + waits),
      row.id,
    );
    this.#queue.tallies.count(outage ? 'waited' : 'retried', row.kind);
    if (!isSpent && !last) return 'failed';
    this.#settle(row.id, row.subject, 'dead', reason);
    this.#queue.tallies.count('died', row.kind);
    this.#queue.leaveWork();
    return 'dead';
  }

  /** Settles an event. The next of its subject is released first: were only one of the two written, none would stay parked. */
  #settle(id: number, subject: string, state: 'delivered' | 'dead', reason: string): boolean {
    const now = this.#clock.now();
    // It falls due as of its arrival, so that a backlog of many subjects is handled in the order in which it came.
    this.#db.run(
      `UPDATE events SET next_at = min(arrived_at, ?) WHERE next_at = ${PARKED}
         AND id = (SELECT min(id) FROM events WHERE subject = ? AND id <> ? AND ${OPEN})`,
      now,
      subject,
      id,
    );
    const settled = this.#db.run(
      `UPDATE events SET state = ?, reason = ?, settled_at = ? WHERE id = ? AND ${OPEN}`,
      state,
      reason,
      now,
      id,
    );
    return settled === 1;
  }

  #writeReport(subject: string, { status, message, numbers = [] }: LastReport): void {
    this.#db.run(
      `INSERT INTO told (subject, status, message, at, numbers) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (subject) DO UPDATE SET status = excluded.status, message = excluded.message, at = excluded.at,
           numbers = excluded.numbers`,
      subject,
      status,
      message,
      this.#clock.now(),
      JSON.stringify(numbers),
    );
  }

  #row(id: number): Row | undefined {
    return this.#db.get<Row>('SELECT * FROM events WHERE id = ?', id);
  }

  #openRow(id: number): Row | undefined {
    return this.#db.get<Row>(`SELECT * FROM events WHERE id = ? AND ${OPEN}`, id);
  }

  #read(sql: string, ...values: Value[]): StoredEvent[] {
    return this.#db.all<Row>(sql, ...values).map(fromRow);
  }

  /** In real time, because other processes write in real time. */
  #checkForOthers(): void {
    this.#checking ??= setInterval(() => {
      let version: number | undefined;
      try {
        version = this.#db.version();
      } catch {
        // The listeners read the file next, and log what is wrong with it.
        version = undefined;
      }
      if (version !== undefined && version === this.#version) return;
      this.#version = version;
      this.#queue.notifySoon();
    }, CHECK_MS).unref();
  }
}

export function openInbox(options: InboxOptions): Inbox {
  return new Inbox(options);
}
