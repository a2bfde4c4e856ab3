import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../store/types.ts';
import { addJob } from '../../work/jobs.ts';

/** The job that checks watched numbers, round by round. */
export const CHECK = 'watch.check';
/** The job that draws the last card of a watch again when the watch has ended. */
export const WATCH_ENDED = 'watch.ended';
/**
 * Interval between two checks of one number. A shorter one would not help, because the platform counts with a delay.
 */
export const EVERY_MS = 15 * 60_000;

/** The result of the last check of a number. */
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
  /** True if the number is checked alone, because a list with it was refused. */
  alone: boolean;
  /** Start of this watch. The number may have been watched before. */
  startedAt: number;
  /** Number of reported findings. It is part of the key of the next finding. */
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

/** The watched numbers and what was last seen of them, shared by all processes. */
export class Watches {
  readonly #clock: Clock;
  readonly #db: Database;

  constructor(options: { database: Database; clock: Clock }) {
    this.#clock = options.clock;
    this.#db = options.database;
  }

  async get(phone: string): Promise<Watch | undefined> {
    const row = await this.#db.get<Row>('SELECT * FROM watches WHERE phone = ?', phone);
    return row && fromRow(row);
  }

  async list(): Promise<Watch[]> {
    return (await this.#db.all<Row>('SELECT * FROM watches ORDER BY phone')).map(fromRow);
  }

  /** Watches a number for another person. The number is due at once, and the next round runs as soon as it may. */
  async add(phone: string, by: string): Promise<void> {
    await this.#db.transaction(async (queries) => {
      const now = this.#clock.now();
      await queries.run(
        `INSERT INTO watches (phone, by, next_at, started_at) VALUES (?, '[]', ?, ?) ON CONFLICT (phone) DO NOTHING`,
        phone,
        now,
        now,
      );
      const row = await queries.get<Row>('SELECT * FROM watches WHERE phone = ? FOR UPDATE', phone);
      const people = new Set([...(row ? fromRow(row).by : []), by]);
      await queries.run('UPDATE watches SET by = ? WHERE phone = ?', JSON.stringify([...people]), phone);
      await queries.run('UPDATE jobs SET run_at = ? WHERE key = ? AND run_at > ? AND dead_at IS NULL', now, CHECK, now);
    });
  }

  /** Resolves to true if the number was watched. */
  remove(phone: string): Promise<boolean> {
    return this.#db.transaction(async (queries) => {
      const isRemoved = (await queries.run('DELETE FROM watches WHERE phone = ?', phone)) === 1;
      const job = { kind: WATCH_ENDED, key: `${WATCH_ENDED} ${phone}`, payload: { phone } };
      if (isRemoved) await addJob(queries, job, this.#clock.now());
      return isRemoved;
    });
  }

  /** Takes the due numbers for this process alone. The time of their next check is set before anything is read. */
  take(limit: number, nextAt: number): Promise<Watch[]> {
    return this.#db.transaction(async (queries) => {
      const rows = await queries.all<Row>(
        'SELECT * FROM watches WHERE next_at <= ? ORDER BY next_at, phone LIMIT ? FOR UPDATE SKIP LOCKED',
        this.#clock.now(),
        limit,
      );
      const due = rows.map(fromRow);
      const [first] = due;
      const taken = first?.alone ? [first] : due.filter(({ alone }) => !alone);
      for (const { phone } of taken) await queries.run('UPDATE watches SET next_at = ? WHERE phone = ?', nextAt, phone);
      return taken;
    });
  }

  /** Records the result of a check, and whether it was reported. */
  async saw(phone: string, usage: Usage, wasReported: boolean): Promise<void> {
    await this.#db.run(
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

  /** Makes each number of a refused list due at once, to be checked alone. */
  async separate(phones: readonly string[]): Promise<void> {
    await this.#db.transaction(async (queries) => {
      for (const phone of [...phones].sort())
        await queries.run('UPDATE watches SET alone = 1, next_at = ? WHERE phone = ?', this.#clock.now(), phone);
    });
  }

  /** The time at which the next number is due; undefined if none is watched. */
  async nextAt(): Promise<number | undefined> {
    const row = await this.#db.get<{ at: number | null }>('SELECT min(next_at) AS at FROM watches');
    return row?.at ?? undefined;
  }

  /** The time of the last round (epoch ms), because each number that it took is due again after `EVERY_MS`. */
  async lastRoundAt(): Promise<number> {
    const row = await this.#db.get<{ at: number | null }>('SELECT max(next_at) AS at FROM watches');
    return (row?.at ?? 0) - EVERY_MS;
  }

  /** The time (epoch ms) at which the next round is due; undefined if no process has ever checked numbers. */
  async nextRoundAt(): Promise<number | undefined> {
    return (
      await this.#db.get<{ at: number }>('SELECT run_at AS at FROM jobs WHERE key = ? AND dead_at IS NULL', CHECK)
    )?.at;
  }
}

export function openWatches(options: { database: Database; clock: Clock }): Watches {
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
