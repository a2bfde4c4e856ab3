import { randomBytes } from 'node:crypto';
import { aheadOf, DAY_MS } from '../lib/clock.ts';
import type { Failure } from '../lib/errors.ts';
import { type Fields, objectIn, plainText, textOf, textsIn } from '../lib/values.ts';
import { phonesIn } from '../platform/dialect/phone.ts';
import { activationsIn, withholdActivation } from '../platform/dialect/redact.ts';
import { insert, json, marks, update } from '../store/key-values.ts';
import type { Queries, Transaction } from '../store/types.ts';
import { addJob, extendHold, removeJob, requireHolds } from '../work/jobs.ts';
import {
  type Action,
  type ActionRow,
  actedOn,
  actionOf,
  addAudit,
  append,
  boundText,
  callText,
  changeOf,
  type DecidedBy,
  decidedText,
  digestOf,
  ENDED_STATES,
  type End,
  type Flaw,
  flawOf,
  levelOfAction,
  type NewAction,
  notesOf,
  REPLACED_BY,
  type RepeatedCall,
  type Revealed,
  type SealedInput,
  unproven,
} from './action.ts';
import { ActionsReader, type ActionsView, OpenCalls, writeNames } from './lookups.ts';
import {
  ActionNotes,
  AlreadyTaken,
  batchRuns,
  changeRow,
  claimRows,
  deleteOldRows,
  laterJob,
  laterKey,
  moveJobs,
  Readings,
  unknownEnd,
  Vault,
} from './rows.ts';
import { resultJson, resultText } from './seal.ts';

/**
 * The one ledger: actions, their audit trail and the vault of stored secrets, which all processes share.
 * Every change of state is a compare-and-set: an action moves only from the state the caller expects.
 */
export class Ledger extends ActionsReader {
  /** Id under which this process claims actions. */
  readonly ownerId = this.parts.owner;
  /** Secrets of answers that later operations send. */
  readonly vault = new Vault(this.parts);
  /** Data that surfaces store with actions. */
  readonly notes = new ActionNotes(this.parts);
  /** Attempts to resolve unknown outcomes. */
  readonly readings = new Readings(this.parts);
  /** Calls that have not ended: repeats, and calls for the same numbers. */
  readonly open = new OpenCalls(this.parts);
  // A failed read is ignored, because the secrets are read again at the next write of another process and before they
  // are used.
  readonly #stopListening = this.parts.db.onOtherWrites(() => void this.vault.refresh().catch(() => undefined));

  /** Opens the database, and reads the secrets to redact. Rejects if it was set up by a newer version. */
  async ready(): Promise<void> {
    await this.parts.db.ready();
    await this.vault.refresh();
  }

  /** The reading side alone, for surfaces. */
  view(): ActionsView {
    return new ActionsReader(this.parts);
  }

  /** The digest of a call, the same for its repeats. `fields`: the caller's own input, or everything that is sent. */
  digest(operation: string, fields: Fields): string {
    return this.parts.seal.digest(callText(operation, fields));
  }

  /** True if a batch runs, so that its rows may be sent. */
  batchRuns(id: string): Promise<boolean> {
    return batchRuns(this.parts.db, id);
  }

  /** The id of an action that is about to be created. */
  newId(): string {
    return `act_${randomBytes(16).toString('base64url')}`;
  }

