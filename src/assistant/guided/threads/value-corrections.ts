import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { textOf } from '../../../lib/json.ts';
import type { GuidedAnswer } from '../answers/answer.ts';
import { areBeside, values } from '../answers/thread-values.ts';
import { isOffer, type Meant, type Reading } from '../answers/topics.ts';
import { saidIn } from '../facts/choices.ts';
import { readFacts } from '../facts/facts.ts';
import { NAME_FIELDS, newNameIn } from '../facts/names.ts';
import { carriedUnit } from '../facts/shares.ts';

/*
 * Other values for the order before that are no lines, people or amounts with a unit: a value of a field's list ("no,
 * account admin"), a name ("make it B REED"), the amount that a word names ("make the cap 6"), the end of a serial.
 */

const MAX_LENGTH = 120;

/** The order before with the value that a message gives. Undefined for other messages. */
export function ofOtherValue(text: string, last: string, now: number, reading: Reading): Meant | undefined {
  if (text.length > MAX_LENGTH || text.includes('?')) return undefined;
  const answer = reading.of(last);
  const tool = reading.toolOf(answer.operation ?? '');
  if (!tool || !isOffer(answer, reading)) return undefined;
  const full =
    withName(text, last, answer, tool, reading) ??
    withAmount(text, last, now) ??
    withAmounts(text, last, now) ??
    withEnd(text, last, now);
  if (full !== undefined) return { text: full, kind: 'corrects', before: last };
  return withChoice(text, last, { answer, tool, now, reading });
}

const NOT = /\b(?:not|instead\s+of|rather\s+than|no\s+longer)\s+(?:(?:an?|the|as)\s+)?(?<refused>[\p{L}\d+-]+)/giu;
const PART = /\s*[,;.]\s*(?:(?:and|but|also|plus)\s+)?|\s+(?:and|but|plus)\s+/iu;

/** "No wait, account admin", "json not xml": another value of a list that the order has. */
function withChoice(
  text: string,
  last: string,
  { answer, tool, now, reading }: { answer: GuidedAnswer; tool: Tool; now: number; reading: Reading },
): Meant | undefined {
  const parts = text.split(PART).filter(Boolean);
  const found = parts.flatMap((part) => {
    const plain = part
      .replace(NOT, ' ')
      .replace(/\b(?:please|pls|plz|instead|then)\b/gi, ' ')
      .trim();
    const said = saidIn(tool, { said: plain, facts: readFacts(plain, now), clauses: [] });
    const rest = said.used.reduce((words, one) => words.replace(one, ' '), plain);
    const isOther = ([name, value]: [string, unknown]) =>
      answer.input[name] !== undefined && answer.input[name] !== value;
    const isValue = Object.keys(said.input).length === 1 && said.unclear.length === 0 && areBeside(rest, ARTICLES);
    return isValue && Object.entries(said.input).some(isOther) ? [{ part, said }] : [];
  });
  const [only, ...more] = found;
  if (!only || more.length > 0) return undefined;
  const [field = '', value] = Object.entries(only.said.input)[0] ?? [];
  const old = usedFor(tool, last, field, now);
  const [words = String(value)] = [...only.said.used].sort((one, two) => two.length - one.length);
  const rest = last.replace(/[\s.!]+$/, '');
  // "Subscriber" is a role only at the end of a part.
  const all =
    old === undefined ? [`${rest}, ${words}`] : [words, `${words},`].map((one) => last.replace(old, () => one));
  const full = all.find((one) => {
    const other = reading.of(one);
    return other.operation === answer.operation && other.input[field] === value;
  });
  if (full === undefined) return undefined;
  const left = parts.filter((part) => part !== only.part && !areBeside(part.replace(NOT, ' '), ARTICLES));
  const note = left.length === 0 ? {} : { note: `Not taken: ${left.map((part) => `“${part}”`).join(', ')}` };
  return { text: full, kind: 'corrects', before: last, ...note };
}

/** The words of a text for the value of one field. */
function usedFor(tool: Tool, text: string, field: string, now: number): string | undefined {
  const { used, input } = saidIn(tool, { said: text, facts: readFacts(text, now), clauses: [] });
  return used.find((one) => {
    const alone = saidIn(tool, { said: one, facts: readFacts(one, now), clauses: [] }).input;
    return input[field] !== undefined && alone[field] === input[field];
  });
}

const ARTICLES: ReadonlySet<string> = new Set(['a', 'an']);

