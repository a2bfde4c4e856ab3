import type { Clock } from '../lib/clock.ts';
import type { Fields } from '../lib/json.ts';
import { marks } from '../store/key-values.ts';
import type { Database, Transaction, Value } from '../store/types.ts';
import { addJob, chunks, dropJobs, type Job, type Jobs } from '../work/jobs.ts';
import {
  addNames,
  changeNumbers,
  type EventFilter,
  eventIn,
  fromRow,
  type LastReport,
  namesOf,
  type Row,
  readSince,
  removeNames,
  type StoredEvent,
} from './names.ts';
import type { OrderEvent, PlatformEvent } from './parse.ts';

/** The job that shows an event. Its payload: `event`, the id, and `again`, if it was shown before. */
export const SHOW = 'event.show';
/** The job that reads the outcomes of unknown actions that a delivery receipt may settle. */
export const READ_OUTCOMES = 'event.outcomes';
export const EVENT_JOBS = [SHOW, READ_OUTCOMES] as const;

export type Receipt = 'new' | 'repeat';

export interface InboxOptions {
  database: Database;
  /** The store's clock. */
  clock: Clock;
  /** The jobs of the same store. */
  jobs: Jobs;
}

/** Content is erased from this many events per transaction, so that no transaction is long. */
const STEP = 100;

/**
 * The platform's events. An event and the jobs that handle it are on the disk before its delivery is answered. It is
 * stored once even if it is sent several times. Events of one subject are shown in order of arrival.
 */
export class Inbox {
  readonly jobs: Jobs;
  readonly counters = new Counters();
  readonly #clock: Clock;
  readonly #database: Database;
  readonly #listeners = new Set<() => void>();
  /** Deliveries being written, by subject. Those of one subject are written one after another, to keep their order. */
  readonly #receiving = new Map<string, Promise<void>>();
  #isClosed = false;

  constructor({ database, clock, jobs }: InboxOptions) {
    this.jobs = jobs;
    this.#clock = clock;
    this.#database = database;
  }

