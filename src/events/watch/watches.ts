import type { Clock } from '../../lib/clock.ts';
import { type Database, openDatabase } from '../../store/database.ts';

/** What the last check of a number found. */
export interface Usage {
  used: string;
  remaining: string;
  behaviour: string;
  status: string;
  /** 0 below every threshold, 1 notify, 2 throttle, 3 limit. */
  level: number;
}

export interface Watch extends Usage {
  phone: string;
  /** The actor ids of the people who asked for the watch. */
  by: string[];
  nextAt: number;
  checkedAt: number | undefined;
  /** Checked by itself, because a list with it was refused. */
  alone: boolean;
  /** When this watch began; the number may have been watched before. */
  startedAt: number;
  /** How many findings were reported; the number of the next one. */
  told: number;
}

interface Row extends Usage {
  phone: string;
  by: string;
  next_at: number;
  checked_at: number | null;
  alone: number;
  started_at: number;
  told: number;
}

const SCHEMA = `
CREATE TABLE IF NOT EXISTS watches (
  phone TEXT PRIMARY KEY, by TEXT NOT NULL, next_at INTEGER NOT NULL, checked_at INTEGER, alone INTEGER NOT NULL DEFAULT 0,
  started_at INTEGER NOT NULL, told INTEGER NOT NULL DEFAULT 0, used TEXT NOT NULL DEFAULT '', remaining TEXT NOT NULL DEFAULT '',
  behaviour TEXT NOT NULL DEFAULT '', status TEXT NOT NULL DEFAULT '', level INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE IF NOT EXISTS looker (one INTEGER PRIMARY KEY CHECK (one = 1), seen_at INTEGER NOT NULL,
  looked_at INTEGER NOT NULL DEFAULT 0) STRICT;
`;

/** The watched numbers and what was last seen of them, in one file that all processes share. */
export class Watches {
  readonly #clock: Clock;
  readonly #db: Database;

  constructor(options: { path: string; clock: Clock }) {
    this.#clock = options.clock;
    // A check is noted every few seconds; one that a power cut loses is made again.
    this.#db = openDatabase(options.path, SCHEMA, { durable: false });
  }

  get(phone: string): Watch | undefined {
    const row = this.#db.get<Row>('SELECT * FROM watches WHERE phone = ?', phone);
    return row && fromRow(row);
  }

  list(): Watch[] {
    return this.#db.all<Row>('SELECT * FROM watches ORDER BY phone').map(fromRow);
  }

  /** Watches a number for one more person. It falls due at once. */
  add(phone: string, by: string): void {
    this.#db.transaction(() => {
      const people = [...new Set([...(this.get(phone)?.by ?? []), by])];
      const now = this.#clock.now();
      this.#db.run(
        `INSERT INTO watches (phone, by, next_at, started_at) VALUES (?, ?, ?, ?)
           ON CONFLICT (phone) DO UPDATE SET by = excluded.by`,
        phone,
        JSON.stringify(people),
        now,
        now,
      );
    });
  }

  /** Returns whether the number was watched. */
  remove(phone: string): boolean {
    return this.#db.run('DELETE FROM watches WHERE phone = ?', phone) === 1;
  }

  /** Takes the numbers that are due for this process alone: their next time is set before anything is read. */
  take(limit: number, nextAt: number): Watch[] {
    return this.#db.transaction(() => {
      const now = this.#clock.now();
      const due = this.#db
        .all<Row>('SELECT * FROM watches WHERE next_at <= ? ORDER BY next_at, phone LIMIT ?', now, limit)
        .map(fromRow);
      const [first] = due;
      const taken = first?.alone ? [first] : due.filter(({ alone }) => !alone);
      for (const { phone } of taken) this.#db.run('UPDATE watches SET next_at = ? WHERE phone = ?', nextAt, phone);
      return taken;
    });
  }

  /** Records the result of a check, and whether it was reported. */
  saw(phone: string, usage: Usage, wasReported: boolean): void {
    this.#db.run(
      `UPDATE watches SET used = ?, remaining = ?, behaviour = ?, status = ?, level = ?, checked_at = ?, alone = 0,
         told = told + ? WHERE phone = ?`,
      usage.used,
      usage.remaining,
      usage.behaviour,
      usage.status,
      usage.level,
      this.#clock.now(),
      wasReported ? 1 : 0,
      phone,
    );
  }

  /** A list was refused because of one of its numbers: each of them is checked by itself, at once. */
  separate(phones: readonly string[]): void {
    this.#db.transaction(() => {
      for (const phone of phones)
        this.#db.run('UPDATE watches SET alone = 1, next_at = ? WHERE phone = ?', this.#clock.now(), phone);
    });
  }

  /** When the next number is due; undefined if none is watched. */
  nextAt(): number | undefined {
    return this.#db.get<{ at: number | null }>('SELECT min(next_at) AS at FROM watches')?.at ?? undefined;
  }

  /** Notes that a process is checking numbers. */
  beat(): void {
    this.#db.run(
      'INSERT INTO looker (one, seen_at) VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET seen_at = excluded.seen_at',
      this.#clock.now(),
    );
  }

  /** When a process last noted that it is checking numbers. */
  beatAt(): number | undefined {
    return this.#db.get<{ at: number }>('SELECT seen_at AS at FROM looker')?.at;
  }

  /** Returns true once within `gapMs`, to whichever process asks first: it may check numbers now. */
  turn(gapMs: number): boolean {
    const now = this.#clock.now();
    return this.#db.run('UPDATE looker SET looked_at = ? WHERE looked_at <= ?', now, now - gapMs + 1) === 1;
  }

  close(): void {
    this.#db.close();
  }
}

export function openWatches(options: { path: string; clock: Clock }): Watches {
  return new Watches(options);
}

function fromRow(row: Row): Watch {
  const { next_at, checked_at, started_at, alone, by, ...rest } = row;
  return {
    ...rest,
    by: JSON.parse(by) as string[],
    nextAt: next_at,
    startedAt: started_at,
    checkedAt: checked_at ?? undefined,
    alone: alone === 1,
  };
}
