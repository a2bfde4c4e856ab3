import { orders } from '../answers/endings.ts';
import { isOnly, type Value, values } from '../answers/thread-values.ts';
import { isOffer, type Meant, type Reading, type Topic } from '../answers/topics.ts';
import { factsOf } from '../facts/retraction.ts';

/*
 * Messages that change a part of the last order: a line that is left out of its list ("except 0103"), a day against another
 * one ("today not tomorrow"), and one part of a message whose other parts only talk ("from when? i mean make it friday").
 */

const TALK = String.raw`(?:(?:no+|nope|nah|wait|oh|ok|okay|sorry|oops|actually|hm+|but|and|please|pls|lol|yeah|yes|all|them|those|these|both|hold|keep|do|everyone|everything|well|just)[\s,.!]+)*`;
const ENDS = String.raw`(?:[\s,]+(?:please|pls|plz|actually|really|either|though|tho|sorry|sry|thanks|thx|lol|yet|ok|then|for\s+now|after\s+all|out|alone|that\s+one|of\s+(?:it|this|that)))*[\s.!]*`;
const EXCEPT = new RegExp(
  String.raw`^\W*${TALK}(?:except(?:\s+for)?|not(?:\s+for)?|without|minus|leave(?:\s+out)?|skip|exclude|excluding|drop|omit|but\s+not|but|apart\s+from|besides)\s+(?:the\s+)?(?<what>[\s\S]{2,60}?)${ENDS}$`,
  'iu',
);
const LINES: ReadonlySet<Value['kind']> = new Set(['digits', 'number']);
const ORDINALS = [/^(?:first|1st)\b/i, /^(?:second|2nd)\b/i, /^(?:third|3rd)\b/i, /^(?:fourth|4th)\b/i];

/** "Except 0103" after an order for all lines of a customer: the order with one line fewer. Undefined for other messages. */
export function exceptOfSet(text: string, last: string, reading: Reading): Meant | undefined {
  const what = EXCEPT.exec(text)?.groups?.what;
  const answer = what === undefined ? undefined : reading.of(last);
  if (!answer?.each?.set || !isOffer(answer, reading)) return undefined;
  const order = `${last} except ${what}`;
  const { except = [] } = reading.of(order).each?.set ?? {};
  const isMore = except.length > (answer.each.set.except ?? []).length;
  return isMore ? { text: order, kind: 'corrects', before: last } : undefined;
}

/** "Except 0103", "not the second one" after an order for several lines: the order without it. Undefined for others. */
export function exceptLines(
  text: string,
  last: string,
  { lines: known = [] }: Topic,
  now: number,
  reading: Reading,
): Meant | undefined {
  const what = EXCEPT.exec(text)?.groups?.what;
  if (what === undefined) return undefined;
  const answer = reading.of(last);
  // "Please do not reactivate 0107" is complete in itself.
  if (orders(what) || !isOffer(answer, reading)) return undefined;
  const lines = values(last, now).filter(({ kind }) => LINES.has(kind));
  const called = withoutCalled(what, last, lines, reading);
  if (called) return called;
  const said = values(what, now);
  const ordinal = ORDINALS.findIndex((pattern) => pattern.test(what));
  const nth = ordinal >= 0 ? (known[ordinal] ?? lines[ordinal]?.text) : undefined;
  const isLast = /^last\b/i.test(what);
  const refused = said.length > 0 ? said.map((one) => one.text) : [isLast ? lines.at(-1)?.text : nth];
  if (said.some(({ kind }) => !LINES.has(kind)) || /\d\s*,?\s+(?:but|use|do|only|just)\b/i.test(what)) return undefined;
  if (
    said.length === 0 &&
    !/^(?:(?:first|second|third|fourth|last|\dst|\dnd|\drd|\dth)(?:\s+(?:one|line|number))?)$/i.test(what)
  )
    return undefined;
  const isSame = (one: string, other: string) =>
    one.replace(/\D/g, '').slice(-4) === other.replace(/\D/g, '').slice(-4);
  const out = lines.filter(({ text: one }) => refused.some((other) => other !== undefined && isSame(one, other)));
  // "Not 0103, 0104" names the right one, too.
  if (said.length > 1 && out.length < said.length) return undefined;
  if (out.length === 0) {
    const [first] = refused;
    if (first === undefined || lines.length === 0) return undefined;
    return { text, kind: 'unclear', note: `${first} is not in “${last}”. What was offered before is as it was` };
  }
  // Nothing is left of the order.
  if (out.length === lines.length) return { text, kind: 'back', before: last };
  if (new Set(lines.map(({ kind }) => kind)).size > 1 && answer.each === undefined) {
    // A caller and a line are no list.
    const kinds = new Set(out.map(({ kind }) => kind));
    const same = lines.filter(({ kind }) => kinds.has(kind));
    if (same.length === out.length) return kinds.has('digits') ? undefined : { text, kind: 'back', before: last };
  }
  return { text: out.reduce((rest, { text: one }) => without(rest, one), last), kind: 'corrects', before: last };
}

