import { fieldsOf } from '../../../catalogue/fields.ts';
import { wordsOf } from '../../../language/sentence.ts';
import { takesNumbers } from '../answers/fill.ts';
import { values } from '../answers/thread-values.ts';
import { isOffer, type Meant, type Reading, type Topic } from '../answers/topics.ts';

/*
 * An order that names a person and no line, after a line was looked up: "who has 0110", and then "assign to ben". It is
 * about that line, and the person behind "to" or "for" is whom it is for.
 */

const MAX_LENGTH = 120;
const FOR = /\b(?:to|for)\s+(?=\p{L})/iu;
/** Words for the line, which are read in its place elsewhere. */
const IT = /\b(?:it|that|this|them|the\s+(?:line|number))\b/iu;
const NUMBERS: ReadonlySet<string> = new Set(['number', 'digits', 'id', 'serial']);

/** The order with the line of the look-up before. Undefined for other messages. */
export function ofBareAct(
  text: string,
  last: string,
  { line }: Topic,
  now: number,
  reading: Reading,
): Meant | undefined {
  const before = reading.of(last);
  if (line === undefined || before.kind !== 'lookup' || text.length > MAX_LENGTH || /[?"“]/.test(text) || IT.test(text))
    return undefined;
  const own = reading.of(text);
  const tool = reading.toolOf(own.operation ?? '');
  if (!tool || !isOffer(own, reading) || own.each || !FOR.test(text)) return undefined;
  if (values(text, now).some(({ kind }) => NUMBERS.has(kind))) return undefined;
  const target = fieldsOf(tool).find((field) => field.required && takesNumbers(field));
  if (!target || own.input[target.name] !== undefined || own.find !== undefined) return undefined;
  const verb = wordsOf(text).find(({ acts, isPast }) => acts.length > 0 && !isPast)?.plain;
  const at = verb === undefined ? -1 : text.toLowerCase().search(new RegExp(`(?<!\\p{L})${verb}(?!\\p{L})`, 'u'));
  if (verb === undefined || at < 0) return undefined;
  const end = at + verb.length;
  const full = `${text.slice(0, end)} ${line}${text.slice(end)}`;
  const answer = reading.of(full);
  const isKept = Object.entries(own.input).every(
    ([name, value]) => JSON.stringify(answer.input[name]) === JSON.stringify(value),
  );
  const isOfLine = JSON.stringify([answer.input, answer.find?.input]).includes(line.replace(/\D/g, '').slice(-4));
  return answer.operation === own.operation && isKept && isOfLine ? { text: full, kind: 'read' } : undefined;
}
