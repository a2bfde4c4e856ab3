import type { SentCall } from '../catalogue/operation.ts';
import { aheadOf, HOUR_MS, monotonicOf, WEEK_MS } from '../lib/clock.ts';
import type { Failure } from '../lib/errors.ts';
import { type Fields, recordOf } from '../lib/values.ts';
import { inSteps, json, marks, update } from '../store/key-values.ts';
import type { Database, Queries, Value } from '../store/types.ts';
import { addJob, backoff, chunks, type NewJob, removeJob } from '../work/jobs.ts';
import {
  type ActionRow,
  actionOf,
  addAudit,
  type ClaimedRows,
  type End,
  notesOf,
  type State,
  type StoredSecret,
} from './action.ts';
import { isName, PLACES, VALUES } from './lookups.ts';
import { LedgerPart, type Seal } from './seal.ts';

/* Writes the rows of an action: its question, the decision and the end. */

/** A row of a batch that is neither sent nor left out, and has no answer. */
export const OPEN_ROW = 'action IS NULL AND failure IS NULL AND result IS NULL';

/**
 * Thrown when an action may not be sent: another one has claimed a row of its batch, the batch does not run any more, or
 * the same call was made beside it. Or an action may not be written, because a question that it takes the place of does not
 * wait any more: the message is its id.
 */
export class AlreadyTaken extends Error {
  override readonly name = 'AlreadyTaken';
}

/**
 * Claims rows of a batch for an action, all or none. Throws `AlreadyTaken`. The lock on the batch makes a pause or stop
 * wait for a claim under way, so that nothing is claimed after it was answered.
 */
export async function claimRows(queries: Queries, { id, rows }: ClaimedRows, action: string): Promise<void> {
  if (!(await batchRuns(queries, id))) throw new AlreadyTaken();
  const claimed = await queries.run(
    `UPDATE batch_rows SET action = ? WHERE batch = ? AND asked IS NOT NULL AND ${OPEN_ROW}
       AND n IN (${marks(rows)})`,
    ...[action, id, ...rows],
  );
  if (claimed !== rows.length) throw new AlreadyTaken();
}

/** True if a batch runs, so that its rows may be sent. In a transaction, it stays so until the end. */
export async function batchRuns(queries: Queries, id: string): Promise<boolean> {
  return (await queries.get(`SELECT 1 FROM batches WHERE id = ? AND state = 'running' FOR UPDATE`, id)) !== undefined;
}

/** The job of an action in each state that it may leave. */
const JOBS: Partial<Record<State, LaterKind>> = {
  pending: 'expire',
  confirmed: 'send',
  in_flight: 'send',
  unknown: 'read',
};

/** Replaces the job of the state that an action leaves by that of its new one, and has it drawn. `now`: epoch ms. */
export async function moveJobs(queries: Queries, past: State | undefined, row: ActionRow, now: number) {
  const { id, state, owner, expires_at, consent } = row;
  const [old, next] = [past && JOBS[past], JOBS[state]];
  if (old === next) return;
  if (old) await removeJob(queries, laterKey(old, id));
  const due = next === 'send' ? { heldBy: owner ?? '' } : { runAt: next === 'expire' ? expires_at : now + backoff(1) };
  if (next) await addJob(queries, laterJob(next, id, due), now);
  // A person has not seen what is sent without a question.
  if (consent !== null && state !== 'in_flight') await addJob(queries, laterJob('show', id), now);
}

/** Changes columns of an action, which the caller has locked and read, and the jobs that follow from its state. */
export async function changeRow(queries: Queries, before: ActionRow, set: Partial<ActionRow>, now: number) {
  const row: ActionRow = { ...before, ...set, updated_at: now };
  await update(queries, 'actions', { ...set, updated_at: now }, 'id = ?', row.id);
  await queries.run('UPDATE action_names SET updated_at = ? WHERE action = ?', now, row.id);
  await moveJobs(queries, before.state, row, now);
  return row;
}

/** Rows that are deleted in one step. */
const STEP = 100;

/**
 * Deletes old rows of a table in small steps. Processes that do this at the same time delete different rows.
 *
 * @param old selects their ids with these values
 * @param also deletes what belongs to the rows with these ids
 * @returns the number of deleted rows
 */
