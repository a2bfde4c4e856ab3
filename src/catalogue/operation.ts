import * as z from 'zod';
import type { Role } from '../lib/actor.ts';
import type { ErrorCode, Failure } from '../lib/errors.ts';
import { defined, type Fields } from '../lib/values.ts';
import type { AnswerShape } from '../platform/dialect/readings.ts';
import type { BatchRule, Change, Effect, Level, ListedIn } from './change.ts';
import type { Checked, Consent, Look, Problem, Sentences } from './consent.ts';
import type { Call, Charge, Finding, LocalHistory, Trace } from './history.ts';
import { isGated, type MemberRules, type Raised, type Risk, type Rules, raising } from './risk.ts';

/** The members of a schema. */
export type Shape = z.ZodRawShape;
/** The schema of an input: other members are refused. */
export type Strict<S extends Shape> = z.ZodObject<S, z.core.$strict>;
type InputOf<S extends Shape> = z.output<Strict<S>>;

/** The read that shows what a change starts from. */
interface CurrentValues {
  /** The reading operation. */
  read: string;
  /** Fields that name the record. They are sent with every change. Those of the definition. */
  keys: readonly string[];
  /** The input of the read; undefined unless the input names exactly one record. By default the keys. */
  input: (given: Fields) => Fields | undefined;
  /** The record in the answer; the answer itself by default. */
  record?: (answer: Fields, given: Fields) => Fields | undefined;
  /** The records in the answer where one call changes several, by the text that names each. */
  records?: (answer: Fields) => ReadonlyMap<string, Fields>;
  /** Members that the record spells in another way, by field. */
  members?: Readonly<Record<string, string>>;
  /**
   * True if the platform may replace the whole record. The gate then fills in what the caller left out from the record,
   * and `null` removes a value.
   */
  replaces?: true;
  /**
   * A secret that the record has and that cannot be read back, so that a change has to give it again; undefined if the
   * record has none. `also`: further ones.
   */
  asksAgain?: (
    record: Fields,
    given: Fields,
  ) => { field: string; message: string; also?: readonly string[] } | undefined;
  /** Members that go with another one when that one is removed, by member. */
  goesWith?: Readonly<Record<string, string>>;
  /** Members that the platform derives again when another one changes, by member. They are not filled in then. */
  derivedFrom?: Readonly<Record<string, string>>;
  /** Fields that the record shows joined as one text, such as the names of a caller. It is not filled in. */
  joined?: { member: string; label: string; fields: readonly string[] };
  /** Rules for the input with the record's values filled in. */
  whole?: (input: Fields) => { field: string; message: string } | undefined;
}

/** Calls of the operations `with` for the same values point to the one that waits or runs, instead of starting. */
export interface Exclusive<I = Fields> {
  with: readonly string[];
  /** `known` as in `consent`; also read from the shown input of the call that waits. */
  values: (input: I, known: Fields) => readonly string[];
}

/** The members that operations and workflows share. `I`: the input. */
interface Common<I> {
  title: string;
  /**
   * For an assistant that chooses a tool and an agent who reads a form. States the effect, the prerequisites, the cost,
   * and anything that cannot be undone.
   */
  description: string;
  risk: Risk;
  /**
   * Rules across fields, checked before anything is sent. `now` is the present moment. A field that is missing or wrong
   * by itself is not in `input`.
   */
  rules?: (input: Partial<I>, now: Date) => Problem | readonly Problem[] | undefined;
  /** The members of an answer that say what was done; the defaults are those of `AnswerShape`. */
  answer?: AnswerShape;
  /** The fields that name the record of the call. They are no change. */
  keys?: readonly (keyof I & string)[];
  /** The rule by which it runs over a list of rows. Required where the input has a target, such as a phone number. */
  batch?: BatchRule;
  /** The field with the line whose customer is billed, for a call that also names lines of others. */
  paidBy?: string;
  /** An answer to a read whose rows people read as sentences. */
  sentences?: Sentences<I>;
  /** For a read of one record: the list in which many such records are found. */
  listed?: ListedIn;
  /** The reason why a `write` needs no yes: it concerns Switchboard alone, or prepares another change. */
  free?: string;
  /** The outcome of such a call for a person, where it depends on the call. `isDone`: false if it was so already. */
  told?: (input: I, answer: Fields) => { title: string; isDone: boolean };
  /** Members of the input with which a call is never sent a second time, although others are. */
  once?: readonly (keyof I & string)[];
  /**
   * Reads before a person is asked, to fill in the account, name the customer, and refuse a number whose state does not
   * fit the call. At most a handful of requests. `known.Record` is the record that the input is compared with; without
   * it, the gate reads the one of `current`.
   */
  before?: (input: I, look: Look) => Promise<Checked>;
  exclusive?: Exclusive<I>;
  /** Set if the call cancels, moves or releases its numbers, so that no other change of them may wait beside it. */
  endsNumber?: true | ((input: I) => boolean);
  /** Effects that no field of the input names, for the question: a state, an entry of a list, a removal. */
  effects?: (input: I, known: Fields) => readonly Effect[];
  /** Fields whose present values no read shows: the question says that they are not known. */
  unreadable?: readonly (keyof I & string)[];
  /** The field that names the record which the call removes. */
  removes?: keyof I & string;
  /**
   * Set if each call adds something, such as a message, so that a call for the same target with other values is another
   * change. Otherwise it corrects the one that waits.
   */
  adds?: true;
  /** A caution about an input that has no effect, or a greater one than it seems: in the question and the result. */
  caution?: (input: I) => string | undefined;
  /** Resolves an unknown outcome by reading the platform. */
  reconcile?: (input: I, trace: Trace) => Promise<Finding>;
}

