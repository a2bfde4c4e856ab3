import type * as z from 'zod';
import type { ErrorCode } from '../lib/errors.ts';

/** What an operation knows about an error of the platform: a sentence to add, or the message put right. */
export type Explanation = string | ((message: string) => string);

/**
 * What a call does to the world.
 * `read` changes nothing; `write` changes records and can be put right; `spend` costs money or reaches a person;
 * `destroy` takes service, data or control away. `spend` and `destroy` are gated: a person confirms them.
 */
export type Risk = 'read' | 'write' | 'spend' | 'destroy';

/** Where a definition's facts come from: S, I and A as in PLATFORM.md. */
export type Source = 'S' | 'S+I' | 'I' | 'A' | 'S, path I';

/** The words a person reads before confirming. All plain text; the surfaces escape it. */
export interface Consent {
  /** What happens, to which number or record: "Reactivate +12015550107". */
  title: string;
  /** What it costs or takes away, in one or two sentences. */
  consequence: string;
  /** Whether it can be undone, and until when. */
  undo: string;
  /** The label of the confirming button, naming the act: "Reactivate for 5 USD". At most 30 characters. */
  confirm: string;
  /** What it costs, where money or a person's attention is spent: "5 USD". */
  cost?: string;
  /** A statement the platform wants shown word for word (a cancellation's ConsentStatement). */
  statement?: string;
}

/** A risk that a call has because of what its input says. */
export interface Raised {
  risk: 'destroy';
  /** Why a person is asked, in one sentence. */
  reason: string;
  /** False where this input is never sent a second time, although the operation's other inputs may be. */
  resend?: false;
}

/** What one read before asking brought: the answer, or why there is none. */
export type Reading = { found: Record<string, unknown> } | { found: undefined; why: string };

/** What a check before asking may use. */
export interface Look {
  /** Calls a reading operation. Never rejects: a failure of the platform comes back as `why`, in plain words. */
  read: (operation: string, input: Record<string, unknown>) => Promise<Reading>;
  /** What is known of a kept secret (an operation with `takes`); otherwise empty. */
  known: Record<string, unknown>;
}

/** What a check before asking found. */
export interface Checked {
  /** Fields the caller left out, filled in from the platform's records. */
  fill?: Record<string, unknown>;
  /** Whom it concerns: name and account. */
  customer?: string;
  /** For `consent`, `raises` and the steps after it. No secrets. */
  known?: Record<string, unknown>;
  /** What whoever confirms should know: what could not be read, what will be left out. */
  warnings?: readonly string[];
  /** The call cannot work as it is. `code`: `invalid_input`, or `bad_request` where the platform itself said no. */
  problem?: Problem & { code?: 'bad_request' };
}

/** A field that is wrong and the way out, found by an operation's own cross-field rules. */
export interface Problem {
  field: string;
  message: string;
}

/** What a workflow or a reconciliation may do: call another operation by id. Rejects with `SwitchboardError`. */
export type Call = (operation: string, input: Record<string, unknown>) => Promise<Record<string, unknown>>;

/** One thing that happened: an event the platform told us of, or an action made here. Its texts may be from outside. */
export interface Happening {
  /** ISO 8601. */
  at: string;
  kind: 'order' | 'message' | 'status' | 'call' | 'watch' | 'unknown' | 'action';
  /** In the spelling of the platform: `OrderId`, `Status`, `From`, `Body`. */
  values: Record<string, unknown>;
}

/** A number whose data and state are looked at in the background. */
export interface Watched {
  phone: string;
  /** Who asked for it, by actor id. */
  by: readonly string[];
  used: string;
  remaining: string;
  behaviour: string;
  /** ISO 8601; undefined before the first look. */
  checkedAt: string | undefined;
}

/** What Switchboard keeps itself, for workflows: what happened, and which numbers are watched. No platform request. */
export interface LocalHistory {
  now(): Date;
  /**
   * What happened in this time, oldest first. Where it is more than `limit`, the newest of it, and `more` says so.
   * `about`: numbers and ids that all stand in it.
   */
  happened(filter: {
    since: Date;
    until: Date;
    kinds: readonly Happening['kind'][];
    about: readonly string[];
    limit: number;
  }): { list: Happening[]; more: boolean };
  /** The newest message that came in for a number or from it. */
  lastMessage(phone: string): Happening | undefined;
  /** What the platform last told of an order. */
  order(orderId: string): { status: string; message: string } | undefined;
  /** Watches a number for this caller; `looks` is false while no process is there to look. */
  watch(phone: string): { everyMinutes: number; looks: boolean };
  /** True where it was watched. */
  unwatch(phone: string): boolean;
  watched(): Watched[];
}

/**
 * What reading found out about an action whose outcome was unknown. `saw` says in words what was read: it stands in the
 * result or error and in the audit trail.
 */