const LEAD = String.raw`^\W*(?:(?:ok|okay|no+|nope|nah|sorry|wait|oh|oops|actually|rather|please|pls|and|just|only|better|i\s+meant?|i\s+said)[\s,.!]+)*`;
const NEW_NAME = new RegExp(
  String.raw`${LEAD}(?<verb>(?:call|name|label|title)\s+(?:it|that|this)|(?:make|have|let)\s+(?:it|that|the\s+name)(?:\s+(?:be|say|read))?|(?:it|the\s+name)\s+(?:should|must)\s+(?:be|say|read)|(?:it['’]?s|the\s+name\s+is)(?:\s+called)?)?\s*[:,]?\s*(?<name>["“„][^"“”„]{1,80}["”“]|\p{Lu}[\p{L}\p{M}\d'’&+-]*(?:\s+(?:&\s+)?[\p{L}\d][\p{L}\p{M}\d'’&+-]*){0,3})(?:\s+(?:please|pls|instead))*[\s.!]*$`,
  'u',
);
/** An order for another name that does not say which. */
const ASKS_NAME = /\b(?:names?|rename|call|cnam|caller\s*id)\b/iu;
const NAMES_IT = /^(?:call|name|label|title)\b/i;

/** "No wait, just B REED", "call it Globex inbound": the name that the order gives, or has none of yet. */
function withName(
  text: string,
  last: string,
  { operation, input }: GuidedAnswer,
  tool: Tool,
  reading: Reading,
): string | undefined {
  const plain = ASKS_NAME.test(last)
    ? text
    : text.replace(/^\W*\p{Lu}(?=\p{Ll}+[\s,])/u, (first) => first.toLowerCase());
  const { verb, name } = NEW_NAME.exec(plain)?.groups ?? {};
  if (name === undefined) return undefined;
  const fields = fieldsOf(tool).filter((field) => NAME_FIELDS.includes(field.name) || field.name.startsWith('Cnam'));
  const isNamed = fields.some((field) => input[field.name] !== undefined);
  const present = fields.map((field) => textOf(input[field.name])).find((one) => one !== '' && last.includes(one));
  const old = isNamed ? (newNameIn(last) ?? present) : undefined;
  const bare = name.replace(/^["“„]|["”“]$/g, '');
  // "Change ava's name", and then only the name.
  const isAsked = !isNamed && /_update$/.test(tool.id) && ASKS_NAME.test(last);
  const isSure = verb !== undefined || isAsked || plain !== plain.replace(new RegExp(LEAD, 'iu'), '');
  if (fields.length === 0 || !isSure || (isNamed && old === undefined)) return undefined;
  if (!isNamed && !isAsked && !NAMES_IT.test(verb ?? '')) return undefined;
  const full = old === undefined ? `${last.replace(/[\s.!]+$/, '')}, named "${bare}"` : last.replace(old, () => bare);
  const other = reading.of(full);
  const given = fields.map((field) => other.input[field.name] ?? '').join(' ');
  return other.operation === operation && given.trim().replace(/\s+/g, ' ') === bare ? full : undefined;
}

const OF_AMOUNT =
  /\b(?<limit>limit|cap|max|maximum)\b|\b(?<notify>notice|notif\p{L}*|warn\p{L}*|alerts?|heads[\s-]up)\b|\b(?<throttle>throttle|slow(?:[\s-]?down)?)\b/giu;

/** "Make that 10" corrects the limit, which an order is about first. */
const CORRECTS = /^\W*(?:no+|nope|nah|sorry|wait|oops|actually|rather|better|make|i\s+meant?)\b/iu;

