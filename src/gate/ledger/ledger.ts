import { randomBytes } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import type { Fields } from '../../lib/json.ts';
import type { Database } from '../../store/database.ts';
import {
  type Action,
  type ActionRow,
  actionOf,
  canonical,
  type DecidedBy,
  type End,
  type NewAction,
} from './action.ts';
import { ActionsReader, type ActionsView } from './actions-view.ts';
import { type AuditStep, AuditTrail, tracesOf } from './audit.ts';
import { HeldSecrets } from './held.ts';
import { ActionNotes } from './notes.ts';
import { newOutcome, OutcomeRecords } from './outcomes.ts';
import { type Owner, Owners } from './owners.ts';
import { bindingOf, flawOfAsked, flawOfConfirmed, proofOf } from './proof.ts';
import { openLedgerDatabase } from './schema.ts';
import type { Seal } from './seal.ts';
import { Vault } from './vault.ts';

export interface LedgerOptions {
  path: string;
  seal: Seal;
  clock: Clock;
  owner: Owner;
}

/**
 * The one ledger: actions, their audit trail and the vault of stored secrets, in one SQLite file.
 * Every change of state is a compare-and-set: an action moves only from the state the caller expects.
 */
export class Ledger extends ActionsReader {
  readonly #db: Database;
  readonly #seal: Seal;
  readonly #clock: Clock;
  readonly #owners: Owners;
  readonly #trail: AuditTrail;
  readonly #held: HeldSecrets;
  /** Secrets of answers that later operations send. */
  readonly vault: Vault;
  /** What surfaces store with actions. */
  readonly notes: ActionNotes;
  /** Attempts to resolve unknown outcomes. */
  readonly outcomes: OutcomeRecords;

