import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Meant, Reading } from './topics.ts';

/* Values that a sentence says stay: "keep the callback", "and the PIN stays the same". Nothing changes them. */

const WHOSE = String.raw`(?:the|its|her|his|their|our)\s+`;
const MEMBER = String.raw`(?!(?:it|that|this|they|all|everything|line|number|order|port|change|offer|request|whole|hold|watch|[sw]?he|we|i|you)\b)(?<what>\p{L}[\p{L}-]*(?:\s+\p{L}[\p{L}-]*){0,2}?)`;
const FINE = '(?:ok|okay|fine|right|correct|good)';
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
/** "Leave the callback as it is" */
const LEFT = new RegExp(
  String.raw`^\W*(?:(?:and|but|also|please|pls|ok|oh|btw)[\s,]+)*(?:keep|leave)\s+${WHOSE}${MEMBER}\s+${AS_IT_IS}\s*[.!]*$`,
  'iu',
);
/** "No change to the PIN", "leave the zip as it is", "don't touch the address". */
const NO_CHANGE = new RegExp(
  String.raw`^\W*(?:(?:and|but|also|ok|oh|btw|please|pls)[\s,]+)*(?:no\s+changes?\s+(?:to|in|on|of|for)|(?:keep|leave)|(?:do\s*n['’]?t|do\s+not|dont)\s+(?:touch|change|alter))\s+(?:${WHOSE})${MEMBER}(?:\s+${AS_IT_IS})?\s*[.!]*$`,
  'iu',
);
/** "The account number is correct" */
const IS_FINE = new RegExp(
  String.raw`^\W*(?:(?:and|but|also|ok|oh|btw)[\s,]+)*(?:${WHOSE})?${MEMBER}\s+(?:is|are|was)\s+(?:(?:still|all)\s+)?${FINE}\s*[.!]*$`,
  'iu',
);
const ADDRESS = /https?:\/\/\S+/iu;

/** All that is not named: "keep everything else", "the rest stays the same". */
const REST = String.raw`(?:everything|all|anything)\s+else|(?:all\s+)?(?:the\s+)?(?:rest|others?|other\s+(?:details|fields|values|data|things)|remaining\s+\p{L}+)`;
const KEPT_REST = new RegExp(
  String.raw`(?<=\S)[\s,;.–-]+(?:(?:and|but|please|pls)\s+)*(?:(?:keep|leave)\s+(?:${REST}|${WHOSE}${MEMBER.replace('?<what>', '?:')})(?:\s+${AS_IT_IS})?|(?:${REST})\s+(?:(?:stays?|remains?|is|are|can\s+stay)(?:\s+${AS_IT_IS}|\s+${FINE})?|unchanged)|(?:${WHOSE})?${MEMBER.replace('?<what>', '?:')}\s+(?:stays?|remains?)(?:\s+${AS_IT_IS})?)(?=\s*[.!]*(?:$|\s+on\s+the\s+port\b))`,
  'iu',
);
const REST_STAYS = new RegExp(
  String.raw`^\W*(?:(?:and|but|also|ok|oh|btw|please|pls)[\s,]+)*(?:(?:keep|leave)\s+(?<kept>${REST})(?:\s+${AS_IT_IS})?|(?<what>${REST})\s+(?:stays?|remains?|is|are|can\s+stay)(?:\s+(?:${AS_IT_IS}|${FINE}))?|(?<none>no\s+other\s+(?:changes?|corrections?)|nothing\s+else(?:\s+(?:changes?|needs?\s+(?:to\s+)?(?:be\s+)?chang\p{L}+))?))\s*[.!]*$`,
  'iu',
);

/** The order without its last part, if that says that nothing else changes. */
export function withoutKeptRest(text: string): string {
  return text.replace(KEPT_REST, '');
}

/** The order to set an address without the members that it keeps: their names would decide which one gets the address. */
export function withoutKept(text: string): string {
  return ADDRESS.test(text) ? text.replace(KEPT, '') : text;
}

/** True for a part of an order that only says what stays. */
export function keepsValue(part: string): boolean {
  return KEEPS.test(part);
}

/** The words by which people call a field, where they are not those of its label. */
const CALLED: Readonly<Record<string, RegExp>> = {
  CurrentBillingAddress: /^(?:zip|zip\s?code|street|city|state)$/iu,
  CurrentAccountPassword: /^passcode$/iu,
};

/** A message that says that a member of the change at hand stays. Undefined for other messages. */
export function ofKeptValue(said: string, open: string, reading: Reading): Meant | undefined {
  const { what: own, none, kept = own } = REST_STAYS.exec(said)?.groups ?? {};
  if (none !== undefined)
    return { text: said, kind: 'unclear', isRead: true, note: `“${said.trim()}”: “${open}” is as it was` };
  const stays = kept ?? (STAYS.exec(said) ?? LEFT.exec(said))?.groups?.what;
  const what = stays ?? (NO_CHANGE.exec(said) ?? IS_FINE.exec(said))?.groups?.what;
  if (what === undefined) return undefined;
  const { operation = '', input } = reading.of(open);
  const tool = reading.toolOf(operation);
  const last = what.split(/\s+/).at(-1) ?? '';
  const fields = (tool ? fieldsOf(tool) : []).filter(
    ({ name, label }) => new RegExp(`\\b${last}\\b`, 'iu').test(label) || CALLED[name]?.test(last),
  );
  // "Keep the name" after a new name takes the offer back, and "the address stays" after another ZIP does not.
  const isNamed = new RegExp(`\\b${last}\\b`, 'iu').test(open);
  if (kept === undefined && isNamed && fields.some(({ name }) => input[name] !== undefined)) return undefined;
  if (stays === undefined && fields.length === 0) return undefined;
  return { text: said, kind: 'unclear', isRead: true, note: `“${what}” is left as it is. “${open}” is as it was` };
}