export function deleteOldRows(
  db: Database,
  table: string,
  [old, ...values]: [string, ...Value[]],
  also: (queries: Queries, ids: readonly string[]) => Promise<unknown>,
): Promise<number> {
  return inSteps(STEP, async () => {
    // Read first, so that nothing is written if there is no old row.
    if ((await db.get(`${old} LIMIT 1`, ...values)) === undefined) return 0;
    return db.transaction(async (queries) => {
      const sql = `DELETE FROM ${table} WHERE id IN (${old} LIMIT ${STEP} FOR UPDATE SKIP LOCKED) RETURNING id`;
      const ids = (await queries.all<{ id: string }>(sql, ...values)).map(({ id }) => id);
      if (ids.length > 0) await also(queries, ids);
      return ids.length;
    });
  });
}

const ASKED = PLACES.shown | PLACES.known;

/** The part of the ledger about actions whose outcome is, or was, unknown. */
export class Readings extends LedgerPart {
  /**
   * The attempts to resolve this outcome so far; undefined before the first. If the clock was set forward since, or the
   * machine was suspended, the times in it are later by as much, so that no time seems to have passed. The monotonic time
   * of a machine that has restarted does not tell.
   */
  async find(id: string): Promise<ReadingRecord | undefined> {
    const row = await this.parts.db.get<{ reading: string | null }>('SELECT reading FROM actions WHERE id = ?', id);
    const record = row?.reading ? (JSON.parse(row.reading) as ReadingRecord) : undefined;
    const { writtenAt: at, ahead, notDone } = record ?? {};
    if (record === undefined || at === undefined || ahead === undefined) return record;
    const { clock } = this.parts;
    const set = at - ahead > monotonicOf(clock) ? 0 : Math.max(0, Math.round(aheadOf(clock) - ahead));
    return { ...record, writtenAt: at + set, notDone: notDone && { ...notDone, at: notDone.at + set } };
  }

  /** Writes the record of an action. */
  async save(id: string, record: ReadingRecord): Promise<void> {
    const reading = JSON.stringify({ ...record, ahead: aheadOf(this.parts.clock) });
    await update(this.parts.db, 'actions', { reading }, 'id = ?', id);
  }

  /** Replaces the error of an action that is still unknown. Resolves to false if it is no longer unknown. */
  updateError(id: string, error: Failure): Promise<boolean> {
    return this.parts.db.transaction(async (queries) => {
      const sql = `SELECT * FROM actions WHERE id = ? AND state = 'unknown' FOR UPDATE`;
      const row = await queries.get<ActionRow>(sql, id);
      if (row) await changeRow(queries, row, { error: JSON.stringify(error) }, this.parts.clock.now());
      return row !== undefined;
    });
  }

