import { createHash } from 'node:crypto';
import { batchedBy } from '../catalogue/change.ts';
import { fieldsOf, namesAccount, parseInput, type RecordReference, withDefaultAccount } from '../catalogue/input.ts';
import type { Change, Histories, Operation, Tool } from '../catalogue/operation.ts';
import { canonical } from '../ledger/action.ts';
import type { Action, Ledger, State } from '../ledger/ledger.ts';
import { type Actor, identified } from '../lib/actor.ts';
import type { Clock } from '../lib/clock.ts';
import { asSwitchboardError, changed, type Failure, invalidInput, SwitchboardError } from '../lib/errors.ts';
import {
  defined,
  type Fields,
  isRecord,
  joined,
  quote,
  quotesIn,
  recordOf,
  recordsIn,
  type Words,
  words,
} from '../lib/values.ts';
import type { Client } from '../platform/client.ts';
import type { Redactor } from '../platform/dialect/redact.ts';
import type { Completions, Verdict } from '../platform/dialect/verdict.ts';
import type { Request } from '../platform/wire.ts';
import type { Worker } from '../work/worker.ts';
import { type Approval, type Decider, isWithdrawn } from './approval.ts';

/* The inputs and outputs of the gate, and the errors of calls that a person did not confirm. */

/** An action as shown to a person, on a page, on a card or by `confirmations_get`. */
export interface Confirmation {
  id: string;
  status: 'pending' | 'running' | 'done' | 'partly' | 'failed' | 'unknown' | 'declined' | 'expired';
  summary: string;
  consequence: string;
  /** The platform's own statement, word for word (a cancellation's ConsentStatement). */
  statement?: string;
  /** The customer concerned: name and account. */
  customer?: string;
  /** The requester's reason, in their own words. */
  reason?: string;
  /** Every number of the stored order that the call acts on. */
  numbers?: readonly string[];
  /** The first requester and the time (ISO 8601). Set for another requester of the same call. */
  requestedBy?: string;
  requestedAt?: string;
  /** True if an earlier call of the same requester asked this question already. */
  isRepeat?: boolean;
  /** Its change, with the level of the confirmation that it needs. */
  change?: Change;
  /** Ids of the questions of the same requester that it takes the place of. */
  replaces?: readonly string[];
  url?: string;
  /** ISO 8601. */
  expiresAt: string;
  /** Identity and name of the person who decided. */
  decidedBy?: string;
  /** The reason of the person who declined, in their own words. */
  decidedReason?: string;
  /** How a done call stands, if more is to say than that it is done: "Order rejected". */
  headline?: string;
  result?: Fields;
  error?: Failure;
}

/**
 * Asks the user of the calling client or terminal. `cancel`: the question was closed without an answer. `unavailable`:
 * the user cannot be asked now, and the confirmation stays pending.
 */
export type Ask = (action: Action, signal: AbortSignal) => Promise<'accept' | 'decline' | 'cancel' | 'unavailable'>;

/** A question that is not stored: all that a person reads of it. */
export type Previewed = Pick<Action, 'operation' | 'shown' | 'known' | 'consent'>;

export interface PerformOptions {
  ask?: Ask;
  /**
   * The person who answers `ask`, and the way they answer; by default the actor. `ask` is called only if this person
   * may decide.
   */
  decider?: Decider;
  /**
   * Set where the person who may decide cannot be asked now: takes the question as it would be asked, and returns the error
   * of the call. Nothing is stored or sent.
   */
  unasked?: (question: Previewed) => SwitchboardError;
  /** Cancels the call: withdraws a pending question and leaves the queue. A change that was sent is awaited. */
  signal?: AbortSignal;
  /** Epoch ms; by default three minutes from now. */
  deadline?: number;
  /** Epoch ms: when the call was made, if that was before now. The same call that ended later was made in parallel. */
  startedAt?: number;
  /** Called when it waits: for a place within the limit, for a platform that is busy or silent, or for a person's yes. */
  onWait?: (why: 'rate_limit' | 'busy' | 'retry' | 'person', seconds: number) => void;
  /** Called with the id of the action of a change, and with that of each step that is sent before a person is asked. */
  onStage?: (id: string) => void;
  /** Called (epoch ms) when the first byte of an attempt at a change is written, and again when the last one is. */
  onWritten?: (at: number) => void;
  /** The requester's reason, which approvers read. */
  reason?: string;
  /** True if the caller knows of an earlier call with the same input and wants another one. */
  again?: boolean;
  /** Data that the surface stores with a pending action, such as the channel of its card. */
  notes?: Fields;
  /** Id of a waiting question of the same requester that this call replaces. */
  replaces?: string;
}

