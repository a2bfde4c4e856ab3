import type { Clock } from '../../lib/clock.ts';
import { openDatabase } from '../../store/database.ts';

/** What the last look at a number found. */
export interface Look {
  used: string;
  remaining: string;
  behaviour: string;
  status: string;
  /** 0 below every threshold, 1 notify, 2 throttle, 3 limit. */
  level: number;
}

export interface Watch extends Look {
  phone: string;
  /** Actor ids of those who asked. */
  by: string[];
  nextAt: number;
  checkedAt: number | undefined;
  /** Looked at by itself: a list it was in was refused. */
  alone: boolean;
  /** When this watch began: the number may have been watched before. */
  startedAt: number;
  /** How many findings were told; the next one's number. */
  told: number;
}

interface Row extends Look {
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

export type Watches = ReturnType<typeof openWatches>;

/** The numbers somebody watches and what was last seen of them, in one file that all processes share. */
export function openWatches(options: { path: string; clock: Clock }) {
  const { clock } = options;
  // A look is noted every few seconds; what a power cut takes back of it is looked at once more.
  const db = openDatabase(options.path, SCHEMA, { durable: false });
  const get = (phone: string) => {
    const row = db.get<Row>('SELECT * FROM watches WHERE phone = ?', phone);
    return row && fromRow(row);
  };

  return {
    get,
    list: (): Watch[] => db.all<Row>('SELECT * FROM watches ORDER BY phone').map(fromRow),

    /** Watches a number for one more person; it is looked at soon. */
    add: (phone: string, by: string): void =>
      db.transaction(() => {
        const everybody = [...new Set([...(get(phone)?.by ?? []), by])];
        db.run(
          `INSERT INTO watches (phone, by, next_at, started_at) VALUES (?, ?, ?, ?)
             ON CONFLICT (phone) DO UPDATE SET by = excluded.by`,
          phone,
          JSON.stringify(everybody),
          clock.now(),
          clock.now(),
        );
      }),

    /** True where it was watched. */
    remove: (phone: string): boolean => db.run('DELETE FROM watches WHERE phone = ?', phone) === 1,

    /** Numbers whose turn it is, taken by this process alone: their next turn is set before anything is read. */
    take: (limit: number, nextAt: number): Watch[] =>
      db.transaction(() => {
        const due = db
          .all<Row>('SELECT * FROM watches WHERE next_at <= ? ORDER BY next_at, phone LIMIT ?', clock.now(), limit)
          .map(fromRow);
        const [first] = due;
        const taken = first?.alone ? [first] : due.filter(({ alone }) => !alone);
        for (const { phone } of taken) db.run('UPDATE watches SET next_at = ? WHERE phone = ?', nextAt, phone);
        return taken;
      }),

    /** What was seen; `told` counts a finding. */
    saw: (phone: string, look: Look, told: boolean): void => {
      db.run(
        `UPDATE watches SET used = ?, remaining = ?, behaviour = ?, status = ?, level = ?, checked_at = ?, alone = 0,
           told = told + ? WHERE phone = ?`,
        look.used,
        look.remaining,
        look.behaviour,
        look.status,
        look.level,
        clock.now(),
        told ? 1 : 0,
        phone,
      );
    },

    /** A list was refused for one of its numbers: each is looked at by itself, now. */
    separate: (phones: readonly string[]): void =>
      db.transaction(() => {
        for (const phone of phones)
          db.run('UPDATE watches SET alone = 1, next_at = ? WHERE phone = ?', clock.now(), phone);
      }),

    /** When the next number's turn comes; undefined where nothing is watched. */
    nextAt: (): number | undefined =>
      db.get<{ at: number | null }>('SELECT min(next_at) AS at FROM watches')?.at ?? undefined,

    /** A process that looks says so; others ask when it last did. */
    beat: (): void => {
      db.run(
        'INSERT INTO looker (one, seen_at) VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET seen_at = excluded.seen_at',
        clock.now(),
      );
    },
    /** The right to look now: given once in `gapMs`, to whichever process asks. */
    turn: (gapMs: number): boolean =>
      db.run('UPDATE looker SET looked_at = ? WHERE looked_at <= ?', clock.now(), clock.now() - gapMs + 1) === 1,
    beatAt: (): number | undefined => db.get<{ at: number }>('SELECT seen_at AS at FROM looker')?.at,

    close: (): void => db.close(),
  };
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
