import type { Fields } from '../../lib/json.ts';
import type { GuidedAnswer } from './answer.ts';
import { PRODUCTS } from './bare-lists.ts';
import type { Asked } from './stance.ts';

/*
 * Conditions of a list of lines: "parked voip lines", "acme numbers pending delete". A search that has only a part of them
 * would show more lines than were asked for.
 */

const PENDING =
  /\b(?<state>cancell?ed\s*[-–—,/]?\s*(?:and\s+)?)?pending\s+delet(?:e|es|ing|ed|ion)\b(?<noun>\s+(?:lines?|numbers?|sims?|ones?)\b)?/giu;

/** The sentence with the state of lines that wait for their deletion in one word, which orders nothing. */
export function withStateNames(text: string): string {
  return text.replace(PENDING, (_, state: string | undefined, noun: string | undefined) =>
    state === undefined && noun === undefined ? 'pending deletion' : `cancelled${noun ?? ''}`,
  );
}

/** The states of lines, by their words in a question. */
export const STATES: readonly (readonly [state: string, pattern: RegExp])[] = [
  [
    'Active',
    /(?<!\b(?:not|in|non)[\s-]?)\b(?:active|live)\b(?!\s+(?:webhook|package|product|order|port|route|filter|batch))/i,
  ],
  ['Parked', /\b(?:parked|suspended|paused|frozen)\b|\bon\s+(?:hold|pause|ice)\b/i],
  ['Cancelled - Pending Delete', /\bcancell?ed\b|\bpending\s+delet\w+\b|\bdisconnected\b|\bdeactivated\b/i],
];

const LISTS =
  /\b(?:lines|numbers|sims|esims|ones|everything|everyone|everybody|all|every|each|any\w*|which|how\s+many|list|count)\b/iu;
/** A sentence about what was done, or against a state. */
const OTHERS = /\b(?:was|were|did|got|who\s+(?:\p{L}+ed|did)|besides|if|why|how\s+(?:long|do|does|can|to))\b/iu;
/** Before a state that is not meant: “those that are not on hold”. */
const AGAINST = String.raw`(?<!\b(?:not|no\s+longer|never|except|than|without|excluding|\p{L}+n['’]?t)\s+(?:\p{L}+\s+)?)`;
const MEANT = STATES.map(([state, { source }]) => [state, new RegExp(`${AGAINST}(?:${source})`, 'iu')] as const);
/** "Mobile" is a part of the names of accounts. */
const KINDS = Object.entries(PRODUCTS).filter(([word]) => word !== 'mobile');

/**
 * The search with the state and the product that the sentence names and the search does not have.
 *
 * @param typed the sentence as it was typed, in which nouns have their plural
 */
export function withConditions(guided: GuidedAnswer, { said, facts }: Asked, typed: string): GuidedAnswer {
  const { operation, kind, input, isInstead } = guided;
  const isList =
    operation === 'numbers_find' && kind === 'lookup' && isInstead !== true && !guided.facts && LISTS.test(typed);
  if (!isList || facts.mentions.length > 0 || OTHERS.test(said) || /\d/.test(String(input.Query ?? ''))) return guided;
  const states = MEANT.flatMap(([state, pattern]) => (pattern.test(said) ? [state] : []));
  const kinds = [
    ...new Set(
      KINDS.flatMap(([word, product]) =>
        new RegExp(String.raw`(?<![\p{L}\d])${word}(?![\p{L}\d])`, 'iu').test(said) ? [product] : [],
      ),
    ),
  ];
  const adds: Fields = {
    ...(states.length === 1 && input.Status === undefined && input.CountBy !== 'Status' && { Status: states[0] }),
    ...(kinds.length === 1 && input.Product === undefined && { Product: kinds[0] }),
  };
  const told = Object.entries(adds).map(
    ([name, value]) => `${name === 'Status' ? 'state' : 'product'}: ${String(value)}`,
  );
  if (told.length === 0) return guided;
  const understood = guided.understood.replace(/^(Find numbers(?: by "[^"]*")?)/, `$1; ${told.join('; ')}`);
  return { ...guided, input: { ...input, ...adds }, understood, isList: true };
}
