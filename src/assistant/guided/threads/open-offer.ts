import type { GuidedAnswer } from '../answers/answer.ts';
import { isOffer, type Meant, type Reading } from '../answers/topics.ts';
import { withOtherPrice } from '../changes/price-steps.ts';
import { smallTalk } from '../changes/small-talk.ts';

/*
 * Short messages that are tried against the open offer first: "change pick up to delivery" where the offered text says
 * "pick up", "8005550171 not 77" where the offer has the number that ends in 77, "last digit is an 8".
 */

const MAX_LENGTH = 160;

/** The open offer with what a short message replaces in it. Undefined for other messages. */
export function ofOpenOffer(text: string, offered: readonly string[], reading: Reading): Meant | undefined {
  if (text.length > MAX_LENGTH || text.includes('?')) return undefined;
  for (const open of [...offered].reverse()) {
    const full =
      withWords(text, open, reading) ??
      withNumberEnd(text, open) ??
      withLastDigit(text, open) ??
      withPrice(text, open, reading) ??
      withOnly(text, open);
    if (full === undefined || full === open) continue;
    const [old, next] = [reading.of(open), reading.of(full)];
    if (next.operation === old.operation && isOffer(next, reading) && !isSameOffer(old, next))
      return { text: full, kind: 'corrects', before: open };
  }
  return undefined;
}

const LEAD = String.raw`^\W*(?:(?:ok|okay|no+|nope|sorry|wait|oh|oops|actually|please|pls|and|just|hm+)[\s,.!]+)*`;
const REPLACES = new RegExp(
  String.raw`${LEAD}(?:change|replace|swap|turn|correct)\s+(?:the\s+(?:word|words|part)\s+)?["“„]?(?<old>[^"“”„]{2,60}?)["”“]?\s+(?:to|with|by|into|for)\s+["“„]?(?<by>[^"“”„]{1,80}?)["”“]?(?:\s+(?:please|pls|instead))*[\s.!]*$`,
  'iu',
);

/** "Change pick up to delivery": the words are in the text that is offered. */
function withWords(text: string, open: string, reading: Reading): string | undefined {
  const { old, by } = REPLACES.exec(text)?.groups ?? {};
  const body = reading.of(open).input.Body;
  if (old === undefined || by === undefined || typeof body !== 'string') return undefined;
  const at = body.toLowerCase().indexOf(old.toLowerCase());
  const isTwice = at >= 0 && body.toLowerCase().includes(old.toLowerCase(), at + 1);
  const bodyAt = open.lastIndexOf(body);
  if (at < 0 || isTwice || bodyAt < 0) return undefined;
  return `${open.slice(0, bodyAt + at)}${by}${open.slice(bodyAt + at + old.length)}`;
}

const OTHER_END = new RegExp(
  String.raw`${LEAD}(?:(?:it['’]?s|it\s+is|i\s+meant?|that\s+is|number\s+is|wrong\s+number)[\s,]+)*(?<by>\+?\d[\d\s().-]{8,16}\d)\s*,?\s*(?:and\s+)?not\s+(?:the\s+)?[#…*.]*(?<old>\d{1,11})[\s.!]*$`,
  'iu',
);
const PHONES = /\+?\d[\d().-]{8,16}\d/g;

/** "8005550171 not 77": the number of the offer that ends in these digits. */
function withNumberEnd(text: string, open: string): string | undefined {
  const { old, by } = OTHER_END.exec(text)?.groups ?? {};
  if (old === undefined || by === undefined) return undefined;
  const [found, ...others] = (open.match(PHONES) ?? []).filter((one) => one.replace(/\D/g, '').endsWith(old));
  return found === undefined || others.length > 0 ? undefined : open.replace(found, () => by.trim());
}

const LAST_DIGIT = new RegExp(
  String.raw`${LEAD}(?:(?:its|it['’]s|the|her|his)\s+)?last\s+(?:(?:\p{L}+)\s+)?(?:digits?|numbers?|figures?)\s+(?:is|are|was|should\s+be|must\s+be)\s+(?:an?\s+)?(?<digits>\d{1,6})(?:[\s,]+not\s+(?:an?\s+)?\d+)?[\s.!]*$`,
  'iu',
);

/** "Last digit is an 8": the end of the only long number of the offer. */
function withLastDigit(text: string, open: string): string | undefined {
  const digits = LAST_DIGIT.exec(text)?.groups?.digits;
  const [found, ...others] = open.match(/\d{7,22}/g) ?? [];
  if (digits === undefined || found === undefined || others.length > 0) return undefined;
  return open.replace(found, () => `${found.slice(0, -digits.length)}${digits}`);
}

const PRICE = new RegExp(
  String.raw`${LEAD}(?:(?:make|it|that|at|to|for|should|be|rather|better|(?:raise|lower)(?:\s+it)?|the\s+price\s+is)\s+)*(?<by>by\s+)?[$€£]?(?<price>\d{1,5}(?:[.,]\d{1,2})?)\s*(?:usd|dollars?|bucks|\$)?[\s.!]*$`,
  'iu',
);