  /** Ids of unknown actions whose shown input contains this value as a whole string. */
  unknownAbout(value: string): Promise<string[]> {
    return this.#ids(
      `SELECT a.id AS id FROM actions a CROSS JOIN action_names n
         WHERE a.state = 'unknown' AND n.action = a.id AND n.value = ? AND (n.places & ${PLACES.shown}) <> 0`,
      value,
    );
  }

  /** Ids of actions of the same operation that are running or whose outcome is unknown. */
  openLike(operation: string, except: string): Promise<string[]> {
    const sql = `SELECT id FROM actions WHERE operation = ? AND id <> ? AND state IN ('in_flight','unknown')`;
    return this.#ids(sql, operation, except);
  }

  async #ids(sql: string, ...values: Value[]): Promise<string[]> {
    return (await this.parts.db.all<{ id: string }>(sql, ...values)).map(({ id }) => id);
  }

  /**
   * Returns the values that occur in the result of an action of the same operation that was done, in whole or in part,
   * and ended at `since` (epoch ms) or later. A value that the ledger does not list counts as claimed, because it
   * cannot be looked up.
   */
  async claimed(
    operation: string,
    { values, except, since }: { values: readonly string[]; except: string; since: number },
  ): Promise<ReadonlySet<string>> {
    const claimed = new Set(values.filter((value) => !isName(value)));
    const listed = [...new Set(values.filter(isName))];
    for (const some of chunks(listed, VALUES)) {
      const rows = await this.parts.db.all<{ value: string }>(
        `SELECT n.value AS value FROM action_names n JOIN actions a ON a.id = n.action
           WHERE n.value IN (${marks(some)}) AND n.updated_at >= ?
             AND (n.places & ${PLACES.result}) <> 0 AND a.operation = ? AND a.id <> ?
             AND a.state IN ('done','partly') AND a.finished_at >= ?`,
        ...some,
        since,
        operation,
        except,
        since,
      );
      for (const { value } of rows) claimed.add(value);
    }
    return claimed;
  }

  /**
   * Actions of any operation whose shown input or known values contain this value as a whole string, and that are open
   * or were done at `since` (epoch ms) or later.
   */
  async sentAbout(value: string, except: string, since: number): Promise<SentCall[]> {
    const named = `n.action = a.id AND n.value = ? AND (n.places & ${ASKED}) <> 0 AND a.id <> ?`;
    const rows = await this.parts.db.all<ActionRow>(
      `SELECT a.* FROM actions a CROSS JOIN action_names n WHERE a.state IN ('in_flight','unknown') AND ${named}
       UNION ALL SELECT a.* FROM action_names n CROSS JOIN actions a
         WHERE ${named} AND n.updated_at >= ? AND a.state IN ('done','partly') AND a.finished_at >= ?`,
      ...[value, except, value, except, since, since],
    );
    return rows.map((row) => {
      const { id, operation, state, shown, known } = actionOf(row, this.parts.seal);
      return { id, operation, open: state === 'in_flight' || state === 'unknown', shown, known };
    });
  }
}

/** Maximum length of a reading's text. */
export const MAX_OBSERVED = 700;
/** Readings begin this far into the backoff, so that the first wait is 16 s. */
const FIRST_WAIT = 5;
/**
 * Time of the next reading (epoch ms): after a growing wait at first, hourly after the first hour, and only on request
 * after a week. `settled`: time from which the platform can no longer be working on the action.
 */
export function nextReadingAt(attempts: number, began: number, settled: number): number | undefined {
  const age = began - settled;
  if (age > WEEK_MS) return undefined;
  const wait = age > HOUR_MS ? HOUR_MS : backoff(FIRST_WAIT + attempts);
  return began < settled ? Math.min(began + wait, settled) : began + wait;
}

/* The jobs of the ledger. They are added and removed in the transactions that change actions. */

/** Kinds of jobs. `start/runtime.ts` registers their handlers, except that of `show`, which belongs to the surface. */
export const LATER = {
  /** The time of a question is over. */
  expire: 'action.expire',
  /** Held by the process that sends the action, so the handler runs only when that process is gone. */
  send: 'action.send',
  /** An unknown outcome is read. */
  read: 'action.read',
  /** A surface draws an action that a person decides, after each change of its state. */
  show: 'action.show',
  /** Secrets that have expired are deleted. */
  secrets: 'ledger.secrets',
  /** Old actions and batches are deleted. */
  retention: 'ledger.retention',
} as const;

/** The kinds of jobs about one action. */
type LaterKind = 'expire' | 'send' | 'read' | 'show';

export const laterKey = (kind: LaterKind, id: string) => `${LATER[kind]} ${id}`;

/** A job about an action. `runAt`: epoch ms, now if left out. `heldBy`: the process that does it by itself. */
export function laterJob(kind: LaterKind, id: string, more: Pick<NewJob, 'runAt' | 'heldBy'> = {}) {
  return { kind: LATER[kind], key: laterKey(kind, id), payload: { action: id }, ...more };
}

/**
 * Data that surfaces store with an action, such as the channel of its card. Notes have no effect on decisions: they
 * cannot change a state, input or consent.
 */
export class ActionNotes extends LedgerPart {
  /** Adds notes to an action. */
  async remember(id: string, notes: Fields): Promise<void> {
    await this.#change(id, () => notes);
  }

  /** Adds members to the note of one name, and removes those that are undefined. */
  async merge(id: string, name: string, members: Fields): Promise<void> {
    await this.#change(id, (before) => ({ [name]: { ...recordOf(before[name]), ...members } }));
  }

