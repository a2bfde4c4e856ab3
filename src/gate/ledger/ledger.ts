import { randomBytes } from 'node:crypto';
import type { Consent } from '../../catalogue/operation.ts';
import { identified, type Way } from '../../lib/actor.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ErrorFace } from '../../lib/errors.ts';
import { addColumns, openDatabase } from '../../store/database.ts';
import { createHeldSecrets } from './held.ts';
import { type OutcomeRecord, outcomeRecords } from './outcomes.ts';
import { bindingOf, flawOfAsked, flawOfConfirmed, type ProvenRow, proofOf } from './proof.ts';
import type { Seal } from './seal.ts';

/** `pending → confirmed → in_flight → done | partly | failed | unknown`, or `declined`, `expired`. */
export type State =
  | 'pending'
  | 'confirmed'
  | 'in_flight'
  | 'done'
  | 'partly'
  | 'failed'
  | 'unknown'
  | 'declined'
  | 'expired';

/** One call that is not a read, as it is kept. Everything here may be shown; what may not is sealed beside it. */
export interface Action {
  id: string;
  operation: string;
  actorId: string;
  actorName: string;
  /** Identity of the requester (`personOf`). */
  person: string;
  surface: string;
  state: State;
  /** The input without its secrets. */
  shown: Record<string, unknown>;
  /** What a preparing step told, without its secrets. */
  known: Record<string, unknown>;
  consent: Consent | undefined;
  createdAt: number;
  expiresAt: number;
  /** Name of whoever decided, as a person reads it. */
  decidedBy: string | undefined;
  /** Identity of whoever decided; undefined where nobody did (voided), or before identities were kept. */
  decidedPerson: string | undefined;
  /** A way of CONFIRM_VIA; `cancelled` where the caller went away before anybody decided. */
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
  /** Identity of the requester; left out, the actor's id. */
  person?: string;
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
  /** Who did this step, as a person reads it. */
  who: string;
  detail: string;
  /** Identity of whoever asked for the action. */
  requester: string | null;
  /** Identity and name of whoever decided, once somebody did. */
  decider: string | null;
  /** The way they decided by. */
  way: string | null;
}

/** Who decided, and by which way. */
export interface DecidedBy {
  person: string;
  name: string;
  way: Way;
}

interface Row extends ProvenRow {
  state: State;
  owner: string | null;
  checks: number;
  updated_at: number;
  notes: string;
  once: Uint8Array | null;
}

