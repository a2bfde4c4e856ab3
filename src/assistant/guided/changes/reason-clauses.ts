import type { Tool } from '../../../catalogue/operation.ts';
import { MAKES_NUMBER } from '../../../language/families.ts';
import { type Word, wordsOf } from '../../../language/sentence.ts';
import type { GuidedAnswer } from '../answers/answer.ts';
import { begins } from '../answers/parts.ts';
import { DEEDS } from '../facts/contrast.ts';
import { namesIn } from '../facts/unknown-names.ts';
import { asOtherNumber } from '../wordings/other-number.ts';

/*
 * Orders with a clause beside them that gives the reason, and often says whom it is for: "0105 is nearly out of data, make
 * it 40 MB", "get Ben a different number, he gets threats". The order is read alone, with the line or the customer of the
 * clause in place of its pronoun, where the whole message is no order or loses a part of it.
 */

const MAX_LENGTH = 260;
const LINE = /(?<![\w+-])[#…*]*\d{4}(?![\w-])|(?<!\d)\+?1?[\s.-]?\(?[2-9]\d{2}\)?[\s.-]?\d{3}[\s.-]?\d{4}(?!\d)/gu;
const JOINT = /^(?<first>[^.;!?,]{4,110})[,.;!]+\s+(?<rest>[^?]{4,200})$/su;
const POLITE = /^(?:(?:so|and|then|please|pls|plz|can\s+(?:you|u|we)|could\s+(?:you|u|we)|just|ok|better)[\s,]+)*/iu;
/** Verbs of orders that say nothing of what is done: "make it 40 MB", "give him another one". */
const ORDERS =
  /^(?:make|set|give|get|raise|lower|bump|increase|put|take|turn|switch|bring|change|fix|send|let|do|no\s+more)\b/iu;
const WISHES = /^(?:(?:s?he|they|it)\s+)?(?:wants?|needs?|would\s+like)\s+(?!to\b)/iu;
const IT = /\b(?:it|that\s+(?:one|line))\b/iu;
const HER =
  /\b(?:him|them)\b|\bher\b(?=\s*(?:$|[,.;!?]|\b(?:an?|some|another|the|to|at|on|off|for|from|back|now|please|pls)\b))/iu;
const ITS = /\b(?:its|his|her|their)\b(?=\s+\p{L})/iu;
/** Asks, refuses, takes back, or makes something depend on it: none of it is a mere reason. */
const NO_REASON =
  /["“„?:]|\b(?:if|unless|when|once|until|till|after|before|not\s+sure|maybe|never|dont|no\s+need|instead|or|who|what|which|why|how|except|but|mistake\w*|accident\w*|error|wrong\w*|no|stays?|staying|keeps?\s+(?:it|her|his|the)|[\w-]*secret[\w-]*)\b|\bdo(?:es)?\s+not\b|n['’]t\b/iu;
/** A reason behind the order, with or without a comma: "… he gets threats". */
const BEHIND =
  /^(?<order>.{6,160}?)[\s,;.–—-]+(?:(?:because|cause|cuz|cos|since|as|bc)\s+)?(?<why>(?:s?he|they|it|customer|client|some(?:one|body)|(?:her|his|their)\s+\p{L}+)(?:['’]s)?\s+(?:\p{L}+\s+)?\p{L}+[^?]*)$/isu;

/** Tells of a deed or an order, such as a port-in that is under way. */
function isDone({ acts, things }: Word): boolean {
  return acts.some((act) => DEEDS.has(act)) || things.some((thing) => /^(?:portin|order|cancel)$/u.test(thing));
}

interface Parted {
  order: string;
  why: string;
}

function isReason(text: string): boolean {
  return !NO_REASON.test(text) && !begins(text) && !wordsOf(text).some(isDeed);
}

/** A verb with an s reports: "he sends spam". */
function isDeed({ acts, isPast, isNegated, typed }: Word): boolean {
  return !isPast && !isNegated && !/[^s]s$/iu.test(typed) && acts.some((act) => DEEDS.has(act));
}

/** The lines or people that a part names. */
function namedIn(text: string): string[] {
  const lines = [...new Set((text.match(LINE) ?? []).map((one) => one.trim()))];
  return lines.length > 0 ? lines : namesIn({ rest: text });
}

/** The order behind its reason, with the record of the reason in it. */
function orderBehind(said: string): Parted | undefined {
  const { first = '', rest = '' } = JOINT.exec(said)?.groups ?? {};
  const order = rest.replace(POLITE, '').trim();
  const isWish = WISHES.test(order);
  if (order === '' || !isReason(first) || !(begins(order) || ORDERS.test(order) || isWish)) return undefined;
  const [subject, ...others] = namedIn(first);
  if (order.search(LINE) >= 0) return { order, why: first };
  if (subject === undefined || others.length > 0) return undefined;
  const isLine = subject.search(LINE) >= 0;
  const [own, other] = isLine ? [IT, HER] : [HER, IT];
  // "Ava gave 0104 back, take her off it": whom and what the pronouns mean is read from the whole.
  if (other.test(order) || (namedIn(order).length > 0 && !(isLine && IT.test(order)))) return undefined;
  const named = isWish
    ? order.replace(/^(?:(?:s?he|they|it)\s+)?/iu, `${subject} `)
    : order.replace(ITS, `${subject}'s`).replace(own, subject);
  return { order: named === order ? `${order} for ${subject}` : named, why: first };
}

/** The order before its reason. */
function orderBefore(said: string): Parted | undefined {
  const { order = '', why = '' } = BEHIND.exec(said)?.groups ?? {};
  if (order === '' || NO_REASON.test(order) || !isReason(why) || /\d/u.test(why)) return undefined;
  return begins(order.replace(POLITE, '')) || ORDERS.test(order.replace(POLITE, '')) ? { order, why } : undefined;
}

function isOffer({ kind }: GuidedAnswer): boolean {
  return kind === 'form' || kind === 'question';
}

/** The values and words that an answer tells as not taken. */
function lostIn({ understood }: GuidedAnswer): string[] {
  const told = /\bNot taken: (?<all>[^.]*)/u.exec(understood)?.groups?.all ?? '';
  return told.split(', ').flatMap((one) => one.replace(/[“”]/gu, '').toLowerCase().trim() || []);
}

const PRONOUN = /^(?:s?he|him|her|them|they|it)$/u;

/** True if the order alone says more than the whole message: an order in place of none, or one that loses no part of it. */
function isBetter(alone: GuidedAnswer, whole: GuidedAnswer, why: string): boolean {
  if (lostIn(alone).length > 0) return false;
  if (alone.find === undefined && alone.each === undefined && Object.keys(alone.input).length === 0) return false;
  if (!isOffer(whole)) return whole.isRefused !== true && whole.isOutside !== true;
  return lostIn(whole).every((one) => PRONOUN.test(one) || why.toLowerCase().includes(one));
}

/** The answer to the order alone, where that says more. */
export function withOrderAlone(
  guided: GuidedAnswer,
  said: string,
  answered: (text: string) => GuidedAnswer,
  toolOf: (id: string) => Tool | undefined,
): GuidedAnswer {
  if (said.length > MAX_LENGTH || guided.withdraws || guided.also) return guided;
  const behind = orderBehind(said);
  const parted = behind ?? orderBefore(said);
  if (parted === undefined) return guided;
  const makesLine = MAKES_NUMBER.has(guided.operation ?? '');
  // The words behind an offer may ask for more, and it tells them as lost.
  if (!makesLine && isOffer(guided) && (behind === undefined || lostIn(guided).length === 0)) return guided;
  const alone = answered(asOtherNumber(parted.order, parted.why));
  const { id = '', risk } = toolOf(alone.operation ?? '') ?? {};
  if (!isOffer(alone) || alone.isUnclear || alone.isRefused || MAKES_NUMBER.has(id)) return guided;
  // A customer who is bothered at a number or moves away needs another number for the line, and no further line.
  if (makesLine) return alone;
  const isCostly = (risk === 'destroy' || risk === 'spend') && id !== guided.operation;
  if (isCostly && (behind === undefined || wordsOf(parted.why).some(isDone))) return guided;
  return isBetter(alone, guided, parted.why) ? alone : guided;
}