/** "8.99": another price, for an order that has one. */
function withPrice(text: string, open: string, reading: Reading): string | undefined {
  const { price, by } = PRICE.exec(text)?.groups ?? {};
  if (price === undefined) return undefined;
  const { input, adds } = reading.of(open);
  if (adds?.unit !== undefined) return withOtherPrice(open, price, by !== undefined);
  const old = [input.Price, input.Cost].find((one) => typeof one === 'number');
  const [found, ...others] = (open.match(/(?<![\d.])\d+(?:[.,]\d{1,2})?(?![\d.]*\d)/g) ?? []).filter(
    (one) => Number(one.replace(',', '.')) === old,
  );
  if (found === undefined || others.length > 0) return undefined;
  return open.replace(found, () => price.replace(',', '.'));
}

const ONLY = new RegExp(
  String.raw`${LEAD}(?:just|only)\s+(?:(?:the\s+)?(?<place>first|second|third|last)(?:\s+(?:one|number|caller))?|(?<numbers>\+?\d[\d\s().,&+-]*(?:and\s+\+?\d[\d\s().-]*)?))(?:\s+(?:please|pls|then|instead))*[\s.!]*$`,
  'iu',
);
const PLACES = ['first', 'second', 'third'];

/** "Just +1…", "only the first one": of several numbers of the offer, those that stay. */
function withOnly(text: string, open: string): string | undefined {
  const { place, numbers } = ONLY.exec(text)?.groups ?? {};
  const all = open.match(PHONES) ?? [];
  const plain = (one: string) => one.replace(/\D/g, '').slice(-10);
  const said = (numbers?.match(PHONES) ?? []).map(plain);
  const at = place?.toLowerCase() === 'last' ? all.length - 1 : PLACES.indexOf(place?.toLowerCase() ?? '');
  const stays = all.filter((one, index) => (place === undefined ? said.includes(plain(one)) : index === at));
  if (all.length < 2 || stays.length === 0 || stays.length < said.length || stays.length === all.length)
    return undefined;
  return all
    .filter((one) => !stays.includes(one))
    .reduce((order, one) => {
      const [before = '', after = ''] = order.split(one);
      const isBehind = BEHIND.test(before);
      return `${isBehind ? before.replace(BEHIND, '') : before}${isBehind ? after : after.replace(AHEAD, '')}`;
    }, open);
}

const BEHIND = /\s*(?:,\s*and|,|&|\band)\s*$/iu;
const AHEAD = /^\s*(?:,\s*and|,|&|\band\b)\s*/iu;

/** True for two answers that offer the same. */
function isSameOffer(one: GuidedAnswer, other: GuidedAnswer): boolean {
  const plain = ({ operation, input, find, guideInput, each, adds }: GuidedAnswer) =>
    JSON.stringify([operation, input, find, guideInput, each, adds]);
  return plain(one) === plain(other);
}

const UNCHANGED: ReadonlySet<Meant['kind']> = new Set(['corrects', 'adds']);

/** A correction that changes nothing in the order is no replacement: it was not understood. */
export function withoutUnchanged(said: string, meant: Meant, reading: Reading): Meant {
  const { kind, before, text } = meant;
  // "Today, not tomorrow" names what the order does anyway, and is another text.
  if (!UNCHANGED.has(kind) || before === undefined || text.trim() !== before.trim()) return meant;
  if (!isOffer(reading.of(before), reading)) return meant;
  // An order that says the same in other words is the same order.
  if (isOffer(reading.of(said), reading)) return { text: before, kind: 'again', before };
  return {
    text: said,
    kind: 'unclear',
    note: `What “${said}” changes was not understood. “${before}” is as it was: write the whole order`,
  };
}

const YES = /^\W*(?:(?:yes|yeah|yep|yup|sure|ok|okay|alright|go\s+ahead(?:\s+and)?|please|pls)[\s,.!]+)+(?=\p{L})/iu;

/** "Yes, suspend it" where no offer is open: the order behind the yes. Undefined for other messages. */
export function behindYes(said: string, meantOf: (part: string) => Meant, reading: Reading): Meant | undefined {
  const rest = said.replace(YES, '');
  if (rest === said || smallTalk(said) === undefined || smallTalk(rest) !== undefined) return undefined;
  const meant = meantOf(rest);
  return isOffer(reading.of(meant.text), reading) ? meant : undefined;
}

const HEAD = /^(?<head>[^,;.!]{2,40})[,;.!]+\s+(?<rest>\p{L}[\s\S]{2,120})$/u;
const OTHER_DEED: ReadonlySet<Meant['kind']> = new Set(['back', 'corrects', 'corrected', 'again', 'adds']);

/** "Scratch that, she only wanted calls off": takes the offer back, and tells what its reason or new wish was. */
export function backWithReason(
  said: string,
  own: Meant,
  open: string,
  isBack: (part: string) => boolean,
  reading: Reading,
): Meant | undefined {
  const { head = '', rest = '' } = HEAD.exec(said)?.groups ?? {};
  // "No, show me the other one" goes on with something else.
  if (!/\s/.test(head.trim()) || !isBack(head) || OTHER_DEED.has(own.kind) || said.includes('?')) return undefined;
  if (isOffer(reading.of(own.text), reading)) return undefined;
  return { text: said, kind: 'back', before: open, note: `Not taken: “${rest}”` };
}
