import type * as z from 'zod';
import type { Fields } from '../lib/json.ts';
import type { AnswerShape } from '../platform/dialect/readings.ts';
import type { BatchRule, ListedIn } from './batch-rule.ts';
import type { Effect } from './change.ts';
import type { Checked, Consent, Look, Problems } from './consent.ts';
import type { Finding, Trace } from './reconcile.ts';
import type { AlwaysOrdinary, MemberRules, OrdinaryMembers, Raised, RaisedMembers, Risk } from './risk.ts';
import type { Sentences } from './sentences.ts';

/* The parts of a definition that operations and workflows share. */

/** A field that a record shows as a part of one text, such as the first name in a caller's name. */
export interface JoinedPart {
  /** The member of the record with the whole text. */
  member: string;
  /** The label of the whole: "Caller name". */
  label: string;
  /** The name of the field within the whole: "first name". */
  part: string;
}

/** The read that shows what a change starts from, so that a form can show it. */
interface CurrentValues {
  /** The reading operation. */
  read: string;
  /** Fields that name the record. They are sent with every change. */
  keys: readonly string[];
  /** The input of the read; undefined unless the input names exactly one record. */
  input: (given: Fields) => Fields | undefined;
  /** The record in the answer; the answer itself by default. */
  record?: (answer: Fields, given: Fields) => Fields | undefined;
  /** The records in the answer where one call changes several, each with the text that names it. */
  records?: (answer: Fields) => readonly { of: string; record: Fields }[];
  /** Members that the record spells in another way, by field. */
  members?: Readonly<Record<string, string>>;
  /**
   * True if the platform may replace the whole record. The gate then fills in what the caller left out from the record,
   * and `null` removes a value.
   */
  replaces?: true;
  /**
   * A secret that the record has and that cannot be read back, so that a change has to give it again; undefined if the
   * record has none.
   */
  asksAgain?: (record: Fields, given: Fields) => { field: string; message: string } | undefined;
  /** Members that go with another one when that one is removed, by member. */
  goesWith?: Readonly<Record<string, string>>;
  /** Members that the platform derives again when another one changes, by member. They are not filled in then. */
  derivedFrom?: Readonly<Record<string, string>>;
  /** Fields whose present values the record shows joined as one text. That text is not filled in. */
  shownBy?: Readonly<Record<string, JoinedPart>>;
  /** Rules for the input with the record's values filled in. */
  whole?: (input: Fields) => { field: string; message: string } | undefined;
}

export type Input = z.ZodObject;

/** The members of a schema. */
export type Shape = z.ZodRawShape;

/** The schema of an input: other members are refused. */
export type Strict<S extends Shape> = z.ZodObject<S, z.core.$strict>;

export interface Common<S extends Shape, I extends Input = Strict<S>> {
  title: string;
  /**
   * For an assistant that chooses a tool and an agent who reads a form. States the effect, the prerequisites, the cost,
   * and anything that cannot be undone.
   */
  description: string;
  /** Functions, so that a process makes the fields of those operations only that it runs. */
  input: () => S;
  /** Loose: members that the platform adds pass through. */
  output: () => Shape;
  /**
   * Rules across fields, checked before anything is sent. `now` is the present moment. A field that is missing or wrong
   * by itself is not in `input`.
   */
  rules?: (input: Partial<z.output<I>>, now: Date) => Problems;
  /** Inputs that parse; the first one is shown in help. */
  examples: readonly [z.input<I>, ...z.input<I>[]];
  /** The members of an answer that say what was done; the defaults are those of `AnswerShape`. */
  answer?: AnswerShape;
  /** The read whose values a form for this change starts from. */
  current?: CurrentValues;
  /** The rule by which it runs over a list of rows. Required where the input has a target, such as a phone number. */
  batch?: BatchRule;
  /** The field with the line whose customer is billed, for a call that also names lines of others. */
  paidBy?: string;
  /** An answer to a read whose rows people read as sentences. */
  sentences?: Sentences<z.output<I>>;
  /** For a read of one record: the list in which many such records are found. */
  listed?: ListedIn;
}

interface Consenting<I extends Input> {
  /**
   * Texts of the caller are in quotation marks already. `known` comes from a check, a preparing
   * step or a stored secret's record, and is as the platform has it. It holds no secrets.
   */
  consent: (input: z.output<I>, known: Fields) => Consent;
  /** The platform sends a statement for this act. If it sent none, the person who confirms sees a note about it. */
  expectsStatement?: true;
}

interface NeverRaised {
  ordinary?: never;
  raised?: never;
  free?: never;
  told?: never;
}

/** The outcome of a change that needs no yes. `isDone`: false if it was so already. */
export interface FreeOutcome {
  title: string;
  isDone: boolean;
}

