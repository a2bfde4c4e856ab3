import { createHash } from 'node:crypto';
import type { Change, Consent, Level } from '../catalogue/operation.ts';
import { identified, type Way } from '../lib/actor.ts';
import { AHEAD_MS } from '../lib/clock.ts';
import type { Failure } from '../lib/errors.ts';
import { type Fields, isRecord, mapLeaves, objectIn, type Part, recordsIn, textOf } from '../lib/values.ts';
import { oneSpelling } from '../platform/dialect/readings.ts';
import { withholdActivation } from '../platform/dialect/redact.ts';
import { insert } from '../store/key-values.ts';
import type { Queries } from '../store/types.ts';
import { resultJson, type Seal } from './seal.ts';

/** The states that an action may still leave. There are few such actions, so they are counted on each request. */
export const OPEN_STATES = ['pending', 'confirmed', 'in_flight', 'unknown'] as const;
/** States that an action does not leave, so that its row is not needed any more. */
export const ENDED_STATES = ['done', 'partly', 'failed', 'declined', 'expired'] as const;

/** `pending → confirmed → in_flight → done | partly | failed | unknown`, or `declined`, `expired`. */
export type State = (typeof OPEN_STATES | typeof ENDED_STATES)[number];

/**
 * One call that is not a read, as the ledger records it. All of it may be shown; secrets are stored sealed elsewhere.
 */
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
  shown: Fields;
  /** The findings of checks and preparing steps, without secrets. */
  known: Fields;
  consent: Consent | undefined;
  /** The requester's reason, in their own words. */
  reason: string | undefined;
  createdAt: number;
  expiresAt: number;
  /** Name of the person who decided, for display. */
  decidedBy: string | undefined;
  /** Identity of the person who decided; undefined if no person decided. */
  decidedPerson: string | undefined;
  /** A way of CONFIRM_VIA; `withdrawn` or `replaced` if no person decided. */
  decidedVia: string | undefined;
  decidedAt: number | undefined;
  /** The reason of the person who declined, in their own words. */
  decidedReason: string | undefined;
  sentAt: number | undefined;
  finishedAt: number | undefined;
  /** Without the activation codes of eSIMs (`Ledger.reveal`). */
  result: Fields | undefined;
  error: Failure | undefined;
  /** True if its outcome is, or was, unknown. */
  wasUnknown?: true | undefined;
  /** True if a secret waits to be shown once, to the person who confirmed. */
  hasOnce?: boolean;
  owner: string | undefined;
  updatedAt: number;
  /** Data that a surface stores with the action, such as the channel and timestamp of its card. */
  notes: Fields;
  /** The action of which it is a step, or that started its batch. */
  partOf?: string | undefined;
  /** The batch whose rows it sent. */
  batch?: string | undefined;
}

export interface NewAction
  extends Pick<Action, 'actorId' | 'actorName' | 'person' | 'surface' | 'shown' | 'known' | 'consent' | 'expiresAt'>,
    Partial<Pick<Action, 'reason' | 'partOf'>>,
    RepeatedCall {
  /** `pending` waits for a person; `in_flight` is sent by its owner at once. */
  state: 'pending' | 'in_flight';
  /** Values (phone numbers) for which only one call may be open at a time. */
  exclusive?: readonly string[];
  /** Holds that the process must still have when it writes the action, by key. */
  holds?: readonly string[] | undefined;
  /** Maximum number of open questions of the requester. */
  mostOpen?: number;
  /** Data that the surface stores with the action. */
  notes?: Fields | undefined;
  /** Ids of the waiting questions that it takes the place of. They end in the transaction that writes it. */
  replaces?: readonly string[];
  /** The rows of a batch that it sends. They are claimed in the transaction that writes the action. */
  batch?: ClaimedRows | undefined;
  /** The same calls keep it from being sent. They are looked for in the transaction that writes the action. */
  beside?: SentBeside | undefined;
}

/** The same calls that keep an action from being sent without a yes of its own. */
interface SentBeside {
  /** Epoch ms: calls that ended earlier do not count. */
  since: number;
  /** True if one of the same calls, as they are in that moment, keeps it from being sent. */
  refuses: (twins: readonly Action[]) => boolean;
}

/** The part of an action that is stored sealed, because it may hold secrets. */
export interface SealedInput {
  sent: Fields;
  /** The caller's own input, from which the change is built again. */
  given: Fields;
}