export type Finding =
  /** The work was done, and what identifies it as ours matches. */
  | { outcome: 'done'; result: Record<string, unknown>; saw: string }
  /**
   * A part of it was done: `result` lists which numbers were and which were not, as an answer would. It counts as
   * `not_done` does.
   */
  | { outcome: 'partly'; result: Record<string, unknown>; saw: string }
  /** Nothing of it can be seen. It counts only once the platform can no longer do the work (PLATFORM_SETTLE_SECONDS). */
  | { outcome: 'not_done'; saw: string }
  /** Reading cannot tell. What may be ours is named in `saw`, for a person to decide. */
  | { outcome: 'unknown'; saw: string };

/** Another call of the same operation that was sent from here. */
export interface OtherCall {
  /** Undefined where it was sealed with another key and cannot be read. */
  input: Record<string, unknown> | undefined;
  /** Of a call that was done: what the platform answered. */
  result: Record<string, unknown>;
  /** When it ended; undefined while its end is open. */
  endedAt: Date | undefined;
}

/** Another call that was sent from here, without its secrets. */
export interface SentCall {
  id: string;
  operation: string;
  /** It may still be under way, or may have been done. */
  open: boolean;
  shown: Record<string, unknown>;
  known: Record<string, unknown>;
}

/** A delivery receipt the platform sent for a message. */
export interface Receipt {
  messageId: string;
  from: string;
  to: readonly string[];
  body: string;
  status: string;
}

/** What a reconciliation is told beside the input. */
export interface Trace {
  call: Call;
  /** What was known when a person was asked (see `consent`). */
  known: Record<string, unknown>;
  /** When the action was sent: nothing that is older can be its work. */
  sentAt: Date;
  /** When the platform could last have begun or finished it: nothing that is younger can be its work. */
  workedUntil: Date;
  now: Date;
  /** Reads a date of an answer, without a zone in PLATFORM_TIME_ZONE: what it spans in epoch ms. */
  date: (text: unknown) => { from: number; until: number } | undefined;
  /** Calls of the same operation that were done about then or later: what they brought is theirs. */
  done: readonly OtherCall[];
  /** Calls of the same operation whose end is open too: what is found may be theirs as well. */
  open: readonly OtherCall[];
  /** Calls of any operation that name this value and are open, or were done since this one was sent. */
  about: (value: string) => readonly SentCall[];
  /** Delivery receipts of messages from a number, received since this action was sent. */
  receipts: (from: string) => readonly Receipt[];
}

type Slug<S extends string> = S extends `${infer A}/${infer B}`
  ? `${Slug<A>}_${Slug<B>}`
  : S extends `${infer A}-${infer B}`
    ? `${A}_${Slug<B>}`
    : S;

/** The ids an endpoint may carry: a GET ends in `_get`, a POST may end in `_create` or `_set`, the rest is the path. */
export type IdOf<E extends string> = E extends `GET /v1.0/${infer P}`
  ? Slug<P> extends `${string}_get`
    ? Slug<P>
    : `${Slug<P>}_get`
  : E extends `POST /v1.0/${infer P}`
    ? Slug<P> | `${Slug<P>}_create` | `${Slug<P>}_set`
    : never;

/**
 * Where an answer says whether the work was done; the defaults are those of the cancel flow (PLATFORM.md, Cancellation).
 * Lists of rows with a state of their own (`Numbers`, `PhoneNumbers`, `To`) are read without being named.
 */
export interface AnswerShape {
  /** The member with the state of the work; `Status` where left out. */
  status?: string;
  /** States beside `Failed` and its like in which nothing was done. */
  refusedStates?: readonly string[];
  /** The states that mean success, where the documents name them: any other state leaves the outcome open. */
  success?: readonly string[];
  /** The documents show a success without a record: `object` an object without members of its own, `empty` no body. */
  bare?: 'object' | 'empty';
  /** Every number asked for stands in one of the two lists. */
  listed?: true;
  /** The member that lists what was done; `NumbersChange` where left out. */
  changed?: string;
  /** The member that lists what was not; `FailedChange` where left out. `NumbersInvalid` is always read. */
  failed?: string;
  /** The member with one row for each number. */
  rows?: string;
  /** "cancelled" in "2 of 3 numbers cancelled". */
  verb?: string | ((input: Record<string, unknown>) => string);
  /** "number" in "2 of 3 numbers cancelled". */
  noun?: string;
}

type Input = z.ZodObject;

