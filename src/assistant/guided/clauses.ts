import { fieldsOf } from '../../catalogue/fields.ts';
import type { Tool } from '../../catalogue/operation.ts';
import type { OperationFit } from '../../language/catalogue-search.ts';
import type { Word } from '../../language/sentence.ts';
import type { Fields } from '../../lib/json.ts';
import type { Facts } from './facts.ts';
import { type Since, spanText } from './since.ts';

/* Splits a sentence into clauses, and finds the requests and the digits in each. */

/** A part of a sentence between commas and the like. */
export interface Clause {
  text: string;
  /** True if a question mark ends it. */
  isAsked: boolean;
  words: readonly Word[];
  fits: readonly Fit[];
}

/** A family that a clause belongs to, with its operation. */
export interface Fit extends OperationFit {
  tool: Tool;
}

export const LAST_DAY: Since = { value: '24h', text: spanText('24h') };
/** The person who did something, as far as the sentence says. */
export const LAST_MONTH: Since = { value: '30d', text: spanText('30d') };

/** The clause with a word in place of last digits, so that "park 0103" names a number. */
export function withLastDigits(text: string): string {
  return text.replace(/(?<![\w+-])[#…*]*\d{4}(?![\w-])/g, ' number ');
}

/** The time that is shown where a sentence names none: a history is longer than the news. */
export function startOf(family: Fit['family'] | undefined): Since {
  const isOld = family?.things.includes('history') || family?.acts.includes('decide');
  return isOld ? LAST_MONTH : LAST_DAY;
}

/** The sentence without a number that others call or text from: "spam from +1…" names the caller, and no line of a customer. */
export function withoutOthers(facts: Facts): Facts {
  const [only, ...others] = facts.mentions;
  if (only?.before !== 'from' || others.length > 0) return facts;
  return { ...facts, numbers: [], mentions: [] };
}

/** True for a read that explains what a clause is about. */
export function isClearRead({ tool, score, isDoubtful }: Fit): boolean {
  return tool.risk === 'read' && score >= 1 && !isDoubtful;
}

/** "Lift ava's block for +1…": the only number of a sentence that names its customer is not the customer's. */
export function withoutPart(facts: Facts, person: string | undefined): Facts {
  const [only, ...others] = facts.mentions;
  if (person === undefined || only === undefined || others.length > 0 || only.before !== 'for') return facts;
  return { ...facts, mentions: [{ ...only, before: '' }] };
}

/** True if three digits in a sentence about the operation may be an area code. */
export function takesArea(tool: Tool): boolean {
  return fieldsOf(tool).some(({ name }) => name === 'AreaCode');
}

/** Digits alone, as in "0103". */
export function bareDigits(clauses: readonly Clause[]): string | undefined {
  for (const { text } of clauses) {
    const [, digits] = /(?:^|\s)[#…*]*(\d{3,7})(?:'s)?(?=\s|$)/.exec(text) ?? [];
    if (digits !== undefined) return digits;
  }
  return undefined;
}

/** The last digits of several numbers: "0101 and 0102". */
export function allDigits(clauses: readonly Clause[]): string[] {
  return clauses.flatMap(({ text }) =>
    [...text.matchAll(/(?<=^|\s)[#…*]*(\d{4})(?=\s|$)/g)].map(([, digits = '']) => digits),
  );
}

/** The service that a diagnosis is about. */
export function aboutOf({ tool }: Fit, clauses: readonly Clause[]): Fields {
  const field = fieldsOf(tool).find(({ name }) => name === 'About');
  if (!field) return {};
  const means = clauses.flatMap(({ words }) => words.flatMap(({ things }) => things));
  const about = field.choices?.find((choice) => means.includes(choice.replace(/s$/, '')));
  return about === undefined ? {} : { About: about };
}

/** The clause with "named" before a name, so that "a customer called Nina" is no call. */
export function withNames(text: string): string {
  return text.replace(/\b[Cc]alled(?=\s+\p{Lu})/gu, 'named');
}
