import { replaced } from '../answers/corrections.ts';
import { type Value, values } from '../answers/thread-values.ts';
import { isOffer, type Meant, type Reading, type Topic, undoingOf } from '../answers/topics.ts';
import { kindsIn } from '../reads/free-numbers.ts';
import { otherMessage } from './message-texts.ts';

/*
 * Messages that carry on with what the one before is about: "add one" after a list of webhooks, "do one for 0105" after
 * the price of a SIM swap, "take one for Ben" after free numbers, "start the port" after a number that can be ported, and a
 * block of one caller instead of all.
 */

const LEAD = String.raw`^\W*(?:(?:ok|okay|so|then|and|please|pls|now|great|thanks|thx|alright|cool|yes|no|nope|sorry|wait|actually|i\s+mean|can|could|you|u|we|i|i['’]?ll|we['’]?ll|let['’]?s)[\s,]+)*`;
const NOUNS = /\b(?<noun>webhook|hook|plan|package|product|route|trunk|customer|subscriber|number|line|workgroup)s\b/i;
const ADDS_ONE = new RegExp(
  String.raw`${LEAD}(?<verb>add|create|make|set\s+up|register)\s+(?:(?:a\s+)?(?:new|another)\s+one|one(?:\s+more)?|another|a\s+new\s+one)(?=\s|$)`,
  'iu',
);

/** "Add one for port status" after "which webhooks do we have". Undefined for other messages. */
function oneMore(text: string, last: string, reading: Reading): string | undefined {
  const found = ADDS_ONE.exec(text);
  const noun = NOUNS.exec(last)?.groups?.noun?.toLowerCase();
  if (!found || noun === undefined || isOffer(reading.of(last), reading)) return undefined;
  return `${found.groups?.verb} a ${noun}${text.slice(found[0].length)}`;
}

const DO_ONE = new RegExp(
  String.raw`${LEAD}(?:do|make|order|get|go\s+ahead\s+with|start)\s+(?:one|it|that|this)\s+(?:for|on|with)\s+(?<whom>[#…*+]*\d[\d\s-]*|\p{L}[\p{L}'’-]*(?:\s+\p{L}[\p{L}'’-]*)?)[\s.!]*$`,
  'iu',
);
/** Maps the change in a question about a price or a rule to the order for it. */
const ORDERS: readonly (readonly [asked: RegExp, order: string])[] = [
  [/\bswaps?\b/i, 'swap the sim of'],
  [/\breactivat\w*|\b(?:bring|get)\b.*\bback\b/i, 'reactivate'],
  [/\bport[\s-]?out\b|\btransfer\s+pin\b/i, 'port-out pin for'],
  [/\bnew\s+(?:line|number)s?\b/i, 'new line for'],
  [/\bcancel\w*/i, 'cancel'],
  [/\b(?:hold|park\w*|suspen\w*)/i, 'hold'],
];

