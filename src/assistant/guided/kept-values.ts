import type { Meant } from './topics.ts';

/* Values that a sentence says stay: "keep the callback", "and the PIN stays the same". Nothing changes them. */

const WHOSE = String.raw`(?:the|its|her|his|their|our)\s+`;
const MEMBER = String.raw`(?!(?:it|that|this|they|all|everything|line|number|order|port|change|offer|request|whole|hold|watch|[sw]?he|we|i|you)\b)(?<what>\p{L}[\p{L}-]*(?:\s+\p{L}[\p{L}-]*){0,2}?)`;
const AS_IT_IS = String.raw`(?:as\s+(?:(?:it|they)\s+)?(?:is|are)|alone|unchanged|untouched|the\s+same)`;
/** The end of an order that keeps a member: ", keep the callback", "but don't touch the callback url". */
const KEPT = new RegExp(
  String.raw`(?<=\S)[\s,;]+(?:(?:and|but)\s+)?(?:keep|leave|(?:do\s*n['’]?t|do\s+not|never|without)\s+(?:touch|chang|alter)(?:e|ing)?|not)\s+${WHOSE}${MEMBER}(?:\s+${AS_IT_IS})?\s*[.!]*$`,
  'iu',
);
/** "And the PIN stays the same" as a message of its own. */
const STAYS = new RegExp(
  String.raw`^\W*(?:(?:and|but|also|ok|oh|btw)[\s,]+)*(?:${WHOSE})?${MEMBER}\s+(?:stays?|remains?|is|are|can\s+stay)\s+${AS_IT_IS}\s*[.!]*$`,
  'iu',
);
/** "Keep the address" as a part of an order. */
const KEEPS = new RegExp(
  String.raw`^\W*(?:(?:and|but)\s+)?(?:keep|leave|(?:do\s*n['’]?t|do\s+not)\s+touch)\s+${WHOSE}${MEMBER}(?:\s+${AS_IT_IS})?\s*[.!]*$`,
  'iu',
);
/** "Leave the callback as it is" as a whole message. */
const LEFT = new RegExp(
  String.raw`^\W*(?:(?:and|but|also|please|pls|ok|oh|btw)[\s,]+)*(?:keep|leave)\s+${WHOSE}${MEMBER}\s+${AS_IT_IS}\s*[.!]*$`,
  'iu',
);
const ADDRESS = /https?:\/\/\S+/iu;

/** The order to set an address without the members that it keeps: their names would decide which one gets the address. */
export function withoutKept(text: string): string {
  return ADDRESS.test(text) ? text.replace(KEPT, '') : text;
}

/** True for a part of an order that only says what stays. */
export function keepsValue(part: string): boolean {
  return KEEPS.test(part);
}

/** A message that says that a member of the change at hand stays. Undefined for other messages. */
export function ofKeptValue(said: string, open: string): Meant | undefined {
  const what = (STAYS.exec(said) ?? LEFT.exec(said))?.groups?.what;
  if (what === undefined) return undefined;
  return { text: said, kind: 'unclear', isRead: true, note: `“${what}” is left as it is. “${open}” is as it was` };
}