/** A call whose repeats are looked for. A repeat has the same input of the caller, or sends the same. */
export interface RepeatedCall extends SealedInput {
  operation: string;
  /** The field with the targets of an operation that takes several. */
  list: string | undefined;
}

/** Rows of a confirmed batch that one action sends. */
export interface ClaimedRows {
  id: string;
  /** Numbers of the rows. */
  rows: readonly number[];
  /** The decision about the batch. */
  decided: Pick<Action, 'decidedBy' | 'decidedPerson' | 'decidedVia' | 'decidedAt'>;
}

/** The person who decided, and the way they used. */
export interface DecidedBy {
  /** Identity, the same on every surface (`personOf`). */
  person: string;
  /** For display only: people choose their own names. */
  name: string;
  way: Way;
  /** The reason for declining, in their own words. */
  reason?: string | undefined;
}

/** A secret of an answer, stored for one later call (an AuthCode). */
export interface StoredSecret {
  /** The operation whose answer held it. */
  operation: string;
  key: string;
  secret: string | number;
  /** The part of that answer that may be shown. */
  known: Fields;
  /** Epoch ms. */
  expiresAt: number;
}

/** The end of an action, to be written to the ledger. */
export interface End {
  /** The states it may be in now. */
  from: State[];
  /** True if only the owner of an action in flight may end it: a process that lost its claim may not. */
  fenced?: boolean;
  state: 'done' | 'partly' | 'failed' | 'unknown';
  result?: Fields;
  error?: Failure;
  /** A secret of the answer that a later operation sends. */
  keep?: StoredSecret | undefined;
  /** A secret that is shown once, to the person who confirmed. */
  once?: Record<string, string> | undefined;
  who?: string;
  /** The person who says how it ended. */
  by?: DecidedBy;
  /** For the audit trail; by default the error's message. */
  detail?: string;
  /** The time of the last byte sent (epoch ms), and the lead of the clock over its monotonic time then. */
  written?: { at: number; ahead: number } | undefined;
}

