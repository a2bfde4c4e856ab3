import type * as z from 'zod';
import type { Fields } from '../lib/json.ts';
import type { AnswerShape } from '../platform/dialect/answer-shape.ts';
import type { BatchRule, ListedIn } from './batch.ts';
import type { Checked, Consent, Look, Problems } from './consent.ts';
import type { Finding, Trace } from './reconcile.ts';
import type { AlwaysHarmless, HarmlessMembers, MemberRules, Raised, RaisedMembers, Risk } from './risk.ts';

/* The parts of a definition that operations and workflows share. */

/** The read that shows what a change starts from, so that a form can show it. */
interface CurrentValues {
  /** The reading operation. */
  read: string;
  /** Fields that name the record. They are sent with every change. */
  keys: readonly string[];
  /** The input of the read; undefined unless the input names exactly one record. */
  input: (given: Fields) => Fields | undefined;
  /** The record in the answer; the answer itself by default. */
  record?: (answer: Fields) => Fields | undefined;
  /** Members that the record spells in another way, by field. */
  members?: Readonly<Record<string, string>>;
  /** True if the platform replaces the whole record: a field that is left out is removed. */
  replaces?: true;
}

export type Input = z.ZodObject;

export interface Common<I extends Input> {
  title: string;
  /**
   * For an assistant that chooses a tool and an agent who reads a form. States the effect, the prerequisites, the cost,
   * and anything that cannot be undone.
   */
  description: string;
  input: I;
  /** Loose: members that the platform adds pass through. */
  output: z.ZodObject;
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
  /** For a read of one record: the list in which many such records are found. */
  listed?: ListedIn;
}

interface Consenting<I extends Input> {
  /** `known` comes from a check, a preparing step or a stored secret's record. It holds no secrets. */
  consent: (input: z.output<I>, known: Fields) => Consent;
  /** The platform sends a statement for this act. If it sent none, the person who confirms sees a note about it. */
  expectsStatement?: true;
}

interface NeverRaised {
  harmless?: never;
  raised?: never;
}

/** A change whose members are all harmless, without a condition. */
interface AllHarmless<I extends Input> {
  harmless: Readonly<Record<keyof z.output<I>, AlwaysHarmless>>;
  raised?: never;
  consent?: never;
}

/** A change that a person must confirm for some inputs (see risk.ts). */
interface MayRaise<I extends Input> {
  /** Members that are harmless on their own, each with its condition. Every other member raises the call. */
  harmless: HarmlessMembers<I>;
  /** The effects of the other members, and of the conditional ones when their condition does not hold. */
  raised: RaisedMembers<I>;
  /** `reasons`: the sentences of the members that raise this call. */
  consent: (input: z.output<I>, known: Fields, reasons: string) => Consent;
}

export type Confirmed<I extends Input, R extends Risk> = R extends 'spend' | 'destroy'
  ? Consenting<I> & NeverRaised
  : R extends 'write'
    ? AllHarmless<I> | MayRaise<I>
    : { consent?: never } & NeverRaised;

/** Checks and rules before asking, for operations and workflows. */
export interface Before<I extends Input> {
  /**
   * Reads before a person is asked, to fill in the account, name the customer, and refuse a number whose state does not
   * fit the call. At most a handful of requests. A `write` operation reads only where its input may be raised.
   * `known.Record` is the record that conditions of members compare with.
   */
  before?: (input: z.output<I>, look: Look) => Promise<Checked>;
  /**
   * While a call of one of these operations waits for a person or runs, another one for the same values (phone
   * numbers) points to it instead of starting.
   */
  exclusive?: Exclusive<z.output<I>>;
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
  listed?: ListedIn;
  rules?: (input: Fields, now: Date) => Problems;
  consent?: (input: Fields, known: Fields) => Consent;
  /** For a `write` operation: the members of its input that are harmless, and the effects of the others. */
  members?: MemberRules;
  /**
   * The raised risk of an input, or undefined if it is as harmless as the operation. If `known` is empty, this is the
   * highest risk that the input can have.
   */
  raises?: (input: Fields, known: Fields) => Raised | undefined;
  /**
   * The inputs a person must confirm, in words that complete "A person must confirm …". Undefined if there are none.
   */
  raisedBy?: string;
  expectsStatement?: true;
  before?: (input: Fields, look: Look) => Promise<Checked>;
  exclusive?: Exclusive;
  reconcile?: (input: Fields, trace: Trace) => Promise<Finding>;
}
