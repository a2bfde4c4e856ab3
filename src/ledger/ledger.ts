import { randomBytes } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { ErrorFace } from '../errors.ts';
import type { Consent } from '../operation.ts';
import { openDatabase } from '../store/database.ts';
import type { Seal } from './seal.ts';

/** `pending → confirmed → in_flight → done | failed | unknown`, or `declined`, `expired` (design: one ledger). */
export type State = 'pending' | 'confirmed' | 'in_flight' | 'done' | 'failed' | 'unknown' | 'declined' | 'expired';

/** One call that is not a read, as it is kept. Everything here may be shown; what may not is sealed beside it. */
export interface Action {
  id: string;
  operation: string;
  actorId: string;
  actorName: string;
  surface: string;
  state: State;
  /** The input without its secrets. */
  shown: Record<string, unknown>;
  /** What a preparing step told, without its secrets. */
  known: Record<string, unknown>;
  consent: Consent | undefined;
  createdAt: number;
  expiresAt: number;
  decidedBy: string | undefined;
  decidedVia: string | undefined;
  decidedAt: number | undefined;
  sentAt: number | undefined;
  finishedAt: number | undefined;
  result: Record<string, unknown> | undefined;
  error: ErrorFace | undefined;
  owner: string | undefined;
  /** How often reading tried to find out an unknown outcome. */
  checks: number;
  updatedAt: number;
  /** What a surface remembers of it (a card's channel and ts). */
  notes: Record<string, unknown>;
}

export interface NewAction {
  operation: string;
  actorId: string;
  actorName: string;
  surface: string;
  /** `pending` waits for a person; `in_flight` is sent by its owner at once. */
  state: 'pending' | 'in_flight';
  input: Record<string, unknown>;
  shown: Record<string, unknown>;
  known: Record<string, unknown>;
  consent: Consent | undefined;
  digest: string;
  expiresAt: number;
}

/** One line of the audit trail. */
export interface AuditLine {
  at: number;
  action: string;
  operation: string;
  what: string;
  who: string;
  detail: string;
}

interface Row {
  id: string;
  operation: string;
  actor_id: string;
  actor_name: string;
  surface: string;
  state: State;
  input: Uint8Array;
  shown: string;
  known: string;
  consent: string | null;
  created_at: number;
  expires_at: number;
  decided_by: string | null;
  decided_via: string | null;
  decided_at: number | null;
  sent_at: number | null;
  finished_at: number | null;
  result: string | null;
  error: string | null;
  owner: string | null;
  checks: number;
  updated_at: number;
  notes: string;
  once: Uint8Array | null;
}

const SCHEMA = `
CREATE TABLE IF NOT EXISTS actions (
  id TEXT PRIMARY KEY, operation TEXT NOT NULL, actor_id TEXT NOT NULL, actor_name TEXT NOT NULL, surface TEXT NOT NULL,
  state TEXT NOT NULL, digest TEXT NOT NULL, input BLOB NOT NULL, shown TEXT NOT NULL, known TEXT NOT NULL, consent TEXT,
  created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, decided_by TEXT, decided_via TEXT, decided_at INTEGER,
  sent_at INTEGER, finished_at INTEGER, result TEXT, error TEXT, owner TEXT, checks INTEGER NOT NULL DEFAULT 0,
  updated_at INTEGER NOT NULL, notes TEXT NOT NULL DEFAULT '{}', once BLOB
);
CREATE INDEX IF NOT EXISTS actions_digest ON actions (digest, state);
CREATE INDEX IF NOT EXISTS actions_state ON actions (state, updated_at);
CREATE INDEX IF NOT EXISTS actions_updated ON actions (updated_at);
CREATE TABLE IF NOT EXISTS audit (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, action TEXT NOT NULL, operation TEXT NOT NULL,
  what TEXT NOT NULL, who TEXT NOT NULL, detail TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS vault (
  operation TEXT NOT NULL, key TEXT NOT NULL, sealed BLOB NOT NULL, known TEXT NOT NULL, expires_at INTEGER NOT NULL,
  PRIMARY KEY (operation, key)
);
CREATE TABLE IF NOT EXISTS owners (id TEXT PRIMARY KEY, pid INTEGER NOT NULL, host TEXT NOT NULL, seen_at INTEGER NOT NULL);
`;

