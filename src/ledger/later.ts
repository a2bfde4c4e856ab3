import { aheadOf, type Clock } from '../lib/clock.ts';
import type { Failure } from '../lib/errors.ts';
import { type Fields, plainText, recordOf } from '../lib/values.ts';
import type { Database, Queries } from '../store/types.ts';
import { addJob, backoff, extendHold, LEASE_MS, type NewJob, removeJob } from '../work/jobs.ts';
import type { End } from './action.ts';
import { type Action, type ActionRow, actionOf, notesOf, type StoredSecret } from './action.ts';
import { addAudit } from './audit.ts';
import { addToTotal, changeRow, touchNames } from './lookups.ts';
import type { Seal } from './seal.ts';
import { LedgerPart } from './seal.ts';

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

/** Removes jobs of an action that has left the state they belong to. */
export async function removeLater(queries: Queries, id: string, kinds: readonly LaterKind[]): Promise<void> {
  for (const kind of kinds) await removeJob(queries, laterKey(kind, id));
}

/**
 * Work that any process does for all of them: it expires questions, and takes over actions of dead processes. Each
 * action is changed once.
 */
export class Takeovers extends LedgerPart {
  /**
   * Moves a pending action to `expired` if its time is over. Undefined if it does not wait, or still does. Reads first, so
   * that nothing is written if it is not due.
   */
  async expire(id: string): Promise<Action | undefined> {
    const due = `id = ? AND state = 'pending' AND expires_at <= ?`;
    if (!(await this.parts.db.get(`SELECT 1 FROM actions WHERE ${due}`, id, this.parts.clock.now()))) return undefined;
    return this.parts.db.transaction(async (queries) => {
      const now = this.parts.clock.now();
      const row = await queries.get<ActionRow>(
        `UPDATE actions SET state = 'expired', finished_at = ?, updated_at = ? WHERE ${due} RETURNING *`,
        ...[now, now, id, now],
      );
      if (!row) return undefined;
      await touchNames(queries, id, now);
      await removeLater(queries, id, ['expire']);
      await addJob(queries, laterJob('show', id), now);
      await addToTotal(queries, 'expired', 1);
      await addAudit(queries, this.parts.seal, row, { what: 'expired', who: 'switchboard', at: now });
      return actionOf(row, this.parts.seal);
    });
  }

  /**
   * Takes over an action whose process no longer holds its job. If the former owner was only suspended, it has lost its
   * claim. An action that may have been sent ends as unknown, with `interrupted` as its error. Undefined if the action
   * has ended, or if this process no longer holds the job.
   * @param isRunning true if this process sends the action itself, and was only late to renew its claim; it gets a new one
   */
  takeOver(id: string, interrupted: Failure, isRunning: boolean): Promise<Action | undefined> {
    return this.parts.db.transaction(async (queries) => {
      const now = await queries.now();
      const before = await queries.get<ActionRow>(
        `SELECT * FROM actions WHERE id = ? AND state IN ('confirmed', 'in_flight') FOR UPDATE`,
        id,
      );
      const holds = `SELECT 1 FROM jobs WHERE key = ? AND claimed_by = ? AND claimed_until > ? FOR UPDATE`;
      if (!before || !(await queries.get(holds, laterKey('send', id), this.parts.owner, now))) return undefined;
      if (isRunning) {
        await removeLater(queries, id, ['send']);
        await addJob(queries, laterJob('send', id, { heldBy: this.parts.owner }), now);
        return undefined;
      }
      const isSent = before.state === 'in_flight';
      const end = { state: 'unknown', error: JSON.stringify(interrupted), finished_at: now } as const;
      const set = { owner: this.parts.owner, updated_at: now, ...(isSent && end) };
      const row: ActionRow = { ...before, ...set };
      await changeRow(queries, id, set);
      // The job of this handler ends. Another job does what comes next.
      await removeLater(queries, id, ['send']);
      if (!isSent) await addJob(queries, laterJob('send', id, { heldBy: this.parts.owner }), now);
      else {
        const written = { at: now, ahead: aheadOf(this.parts.clock) };
        await followUnknown(queries, row, { written, error: interrupted, now });
        const detail = plainText(interrupted.message);
        await addAudit(queries, this.parts.seal, row, { what: 'unknown', who: 'switchboard', detail, at: now });
      }
      return actionOf(row, this.parts.seal);
    });
  }