  /** Writes a note unless one of that name was written after `stale` (epoch ms): of several processes, one succeeds. */
  claim(id: string, name: string, stale: number): Promise<boolean> {
    return this.#change(id, ({ [name]: written }) =>
      typeof written === 'number' && written > stale ? undefined : { [name]: this.parts.clock.now() },
    );
  }

  /** Writes the notes that `change` gives for those of now. False if it gives none, or there is no such action. */
  #change(id: string, change: (before: Fields) => Fields | undefined): Promise<boolean> {
    return this.parts.db.transaction(async (queries) => {
      const row = await queries.get<ActionRow>('SELECT * FROM actions WHERE id = ? FOR UPDATE', id);
      const before = row && notesOf(row);
      const notes = before && change(before);
      if (notes === undefined) return false;
      await queries.run('UPDATE actions SET notes = ? WHERE id = ?', JSON.stringify({ ...before, ...notes }), id);
      return true;
    });
  }
}

/** Notes, without the way they are stored. */
export type Notes = Pick<ActionNotes, keyof ActionNotes>;

/** A secret, and the time (epoch ms) until which it is redacted. */
interface Held {
  text: string;
  until: number;
}

/** A stored secret without the secret itself. */
export type SecretRecord = Pick<StoredSecret, 'known' | 'expiresAt'>;

/**
 * Secrets of answers that later operations send, sealed, by operation and key. Their values are in memory too, because the
 * redactor cannot wait. They are read when the ledger opens, when another process has written, and before this process uses
 * a secret. Secrets to be shown once are PINs: they are too short to be removed from the answers of other calls
 * (lib/redact.ts).
 */
export class Vault extends LedgerPart {
  #stored: readonly Held[] = [];
  /** Secrets that this process stores, or has taken out. */
  #own: readonly Held[] = [];
  #reading: Promise<void> = Promise.resolve();

  values(): readonly string[] {
    const now = this.parts.clock.now();
    return [...this.#stored, ...this.#own].filter(({ until }) => until > now).map(({ text }) => text);
  }

  /** Redacts a secret from now on, until it expires: before it is stored, and after it was taken out. */
  redact({ secret, expiresAt }: Pick<StoredSecret, 'secret' | 'expiresAt'>): void {
    const now = this.parts.clock.now();
    this.#own = [...this.#own.filter(({ until }) => until > now), { text: String(secret), until: expiresAt }];
  }

  /** Reads the ledger's secrets, after the readings that were asked for before. */
  refresh(): Promise<void> {
    const reading = this.#reading.catch(() => undefined).then(() => this.#read());
    this.#reading = reading;
    return reading;
  }

  async #read(): Promise<void> {
    const rows = await this.parts.db.all<{ operation: string; key: string; sealed: Uint8Array; expires_at: number }>(
      'SELECT operation, key, sealed, expires_at FROM vault WHERE expires_at > ?',
      this.parts.clock.now(),
    );
    this.#stored = rows.flatMap(({ operation, key, sealed, expires_at: until }) => {
      try {
        return [{ text: String(this.parts.seal.open(sealed, `${operation}/${key}`)), until }];
      } catch {
        // It was sealed with another key, so this process cannot show it.
        return [];
      }
    });
  }

  /** The record of a stored secret; undefined if there is none, or it has expired. */
  async find(operation: string, key: string): Promise<SecretRecord | undefined> {
    const row = await this.parts.db.get<{ known: string; expires_at: number }>(
      'SELECT known, expires_at FROM vault WHERE operation = ? AND key = ? AND expires_at > ?',
      ...[operation, key, this.parts.clock.now()],
    );
    return row && { known: JSON.parse(row.known), expiresAt: row.expires_at };
  }

  async put(secret: StoredSecret): Promise<void> {
    this.redact(secret);
    await this.parts.db.transaction((queries) => this.store(queries, secret));
  }

  /** Stores a secret with these queries. The caller must have had it redacted. */
  async store(queries: Queries, { operation, key, secret, known, expiresAt }: StoredSecret): Promise<void> {
    const sealed = this.parts.seal.seal(secret, `${operation}/${key}`);
    await queries.run(
      `INSERT INTO vault (operation, key, sealed, known, expires_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (operation, key) DO UPDATE
           SET sealed = excluded.sealed, known = excluded.known, expires_at = excluded.expires_at`,
      ...[operation, key, sealed, JSON.stringify(known), expiresAt],
    );
    const job = { kind: LATER.secrets, key: `${LATER.secrets} ${operation} ${key}`, runAt: expiresAt };
    await addJob(queries, job, this.parts.clock.now());
  }

  /** Takes a secret out, so that no second call can send it. Put it again if the call was never sent. */
  async take(operation: string, key: string): Promise<StoredSecret | undefined> {
    const row = await this.parts.db.get<{ sealed: Uint8Array; known: string; expires_at: number }>(
      'DELETE FROM vault WHERE operation = ? AND key = ? RETURNING sealed, known, expires_at',
      ...[operation, key],
    );
    if (!row || row.expires_at <= this.parts.clock.now()) return undefined;
    const secret = this.parts.seal.open(row.sealed, `${operation}/${key}`) as string | number;
    const taken = { operation, key, secret, known: JSON.parse(row.known), expiresAt: row.expires_at };
    this.redact(taken);
    return taken;
  }

  /** Deletes expired secrets. Reads first, so that nothing is written if there are none. */
  async dropExpired(): Promise<void> {
    const now = this.parts.clock.now();
    if (await this.parts.db.get('SELECT 1 FROM vault WHERE expires_at <= ? LIMIT 1', now))
      await this.parts.db.run('DELETE FROM vault WHERE expires_at <= ?', now);
  }
}