/** The name of the column for a member: `actor_id` for `actorId`. */
type ColumnName<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${ColumnName<Rest>}`
  : '';

/** A member as its column holds it: an object as JSON, and null for none. */
type Column<Value> = Value extends string | number ? Value : Value extends undefined ? null : string;

type Stored = Required<Omit<Action, 'wasUnknown' | 'hasOnce'>>;

/** A row of the table `actions`: the members of an action, and what is not shown of it. */
export type ActionRow = { [Name in keyof Stored as ColumnName<Name>]: Column<Stored[Name]> } & {
  digest: string;
  full_digest: string;
  input: Uint8Array;
  bound: string | null;
  proof: string | null;
  /** The attempts to resolve an unknown outcome. */
  reading?: string | null;
  once_secret?: Uint8Array | null;
};

/** Columns with JSON, and what stands for a text that is no object, so that one broken row does not break a list. */
const OBJECTS: Readonly<Fields> = { shown: {}, known: {}, consent: undefined, error: undefined, notes: {} };

/** The action of a row: its columns but those with secrets. `seal`: opens a sealed result. */
export function actionOf(row: ActionRow, seal: Seal): Action {
  const { input: _, digest: _digest, full_digest: _full, bound: _bound, proof: _proof, once_secret, ...others } = row;
  const { reading = null, ...shown } = others;
  const members = Object.entries(shown).map(([name, value]) => [
    name.replace(/_(.)/g, (_all, letter: string) => letter.toUpperCase()),
    name in OBJECTS ? (objectIn(String(value)) ?? OBJECTS[name]) : (value ?? undefined),
  ]);
  return {
    ...(Object.fromEntries(members) as Action),
    result: withholdActivation(objectIn(resultJson(row, seal) ?? '')),
    wasUnknown: reading === null ? undefined : true,
    hasOnce: (once_secret ?? null) !== null,
  };
}

export function notesOf(row: Pick<ActionRow, 'notes'>): Fields {
  return objectIn(row.notes) ?? {};
}

/** The key of a note with the id of the question that replaced a waiting one. */
export const REPLACED_BY = 'replacedBy';

/** The key of a note with the names that the requester typed, and the records for which they were taken. */
export const TAKEN = 'taken';

/** The names that the requester typed in place of numbers and ids, with the records for which they were taken. */
export function takenIn({ notes = {} }: { notes?: Fields }): { text: string; label: string }[] {
  return recordsIn(notes[TAKEN]).map(({ text, label }) => ({ text: textOf(text), label: textOf(label) }));
}

/** The change that an action is about; undefined for one without. */
export function changeOf({ known }: Pick<Action, 'known'>): Change | undefined {
  return known.change as Change | undefined;
}

/** The part of an input that is acted on: the question about a batch also lists the rows that it leaves out. */
export function actedOn({ LeftOut: _, ...acted }: Readonly<Fields>): Fields {
  return acted;
}

/** The level of the yes that an action needs: that of its change. An action without a change needs an approver. */
export function levelOfAction(action: Pick<Action, 'known'>): Level {
  return changeOf(action)?.level ?? 'approver';
}

/** JSON with sorted keys, so that the order of members does not matter. */
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

/**
 * The same with ids and texts in one spelling, and with the entries of lists of phone numbers in one order: a list of lines is
 * the same in any order.
 */
export function canonicalCall(fields: Fields): string {
  // A phone number, as a text or as a row with nothing else.
  const isLine = (one: unknown): boolean =>
    typeof one === 'string' ? /^\+\d{7,15}$/.test(one) : isRecord(one) && Object.keys(one).join() === 'Number';
  const sorted = Object.entries(fields).map(([name, value]) => [
    name,
    Array.isArray(value) && value.every(isLine) ? [...value].sort(byText) : value,
  ]);
  // In any other text, letters with their accents and line ends are compared as they read.
  const leaf = ({ name, value }: Part) => {
    if (typeof value !== 'string') return value;
    return /id$/i.test(name) ? oneSpelling(value) : value.normalize('NFC').replaceAll('\r\n', '\n');
  };
  return canonical(mapLeaves(Object.fromEntries(sorted), { leaf }));
}

/** The text over which the digest of a call is made. */
export function callText(operation: string, fields: Fields): string {
  return `${operation}\n${canonicalCall(fields)}`;
}

const byText = (one: unknown, other: unknown) => (canonical(one) < canonical(other) ? -1 : 1);

/*
 * Proofs over rows of the ledger, made with this installation's key. The binding proves that the question shows what
 * was requested. The proof proves that a person decided through this installation. A person who can write the file but
 * does not have the key can forge neither. The proofs do not cover age: an old copy of the whole file is valid.
 */

/** Columns of a row, in the order in which a seal or a hash covers them. */
const columns = <Row>(names: string) => names.split(' ') as (keyof Row)[];

const ASKED = columns<ActionRow>('id operation digest full_digest');
const SHOWN = columns<ActionRow>('shown known consent reason person actor_id actor_name surface created_at expires_at');
const BOUND = columns<ActionRow>('id operation digest bound');
const DECIDED = columns<ActionRow>('decided_person decided_by decided_via decided_at decided_reason');

/** The text that binds a request to what a person sees of it: operation, input, consent, requester and times. */
export function boundText(row: ActionRow): string {
  const input = createHash('sha256').update(row.input).digest('base64url');
  return JSON.stringify(['asked', ...ASKED.map((name) => row[name]), input, ...SHOWN.map((name) => row[name])]);
}

/** The text that proves a decision about a bound row. */
export function decidedText(row: ActionRow, state: 'confirmed' | 'declined'): string {
  return JSON.stringify(['decided', ...BOUND.map((name) => row[name]), state, ...DECIDED.map((name) => row[name])]);
}

/** Why a row may not run: its record proves nothing, or it is true and the clock was set back since. */
export interface Flaw {
  why: 'record' | 'clock';
  /** For the log. */
  detail: string;
}

/** The flaw of a record that proves nothing. */
export function unproven(detail: string): Flaw {
  return { why: 'record', detail };
}

/**
 * The reason why the question of a row proves nothing, or with `isDecided` why the row does not prove that a person
 * confirmed it; undefined if it does. A record that cannot be checked counts as flawed. `now`: epoch ms.
 */
export function flawOf(row: ActionRow, seal: Seal, now: number, isDecided: boolean): Flaw | undefined {
  try {
    if (row.bound === null) return unproven('it has no seal');
    if (!seal.proves(boundText(row), row.bound)) return unproven('its seal does not match its content');
    if (row.created_at > now + AHEAD_MS) return { why: 'clock', detail: 'its request time is in the future' };
    if (!isDecided) return undefined;
    if (row.proof === null) return unproven('its decision has no seal');
    if (!seal.proves(decidedText(row, 'confirmed'), row.proof))
      return unproven('the seal of its decision does not match');
    const isAhead = (row.decided_at ?? Number.POSITIVE_INFINITY) > now + AHEAD_MS;
    return isAhead ? { why: 'clock', detail: 'its decision time is in the future' } : undefined;
  } catch (error) {
    return unproven(`it cannot be read (${String(error)})`);
  }
}

/** One step of an action. `by`: the person who decided in it. */
type AuditStep = Pick<NewEntry, 'at' | 'what' | 'who' | 'detail' | 'reason' | 'change_digest'> & {
  by?: DecidedBy | undefined;
};

/** Adds an entry about an action as it is now, last in a transaction (`append`). Entries are never changed afterwards. */
export async function addAudit(
  queries: Queries,
  seal: Seal,
  { id: action, operation, person: requester, decided_person, decided_by, decided_via, batch }: ActionRow,
  { by, ...step }: AuditStep,
): Promise<void> {
  const person = by?.person ?? decided_person;
  const decider = person ? identified(person, by?.name ?? decided_by ?? undefined) : null;
  const way = by?.way ?? decided_via;
  await append(queries, seal, { ...step, action, operation, requester, decider, way, batch });
}

/** A line about a shown activation code: who read it and where, and the answer with it. `action`: empty for a read. */
export type Revealed = Pick<NewEntry, 'who' | 'detail' | 'action' | 'operation' | 'requester'>;

/** An entry with what its action records about the change. */
export interface AuditEntry extends AuditLine {
  /** JSON. Null for a step without a change, and after the action was deleted (LEDGER_KEEP_DAYS). */
  known: string | null;
}

/** Entries of one page of `auditEntries`. */
const PAGE = 1_000;

/**
 * Entries, the oldest first, page by page.
 * @param only.from dated in this time (epoch ms, both included)
 * @param only.after numbered higher
 */
export async function* auditEntries(queries: Queries, only: { from?: number; until?: number; after?: number } = {}) {
  const { from = 0, until = Number.MAX_SAFE_INTEGER, after = Number.MIN_SAFE_INTEGER } = only;
  for (let last = after; ; ) {
    const entries = await queries.all<AuditEntry>(
      `SELECT u.*, a.known FROM audit u LEFT JOIN actions a ON a.id = u.action AND u.change_digest IS NOT NULL
         WHERE u.seq > ? AND u.at >= ? AND u.at <= ? ORDER BY u.seq LIMIT ?`,
      ...[last, from, until, PAGE],
    );
    yield entries;
    const end = entries.at(-1);
    if (end === undefined || entries.length < PAGE) return;
    last = end.seq;
  }
}

/*
 * The audit trail is a chain: each entry has the hash of the one before, and a number without gaps. One row records the
 * end of the chain, sealed with the key of this installation. So an entry that is removed, altered, inserted or moved is
 * found (`verify.ts`), even with the exported entries alone.
 */

/** One entry of the audit trail. */
export interface AuditLine {
  /** From 1, without gaps. */
  seq: number;
  at: number;
  action: string;
  operation: string;
  what: string;
  /** Name of the person or program that did this step, for display. */
  who: string;
  detail: string;
  /** Identity of the person who requested the action. */
  requester: string | null;
  /** Identity and name of the person who decided; null before a decision. */
  decider: string | null;
  /** The way of deciding that this person used. */
  way: string | null;
  /** The batch that the action belongs to. */
  batch: string | null;
  /** The reason of the person who asked or declined, in their own words. */
  reason: string | null;
  /** Digest of what the action records about its change (`digestOf`); null for a step without one. */
  change_digest: string | null;
  /** Hash of the entry before; empty for the first one. */
  prev: string;
  hash: string;
}

/** A new entry. What is left out has no value. */
export type NewEntry = Pick<AuditLine, 'at' | 'action' | 'operation' | 'what' | 'who' | 'requester'> & {
  [Name in 'detail' | 'decider' | 'way' | 'batch' | 'reason' | 'change_digest']?: AuditLine[Name] | undefined;
};

/** The end of the chain: the number and the hash of the last entry. */
interface TrailEnd {
  seq: number;
  hash: string;
}

/** The stored end. */
interface EndRow extends TrailEnd {
  /** Proves that this installation wrote it. */
  proof: string;
  /** The first entry that was written after an end without a valid proof. */
  doubt: number | null;
}

const MEMBERS = columns<AuditLine>(
  'prev seq at action operation what who detail requester decider way batch reason change_digest',
) as Exclude<keyof AuditLine, 'hash'>[];

/** The hash of an entry: SHA-256 over the JSON list of its members. One that is left out is null in it. */
export function hashOf(entry: Omit<AuditLine, 'hash'>): string {
  return digestOf(JSON.stringify(MEMBERS.map((name) => entry[name])));
}

/** SHA-256 of a text, in base64url. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/**
 * Takes the next number, and returns it with the end before. The end stays locked until the transaction ends. An end
 * that was deleted or set back does not stop the next entry from being written.
 */
const NEXT = `INSERT INTO audit_end (one, seq, hash, proof)
  VALUES (1, (SELECT coalesce(max(seq), 0) + 1 FROM audit), '', '')
  ON CONFLICT (one) DO UPDATE
    SET seq = CASE WHEN excluded.seq > audit_end.seq + 1 THEN excluded.seq ELSE audit_end.seq + 1 END
  RETURNING seq, hash, proof, doubt`;

/**
 * Adds an entry to the chain. Call it last in a transaction: the end is locked until the transaction ends, so that
 * processes add one after another, and a transaction that waits for the end must hold nothing that its holder needs.
 */
export async function append(queries: Queries, seal: Seal, fresh: NewEntry): Promise<void> {
  const end = await queries.get<EndRow>(NEXT);
  if (end === undefined) throw new Error('the end of the audit trail was not written');
  const { seq, hash: prev } = end;
  const isFirst = seq === 1 && prev === '';
  const doubt = isFirst || isProven({ ...end, seq: seq - 1 }, seal) ? end.doubt : (end.doubt ?? seq);
  // The entry as it is read back, so that its hash stays the same.
  const stored = Object.entries({ ...fresh, detail: fresh.detail ?? '' }).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.replace(/[\0\p{Surrogate}]/gu, '\uFFFD') : value,
  ]);
  const entry = { ...(Object.fromEntries(stored) as Omit<AuditLine, 'hash'>), seq, prev };
  const hash = hashOf(entry);
  await insert(queries, 'audit', [{ ...entry, hash }]);
  const proof = seal.mac(endText({ seq, hash, doubt }));
  await queries.run('UPDATE audit_end SET hash = ?, proof = ?, doubt = ?', hash, proof, doubt);
}

/** True if this installation wrote this end. */
function isProven(end: EndRow, seal: Seal): boolean {
  return seal.proves(endText(end), end.proof);
}

/** Proves the end with the first key, if one of the others proves it. */
export async function proveAgain(queries: Queries, seal: Seal): Promise<void> {
  const end = await queries.get<EndRow>('SELECT seq, hash, proof, doubt FROM audit_end FOR UPDATE');
  if (end !== undefined && isProven(end, seal))
    await queries.run('UPDATE audit_end SET proof = ?', seal.mac(endText(end)));
}

function endText({ seq, hash, doubt }: Omit<EndRow, 'proof'>): string {
  return JSON.stringify(['audit end', seq, hash, doubt]);
}

/* Checks the chain of the audit trail, and that ledger and trail agree. */

/**
 * Checks the whole trail. Entries that are written meanwhile are left out.
 * @param known an end that was kept elsewhere
 * @returns the number of entries, the last one (undefined for an empty trail), and the faults in sentences
 */
export async function verifyTrail(queries: Queries, { seal, known }: { seal: Seal; known?: TrailEnd | undefined }) {
  // Read with the highest number of an entry at once, so that both are of the same moment.
  const [end = NO_END] = await queries.all<StoredEnd>(
    `SELECT e.seq, e.hash, e.proof, e.doubt, (SELECT coalesce(max(seq), 0) FROM audit) AS last
       FROM (SELECT 1 AS one) x LEFT JOIN audit_end e ON e.one = x.one`,
  );
  const removed: Run[] = [];
  const altered: Run[] = [];
  const flaws: string[] = [];
  let [entries, knownHash]: [number, string | undefined] = [0, undefined];
  let previous = { seq: 0, hash: '', isWhole: true };
  let last: TrailEnd | undefined;
  for await (const page of auditEntries(queries, {})) {
    for (const entry of page) {
      const { seq, hash } = entry;
      if (seq > end.last) break;
      entries += 1;
      if (seq === known?.seq) knownHash = hash;
      if (seq > previous.seq + 1) removed.push({ from: previous.seq + 1, to: seq - 1 });
      const isWhole = hashOf(entry) === hash;
      const run = altered.at(-1);
      if (!isWhole && run?.to === seq - 1) run.to = seq;
      else if (!isWhole) altered.push({ from: seq, to: seq });
      else if (previous.isWhole && seq === previous.seq + 1 && entry.prev !== previous.hash)
        flaws.push(`Entry ${seq} does not follow the one before: one of them was altered or inserted with a new hash.`);
      if (entry.known !== null && digestOf(entry.known) !== entry.change_digest)
        flaws.push(`The change of ${entry.action} (entry ${seq}) was altered in the ledger.`);
      previous = { seq, hash, isWhole };
      if (seq <= (end.seq ?? 0)) last = { seq, hash };
    }
  }
  flaws.unshift(
    ...removed.map((run) => `${entriesOf(run)} removed.`),
    ...altered.map((run) => `${entriesOf(run)} altered or moved.`),
  );
  flaws.push(...endFlaws(last, entries, end, seal));
  if (known !== undefined && knownHash === undefined)
    flaws.push(`The trail had an entry ${known.seq}, which is missing.`);
  else if (known !== undefined && knownHash !== known.hash)
    flaws.push(`Entry ${known.seq} is not the one that was the end: it, or entries before it, were rewritten.`);
  for await (const { id, state } of withoutEntry(queries))
    flaws.push(`Action ${id} is ${state} in the ledger, and the trail has no entry that says so.`);
  return { entries, end: last, flaws };
}

/** Entries that follow each other and have the same flaw. */
interface Run {
  from: number;
  to: number;
}

function entriesOf({ from, to }: Run): string {
  return from === to ? `Entry ${from} was` : `Entries ${from} to ${to} were`;
}

/** The stored end, and the highest number of an entry. */
type StoredEnd = { last: number } & { [name in keyof EndRow]: EndRow[name] | null };

const NO_END: StoredEnd = { seq: null, hash: null, proof: null, doubt: null, last: 0 };

/** The faults of the end of the chain. */
function endFlaws(last: TrailEnd | undefined, entries: number, end: StoredEnd, seal: Seal): string[] {
  const { seq, hash, proof, doubt } = end;
  if (seq === null || hash === null || proof === null)
    return entries === 0 ? [] : ['The record of the end of the trail was removed.'];
  const flaws: string[] = [];
  if ((last?.seq ?? 0) < seq)
    flaws.push(`The trail was cut: its entries from ${(last?.seq ?? 0) + 1} to ${seq} are missing.`);
  else if (last?.hash !== hash) flaws.push(`Entry ${seq} is not the one that was written as the end.`);
  if (end.last > seq)
    flaws.push(`${entriesOf({ from: seq + 1, to: end.last })} inserted: the recorded end is entry ${seq}.`);
  if (!isProven({ seq, hash, proof, doubt }, seal))
    flaws.push(
      'The record of the end is not sealed with the key of this installation (SEALING_KEY): the whole trail may have been rewritten.',
    );
  if (doubt !== null)
    flaws.push(
      `The record of the end was not sealed when entry ${doubt} was written: entries before it may have been rewritten.`,
    );
  return flaws;
}

/** Actions whose state no entry of the trail shows. */
async function* withoutEntry(queries: Queries): AsyncGenerator<{ id: string; state: string }> {
  for (let after = ''; ; ) {
    const found = await queries.all<{ id: string; state: string; entries: number }>(
      `SELECT a.id, a.state, (SELECT count(*) FROM audit u WHERE u.action = a.id AND u.what =
           CASE a.state WHEN 'pending' THEN 'asked' WHEN 'in_flight' THEN 'sent' ELSE a.state END) AS entries
         FROM actions a WHERE a.id > ? ORDER BY a.id LIMIT ?`,
      after,
      PAGE,
    );
    for (const { entries, ...action } of found) if (entries === 0) yield action;
    const last = found.at(-1);
    if (last === undefined || found.length < PAGE) return;
    after = last.id;
  }
}
