import type * as z from 'zod';
import { withoutUrlSecrets } from '../lib/hide.ts';
import { type Fields, isRecord } from '../lib/json.ts';
import { missingFrom } from '../lib/lists.ts';
import { inQuotes, oneLine } from '../lib/text.ts';
import { setApart } from '../platform/dialect/plain-values.ts';
import { readTexts } from '../platform/dialect/readings.ts';
import type { Level } from './change.ts';
import type { Consent } from './consent.ts';
import { mapTexts } from './json-schema.ts';

/**
 * The effect of a call. `read` changes nothing; `write` changes records and can be corrected; `spend` costs money or
 * reaches a person; `destroy` takes service, data or control away. Every call that is not a read is a change, and a
 * person confirms it.
 */
export type Risk = 'read' | 'write' | 'spend' | 'destroy';

/** A risk above that of the operation, caused by the input. */
export interface Raised {
  risk: 'destroy';
  /** The reason for asking an approver, in one sentence for each cause. */
  reason: string;
  /** False if this input is never sent a second time, although the operation's other inputs may be. */
  resend?: false;
}

/** True if every call of this tool needs an approver, regardless of its input. */
export function isGated(tool: { risk: Risk }): boolean {
  return tool.risk === 'spend' || tool.risk === 'destroy';
}

/** True if a call of this tool changes the platform, so that a person is asked. */
export function isChange(tool: { risk: Risk; free?: string }): boolean {
  return tool.risk !== 'read' && tool.free === undefined;
}

/** The highest risk that any input of this tool has. The tool's hints state it. */
export function highestRisk(tool: { risk: Risk; raisedBy?: unknown }): Risk {
  return tool.raisedBy === undefined ? tool.risk : 'destroy';
}

/** The level of a change. `raised`: its raised risk, if it has one. */
export function levelOf(tool: { risk: Risk }, raised: Raised | undefined): Level {
  return isGated(tool) || raised !== undefined ? 'approver' : 'own';
}

/** True if this input may be sent again when its outcome is unknown. */
export function mayResend(
  tool: { resend: boolean; raises?: (input: Fields, known: Fields) => Raised | undefined },
  input: Fields,
): boolean {
  return tool.resend && tool.raises?.(input, {})?.resend !== false;
}

/*
 * Rules for the level of a `write` operation. They fail closed: a member is ordinary only if the definition lists it in
 * `ordinary` and its condition, if it has one, holds. Every other member raises the call to `destroy`, even one that the
 * definition does not know. The gate leaves out the members that the record has already, so no rule compares for
 * equality.
 */

/** The facts that conditions and reasons can use. */
export interface Circumstances {
  member: string;
  input: Fields;
  /** The findings of `before`; empty before it ran. */
  known: Fields;
  /** `known.Record`: the record as the platform has it. Undefined if it was not read. */
  record: Fields | undefined;
}

/** A member that does not raise the call, always or while a condition holds. */
export interface Ordinary {
  /** The reason or the condition: "a name or a description", "if it is switched on". */
  words: string;
  /** True if the member only names the record of the call, so that it is no change itself. */
  isTarget?: true;
  /** Left out if the member is always ordinary. */
  holds?: (value: unknown, at: Circumstances) => boolean;
}

/** The reason why a member needs an approver. */
export interface Harm<V> {
  /** Completes "An approver must confirm …". */
  what: string;
  /** A sentence for the person who confirms. `value` is in quotation marks already, as in `consent`. */
  reason: string | ((value: V, at: Circumstances) => string);
  /** False if a call with this member is never sent a second time. */
  resend?: false;
}

type Value<I extends z.ZodObject, M extends keyof z.output<I>> = Exclude<z.output<I>[M], undefined>;

/** A member that never raises the call. */
export type AlwaysOrdinary = Ordinary & { holds?: never };

export type OrdinaryMembers<I extends z.ZodObject> = Readonly<Partial<Record<keyof z.output<I>, Ordinary>>>;
export type RaisedMembers<I extends z.ZodObject> = { readonly [M in keyof z.output<I>]?: Harm<Value<I, M>> };

/** The rules of one operation, with their types erased. */
export interface MemberRules {
  ordinary: Readonly<Record<string, Ordinary>>;
  raised: Readonly<Record<string, Harm<never>>>;
}

/** A member that is ordinary with any value. */
export function ordinary(words: string): AlwaysOrdinary {
  return { words };
}

/** The member that names the record of the call. */
export const target: AlwaysOrdinary = { words: 'names the record', isTarget: true };
/** A name, an e-mail address, a description or a note. */
export const label = ordinary('a name or a description');
/** A member of a new record, which no line, subscription or route uses yet. */
export const unused = ordinary('part of a new record that nothing uses yet');
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

