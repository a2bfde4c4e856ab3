import { type Value, values } from './thread-values.ts';
import { isOffer, type Meant, type Reading } from './topics.ts';

/*
 * Messages that carry on with what the one before is about: "add one" after a list of webhooks, "do one for 0105" after
 * the price of a SIM swap, another text for a message, and a block of one caller instead of all.
 */

const LEAD = String.raw`^\W*(?:(?:ok|okay|so|then|and|please|pls|now|great|thanks|thx|alright|cool|yes|no|nope|sorry|wait|actually|i\s+mean|can|could|you|u|we|i|let['’]?s)[\s,]+)*`;
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

const OTHER_TEXT = new RegExp(
  String.raw`${LEAD}(?:(?:make|change|rephrase)\s+(?:it|that|the\s+(?:text|message|wording))(?:\s+to(?:\s+say)?)?|say|write|it\s+should\s+(?:say|read)|the\s+text\s+should\s+(?:say|read|be))\s*:?\s+(?<text>["“„][^"“”„]+["”“]|\p{L}\S*(?:\s+\S+){2,})\s*$`,
  'iu',
);

/** "Make it “…”" after "text 0103 hi": the order with this text. Undefined for other messages. */
function otherText(text: string, last: string, reading: Reading): string | undefined {
  const answer = reading.of(last);
  const body = answer.input.Body;
  const own = OTHER_TEXT.exec(text)?.groups?.text?.replace(/^["“„]|["”“]$/g, '');
  if (own === undefined || answer.operation !== 'message_outbound' || typeof body !== 'string') return undefined;
  const written = [`"${body}"`, `“${body}”`, body].find((one) => last.includes(one));
  return written === undefined ? undefined : last.replace(written, () => `"${own}"`);
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
export function carriedOn(text: string, last: string, now: number, reading: Reading): Meant | undefined {
  const order = oneMore(text, last, reading) ?? doneFor(text, last, now, reading);
  if (order !== undefined) return { text: order, kind: 'read' };
  const changed = otherText(text, last, reading) ?? onlyFrom(text, last, now, reading);
  return changed === undefined ? undefined : { text: changed, kind: 'corrects', before: last };
}
