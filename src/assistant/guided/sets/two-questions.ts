import { wordsOf } from '../../../language/sentence.ts';
import type { GuidedAnswer } from '../answers/answer.ts';

/*
 * Two questions about one line or customer: "how much data did 0105 use and what's its limit". The second one names the line
 * by a pronoun. Each is read alone, and both are answered.
 */

const ASKS = "(?:what(?:['’]?s)?|how(?:['’]?s)?|which|when|who(?:['’]?s)?|where|does|is|has|did|are)";
const JOINT = new RegExp(String.raw`\s*(?:,\s*(?:and\s+)?|\band\s+)(?=(?:also\s+)?${ASKS}\b)`, 'iu');
const LINE = /(?<![\w+-])[#…*]*\d{4}(?![\w-])|(?<!\d)\+?1?[\s.-]?\(?[2-9]\d{2}\)?[\s.-]?\d{3}[\s.-]?\d{4}(?!\d)/gu;
const OWNER = /(?<owner>\p{L}[\p{L}-]+)['’]s\s+(?:line|number|phone|sim)\b/giu;
const ITS = /\b(?:its|his|their|her)(?=\s+\p{L})/iu;
const IT = /\b(?:it|she|he|they|her|him|them)\b/iu;
const BEGINS = new RegExp(String.raw`^\W*(?:(?:hi|hey|please|pls|so|ok|and)[\s,]+)*${ASKS}\b`, 'iu');
const MAX_LENGTH = 160;
/** The reads of a line itself. Their name does not say which facts they leave out. */
const PLAIN: ReadonlySet<string | undefined> = new Set(['numbers_find', 'numbers_lookup']);

/** The line that a question names. Undefined if it names none or several. */
function lineIn(text: string): string | undefined {
  const lines = [...new Set(text.match(LINE) ?? [])];
  const owners = [...text.matchAll(OWNER)].flatMap(({ groups }) => groups?.owner ?? []);
  const [owner, ...others] = owners.filter((name) => wordsOf(name).every(({ isUnknown }) => isUnknown));
  if (lines.length > 0) return lines.length === 1 ? lines[0]?.trim() : undefined;
  return owner === undefined || others.length > 0 ? undefined : `${owner}'s line`;
}

function isRead({ kind, isInstead, isUnread, isRefused }: GuidedAnswer): boolean {
  return kind === 'lookup' && !(isInstead || isUnread || isRefused);
}

/** The answer to both questions, where the answer to the whole has only one of them. Otherwise the answer as it is. */
export function withSecondQuestion(
  guided: GuidedAnswer,
  said: string,
  answered: (text: string) => GuidedAnswer,
): GuidedAnswer {
  const joint = said.length > MAX_LENGTH || !BEGINS.test(said) || guided.also ? null : JOINT.exec(said);
  if (!joint || !isRead(guided)) return guided;
  const [first, second] = [said.slice(0, joint.index), said.slice(joint.index + joint[0].length)];
  const line = lineIn(first);
  if (line === undefined || lineIn(second) !== undefined || JOINT.test(second)) return guided;
  const own = ITS.test(second)
    ? `${second.replace(ITS, 'the').replace(/[\s?.!]+$/u, '')} of ${line}`
    : IT.test(second)
      ? second.replace(IT, line)
      : undefined;
  if (own === undefined) return guided;
  const [one, other] = [answered(first), answered(own)];
  const isWhole = guided.operation !== one.operation && guided.operation !== other.operation;
  const isNew = one.operation !== other.operation && !(PLAIN.has(one.operation) && PLAIN.has(other.operation));
  // A whole that neither part gives says more than both.
  if (!isNew || !isRead(one) || !isRead(other) || (isWhole && !PLAIN.has(guided.operation))) return guided;
  return { ...one, also: [other] };
}