/** "Without dad" after an order that names a number "dad +1…": the order without this number. */
function withoutCalled(what: string, last: string, lines: readonly Value[], reading: Reading): Meant | undefined {
  const name = /^(?:(?:the|his|her|their)\s+)?(?<name>\p{L}[\p{L}-]+)$/iu.exec(what.trim())?.groups?.name;
  if (name === undefined || lines.length < 2) return undefined;
  const found = lines.flatMap(({ text: one }) => {
    const at = last.indexOf(one);
    const label = new RegExp(String.raw`(?:\b(?:the|his|her|their|from)\s+)?\b${name}[\s,:(]+\W*$`, 'iu').exec(
      last.slice(0, at),
    );
    return label ? [`${label[0]}${one}`] : [];
  });
  const [only, ...others] = found;
  if (only === undefined || others.length > 0) return undefined;
  const full = without(last, only);
  const [next, old] = [reading.of(full), reading.of(last)];
  return next.operation === old.operation && full !== last ? { text: full, kind: 'corrects', before: last } : undefined;
}

const ONLY =
  /^\W*(?:(?:no+|nope|wait|oh|ok|okay|sorry|oops|actually|hm+|but|and|please|pls|lol|then|make\s+(?:it|that)|do|hold|keep|(?:i|we)\s+meant?)[\s,.!]+)*(?:only|just|solely)\s+(?:do\s+|for\s+|on\s+|with\s+|take\s+|use\s+)?(?:the\s+)?(?<what>[\s\S]{4,60}?)(?:[\s,]+(?:please|pls|plz|actually|really|then|thanks|thx|now|for\s+now|sorry|sry|lol|instead))*[\s.!]*$/iu;

const SEND_ONLY =
  /^\W*(?:(?:no|sorry|wait|ok|please|pls|just)[\s,]+)*(?:send|do|make|text|hold|put|apply)\s+(?:it|that|this)\s+(?:just\s+)?(?:to|for|on)\s+(?<what>[^,;?]{4,40}?)\s+only[\s.!]*$/iu;

/** "Not 0106, only 0104" */
const REFUSED_FIRST = /^\W*(?:(?:no|wait|sorry|oh)[\s,]+)*not\s+[^,;.?]{2,40}[,;.]\s*(?:but\s+)?(?=(?:only|just)\b)/iu;

/** "Only 0105" after an order for several lines: the order without the others. Undefined for other messages. */
export function onlyLines(text: string, last: string, now: number, reading: Reading): Meant | undefined {
  const rest = text.replace(REFUSED_FIRST, '');
  const what = (ONLY.exec(rest) ?? SEND_ONLY.exec(rest))?.groups?.what;
  if (what === undefined || !isOffer(reading.of(last), reading)) return undefined;
  const lines = values(last, now).filter(({ kind }) => LINES.has(kind));
  const said = values(what, now);
  const beside = said
    .reduce((rest, one) => rest.replace(one.text, ' '), what)
    .replace(/\b(?:and|number|line)\b/giu, ' ');
  if (said.length === 0 || /[\p{L}\d]/u.test(beside) || new Set(lines.map(({ kind }) => kind)).size !== 1)
    return undefined;
  const end = (one: string) => one.replace(/\D/g, '').slice(-4);
  const out = lines.filter((line) => !said.some((one) => end(one.text) === end(line.text)));
  if (lines.length - out.length !== said.length || out.length === 0) return undefined;
  return { text: out.reduce((rest, { text: one }) => without(rest, one), last), kind: 'corrects', before: last };
}

/** The order for a list of lines, for one more line alone: "and 0105 too". Undefined for other words. */
export function forOtherLine(last: string, words: string, now: number): string | undefined {
  const [line, ...others] = values(words, now);
  const listed = values(last, now).filter(({ kind }) => LINES.has(kind));
  const [first, ...rest] = listed;
  if (!line || others.length > 0 || !LINES.has(line.kind) || !isOnly(line, words)) return undefined;
  if (!first || rest.length === 0 || listed.some(({ kind }) => kind !== line.kind)) return undefined;
  // "Block 9005551234 on 2015550101" names two numbers, and no list.
  if (!factsOf(last, now).isOneList) return undefined;
  const one = rest.reduce((text, { text: other }) => without(text, other), last);
  return one.replace(first.text, () => line.text);
}

