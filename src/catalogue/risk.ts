import type * as z from 'zod';
import { type Fields, isRecord } from '../lib/json.ts';
import { oneLine } from '../lib/text.ts';
import { isSame } from '../platform/dialect/readings.ts';
import { withoutUrlSecrets } from '../platform/dialect/url-secrets.ts';
import type { Consent } from './consent.ts';

/**
 * The effect of a call. `read` changes nothing; `write` changes records and can be corrected; `spend` costs money or
 * reaches a person; `destroy` takes service, data or control away. `spend` and `destroy` are gated: a person confirms
 * them.
 */
export type Risk = 'read' | 'write' | 'spend' | 'destroy';

/** A risk above that of the operation, caused by the input. */
export interface Raised {
  risk: 'destroy';
  /** The reason for asking a person, in one sentence. */
  reason: string;
  /** False if this input is never sent a second time, although the operation's other inputs may be. */
  resend?: false;
}

/** True if a person must confirm every call of this tool, regardless of its input. */
export function isGated(tool: { risk: Risk }): boolean {
  return tool.risk === 'spend' || tool.risk === 'destroy';
}

/** The highest risk that any input of this tool has. The tool's hints state it. */
export function highestRisk(tool: { risk: Risk; raisedBy?: unknown }): Risk {
  return tool.raisedBy === undefined ? tool.risk : 'destroy';
}

/** True if this input may be sent again when its outcome is unknown. */
export function mayResend(
  tool: { resend: boolean; raises?: (input: Fields, known: Fields) => Raised | undefined },
  input: Fields,
): boolean {
  return tool.resend && tool.raises?.(input, {})?.resend !== false;
}

/*
 * Rules for the inputs of a `write` operation that a person must confirm. They fail closed: a member of the input is
 * harmless only if the definition lists it in `harmless` and its condition holds. Every other member raises the call to
 * `destroy`, even one that the definition does not know.
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
export interface Harmless {
  /** The reason or the condition: "a name or a description", "if it is true". */
  words: string;
  /** Left out if the member is always harmless. */
  holds?: (value: unknown, at: Circumstances) => boolean;
}

/** The harm of a member when it is not harmless. */
export interface Harm<V> {
  /** Completes "A person must confirm …". */
  what: string;
  /** A sentence for the person who confirms. */
  reason: string | ((value: V, at: Circumstances) => string);
  /** False if a call with this member is never sent a second time. */
  resend?: false;
}

type Value<I extends z.ZodObject, M extends keyof z.output<I>> = Exclude<z.output<I>[M], undefined>;

/** A member that never raises the call. */
export type AlwaysHarmless = Harmless & { holds?: never };

export type HarmlessMembers<I extends z.ZodObject> = Readonly<Partial<Record<keyof z.output<I>, Harmless>>>;
export type RaisedMembers<I extends z.ZodObject> = { readonly [M in keyof z.output<I>]?: Harm<Value<I, M>> };

/** The rules of one operation, with their types erased. */
export interface MemberRules {
  harmless: Readonly<Record<string, Harmless>>;
  raised: Readonly<Record<string, Harm<never>>>;
}

function always(words: string): AlwaysHarmless {
  return { words };
}

/** A condition on the value and on the facts that were found. */
export function when(words: string, holds: NonNullable<Harmless['holds']>): Harmless {
  return { words: `if ${words}`, holds };
}

/** A condition on the record. Without the record it does not hold. */
export function against(words: string, holds: (value: unknown, record: Fields, member: string) => boolean): Harmless {
  return when(words, (value, { record, member }) => record !== undefined && holds(value, record, member));
}

/** The member that names the record of the call. */
export const target = always('names the record');
/** A name, an e-mail address, a description or a note. */
export const label = always('a name, an e-mail address or a description');
/** A member of a new record, which no line, subscription or route uses yet. */
export const unused = always('part of a new record that nothing uses yet');
export const harmless = always;

export const unchanged = against('it is what the record has', (value, record, member) => isSame(value, record[member]));
/** For enumerations that the platform writes in any letter case. */
export const unchangedWord = against('it is what the record has', (value, record, member) =>
  isSame(lower(value), lower(record[member])),
);