export type Performed =
  | {
      kind: 'done';
      value: Fields;
      /** Set if the platform did only a part of the work. */
      partly?: Verdict;
      /** The change that was made, and the later day on which it takes effect, in words. */
      change?: Change;
      from?: string;
      /** Set if the records have the values already, so that nothing was sent. */
      already?: true;
      /** True if nothing was sent, because the same call had been made: this is its result. */
      isRepeat?: true;
      actionId?: string;
      /** Secrets for the person who confirmed. */
      once?: Record<string, string>;
    }
  | { kind: 'pending'; action: Action; confirmation: Confirmation };

/** Those who ask for changes, as the settings and Slack know them now. */
export interface Requesters {
  /**
   * The reason why the requester of an action may not ask for this operation any more, as part of a sentence; undefined if
   * they may. Rejects with `unavailable` if it cannot be told here or now.
   */
  refusal(asked: Pick<Action, 'actorId' | 'person' | 'surface'>, tool: Tool): Promise<string | undefined>;
}

export interface GateOptions {
  tools: readonly Tool[];
  client: Client;
  ledger: Ledger;
  clock: Clock;
  /** Holds the jobs of actions that this process sends. */
  worker: Worker;
  /** Looked up again at the yes. */
  requesters: Requesters;
  redactor: Redactor;
  /** The settings that determine who may decide, and by which ways. */
  approval: Approval;
  /** Time that a confirmation stays pending. */
  confirmSeconds: number;
  /** URL of the server with the confirmation pages; left out if none are served. */
  pages?: string | undefined;
  /** URL of the platform. `oauth2_tokens` accepts full URLs below it; without it, only operation ids and paths. */
  platformUrl?: string;
  /** Events, delivery receipts and watched numbers. */
  history: Histories;
  /** Maximum time that the platform works on one call, in ms from the last byte sent; five minutes by default. */
  settleMs: number;
  /** IANA zone of dates in answers that carry none. */
  timeZone: string;
  /** The account for calls that create or pay for something and name no account. */
  defaultAccountId?: string;
  /** Rules for naming records by their ids. */
  references?: readonly RecordReference[];
  /** Learns ids and numbers from answers. */
  completions?: Completions;
  log: (level: 'debug' | 'info' | 'warn' | 'error', fields: Fields, message: string) => void;
}

/** The options of the gate, which each of its parts has. */
export type GateParts = Omit<GateOptions, 'tools'> & { tools: ToolIndex };

/** A part of the gate, with the other parts that it uses. */
export class GatePart<More = unknown> {
  protected readonly parts: GateParts & More;

  constructor(parts: GateParts & More) {
    this.parts = parts;
  }
}

/**
 * Name of the note that lists the other people who requested the same call while it waited. They may read its state.
 */
export const ALSO_ASKED = 'alsoAsked';

/** Name of the note with the facts that a preparing step found again after the yes. */
export const RENEWED = 'renewed';

/** Name of the note that the requester has learned the end of an action whose outcome was unknown. */
export const END_TOLD = 'endTold';

/** The requester of an action, and the time of the request. */
export function requestOf({ actorName, createdAt }: Action): { requestedBy: string; requestedAt: string } {
  return { requestedBy: actorName, requestedAt: new Date(createdAt).toISOString() };
}

/** True for an action that was done, in whole or in part. */
export function isEnded({ state }: Pick<Action, 'state'>): boolean {
  return state === 'done' || state === 'partly';
}

/** True for an action that was confirmed and has not ended. */
export function isRunning({ state }: Pick<Action, 'state'>): boolean {
  return state === 'confirmed' || state === 'in_flight';
}

export function statusOf(state: State): Confirmation['status'] {
  return state === 'confirmed' || state === 'in_flight' ? 'running' : state;
}

