import { FILTER_LISTS, ONLY_LISTED, TRAFFIC, type Traffic } from '../../../../tools/surfaces/guard.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import type { Fields } from '../../../lib/json.ts';
import type { Facts, Mention } from '../facts/facts.ts';
import { peopleIn } from '../facts/names.ts';
import { isLinePart, partiesOf } from '../facts/parties.ts';
import type { Asked, Fit } from '../facts/stance.ts';
import { answer, type GuidedAnswer, help, understood } from './answer.ts';
import { everyoneIn } from './outside.ts';

/* Sentences about filters that name two parties: a customer, and the numbers on a list. */

/** A read of the filters of a customer or a line. `asks`: the numbers of which it says whether they are blocked. */
export interface FilterRead {
  input: Fields;
  asks: readonly string[];
}

/**
 * Reads the filters that a sentence asks about. Undefined for another operation, and if the text names no party, or a
 * single line and no customer.
 */
export function filterRead(operation: string, facts: Facts, person: string | undefined): FilterRead | undefined {
  if (!TRAFFIC.some(({ list }) => list === operation)) return undefined;
  const { owner, isPerson, others } = partiesOf(facts, person);
  if (owner !== undefined) return { input: isPerson ? { SubscriberId: owner } : { Phone: owner }, asks: others };
  // "Is +1… blocked?" names a caller; last digits are those of a line.
  const [only, ...more] = facts.mentions;
  const isCaller = only?.isWhole === true && more.length === 0 && !isLinePart(only) && BLOCKED.test(facts.rest);
  return isCaller ? { input: {}, asks: others } : undefined;
}

