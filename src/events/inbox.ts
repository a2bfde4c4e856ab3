import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Clock } from '../lib/clock.ts';
import { openDatabase } from '../store/database.ts';
import type { EventKind, PlatformEvent } from './parse.ts';

/** `new → delivered`, or `failed` with another attempt to come, `dead` after the last, and `dropped` by a person then. */
export type InboxState = 'new' | 'delivered' | 'failed' | 'dead' | 'dropped';

/** An event as it is kept. */
export interface StoredEvent {
  id: number;
  event: PlatformEvent;
  state: InboxState;
  /** Attempts that count towards the end. */
  attempts: number;
  /** Attempts that failed because the other side was down; they do not count. */
  waits: number;
  nextAt: number;
  reason: string;
  /** How often the platform sent it again. */
  repeats: number;
  /** It was told before and is looked at again, because its subject has moved on since. */
  again: boolean;
  /** Names of the handlers that are through with it. */
  handled: string[];
  receivedAt: number;
  /** When it last arrived; later than `receivedAt` where it was looked at again. */
  arrivedAt: number;
  settledAt: number | undefined;
}

/** What was last told about a subject. */
export interface LastReport {
  status: string;
  message: string;
  /** Of an order: the numbers it is about. */
  numbers?: readonly string[];
}

export interface Tally {
  /** `received`, `repeated`, `handled`, `retried`, `waited`, `died`, `refused`. */
  what: string;
  /** The kind of event; of refusals, the reason. */
  label: string;
  count: number;
  lastAt: number;
}

interface Row {
  id: number;
  kind: EventKind;
  subject: string;
  event: string;
  state: InboxState;
  attempts: number;
  waits: number;
  next_at: number;
  reason: string;
  repeats: number;
  again: number;
  handled: string;
  received_at: number;
  arrived_at: number;
  settled_at: number | null;
}

const SCHEMA = `
CREATE TABLE IF NOT EXISTS events (
  id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, subject TEXT NOT NULL,
  event TEXT NOT NULL, state TEXT NOT NULL DEFAULT 'new', attempts INTEGER NOT NULL DEFAULT 0,
  waits INTEGER NOT NULL DEFAULT 0, next_at INTEGER NOT NULL, reason TEXT NOT NULL DEFAULT '',
  repeats INTEGER NOT NULL DEFAULT 0, again INTEGER NOT NULL DEFAULT 0, handled TEXT NOT NULL DEFAULT '[]',
  received_at INTEGER NOT NULL, arrived_at INTEGER NOT NULL, settled_at INTEGER
);
CREATE INDEX IF NOT EXISTS events_open ON events (subject, id) WHERE state IN ('new','failed');
CREATE INDEX IF NOT EXISTS events_next ON events (next_at, id) WHERE state IN ('new','failed');
CREATE INDEX IF NOT EXISTS events_dead ON events (id) WHERE state = 'dead';
CREATE INDEX IF NOT EXISTS events_arrived ON events (arrived_at);
CREATE TABLE IF NOT EXISTS told (subject TEXT PRIMARY KEY, status TEXT NOT NULL, message TEXT NOT NULL, at INTEGER NOT NULL,
  numbers TEXT NOT NULL DEFAULT '[]');
CREATE TABLE IF NOT EXISTS tallies (
  what TEXT NOT NULL, label TEXT NOT NULL, count INTEGER NOT NULL, last_at INTEGER NOT NULL, PRIMARY KEY (what, label)
);
CREATE TABLE IF NOT EXISTS lead (one INTEGER PRIMARY KEY CHECK (one = 1), owner TEXT NOT NULL, pid INTEGER NOT NULL,
  host TEXT NOT NULL, until INTEGER NOT NULL);
`;

const OPEN = `state IN ('new','failed')`;
/** Falls due at the end of time: an event that waits until the one before it of its subject is settled. */
export const PARKED = 8.64e15;
const FIRST = `NOT EXISTS (
  SELECT 1 FROM events p WHERE p.subject = e.subject AND p.id < e.id AND p.state IN ('new','failed'))`;
/**
 * The earliest event of each subject that is not settled. Those behind it are parked, and a bound on `next_at` keeps
 * them from being looked at; not so what an older version has left, or what another was opened again before.
 */