/** "Make the cap 6 instead": the amount of this part, in the unit that it has. */
function withAmount(text: string, last: string, now: number): string | undefined {
  const named = [...text.matchAll(OF_AMOUNT)];
  const [part, ...others] = named;
  const [amount, ...more] = [
    ...text.matchAll(/(?<![\w.+#…-])\d{1,6}(?:\.\d+)?(?:\s*(?:gb|mb|gigs?|megs?))?(?![\w.])/gi),
  ];
  if (others.length > 0 || !amount || more.length > 0) return undefined;
  if (!part && !(CORRECTS.test(text) && !/^0\d/.test(amount[0]))) return undefined;
  const kind = part ? Object.entries(part.groups ?? {}).find(([, word]) => word !== undefined)?.[0] : 'limit';
  const rest = text.replace(part?.[0] ?? '', ' ').replace(amount[0], ' ');
  if (!areBeside(rest.replace(/\b(?:raise|lower|hm+|down|up)\b/gi, ' '), ARTICLES)) return undefined;
  const { volumes } = readFacts(last, now);
  const [old, ...alike] = volumes.filter((volume) => volume.part === kind && volume.mb > 0);
  if (!old || alike.length > 0) return undefined;
  const own = /(?<=\d\s*)[a-z]+$/i.exec(old.text)?.[0];
  const hasOwn = own === undefined || /[a-z]/i.test(amount[0]);
  // An amount alone may be the end of a number: it is one of data if the unit of the order fits.
  if (!part && (volumes.length < 2 || (!hasOwn && carriedUnit(Number(amount[0]), old.text) === undefined)))
    return undefined;
  const unit = hasOwn ? '' : ` ${carriedUnit(Number(amount[0]), old.text) ?? own}`;
  if (last.includes(old.text)) return last.replace(old.text, () => `${amount[0]}${unit}`);
  // "Warn at 4" has the unit of the limit beside it, and only the figure stands in the order.
  const figure = old.text.replace(/\s*[a-z]+$/i, '').replace('.', '\\.');
  return last.replace(new RegExp(`(?<![\\w.#…-])${figure}(?![\\w.])`), () => `${amount[0]}${unit}`);
}

const FIGURE = String.raw`\d{1,6}(?:\.\d+)?`;
const UNIT = '(?:gb|mb|gigs?|megs?)';
const TOO_LITTLE = new RegExp(
  String.raw`${LEAD}(?:hm+[\s,.]+)?(?:${FIGURE}\s*(?<unit>${UNIT})?\s+(?:is|was|seems|looks|would\s+be)|(?:that|it|this)(?:['’]?s|\s+is))\s+(?:(?:way|far|much|still|maybe|probably|a\s+bit|a\s+little)\s+)*(?:too\s+(?:little|low|small|few|much|high|big|large|tight|generous)|not\s+enough)[\s,;.:–—-]+(?:(?:make|let['’]?s|lets|rather|better|say|do|go|with|take|try|give|it|that|her|him|them|to|more\s+like|maybe)\s+)*(?<figure>${FIGURE})\s*(?<own>${UNIT})?(?:\s+(?:please|pls|then|instead|is\s+better))*[\s.!]*$`,
  'iu',
);

/** "5gb is too little, 8" makes it 8 GB. Other messages are as they were. */
export function asNewAmount(text: string): string {
  const { figure, own, unit } = TOO_LITTLE.exec(text)?.groups ?? {};
  return figure === undefined ? text : `make it ${figure}${own ?? unit ?? ''}`;
}

const AMOUNTS = new RegExp(
  String.raw`${LEAD}(?:(?:make|set|change|do)\s+)?(?:(?:it|that|them|those|these|to)\s+)*(?<all>${FIGURE}\s*${UNIT}?(?:\s*(?:[/,;]|\band\b)+\s*${FIGURE}\s*${UNIT}?)+)(?:\s+(?:please|pls|then|instead))*[\s.!]*$`,
  'iu',
);

/** "Make it 4 / 3 / 2": as many amounts as the order has, in its order. */
function withAmounts(text: string, last: string, now: number): string | undefined {
  const given = [...(AMOUNTS.exec(text)?.groups?.all ?? '').matchAll(new RegExp(`${FIGURE}\\s*${UNIT}?`, 'giu'))];
  const old = readFacts(last, now).volumes.filter(({ mb, text: words }) => mb > 0 && last.includes(words));
  if (given.length < 2 || given.length !== old.length || given.some(([one]) => /^0\d/.test(one))) return undefined;
  const places = old.map((volume) => ({ volume, at: last.indexOf(volume.text) })).sort((one, two) => two.at - one.at);
  if (new Set(places.map(({ at }) => at)).size < old.length) return undefined;
  return places.reduce((full, { volume, at }, index) => {
    const amount = (given[given.length - 1 - index]?.[0] ?? '').trim();
    const unit = /[a-z]/i.test(amount) ? '' : (/\s*[a-z]+$/i.exec(volume.text)?.[0] ?? '');
    return `${full.slice(0, at)}${amount}${unit}${full.slice(at + volume.text.length)}`;
  }, last);
}

const ENDS = new RegExp(
  String.raw`${LEAD}(?:(?:it|that|this|the\s+(?:serial|iccid|sim|number|last\s+digits?))\s+)?(?:ends?|should\s+end|finish(?:es)?|is|are)\s+(?:(?:in|with|on)\s+)?(?<digits>\d{1,6})[\s.!]*$`,
  'iu',
);

/** "It ends in 48": the end of the only serial of the order. */
function withEnd(text: string, last: string, now: number): string | undefined {
  const digits = ENDS.exec(text)?.groups?.digits;
  const [serial, ...others] = values(last, now).filter(({ kind }) => kind === 'serial');
  if (digits === undefined || !serial || others.length > 0 || !/\bend|finish/i.test(text)) return undefined;
  return last.replace(serial.text, () => `${serial.text.slice(0, -digits.length)}${digits}`);
}