/** The members of an input that are not ordinary, in the order of the input. `changed`: by default all of them. */
function raisedIn(
  { ordinary: listed }: MemberRules,
  input: Fields,
  known: Fields,
  changed?: readonly string[],
): Circumstances[] {
  const record = isRecord(known.Record) ? known.Record : undefined;
  return Object.entries(input).flatMap(([member, value]) => {
    if (value === undefined || changed?.includes(member) === false) return [];
    const at = { member, input, known, record };
    const rule = Object.hasOwn(listed, member) ? listed[member] : undefined;
    return rule !== undefined && (rule.holds?.(value, at) ?? true) ? [] : [at];
  });
}

function reasonOf({ raised }: MemberRules, at: Circumstances, asWords: AsWords): string {
  const reason = Object.hasOwn(raised, at.member) ? raised[at.member]?.reason : undefined;
  if (reason === undefined) return `${at.member} changes. What that does is not documented.`;
  return typeof reason === 'string'
    ? reason
    : reason(asWords({ [at.member]: at.input[at.member] })[at.member] as never, at);
}

/** The reasons of these members, one sentence for each cause; empty if they are ordinary. */
function reasonsOf(rules: MemberRules, raised: readonly Circumstances[], asWords: AsWords): string {
  const reasons = raised.map((at) =>
    reasonOf(rules, { ...at, ...withoutUrlSecrets({ input: at.input, known: at.known }) }, asWords),
  );
  return [...new Set(reasons)].filter((reason) => reason !== '').join(' ');
}

/** True if some input is raised: a member of the input is not ordinary, or only under a condition. */
function canRaise({ ordinary: listed }: MemberRules, members: readonly string[]): boolean {
  return members.some((member) => !Object.hasOwn(listed, member) || listed[member]?.holds !== undefined);
}

/** The part of a definition that determines the level of a call, with its types erased. */
export interface Rules extends Partial<MemberRules> {
  consent?: (input: Fields, known: Fields, reasons: string) => Consent;
}

/** The members of a tool that are derived from these rules. */
interface Derived {
  members?: MemberRules;
  raises?: (input: Fields, known: Fields, changed?: readonly string[]) => Raised | undefined;
  raisedBy?: () => string | undefined;
  consent?: (input: Fields, known: Fields, reasons?: string) => Consent;
}

/** Longest text of the caller in one sentence of a question: a name is whole. Its rows have any text whole. */
const MOST_IN_SENTENCE = 255;

/**
 * Turns the caller's input into words for the sentences of a question. A text of a field that takes any text is in
 * quotation marks, whatever it looks like: a package may be called "5 USD". Of a field with a fixed form, only a value
 * that could be a sentence is.
 */
type AsWords = (input: Fields) => Fields;

function wordsFor(schema: () => z.ZodObject): AsWords {
  return (input) =>
    mapTexts(schema(), input, (text, kind) => {
      if (kind === 'choice') return text;
      return kind === 'free' ? inQuotes(text, MOST_IN_SENTENCE) : setApart(text, MOST_IN_SENTENCE);
    });
}

/**
 * Makes the title, the consequence and the undo text one line each. A value with a line break could otherwise add a line
 * that looks like a fact of the question ("Cost: nothing"). Every surface sets a statement apart, so it keeps its lines.
 */
function inLines({ title, consequence, undo, ...rest }: Consent): Consent {
  const effect = oneLine(consequence);
  return { ...rest, title: oneLine(title), consequence: effect === '' ? AT_ONCE : effect, undo: oneLine(undo) };
}

/** The consequence of an ordinary change that its before and after say already. */
const AT_ONCE = 'Takes effect at once.';

/** Derives the inputs that are raised, their description and the question from the rules of the members. */
export function raising(schema: () => z.ZodObject, { ordinary: listed, raised = {}, consent }: Rules): Derived {
  const asWords = wordsFor(schema);
  const asked: Derived = consent
    ? {
        consent: (given, known, reasons = '') =>
          inLines(consent(asWords(withoutUrlSecrets(given)), withoutUrlSecrets(known), reasons)),
      }
    : {};
  if (listed === undefined) return asked;
  const rules: MemberRules = { ordinary: listed, raised };
  return {
    ...asked,
    members: rules,
    raises: (given, known, changed) => {
      const causes = raisedIn(rules, given, known, changed);
      if (causes.length === 0) return undefined;
      const isOnce = causes.some(({ member }) => rules.raised[member]?.resend === false);
      return { risk: 'destroy', reason: reasonsOf(rules, causes, asWords), ...(isOnce ? { resend: false } : {}) };
    },
    raisedBy: () =>
      canRaise(rules, Object.keys(schema().shape))
        ? [...new Set(Object.values(raised).map(({ what }) => what))].join('; ')
        : undefined,
  };
}