const HEADS = `FROM events e WHERE ${OPEN} AND ${FIRST}`;
/**
 * The event is about this number or id: as its sender, a receiver, its order, or a number of its order. What somebody
 * wrote in a message is no such place. The text is searched first, because that is quick.
 */
const NAMES = `(
  (instr(event, '"' || named.value || '"') > 0 AND named.value IN (event ->> '$.orderId', event ->> '$.phone',
    event ->> '$.from', event ->> '$.messageId', event ->> '$.callId'))
  OR (instr(event, '"' || named.value || '"') > 0
    AND EXISTS (SELECT 1 FROM json_each(event, '$.to') AS receiver WHERE receiver.value = named.value))
  OR (kind = 'order' AND EXISTS (SELECT 1 FROM told, json_each(told.numbers) AS number
    WHERE told.subject = events.subject AND number.value = named.value)))`;
/** When an event that is opened again falls due. */
const TURN = `CASE WHEN ${FIRST} THEN ? ELSE ${PARKED} END`;

export const MAX_ATTEMPTS = 10;
const MAX_DELAY_MS = 300_000;
/** What only ever failed because the other side was down is given up after three days. */
const MAX_WAIT_MS = 3 * 86_400_000;
/** Jobs in one transaction; more wait for the next. */
const BATCH = 256;
const FLUSH_TALLIES_MS = 1000;
/**
 * How often it is looked for what other processes wrote. SQLite's own `data_version` tells, which is a read of shared
 * memory: 4 looks a second cost less than 0.01 % of a core. Watching the file would not do: the log beside it is
 * written through a memory map, and network and container file systems tell nothing.
 */
const LOOK_MS = 250;
/** Deliveries closer together than this come first: what is done about them then waits for so long at most. */
const EASE_MS = 5;

/** 1, 2, 4 … 300 seconds after the first, second, third … failure. */
export function backoff(failures: number): number {
  return Math.min(MAX_DELAY_MS, 1000 * 2 ** Math.min(Math.max(failures, 1) - 1, 20));
}

/** Narrows what is read back. */
export interface Only {
  /** Epoch ms; what arrived then or later is left out. */
  until?: number;
  kinds?: readonly EventKind[];
  /** Values that all stand in the event: numbers, ids. */
  about?: readonly string[];
}

export type Inbox = ReturnType<typeof openInbox>;