const DO_IT =
  /^\W*(?:(?:ok|okay|yes|yeah|sure|then|and|please|pls|alright|good|great|fine)[\s,]+)*(?:do\s+(?:it|that)|go\s+ahead|please\s+do|let['’]?s\s+do\s+(?:it|that))(?:[\s,]+(?:please|pls|then|now))*[\s.!]*$/i;

/** "Do one for 0105" after "what does a SIM swap cost". Undefined for other messages. */
function doneFor(text: string, last: string, now: number, reading: Reading): string | undefined {
  const { kind, operation } = reading.of(last);
  const own = DO_IT.test(text) ? values(last, now).filter(({ kind: one }) => RECORDS.has(one)) : [];
  const whom = DO_ONE.exec(text)?.groups?.whom ?? (own.length === 1 ? own[0]?.text : undefined);
  const isPrice = kind === 'help' || reading.of(last).about !== undefined;
  if (whom === undefined || !isPrice || (kind === 'help' && operation === undefined)) return undefined;
  const order = ORDERS.find(([asked]) => asked.test(last))?.[1];
  return order && `${order} ${whom.trim()}`;
}

const RECORDS: ReadonlySet<Value['kind']> = new Set(['number', 'digits', 'person']);

const TAKES_ONE = new RegExp(
  String.raw`${LEAD}(?:take|get|buy|order|grab|reserve|book|provision|give|need|want|use|pick)\s+(?:(?:me|us|him|her|them)\s+)?(?:(?:the|any|your)\s+)?(?:(?:first|last|top|next|other|best)\s+)?(?<count>(?:an?\s+|the\s+)?(?<area>\d{3})(?:\s+(?:one|number|line))?|one|it|that|this|any|some|two|three|four|five|six|\d)(?:\s+of\s+(?:those|these|them|it))?(?<rest>\s+(?:for|with|on|please|pls|then|now|too)\b[\s\S]{0,60})?[\s.!]*$`,
  'iu',
);

/** A new number among those that are free, and what is done with it: "give one to ben", "ben gets one of them". */
const ONE = /\b(?:one(?:\s+of\s+(?:those|these|them))?|it|that)\b(?!\s+(?:is|was|of|has|does)\b)/iu;
const GETS =
  /\b(?:g[ei]ve?s?|gets?|assign|hand|takes?|bu?y|order|set|put|sign|grab|reserve|book|provision|have|has|use|picks?|wants?|needs?|likes?)\b/iu;
const NO_WISH =
  /\?|\b(?:not|never|no|if|unless|why|how|what|which|who|when|where)\b|n['’]?t\b|^\W*(?:is|are|does|do|did|can\s+(?:i|we))\b/iu;

/** The customer who gets one of the free numbers. Undefined for any other message. */
function receiverOfOne(text: string, now: number): string | undefined {
  if (text.length > MAX_LENGTH || !ONE.test(text) || !GETS.test(text) || NO_WISH.test(text)) return undefined;
  const [person, ...others] = values(text, now);
  return person?.kind === 'person' && others.length === 0 ? person.text : undefined;
}

/** "Take one for Ben" after the free numbers of an area: the order for a new number there. Undefined for other messages. */
function oneOfFree(text: string, last: string, now: number, reading: Reading): string | undefined {
  const { operation, input } = reading.of(last);
  if (operation !== 'numbers_availability') return undefined;
  const taken = TAKES_ONE.exec(text)?.groups ?? {};
  const whom = taken.count === undefined ? receiverOfOne(text, now) : undefined;
  const { count = whom === undefined ? '' : 'one', rest = whom === undefined ? '' : ` for ${whom}`, area: own } = taken;
  const area = own ?? input.AreaCode;
  if (count === '') return undefined;
  if (typeof area !== 'string')
    return typeof input.ZipCode === 'string' ? `buy a new number in zip ${input.ZipCode}${rest}` : undefined;
  // "Free voip numbers": the order is for one of this kind.
  const kinds = kindsIn(last, { get: reading.toolOf })
    .map((kind) => `${kind} `)
    .join('');
  const many = /^(?:two|three|four|five|six|[2-9])$/i.test(count)
    ? `${count} new ${kinds}numbers`
    : `a new ${kinds}number`;
  return `buy ${many} in area code ${area}${rest.replace(/\s+(?:please|pls|then|now|too)\b/gi, '')}`;
}

const PORTS =
  /^[\s\S]*?\b(?:port|transfer|bring)\b(?:\s+(?:it|that|this|the\s+number))?(?:\s+(?:in|over))?(?<rest>[\s\S]*)$/i;

/** "Move it over for Ava" */
const MOVES_IT = new RegExp(
  String.raw`${LEAD}(?:move|bring|take|switch|get|pull|port|transfer)\s+(?:it|that|this|the\s+number|that\s+one)\s+(?:over|in|across|to\s+us|here)\b(?:\s+to\s+us)?(?<rest>[^?]*)$`,
  'iu',
);

/** "Start the port for Ava" after a number that can be ported: the order for that number. Undefined for other messages. */
function portOfChecked(text: string, last: string, now: number, reading: Reading): string | undefined {
  const { operation, input } = reading.of(last);
  const number = input.PhoneNumber ?? input.Number ?? input.PortInNumber;
  if (operation !== 'numbers_portin_eligibility' || typeof number !== 'string') return undefined;
  if (values(text, now).some(({ kind }) => kind === 'number' || kind === 'digits')) return undefined;
  const moved = MOVES_IT.exec(text)?.groups;
  if (moved) return `port in ${number.replace(/^\+1(?=\d{10}$)/, '')}${moved.rest ?? ''}`;
  const own = reading.of(text);
  if (own.operation !== 'numbers_portin' || !isOffer(own, reading)) return undefined;
  return `port in ${number.replace(/^\+1(?=\d{10}$)/, '')}${PORTS.exec(text)?.groups?.rest ?? ''}`;
}

const MAX_LENGTH = 160;
const WRONG_ONE =
  /\bwrong\s+(?:one|line|number|customer)\b[\s\S]*?\b(?:put|turn|switch|bring|take|get)\s+(?:it|that|her|him)\s+(?:back\s+)?(?:on|off|back)\b[\s\S]*?\b(?:should(?:\s+have|['’]ve|\s+of)?(?:\s+been)?|(?:i|we)\s+meant|meant\s+(?:was|to\s+be)|was\s+meant\s+for)\s+(?<right>[#…*]*\d{4}|\+?[\d(][\d\s().-]{8,16}\d)/iu;

/** "Wrong one, put it back on, it should have been 0104": the order that undoes the last one, and the order for the right line. */
function undoneForOther(text: string, last: string, topic: Topic, now: number, reading: Reading): Meant | undefined {
  const right = text.length > MAX_LENGTH ? undefined : WRONG_ONE.exec(text)?.groups?.right;
  const undoing = right === undefined ? undefined : undoingOf(last, topic);
  if (right === undefined || undoing === undefined) return undefined;
  const next = isOffer(reading.of(last), reading) ? replaced(last, right, now) : undefined;
  const note = `Then write ${next === undefined ? `the order for ${right}` : `“${next}”`}: one change is offered at a time`;
  return { text: undoing, kind: 'read', note };
}

const ONLY_FROM = new RegExp(
  String.raw`${LEAD}(?:only|just)\s+(?:the\s+ones\s+|those\s+|(?:texts|calls)\s+)?from\s+(?<caller>\+?[\d\s().-]{10,18})[\s.!]*$`,
  'iu',
);

/** "Only from +1888…" after "stop texts to 0104": the block of this caller for that line. Undefined for other messages. */
function onlyFrom(text: string, last: string, now: number, reading: Reading): string | undefined {
  const caller = ONLY_FROM.exec(text)?.groups?.caller?.trim();
  const { operation = '' } = reading.of(last);
  const blocks = /blocked_(?:numbers|contacts)_add$/.test(operation);
  const [whom, ...others] = values(last, now).filter(({ kind }) => kind !== 'day' && kind !== 'amount');
  if (caller === undefined || !blocks || whom === undefined || others.length > 0) return undefined;
  return `block ${/contacts_add$/.test(operation) ? 'texts' : 'calls'} from ${caller} for ${whom.text}`;
}

/** The whole order that a message means after the one before. Undefined for other messages. */
export function carriedOn(text: string, last: string, topic: Topic, now: number, reading: Reading): Meant | undefined {
  const order =
    oneMore(text, last, reading) ??
    doneFor(text, last, now, reading) ??
    oneOfFree(text, last, now, reading) ??
    portOfChecked(text, last, now, reading);
  if (order !== undefined) return { text: order, kind: 'read' };
  const undone = undoneForOther(text, last, topic, now, reading);
  if (undone) return undone;
  const changed = otherMessage(text, last, now, reading) ?? onlyFrom(text, last, now, reading);
  return changed === undefined ? undefined : { text: changed, kind: 'corrects', before: last };
}