/** Every one of these values stands in the shown input or the result, whole: no number is the beginning of another. */
const NAMES = `NOT EXISTS (SELECT 1 FROM json_each(?) AS named
  WHERE instr(shown || coalesce(result, ''), '"' || named.value || '"') = 0)`;
const LIVE = `state IN ('pending','confirmed','in_flight')`;

export type Ledger = ReturnType<typeof createLedger>;

/**
 * The one ledger: actions, their audit trail and the vault of kept secrets, in one SQLite file.
 * Every change of state is a compare-and-set; nobody moves an action it did not find in the state it expected.
 */
export function createLedger(options: { path: string; seal: Seal; clock: Clock; owner: Owner }) {
  const { seal, clock, owner } = options;
  const db = openDatabase(options.path, SCHEMA, { durable: true });
  db.run(
    'INSERT OR REPLACE INTO owners (id, pid, host, seen_at) VALUES (?, ?, ?, ?)',
    owner.id,
    owner.pid,
    owner.host,
    clock.now(),
  );

  const note = (action: string, operation: string, what: string, who: string, detail = '') =>
    db.run(
      'INSERT INTO audit (at, action, operation, what, who, detail) VALUES (?, ?, ?, ?, ?, ?)',
      clock.now(),
      action,
      operation,
      what,
      who,
      detail,
    );
  const find = (id: string) => db.get<Row>('SELECT * FROM actions WHERE id = ?', id);
  const read = (id: string) => {
    const row = find(id);
    return row && fromRow(row);
  };

  return {
    /** Another number than before where another process has written since. */
    version: () => db.version(),

    digest: (operation: string, input: Record<string, unknown>) => seal.digest(`${operation}\n${canonical(input)}`),

    /** Writes an action before anything is sent. A pending one of the same actor and input is returned instead. */
    create(fresh: NewAction): { action: Action; existed: boolean } {
      return db.transaction(() => {
        const now = clock.now();
        if (fresh.state === 'pending') {
          const twin = db.get<Row>(
            `SELECT * FROM actions WHERE digest = ? AND actor_id = ? AND state = 'pending' AND expires_at > ?`,
            fresh.digest,
            fresh.actorId,
            now,
          );
          if (twin) return { action: fromRow(twin), existed: true };
        }
        const id = `act_${randomBytes(16).toString('base64url')}`;
        const flying = fresh.state === 'in_flight';
        db.run(
          `INSERT INTO actions (id, operation, actor_id, actor_name, surface, state, digest, input, shown, known, consent,
             created_at, expires_at, sent_at, owner, updated_at) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)`,
          id,
          fresh.operation,
          fresh.actorId,
          fresh.actorName,
          fresh.surface,
          fresh.state,
          fresh.digest,
          seal.seal(fresh.input, id),
          JSON.stringify(fresh.shown),
          JSON.stringify(fresh.known),
          fresh.consent ? JSON.stringify(fresh.consent) : null,
          now,
          fresh.expiresAt,
          flying ? now : null,
          flying ? owner.id : null,
          now,
        );
        note(id, fresh.operation, flying ? 'sent' : 'asked', fresh.actorName, JSON.stringify(fresh.shown));
        const row = find(id);
        if (!row) throw new Error('the ledger did not keep an action');
        return { action: fromRow(row), existed: false };
      });
    },

    /** The pending action of this actor for this very input, if there is one. */
    pendingTwin(digest: string, actorId: string): Action | undefined {
      const row = db.get<Row>(
        `SELECT * FROM actions WHERE digest = ? AND actor_id = ? AND state = 'pending' AND expires_at > ?`,
        digest,
        actorId,
        clock.now(),
      );
      return row && fromRow(row);
    },

    /** An earlier call with this very input that is still running or whose outcome is unknown, whoever made it. */
    unsettledTwin(digest: string): Action | undefined {
      const row = db.get<Row>(
        `SELECT * FROM actions WHERE digest = ? AND state IN ('unknown','confirmed','in_flight') ORDER BY created_at DESC`,
        digest,
      );
      return row && fromRow(row);
    },

    get: read,

    /** The input with its secrets. Throws when the sealing key is not the one it was sealed with. */
    input: (id: string): Record<string, unknown> => {
      const row = find(id);
      if (!row) throw new Error(`no action ${id}`);
      return seal.open(row.input, id) as Record<string, unknown>;
    },

    list(filter: { actorId?: string; states?: State[]; since?: number; limit?: number }): Action[] {
      const where: string[] = ['1=1'];
      const values: (string | number)[] = [];
      if (filter.actorId !== undefined) {
        where.push('actor_id = ?');
        values.push(filter.actorId);
      }
      if (filter.states) {
        where.push(`state IN (${filter.states.map(() => '?').join(',')})`);
        values.push(...filter.states);
      }
      if (filter.since !== undefined) {
        where.push('updated_at > ?');
        values.push(filter.since);
      }
      const sql = `SELECT * FROM actions WHERE ${where.join(' AND ')} ORDER BY updated_at DESC LIMIT ?`;
      return db.all<Row>(sql, ...values, filter.limit ?? 50).map(fromRow);
    },

    /** What moved since then (epoch ms), oldest first; where that is more than `limit`, the newest of it. */
    since: (at: number, limit: number, only: { until?: number; about?: readonly string[] } = {}): Action[] =>
      db
        .all<Row>(
          `SELECT * FROM actions WHERE updated_at >= ? AND updated_at < ?
             AND ${NAMES} ORDER BY updated_at DESC LIMIT ?`,
          at,
          only.until ?? Number.MAX_SAFE_INTEGER,
          JSON.stringify(only.about ?? []),
          limit,
        )
        .map(fromRow)
        .reverse(),

    /** Actions whose shown input or result names a phone number, newest first. */
    about: (value: string, limit = 5): Action[] =>
      db
        .all<Row>(
          `SELECT * FROM actions WHERE ${NAMES} ORDER BY updated_at DESC LIMIT ?`,
          JSON.stringify([value]),
          limit,
        )
        .map(fromRow),

    /** A person's yes. Undefined when somebody was faster or it is too late. */
    confirm(id: string, who: string, via: string): Action | undefined {
      return db.transaction(() => {
        const now = clock.now();
        const won = db.run(
          `UPDATE actions SET state = 'confirmed', decided_by = ?, decided_via = ?, decided_at = ?, updated_at = ?, owner = ?
             WHERE id = ? AND state = 'pending' AND expires_at > ?`,
          who,
          via,
          now,
          now,
          owner.id,
          id,
          now,
        );
        const action = read(id);
        if (won !== 1 || !action) return undefined;
        note(id, action.operation, 'confirmed', who, via);
        return action;
      });
    },

    /** A person's no, or a caller that went away. */
    decline(id: string, who: string, via: string): Action | undefined {
      return db.transaction(() => {
        const now = clock.now();
        const won = db.run(
          `UPDATE actions SET state = 'declined', decided_by = ?, decided_via = ?, decided_at = ?, finished_at = ?, updated_at = ?
             WHERE id = ? AND state = 'pending'`,
          who,
          via,
          now,
          now,
          now,
          id,
        );
        const action = read(id);
        if (won !== 1 || !action) return undefined;
        note(id, action.operation, 'declined', who, via);
        return action;
      });
    },

    /** The right to send, given once: `confirmed → in_flight`, on disk before it returns. */
    claim(id: string): boolean {
      return db.transaction(() => {
        const now = clock.now();
        const won = db.run(
          `UPDATE actions SET state = 'in_flight', owner = ?, sent_at = ?, updated_at = ? WHERE id = ? AND state = 'confirmed'`,
          owner.id,
          now,
          now,
          id,
        );
        const action = read(id);
        if (won !== 1 || !action) return false;
        note(id, action.operation, 'sent', action.decidedBy ?? action.actorName);
        return true;
      });
    },

    /** The end of an action, together with a secret to keep or to show once. */
    settle(
      id: string,
      end: {
        from: State[];
        state: 'done' | 'failed' | 'unknown';
        result?: Record<string, unknown>;
        error?: ErrorFace;
        keep?: { operation: string; key: string; secret: string; known: Record<string, unknown>; expiresAt: number };
        once?: Record<string, string>;
        who?: string;
      },
    ): boolean {
      return db.transaction(() => {
        const now = clock.now();
        const won = db.run(
          `UPDATE actions SET state = ?, result = ?, error = ?, finished_at = ?, updated_at = ?, once = ?
             WHERE id = ? AND state IN (${end.from.map(() => '?').join(',')})`,
          end.state,
          end.result ? JSON.stringify(end.result) : null,
          end.error ? JSON.stringify(end.error) : null,
          now,
          now,
          end.once ? seal.seal(end.once, `${id}/once`) : null,
          id,
          ...end.from,
        );
        if (won !== 1) return false;
        if (end.keep) {
          const { operation, key, secret, known, expiresAt } = end.keep;
          db.run(
            'INSERT OR REPLACE INTO vault (operation, key, sealed, known, expires_at) VALUES (?, ?, ?, ?, ?)',
            operation,
            key,
            seal.seal(secret, `${operation}/${key}`),
            JSON.stringify(known),
            expiresAt,
          );
        }
        const action = read(id);
        note(id, action?.operation ?? '', end.state, end.who ?? 'switchboard', end.error?.message ?? '');
        return true;
      });
    },

    /** Removes and answers what was made for the person who confirmed; a second reader gets nothing. */
    takeOnce(id: string): Record<string, string> | undefined {
      return db.transaction(() => {
        const row = find(id);
        if (!row?.once) return undefined;
        db.run('UPDATE actions SET once = NULL WHERE id = ?', id);
        return seal.open(row.once, `${id}/once`) as Record<string, string>;
      });
    },

    hasOnce: (id: string): boolean => Boolean(find(id)?.once),

    /** What is known of a kept secret, without the secret. */
    kept(operation: string, key: string): { known: Record<string, unknown>; expiresAt: number } | undefined {
      const row = db.get<{ known: string; expires_at: number }>(
        'SELECT known, expires_at FROM vault WHERE operation = ? AND key = ? AND expires_at > ?',
        operation,
        key,
        clock.now(),
      );
      return row && { known: JSON.parse(row.known), expiresAt: row.expires_at };
    },

    /** Takes a kept secret out: single use, whatever becomes of the call. */
    take(operation: string, key: string): string | undefined {
      return db.transaction(() => {
        const row = db.get<{ sealed: Uint8Array; expires_at: number }>(
          'SELECT sealed, expires_at FROM vault WHERE operation = ? AND key = ?',
          operation,
          key,
        );
        db.run('DELETE FROM vault WHERE operation = ? AND key = ?', operation, key);
        if (!row || row.expires_at <= clock.now()) return undefined;
        return seal.open(row.sealed, `${operation}/${key}`) as string;
      });
    },

    checked(id: string): void {
      db.run('UPDATE actions SET checks = checks + 1 WHERE id = ?', id);
    },

    /** Writes a note where none of that name stands, or only one written before `stale` (epoch ms): one of many wins. */
    claimNote: (id: string, name: string, stale: number): boolean =>
      db.transaction(() => {
        const action = read(id);
        const before = action?.notes[name];
        if (!action || (typeof before === 'number' && before > stale)) return false;
        const notes = JSON.stringify({ ...action.notes, [name]: clock.now() });
        return db.run('UPDATE actions SET notes = ? WHERE id = ?', notes, id) === 1;
      }),

    remember(id: string, notes: Record<string, unknown>): void {
      db.transaction(() => {
        const action = read(id);
        if (action)
          db.run('UPDATE actions SET notes = ? WHERE id = ?', JSON.stringify({ ...action.notes, ...notes }), id);
      });
    },

    /** Moves what nobody confirmed in time to `expired`; answers those moved. */
    expire(): Action[] {
      return db.transaction(() => {
        const now = clock.now();
        const due = db.all<Row>(`SELECT * FROM actions WHERE state = 'pending' AND expires_at <= ?`, now);
        for (const row of due) {
          db.run(
            `UPDATE actions SET state = 'expired', finished_at = ?, updated_at = ? WHERE id = ? AND state = 'pending'`,
            now,
            now,
            row.id,
          );
          note(row.id, row.operation, 'expired', 'switchboard');
        }
        db.run('DELETE FROM vault WHERE expires_at <= ?', now);
        return due.map((row) => fromRow({ ...row, state: 'expired' }));
      });
    },

    /** Confirmed or sent actions whose process is gone. `adopt` makes this process their owner. */
    orphans(isAlive: (owner: { pid: number; host: string; seenAt: number }) => boolean): Action[] {
      return db.transaction(() => {
        const rows = db.all<Row>(
          `SELECT * FROM actions WHERE state IN ('confirmed','in_flight') AND owner IS NOT ?`,
          owner.id,
        );
        return rows.flatMap((row) => {
          const other = db.get<{ pid: number; host: string; seen_at: number }>(
            'SELECT pid, host, seen_at FROM owners WHERE id = ?',
            row.owner,
          );
          if (other && isAlive({ pid: other.pid, host: other.host, seenAt: other.seen_at })) return [];
          db.run('UPDATE actions SET owner = ?, updated_at = ? WHERE id = ?', owner.id, clock.now(), row.id);
          return [fromRow(row)];
        });
      });
    },

    /** Says that this process is alive. */
    beat(): void {
      db.run('UPDATE owners SET seen_at = ? WHERE id = ?', clock.now(), owner.id);
    },

    /** Order ids that stand in results of done actions. */
    claimedOrders(): Set<string> {
      const rows = db.all<{ id: string | null }>(
        `SELECT json_extract(result, '$.OrderId') AS id FROM actions WHERE state = 'done' AND result IS NOT NULL`,
      );
      return new Set(rows.flatMap((row) => (row.id === null ? [] : [row.id])));
    },

    audit: (limit = 100): AuditLine[] => db.all<AuditLine>('SELECT * FROM audit ORDER BY seq DESC LIMIT ?', limit),

    counts: (): { state: State; n: number }[] =>
      db.all<{ state: State; n: number }>('SELECT state, count(*) AS n FROM actions GROUP BY state'),

    live: (): number => db.get<{ n: number }>(`SELECT count(*) AS n FROM actions WHERE ${LIVE}`)?.n ?? 0,

    close(): void {
      db.run('DELETE FROM owners WHERE id = ?', owner.id);
      db.close();
    },
  };
}

/** A process that may own actions. */
export interface Owner {
  id: string;
  pid: number;
  host: string;
}

function fromRow(row: Row): Action {
  return {
    id: row.id,
    operation: row.operation,
    actorId: row.actor_id,
    actorName: row.actor_name,
    surface: row.surface,
    state: row.state,
    shown: JSON.parse(row.shown),
    known: JSON.parse(row.known),
    consent: row.consent === null ? undefined : JSON.parse(row.consent),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    decidedBy: row.decided_by ?? undefined,
    decidedVia: row.decided_via ?? undefined,
    decidedAt: row.decided_at ?? undefined,
    sentAt: row.sent_at ?? undefined,
    finishedAt: row.finished_at ?? undefined,
    result: row.result === null ? undefined : JSON.parse(row.result),
    error: row.error === null ? undefined : JSON.parse(row.error),
    owner: row.owner ?? undefined,
    checks: row.checks,
    updatedAt: row.updated_at,
    notes: JSON.parse(row.notes),
  };
}

/** JSON with sorted keys: the same input gives the same text, whatever order it was typed in. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(',')}}`;
  }
  return JSON.stringify(value);
}