interface Job {
  work: () => unknown;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/**
 * The durable inbox: an event is on the disk before the platform hears that it was received, and once however often
 * it is sent. Writes of one turn of the event loop share one transaction, and so one flush of the disk.
 */
export function openInbox(options: { path: string; clock: Clock; owner?: { id: string; pid: number; host: string } }) {
  const { clock } = options;
  const me = options.owner ?? { id: randomUUID(), pid: process.pid, host: hostname() };
  const db = openDatabase(options.path, SCHEMA, { durable: true });
  if (!db.get(`SELECT 1 FROM pragma_table_info('told') WHERE name = 'numbers'`))
    db.run(`ALTER TABLE told ADD COLUMN numbers TEXT NOT NULL DEFAULT '[]'`);
  // A process of an older version, beside this one, settles events without releasing the next.
  db.run(`UPDATE events AS e SET next_at = ? WHERE ${OPEN} AND next_at = ${PARKED} AND ${FIRST}`, clock.now());
  const listeners = new Set<() => void>();
  const jobs: Job[] = [];
  /** Counted, but not yet written: that is done once a second, and a process that is killed loses that second. */
  const pending = new Map<string, Tally>();
  let scheduled = false;
  let easing: NodeJS.Timeout | undefined;
  let tallyTimer: unknown;
  let talliesDue = false;
  let closed = false;
  let woken = false;
  let telling = false;
  let lastReceipt = Number.NEGATIVE_INFINITY;
  /** The last delivery came close after another. */
  let rush = false;
  let version: number | undefined = db.version();
  let looking: NodeJS.Timeout | undefined;

  /** In real time, as other processes write in it. */
  function lookForOthers(): void {
    looking ??= setInterval(() => {
      let now: number | undefined;
      try {
        now = db.version();
      } catch {
        // Whoever is told reads the file next, and logs what is wrong with it.
        now = undefined;
      }
      if (now !== undefined && now === version) return;
      version = now;
      tell();
    }, LOOK_MS).unref();
  }

  const count = (what: string, label: string, n = 1) => {
    const key = `${what}\n${label}`;
    const tally = pending.get(key);
    if (tally) {
      tally.count += n;
      tally.lastAt = clock.now();
    } else pending.set(key, { what, label, count: n, lastAt: clock.now() });
    tallyTimer ??= clock.setTimeout(() => {
      tallyTimer = undefined;
      talliesDue = true;
      schedule();
    }, FLUSH_TALLIES_MS);
  };

  function writeTallies(): void {
    for (const { what, label, count: n, lastAt } of pending.values()) {
      db.run(
        `INSERT INTO tallies (what, label, count, last_at) VALUES (?, ?, ?, ?)
           ON CONFLICT (what, label) DO UPDATE SET count = count + excluded.count, last_at = excluded.last_at`,
        what,
        label,
        n,
        lastAt,
      );
    }
  }

  /** Runs the waiting jobs in one transaction and answers them after it is on the disk. */
  function flush(): void {
    scheduled = false;
    const batch = jobs.splice(0, BATCH);
    if (jobs.length > 0) schedule();
    if (batch.length === 0 && !talliesDue) return;
    const answers: (() => void)[] = [];
    const before = new Map([...pending].map(([key, tally]) => [key, { ...tally }]));
    try {
      db.transaction(() => {
        for (const job of batch) {
          try {
            const value = job.work();
            answers.push(() => job.resolve(value));
          } catch (error) {
            answers.push(() => job.reject(error));
          }
        }
        if (talliesDue) writeTallies();
      });
      if (talliesDue) pending.clear();
      talliesDue = false;
    } catch (error) {
      // Nothing of it is on the disk: nobody is told otherwise.
      for (const job of batch) job.reject(error);
      pending.clear();
      for (const [key, tally] of before) pending.set(key, tally);
      woken = false;
      return;
    }
    for (const answer of answers) answer();
    if (woken) tell();
    woken = false;
  }

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    setImmediate(() => {
      if (!closed) flush();
    });
  }

  const rushing = () => rush && performance.now() - lastReceipt < EASE_MS;

  /** In real time, as is the rush: what waits for a write must not wait for a clock that is turned by hand. */
  function ease(): void {
    easing ??= setTimeout(() => {
      easing = undefined;
      flush();
      if (telling) notify();
    }, EASE_MS);
  }

  /** Listeners look for work after the answers are out, and once for many deliveries. */
  function tell(): void {
    if (telling) return;
    telling = true;
    if (rushing()) ease();
    else setImmediate(notify);
  }

  function notify(): void {
    telling = false;
    if (!closed) for (const listener of listeners) listener();
  }

  function write<T>(work: () => T, urgent = true): Promise<T> {
    if (closed) return Promise.reject(new Error('the inbox is closed'));
    return new Promise<T>((resolve, reject) => {
      jobs.push({ work, resolve: resolve as (value: unknown) => void, reject });
      if (urgent || !rushing()) schedule();
      else ease();
    });
  }

  /**
   * What a handler did. While deliveries come in it goes with the next of them, instead of a commit of its own that
   * they would wait for. A process that is killed before has the event handled again, as one killed in the handler.
   */
  const note = <T>(work: () => T): Promise<T> => write(work, false);

  function receive(event: PlatformEvent): 'new' | 'repeat' {
    const now = clock.now();
    const fresh = db.run(
      `INSERT OR IGNORE INTO events (key, kind, subject, event, next_at, received_at, arrived_at) VALUES (?, ?, ?, ?,
         CASE WHEN EXISTS (SELECT 1 FROM events WHERE subject = ? AND ${OPEN}) THEN ${PARKED} ELSE ? END, ?, ?)`,
      event.key,
      event.kind,
      event.subject,
      JSON.stringify(event),
      event.subject,
      now,
      now,
      now,
    );
    if (fresh === 1) {
      count('received', event.kind);
      woken = true;
      return 'new';
    }
    db.run('UPDATE events SET repeats = repeats + 1 WHERE key = ?', event.key);
    count('repeated', event.kind);
    if (event.kind === 'order') lookAgain(event.key, event.subject, event.status, event.message, now);
    return 'repeat';
  }