  /** Resolves when the event is on the disk, to `repeat` if it had been received before. */
  receive(event: PlatformEvent): Promise<Receipt> {
    if (this.#isClosed) return Promise.reject(new Error('the inbox is closed'));
    const { subject } = event;
    const receiving = (this.#receiving.get(subject) ?? Promise.resolve()).then(() => this.#receive(event));
    const ended = receiving
      .then(
        () => undefined,
        () => undefined,
      )
      .then(() => {
        if (this.#receiving.get(subject) === ended) this.#receiving.delete(subject);
      });
    this.#receiving.set(subject, ended);
    return receiving;
  }

  /** Marks an event as shown. `report` is what people were shown about its order. */
  async settle(tx: Transaction, event: StoredEvent, report?: LastReport): Promise<void> {
    await tx.run('UPDATE events SET settled_at = ? WHERE id = ?', this.#clock.now(), event.id);
    if (report) await writeReport(tx, event, report);
  }

  /** The newest jobs on the dead list that handle events, newest first, with their events. */
  async dead(limit = 100): Promise<(Job & { stored: StoredEvent })[]> {
    const jobs = await this.jobs.dead(limit, EVENT_JOBS);
    const events = new Map((await this.getAll(jobs.map(eventOf))).map((stored) => [stored.id, stored]));
    return jobs.flatMap((job) => {
      const stored = events.get(eventOf(job));
      return stored ? [{ ...job, stored }] : [];
    });
  }

  /** The ids of the dead jobs that handle events, oldest first. */
  deadIds(): Promise<number[]> {
    return this.jobs.deadIds(EVENT_JOBS);
  }

  /** Tries dead jobs again, all of them by default. Resolves to their number. */
  async revive(ids?: readonly number[]): Promise<number> {
    const revived = await this.jobs.revive(ids ?? (await this.deadIds()));
    this.#notify();
    return revived;
  }

  /**
   * Gives dead jobs up for good, all of them by default. Repeats of their events are not shown either. Resolves to
   * their number.
   */
  async drop(ids?: readonly number[]): Promise<number> {
    let dropped = 0;
    for (const some of chunks(ids ?? (await this.deadIds())))
      dropped += await this.#database.transaction(async (tx) => {
        const jobs = await dropJobs(tx, some);
        for (const job of jobs)
          await tx.run(
            'UPDATE events SET settled_at = ? WHERE id = ? AND settled_at IS NULL',
            this.#clock.now(),
            eventOf(job),
          );
        return jobs.length;
      });
    return dropped;
  }

  async get(id: number): Promise<StoredEvent | undefined> {
    return (await this.getAll([id]))[0];
  }

  async getAll(ids: readonly number[]): Promise<StoredEvent[]> {
    const found: StoredEvent[] = [];
    for (const some of chunks(ids))
      found.push(...(await this.#read(`SELECT * FROM events WHERE id IN (${marks(some)})`, ...some)));
    return found;
  }

  /** The last report that people were shown about an order. */
  lastReport(subject: string): Promise<LastReport | undefined> {
    return readReport(this.#database, subject);
  }

  /**
   * Keeps the state of an order as a read showed it, if it is another one than the last that is known. Nobody is
   * notified of it, and a delivery of the same state is still shown.
   *
   * @param answered the state in the answer to the call that placed or changed the order
   */
  async keepRead(orderId: string, { status, message, numbers = [] }: LastReport, answered: string): Promise<void> {
    if (this.#isClosed) return;
    const subject = `order ${orderId}`;
    await this.#database.transaction(async (tx) => {
      const known = (await lastKnown(tx, subject)) ?? { status: answered, message };
      if (known.status === status && (message === '' || known.message === message)) return;
      const now = this.#clock.now();
      const key = `read ${subject} ${now}`;
      const event: OrderEvent = {
        kind: 'order',
        name: '',
        key,
        subject,
        orderId,
        status,
        message,
        read: { numbers },
        fields: {},
      };
      const row = await tx.get<{ id: number }>(
        `INSERT INTO events (key, kind, subject, event, received_at, arrived_at, settled_at)
           VALUES (?, 'order', ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING RETURNING id`,
        ...[key, subject, JSON.stringify(event), now, now, now],
      );
      if (row) await addNames(tx, row.id, namesOf(event));
    });
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

  /** The numbers of open and dead jobs that handle events, and when the oldest open one was added. */
  async counts(): Promise<{ open: number; dead: number; oldestOpenAt: number | undefined }> {
    const kinds = await this.jobs.counts(EVENT_JOBS);
    const oldest = kinds.flatMap(({ oldestAt }) => oldestAt ?? []);
    return {
      open: kinds.reduce((sum, { open }) => sum + Number(open), 0),
      dead: kinds.reduce((sum, { dead }) => sum + Number(dead), 0),
      oldestOpenAt: oldest.length === 0 ? undefined : Math.min(...oldest),
    };
  }

  /**
   * Erases the content of events that were settled before this time (epoch ms), some at a time. Their keys stay, so
   * that a repeat is recognized. Resolves to their number.
   */
  async erase(before: number): Promise<number> {
    for (let erased = 0; ; ) {
      const step = await this.#database.transaction((tx) => this.#eraseSome(tx, before));
      erased += step;
      if (step < STEP || this.#isClosed) return erased;
    }
  }

  /** Calls the listener after an event was received, and after any write of another process. */
  onWork(listener: () => void): () => void {
    this.#listeners.add(listener);
    const stop = this.#database.onOtherWrites(listener);
    return () => {
      this.#listeners.delete(listener);
      stop();
    };
  }

  /** Refuses further events, and resolves when those under way are written. The database stays open. */
  async close(): Promise<void> {
    this.#isClosed = true;
    while (this.#receiving.size > 0) await Promise.all(this.#receiving.values());
  }

  async #receive(event: PlatformEvent): Promise<Receipt> {
    const { receipt, leavesWork } = await this.#database.transaction((tx) => this.#store(tx, event));
    this.counters.count(receipt === 'new' ? 'received' : 'repeated', event.kind);
    if (leavesWork) this.#notify();
    return receipt;
  }

  async #store(tx: Transaction, event: PlatformEvent): Promise<{ receipt: Receipt; leavesWork: boolean }> {
    const now = this.#clock.now();
    const { key, kind, subject } = event;
    const row = await tx.get<{ id: number }>(
      `INSERT INTO events (key, kind, subject, event, received_at, arrived_at) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (key) DO NOTHING RETURNING id`,
      ...[key, kind, subject, JSON.stringify(event), now, now],
    );
    if (!row) {
      await tx.run('UPDATE events SET repeats = repeats + 1 WHERE key = ?', key);
      return { receipt: 'repeat', leavesWork: kind === 'order' && (await this.#openAgain(tx, event, now)) };
    }
    const { id } = row;
    await addNames(tx, id, await this.#namesOf(tx, event));
    await addJob(tx, { kind: SHOW, key: `${SHOW} ${id}`, subject, payload: { event: id } }, now);
    if (kind === 'status') await addJob(tx, { kind: READ_OUTCOMES, payload: { event: id } }, now);
    return { receipt: 'new', leavesWork: true };
  }

  /**
   * Has a repeated update of an order shown again. A corrected order passes the same states a second time, and (order,
   * status) is one key. If the last report is of another state, the order is read again, and the event is shown only if
   * the order has changed.
   */
  async #openAgain(tx: Transaction, event: OrderEvent, now: number): Promise<boolean> {
    const { key, subject } = event;
    const last = await readReport(tx, subject);
    if (!last || (last.status === event.status && (event.message === '' || last.message === event.message)))
      return false;
    const row = await tx.get<Row>('SELECT * FROM events WHERE key = ? FOR UPDATE', key);
    if (!row) return false;
    const jobKey = `${SHOW} ${row.id}`;
    const isOpen = (await tx.get('SELECT 1 FROM jobs WHERE key = ? AND dead_at IS NULL', jobKey)) !== undefined;
    if (isOpen) return false;
    await tx.run('DELETE FROM jobs WHERE kind = ? AND key = ? AND dead_at IS NOT NULL', SHOW, jobKey);
    await tx.run(
      'UPDATE events SET event = ?, arrived_at = ?, settled_at = NULL WHERE id = ?',
      ...[JSON.stringify(event), now, row.id],
    );
    await addJob(tx, { kind: SHOW, key: jobKey, subject, payload: { event: row.id, again: true } }, now);
    return true;
  }

  async #eraseSome(tx: Transaction, before: number): Promise<number> {
    const rows = await tx.all<Row>(
      `SELECT * FROM events WHERE event IS NOT NULL AND settled_at < ? ORDER BY settled_at LIMIT ?
         FOR UPDATE SKIP LOCKED`,
      before,
      STEP,
    );
    for (const row of rows) {
      await removeNames(tx, row.id, await this.#namesOf(tx, eventIn(row)));
      await tx.run('UPDATE events SET event = NULL WHERE id = ?', row.id);
    }
    return rows.length;
  }

  /** The numbers and ids under which an event is found. */
  async #namesOf(tx: Transaction, event: PlatformEvent): Promise<string[]> {
    const numbers = event.kind === 'order' ? (await readReport(tx, event.subject))?.numbers : undefined;
    return [...new Set([...namesOf(event), ...(numbers ?? [])])];
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }

  async #read(sql: string, ...values: Value[]): Promise<StoredEvent[]> {
    return (await this.#database.all<Row>(sql, ...values)).map(fromRow);
  }
}

export function openInbox(options: InboxOptions): Inbox {
  return new Inbox(options);
}

/** The id of the event that a job handles. */
export function eventOf({ payload }: Pick<Job, 'payload'>): number {
  return Number(payload.event);
}

/** The report is in the event that it was about, because one event of an order has it at a time. */
const REPORTED = `kind = 'order' AND subject = ? AND report IS NOT NULL`;

async function readReport(queries: Pick<Database, 'get'>, subject: string): Promise<LastReport | undefined> {
  const row = await queries.get<{ report: string }>(`SELECT report FROM events WHERE ${REPORTED}`, subject);
  return row && (JSON.parse(row.report) as LastReport);
}

/** The newest state of an order that was reported or read; undefined if there is none. */
async function lastKnown(tx: Transaction, subject: string): Promise<LastReport | undefined> {
  const row = await tx.get<Row>(
    `SELECT * FROM events WHERE kind = 'order' AND subject = ? AND event IS NOT NULL
       ORDER BY arrived_at DESC, id DESC LIMIT 1`,
    subject,
  );
  const event = row && eventIn(row);
  if (!row || event?.kind !== 'order') return undefined;
  const report = event.read || row.settled_at === null ? undefined : await readReport(tx, subject);
  return report ?? event;
}

async function writeReport(
  tx: Transaction,
  { id, event: { subject } }: StoredEvent,
  { status, message, numbers = [] }: LastReport,
): Promise<void> {
  const before = (await readReport(tx, subject))?.numbers ?? [];
  await tx.run(`UPDATE events SET report = NULL WHERE ${REPORTED}`, subject);
  await tx.run('UPDATE events SET report = ? WHERE id = ?', JSON.stringify({ status, message, numbers }), id);
  await changeNumbers(tx, subject, { before, now: numbers });
}

/** An event on the dead-letter list, as a person reads it. */
interface DeadLetter {
  id: number;
  kind: string;
  /** A summary in a few words. */
  about: string;
  receivedAt: Date;
  attempts: number;
  reason: string;
  fields: Readonly<Fields>;
}

/** The letter of a dead job that handles an event. */
export function letterOf({ id, attempts, lastError, stored }: Job & { stored: StoredEvent }): DeadLetter {
  const { event, receivedAt } = stored;
  return {
    id,
    kind: event.kind,
    about: aboutOf(event),
    receivedAt: new Date(receivedAt),
    attempts,
    reason: lastError ?? '',
    fields: event.fields,
  };
}

function aboutOf(event: PlatformEvent): string {
  switch (event.kind) {
    case 'order':
      return `${event.orderId} ${event.status}`;
    case 'message':
    case 'status':
      return `${event.from} to ${event.to.join(', ')}`;
    case 'call':
      return `${event.from} to ${event.to}`;
    case 'watch':
      return event.phone;
    default:
      return event.name;
  }
}

/** A counter of this process. */
interface Count {
  /** `received`, `repeated`, `handled`, `retried`, `waited`, `died`, `refused`. */
  what: string;
  /** The kind of event; of refusals, the reason. */
  label: string;
  count: number;
}

/** Counts deliveries and attempts since the start of this process, as Prometheus expects of each process. */
class Counters {
  readonly #counts = new Map<string, Count>();

  count(what: string, label: string): void {
    const key = `${what}\n${label}`;
    this.#counts.set(key, { what, label, count: (this.#counts.get(key)?.count ?? 0) + 1 });
  }

  all(): Count[] {
    return [...this.#counts.values()];
  }
}