interface Common<I extends Input> {
  title: string;
  /** For an assistant choosing among fifty tools and an agent reading a form: what it does, needs first, costs, cannot undo. */
  description: string;
  input: I;
  /** Loose: what the platform adds is kept. */
  output: z.ZodObject;
  /** Rules across fields, checked before anything is sent. `now` is the present moment. */
  rules?: (input: z.output<I>, now: Date) => Problem | undefined;
  /** Inputs that parse; the first one is shown in help. */
  examples: readonly [z.input<I>, ...z.input<I>[]];
  /** How an answer tells what was done; left out, as in `AnswerShape`. */
  answer?: AnswerShape;
}

/** What a preparing step brings. `expiresAt` (ISO 8601) shortens the wait for a person. */
export interface PreparedStep extends Pick<Checked, 'warnings' | 'problem'> {
  known: Record<string, unknown>;
  expiresAt?: string;
}

interface Consenting<I extends Input> {
  /** `known` is what a check, a preparing step or a kept secret's record tells: shown values only. */
  consent: (input: z.output<I>, known: Record<string, unknown>) => Consent;
  /** The platform sends a statement for this act; where none came, whoever confirms is told so. */
  expectsStatement?: true;
}

interface NeverRaised {
  raises?: never;
  raisedBy?: never;
}

/** A change that is put before a person for some inputs. */
interface Raising<I extends Input> extends Consenting<I> {
  /**
   * The raised risk of this input, or undefined where it is as harmless as the operation. Asked twice: with nothing
   * known, where it answers the worst this input can be, and again with what `before` found.
   */
  raises: (input: z.output<I>, known: Record<string, unknown>) => Raised | undefined;
  /** The inputs a person must confirm, in words that complete "A person must confirm …". */
  raisedBy: string;
}

type Gate<I extends Input, R extends Risk> = R extends 'spend' | 'destroy'
  ? Consenting<I> & NeverRaised
  : R extends 'write'
    ? Raising<I> | ({ consent?: never } & NeverRaised)
    : { consent?: never } & NeverRaised;

/** Checks and rules before asking, for operations and workflows. */
interface Before<I extends Input> {
  /**
   * Reads that are done before anybody is asked: fill in the account, name the customer, refuse a number in a state
   * the act does not need. At most a handful of requests. For an operation with `raises` only where it may be raised.
   */
  before?: (input: z.output<I>, look: Look) => Promise<Checked>;
  /**
   * While a call of one of these operations waits for a person or runs, another one for the same values (phone
   * numbers) points to it instead of starting.
   */
  exclusive?: Exclusive<z.output<I>>;
}

export interface Exclusive<I = Record<string, unknown>> {
  with: readonly string[];
  /** `known` as in `consent`; also read from the shown input of the call that waits. */
  values: (input: I, known: Record<string, unknown>) => readonly string[];
}

export type OperationSpec<E extends string, I extends Input, R extends Risk> = Common<I> &
  Before<I> &
  Gate<I, R> & {
    id: IdOf<E>;
    endpoint: E;
    risk: R;
    /** May it be sent again when its outcome is unknown? */
    resend: boolean;
    source: Source;
    /** The sections of PLATFORM.md the definition rests on, and after `assumed:` what no section has. */
    notes: string;
    /** A lane of its own at one request a second, outside the shared budget (PLATFORM.md, Limits). */
    lane?: 'provision' | 'portin';
    /** A secret in the answer that stays here, under a key of the answer, until a later operation takes it. */
    keeps?: { secret: string; under: string; until: string };
    /** A kept secret this operation sends; its field is not part of the input. */
    takes?: { secret: string; under: keyof z.output<I> & string; from: string };
    /** A secret input made at random when left out: shown once, to whoever confirmed. */
    makes?: { secret: keyof z.output<I> & string; digits: number };
    /** Finds out by reading what became of a call whose outcome is unknown. */
    reconcile?: (input: z.output<I>, trace: Trace) => Promise<Finding>;
    /** A sentence for an error of this code, where this operation knows more about it than the platform says. */
    explains?: Partial<Record<ErrorCode, Explanation>>;
    /** What a person should know before it is saved: a form shows it first, every other result carries it as a warning. */
    caution?: (input: z.output<I>) => string | undefined;
    /** Warns in the result of what the platform accepts but does not do. */
    warn?: (input: z.output<I>) => string | undefined;
    /** Overrides how the input becomes the body or query. */
    send?: (input: z.output<I>) => Record<string, unknown>;
  };

export type WorkflowSpec<I extends Input, R extends Risk> = Common<I> &
  Before<I> &
  Gate<I, R> & {
    id: string;
    group: string;
    risk: R;
    /** Calls that change nothing for the customer, made before a person is asked, after `before`. */
    prepare?: (input: z.output<I>, call: Call) => Promise<PreparedStep>;
    /** `tell` shows what is known so far to whoever waits; the answer itself is the whole. */
    run: (
      input: z.output<I>,
      call: Call,
      known: Record<string, unknown>,
      tell: (sofar: Record<string, unknown>) => void,
      history: LocalHistory,
    ) => Promise<Record<string, unknown>>;
    reconcile?: (input: z.output<I>, trace: Trace) => Promise<Finding>;
  };