  /**
   * A corrected order passes the same states a second time, and (order, status) is one key. Where the last thing told
   * is another one, the repeat is a hint to read the order again; it is told only if the order really has moved.
   */
  function lookAgain(key: string, subject: string, status: string, message: string, now: number): void {
    const told = db.get<LastReport>('SELECT status, message FROM told WHERE subject = ?', subject);
    if (!told || (told.status === status && (message === '' || told.message === message))) return;
    const moved = db.run(
      `UPDATE events AS e SET state = 'new', again = 1, attempts = 0, waits = 0, handled = '[]', reason = '',
         next_at = ${TURN}, arrived_at = ?, settled_at = NULL WHERE key = ? AND state IN ('delivered','dead','dropped')`,
      now,
      now,
      key,
    );
    if (moved === 1) woken = true;
  }

  /** The next of its subject is released first: were only one of the two written, nothing would stay parked. */
  function settle(id: number, subject: string, state: 'delivered' | 'dead', reason: string): boolean {
    const now = clock.now();
    // It falls due as of its arrival, so that a backlog of many subjects is handled in the order in which it came.
    db.run(
      `UPDATE events SET next_at = min(arrived_at, ?) WHERE next_at = ${PARKED}
         AND id = (SELECT min(id) FROM events WHERE subject = ? AND id <> ? AND ${OPEN})`,
      now,
      subject,
      id,
    );
    return (
      db.run(
        `UPDATE events SET state = ?, reason = ?, settled_at = ? WHERE id = ? AND ${OPEN}`,
        state,
        reason,
        now,
        id,
      ) === 1
    );
  }

  const isOpen = (row: Row) => row.state === 'new' || row.state === 'failed';
  const deadOnes = (ids?: number | readonly number[]) =>
    db.all<{ id: number }>(
      `SELECT id FROM events WHERE state = 'dead' AND (? OR id IN (SELECT value FROM json_each(?))) ORDER BY id`,
      ids === undefined ? 1 : 0,
      JSON.stringify([ids ?? []].flat()),
    );
  const read = (id: number) => db.get<Row>('SELECT * FROM events WHERE id = ?', id);
  const kept = (sql: string, ...values: (string | number)[]) => db.all<Row>(sql, ...values).map(fromRow);