  /**
   * Time (epoch ms) until which no other process takes over an action that this process sends; undefined if it has no
   * claim.
   */
  async claimedUntil(id: string): Promise<number | undefined> {
    const claim = `SELECT j.claimed_until AS until FROM actions a JOIN jobs j ON j.key = ? AND j.dead_at IS NULL
      WHERE a.id = ? AND a.state = 'in_flight' AND a.owner = ? AND j.claimed_by = ?`;
    const row = await this.parts.db.get<{ until: number }>(
      claim,
      laterKey('send', id),
      id,
      this.parts.owner,
      this.parts.owner,
    );
    if (row && row.until > this.parts.clock.now() + LEASE_MS / 2) return row.until;
    // The claim ends soon, so it is extended under a lock, while no other process can take the action over.
    return this.parts.db.transaction(async (queries) => {
      const own = await queries.get(
        `SELECT 1 FROM actions WHERE id = ? AND state = 'in_flight' AND owner = ? FOR UPDATE`,
        ...[id, this.parts.owner],
      );
      if (own === undefined) return undefined;
      return extendHold(queries, laterKey('send', id), { owner: this.parts.owner, now: this.parts.clock.now() });
    });
  }
}

/**
 * Data that surfaces store with an action, such as the channel of its card. Notes have no effect on decisions: they
 * cannot change a state, input or consent.
 */
export class ActionNotes {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

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
      typeof written === 'number' && written > stale ? undefined : { [name]: this.#clock.now() },
    );
  }

  /** Writes the notes that `change` gives for those of now. False if it gives none, or there is no such action. */
  #change(id: string, change: (before: Fields) => Fields | undefined): Promise<boolean> {
    return this.#db.transaction(async (queries) => {
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

/**
 * The values of the vault's secrets, for redaction. The redactor cannot wait, so they are in memory. They are read when
 * the ledger opens, when another process has written, and before this process uses a secret. Secrets to be shown once
 * are PINs: they are too short to be removed from the answers of other calls (lib/redact.ts).
 */
export class HeldSecrets extends LedgerPart {
  #stored: readonly Held[] = [];
  /** Secrets that this process stores, or has taken out. */
  #own: readonly Held[] = [];
  #reading: Promise<void> = Promise.resolve();