/** A result with these texts after its own warning. */
export function withWarnings(value: Fields, ...texts: readonly string[]): Fields {
  if (texts.length === 0) return value;
  return {
    ...value,
    Warning: [value.Warning, ...texts].filter((text) => typeof text === 'string' && text !== '').join(' '),
  };
}

/** The error of a call, with the explanation of its operation. It keeps the platform's own text. */
export function explained(tool: Operation, error: unknown): SwitchboardError {
  const failure = asSwitchboardError(error);
  const { message, next } = failure.face;
  const more = tool.explains?.[failure.face.code];
  if (typeof more !== 'function')
    return more === undefined ? failure : changed(failure, { next: joined([next, more]) });
  const explanation = more(quotesIn(message));
  return explanation ? changed(failure, { ...explanation, message: joined([explanation.message, message]) }) : failure;
}

/** The identity and name of the person who decided about an action; undefined if no person decided. */
export function decidedByOf({ decidedBy, decidedPerson }: Partial<Action>): string | undefined {
  return decidedPerson === undefined ? decidedBy : identified(decidedPerson, decidedBy);
}

/** The error that explains to a caller why an action was not confirmed. */
export function notConfirmed(action: Action): SwitchboardError {
  const decider = decidedByOf(action);
  const by = decider === undefined ? '' : ` by ${decider}`;
  const declined = `${isWithdrawn(action) ? 'Withdrawn' : 'Declined'}${by}`;
  // A question may fail before anybody confirmed it, and an own change may run without a question.
  const ended = (how: string) =>
    by === '' ? `It has already ended: ${how}.` : `It was already confirmed${by} and ${how}.`;
  const texts: Record<State, Words> = {
    pending: 'It is still waiting for a person.',
    confirmed: `It was already confirmed${by} and is running.`,
    in_flight: `It was already confirmed${by} and is running.`,
    // A batch may have ended in any way since.
    done: ended(action.operation === BATCH_RUN ? 'its batch was started' : 'done'),
    partly: ended('partly done'),
    failed: ended('failed'),
    unknown: `It was already confirmed${by}; its outcome is unknown.`,
    declined:
      action.decidedVia === 'replaced'
        ? 'The question was replaced by a newer one before a person decided.'
        : action.decidedVia === 'withdrawn'
          ? 'The question was withdrawn before a person decided.'
          : action.decidedReason === undefined
            ? `${declined}.`
            : words`${declined}: ${quote(action.decidedReason)}`,
    expired: 'Nobody decided in time, so it expired.',
  };
  const reason = reasonOf(action);
  const isOpen = isRunning(action) || action.state === 'unknown';
  const face: Failure = {
    code: 'not_confirmed',
    message: texts[action.state],
    outcome: isOpen ? 'unknown' : 'not_done',
    ...(isOpen && { follow: action.id }),
    ...((reason !== undefined || action.state === 'pending') && { effect: 'nothing_sent' }),
    ...defined({ reason, by: reason === 'declined' ? decider : undefined }),
  };
  return new SwitchboardError(isPaid(action) ? withCharge(face) : face);
}

/** The failure of a call that was not sent, because a step before it failed. Its effect is not that of the call. */
export function unsent(error: unknown): Failure {
  const { follow: _, effect, ...face } = asSwitchboardError(error).face;
  return { ...face, ...defined({ effect: effect === 'maybe_done' ? 'nothing_done' : effect }), outcome: 'not_done' };
}

function reasonOf(action: Action): Failure['reason'] {
  const { state, decidedVia } = action;
  if (state === 'expired') return 'expired';
  if (state !== 'declined') return undefined;
  if (isWithdrawn(action)) return 'withdrawn';
  return decidedVia === 'withdrawn' || decidedVia === 'replaced' ? decidedVia : 'declined';
}

/** Errors of actions that were not sent, or may not have been sent. */
export const FACES = {
  unsealed: {
    code: 'unavailable',
    message:
      'The record of this action does not carry the seal of this installation: it was changed, or created with another SEALING_KEY.',
    effect: 'nothing_sent',
    next: 'Ask for it again.',
    outcome: 'not_done',
  },
  clockSetBack: {
    code: 'unavailable',
    message: 'The clock was set back: by its present time, this was asked for or confirmed in the future.',
    effect: 'nothing_sent',
    next: 'Check the clock of the server, then ask for it again.',
    outcome: 'not_done',
  },
  tooLate: {
    code: 'unavailable',
    message: 'The process stopped before it was sent, too long ago to send it now.',
    effect: 'nothing_done',
    next: 'Ask for it again.',
    outcome: 'not_done',
  },
  interrupted: {
    code: 'network',
    message: 'The process stopped while this was being sent.',
    effect: 'maybe_done',
    outcome: 'unknown',
  },
} as const satisfies Record<string, Failure>;