/** What is no step of another action. */
const WHOLE = `json_extract(notes, '$.partOf') IS NULL`;

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
CREATE INDEX IF NOT EXISTS actions_once ON actions (id) WHERE once IS NOT NULL;
CREATE TABLE IF NOT EXISTS audit (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, action TEXT NOT NULL, operation TEXT NOT NULL,
  what TEXT NOT NULL, who TEXT NOT NULL, detail TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS audit_action ON audit (action);
CREATE TABLE IF NOT EXISTS vault (
  operation TEXT NOT NULL, key TEXT NOT NULL, sealed BLOB NOT NULL, known TEXT NOT NULL, expires_at INTEGER NOT NULL,
  PRIMARY KEY (operation, key)
);
CREATE TABLE IF NOT EXISTS owners (id TEXT PRIMARY KEY, pid INTEGER NOT NULL, host TEXT NOT NULL, seen_at INTEGER NOT NULL);
`;
/** Columns that files of earlier versions lack. */
const ADDED = {
  actions: { person: 'TEXT', decided_person: 'TEXT', bound: 'TEXT', proof: 'TEXT' },
  audit: { requester: 'TEXT', decider: 'TEXT', way: 'TEXT' },
};

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
  for (const [table, columns] of Object.entries(ADDED)) addColumns(db, table, columns);
  db.run(
    'INSERT OR REPLACE INTO owners (id, pid, host, seen_at) VALUES (?, ?, ?, ?)',
    owner.id,
    owner.pid,
    owner.host,
    clock.now(),
  );

  const held = createHeldSecrets(db, seal, clock);
  const find = (id: string) => db.get<Row>('SELECT * FROM actions WHERE id = ?', id);
  /** One line of the audit trail about an action as it stands; `by` decided this very step. */
  const note = (id: string, what: string, who: string, detail = '', by?: DecidedBy) => {
    const row = find(id);
    const decider = by?.person ?? row?.decided_person;
    db.run(
      'INSERT INTO audit (at, action, operation, what, who, detail, requester, decider, way) VALUES (?,?,?,?,?,?,?,?,?)',
      clock.now(),
      id,
      row?.operation ?? '',
      what,
      who,
      detail,
      row?.person ?? row?.actor_id ?? null,
      decider ? identified(decider, by?.name ?? row?.decided_by ?? undefined) : null,
      by?.way ?? row?.decided_via ?? null,
    );
  };
  const read = (id: string) => {
    const row = find(id);
    return row && fromRow(row);
  };

  const prove = (id: string, state: 'confirmed' | 'declined') => {
    const row = find(id);
    if (row) db.run('UPDATE actions SET proof = ? WHERE id = ?', proofOf(row, state, seal), id);
  };
  /** A record that cannot even be checked is no better than one that fails. */
  const flawOf = (check: () => string | undefined): string | undefined => {
    try {
      return check();
    } catch (error) {
      return `it cannot be read (${String(error)})`;
    }
  };

  /** What the audit trail has of an action that a confirmed one cannot have. */
  const tracesOf = (id: string): string[] =>
    db
      .all<{ what: string }>(
        `SELECT DISTINCT what FROM audit WHERE action = ? AND what NOT IN ('asked', 'confirmed') ORDER BY what`,
        id,
      )
      .map(({ what }) => what);

  const outcomes = outcomeRecords(db, clock);
  const putSecret = ({ operation, key, secret, known, expiresAt }: KeptSecret) =>
    db.run(
      'INSERT OR REPLACE INTO vault (operation, key, sealed, known, expires_at) VALUES (?, ?, ?, ?, ?)',
      operation,
      key,
      seal.seal(secret, `${operation}/${key}`),
      JSON.stringify(known),
      expiresAt,
    );

  return {
    ...outcomes,
    /** Who owns what this process claims. */
    ownerId: owner.id,
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
          `INSERT INTO actions (id, operation, actor_id, actor_name, person, surface, state, digest, input, shown, known,
             consent, created_at, expires_at, sent_at, owner, updated_at) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)`,
          id,
          fresh.operation,
          fresh.actorId,
          fresh.actorName,
          fresh.person ?? fresh.actorId,
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
        const row = find(id);
        if (!row) throw new Error('the ledger did not keep an action');
        db.run('UPDATE actions SET bound = ? WHERE id = ?', bindingOf(row, seal), id);
        note(id, flying ? 'sent' : 'asked', fresh.actorName, JSON.stringify(fresh.shown));
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

    /** Earlier calls with this very input that are still running or whose outcome is unknown, the newest first. */
    unsettledTwins: (digest: string): Action[] =>
      db
        .all<Row>(
          `SELECT * FROM actions WHERE digest = ? AND state IN ('unknown','confirmed','in_flight')
             ORDER BY created_at DESC`,
          digest,
        )
        .map(fromRow),

    /** The same calls as this one, by anybody, that were sent and have no known end; the newest first. */
    sentTwins: (id: string): Action[] =>
      db
        .all<Row>(
          `SELECT * FROM actions WHERE digest = (SELECT digest FROM actions WHERE id = ?) AND id <> ?
             AND state IN ('unknown','in_flight') ORDER BY created_at DESC`,
          id,
          id,
        )
        .map(fromRow),

    get: read,

    /** The input with its secrets. Throws when the sealing key is not the one it was sealed with. */
    input: (id: string): Record<string, unknown> => {
      const row = find(id);
      if (!row) throw new Error(`no action ${id}`);
      return seal.open(row.input, id) as Record<string, unknown>;
    },

    /** `whole`: without the steps of a workflow, whose own action tells of them. */
    list(filter: { actorId?: string; states?: State[]; since?: number; limit?: number; whole?: boolean }): Action[] {
      const where: string[] = [filter.whole ? WHOLE : '1=1'];
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
    since: (
      at: number,
      limit: number,
      only: { until?: number; about?: readonly string[]; whole?: boolean } = {},
    ): Action[] =>
      db
        .all<Row>(
          `SELECT * FROM actions WHERE updated_at >= ? AND updated_at < ?
             AND ${only.whole ? WHOLE : '1=1'} AND ${NAMES} ORDER BY updated_at DESC LIMIT ?`,
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

    /** A person's yes. Undefined when somebody was faster, it is too late, or the record is not as it was asked for. */
    confirm(id: string, by: DecidedBy): Action | undefined {
      return db.transaction(() => {
        const now = clock.now();
        const asked = find(id);
        if (!asked || flawOfAsked(asked, seal, now) !== undefined) return undefined;
        const won = db.run(
          `UPDATE actions SET state = 'confirmed', decided_by = ?, decided_person = ?, decided_via = ?, decided_at = ?,
             updated_at = ?, owner = ? WHERE id = ? AND state = 'pending' AND expires_at > ?`,
          by.name,
          by.person,
          by.way,
          now,
          now,
          owner.id,
          id,
          now,
        );
        if (won !== 1) return undefined;
        prove(id, 'confirmed');
        note(id, 'confirmed', by.name, by.way);
        return read(id);
      });
    },

    /** A person's no; `undefined` for a caller that went away before anybody decided. */
    decline(id: string, by: DecidedBy | undefined): Action | undefined {
      return db.transaction(() => {
        const now = clock.now();
        const won = db.run(
          `UPDATE actions SET state = 'declined', decided_by = ?, decided_person = ?, decided_via = ?, decided_at = ?,
             finished_at = ?, updated_at = ? WHERE id = ? AND state = 'pending'`,
          by?.name ?? null,
          by?.person ?? null,
          by?.way ?? 'cancelled',
          now,
          now,
          now,
          id,
        );
        if (won !== 1) return undefined;
        prove(id, 'declined');
        note(id, 'declined', by?.name ?? 'switchboard', by?.way ?? 'cancelled');
        return read(id);
      });
    },

    /**
     * What a confirmed action runs with, where its record carries this installation's seals over what was asked for and
     * over the decision. `flaw` says why it must not be run.
     */
    confirmed(id: string): { action: Action; input: Record<string, unknown> } | { flaw: string } {
      const row = find(id);
      if (!row) return { flaw: 'it is not in the ledger' };
      const flaw = flawOf(() => flawOfConfirmed(row, seal, clock.now(), tracesOf(id)));
      if (flaw !== undefined) return { flaw };
      return { action: fromRow(row), input: seal.open(row.input, id) as Record<string, unknown> };
    },

    /** Why a waiting action may not be confirmed; undefined where its record is as it was asked for. */
    flaw(id: string): string | undefined {
      const row = find(id);
      return row && flawOf(() => flawOfAsked(row, seal, clock.now()));
    },

    /**
     * The right to send, given once: `confirmed → in_flight`, on disk before it returns. Only its owner has it: a
     * process that slept while another took the action over does not.
     */
    claim(id: string): boolean {
      return db.transaction(() => {
        const now = clock.now();
        const won = db.run(
          `UPDATE actions SET state = 'in_flight', sent_at = ?, updated_at = ? WHERE id = ? AND state = 'confirmed' AND owner = ?`,
          now,
          now,
          id,
          owner.id,
        );
        const action = read(id);
        if (won !== 1 || !action) return false;
        note(id, 'sent', action.decidedBy ?? action.actorName);
        return true;
      });
    },

    /** The end of an action, together with a secret to keep or to show once. */
    settle(
      id: string,
      end: {
        from: State[];
        state: 'done' | 'partly' | 'failed' | 'unknown';
        result?: Record<string, unknown>;
        error?: ErrorFace;
        keep?: KeptSecret;
        once?: Record<string, string>;
        who?: string;
        /** The person who says how it ended. */
        by?: DecidedBy;
        /** For the audit trail; by default the error's message. */
        detail?: string;
        /** Epoch ms of the last byte sent. */
        writtenAt?: number | undefined;
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
        held.changed();
        if (end.keep) putSecret(end.keep);
        if (end.state === 'unknown') outcomes.keepOutcome(id, newOutcome(end.writtenAt, end.error, now));
        // What was partly done names the rest in its result's warning.
        const rest = end.state === 'partly' ? end.result?.Warning : undefined;
        const detail = end.detail ?? end.error?.message ?? (typeof rest === 'string' ? rest : '');
        note(id, end.state, end.who ?? 'switchboard', detail, end.by);
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

    /** Takes a kept secret out, so that no second call can send it; `putBack` where the call never left. */
    take(operation: string, key: string): KeptSecret | undefined {
      return db.transaction(() => {
        const row = db.get<{ sealed: Uint8Array; known: string; expires_at: number }>(
          'SELECT sealed, known, expires_at FROM vault WHERE operation = ? AND key = ?',
          operation,
          key,
        );
        db.run('DELETE FROM vault WHERE operation = ? AND key = ?', operation, key);
        if (!row || row.expires_at <= clock.now()) return undefined;
        const secret = seal.open(row.sealed, `${operation}/${key}`) as string | number;
        return { operation, key, secret, known: JSON.parse(row.known), expiresAt: row.expires_at };
      });
    },

    /** Keeps a secret again that was taken for a call which never left. One that was kept meanwhile stays. */
    putBack(kept: KeptSecret): void {
      db.transaction(() => {
        const newer = db.get('SELECT 1 FROM vault WHERE operation = ? AND key = ?', kept.operation, kept.key);
        if (newer === undefined && kept.expiresAt > clock.now()) putSecret(kept);
      });
    },

    /** Every secret that waits here to be taken or shown, for redaction by value. */
    secrets: held.values,

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
          note(row.id, 'expired', 'switchboard');
        }
        db.run('DELETE FROM vault WHERE expires_at <= ?', now);
        return due.map((row) => fromRow({ ...row, state: 'expired' }));
      });
    },

    /**
     * Confirmed or sent actions whose owner has written no sign of life for `silentMs`. They become this process's
     * own: the former owner, should it only have slept, finds its claim gone.
     */
    orphans(silentMs: number): Action[] {
      return db.transaction(() => {
        const now = clock.now();
        const rows = db.all<Row>(
          `SELECT * FROM actions WHERE state IN ('confirmed','in_flight') AND owner IS NOT ?
             AND NOT EXISTS (SELECT 1 FROM owners WHERE owners.id = actions.owner AND owners.seen_at > ?)`,
          owner.id,
          now - silentMs,
        );
        for (const row of rows)
          db.run('UPDATE actions SET owner = ?, updated_at = ? WHERE id = ?', owner.id, now, row.id);
        return rows.map(fromRow);
      });
    },

    /** Says that this process is alive. */
    beat(): void {
      db.run('UPDATE owners SET seen_at = ? WHERE id = ?', clock.now(), owner.id);
    },

    audit: (limit = 100): AuditLine[] => db.all<AuditLine>('SELECT * FROM audit ORDER BY seq DESC LIMIT ?', limit),

    counts: (): { state: State; n: number }[] =>
      db.all<{ state: State; n: number }>('SELECT state, count(*) AS n FROM actions GROUP BY state'),

    live: (): number => db.get<{ n: number }>(`SELECT count(*) AS n FROM actions WHERE ${LIVE}`)?.n ?? 0,

    close(): void {
      held.close();
      db.run('DELETE FROM owners WHERE id = ?', owner.id);
      db.close();
    },
  };
}

/** A secret of an answer, kept for one later call (an AuthCode). */
export interface KeptSecret {
  /** The operation that answered it. */
  operation: string;
  key: string;
  secret: string | number;
  /** What may be shown of the answer it came with. */
  known: Record<string, unknown>;
  /** Epoch ms. */
  expiresAt: number;
}

function newOutcome(writtenAt: number | undefined, error: ErrorFace | undefined, now: number): OutcomeRecord {
  return { writtenAt, notDone: undefined, saw: undefined, lookAt: now, looks: 0, error };
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
    person: row.person ?? row.actor_id,
    surface: row.surface,
    state: row.state,
    shown: record(row.shown) ?? {},
    known: record(row.known) ?? {},
    consent: row.consent === null ? undefined : (record(row.consent) as Consent | undefined),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    decidedBy: row.decided_by ?? undefined,
    decidedPerson: row.decided_person ?? undefined,
    decidedVia: row.decided_via ?? undefined,
    decidedAt: row.decided_at ?? undefined,
    sentAt: row.sent_at ?? undefined,
    finishedAt: row.finished_at ?? undefined,
    result: row.result === null ? undefined : record(row.result),
    error: row.error === null ? undefined : (record(row.error) as ErrorFace | undefined),
    owner: row.owner ?? undefined,
    checks: row.checks,
    updatedAt: row.updated_at,
    notes: record(row.notes) ?? {},
  };
}

/** A JSON object of a column; undefined for anything else, so that one broken row does not hide all others. */
function record(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
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