/**
 * An operation's explanation of a platform error: a next step to add, or a function of the platform's own texts. Its
 * result replaces the general explanation; undefined keeps it.
 */
type Explanation = string | ((quotes: readonly string[]) => Pick<Failure, 'message' | 'next'> | undefined);

/** The members that only operations have. */
interface PlatformCall<I> {
  endpoint: string;
  /** The source of a definition's facts: S, I and A as in PLATFORM.md. */
  source: 'S' | 'S+I' | 'I' | 'A' | 'S, path I';
  /** The sections of PLATFORM.md the definition rests on, and after `assumed:` the assumptions that no section has. */
  notes: string;
  /** A separate lane at one request a second, outside the shared budget (PLATFORM.md, Limits). */
  lane?: 'provision' | 'portin';
  /** A secret in the answer that the ledger stores, under a key of the answer, until a later operation takes it. */
  keeps?: { secret: string; under: string; until: string };
  /**
   * True if a call that names no account gets PLATFORM_ACCOUNT_ID, so that the records it creates or pays for belong
   * to that account. In other operations AccountId names or filters existing records, and a default would hide the
   * records of other accounts.
   */
  defaultAccount?: true;
  /**
   * A stored secret this operation sends; its field is not part of the input. `renew`: the input of the call that gives
   * another one, from the record of the first.
   */
  takes?: {
    secret: string;
    under: keyof I & string;
    from: string;
    renew: (known: Fields) => Fields | undefined;
  };
  /**
   * A secret input made at random when left out: shown once, to the person who confirmed. If the answer has one
   * (under the same name or one of `answeredAs`), it replaces the generated one and is shown.
   */
  makes?: { secret: keyof I & string; digits: number; answeredAs: readonly string[] };
  /** A sentence for an error of this code, if this operation knows more about it than the platform says. */
  explains?: Partial<Record<ErrorCode, Explanation>>;
  /**
   * Turns the answer to a read into the members that a reader gets: selected, or with explanations added. Secrets are
   * removed before. Costs no platform request.
   */
  present?: (answer: Fields, context: { input: I; history: LocalHistory }) => Promise<Fields>;
  /** Overrides how the input becomes the body or query. */
  send?: (input: I) => Fields;
}

/** The functions and data that a workflow can use. */
export interface WorkflowContext {
  call: Call;
  /** The facts known when a person was asked (see `consent`). */
  known: Fields;
  /** Shows the partial result to the waiting caller. The final result includes it. */
  tell: (sofar: Fields) => void;
  history: LocalHistory;
}

/** Work that goes on after the action that started it is done. */
export interface StartedWork {
  status: 'running' | 'done' | 'partly' | 'failed' | 'unknown';
  result: Fields;
  /** Its state in its own words: "stopped". */
  state: string;
  /** The operation that it runs. */
  operation: string;
  /** The changes that it has made so far. */
  change: Pick<Change, 'rows' | 'names'>;
  /** The cost of what it has done so far, and of what it may have done. */
  cost?: string;
  maybeCost?: string;
  /** The same, one by one. */
  charges: readonly Charge[];
}

/** The members that only workflows have. */
interface Steps<I> {
  id: string;
  group: string;
  /** Calls that change nothing for the customer, made before a person is asked, after `before`, and again after the yes. */
  prepare?: (input: I, call: Call) => Promise<Pick<Checked, 'warnings' | 'problem'> & { known: Fields }>;
  run: (input: I, context: WorkflowContext) => Promise<Fields>;
  /** True if the answer is Switchboard's own records. Other reads go on without them while the database is away. */
  needsHistory?: true;
  /**
   * Finds the lines whose numbers end in some digits, for a list that names lines by these: `input` of one search for all
   * of them, and the `numbers` in its answer, undefined if not all lines were searched.
   */
  ends?: {
    input: (ends: readonly string[]) => Fields;
    numbers: (answer: Fields) => readonly string[] | undefined;
  };
  /** The level of a call whose parts have different levels, such as a batch. */
  levelFor?: (known: Fields) => Level | undefined;
  /**
   * The state of longer work that this one only starts. It is shown in place of the end of the start. With `of`, a number
   * or an id: only of the rows about it, if there are any.
   */
  started?: (input: I, of?: string) => Promise<StartedWork | undefined>;
}