  /**
   * Writes an action before anything is sent. A requester has one waiting question about a call: the caller keeps the same
   * call out meanwhile, and the table takes no second one. Rejects with `rate_limited` if the actor has `mostOpen` questions already, with `takenOver` if another process
   * has taken one of its `holds`, and with `AlreadyTaken`, which names a question in `replaces` that does not wait any more.
   * @param id by default a new one
   */
  async create(fresh: NewAction, id = this.newId()): Promise<Action> {
    const isPending = fresh.state === 'pending';
    // A question that has expired and is not ended yet would keep the new one out.
    if (isPending) {
      const digest = this.digest(fresh.operation, fresh.given);
      await this.expire(await this.open.waiting(digest, fresh.person));
    }
    return this.parts.db.transaction(async (queries) => {
      if (fresh.holds) await requireHolds(queries, fresh.holds, this.ownerId);
      const replaced: ActionRow[] = [];
      if (isPending) {
        await queries.lock(`asking ${fresh.actorId}`);
        for (const old of fresh.replaces ?? []) {
          const asked = await this.#lock(queries, old);
          if (asked?.state !== 'pending') throw new AlreadyTaken(old);
          const notes = JSON.stringify({ ...notesOf(asked), [REPLACED_BY]: id });
          await update(queries, 'actions', { notes }, 'id = ?', old);
          replaced.push(await this.#decide(queries, asked, { state: 'declined', via: 'replaced' }));
        }
        if (fresh.mostOpen !== undefined) await this.open.requireRoom(fresh.actorId, fresh.mostOpen, queries);
      }
      const row = this.#rowOf(fresh, id);
      const { beside } = fresh;
      if (beside?.refuses(await this.#twins(queries, fresh, beside.since))) throw new AlreadyTaken();
      if (fresh.batch) await claimRows(queries, fresh.batch, id);
      await insert(queries, 'actions', [{ ...row }]);
      const { shown, known, exclusive = [] } = fresh;
      // An input may have the id of a number.
      const { names = {} } = changeOf({ known }) ?? {};
      const numbers = textsIn(actedOn(shown)).flatMap(({ value }) => phonesIn(names[value]?.name ?? ''));
      const named = [actedOn(shown), ...numbers];
      await writeNames(queries, id, row.updated_at, { shown: named, known, exclusive });
      await moveJobs(queries, undefined, row, row.created_at);
      for (const old of replaced) await this.#auditDeclined(queries, old);
      const change_digest = changeOf(fresh) ? digestOf(row.known) : null;
      const step = {
        what: isPending ? 'asked' : 'sent',
        who: row.decided_by ?? row.actor_name,
        detail: row.shown,
        reason: row.reason,
        change_digest,
      };
      await addAudit(queries, this.parts.seal, row, { ...step, at: row.created_at });
      return actionOf(row, this.parts.seal);
    });
  }

  /** The row of a new action, bound to the text that a person sees of it. */
  #rowOf(fresh: NewAction, id: string): ActionRow {
    const { seal, clock } = this.parts;
    const now = clock.now();
    const { operation, sent, given } = fresh;
    const isSent = fresh.state === 'in_flight';
    const decided = fresh.batch?.decided;
    const row: ActionRow = {
      id,
      operation,
      actor_id: fresh.actorId,
      actor_name: fresh.actorName,
      person: fresh.person,
      surface: fresh.surface,
      state: fresh.state,
      digest: seal.digest(callText(operation, given)),
      full_digest: seal.digest(callText(operation, sent)),
      input: seal.seal({ sent, given } satisfies SealedInput, id),
      shown: JSON.stringify(fresh.shown),
      known: JSON.stringify(withholdActivation(fresh.known)),
      consent: fresh.consent ? JSON.stringify(fresh.consent) : null,
      reason: fresh.reason ?? null,
      created_at: now,
      expires_at: fresh.expiresAt,
      sent_at: isSent ? now : null,
      owner: isSent ? this.ownerId : null,
      updated_at: now,
      notes: JSON.stringify(fresh.notes ?? {}),
      part_of: fresh.partOf ?? null,
      batch: fresh.batch?.id ?? null,
      // The decision about a batch holds for each of its rows.
      decided_by: decided?.decidedBy ?? null,
      decided_person: decided?.decidedPerson ?? null,
      decided_via: decided?.decidedVia ?? null,
      decided_at: decided?.decidedAt ?? null,
      ...{ decided_reason: null, finished_at: null, result: null, error: null, bound: null, proof: null },
    };
    return { ...row, bound: seal.mac(boundText(row)) };
  }

  /** The input with its secrets. Throws if it was sealed with another key. */
  async input(id: string): Promise<Fields> {
    const row = await this.#find(id);
    if (!row) throw new Error(`no action ${id}`);
    return this.#inputOf(row).sent;
  }

  /**
   * Records a person's yes. Undefined if another decision came first, it is too late, or the record does not prove what
   * was requested.
   *
   * @param refuses gets the same calls that run, have no known end, or did something since a day before it was asked. What
   * it returns keeps this call from being sent
   * @param list the field with the targets of an operation that takes several: calls for some of them are the same, too
   */
  async confirm(id: string, by: DecidedBy, refuses?: (twins: Action[]) => Failure | undefined, list?: string) {
    // The secret that the action may use can have been stored by another process a moment ago.
    await this.vault.refresh();
    return this.parts.db.transaction(async (queries) => {
      const now = this.parts.clock.now();
      const asked = await this.#lock(queries, id);
      if (asked?.state !== 'pending' || asked.expires_at <= now) return undefined;
      if (this.#flawOf(asked) !== undefined) return undefined;
      const since = asked.created_at - DAY_MS;
      const call = { operation: asked.operation, list, ...this.#inputOf(asked) };
      const refused = refuses?.(await this.#twins(queries, call, since));
      if (refused) return { refused };
      const row = await this.#decide(queries, asked, { state: 'confirmed', by, via: by.way });
      await addAudit(queries, this.parts.seal, row, { what: 'confirmed', who: by.name, detail: by.way, at: now });
      return { confirmed: actionOf(row, this.parts.seal) };
    });
  }

  /**
   * Records that a person declined. `by` is undefined if no person decided: the requester took the question back. Resolves
   * to undefined if it does not wait any more.
   *
   * @param also is done in the same transaction
   */
  decline(id: string, by: DecidedBy | undefined, also?: Also): Promise<Action | undefined> {
    return this.parts.db.transaction(async (queries) => {
      const asked = await this.#lock(queries, id);
      if (asked?.state !== 'pending') return undefined;
      await also?.(queries);
      const row = await this.#decide(queries, asked, { state: 'declined', by, via: by?.way ?? 'withdrawn' });
      await this.#auditDeclined(queries, row);
      return actionOf(row, this.parts.seal);
    });
  }

  /** Writes a decision about a locked row, with its proof. */
  #decide(
    queries: Queries,
    asked: ActionRow,
    { state, by, via }: { state: 'confirmed' | 'declined'; by?: DecidedBy | undefined; via: string },
  ): Promise<ActionRow> {
    const now = this.parts.clock.now();
    const set = {
      state,
      decided_by: by?.name ?? null,
      decided_person: by?.person ?? null,
      decided_via: via,
      decided_at: now,
      decided_reason: by?.reason ?? null,
      ...(state === 'declined' ? { finished_at: now, owner: null } : { finished_at: null, owner: this.ownerId }),
    };
    const proof = this.parts.seal.mac(decidedText({ ...asked, ...set }, state));
    return changeRow(queries, asked, { ...set, proof }, now);
  }

  async #auditDeclined(queries: Transaction, row: ActionRow): Promise<void> {
    const { decided_by: who, decided_via: via, decided_at: at, decided_reason: reason } = row;
    const step = { what: 'declined', who: who ?? 'switchboard', detail: via ?? '', reason };
    await addAudit(queries, this.parts.seal, row, { ...step, at: at ?? this.parts.clock.now() });
  }

  /**
   * A confirmed action, the input it runs with and the caller's own, if its record carries this installation's seals over
   * the request and over the decision. Otherwise `flaw` says why it must not run.
   */
  async confirmed(id: string): Promise<{ action: Action; input: Fields; given: Fields } | { flaw: Flaw }> {
    const row = await this.#find(id);
    if (!row) return { flaw: unproven('it is not in the ledger') };
    const flaw = this.#flawOf(row, true);
    if (flaw !== undefined) return { flaw };
    // A decision runs once, so a confirmed row that was already sent or ended has been tampered with.
    const isSent = [row.sent_at, row.finished_at, row.result, row.error].some((value) => value !== null);
    const steps = await this.parts.db.all<{ what: string }>(
      `SELECT DISTINCT what FROM audit WHERE action = ? AND what NOT IN ('asked', 'confirmed') ORDER BY what`,
      id,
    );
    const traces = steps.map(({ what }) => what).join(', ');
    if (isSent || traces !== '') return { flaw: unproven(`it was already sent (the audit trail has: ${traces})`) };
    const { sent: input, given } = this.#inputOf(row);
    return { action: actionOf(row, this.parts.seal), input, given };
  }

  /**
   * An action that was sent, with its input: one that a person confirmed, or, with `unasked`, a change of the level `own`
   * that was sent without a question (CONFIRM_OWN=false). Undefined if its record does not prove that.
   */
  async sent(id: string, unasked: boolean): Promise<{ action: Action; input: Fields } | undefined> {
    const row = await this.#find(id);
    if (row === undefined || !['in_flight', 'done', 'unknown'].includes(row.state)) return undefined;
    const action = actionOf(row, this.parts.seal);
    if (unasked && (row.decided_at !== null || levelOfAction(action) !== 'own')) return undefined;
    return this.#flawOf(row, !unasked) === undefined ? { action, input: this.#inputOf(row).sent } : undefined;
  }

  /** The reason why a waiting action may not be confirmed; undefined if its record proves what was requested. */
  async flaw(id: string): Promise<Flaw | undefined> {
    const row = await this.#find(id);
    return row && this.#flawOf(row);
  }

  /**
   * Grants the right to send, once: `confirmed → in_flight`, on disk before it resolves. Only the action's owner gets
   * it, so a suspended process whose action was taken over does not. Undefined if it is not granted.
   */
  claim(id: string): Promise<Action | undefined> {
    return this.parts.db.transaction(async (queries) => {
      const now = this.parts.clock.now();
      const decided = await this.#lock(queries, id);
      if (decided?.state !== 'confirmed' || decided.owner !== this.ownerId) return undefined;
      const row = await changeRow(queries, decided, { state: 'in_flight', sent_at: now }, now);
      await addAudit(queries, this.parts.seal, row, { what: 'sent', who: row.decided_by ?? row.actor_name, at: now });
      return actionOf(row, this.parts.seal);
    });
  }

  /**
   * Writes the end of an action, together with a secret to store or to show once. Resolves to the ended action;
   * undefined if it is in none of the states `from`, or belongs to another process.
   */
  settle(id: string, end: End): Promise<Action | undefined> {
    // Throws before anything is written if a value cannot be written as JSON.
    const result = end.result ? resultText(id, end.result, this.parts.seal) : null;
    const error = json(end.error);
    if (end.keep) this.vault.redact(end.keep);
    return this.parts.db.transaction(async (queries) => {
      const now = this.parts.clock.now();
      const before = await this.#lock(queries, id);
      const isForeign = end.fenced && before?.state === 'in_flight' && before.owner !== this.ownerId;
      if (!before || !end.from.includes(before.state) || isForeign) return undefined;
      const unknown = end.state === 'unknown' && unknownEnd(end.written, end.error, now);
      const set = { state: end.state, result, error, finished_at: now, ...unknown };
      const row = await changeRow(queries, before, set, now);
      await writeNames(queries, id, now, { result: withholdActivation(end.result) });
      if (end.keep) await this.vault.store(queries, end.keep);
      if (end.once)
        await update(queries, 'actions', { once_secret: this.parts.seal.seal(end.once, `${id}/once`) }, 'id = ?', id);
      const { state: what, who = 'switchboard', by } = end;
      // The warning in the result of a partly done action names what was not done.
      const warning = what === 'partly' ? textOf(end.result?.Warning) : '';
      const detail = end.detail ?? (end.error ? plainText(end.error.message) : warning);
      await addAudit(queries, this.parts.seal, row, { what, who, detail, by, at: now });
      return actionOf(row, this.parts.seal);
    }, end.fenced);
  }

  /**
   * Moves a pending action to `expired` if its time is over. Undefined if it does not wait, or still does. Reads first, so
   * that nothing is written if it is not due.
   */
  async expire(id: string): Promise<Action | undefined> {
    const { db, clock } = this.parts;
    const isDue = (row: ActionRow | undefined, now: number) => row?.state === 'pending' && row.expires_at <= now;
    if (!isDue(await this.#find(id), clock.now())) return undefined;
    return db.transaction(async (queries) => {
      const now = clock.now();
      const asked = await this.#lock(queries, id);
      if (!asked || !isDue(asked, now)) return undefined;
      const row = await changeRow(queries, asked, { state: 'expired', finished_at: now }, now);
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
    const { db, owner } = this.parts;
    return db.transaction(async (queries) => {
      const now = await queries.now();
      const before = await this.#lock(queries, id);
      const holds = `SELECT 1 FROM jobs WHERE key = ? AND claimed_by = ? AND claimed_until > ? FOR UPDATE`;
      const isSent = before?.state === 'in_flight';
      if (!isSent && before?.state !== 'confirmed') return undefined;
      if (!(await queries.get(holds, laterKey('send', id), owner, now))) return undefined;
      // The job of this handler ends. Another one holds the action, or does what comes next.
      await removeJob(queries, laterKey('send', id));
      if (isRunning || !isSent) await addJob(queries, laterJob('send', id, { heldBy: owner }), now);
      if (isRunning) return undefined;
      const written = { at: now, ahead: aheadOf(this.parts.clock) };
      const end = isSent ? unknownEnd(written, interrupted, now) : {};
      const row = await changeRow(queries, before, { ...end, owner }, now);
      const step = { what: 'unknown', who: 'switchboard', detail: plainText(interrupted.message), at: now };
      if (isSent) await addAudit(queries, this.parts.seal, row, step);
      return actionOf(row, this.parts.seal);
    });
  }

  /**
   * Time (epoch ms) until which no other process takes over an action that this process sends; undefined if it has no
   * claim.
   */
  claimedUntil(id: string): Promise<number | undefined> {
    // The claim is extended under a lock, while no other process can take the action over.
    return this.parts.db.transaction(async (queries) => {
      const action = await this.#lock(queries, id);
      if (action?.state !== 'in_flight' || action.owner !== this.ownerId) return undefined;
      return extendHold(queries, laterKey('send', id), { owner: this.ownerId, now: this.parts.clock.now() });
    });
  }

  /** Removes and returns the secrets made for the person who confirmed; a second reader gets nothing. */
  async takeOnce(id: string): Promise<Record<string, string> | undefined> {
    const sealed = await this.parts.db.transaction(async (queries) => {
      const once = 'SELECT once_secret AS sealed FROM actions WHERE id = ? FOR UPDATE';
      const row = await queries.get<{ sealed: Uint8Array | null }>(once, id);
      if (row?.sealed) await update(queries, 'actions', { once_secret: null }, 'id = ?', id);
      return row?.sealed ?? undefined;
    });
    return sealed && (this.parts.seal.open(sealed, `${id}/once`) as Record<string, string>);
  }

  /** The result of an action with its activation codes; undefined if it has none. The audit trail names the reader. */
  async reveal(id: string, who: Pick<Revealed, 'who' | 'detail'>): Promise<Fields | undefined> {
    const row = await this.#find(id);
    const result = row && objectIn(resultJson(row, this.parts.seal) ?? '');
    if (!result || Object.keys(activationsIn(result)).length === 0) return undefined;
    await this.revealed({ ...who, action: id, operation: row.operation, requester: row.person });
    return result;
  }

  /** Writes a line about a shown activation code into the audit trail. */
  revealed(line: Revealed): Promise<void> {
    const entry = { ...line, what: 'revealed', at: this.parts.clock.now() };
    return this.parts.db.transaction((queries) => append(queries, this.parts.seal, entry));
  }

  /** Every stored secret that may still be taken or shown, for redaction by value. */
  secrets(): readonly string[] {
    return this.vault.values();
  }

  /** Makes an action the step of another one, so that lists leave it out. */
  async joinTo(parent: string, step: string): Promise<void> {
    await this.parts.db.run('UPDATE actions SET part_of = ? WHERE id = ?', parent, step);
  }

  /** Deletes actions that ended more than `keepMs` ago; resolves to their number. The audit trail stays. */
  async deleteOld(keepMs: number): Promise<number> {
    const before = this.parts.clock.now() - keepMs;
    // One state at a time, by an index over (state, updated_at). For a list of states SQLite would sort all their actions.
    const old = 'SELECT id FROM actions WHERE state = ? AND updated_at < ? ORDER BY updated_at';
    let deleted = 0;
    for (const state of ENDED_STATES)
      deleted += await deleteOldRows(this.parts.db, 'actions', [old, state, before], async (queries, ids) => {
        await queries.run(`DELETE FROM action_names WHERE action IN (${marks(ids)})`, ...ids);
        // An installation without a surface that draws actions has not run these jobs.
        await queries.run(`DELETE FROM jobs WHERE key IN (${marks(ids)})`, ...ids.map((id) => laterKey('show', id)));
      });
    return deleted;
  }

  /** Call before the store is closed. */
  async close(): Promise<void> {
    this.#stopListening();
  }

  /** The same calls that run, have no known end, or did something at `since` or later. Of two at once, the second finds the first. */
  async #twins(queries: Transaction, call: RepeatedCall, since: number): Promise<Action[]> {
    await queries.lock(`sending ${call.operation}`);
    const found = (await this.open.repeats(call, since, queries)).map(({ action }) => action);
    return found.filter(({ state }) => state !== 'pending');
  }

  #find(id: string): Promise<ActionRow | undefined> {
    return this.parts.db.get<ActionRow>('SELECT * FROM actions WHERE id = ?', id);
  }

  #lock(queries: Queries, id: string): Promise<ActionRow | undefined> {
    return queries.get<ActionRow>('SELECT * FROM actions WHERE id = ? FOR UPDATE', id);
  }

  #flawOf(row: ActionRow, isDecided = false): Flaw | undefined {
    return flawOf(row, this.parts.seal, this.parts.clock.now(), isDecided);
  }

  #inputOf(row: ActionRow): SealedInput {
    return this.parts.seal.open(row.input, row.id) as SealedInput;
  }
}

/** What is done in the transaction of a decision. */
export type Also = (queries: Queries) => Promise<void>;

export type { Action, DecidedBy, End, Flaw, NewAction, State, StoredSecret } from './action.ts';
export type { ActionsView } from './lookups.ts';
export type { Notes } from './rows.ts';
