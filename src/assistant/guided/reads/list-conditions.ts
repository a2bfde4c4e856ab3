import { defined, type Fields } from '../../../lib/json.ts';
import type { GuidedAnswer } from '../answers/answer.ts';
import { LABELS, lackedRoute, NO_PLAN, NO_SIM, usageIn } from '../answers/questions.ts';
import type { Facts } from '../facts/facts.ts';
import type { Asked } from '../facts/stance.ts';
import { PRODUCTS } from './bare-lists.ts';

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
 * The search with what the sentence narrows it to and the search does not have.
 *
 * @param typed the sentence as it was typed, in which nouns have their plural
 */
export function withConditions(guided: GuidedAnswer, { said, facts }: Asked, typed: string): GuidedAnswer {
  const { operation, kind, input, isInstead } = guided;
  const isSearch = operation === 'numbers_find' && kind === 'lookup' && isInstead !== true && !guided.facts;
  const isList = isSearch && LISTS.test(typed);
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
    ...criteriaOf(guided, { said, facts }),
    ...(states.length === 1 && input.Status === undefined && input.CountBy !== 'Status' && { Status: states[0] }),
    ...(kinds.length === 1 && input.Product === undefined && { Product: kinds[0] }),
  };
  if (Object.keys(adds).length === 0) return guided;
  const understood = guided.understood
    .replace(NONE_LEFT_OUT, '')
    .replace(/^(Find numbers(?: by "[^"]*")?)/, `$1${criteriaText(adds)}`);
  const { orAccount } = guided;
  const isSame = orAccount?.operation === operation;
  return {
    ...{ ...guided, input: { ...input, ...adds }, understood, isList: true },
    ...(orAccount && isSame && { orAccount: { ...orAccount, input: { ...orAccount.input, ...adds } } }),
  };
}

const NONE_LEFT_OUT = / and its limit, and none is left out by them(?=[;.]|$)/;
const OF_AMOUNT = /\b(?:us(?:e[ds]?|ing|age)|data|over|above|more|less|under|below|exceed\w*|burn\w*)\b/iu;

/** What a list of lines is narrowed to besides their state: the data that they used, a route or a plan that they lack. */
export function criteriaIn({ said, facts }: { said: string; facts: Pick<Facts, 'volumes'> }): Fields {
  const used = OF_AMOUNT.test(said) ? usageIn(said, facts) : {};
  return {
    ...((used.UsedFrom ?? used.UsedTo) !== undefined && used),
    ...defined({ Route: lackedRoute(said) }),
    ...(NO_PLAN.test(said) && { Plan: 'none' }),
    // Lines over the internet have no SIM, and of others only the card says it.
    ...(NO_SIM.test(said) && { Product: PRODUCTS.voip }),
  };
}

const THAT = String.raw`^\s+(?:(?:that|which|who)\s+)?(?:(?:have|has|had|are|is)\s+)?`;
const AMOUNT = String.raw`\d+(?:[.,]\d+)?\s*(?:[mg]b|megs?|gigs?|megabytes?|gigabytes?)`;
/** Behind the lines of a customer: what these lines have used. */
const USED_AFTER = new RegExp(
  String.raw`${THAT}(?:(?:already|now|so\s+far)\s+)*(?:(?:used|using|use|burn(?:ed|t)?|with|at|consumed)\s+)?(?:data\s+(?:usage\s+)?)?(?:(?:(?:over|above|more\s+than|at\s+least|beyond|under|below|less\s+than|at\s+most)\s+${AMOUNT})|${AMOUNT}\s+or\s+(?:more|less|above|below))(?:\s+of\s+data)?(?:\s+(?:used|usage|so\s+far|already))*\b(?!\s*(?:limit|cap))`,
  'iu',
);
/** And which route or plan they lack. */
const LACKS_AFTER =
  /^\s+(?:(?:that|which|who)\s+)?(?:(?:have|has|had|are|is|do|does)\s*)?(?:n['’]?o?t\s+(?:have|got|on)\s+(?:an?\s+|any\s+)?|with\s*no\s+|without\s+(?:an?\s+|any\s+)?|no\s+|missing\s+(?:an?\s+|the(?:ir)?\s+)?|lack(?:s|ing)?\s+(?:an?\s+)?)(?:(?:sms|text|message|messaging|voice|call|sip)\s+)?(?:routes?|trunks?|routing|plans?|packages?|bundles?|tariffs?|subscriptions?)\b/iu;

/** A condition that stands right behind the lines which it narrows. Undefined if there is none. */
export function conditionBehind(
  rest: string,
  { volumes }: Pick<Facts, 'volumes'>,
): { text: string; criteria: Fields } | undefined {
  const text = USED_AFTER.exec(rest)?.[0] ?? LACKS_AFTER.exec(rest)?.[0];
  if (text === undefined) return undefined;
  const own = volumes.filter(
    (one) => text.includes(one.text) || one.text.includes(/\d+(?:[.,]\d+)?/.exec(text)?.[0] ?? '-'),
  );
  const criteria = criteriaIn({ said: text, facts: { volumes: own.slice(0, 1) } });
  return Object.keys(criteria).length === 0 ? undefined : { text, criteria };
}

function criteriaOf({ input }: GuidedAnswer, asked: Pick<Asked, 'said' | 'facts'>): Fields {
  if (input.UsedFrom !== undefined || input.UsedTo !== undefined || input.CountBy !== undefined) return {};
  const adds = Object.entries(criteriaIn(asked));
  return Object.fromEntries(adds.filter(([name]) => input[name] === undefined));
}

const TEXTS: Readonly<Record<string, string>> = { ...LABELS, Product: 'product:' };

/** "; state: Active; MB used from 10". */
export function criteriaText(criteria: Fields): string {
  return Object.entries(criteria)
    .map(([name, value]) => (TEXTS[name] === undefined ? '' : `; ${TEXTS[name]} ${String(value)}`))
    .join('');
}