/** The caller, the deadline and the listeners of a call. The steps of a workflow share them. */
export interface JobContext extends PerformOptions {
  readonly actor: Actor;
  /** Epoch ms. */
  readonly deadline: number;
  /** True if a person confirmed the call, so that its steps may run gated operations. */
  readonly confirmed: boolean;
  /** Asked before each attempt to send; false withdraws the call, and an error ends it. */
  readonly mayBegin?: NonNullable<Request['mayBegin']>;
  /** Asked right before the first byte is written; false withdraws the call. */
  readonly mayWrite?: () => boolean;
  /** Holds of this process without which no action of the call is written, by key. */
  readonly holds?: readonly string[];
  /** The action of the workflow that sends this step. */
  readonly partOf?: string;
  /** True if no other change of its records runs until the call ends. */
  readonly isHeld?: boolean;
}

/** One call on its way through the gate. */
export interface Job extends JobContext {
  readonly tool: Tool;
  /** Parsed, with the fields that were filled in. */
  readonly input: Fields;
  /** The part of the input that the caller gave. */
  readonly given: Fields;
  /** Remarks for a reader about how the input was read. */
  readonly remarks?: readonly string[];
}

/** A call as the ledger looks for its repeats. */
export function callOf({ tool, input, given }: Pick<Job, 'tool' | 'input' | 'given'>) {
  return { operation: tool.id, list: batchedBy(tool)?.list, given, sent: input };
}

/** True if this action costs money, so that a cost is shown to the person who confirms it. */
export function isPaid({ consent }: { consent?: Action['consent'] }): boolean {
  return consent?.cost !== undefined;
}

/**
 * Adds the charge to the failure of a call that costs money. No charge is added if the action had ended before or is
 * still running.
 */
export function withCharge(failure: Failure): Failure {
  if (failure.code === 'not_confirmed' && failure.reason === undefined) return failure;
  return { ...failure, charge: failure.outcome === 'unknown' ? 'maybe' : 'none' };
}

/**
 * Adds the charge to the error of a call that costs money. Anything else is returned as it is. `input` is a valid input,
 * or undefined if there is none yet.
 */
export function errorWithCharge(error: unknown, tool: Pick<Tool, 'risk' | 'consent'>, input?: Fields): unknown {
  if (!(error instanceof SwitchboardError)) return error;
  const hasCost = tool.risk === 'write' && input !== undefined && tool.consent?.(input, {}).cost !== undefined;
  return tool.risk === 'spend' || hasCost ? changed(error, withCharge(error.face)) : error;
}

/** Operations and workflows by id, and what parses their inputs. */
export class ToolIndex {
  readonly #byId: ReadonlyMap<string, Tool>;
  readonly #clock: Clock;
  readonly #defaultAccountId: string | undefined;

  /** @param defaultAccountId the account of what is made or paid if the caller names none */
  constructor(tools: readonly Tool[], clock: Clock, defaultAccountId?: string) {
    this.#byId = new Map(tools.map((tool) => [tool.id, tool]));
    this.#clock = clock;
    this.#defaultAccountId = defaultAccountId;
  }

  find(id: string): Tool | undefined {
    return this.#byId.get(id);
  }

  /** Throws `invalid_input` for an id that is not in the catalogue. */
  get(id: string): Tool {
    const tool = this.#byId.get(id);
    if (!tool) throw invalidInput(undefined, `There is no operation ${id}.`);
    return tool;
  }