/** Asks why a person is not reached. */
const FAILS = /\b(?:why|not|never|cant|cannot|wont|nothing|fails?|failed)\b|n['’]t\b/i;

/**
 * Reads a sentence about a number that calls or texts a customer as a question about the customer: is the number blocked,
 * or which messages does the line have. Undefined for other sentences.
 */
export function ofCaller(
  { facts, clauses }: Asked,
  fit: Fit | undefined,
  byId: ReadonlyMap<string, Tool>,
): { guided: GuidedAnswer } | { facts: Facts } | undefined {
  const [person] = peopleIn(...clauses.map(({ words }) => words));
  const callers = callersRead(facts, person);
  const reached = callers || fit?.tool.id !== DIAGNOSIS ? undefined : withoutReached(facts, person);
  if (reached) return { facts: reached };
  const read = callers && byId.get(callers.operation);
  if (!read || (fit && !OF_NUMBERS.has(fit.tool.id))) return undefined;
  const owner = partiesOf(facts, person).owner ?? '';
  if (fit?.tool.id !== MESSAGES || FAILS.test(facts.rest) || !SEEKS.test(facts.rest)) {
    const nearest = byId.has(DIAGNOSIS) ? [{ operation: DIAGNOSIS, input: { PhoneNumber: owner } }] : [];
    return { guided: { ...filtersOf(read, callers), ...(FAILS.test(facts.rest) && { nearest }) } };
  }
  const mentions = facts.mentions.filter(({ text }) => text === owner);
  return { facts: { ...facts, mentions, numbers: facts.numbers.filter((number) => number === owner) } };
}

/** "Ava's texts to +1… do not arrive": the answer is about her line, and the number is that of a stranger. */
function withoutReached(facts: Facts, person: string | undefined): Facts | undefined {
  const [only, ...others] = facts.mentions;
  const isReached = only?.isWhole === true && others.length === 0 && !only.isOwner && REACHED.has(only.before);
  if (person === undefined || !isReached) return undefined;
  return { ...facts, mentions: [], numbers: [] };
}

const SEEKS = /\b(?:show|list|which|what|whats|see|find|check|look|read|any|last|latest|recent|history|did)\b/i;
const MESSAGES = 'message_search_get';
const DIAGNOSIS = 'numbers_diagnose';
/** Reads of one number. */
const OF_NUMBERS: ReadonlySet<string> = new Set([MESSAGES, DIAGNOSIS, 'numbers_lookup', 'numbers_find', 'numbers_get']);

/** Words of a sentence about who reaches whom, or whom a list stops. */
const CONTACTS =
  /\b(?:call|text|ring|phon|messag|sms|reach|contact|writ|wrote|hear|block|ban|allow|whitelist|blacklist|spam|scam|harass|bother|annoy|pester|stalk|threat)\w*/i;

/**
 * Reads the filters of a customer whom another number calls or texts, if a sentence asks for nothing else. The other
 * number is none of our lines: its lookup would find nothing, and offer to port it in.
 */
export function callersRead(
  facts: Facts,
  person: string | undefined,
): (FilterRead & { operation: string }) | undefined {
  const { owner, isPerson, others } = partiesOf(facts, person);
  // "Ava cannot text +1…" is about her own line.
  const isAsked = person !== undefined && BLOCKED_OR_FILTERED.test(facts.rest);
  const isOther = (mention: Mention) =>
    mention.isWhole &&
    !isOwnOf(mention, person) &&
    (!isLinePart(mention) || (isAsked && !mention.isOwner && REACHED.has(mention.before)));
  const isWhole = facts.mentions.every((mention) => mention.text === owner || isOther(mention));
  const name = trafficOf(facts.rest);
  const operation = TRAFFIC.find((one) => one.name === name)?.list;
  if (!operation || owner === undefined || others.length !== 1 || !isWhole || !CONTACTS.test(facts.rest))
    return undefined;
  return { operation, input: isPerson ? { SubscriberId: owner } : { Phone: owner }, asks: others };
}

const BLOCKED_OR_FILTERED = /\bfilter|\bblock/i;
/** Words before a number that the customer of a sentence calls or texts. */
const REACHED: ReadonlySet<string> = new Set('to call text reach calling texting messaging reaching'.split(' '));

/** "Ava stone 2015550103", "ava's 2015550103": a number right after a name is this customer's. */
function isOwnOf({ before }: Mention, person: string | undefined): boolean {
  const last = person?.toLowerCase().split(' ').at(-1);
  return last !== undefined && before.replace(/['’]s$/, '') === last;
}

/** The answer to an order for a list of everyone, which does not exist. Undefined for other sentences. */
export function ofEveryFilter({ facts, clauses }: Asked): GuidedAnswer | undefined {
  const [number, ...others] = facts.mentions;
  const isOwned = partiesOf(facts, peopleIn(...clauses.map(({ words }) => words))[0]).owner !== undefined;
  if (isOwned && !ALL_LINES.test(facts.rest)) return undefined;
  const everyone = everyoneIn(facts.rest);
  if (!number?.isWhole || others.length > 0 || everyone === undefined || !ORDERS_LIST.test(facts.rest))
    return undefined;
  return help(
    `Each line has a filter of its own, and “${everyone}” stands for none: write “block ${number.text} for NUMBER” for each line. Nothing was done`,
  );
}

/** The lines of a customer or an account, which have no filter in common. */
const ALL_LINES = /\b(?:all|every|each)\s+(?:of\s+)?(?:the\s+|our\s+)?(?:lines?|numbers?)\s+(?:of|at|in|under)\b/i;
const ORDERS_LIST = /\b(?:un)?(?:block|ban|bar)(?:ed|ing)?\b|\b(?:whitelist|blacklist)(?:ed)?\b/i;

/** The kind of traffic that a text is about: calls, if it does not say. */
export function trafficOf(text: string): Traffic['name'] {
  return /\btext|\bsms|\bmessag/i.test(text) ? 'messages' : 'calls';
}

/**
 * The last digits of a caller in the list of an operation: "unblock 0150 for Ben". A surface finds them on the lists of the
 * filter. Empty for other operations, and for digits of the customer's own line.
 */
export function listedDigits({ id }: Tool, { mentions }: Pick<Facts, 'mentions'>, input: Fields): Fields {
  const list = FILTER_LISTS[id];
  const [only, ...others] = mentions;
  if (!list || !only || others.length > 0 || only.isWhole || isLinePart(only)) return {};
  return input[list.entries] === undefined && input.SubscriberId !== only.text ? { [list.entries]: [only.text] } : {};
}

const BLOCKED = /\bblock(?!\s*list)/i;

/** "Unblock all for ben", "clear ava's block list": the numbers on a list are taken off one by one. */
const WHOLE_LIST =
  /\b(?:unblock|unban|unbar|clear|empty|wipe|reset|erase|flush|remove|delete|lift|drop)\b[^.;!?]*?\b(?:(?:all|every|everything|everyone|everybody)\b|(?:whole|entire|blocked|block|black|allowed|allow|white)\s*-?\s*(?:list|numbers|callers|contacts)\b)/iu;
const OF_LIST =
  /\b(?:un)?(?:block|ban|bar)(?:s|ed|ing|list)?\b|\b(?:black|allow|allowed|white)\s*-?\s*(?:list|numbers)\b/iu;

/** "Let everyone call ben again" */
const OPENS =
  /\b(?:let|allow)\s+(?:everyone|everybody|all|anyone|anybody)\b[^.;!?]*\b(?:call|ring|phone|text|reach|message|through|thru|contact)\b/iu;

/** The read of the whole list that a sentence asks to clear. Undefined for other sentences. */
export function wholeListRead(
  facts: Facts,
  person: string | undefined,
): (FilterRead & { operation: string; how: string }) | undefined {
  const [line, ...others] = facts.mentions;
  const isOpened = OPENS.test(facts.rest);
  const isRefused = /\b(?:not|never|dont|only|but|except)\b|n['’]t\b/iu.test(facts.rest);
  if (isRefused || others.length > 0) return undefined;
  if (!isOpened && !(WHOLE_LIST.test(facts.rest) && OF_LIST.test(facts.rest))) return undefined;
  // "Take +1… off ava's block list" names what is taken off.
  if (line !== undefined && (person !== undefined || (line.isWhole && !isLinePart(line) && line.before !== 'on')))
    return undefined;
  const name = trafficOf(facts.rest);
  const operation = TRAFFIC.find((one) => one.name === name)?.list;
  const owner = person ?? line?.text;
  if (operation === undefined || owner === undefined) return undefined;
  const isAllowed = /\b(?:allow|allowed|white)\s*-?\s*list/i.test(facts.rest);
  const written = isAllowed ? `take NUMBER off the allow list of ${owner}` : `unblock NUMBER for ${owner}`;
  const how = `Each number is taken off a list by itself: “${written}”. Nothing was done`;
  return { operation, input: person === undefined ? { Phone: owner } : { SubscriberId: owner }, asks: [], how };
}

/** Matches the only callers that may call: "allow only …", "nobody but …". */
const ONLY =
  /\bjust\s+number\b|\bonly\b(?!\s+(?:for|until|till|today|tonight|now)\b)|\b(?:nobody|no\s+one|noone|none)\b[^,.;!?]*\b(?:but|except|besides)\b/i;

/** True for "block everyone but …", and for "allow only …" of an operation that allows. */
export function isOnly(operation: string, said: string): boolean {
  const list = FILTER_LISTS[operation];
  return list?.list === 'allowed' && list.adds && ONLY.test(said.replace(OF_TRAFFIC, ' '));
}

/** "Calls only", "only for texts". The words say what is allowed. Others may still reach the customer. */
const OF_TRAFFIC =
  /\b(?:calls?|calling|texts?|texting|sms|messages?|messaging|voice)\s+only\b|\bonly\s+(?:for\s+|by\s+|on\s+)?(?:calls?|calling|texts?|texting|sms|messages?|messaging|voice)(?=\s*(?:$|[,.;!]|\bfor\b|\bplease\b|\bpls\b))/giu;

/** "Nobody but … may call Ben", without a word such as "allow". */
const REACHES = String.raw`(?:(?:be\s+)?(?:call|text|reach|messag)ed\s+by|call|text|reach|message|ring|write|talk|speak|get\s+through|contact)`;
const NUMBER = String.raw`\b(?:number|\d{4})\b`;
const MAY_ONLY = new RegExp(
  [
    String.raw`\bonly\s+(?:wants?|takes?|accepts?|gets?|needs?|allows?)\s+(?:calls?|texts?|messages?|sms)\s+from\b[^.;!?]*${NUMBER}`,
    String.raw`\b(?:nobody|no\s*one|none)\b[^,.;!?]*\b${REACHES}\b[^,.;!?]*\b(?:but|except|besides)\s+(?:for\s+)?(?:the\s+)?number\b`,
    String.raw`\b(?:only|just|nobody\s+(?:but|except)|no\s*one\s+(?:but|except)|none\s+but)\b[^,.;!?]*${NUMBER}[^,.;!?]*\b(?:may|can|could|should|must|to|gets?|allowed)\b[^,.;!?]*\b(?:${REACHES}|through|thru)\w*\b`,
    String.raw`\b(?:only|just)\s+(?:let|allow|have)\b[^,.;!?]*\b${REACHES}\b[^,.;!?]*${NUMBER}`,
    String.raw`\b(?:let|allow|can|may|should|must)\b[^,.;!?]*\b${REACHES}\b[^,.;!?]*\bonly\b[^,.;!?]*${NUMBER}`,
    String.raw`\bfilter\b[^,.;!?]*\b(?:lets?|allow(?:s|ing)?|letting)\s+(?:through\s+|in\s+)?only\b[^.;!?]*${NUMBER}`,
    String.raw`\b(?:can|may|should|must)\s+only\b[^,.;!?]*\b${REACHES}\b[^,.;!?]*${NUMBER}`,
    String.raw`\b(?:let|allow)\b[^,.;!?]*\b${REACHES}\b[^,.;!?]*${NUMBER}[^.;!?]*\b(?:only|nobody\s+else|no\s*one\s+else|none\s+else|and\s+(?:that\s+is|that['’]?s)\s+it)\b`,
  ].join('|'),
  'i',
);

/** True for a sentence that says who alone may reach a person. */
export function saysWhoMay(facts: Facts, person: string | undefined): boolean {
  return MAY_ONLY.test(facts.rest.replace(OF_TRAFFIC, ' ')) && partiesOf(facts, person).owner !== undefined;
}

/** The update with which a filter lets only these numbers through. */
export function onlyThese(
  traffic: Traffic['name'],
  facts: Facts,
  person: string | undefined,
): { operation: string; input: Fields } {
  const found = TRAFFIC.find(({ name }) => name === traffic);
  if (!found) throw new Error(`no traffic ${traffic}`);
  // "Ben only gets texts from 0101": numbers without a role are those that get through.
  const isListed = person !== undefined && !facts.mentions.some(isLinePart);
  const listed = { owner: person, others: facts.mentions.map(({ text }) => text) };
  const { owner, others } = isListed ? listed : partiesOf(facts, person);
  return {
    operation: found.update,
    input: {
      ...(owner === undefined ? {} : { SubscriberId: owner }),
      ...ONLY_LISTED[traffic],
      ...(others.length === 0 ? {} : { [found.allowed]: [...others] }),
    },
  };
}

/** The read of the filters of a customer or a line. */
export function filtersOf(tool: Tool, { input, asks }: FilterRead): GuidedAnswer {
  const whose = Object.values(input)[0];
  const of = whose === undefined ? '' : ` of “${String(whose)}”`;
  const about = asks.length === 0 ? '' : `; whether ${asks.join(', ')} is blocked`;
  const text = `${understood(tool, input)}${of}${about}`;
  return { ...answer('lookup', { tool, input, understood: text }), ...(asks.length > 0 && { asks }) };
}
