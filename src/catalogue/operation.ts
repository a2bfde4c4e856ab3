import type { GlobalMeta } from 'zod';
import * as z from 'zod';
import type { Role } from '../lib/actor.ts';
import type { ErrorCode, Failure } from '../lib/errors.ts';
import { withoutUrlSecrets } from '../lib/hide.ts';
import { defined, type Fields, inQuotes, isRecord, missingFrom, oneLine, recordOf } from '../lib/values.ts';
import { setApart } from '../platform/dialect/phone.ts';
import { type AnswerShape, readTexts } from '../platform/dialect/readings.ts';
import type {
  BatchRule,
  Change,
  Checked,
  Consent,
  Effect,
  Level,
  ListedIn,
  Look,
  Problem,
  Sentences,
} from './change.ts';
import type { Call, Charge, Finding, LocalHistory, Trace } from './history.ts';

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
  const { keys = [] } = members;
  const schema = once(() => z.strictObject(input()));
  const levels = ordinary && levelsOf(schema, keys, { ordinary, ...defined({ raised, hazards }) });
  const ofKeys = (given: Fields) =>
    typeof given[keys[0] ?? ''] === 'string'
      ? defined(Object.fromEntries(keys.map((name) => [name, given[name]])))
      : undefined;
  const tool = {
    ...members,
    ...(consent && { consent: questionOf(schema, consent) }),
    ...(levels && { raises: levels.raises }),
    ...(current && { current: { keys, input: ofKeys, ...current } }),
  };
  const made = {
    input: schema,
    output: once(() => z.looseObject(output())),
    examples: once(() => examples ?? [exampleOf(schema().shape)]),
    ...(levels && { raisedBy: once(levels.raisedBy), members: levels.members }),
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

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

export type * from './change.ts';
export * from './change.ts';
export type * from './history.ts';
export * from './operation.ts';

/** The role needed to ask for a tool. */
export function neededRole({ risk }: Pick<Listed, 'risk'>): Role {
  return risk === 'read' ? 'viewer' : 'operator';
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
export type Listed = Pick<Operation, 'id' | 'group' | 'risk' | 'beyondSpecification'>;

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

/**
 * The effect of a call. `read` changes nothing; `write` changes records and can be corrected; `spend` costs money or
 * reaches a person; `destroy` takes service, data or control away. Every call that is not a read is a change, and a
 * person confirms it.
 */
export type Risk = 'read' | 'write' | 'spend' | 'destroy';

/** A risk above that of the operation, caused by the input. */
export interface Raised {
  risk: 'destroy';
  /** The danger, in one sentence for each cause; empty if the values before and after say all. */
  reason: string;
}

/** True if every call of this tool needs an approver, regardless of its input. */
export function isGated(tool: { risk: Risk }): boolean {
  return tool.risk === 'spend' || tool.risk === 'destroy';
}

/** True if a call of this tool changes the platform, so that a person is asked. */
export function isChange(tool: { risk: Risk; free?: string }): boolean {
  return tool.risk !== 'read' && tool.free === undefined;
}

/** True if this input may be sent again when its outcome is unknown. */
export function mayResend(tool: { resend: boolean; once?: readonly string[] }, input: Fields): boolean {
  return tool.resend && !tool.once?.some((member) => input[member] !== undefined);
}

/*
 * Rules for the level of a `write` operation. They fail closed: a member is ordinary only if the definition lists it in
 * `ordinary` and its condition, if it has one, holds. Every other member raises the call to `destroy`, even one that the
 * definition does not know. The gate leaves out the members that the record has already, so no rule compares for
 * equality.
 */

/** The facts that conditions and hazards can use. */
interface Circumstances {
  member: string;
  /** The findings of `before`; empty before it ran. */
  known: Fields;
  /** `known.Record`: the record as the platform has it. Undefined if it was not read. */
  record: Fields | undefined;
}

/** A member that does not raise the call, always or while a condition holds. */
export interface Ordinary {
  /** The reason or the condition: "a name or a description", "if it is switched on". */
  words: string;
  /** Left out if the member is always ordinary. */
  holds?: (value: unknown, at: Circumstances) => boolean;
}

/** The part of a definition that determines the level of a call and its question. */
export interface Rules<I> {
  /**
   * For a `write`: the members that an operator may confirm, always or under a condition. `new`: every member, because
   * the record is new and nothing uses it yet.
   */
  ordinary?: 'new' | { readonly [M in keyof I]?: Ordinary };
  /** The other members, by words that complete "An approver must confirm …". `others`: those that are listed nowhere. */
  raised?: Readonly<Record<string, readonly ((keyof I & string) | 'others')[]>>;
  /**
   * One sentence on what is dangerous about a member that raises the call, where the values before and after do not say
   * it. `value` is in quotation marks already, as in `consent`.
   */
  hazards?: { readonly [M in keyof I]?: string | ((value: Exclude<I[M], undefined>, at: Circumstances) => string) };
  /**
   * The question. Texts of the caller are in quotation marks already. `known` comes from a check, a preparing step or a
   * stored secret's record, and is as the platform has it. It holds no secrets.
   */
  consent?: (input: I, known: Fields, reasons: string) => Consent;
}

/** The rules of one operation, by member. */
export interface MemberRules {
  /** The fields that name the record. */
  keys: readonly string[];
  ordinary: Readonly<Record<string, Ordinary>>;
  /** The words for the members that need an approver. */
  raised: Readonly<Record<string, string>>;
}

/** A name, an e-mail address, a description or a note. */
export const label: Ordinary = { words: 'a name or a description' };
/** A protection or service that is switched on. */
export const on: Ordinary = { words: 'if it is switched on', holds: (value) => value === true };
/** A bypass that is switched off. */
export const off: Ordinary = { words: 'if it is switched off', holds: (value) => value === false };
/** A number above the record's. Without the record it raises the call. */
export const higher: Ordinary = {
  words: 'if it is higher than now',
  holds: (value, { member, record }) => {
    const now = record?.[member];
    return typeof value === 'number' && now !== null && now !== '' && value > Number(now);
  },
};
/** A list that keeps every entry of the record's. Without the record it raises the call. */
export const extended: Ordinary = {
  words: 'if it keeps every entry',
  holds: (value, { member, record }) => {
    const [now, next] = [record && readTexts(record[member]), readTexts(value)];
    return now !== undefined && next !== undefined && missingFrom(now, next).length === 0;
  },
};
/** A member of a new record, which no line, subscription or route uses yet. */
const unused: Ordinary = { words: 'part of a new record that nothing uses yet' };

/** Longest text of the caller in one sentence of a question: a name is whole. Its rows have any text whole. */
const MOST_IN_SENTENCE = 255;

/** The question of a tool, with the caller's texts as `asWords` writes them. */
function questionOf(schema: () => z.ZodObject, consent: NonNullable<Rules<Fields>['consent']>): Made['consent'] {
  return (given, known, reasons = '') => {
    const words = asWords(schema(), withoutUrlSecrets(given));
    const { title, consequence, undo, ...asked } = consent(words, withoutUrlSecrets(known), reasons);
    // A value with a line break could otherwise add a line that looks like a fact of the question ("Cost: nothing").
    // Every surface sets a statement apart, so it keeps its lines.
    return { ...asked, title: oneLine(title), consequence: oneLine(consequence) || AT_ONCE, undo: oneLine(undo) };
  };
}

/** Derives which inputs are raised, and the description of these. `keys`: the fields that name the record. */
function levelsOf(
  schema: () => z.ZodObject,
  keys: readonly string[],
  { ordinary, raised = {}, hazards = {} }: Rules<Fields> & { ordinary: NonNullable<Rules<Fields>['ordinary']> },
) {
  const members = once((): MemberRules => {
    const listed = new Map(Object.entries(raised).flatMap(([what, names]) => names.map((name) => [name, what])));
    const own = keys.filter((name) => !listed.has(name));
    const names = Object.keys(schema().shape).filter((name) => !own.includes(name));
    const isOther = (name: string) => ordinary === 'new' || !Object.hasOwn(ordinary, name);
    const whatOf = (name: string) => listed.get(name) ?? (isOther(name) ? listed.get('others') : undefined);
    const words = defined(Object.fromEntries(names.map((name) => [name, whatOf(name)]))) as MemberRules['raised'];
    const isNew = ordinary === 'new' && names.filter((name) => whatOf(name) === undefined);
    const rules = isNew ? Object.fromEntries(isNew.map((name) => [name, unused])) : ordinary;
    return { keys: own, ordinary: rules as MemberRules['ordinary'], raised: words };
  });
  const ruleOf = (member: string) => ownOf(members().ordinary, member);
  return {
    members,
    raises: (given: Fields, known: Fields, changed?: readonly string[]): Raised | undefined => {
      const record = isRecord(known.Record) ? known.Record : undefined;
      const causes = Object.entries(given).flatMap(([member, value]) => {
        const at = { member, known, record };
        if (value === undefined || members().keys.includes(member) || changed?.includes(member) === false) return [];
        const rule = ruleOf(member);
        return rule !== undefined && (rule.holds?.(value, at) ?? true) ? [] : [at];
      });
      if (causes.length === 0) return undefined;
      const reasons = causes.map((at) => {
        const { member } = at;
        const hazard = ownOf(hazards, member);
        if (hazard === undefined)
          return ownOf(members().raised, member) ? '' : `${member} changes. What that does is not documented.`;
        if (typeof hazard === 'string') return hazard;
        const words = asWords(schema(), withoutUrlSecrets({ [member]: given[member] }));
        return hazard(words[member] as never, { ...at, known: withoutUrlSecrets(known) });
      });
      return { risk: 'destroy', reason: [...new Set(reasons)].filter((reason) => reason !== '').join(' ') };
    },
    raisedBy: () => {
      const names = Object.keys(schema().shape).filter((name) => !members().keys.includes(name));
      const isRaised = (name: string) => ruleOf(name) === undefined || ruleOf(name)?.holds !== undefined;
      return names.some(isRaised) ? Object.keys(raised).join('; ') : undefined;
    },
  };
}

/** The member of a record that is its own: an input may have one that is called "constructor". */
function ownOf<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** The consequence of a change that its values before and after say already. */
const AT_ONCE = 'Takes effect at once.';

/** Kinds that follow from the type of the value. The others are those that the field itself names (`meta`). */
type PlainKind = 'text' | 'number' | 'boolean' | 'choice';

/** One input field as forms, help texts and the parser see it; derived from the operation's zod input. */
export interface Field {
  /** The platform's spelling. */
  name: string;
  /** The label in a form. */
  label: string;
  description: string;
  required: boolean;
  secret: boolean;
  /** True for a file as base64, which no form takes. */
  attachment?: boolean;
  /** True if it takes all words of a typed line that are not `Field=value`. */
  rest?: boolean;
  /** `rows`: an array of objects (`[{Number}]`). `list`: an array of strings; `items` describes each. */
  kind: Exclude<GlobalMeta['kind'], 'words' | undefined> | PlainKind | 'list' | 'group' | 'rows';
  choices?: readonly string[];
  /** Suggested values; others are accepted too. */
  known?: readonly string[];
  /** Accepted identifier prefixes of an id. */
  ids?: readonly string[];
  example?: string;
  default?: unknown;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  /** Members of a group or of each row. */
  fields?: readonly Field[];
  /** The element of a list. */
  items?: Field;
}

/** The meaning of a typed line. */
export type Parsed =
  /**
   * `form`: a form was asked for. `missing`: required fields that were not given. `notes`: interpretations to report
   * ("+1… was read as PhoneNumber").
   */
  | {
      kind: 'call';
      tool: Tool;
      input: Fields;
      form: boolean;
      missing: readonly string[];
      notes: readonly string[];
    }
  | { kind: 'help'; group?: string; tool?: Tool }
  /**
   * `input` holds what was understood, so that nothing typed is lost. `suggestion` is the nearest operation or field.
   * `tools` are the operations that the words may begin.
   */
  | {
      kind: 'problem';
      message: string;
      field?: string;
      tool?: Tool;
      input?: Fields;
      suggestion?: string;
      tools?: readonly Tool[];
    };

/** A function that makes its result once for each object. */
export function remembered<K extends object, V>(make: (of: K) => V): (of: K) => V {
  const made = new WeakMap<K, { value: V }>();
  return (of) => {
    const known = made.get(of) ?? { value: make(of) };
    made.set(of, known);
    return known.value;
  };
}

const schemaOf = (io: 'input' | 'output') =>
  remembered((schema: z.ZodType) => withAlternatives(z.toJSONSchema(schema, { io, unrepresentable: 'any' })) as Fields);
const schemas = { input: schemaOf('input'), output: schemaOf('output') };

/**
 * The JSON schema of a definition's input or answer, with the marks of its fields. It is derived once, because each start
 * reads the schemas of the whole catalogue several times, so callers must not change it.
 */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Fields {
  return schemas[io](schema);
}

/** Writes a value that may be null as two alternatives. The library writes a bare type so: ["string", "null"]. */
function withAlternatives(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withAlternatives);
  if (!isRecord(node)) return node;
  const whole = Object.fromEntries(Object.entries(node).map(([name, part]) => [name, withAlternatives(part)]));
  if (!Array.isArray(whole.type)) return whole;
  const { type, ...outer } = whole;
  return { ...outer, anyOf: (type as unknown[]).map((one) => ({ type: one })) };
}

type Mark = 'secret' | 'outside' | 'attachment' | 'own' | 'told' | 'private';

/** The names of all fields of a schema that carry this mark of tools/shared/fields.ts, at any depth. */
export function markedNames(schema: z.ZodType, io: 'input' | 'output', mark: Mark): string[] {
  return partsIn(schema, io).flatMap(({ node, name }) => (node[mark] === true ? [name] : []));
}

/** The paths of the members of an answer that carry this mark (`Findings[].Finding`). */
export function markedPaths(schema: z.ZodType, mark: Mark): string[] {
  return partsIn(schema, 'output').flatMap(({ node, path }) => (node[mark] === true ? [path] : []));
}

/** The parts of a schema that are members, at any depth, each with its name and path. */
export function partsIn(schema: z.ZodType, io: 'input' | 'output'): { node: Fields; name: string; path: string }[] {
  const found: { node: Fields; name: string; path: string }[] = [];
  const walk = (part: unknown, name: string, path: string): void => {
    if (Array.isArray(part)) for (const member of part) walk(member, name, path);
    if (!isRecord(part)) return;
    if (name !== '') found.push({ node: part, name, path });
    for (const [key, child] of Object.entries((part.properties ?? {}) as Fields))
      walk(child, key, path === '' ? key : `${path}.${key}`);
    walk(part.items, name, `${path}[]`);
    for (const key of ['additionalProperties', 'anyOf', 'oneOf', 'allOf']) walk(part[key], name, path);
  };
  walk(jsonSchema(schema, io), '', '');
  return found;
}

/** The caller's input for the sentences of a question. */
function asWords(schema: z.ZodType, input: Fields): Fields {
  const walk = (value: unknown, nodes: readonly Fields[]): unknown => {
    if (typeof value === 'string') return quotedText(value, nodes);
    const items = nodes.flatMap((node) => optionsOf(node.items));
    if (Array.isArray(value)) return value.map((one: unknown) => walk(one, items));
    if (!isRecord(value)) return value;
    const member = (name: string) => nodes.flatMap(({ properties }) => optionsOf(recordOf(properties)[name]));
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, walk(one, member(name))]));
  };
  return walk(input, optionsOf(jsonSchema(schema, 'input'))) as Fields;
}

/** The alternatives of a schema, with the marks beside them. */
function optionsOf(node: unknown): Fields[] {
  if (!isRecord(node)) return [];
  const { anyOf, ...outer } = node;
  return Array.isArray(anyOf)
    ? anyOf.flatMap((one) => optionsOf(one).map((option) => ({ ...outer, ...option })))
    : [node];
}

/**
 * A text in quotation marks, whatever it looks like, if its field takes any text: a package may be called "5 USD". Of a
 * field with a fixed form, only a text that could be a sentence is, and a choice never.
 */
function quotedText(text: string, nodes: readonly Fields[]): string {
  const has = (member: string) => nodes.some((node) => node[member] !== undefined);
  if (nodes.some(({ enum: choices }) => Array.isArray(choices) && choices.includes(text))) return text;
  const isLines = nodes.some(({ kind }) => kind === 'multiline' || kind === 'words');
  const isFixed = ['pattern', 'format', 'known', 'enum'].some(has) || (has('kind') && !isLines);
  return isFixed ? setApart(text, MOST_IN_SENTENCE) : inQuotes(text, MOST_IN_SENTENCE);
}