  constructor({ path, seal, clock, owner }: LedgerOptions) {
    const db = openLedgerDatabase(path);
    super(db);
    this.#db = db;
    this.#seal = seal;
    this.#clock = clock;
    this.#owners = new Owners(db, clock, owner);
    this.#trail = new AuditTrail(db, clock);
    this.#held = new HeldSecrets(db, seal, clock);
    this.vault = new Vault({ db, seal, clock, changed: () => this.#held.changed() });
    this.notes = new ActionNotes(db, clock);
    this.outcomes = new OutcomeRecords(db, clock);
  }

  /** Id under which this process claims actions. */
  get ownerId(): string {
    return this.#owners.id;
  }

  /** The reading side alone, for surfaces. */
  view(): ActionsView {
    return new ActionsReader(this.#db);
  }

  digest(operation: string, input: Fields): string {
    return this.#seal.digest(`${operation}\n${canonical(input)}`);
  }

  /** Writes an action before anything is sent. A pending one of the same actor and input is returned instead. */
  create(fresh: NewAction): { action: Action; existed: boolean } {
    return this.#db.transaction(() => {
      const twin = fresh.state === 'pending' ? this.pendingTwin(fresh.digest, fresh.actorId) : undefined;
      if (twin) return { action: twin, existed: true };
      const id = `act_${randomBytes(16).toString('base64url')}`;
      this.#insert(id, fresh);
      const row = this.#find(id);
      if (!row) throw new Error('the ledger did not store an action');
      this.#db.run('UPDATE actions SET bound = ? WHERE id = ?', bindingOf(row, this.#seal), id);
      const what = fresh.state === 'in_flight' ? 'sent' : 'asked';
      this.#trail.add(row, { what, who: fresh.actorName, detail: JSON.stringify(fresh.shown) });
      return { action: actionOf(row), existed: false };
    });
  }

  #insert(id: string, fresh: NewAction): void {
    const now = this.#clock.now();
    const isSent = fresh.state === 'in_flight';
    this.#db.run(
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
      this.#seal.seal(fresh.input, id),
      JSON.stringify(fresh.shown),
      JSON.stringify(fresh.known),
      fresh.consent ? JSON.stringify(fresh.consent) : null,
      now,
      fresh.expiresAt,
      isSent ? now : null,
      isSent ? this.ownerId : null,
      now,
    );
  }

  /** The pending action of this actor with the same input, if there is one. */
  pendingTwin(digest: string, actorId: string): Action | undefined {
    const row = this.#db.get<ActionRow>(
      `SELECT * FROM actions WHERE digest = ? AND actor_id = ? AND state = 'pending' AND expires_at > ?`,
      digest,
      actorId,
      this.#clock.now(),
    );
    return row && actionOf(row);
  }

  /** Earlier calls with the same input that are still running or whose outcome is unknown, the newest first. */
  unsettledTwins(digest: string): Action[] {
    return this.#db
      .all<ActionRow>(
        `SELECT * FROM actions WHERE digest = ? AND state IN ('unknown','confirmed','in_flight')
           ORDER BY created_at DESC`,
        digest,
      )
      .map(actionOf);
  }

  /** The same calls as this one, by any actor, that were sent and have no known end; the newest first. */
  sentTwins(id: string): Action[] {
    return this.#db
      .all<ActionRow>(
        `SELECT * FROM actions WHERE digest = (SELECT digest FROM actions WHERE id = ?) AND id <> ?
           AND state IN ('unknown','in_flight') ORDER BY created_at DESC`,
        id,
        id,
      )
      .map(actionOf);
  }

  /** The input with its secrets. Throws if it was sealed with another key. */
  input(id: string): Fields {
    const row = this.#find(id);
    if (!row) throw new Error(`no action ${id}`);
    return this.#inputOf(row);
  }

  /**
   * Records a person's confirmation. Undefined if another decision came first, it is too late, or the record does not
   * prove what was asked for.
   */
  confirm(id: string, by: DecidedBy): Action | undefined {
    return this.#db.transaction(() => {
      const now = this.#clock.now();
      const asked = this.#find(id);
      if (!asked || flawOfAsked(asked, this.#seal, now) !== undefined) return undefined;
      const changed = this.#db.run(
        `UPDATE actions SET state = 'confirmed', decided_by = ?, decided_person = ?, decided_via = ?, decided_at = ?,
           updated_at = ?, owner = ? WHERE id = ? AND state = 'pending' AND expires_at > ?`,
        by.name,
        by.person,
        by.way,
        now,
        now,
        this.ownerId,
        id,
        now,
      );
      if (changed !== 1) return undefined;
      this.#prove(id, 'confirmed');
      this.#note(id, { what: 'confirmed', who: by.name, detail: by.way });
      return this.get(id);
    });
  }

  /** Records that a person declined; `by` is undefined if the caller cancelled before anybody decided. */
  decline(id: string, by: DecidedBy | undefined): Action | undefined {
    return this.#db.transaction(() => {
      const now = this.#clock.now();
      const via = by?.way ?? 'cancelled';
      const changed = this.#db.run(
        `UPDATE actions SET state = 'declined', decided_by = ?, decided_person = ?, decided_via = ?, decided_at = ?,
           finished_at = ?, updated_at = ? WHERE id = ? AND state = 'pending'`,
        by?.name ?? null,
        by?.person ?? null,
        via,
        now,
        now,
        now,
        id,
      );
      if (changed !== 1) return undefined;
      this.#prove(id, 'declined');
      this.#note(id, { what: 'declined', who: by?.name ?? 'switchboard', detail: via });
      return this.get(id);
    });
  }

  /**
   * A confirmed action and the input it runs with, if its record carries this installation's seals over what was asked
   * for and over the decision. Otherwise `flaw` says why it must not run.
   */
  confirmed(id: string): { action: Action; input: Fields } | { flaw: string } {
    const row = this.#find(id);
    if (!row) return { flaw: 'it is not in the ledger' };
    const flaw = flawOf(() => flawOfConfirmed(row, this.#seal, this.#clock.now(), tracesOf(this.#db, id)));
    return flaw === undefined ? { action: actionOf(row), input: this.#inputOf(row) } : { flaw };
  }

  /** Why a waiting action may not be confirmed; undefined if its record proves what was asked for. */
  flaw(id: string): string | undefined {
    const row = this.#find(id);
    return row && flawOf(() => flawOfAsked(row, this.#seal, this.#clock.now()));
  }

  /**
   * Grants the right to send, once: `confirmed → in_flight`, on disk before it returns. Only the action's owner gets
   * it, so a suspended process whose action was taken over does not.
   */
  claim(id: string): boolean {
    return this.#db.transaction(() => {
      const now = this.#clock.now();
      const changed = this.#db.run(
        `UPDATE actions SET state = 'in_flight', sent_at = ?, updated_at = ? WHERE id = ? AND state = 'confirmed' AND owner = ?`,
        now,
        now,
        id,
        this.ownerId,
      );
      const action = this.get(id);
      if (changed !== 1 || !action) return false;
      this.#note(id, { what: 'sent', who: action.decidedBy ?? action.actorName });
      return true;
    });
  }

  /** Writes the end of an action, together with a secret to store or to show once. */
  settle(id: string, end: End): boolean {
    return this.#db.transaction(() => {
      const now = this.#clock.now();
      const changed = this.#db.run(
        `UPDATE actions SET state = ?, result = ?, error = ?, finished_at = ?, updated_at = ?, once = ?
           WHERE id = ? AND state IN (${end.from.map(() => '?').join(',')})`,
        end.state,
        end.result ? JSON.stringify(end.result) : null,
        end.error ? JSON.stringify(end.error) : null,
        now,
        now,
        end.once ? this.#seal.seal(end.once, `${id}/once`) : null,
        id,
        ...end.from,
      );
      if (changed !== 1) return false;
      this.#held.changed();
      if (end.keep) this.vault.put(end.keep);
      if (end.state === 'unknown') this.outcomes.save(id, newOutcome(end.writtenAt, end.error, now));
      // The warning in the result of a partly done action names what was not done.
      const warning = end.state === 'partly' ? end.result?.Warning : undefined;
      const detail = end.detail ?? end.error?.message ?? (typeof warning === 'string' ? warning : '');
      this.#note(id, { what: end.state, who: end.who ?? 'switchboard', detail, by: end.by });
      return true;
    });
  }

  /** Removes and returns what was made for the person who confirmed; a second reader gets nothing. */
  takeOnce(id: string): Record<string, string> | undefined {
    return this.#db.transaction(() => {
      const row = this.#find(id);
      if (!row?.once) return undefined;
      this.#db.run('UPDATE actions SET once = NULL WHERE id = ?', id);
      return this.#seal.open(row.once, `${id}/once`) as Record<string, string>;
    });
  }

  hasOnce(id: string): boolean {
    return Boolean(this.#find(id)?.once);
  }

  /** Every stored secret that may still be taken or shown, for redaction by value. */
  secrets(): readonly string[] {
    return this.#held.values();
  }

  /** Counts one more attempt to resolve an unknown outcome. */
  checked(id: string): void {
    this.#db.run('UPDATE actions SET checks = checks + 1 WHERE id = ?', id);
  }

  /** Moves pending actions whose time is over to `expired` and returns them. */
  expire(): Action[] {
    return this.#db.transaction(() => {
      const now = this.#clock.now();
      const due = this.#db.all<ActionRow>(`SELECT * FROM actions WHERE state = 'pending' AND expires_at <= ?`, now);
      for (const row of due) {
        this.#db.run(
          `UPDATE actions SET state = 'expired', finished_at = ?, updated_at = ? WHERE id = ? AND state = 'pending'`,
          now,
          now,
          row.id,
        );
        this.#note(row.id, { what: 'expired', who: 'switchboard' });
      }
      this.vault.dropExpired();
      return due.map((row) => actionOf({ ...row, state: 'expired' }));
    });
  }

  /**
   * Takes over confirmed or sent actions whose owner has not written for `silentMs`. If the former
   * owner was only suspended, it has lost its claim.
   */
  orphans(silentMs: number): Action[] {
    return this.#db.transaction(() => {
      const now = this.#clock.now();
      const rows = this.#db.all<ActionRow>(
        `SELECT * FROM actions WHERE state IN ('confirmed','in_flight') AND owner IS NOT ?
           AND NOT EXISTS (SELECT 1 FROM owners WHERE owners.id = actions.owner AND owners.seen_at > ?)`,
        this.ownerId,
        now - silentMs,
      );
      for (const row of rows)
        this.#db.run('UPDATE actions SET owner = ?, updated_at = ? WHERE id = ?', this.ownerId, now, row.id);
      return rows.map(actionOf);
    });
  }

  /** Writes that this process is alive. */
  beat(): void {
    this.#owners.beat();
  }

  close(): void {
    this.#held.close();
    this.#owners.close();
    this.#db.close();
  }

  #find(id: string): ActionRow | undefined {
    return this.#db.get<ActionRow>('SELECT * FROM actions WHERE id = ?', id);
  }

  #inputOf(row: ActionRow): Fields {
    return this.#seal.open(row.input, row.id) as Fields;
  }

  #prove(id: string, state: 'confirmed' | 'declined'): void {
    const row = this.#find(id);
    if (row) this.#db.run('UPDATE actions SET proof = ? WHERE id = ?', proofOf(row, state, this.#seal), id);
  }

  #note(id: string, step: AuditStep): void {
    const row = this.#find(id);
    if (row) this.#trail.add(row, step);
  }
}

/** A record that cannot be checked counts as flawed. */
function flawOf(check: () => string | undefined): string | undefined {
  try {
    return check();
  } catch (error) {
    return `it cannot be read (${String(error)})`;
  }
}

export type { Action, DecidedBy, End, NewAction, State } from './action.ts';
export type { ActionFilter, ActionsView } from './actions-view.ts';
export type { AuditLine } from './audit.ts';
export type { Notes } from './notes.ts';
export type { Owner } from './owners.ts';
export type { SecretRecord, StoredSecret } from './vault.ts';