/** The attempts to resolve one unknown outcome. They are stored, so that a restarted process continues them. */
export interface ReadingRecord {
  /** Epoch ms of the last byte sent, or of the takeover from a process that died; undefined if nothing recorded it. */
  writtenAt?: number | undefined;
  /** The lead of the clock of these times over its monotonic time (ms). */
  ahead?: number | undefined;
  /** The first reading after the settling time that showed the work as not done. `observed`: empty, or the part that was done. */
  notDone?: { at: number; observed: string } | undefined;
  /** The findings of the last inconclusive reading, as text. */
  observed?: string | undefined;
  /** Number of readings made. */
  attempts: number;
  /** The error as it was when the outcome became unknown, before readings were added to its text. */
  error?: Failure | undefined;
}

/** The record of an unknown outcome before any reading. */
export function newReading(written: End['written'], error: Failure | undefined): ReadingRecord {
  return { writtenAt: written?.at, ahead: written?.ahead, notDone: undefined, observed: undefined, attempts: 0, error };
}

/** The columns of an action whose outcome is unknown from now on (epoch ms). */
export function unknownEnd(written: End['written'], error: Failure | undefined, now: number) {
  const reading = JSON.stringify(newReading(written, error));
  return { state: 'unknown', error: json(error), reading, finished_at: now } as const;
}

/**
 * Ends the actions that were open when their files were copied to a database. Processes on the database may have sent
 * them, so their outcome is unknown to an installation that uses the files, and it sends none of them.
 * @param copiedAt epoch ms
 * @returns why, for what else was open
 */
export async function endCopied(
  queries: Queries,
  { copiedAt, now, seal }: { copiedAt: number; now: number; seal: Seal },
): Promise<Failure> {
  const rows = await queries.all<ActionRow>(
    `SELECT * FROM actions WHERE state = 'confirmed' OR (state = 'pending' AND expires_at > ?)`,
    copiedAt,
  );
  const message = `It was open when this data was copied to a database, at ${new Date(copiedAt).toISOString()}. It may have been confirmed and sent from there.`;
  const error: Failure = { code: 'unavailable', message, effect: 'maybe_done', outcome: 'unknown' };
  for (const row of rows) {
    await changeRow(queries, row, unknownEnd(undefined, error, now), now);
  }
  // A stored secret works once, and may have been used from the database.
  await queries.run('DELETE FROM vault');
  for (const row of rows)
    await addAudit(queries, seal, row, { what: 'unknown', who: 'switchboard', detail: message, at: now });
  return error;
}
