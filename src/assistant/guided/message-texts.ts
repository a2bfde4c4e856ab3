import { correction } from './corrections.ts';
import { type Value, values } from './thread-values.ts';
import { isOffer, type Reading } from './topics.ts';

/*
 * Corrections of a message that is offered: another text ("make it say ready tomorrow instead"), another day or amount in
 * the text ("make that Thursday"), and its sender ("from 0104"). The receiver is corrected like that of any order.
 */

const LEAD = String.raw`^\W*(?:(?:ok|okay|so|then|and|please|pls|no|nope|sorry|wait|actually|oh|i\s+mean|can|could|you|u|we|let['’]?s|just)[\s,]+)*`;
const IT = String.raw`(?:it|that|this|the\s+(?:text|message|wording|sms))`;
const QUOTE = `["“„][^"“”„]+["”“]`;
/** "Make it say …", "the text should be …" */
const SAYS = new RegExp(
  String.raw`${LEAD}(?:(?:make|change|rephrase|have|let)\s+${IT}\s+(?:to\s+)?(?:say|read)|(?:say|write)|(?:it|the\s+(?:text|message))\s+should\s+(?:say|read|be)|(?:make|change)\s+${IT}(?:\s+to)?\s*:)\s*:?\s+(?<text>${QUOTE}|\S[\s\S]*?)(?:\s+instead)?\s*$`,
  'iu',
);
/** "Make it see you at six" has no word for the text, so that only a longer one is taken for it. */
const MAKES = new RegExp(
  String.raw`${LEAD}(?:make|change|rephrase)\s+${IT}(?:\s+to)?\s+(?<text>${QUOTE}|\p{L}\S*(?:\s+\S+){2,}?)(?:\s+instead)?\s*$`,
  'iu',
);
const SENDER = new RegExp(
  String.raw`${LEAD}(?:(?:send|text|do|make)\s+(?:${IT}\s+)?)?(?:it\s+)?(?:from|via|using|sender(?:\s+is)?:?)\s+(?<from>[#…*]*\d{4}|\+?[\d(][\d\s().-]{8,16}\d)(?:[\s,]+(?:please|pls|then|instead|as\s+(?:the\s+)?sender))*[\s.!]*$`,
  'iu',
);
const IN_TEXT: ReadonlySet<Value['kind']> = new Set(['day', 'amount']);

/** The order for a message with what another one changes in it. Undefined for other messages. */
export function otherMessage(text: string, last: string, now: number, reading: Reading): string | undefined {
  const answer = reading.of(last);
  const body = answer.input.Body;
  if (answer.operation !== 'message_outbound' || !isOffer(answer, reading) || typeof body !== 'string')
    return undefined;
  const written = [`"${body}"`, `“${body}”`, body].find((one) => last.includes(one));
  if (written === undefined) return undefined;
  const withText = (own: string) => last.replace(written, () => `"${own}"`);
  const said = (SAYS.exec(text) ?? MAKES.exec(text))?.groups?.text;
  const isValue = said === undefined || values(text, now).some(({ kind }) => IN_TEXT.has(kind));
  const other = isValue ? correctedText(text, body, now) : undefined;
  if (other !== undefined) return withText(other);
  if (said !== undefined) return withText(withEnding(body, said.replace(/^["“„]|["”“]$/g, '')));
  const from = SENDER.exec(text)?.groups?.from;
  // Another sender replaces the one that the order has.
  return from === undefined || answer.input.From !== undefined ? undefined : `${withText(body)} from ${from}`;
}

/** The text with another day or amount: "her sim ships thursday". */
function correctedText(text: string, body: string, now: number): string | undefined {
  const said = values(text, now);
  return said.length > 0 && said.every(({ kind }) => IN_TEXT.has(kind)) ? correction(text, body, now) : undefined;
}

/** "Ready tomorrow" goes on with the last word of "your order is ready". Any other text replaces the whole. */
function withEnding(body: string, own: string): string {
  const [, before = '', end] = /^([\s\S]*?)(\p{L}[\p{L}'’-]*)[\s.!]*$/u.exec(body) ?? [];
  const first = /^\p{L}[\p{L}'’-]*/u.exec(own)?.[0];
  return end !== undefined && first?.toLowerCase() === end.toLowerCase() ? `${before}${own}` : own;
}
