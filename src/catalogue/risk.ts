import type * as z from 'zod';
import { withoutUrlSecrets } from '../lib/hide.ts';
import { defined, type Fields, inQuotes, isRecord, missingFrom, oneLine } from '../lib/values.ts';
import { setApart } from '../platform/dialect/phone.ts';
import { readTexts } from '../platform/dialect/readings.ts';
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

/** The members of a tool that follow from the rules of its definition. Functions, because they need the schema. */
interface Derived {
  members?: () => MemberRules;
  raises?: (input: Fields, known: Fields, changed?: readonly string[]) => Raised | undefined;
  raisedBy?: () => string | undefined;
  consent?: (input: Fields, known: Fields, reasons?: string) => Consent;
}

/** Derives the inputs that are raised, their description and the question. `keys`: the fields that name the record. */
export function raising(schema: () => z.ZodObject, keys: readonly string[], rules: Rules<Fields>): Derived {
  const { ordinary, raised = {}, hazards = {}, consent } = rules;
  /**
   * The caller's input for the sentences of a question. A text of a field that takes any text is in quotation marks,
   * whatever it looks like: a package may be called "5 USD". Of a field with a fixed form, only a value that could be a
   * sentence is.
   */
  const asWords = (input: Fields) =>
    mapTexts(schema(), input, (text, kind) => {
      if (kind === 'choice') return text;
      return kind === 'free' ? inQuotes(text, MOST_IN_SENTENCE) : setApart(text, MOST_IN_SENTENCE);
    });
  const asked: Derived = consent
    ? {
        consent: (given, known, reasons = '') => {
          const asked = consent(asWords(withoutUrlSecrets(given)), withoutUrlSecrets(known), reasons);
          // A value with a line break could otherwise add a line that looks like a fact of the question ("Cost: nothing").
          // Every surface sets a statement apart, so it keeps its lines.
          const [title, effect, undo] = [asked.title, asked.consequence, asked.undo].map(oneLine) as [
            string,
            string,
            string,
          ];
          return { ...asked, title, consequence: effect || AT_ONCE, undo };
        },
      }
    : {};
  if (ordinary === undefined) return asked;
  const listed = new Map(Object.entries(raised).flatMap(([what, members]) => members.map((name) => [name, what])));
  const isKey = (name: string) => keys.includes(name) && !listed.has(name);
  const names = () => Object.keys(schema().shape).filter((name) => !isKey(name));
  const isOther = (name: string) => names().includes(name) && (ordinary === 'new' || !Object.hasOwn(ordinary, name));
  const whatOf = (name: string) => listed.get(name) ?? (isOther(name) ? listed.get('others') : undefined);
  const ordinaryOf = (member: string): Ordinary | undefined => {
    if (ordinary === 'new') return names().includes(member) && !whatOf(member) ? unused : undefined;
    return Object.hasOwn(ordinary, member) ? ordinary[member] : undefined;
  };
  return {
    ...asked,
    members: () => ({
      keys: keys.filter(isKey),
      ordinary: defined(Object.fromEntries(names().map((name) => [name, ordinaryOf(name)]))) as MemberRules['ordinary'],
      raised: defined(Object.fromEntries(names().map((name) => [name, whatOf(name)]))) as MemberRules['raised'],
    }),
    raises: (given, known, changed) => {
      const record = isRecord(known.Record) ? known.Record : undefined;
      const causes = Object.entries(given).flatMap(([member, value]) => {
        const at = { member, input: given, known, record };
        if (value === undefined || isKey(member) || changed?.includes(member) === false) return [];
        const rule = ordinaryOf(member);
        return rule !== undefined && (rule.holds?.(value, at) ?? true) ? [] : [at];
      });
      if (causes.length === 0) return undefined;
      const reasons = causes.map((at) => {
        const { member } = at;
        const hazard = Object.hasOwn(hazards, member) ? hazards[member] : undefined;
        if (hazard === undefined) return whatOf(member) ? '' : `${member} changes. What that does is not documented.`;
        if (typeof hazard === 'string') return hazard;
        const clean = withoutUrlSecrets({ input: given, known });
        return hazard(asWords({ [member]: clean.input[member] })[member] as never, { ...at, ...clean });
      });
      return { risk: 'destroy', reason: [...new Set(reasons)].filter((reason) => reason !== '').join(' ') };
    },
    raisedBy: () =>
      names().some((name) => ordinaryOf(name) === undefined || ordinaryOf(name)?.holds !== undefined)
        ? Object.keys(raised).join('; ')
        : undefined,
  };
}

/** The consequence of a change that its values before and after say already. */
const AT_ONCE = 'Takes effect at once.';
