import { wordsOf } from '../../../language/sentence.ts';
import { isPlanName } from '../facts/plans.ts';

/*
 * Orders such as "take 0103 off Ava's name" and "remove Ava from 0103" ask for a line without a holder. They neither cancel
 * nor hold it.
 */

const LINE = String.raw`(?:(?:number|line)\s+)?(?:[#…*]*\d{4}(?![\w-])|\+?1?[\s.-]?\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4})`;
const NAME = String.raw`(?:the\s+)?[\p{L}][\p{L}-]*?(?:\s+[\p{L}][\p{L}-]*?)?`;
const VERB = String.raw`\b(?:take|remove|detach|pull|free|release|unlink|unassign|drop|get|strip|clear|separate)\s+`;
const OFF = String.raw`\s+(?:(?:away|off|free)\s+)?(?:off|from|out\s+of)(?:\s+of)?\s+`;
const HELD = '(?:name|account|hands?|profile|record|list|possession)';
const OF_HOLDER = new RegExp(String.raw`${VERB}(?<line>${LINE})${OFF}(?<who>${NAME})['’]?s?\s+${HELD}\b`, 'iu');
/** The same without a word for what is held: only with a new holder behind it. */
const OFF_PERSON = new RegExp(
  String.raw`${VERB}(?<line>${LINE})${OFF}(?<who>${NAME})(?=\s*(?:,|&|\band\b|\bthen\b))`,
  'iu',
);
const FROM_LINE = new RegExp(
  String.raw`${VERB}(?<who>${NAME})(?:\s+as\s+(?:the\s+)?(?:holder|owner|user|subscriber)\s+of\s+|${OFF})(?<line>${LINE})`,
  'iu',
);
/** A new holder, or a list of callers, is another matter. */
const TO_ANOTHER =
  /\b(?:give|put|assign|move|transfer|hand|goes|make)\b[^.;!?]*\b(?:to|on|it|for)\b|\bto\s+(?!take\b|be\b|remove\b)\p{L}+\s*[.!]*$|\b(?:block|allow|filter|watch)\b/iu;
/** Whom a line may be taken from, besides a person by name. */
const HOLDERS = /^(?:the\s+)?(?:his|her|their|its|holder|owner|subscriber|customer|user|him|them)$/i;

/** "… and give it to Ben", behind a line that is taken from its holder. */
const AND_GIVE =
  /^\s*(?:,|\band\b|\bthen\b|&)[\s,]*(?:(?:and|then|please|pls)\s+)*(?:give|assign|hand|move|transfer|put|set|place|switch)\s+(?:it|that|this|the\s+(?:line|number))\s+(?:over\s+)?(?:to|on(?:to)?|under|with)\s+(?=(?<taker>\p{L}[\p{L}'’-]*(?:\s+\p{L}[\p{L}'’-]*)?))/iu;

/** True for words that give the line to a person. A line that is put on a plan, or on hold, stays with its holder. */
function isGivenOn(after: string): boolean {
  const taker = AND_GIVE.exec(after)?.groups?.taker;
  if (taker === undefined || isPlanName(taker.split(/\s+/)[0] ?? '')) return false;
  return /\bto\s+$/iu.test(AND_GIVE.exec(after)?.[0] ?? '') || wordsOf(taker).every(({ isUnknown }) => isUnknown);
}

/** The sentence with the order that takes a line from its holder in the words that are read as that. */
export function withTakenLine(said: string): string {
  const off = OFF_PERSON.exec(said);
  const given = off && isGivenOn(said.slice(off.index + off[0].length)) ? off : null;
  const found = OF_HOLDER.exec(said) ?? FROM_LINE.exec(said) ?? given;
  const { line, who = '' } = found?.groups ?? {};
  if (!found || line === undefined) return said;
  const after = said.slice(found.index + found[0].length);
  if (isGivenOn(after)) return `${said.slice(0, found.index)}give ${line} to ${after.replace(AND_GIVE, '')}`;
  if (TO_ANOTHER.test(said)) return said;
  const isHolder = HOLDERS.test(who) || wordsOf(who.replace(/^the\s+/i, '')).every(({ isUnknown }) => isUnknown);
  return isHolder ? said.replace(found[0], () => `unassign ${line} from ${who}`) : said;
}