/** An operation with its types erased: what the door and the surfaces work with. */
export interface Operation {
  kind: 'operation';
  id: string;
  group: string;
  endpoint: string;
  method: 'GET' | 'POST';
  path: string;
  title: string;
  description: string;
  risk: Risk;
  resend: boolean;
  source: Source;
  notes: string;
  input: z.ZodObject;
  output: z.ZodObject;
  examples: readonly Record<string, unknown>[];
  answer?: AnswerShape;
  rules?: (input: Record<string, unknown>, now: Date) => Problem | undefined;
  consent?: (input: Record<string, unknown>, known: Record<string, unknown>) => Consent;
  raises?: (input: Record<string, unknown>, known: Record<string, unknown>) => Raised | undefined;
  raisedBy?: string;
  expectsStatement?: true;
  before?: (input: Record<string, unknown>, look: Look) => Promise<Checked>;
  exclusive?: Exclusive;
  lane?: 'provision' | 'portin';
  keeps?: { secret: string; under: string; until: string };
  takes?: { secret: string; under: string; from: string };
  makes?: { secret: string; digits: number };
  reconcile?: (input: Record<string, unknown>, trace: Trace) => Promise<Finding>;
  warn?: (input: Record<string, unknown>) => string | undefined;
  explains?: Partial<Record<ErrorCode, Explanation>>;
  caution?: (input: Record<string, unknown>) => string | undefined;
  send?: (input: Record<string, unknown>) => Record<string, unknown>;
}

/** A workflow with its types erased. */
export interface Workflow {
  kind: 'workflow';
  id: string;
  group: string;
  title: string;
  description: string;
  risk: Risk;
  /** A workflow is never sent again as a whole. */
  resend: boolean;
  input: z.ZodObject;
  output: z.ZodObject;
  examples: readonly Record<string, unknown>[];
  answer?: AnswerShape;
  rules?: (input: Record<string, unknown>, now: Date) => Problem | undefined;
  consent?: (input: Record<string, unknown>, known: Record<string, unknown>) => Consent;
  raises?: (input: Record<string, unknown>, known: Record<string, unknown>) => Raised | undefined;
  raisedBy?: string;
  expectsStatement?: true;
  before?: (input: Record<string, unknown>, look: Look) => Promise<Checked>;
  exclusive?: Exclusive;
  prepare?: (input: Record<string, unknown>, call: Call) => Promise<PreparedStep>;
  run: (
    input: Record<string, unknown>,
    call: Call,
    known: Record<string, unknown>,
    tell: (sofar: Record<string, unknown>) => void,
    history: LocalHistory,
  ) => Promise<Record<string, unknown>>;
  reconcile?: (input: Record<string, unknown>, trace: Trace) => Promise<Finding>;
}

export type Tool = Operation | Workflow;

/**
 * One platform call as data. The types refuse an id that is not its endpoint's, a gated risk without consent words,
 * and consent words on what is not gated.
 */
export function defineOperation<const E extends string, I extends Input, const R extends Risk>(
  spec: OperationSpec<E, I, R>,
): Operation;
export function defineOperation(spec: Omit<Operation, 'kind' | 'group' | 'method' | 'path'>): Operation {
  const [method, path] = spec.endpoint.split(' ') as ['GET' | 'POST', string];
  return Object.freeze({ ...spec, kind: 'operation', group: firstWord(spec.id), method, path });
}

/** Several operations as one tool: pure functions over `call` and what is kept here. */
export function defineWorkflow<I extends Input, const R extends Risk>(spec: WorkflowSpec<I, R>): Workflow;
export function defineWorkflow(spec: Omit<Workflow, 'kind' | 'resend'>): Workflow {
  return Object.freeze({ ...spec, kind: 'workflow', resend: spec.risk === 'read' });
}

/** True for what a person must confirm, whatever the input says. */
export function isGated(tool: { risk: Risk }): boolean {
  return tool.risk === 'spend' || tool.risk === 'destroy';
}

/** The highest risk any input of this tool has: what its hints state. */
export function highestRisk(tool: Pick<Tool, 'risk' | 'raises'>): Risk {
  return tool.raises ? 'destroy' : tool.risk;
}

/** May this very input be sent again when its outcome is unknown? */
export function mayResend(tool: Tool, input: Record<string, unknown>): boolean {
  return tool.resend && tool.raises?.(input, {})?.resend !== false;
}

function firstWord(id: string): string {
  const cut = id.indexOf('_');
  return cut < 0 ? id : id.slice(0, cut);
}