/** A change that concerns Switchboard alone, or prepares another one, so that no person is asked. */
interface Free<I extends Input> {
  /** The reason why it needs no yes, as part of a sentence. */
  free: string;
  /** Its outcome for a person, where that depends on the call. Left out: it is done, under the title of the operation. */
  told?: (input: z.output<I>, answer: Fields) => FreeOutcome;
  ordinary: Readonly<Record<keyof z.output<I>, AlwaysOrdinary>>;
  raised?: never;
  consent?: never;
}

/** A change that an operator may confirm unless a member raises it (see risk.ts). */
interface MayRaise<I extends Input> {
  free?: never;
  told?: never;
  /** Members that are ordinary on their own, some with a condition. Every other member raises the call. */
  ordinary: OrdinaryMembers<I>;
  /** The reasons of the other members, and of the conditional ones when their condition does not hold. */
  raised?: RaisedMembers<I>;
  /** As above. `reasons`: the sentences of the members that raise this call. */
  consent: (input: z.output<I>, known: Fields, reasons: string) => Consent;
}

export type Confirmed<I extends Input, R extends Risk> = R extends 'spend' | 'destroy'
  ? Consenting<I> & NeverRaised
  : R extends 'write'
    ? Free<I> | MayRaise<I>
    : { consent?: never } & NeverRaised;

/** Checks and rules before asking, for operations and workflows. */
export interface Before<I extends Input> {
  /**
   * Reads before a person is asked, to fill in the account, name the customer, and refuse a number whose state does not
   * fit the call. At most a handful of requests. `known.Record` is the record that the input is compared with; without
   * it, the gate reads the one of `current`.
   */
  before?: (input: z.output<I>, look: Look) => Promise<Checked>;
  /**
   * While a call of one of these operations waits for a person or runs, another one for the same values (phone
   * numbers) points to it instead of starting.
   */
  exclusive?: Exclusive<z.output<I>>;
  /** Set if the call cancels, moves or releases its numbers, so that no other change of them may wait beside it. */
  endsNumber?: true | ((input: z.output<I>) => boolean);
  /** Effects that no field of the input names, for the question: a state, an entry of a list, a removal. */
  effects?: (input: z.output<I>, known: Fields) => readonly Effect[];
  /** Fields whose present values no read shows: the question says that they are not known. */
  unreadable?: readonly (keyof z.output<I> & string)[];
  /** Fields that name the record, if neither `ordinary`, `current` nor `batch` says so. */
  keys?: readonly (keyof z.output<I> & string)[];
  /** The field that names the record which the call removes. */
  removes?: keyof z.output<I> & string;
  /**
   * Set if each call adds something, such as a message, so that a call for the same target with other values is another
   * change. Otherwise it corrects the one that waits.
   */
  adds?: true;
}

export interface Exclusive<I = Fields> {
  with: readonly string[];
  /** `known` as in `consent`; also read from the shown input of the call that waits. */
  values: (input: I, known: Fields) => readonly string[];
}

/** The members that operations and workflows share, with their types erased, for the gate and the surfaces. */
export interface ErasedTool {
  id: string;
  group: string;
  title: string;
  description: string;
  risk: Risk;
  /** True if it may be sent again when its outcome is unknown. A workflow is never sent again as a whole. */
  resend: boolean;
  input: z.ZodObject;
  output: z.ZodObject;
  examples: readonly Fields[];
  answer?: AnswerShape;
  current?: CurrentValues;
  batch?: BatchRule;
  paidBy?: string;
  listed?: ListedIn;
  sentences?: Sentences;
  rules?: (input: Fields, now: Date) => Problems;
  /** The question. `reasons`: the sentences of the members that raise the call. */
  consent?: (input: Fields, known: Fields, reasons?: string) => Consent;
  /** The reason why a change needs no yes. */
  free?: string;
  told?: (input: Fields, answer: Fields) => FreeOutcome;
  /** For a `write` operation: the members of its input that are ordinary, and the reasons of the others. */
  members?: MemberRules;
  /**
   * The raised risk of an input, or undefined if it is ordinary. If `known` is empty, this is the highest risk that the
   * input can have. `changed`: the members that differ from the record; by default all of them.
   */
  raises?: (input: Fields, known: Fields, changed?: readonly string[]) => Raised | undefined;
  /** The inputs an approver must confirm, in words that complete "An approver must confirm …". Undefined if there are none. */
  raisedBy?: string | undefined;
  effects?: (input: Fields, known: Fields) => readonly Effect[];
  unreadable?: readonly string[];
  keys?: readonly string[];
  removes?: string;
  adds?: true;
  expectsStatement?: true;
  before?: (input: Fields, look: Look) => Promise<Checked>;
  exclusive?: Exclusive;
  endsNumber?: true | ((input: Fields) => boolean);
  reconcile?: (input: Fields, trace: Trace) => Promise<Finding>;
}