/** A text without one of the lines of a list in it, and without what joins the line to the others. */
function without(text: string, line: string): string {
  const plain = line.replace(/[.*+?^\x24{}()|[\]\\]/g, '\\$&');
  const join = String.raw`(?:\s*,\s*(?:and\s+)?|\s+(?:and|&)\s+|\s+)`;
  const after = new RegExp(String.raw`${plain}(?!\d)${join}(?=[#…*+(]*\d)`, 'u');
  const before = new RegExp(String.raw`${join}${plain}(?!\d)`, 'u');
  const rest = after.test(text) ? text.replace(after, '') : text.replace(before, '');
  // "0101, 0103 0105" without its middle has no "and".
  return rest;
}

const NOT = /\bnot\s+(?:on\s+|for\s+|till\s+|until\s+|from\s+)?/giu;

/** "Today not tomorrow": the message without the value that it speaks against. Undefined for other messages. */
export function withoutContrary(text: string, now: number): string | undefined {
  for (const { index, 0: no } of text.matchAll(NOT)) {
    const after = text.slice(index + no.length);
    const refused = values(text, now).find(
      ({ kind, text: one }) => kind !== 'person' && after.toLowerCase().startsWith(one.toLowerCase()),
    );
    if (!refused) continue;
    const rest = `${text.slice(0, index)}${after.slice(refused.text.length)}`.replace(/^[\s,;.]+|[\s,;]+$/g, '');
    const kept = values(rest, now);
    if (kept.length === 1 && kept[0]?.kind === refused.kind) return rest;
  }
  // "Not now, from dec 1"
  const later = NOT_NOW.exec(text);
  const rest = later ? text.slice(later[0].length) : '';
  return later && values(rest, now).some(({ kind }) => kind === 'day') ? rest : undefined;
}

const NOT_NOW =
  /^\W*(?:(?:no|nope|wait|oh|sorry|actually|but|and|please|hm+)[\s,]+)*not\s+(?:now|right\s+now|right\s+away|immediately|yet|today|tomorrow|tonight|at\s+once|so\s+soon)(?:[\s,;.–—-]+(?:but\s+|only\s+|just\s+)?)(?=\S)/iu;

const PARTS =
  /[;.?!]+(?:\s+|$)|,\s+(?=(?:and|but|also)\s)|\s+(?=(?:and|but)\s+(?!\d|for\b|not\b))|(?<!\b(?:no|nope|nah|wait|sorry|oops|ok|okay|yeah|yes|oh|not|actually)\s*),\s+/iu;

/** Reads the part of "No 12, and tell her" that changes the last order. A note names the other parts. */
export function ofOnePart(
  text: string,
  last: string,
  now: number,
  reading: Reading,
  read: (part: string) => Meant | undefined,
): Meant | undefined {
  if (text.length > MAX_LENGTH || /["“„]/.test(text) || !isOffer(reading.of(last), reading)) return undefined;
  const parts = text
    .split(PARTS)
    .map((part) => part.trim())
    .filter(Boolean);
  if (parts.length < 2 || parts.length > 4) return undefined;
  const found = parts.flatMap((part) => {
    const meant = values(part, now).length > 0 || /\d/.test(part) ? read(part) : undefined;
    return meant && (meant.kind === 'corrects' || meant.kind === 'adds') ? [{ part, meant }] : [];
  });
  const [only, ...more] = found;
  if (!only || more.length > 0) return undefined;
  const others = parts.filter((part) => part !== only.part);
  if (others.some((part) => values(part, now).length > 0 || TAKES_BACK.test(part))) return undefined;
  const asks = others.filter((part) => orders(part) || ASKED.test(part));
  const told = asks.map((part) => `“${part.replace(/^(?:and|but|also)\s+/i, '')}”`).join(', ');
  return { ...only.meant, ...(told !== '' && { note: `Not taken: ${told}: write it on its own` }) };
}

const MAX_LENGTH = 140;
const ASKED =
  /^(?:(?:and|but|so)\s+)*(?:from\s+)?(?:what|why|when|who|how|is|are|does|do|did|can|could|which|where|will)\b/i;
const TAKES_BACK = /\b(?:don['’]?t|do\s+not|never|stop|forget|cancel|nothing|leave)\b/i;
