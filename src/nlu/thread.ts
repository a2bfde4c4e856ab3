import type { Field } from '../catalogue/field-types.ts';
import type { Fields } from '../lib/json.ts';
import { GIGABYTE, SUBJECTS } from './slots.ts';
import type { Token } from './tokens.ts';
import { entryOf, QUERY } from './values.ts';

/*
 * Messages that go on with earlier ones. A thread is four plain members: what the last answer was, its record, its input,
 * and the change that is offered and still open.
 */

/** An operation that a message may ask for, filled in as far as the message says. */
export interface Offer {
  /** The id of a tool. */
  operation: string;
  /**
   * Values by field, as the operation takes them. A field of kind `id` may hold a name or last digits as they were typed
   * ("ava", "0103"), which the surface looks up.
   */
  input: Fields;
  /** What the surface's search of lines and customers is to look for: names, last digits or numbers, separated by ", ". */
  find?: string;
}

/** What is kept of a conversation. Plain data, stored by the surface. */
export interface Thread {
  /** What the last answer was about: an operation, one kind of it (`numbers_status:park`), or a topic. */
  last?: string;
  /** The line or customer that was shown or named last, as text for the search. */
  subject?: string;
  /** The input of the last answer. */
  input?: Fields;
  /** The change that is offered and still open. */
  offer?: Offer;
}

/** Words that stand for what was shown or offered before. */
export const PRONOUN = /^(?:it|its|that|this|he|him|his|she|her|hers|they|them|their|theirs|there|one|same)$/;
/** A message of so many tokens may leave its record out. */
const SHORT = 6;
/** Words around a value that is only corrected or added. */
const AROUND_VALUES = new Set(
  (
    'a an the and also or for on of to at in from with by is no not yes ok okay sorry oops wait actually i mean meant ' +
    'make it that one please pls rather instead its number line last digits better should be was wrong my bad hmm ah ' +
    'then just only until till so'
  ).split(' '),
);
/** With these words a message asks, whatever it names. */
const ASKS = /^(?:who|whose|what|which|why|how|when|where|is|are|was|can|could|did|does|do|has|have|show|tell|\?)$/;
const BEGINS = `(?:(?:ok|oh|no|nope|nah|sorry|wait|actually|hm+|ah|pls|please)[ ,]+)*`;
const ENDS = [
  ...['never ?mind', 'nvm', 'forget (?:it|that|about it)', 'cancel(?: (?:that|it|this))?', 'scratch that', 'drop it'],
  ...['leave it(?: be| as it is)?', 'stop', "don'?t", 'nope?', 'not (?:now|yet|any ?more)', 'skip (?:it|that)'],
  ...['undo(?: that)?', '(?:take|took) (?:it|that) back', 'changed? (?:my|his|her|their) mind'],
].join('|');
/** What ends an offer where nothing else is said. It is a rule, because it must never depend on what was learned. */
const ENDS_OFFER = new RegExp(`^${BEGINS}(?:${ENDS})(?: then| please| pls| thanks)?[.!]*$`, 'i');

/** Values that a further message may leave out, beside ids. */
const KEPT = new Set(['AreaCode', 'ZipCode', 'NumberType', 'Numbers', 'Contacts']);
/** A larger number is no amount in GB. */
const MOST_GIGABYTES = 100;

/** True if a message takes back what was offered, and says nothing else. */
export function endsOffer(message: string): boolean {
  return ENDS_OFFER.test(message.trim().replaceAll('’', "'"));
}

/**
 * True if a message has nothing but values for what is offered, and words around them: "no, 0105", "make it 8", "zip 60614".
 *
 * @param labels the words of the labels of its fields
 */
export function isOnlyValues(tokens: readonly Token[], labels: ReadonlySet<string>): boolean {
  const isValue = ({ kind, isName }: Token) => kind !== undefined || isName === true;
  const isAround = ({ word }: Token) => AROUND_VALUES.has(word) || labels.has(word) || !/[\p{L}\d]{2}/u.test(word);
  const asks = ASKS.test(tokens[0]?.word ?? '') || tokens.at(-1)?.word === '?';
  return !asks && tokens.some(isValue) && tokens.every((token) => isValue(token) || isAround(token));
}

/** The line or customer that an answer is about, as text for the search. */
export function subjectOf({ find, input }: Pick<Offer, 'find' | 'input'>): string | undefined {
  if (find !== undefined) return find;
  const value = [QUERY, ...SUBJECTS].map((name) => input[name]).find((one) => one !== undefined);
  if (value === undefined) return undefined;
  return [value]
    .flat()
    .map((one) => String(typeof one === 'object' && one !== null ? Object.values(one)[0] : one))
    .join(', ');
}

/** The open offer with the values of a message in place of its own. */
export function edited(offer: Offer, filled: Pick<Offer, 'find' | 'input'>, tokens: readonly Token[]): Offer {
  const input = { ...filled.input };
  const counts = tokens.filter(({ kind }) => kind === 'count' || kind === 'area');
  const amounts = Object.keys(offer.input).filter((name) => typeof offer.input[name] === 'number');
  const [count, amount] = [counts[0], amounts[0]];
  if (count && amount && counts.length + amounts.length === 2 && filled.find === undefined) {
    // "Make it 8" after 10 GB: a bare number replaces the amount that is there, in its unit.
    for (const name of Object.keys(input)) if (typeof input[name] === 'number') delete input[name];
    const [value, before] = [Number(count.value), Number(offer.input[amount])];
    input[amount] = before >= GIGABYTE && value < MOST_GIGABYTES ? value * GIGABYTE : value;
  }
  const find = filled.find ?? (subjectOf({ input: filled.input }) === undefined ? offer.find : undefined);
  // Another line takes the place of the one before, whichever way that was named.
  const names = (of: Fields) => Object.fromEntries(Object.entries(of).filter(([name]) => !SUBJECTS.includes(name)));
  const before = find === offer.find ? offer.input : names(offer.input);
  return { operation: offer.operation, input: { ...before, ...input }, ...(find !== undefined && { find }) };
}

/** An offer whose record and values earlier messages said, where this one leaves them out. */
export function completed(
  offer: Offer,
  { subject, input = {} }: Thread,
  { tokens, slots }: { tokens: readonly Token[]; slots: ReadonlyMap<string, Field> },
): Offer {
  if (tokens.length > SHORT && !tokens.some(({ word }) => PRONOUN.test(word))) return offer;
  const isOfLine = [...slots.values()].some((field) => field.required && entryOf(field).kind === 'phone');
  const isOfOne = isOfLine || slots.has('SubscriberId') || slots.has('PhoneNumber') || slots.has(QUERY);
  const isMissing = isOfOne && subject !== undefined && subjectOf(offer) === undefined;
  const kept = Object.entries(input).filter(
    ([name]) => slots.get(name)?.kind === 'id' || (KEPT.has(name) && slots.has(name)),
  );
  const all = { ...Object.fromEntries(kept), ...offer.input };
  return { ...offer, input: all, ...(isMissing && { find: subject }) };
}