/** The members of a definition that become others of the tool. */
interface Parts<S extends Shape> extends Rules<InputOf<S>> {
  /** Functions, so that a process makes the fields of those operations only that it runs. */
  input: () => S;
  /** Loose: members that the platform adds pass through. */
  output: () => Shape;
  /** Inputs that parse; the first one is shown in help. By default the required fields with their own examples. */
  examples?: readonly [z.input<Strict<S>>, ...z.input<Strict<S>>[]];
  /** The read whose values a form for this change starts from. */
  current?: Omit<CurrentValues, 'keys' | 'input'> & { input?: CurrentValues['input'] };
}

/** The members that a tool has instead. The schemas are made when they are first read. */
interface Made {
  id: string;
  /** The first word of the id. */
  group: string;
  /** True if it may be sent again when its outcome is unknown. A workflow is never sent again as a whole. */
  resend: boolean;
  readonly examples: readonly Fields[];
  current?: CurrentValues;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  /** The question. `reasons`: the sentences of the members that raise the call. */
  consent?: (input: Fields, known: Fields, reasons?: string) => Consent;
  /** For a `write` operation: the members of its input that are ordinary, and those that an approver confirms. */
  readonly members?: MemberRules;
  /**
   * The raised risk of an input, or undefined if it is ordinary. If `known` is empty, this is the highest risk that the
   * input can have. `changed`: the members that differ from the record; by default all of them.
   */
  raises?: (input: Fields, known: Fields, changed?: readonly string[]) => Raised | undefined;
  /** The inputs an approver must confirm, in words that complete "An approver must confirm …". Undefined if there are none. */
  readonly raisedBy?: string | undefined;
}

export interface Operation extends Common<Fields>, PlatformCall<Fields>, Made {
  kind: 'operation';
  method: 'GET' | 'POST';
  path: string;
  /**
   * Set if the platform's specification does not name the operation at all. Such an operation is in the toolset `all` and
   * in its group's, but not in `core`. Slack and the terminal always have it.
   */
  beyondSpecification?: true;
}

export interface Workflow extends Common<Fields>, Omit<Steps<Fields>, 'id' | 'group'>, Made {
  kind: 'workflow';
}

export type Tool = Operation | Workflow;

export interface OperationSpec<S extends Shape>
  extends Omit<Common<InputOf<S>>, 'risk'>,
    Omit<PlatformCall<InputOf<S>>, 'source'>,
    Parts<S> {
  /** `I` by default. */
  source?: PlatformCall<InputOf<S>>['source'];
  /** Left out for a GET, which is a read, and for a `write` that lists its `ordinary` members. Otherwise `destroy`. */
  risk?: Risk;
  /** Only where the id is more than the path of the endpoint: `_create`, `_set`. */
  id?: string;
  /** Only for a POST that may be sent again, beside those with `current` or `removes`. A read always may. */
  resend?: true;
  /** For the source I: the specification names the operation and does not show it. */
  inSpecification?: true;
}

