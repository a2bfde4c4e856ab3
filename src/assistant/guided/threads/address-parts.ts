import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Fields } from '../../../lib/json.ts';
import { phonesIn } from '../../../platform/dialect/phone.ts';
import { isOffer, type Meant, type Reading } from '../answers/topics.ts';

/*
 * A message that corrects one part of the address of an open offer: "wrong city, it's Eugene", "the house number is 11",
 * "sorry, 11 Oak Ave". The other parts of the address stay.
 */

const MAX_LENGTH = 120;
/** The names of the parts of an address, and how their values look. */
const PARTS: readonly (readonly [part: string, name: string, value: RegExp])[] = [
  ['Number', String.raw`(?:house|street|building)\s+(?:number|no|nr)`, /^\d{1,5}[A-Z]?$/iu],
  ['Street1', String.raw`street(?:\s+(?:name|address|line))?`, /^\d{1,5}[A-Z]?\s+\p{L}[\p{L}\d\s.'’-]{1,40}$/iu],
  ['Street2', 'unit|suite|apartment|apt|floor', /^[\p{L}\d#-]{1,6}$/iu],
  ['City', 'city|town', /^\p{L}[\p{L}.'’-]*(?:\s+\p{L}[\p{L}.'’-]*){0,2}$/u],
  ['State', 'state', /^(?:[A-Z]{2}|\p{Lu}\p{L}{3,}(?:\s+\p{L}{4,})?)$/u],
  ['Zip', String.raw`zip(?:\s*code)?|post(?:al)?\s*code|postcode`, /^\d{5}(?:-\d{4})?$/u],
  ['Country', 'country', /^\p{L}[\p{L}.\s]{1,20}$/u],
];
const NAMED = new RegExp(String.raw`\b(?:${PARTS.map(([part, name]) => `(?<${part}>${name})`).join('|')})\b`, 'giu');
const STREET =
  /^\d{1,5}[A-Z]?\s+(?:\p{L}[\p{L}\d.'’-]*\s+){1,4}(?:st|street|ave|avenue|rd|road|blvd|ln|lane|dr|drive|way|ct|court|pl|place|hwy|pkwy|sq|square)\.?$/iu;
/** Words beside the value of a part. */
const BESIDE =
  /\b(?:no|nope|nah|wait|sorry|oops|oh|ah|ok|okay|actually|please|pls|the|her|his|their|its|a|an|of|on|in|for|billing|mailing|postal|address|port(?:-?in)?|order|account|is|it['’]?s|was|wrong|incorrect|typo|should|must|be|to|now|make|change|correct|fix|set|use|put|instead|rather|it|that|i|meant?|but|then|and|also|thanks|has|needs?|only|just)\b/giu;
const REFUSED = /\bnot\s+[\p{L}\d-]+(?=\s*(?:$|[,.;!]))/giu;

/** The open offer with another part of its address. Undefined for other messages. */
export function ofAddressPart(said: string, offered: readonly string[], reading: Reading): Meant | undefined {
  if (said.length > MAX_LENGTH || /[?"“„@]|https?:|\b(?:same|both)\b/iu.test(said)) return undefined;
  const open = offered.findLast((one) => groupOf(one, said, reading) !== undefined);
  const group = open === undefined ? undefined : groupOf(open, said, reading);
  if (open === undefined || group === undefined) return undefined;
  const { operation = '', input } = reading.of(open);
  const own = phonesIn(said).every((phone) => JSON.stringify(input).includes(phone));
  const parts = own ? partsIn(withoutPhones(said), group.parts) : undefined;
  if (parts === undefined) return undefined;
  const fragment = `, ${said.trim()}`;
  reading.join(fragment, { operation, input: { [group.name]: parts }, left: [] });
  return { text: `${open.replace(/[\s.!]+$/, '')}${fragment}`, kind: 'corrects', before: open };
}

function withoutPhones(said: string): string {
  return said.replace(/\+?\d[\d\s().-]{8,16}\d/gu, ' ');
}

/** The address of an offer that a message may be about: that of billing, if it does not say another one. */
function groupOf(open: string, said: string, reading: Reading): { name: string; parts: Fields } | undefined {
  const offer = reading.of(open);
  const tool = reading.toolOf(offer.operation ?? '');
  if (!tool || !isOffer(offer, reading)) return undefined;
  const groups = fieldsOf(tool).flatMap(({ name, kind }) => {
    const value = offer.input[name];
    return kind === 'group' && isParts(value) && value.Street1 !== undefined ? [{ name, parts: value }] : [];
  });
  const isMailing = /\bmailing\b/iu.test(said);
  return (
    groups.find(({ name }) => /^mailing/iu.test(name) === isMailing) ?? (groups.length === 1 ? groups[0] : undefined)
  );
}

function isParts(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The parts that a message gives, if it says nothing else. */
function partsIn(said: string, old: Fields): Fields | undefined {
  const text = said.replace(REFUSED, ' ');
  const names = [...text.matchAll(NAMED)];
  const plain = (one: string) =>
    one
      .replace(BESIDE, ' ')
      .replace(/[,;:.!]+(?=\s|$)/gu, ' ')
      .replace(/\s+/gu, ' ')
      .trim();
  const [first] = names;
  if (!first) return STREET.test(plain(text)) ? { Street1: plain(text) } : undefined;
  // "11 is the house number"
  const before = plain(text.slice(0, first.index));
  const values = names.map(({ index, 0: name }, at) => plain(text.slice(index + name.length, names[at + 1]?.index)));
  if (before !== '') {
    if (names.length > 1 || values[0] !== '') return undefined;
    values[0] = before;
  }
  const found = names.map(({ groups = {} }, at): [string, string] | undefined => {
    const [part, , looks] = PARTS.find(([one]) => groups[one] !== undefined) ?? [];
    const value = values[at] ?? '';
    if (part === undefined || !looks?.test(value)) return undefined;
    if (part !== 'Number') return [part, value];
    return ['Street1', String(old.Street1).replace(/^\d+[A-Z]?/iu, () => value)];
  });
  return found.every((one) => one !== undefined) ? Object.fromEntries(found) : undefined;
}