  /** Checks an input and adds its account. Throws `invalid_input`. `asked`: as for `withAccount`. */
  parse(tool: Tool, raw: unknown, asked?: Fields): Fields {
    const complete = isRecord(raw) ? this.withAccount(tool, raw, asked) : raw;
    return parseInput(tool, complete, new Date(this.#clock.now()));
  }

  /**
   * An input with the default account, if the operation takes it and the input names none.
   *
   * @param asked the input that a person was asked about: its account stands, whatever the default is by now or in this process
   */
  withAccount(tool: Tool, given: Fields, asked: Fields = { AccountId: this.#defaultAccountId }): Fields {
    return withDefaultAccount(tool, given, asked.AccountId);
  }

  /** The operations, without the workflows. */
  get operations(): Operation[] {
    return [...this.#byId.values()].filter((tool) => tool.kind === 'operation');
  }
}

/** The part of a parsed input that the caller gave: without the configured account. `null` is an account that is removed. */
export function givenIn(raw: unknown, input: Fields): Fields {
  if (namesAccount(raw) || input.AccountId === null) return input;
  const { AccountId: _default, ...given } = input;
  return given;
}

/** The operation of the question about a batch. No surface offers it, because only a planned batch can be asked about. */
export const BATCH_RUN = 'batches_run';

/** The operation that an action performs; for the question about a batch, that of its rows. */
export function operationOf({ operation, shown }: Pick<Action, 'operation' | 'shown'>): string {
  return operation === BATCH_RUN ? String(shown.Operation) : operation;
}

/** The inputs of an action; for the question about a batch, one for each of its rows. */
export function inputsOf({ operation, shown }: Pick<Action, 'operation' | 'shown'>): Fields[] {
  if (operation !== BATCH_RUN) return [shown];
  return recordsIn(shown.Rows).map((row) => ({ ...recordOf(shown.Fields), ...row }));
}

/** A confirmed batch may send rows for this long. */
export const RUN_MS = 12 * 60 * 60_000;

/** The findings of a row's check, in the form in which a question stores them. */
export type RowFacts = Omit<Previewed, 'operation'>;

/** A row as the person confirms it. */
export interface FrozenRow {
  n: number;
  /** The fields of this row. */
  said: Fields;
  asked: RowFacts;
}

/** Everything that the yes for a batch covers. */
export interface FrozenBatch {
  id: string;
  operation: string;
  /** The fields that all rows share. */
  shared: Fields;
  /** The platform's statement that the person saw, without phone numbers. */
  statement: string | undefined;
  rows: readonly FrozenRow[];
}

/** SHA-256 over the operation, the shared fields, and every row with what was read about it. */
export function batchDigest({ id, operation, shared, statement, rows }: FrozenBatch): string {
  return createHash('sha256').update(canonical({ id, operation, shared, statement, rows })).digest('hex');
}

/** The input of one request for these rows. Their own values for fields of the request must be the same. */
export function inputOfRows(tool: Tool, shared: Fields, rows: readonly Fields[]): Fields {
  const list = batchedBy(tool)?.list;
  const [first = {}] = rows;
  if (list === undefined) return { ...shared, ...first };
  const own = ownFields(tool, first);
  const entries = rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !(name in own))));
  return { ...shared, ...own, [list]: entries };
}

/** The values of a row for fields that a request with a list has once for all its rows. */
export function ownFields(tool: Tool, row: Fields): Fields {
  const list = batchedBy(tool)?.list;
  const entry = fieldsOf(tool).find(({ name }) => name === list)?.fields ?? [];
  const isOwn = (name: string) => name in tool.input.shape && !entry.some((field) => field.name === name);
  return list === undefined ? {} : Object.fromEntries(Object.entries(row).filter(([name]) => isOwn(name)));
}

/** A statement of the platform without the numbers that it names, for comparing it between rows. */
export function statementWithoutNumbers(statement: unknown): string | undefined {
  if (typeof statement !== 'string' || statement.trim() === '') return undefined;
  return statement.replace(/\+?\d{7,15}(,\s*\+?\d{7,15})*/g, '…').trim();
}

/** The result of reading a row: its facts in the question, or the reason why it cannot be sent. */
export type RowCheck = { asked: RowFacts } | { failure: Failure };

/** True for a row that is left out because its record has the values already. */
export function isAlready({ failure }: { failure: Failure | undefined }): boolean {
  return failure?.code === 'invalid_input' && failure.effect === 'nothing_changed';
}

/**
 * The results for the rows of one request. A row that is not left out was sent, or waits because it could not be read.
 */
export interface RowsSent {
  leftOut: { n: number; failure: Failure }[];
  /** False if nothing was sent. */
  sent: boolean;
}