/** One platform call as data. */
export function defineOperation<S extends Shape>(spec: OperationSpec<S>): Operation;
export function defineOperation({ inSpecification, ...given }: OperationSpec<Shape>): Operation {
  const [method, path] = given.endpoint.split(' ') as ['GET' | 'POST', string];
  const slug = path.replace(/^\/v1\.0\//, '').replace(/[/-]/g, '_');
  const {
    risk = method === 'GET' ? 'read' : given.ordinary ? 'write' : 'destroy',
    source = 'I',
    id = method === 'GET' ? slug.replace(/(_get)?$/, '_get') : slug,
  } = given;
  const spec = {
    ...given,
    kind: 'operation' as const,
    id,
    risk,
    source,
    group: id.slice(0, id.indexOf('_')),
    method,
    path,
    // Values that are set again, and a record that is removed again, are the same.
    resend: risk === 'read' || [given.resend, given.current, given.removes].some((one) => one !== undefined),
    ...(source === 'I' && !inSpecification && { beyondSpecification: true as const }),
  };
  return completed<Operation>(spec);
}

interface WorkflowSpec<S extends Shape> extends Common<InputOf<S>>, Steps<InputOf<S>>, Parts<S> {}

/** Several operations as one tool: pure functions over its context. */
export function defineWorkflow<S extends Shape>(spec: WorkflowSpec<S>): Workflow;
export function defineWorkflow(spec: WorkflowSpec<Shape>): Workflow {
  return completed<Workflow>({ ...spec, kind: 'workflow' as const, resend: spec.risk === 'read' });
}

/**
 * Completes a tool by its schemas and by what follows from the rules of its members. Making the schemas of all
 * operations takes longer than running one of them, so each is made when it is first read.
 */
function completed<T extends Tool>(spec: Parts<Shape> & Pick<T, 'id' | 'kind' | 'group' | 'resend' | 'keys'>): T {
  const { ordinary, raised, hazards, consent, input, output, current, examples, ...members } = spec;
  const { id, keys = [] } = members;
  const schema = once(() => z.strictObject(whole(id, input())));
  const {
    raisedBy,
    members: byMember,
    ...derived
  } = raising(schema, keys, defined({ ordinary, raised, hazards, consent }));
  const ofKeys = (given: Fields) =>
    typeof given[keys[0] ?? ''] === 'string'
      ? defined(Object.fromEntries(keys.map((name) => [name, given[name]])))
      : undefined;
  const tool = { ...members, ...derived, ...(current && { current: { keys, input: ofKeys, ...current } }) };
  const made = {
    input: schema,
    output: once(() => z.looseObject(whole(id, output()))),
    examples: once(() => examples ?? [exampleOf(schema().shape)]),
    ...(raisedBy && byMember && { raisedBy: once(raisedBy), members: once(byMember) }),
  };
  for (const [name, get] of Object.entries(made)) Object.defineProperty(tool, name, { enumerable: true, get });
  return Object.freeze(tool) as unknown as T;
}

function exampleOf(shape: Shape): Fields {
  const required = Object.entries(shape as Record<string, z.ZodType>).filter(([, field]) => !field.isOptional());
  return Object.fromEntries(
    required.map(([name, field]) => [name, (field.meta()?.examples as unknown[] | undefined)?.[0]]),
  );
}

/** Refuses a member that is no field, such as one that `out` does not have, before the schemas of all tools are read. */
function whole(id: string, shape: Shape): Shape {
  const missing = Object.keys(shape).find((name) => shape[name] === undefined);
  if (missing !== undefined) throw new Error(`${id}: ${missing} has no type. npm run types names the line.`);
  return shape;
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

export type * from './change.ts';
export * from './consent.ts';
export type * from './history.ts';
export * from './risk.ts';

/** The roles needed to ask for a tool and to confirm it. */
export function neededRole(tool: Pick<Listed, 'risk'>): { ask: Role; confirm: Role | undefined } {
  return { ask: tool.risk === 'read' ? 'viewer' : 'operator', confirm: isGated(tool) ? 'approver' : undefined };
}

/** Filters the catalogue by toolset, read-only mode and role. */
interface Selection {
  /**
   * `all`, presets such as `core`, or groups, which have all their tools. A tool is offered if one of them has it.
   */
  toolsets: readonly string[];
  readOnly: boolean;
  role: Role;
}

/** The members of a tool that filtering needs. The derived list at start-up has only these. */
export interface Listed {
  id: string;
  group: string;
  risk: Risk;
  /** As in the definition of an operation. */
  beyondSpecification?: true;
}

/** A named toolset. The data is in tools/groups.ts. */
interface Preset {
  /** Groups whose tools are included, except operations beyond the specification. */
  groups?: readonly string[];
  /** Ids of tools of those groups that are left out. */
  without?: readonly string[];
  /** Further tools, by id, such as the reads that find what the tools of the groups need. */
  ids?: readonly string[];
}

export type Presets = Readonly<Record<string, Preset>>;

/** Applies toolsets, then read-only mode, then the role. Each only removes tools. */
export function select<T extends Listed>(tools: readonly T[], presets: Presets, selection: Selection): T[] {
  const isIn = ({ id, group, beyondSpecification }: T, name: string) => {
    if (name === 'all') return true;
    const preset = presets[name];
    if (!preset) return group === name;
    const isLeftOut = beyondSpecification || preset.without?.includes(id);
    return preset.ids?.includes(id) || (!isLeftOut && preset.groups?.includes(group));
  };
  return tools
    .filter((tool) => selection.toolsets.some((name) => isIn(tool, name)))
    .filter((tool) => !selection.readOnly || tool.risk === 'read')
    .filter((tool) => mayAsk(selection.role, tool));
}

/** True if the role may ask for this tool. Gated tools still wait for a person. */
export function mayAsk(role: Role, tool: Pick<Listed, 'risk'>): boolean {
  return tool.risk === 'read' || role !== 'viewer';
}