  return {
    /** Resolves when the event is on the disk. `repeat`: it was there before. */
    receive: (event: PlatformEvent): Promise<'new' | 'repeat'> => {
      const now = performance.now();
      rush = now - lastReceipt < EASE_MS;
      lastReceipt = now;
      return write(() => receive(event));
    },

    /** What may be handled now, at most one of each subject, longest due first. */
    due: (now: number, limit = 32): StoredEvent[] =>
      kept(`SELECT e.* ${HEADS} AND e.next_at <= ? ORDER BY e.next_at, e.id LIMIT ?`, now, limit),

    /** When the next one falls due, besides those under way; undefined when nothing waits. */
    nextDue: (besides: readonly number[] = []): number | undefined =>
      db.get<{ at: number }>(
        `SELECT e.next_at AS at ${HEADS} AND e.next_at < ${PARKED}
           AND e.id NOT IN (SELECT value FROM json_each(?)) ORDER BY e.next_at, e.id LIMIT 1`,
        JSON.stringify(besides),
      )?.at,

    /** One handler is through with it: it is not called again for this event. */
    handled: (id: number, name: string): Promise<void> =>
      note(() => {
        const row = read(id);
        if (!row) return;
        const names = new Set(JSON.parse(row.handled) as string[]).add(name);
        db.run('UPDATE events SET handled = ? WHERE id = ?', JSON.stringify([...names]), id);
      }),

    /** Delivered. `told` is kept with it: what people now know of its subject. */
    done: (id: number, told?: LastReport): Promise<void> =>
      note(() => {
        const row = db.get<{ subject: string; kind: string }>('SELECT subject, kind FROM events WHERE id = ?', id);
        if (!row || !settle(id, row.subject, 'delivered', '')) return;
        count('handled', row.kind);
        if (!told) return;
        db.run(
          `INSERT INTO told (subject, status, message, at, numbers) VALUES (?, ?, ?, ?, ?)
             ON CONFLICT (subject) DO UPDATE SET status = excluded.status, message = excluded.message, at = excluded.at,
               numbers = excluded.numbers`,
          row.subject,
          told.status,
          told.message,
          clock.now(),
          JSON.stringify(told.numbers ?? []),
        );
      }),

    /** Nothing is wrong with it, but nobody takes events now: it keeps its place, and is never given up. */
    hold: (id: number, reason: string): Promise<void> =>
      note(() => {
        const row = read(id);
        if (!row || !isOpen(row)) return;
        db.run(`UPDATE events SET state = 'failed', reason = ? WHERE id = ?`, reason.slice(0, 500), id);
        count('waited', row.kind);
      }),

    /**
     * It failed and is tried again later. `outage`: the other side is down, so this one does not count. `last`: trying
     * again cannot help, so it goes to the dead-letter list at once.
     */
    retry: (id: number, reason: string, how: { outage?: boolean; last?: boolean } = {}): Promise<InboxState> =>
      note(() => {
        const row = read(id);
        if (!row || !isOpen(row)) return row?.state ?? 'dead';
        const attempts = row.attempts + (how.outage ? 0 : 1);
        const waits = row.waits + (how.outage ? 1 : 0);
        const spent = how.outage ? clock.now() - row.arrived_at >= MAX_WAIT_MS : attempts >= MAX_ATTEMPTS;
        const last = spent || how.last === true;
        db.run(
          `UPDATE events SET state = 'failed', attempts = ?, waits = ?, reason = ?, next_at = ? WHERE id = ?`,
          attempts,
          waits,
          reason.slice(0, 500),
          clock.now() + backoff(attempts + waits),
          id,
        );
        count(how.outage ? 'waited' : 'retried', row.kind);
        if (!last) return 'failed';
        settle(id, row.subject, 'dead', reason.slice(0, 500));
        count('died', row.kind);
        woken = true;
        return 'dead';
      }),

    /** Tries dead ones again: one, some, or all. Resolves to how many. */
    revive: (ids?: number | readonly number[]): Promise<number> =>
      write(() => {
        const dead = deadOnes(ids);
        const now = clock.now();
        for (const one of dead)
          db.run(
            `UPDATE events AS e SET state = 'new', attempts = 0, waits = 0, next_at = ${TURN}, arrived_at = ?,
               settled_at = NULL WHERE id = ?`,
            now,
            now,
            one.id,
          );
        if (dead.length > 0) woken = true;
        return dead.length;
      }),

    /** Gives dead ones up for good: one, some, or all. They stay known, so that a repeat is not shown. Resolves to how many. */
    drop: (ids?: number | readonly number[]): Promise<number> =>
      write(() => {
        const dead = deadOnes(ids);
        for (const { id } of dead)
          db.run(`UPDATE events SET state = 'dropped', settled_at = ? WHERE id = ?`, clock.now(), id);
        return dead.length;
      }),

    /** Of all dead ones, oldest first. */
    deadIds: (): number[] => deadOnes().map(({ id }) => id),

    dead: (limit = 100): StoredEvent[] =>
      kept(`SELECT * FROM events WHERE state = 'dead' ORDER BY id DESC LIMIT ?`, limit),

    get: (id: number): StoredEvent | undefined => {
      const row = read(id);
      return row && fromRow(row);
    },

    told: (subject: string): LastReport | undefined => {
      const row = db.get<{ status: string; message: string; numbers: string }>(
        'SELECT status, message, numbers FROM told WHERE subject = ?',
        subject,
      );
      return row && { status: row.status, message: row.message, numbers: JSON.parse(row.numbers) as string[] };
    },

    /** What arrived since then (epoch ms), oldest first; where that is more than `limit`, the newest of it. */
    since: (from: number, limit = 500, only: Only = {}): StoredEvent[] =>
      kept(
        `SELECT * FROM events WHERE arrived_at >= ? AND arrived_at < ?
           AND (? = 0 OR kind IN (SELECT value FROM json_each(?)))
           AND NOT EXISTS (SELECT 1 FROM json_each(?) AS named WHERE ${NAMES} IS NOT TRUE)
           ORDER BY arrived_at DESC, id DESC LIMIT ?`,
        from,
        only.until ?? PARKED,
        only.kinds ? 1 : 0,
        JSON.stringify(only.kinds ?? []),
        JSON.stringify(only.about ?? []),
        limit,
      ).reverse(),

    /** Which events arrived since then, without what they hold. */
    arrivals: (from: number): { id: number; at: number }[] =>
      db.all<{ id: number; at: number }>(
        'SELECT id, arrived_at AS at FROM events WHERE arrived_at >= ? ORDER BY arrived_at, id',
        from,
      ),

    /** What waits and what is dead, and since when the oldest waits. */
    counts(): { open: number; dead: number; oldestOpenAt: number | undefined } {
      const open = db.get<{ n: number; at: number | null }>(
        `SELECT count(*) AS n, min(arrived_at) AS at FROM events WHERE ${OPEN}`,
      );
      const dead = db.get<{ n: number }>(`SELECT count(*) AS n FROM events WHERE state = 'dead'`);
      return { open: open?.n ?? 0, dead: dead?.n ?? 0, oldestOpenAt: open?.at ?? undefined };
    },

    /** A delivery that was turned away leaves this trace; a flood of them costs no disk. */
    refused: (reason: string): void => count('refused', reason),

    tallies(): Tally[] {
      const rows = db.all<Tally>('SELECT what, label, count, last_at AS lastAt FROM tallies');
      const sum = new Map(rows.map((row) => [`${row.what}\n${row.label}`, { ...row }]));
      for (const [key, tally] of pending) {
        const row = sum.get(key);
        if (row) {
          row.count += tally.count;
          row.lastAt = tally.lastAt;
        } else sum.set(key, { ...tally });
      }
      return [...sum.values()].sort((a, b) => (a.what + a.label < b.what + b.label ? -1 : 1));
    },

    /** Empties what was delivered before then; its key stays, so that a replay is still known. */
    forget: (before: number): Promise<number> =>
      write(() =>
        db.run(
          `UPDATE events SET event = json_object('kind', 'unknown', 'name', '', 'key', key, 'subject', subject, 'fields', json('{}'))
             WHERE state IN ('delivered','dropped') AND settled_at < ? AND json_extract(event, '$.fields') <> '{}'`,
          before,
        ),
      ),

    /** One process at a time handles events. A holder that is gone, or silent past its time, is replaced. */
    lead(ms: number, isGone: (holder: { pid: number; host: string }) => boolean): { mine: boolean; until: number } {
      return db.transaction(() => {
        const now = clock.now();
        const holder = db.get<{ owner: string; pid: number; host: string; until: number }>('SELECT * FROM lead');
        if (holder && holder.owner !== me.id && holder.until > now && !isGone(holder))
          return { mine: false, until: holder.until };
        db.run(
          'INSERT OR REPLACE INTO lead (one, owner, pid, host, until) VALUES (1, ?, ?, ?, ?)',
          me.id,
          me.pid,
          me.host,
          now + ms,
        );
        return { mine: true, until: now + ms };
      });
    },

    /** Gives the lead back. */
    resign(): void {
      if (!closed) db.run('DELETE FROM lead WHERE owner = ?', me.id);
    },

    /** Told soon after a commit that left something to do, and after any commit of another process. */
    onWork(listener: () => void): () => void {
      listeners.add(listener);
      lookForOthers();
      return () => listeners.delete(listener);
    },

    /** Resolves when what waits is written, and those who wait for work are told of it. */
    settled: async (): Promise<void> => {
      while (!closed && (scheduled || telling || easing)) await new Promise((resolve) => setImmediate(resolve));
    },

    /** Writes what is waiting, answers it, and closes the file. */
    close(): void {
      if (closed) return;
      while (jobs.length > 0) flush();
      talliesDue = pending.size > 0;
      flush();
      closed = true;
      clearTimeout(easing);
      clearInterval(looking);
      clock.clearTimeout(tallyTimer);
      db.close();
    },
  };
}

function fromRow(row: Row): StoredEvent {
  return {
    id: row.id,
    event: JSON.parse(row.event) as PlatformEvent,
    state: row.state,
    attempts: row.attempts,
    waits: row.waits,
    nextAt: row.next_at,
    reason: row.reason,
    repeats: row.repeats,
    again: row.again === 1,
    handled: JSON.parse(row.handled) as string[],
    receivedAt: row.received_at,
    arrivedAt: row.arrived_at,
    settledAt: row.settled_at ?? undefined,
  };
}