export function is(expected: boolean | string): Harmless {
  return when(`it is ${String(expected)}`, (value) => value === expected);
}

function lower(value: unknown): unknown {
  return typeof value === 'string' ? value.trim().toLowerCase() : value;
}

/** The members of an input that are not harmless, in the order of the input. */
function raisedIn({ harmless: listed }: MemberRules, input: Fields, known: Fields): Circumstances[] {
  const record = isRecord(known.Record) ? known.Record : undefined;
  return Object.entries(input).flatMap(([member, value]) => {
    if (value === undefined) return [];
    const at = { member, input, known, record };
    const rule = Object.hasOwn(listed, member) ? listed[member] : undefined;
    return rule !== undefined && (rule.holds?.(value, at) ?? true) ? [] : [at];
  });
}

function reasonOf({ raised }: MemberRules, at: Circumstances): string {
  const reason = Object.hasOwn(raised, at.member) ? raised[at.member]?.reason : undefined;
  if (reason === undefined) return `${at.member} changes. What that does is not documented.`;
  return typeof reason === 'string' ? reason : reason(at.input[at.member] as never, at);
}

/** The reasons why a person must confirm this input, one sentence for each cause; empty if it is harmless. */
function reasonsOf(rules: MemberRules, input: Fields, known: Fields): string[] {
  const shown = withoutUrlSecrets({ input, known });
  const reasons = raisedIn(rules, input, known).map((at) => reasonOf(rules, { ...at, ...shown }));
  return [...new Set(reasons)].filter((reason) => reason !== '');
}

/** True if some input is raised: a member of the input is not harmless, or only under a condition. */
function canRaise({ harmless: listed }: MemberRules, members: readonly string[]): boolean {
  return members.some((member) => !Object.hasOwn(listed, member) || listed[member]?.holds !== undefined);
}

/** The raised risk of an input; undefined if all its members are harmless. */
function raisedRisk(rules: MemberRules, input: Fields, known: Fields): Raised | undefined {
  const causes = raisedIn(rules, input, known);
  if (causes.length === 0) return undefined;
  const reason = reasonsOf(rules, input, known).join(' ');
  const isOnce = causes.some(({ member }) => rules.raised[member]?.resend === false);
  return { risk: 'destroy', reason, ...(isOnce ? { resend: false } : {}) };
}

/** The part of a definition that determines when it waits for a person, with its types erased. */
export interface Rules extends Partial<MemberRules> {
  consent?: (input: Fields, known: Fields, reasons: string) => Consent;
}

/** The members of a tool that are derived from these rules. */
interface Derived {
  members?: MemberRules;
  raises?: (input: Fields, known: Fields) => Raised | undefined;
  raisedBy?: string;
  consent?: (input: Fields, known: Fields) => Consent;
}

/**
 * Makes the title, the consequence and the undo text one line each. A value with a line break could otherwise add a line
 * that looks like a fact of the question ("Cost: nothing"). Every surface sets a statement apart, so it keeps its lines.
 */
function inLines({ title, consequence, undo, ...rest }: Consent): Consent {
  return { ...rest, title: oneLine(title), consequence: oneLine(consequence), undo: oneLine(undo) };
}

/** Derives the inputs that are raised, their description and the question from the rules of the members. */
export function raising(input: z.ZodObject, { harmless: listed, raised = {}, consent }: Rules): Derived {
  const asking: typeof consent =
    consent &&
    ((given, known, reasons) => inLines(consent(withoutUrlSecrets(given), withoutUrlSecrets(known), reasons)));
  if (listed === undefined) return asking ? { consent: (given, known) => asking(given, known, '') } : {};
  const members: MemberRules = { harmless: listed, raised };
  const raises: Derived['raises'] = (given, known) => raisedRisk(members, given, known);
  if (!canRaise(members, Object.keys(input.shape))) return { members, raises };
  return {
    members,
    raises,
    raisedBy: inWords([...new Set(Object.values(raised).map(({ what }) => what))]),
    ...(asking && {
      consent: (given, known) => asking(given, known, reasonsOf(members, given, known).join(' ')),
    }),
  };
}

/** "a, b or c". */
function inWords(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} or ${parts.at(-1)}`;
}