  values(): readonly string[] {
    const now = this.parts.clock.now();
    return [...this.#stored, ...this.#own].filter(({ until }) => until > now).map(({ text }) => text);
  }

  /** Redacts a secret from now on, until it expires: before it is stored, and after it was taken out. */
  add({ secret, expiresAt }: Pick<StoredSecret, 'secret' | 'expiresAt'>): void {
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
}

/** A stored secret without the secret itself. */
export type SecretRecord = Pick<StoredSecret, 'known' | 'expiresAt'>;

/** Secrets of answers that later operations send, sealed, by operation and key. */
export class Vault extends LedgerPart<{ held: HeldSecrets }> {
  /** The record of a stored secret; undefined if there is none, or it has expired. */
  async find(operation: string, key: string): Promise<SecretRecord | undefined> {
    const row = await this.parts.db.get<{ known: string; expires_at: number }>(
      'SELECT known, expires_at FROM vault WHERE operation = ? AND key = ? AND expires_at > ?',
      ...[operation, key, this.parts.clock.now()],
    );
    return row && { known: JSON.parse(row.known), expiresAt: row.expires_at };
  }

  async put(secret: StoredSecret): Promise<void> {
    this.parts.held.add(secret);
    await this.parts.db.transaction((queries) => this.store(queries, secret));
  }

  /** Stores a secret again whose call was never sent. A newer one under the same key stays. */
  async putBack(secret: StoredSecret): Promise<void> {
    if (secret.expiresAt <= this.parts.clock.now()) return;
    await this.parts.db.transaction((queries) => this.store(queries, secret, 'NOTHING'));
  }

  /** Stores a secret with these queries. The caller must have added it to `HeldSecrets`. */
  async store(
    queries: Queries,
    { operation, key, secret, known, expiresAt }: StoredSecret,
    onConflict = 'UPDATE SET sealed = excluded.sealed, known = excluded.known, expires_at = excluded.expires_at',
  ): Promise<void> {
    const sealed = this.parts.seal.seal(secret, `${operation}/${key}`);
    await queries.run(
      `INSERT INTO vault (operation, key, sealed, known, expires_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (operation, key) DO ${onConflict}`,
      ...[operation, key, sealed, JSON.stringify(known), expiresAt],
    );
    const job = { kind: LATER.secrets, key: `${LATER.secrets} ${operation} ${key}`, runAt: expiresAt };
    await addJob(queries, job, this.parts.clock.now());
  }

  /** Takes a secret out, so that no second call can send it. Use `putBack` if the call was never sent. */
  async take(operation: string, key: string): Promise<StoredSecret | undefined> {
    const row = await this.parts.db.get<{ sealed: Uint8Array; known: string; expires_at: number }>(
      'DELETE FROM vault WHERE operation = ? AND key = ? RETURNING sealed, known, expires_at',
      ...[operation, key],
    );
    if (!row || row.expires_at <= this.parts.clock.now()) return undefined;
    const secret = this.parts.seal.open(row.sealed, `${operation}/${key}`) as string | number;
    const taken = { operation, key, secret, known: JSON.parse(row.known), expiresAt: row.expires_at };
    this.parts.held.add(taken);
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
  /** The first reading after the settling time that showed the work as not done. `at`: epoch ms. */
  notDone?: { at: number; observed: string } | undefined;
  /** The findings of the last inconclusive reading, as text. */
  observed?: string | undefined;
  /** Number of readings made. */
  attempts: number;
  /** The error as it was when the outcome became unknown, before readings were added to its text. */
  error?: Failure | undefined;
}

/** Writes the record of an action. */
export async function saveReading(queries: Queries, id: string, record: ReadingRecord): Promise<void> {
  await queries.run('UPDATE actions SET reading = ? WHERE id = ?', JSON.stringify(record), id);
}

/** The record of an unknown outcome before any reading. */
export function newReading(written: End['written'], error: Failure | undefined): ReadingRecord {
  return { writtenAt: written?.at, ahead: written?.ahead, notDone: undefined, observed: undefined, attempts: 0, error };
}

/** Has an unknown outcome read, and drawn by the surface that asked. `now`: epoch ms. */
export async function followUnknown(
  queries: Queries,
  { id, consent }: ActionRow,
  { written, error, now }: Pick<End, 'written' | 'error'> & { now: number },
): Promise<void> {
  await saveReading(queries, id, newReading(written, error));
  await addJob(queries, laterJob('read', id, { runAt: now + backoff(1) }), now);
  if (consent !== null) await addJob(queries, laterJob('show', id), now);
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
    const end = { state: 'unknown', error: JSON.stringify(error), finished_at: now, updated_at: now } as const;
    await changeRow(queries, row.id, end);
    await removeLater(queries, row.id, ['expire', 'send']);
    await followUnknown(queries, row, { error, now });
  }
  await addToTotal(queries, 'unknown', rows.length);
  // A stored secret works once, and may have been used from the database.
  await queries.run('DELETE FROM vault');
  for (const row of rows)
    await addAudit(queries, seal, row, { what: 'unknown', who: 'switchboard', detail: message, at: now });
  return error;
}
