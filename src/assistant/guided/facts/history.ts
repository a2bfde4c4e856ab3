import { isChange } from '../../../catalogue/operation.ts';
import { defined, type Fields } from '../../../lib/json.ts';
import { peopleIn } from './names.ts';
import { partiesOf } from './parties.ts';
import type { Since } from './since.ts';
import { type Asked, asksWhoDid, beginsDeed, type Fit, isActor, isQuestion, startOf } from './stance.ts';

/* Sentences about what was done: when, by whom, and to which record. */

/** The input of the history that a sentence asks for, and its words. */
export interface History {
  input: Fields;
  /** "What happened to +1… in the last day". */
  text: string;
  /** True if the record is the one that is searched for. */
  isFound: boolean;
}

/** "Did I cancel 0110 or not", "have we parked 0103 yet" */
const OWN_DEED =
  /^\W*(?:(?:so|and|hi|hey|ok|wait|hm+)[\s,]+)*(?:did|have|has)\s+(?:i|we|anyone|anybody|someone|somebody)\s+(?:(?:already|ever|just|really|actually|even)\s+)*(?!(?:get|got|been|any|the|an?|to|reach|have|see|seen)\b)\p{L}+\b/iu;

/** True for a question of who did something, or of what a colleague did. */
export function asksForDeeds(said: string, clauses: Asked['clauses']): boolean {
  if (OWN_DEED.test(said) && clauses.some(({ fits: [fit] }) => fit !== undefined && isChange(fit.tool))) return true;
  const words = clauses.map((clause) => clause.words);
  if (asksWhoDid(said, clauses)) return true;
  const [person] = peopleIn(...words);
  if (person === undefined || !isActor(said, person)) return false;
  // "Cancel 0104, Ben confirmed" gives the reason of an order.
  const [first] = clauses;
  if (first !== undefined && beginsDeed(first)) return false;
  return (
    clauses.some(({ text, isAsked }) => isQuestion(text, isAsked)) ||
    words.flat().some(({ acts }) => acts.includes('show'))
  );
}

/** @param search the input of the search for the record that the sentence names */
export function historyOf(
  family: Fit['family'] | undefined,
  {
    facts,
    said,
    clauses,
    since = startOf(family),
  }: Pick<Asked, 'facts' | 'said' | 'clauses'> & { since: Since | undefined },
  search: Fields | undefined,
): History {
  const [person] = peopleIn(...clauses.map(({ words }) => words));
  const by = person !== undefined && isActor(said, person) ? person : undefined;
  const whom = concerned(facts, by === undefined ? person : undefined);
  // "Any charges overnight"
  const given = family?.given ?? (MONEY.test(said) ? { Only: 'charges' } : undefined);
  const isFound = whom === undefined && (by === undefined || facts.mentions.length > 0);
  const query = isFound ? Object.values(search ?? {})[0] : undefined;
  const of = whom?.of ?? (query === undefined ? '' : `“${String(query)}”`);
  const only = WHAT[String(given?.Only)];
  const what = by === undefined ? (only ?? 'What happened') : `What “${by}” did`;
  return {
    input: {
      Since: since.value,
      ...defined({ Until: since.until }),
      ...given,
      ...whom?.filter,
      ...defined({ By: by }),
    },
    text: `${what}${of === '' ? '' : ` ${only === undefined || by !== undefined ? 'to' : PART[String(given?.Only)]} ${of}`} ${since.text}`,
    isFound,
  };
}

const MONEY = /\b(?:charges|(?:were|was|been|got|being)\s+charged|spen[dt]|spending|money|fees|expenses|costs)\b/iu;

const WHAT: Readonly<Record<string, string>> = {
  actions: 'What was done here',
  charges: 'What was charged',
  messages: 'Messages that came in',
  calls: 'Calls',
  orders: 'Port-in orders',
};

/** The word between these and whom they concern. */
const PART: Readonly<Record<string, string>> = {
  actions: 'to',
  charges: 'to',
  messages: 'for',
  calls: 'of',
  orders: 'of',
};

/** The records of a history, if the sentence gives them in full: a number, or a customer and a number on their lists. */
function concerned(facts: Asked['facts'], person: string | undefined): { filter: Fields; of: string } | undefined {
  const { owner, isPerson, others } = partiesOf(facts, person);
  const [other, ...more] = facts.numbers.filter((number) => others.includes(number));
  // "Who blocked +1… for Ben?" is about Ben's list.
  if (owner !== undefined && other !== undefined && more.length === 0)
    return isPerson
      ? { filter: { SubscriberId: owner, PhoneNumber: other }, of: `“${owner}” and ${other}` }
      : { filter: { PhoneNumber: owner }, of: `“${owner}”` };
  const [number, ...rest] = facts.numbers;
  return number === undefined || rest.length > 0 ? undefined : { filter: { PhoneNumber: number }, of: number };
}
