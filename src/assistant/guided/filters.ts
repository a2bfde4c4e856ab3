import { FILTER_LISTS, ONLY_LISTED, TRAFFIC } from '../../../tools/surfaces/guard.ts';
import type { Tool } from '../../catalogue/operation.ts';
import type { Fields } from '../../lib/json.ts';
import { answer, type GuidedAnswer, understood } from './answer.ts';
import type { Facts } from './facts.ts';
import { isLinePart, partiesOf } from './parties.ts';

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

/** A number that calls or writes to a customer: "+1… keeps calling Ben", "Ava got a text from +1…". */
const CALLER =
  /\bnumber\b\s*(?:,\s*)?(?:(?:who|that|which|keeps?|is|was|has|have|been|always|constantly|just|still|again|must|should|not|never|number|from)\s+)*(?:call|text|ring|bother|messag|spam|harass|phon|writ|annoy|block|reach)\w*\b|\b(?:from|by|block\w*|unblock\w*|allow\w*|ban|whitelist\w*|blacklist\w*|caller|sender|except|but|only|besides)\s+(?:the\s+)?number\b/i;

/**
 * Reads the filters of a customer whom another number calls or texts, if a sentence asks for nothing else. A lookup of
 * that number would offer to port it in.
 */
export function callersRead(
  facts: Facts,
  person: string | undefined,
): (FilterRead & { operation: string }) | undefined {
  const { owner, isPerson, others } = partiesOf(facts, person);
  const isWhole = facts.mentions.every((mention) => mention.isWhole || mention.text === owner);
  const name = /\b(?:text|sms|messag)/i.test(facts.rest) ? 'messages' : 'calls';
  const operation = TRAFFIC.find((one) => one.name === name)?.list;
  if (!operation || owner === undefined || others.length !== 1 || !isWhole || !CALLER.test(facts.rest))
    return undefined;
  return { operation, input: isPerson ? { SubscriberId: owner } : { Phone: owner }, asks: others };
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
  /\b(?:let|allow)\s+(?:everyone|everybody|all|anyone|anybody)\b[^.;!?]*\b(?:call|text|reach|message|through|thru|contact)\b/iu;

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
  const name = /\b(?:text|sms|messag)/i.test(facts.rest) ? 'messages' : 'calls';
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
  return list?.list === 'allowed' && list.adds && ONLY.test(said);
}

/** "Nobody but … may call Ben", without a word such as "allow". */
const REACHES = String.raw`(?:(?:be\s+)?(?:call|text|reach|messag)ed\s+by|call|text|reach|message|ring|write|talk|speak|get\s+through|contact)`;
const NUMBER = String.raw`\b(?:number|\d{4})\b`;
const MAY_ONLY = new RegExp(
  [
    String.raw`\bonly\s+(?:wants?|takes?|accepts?|gets?|needs?|allows?)\s+(?:calls?|texts?|messages?|sms)\s+from\b[^,.;!?]*${NUMBER}`,
    String.raw`\b(?:nobody|no\s*one|none)\b[^,.;!?]*\b${REACHES}\b[^,.;!?]*\b(?:but|except|besides)\s+(?:for\s+)?(?:the\s+)?number\b`,
    String.raw`\b(?:only|nobody\s+(?:but|except)|no\s*one\s+(?:but|except)|none\s+but)\b[^,.;!?]*${NUMBER}[^,.;!?]*\b(?:may|can|could|should|must|to|gets?|allowed)\b[^,.;!?]*\b(?:${REACHES}|through|thru)\w*\b`,
    String.raw`\b(?:only|just)\s+(?:let|allow|have)\b[^,.;!?]*\b${REACHES}\b[^,.;!?]*${NUMBER}`,
    String.raw`\b(?:let|allow|can|may|should|must)\b[^,.;!?]*\b${REACHES}\b[^,.;!?]*\bonly\b[^,.;!?]*${NUMBER}`,
    String.raw`\b(?:can|may|should|must)\s+only\b[^,.;!?]*\b${REACHES}\b[^,.;!?]*${NUMBER}`,
    String.raw`\b(?:let|allow)\b[^,.;!?]*\b${REACHES}\b[^,.;!?]*${NUMBER}[^.;!?]*\b(?:only|nobody\s+else|no\s*one\s+else|none\s+else|and\s+(?:that\s+is|that['’]?s)\s+it)\b`,
  ].join('|'),
  'i',
);

/** True for a sentence that says who alone may reach a person. */
export function saysWhoMay(facts: Facts, person: string | undefined): boolean {
  return MAY_ONLY.test(facts.rest) && partiesOf(facts, person).owner !== undefined;
}

/** The update with which a filter lets only these numbers through. */
export function onlyThese(
  traffic: 'calls' | 'messages',
  facts: Facts,
  person: string | undefined,
): { operation: string; input: Fields } {
  const found = TRAFFIC.find(({ name }) => name === traffic);
  if (!found) throw new Error(`no traffic ${traffic}`);
  const { owner, others } = partiesOf(facts, person);
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
