import { correction } from '../answers/corrections.ts';
import { type Value, values } from '../answers/thread-values.ts';
import { isOffer, type Reading } from '../answers/topics.ts';

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
  const part = withOtherPart(text, body);
  if (part !== undefined) return withText(part);
  const said = (SAYS.exec(text) ?? MAKES.exec(text))?.groups?.text;
  const isValue = said === undefined || values(text, now).some(({ kind }) => IN_TEXT.has(kind));
  const other = isValue ? correctedText(text, body, now) : undefined;
  if (other !== undefined) return withText(other);
  if (said !== undefined) return withText(withEnding(body, said.replace(/^["“„]|["”“]$/g, '')));
  const from = SENDER.exec(text)?.groups?.from;
  // Another sender replaces the one that the order has.
  return from === undefined || answer.input.From !== undefined ? undefined : `${withText(body)} from ${from}`;
}

const WORDS = `(?:["“„'‘](?<NAMEquoted>[^"“”„]{1,200}?)["”“'’]|(?<NAME>[^,;"“”„]{1,80}?))`;
const words = (name: string) => WORDS.replaceAll('NAME', name);
const STEP = String.raw`[\s,;–—-]+(?:but\s+)?`;
const END = String.raw`(?:[\s,]+(?:please|pls|there|in\s+(?:it|there|the\s+text)))*[\s.!]*$`;
const CHANGE = String.raw`(?:(?:make|have|let)\s+)?(?:(?:it|that|this|the\s+(?:text|message|word(?:ing)?s?))\s+)?(?:(?:should|must|to)\s+)?(?:say|write|put|use|be|read|have)`;
/** Words of the text and those in their place: "say A not B", "A instead of B", "not B but A", "replace B with A". */
const PARTS: readonly RegExp[] = [
  String.raw`${LEAD}(?:${CHANGE}\s+|i\s+meant?\s+|(?:make|change)\s+it\s+(?:to\s+)?)?${words('own')}${STEP}?\s*(?:and\s+)?(?:not|instead\s+of|rather\s+than|in\s+place\s+of)\s+${words('old')}${END}`,
  String.raw`${LEAD}(?:${CHANGE}\s+)?not\s+${words('old')}${STEP}(?:(?:but|rather|say|write|put|just)\s+)*${words('own')}${END}`,
  String.raw`${LEAD}(?:replace|change|swap|turn|correct)\s+(?:the\s+(?:words?|part|bit)\s+)?${words('old')}\s+(?:with|by|to|for|into)\s+${words('own')}${END}`,
  String.raw`${LEAD}${words('old')}\s+(?:is|was|are)\s+(?:wrong|a\s+mistake|not\s+right)${STEP}(?:(?:say|write|put|make\s+it|it\s+(?:is|should\s+be)|rather|better)\s+)+${words('own')}${END}`,
].map((one) => new RegExp(one, 'iu'));
const DROPS = new RegExp(
  String.raw`${LEAD}(?:drop|remove|delete|leave\s+out|take\s+out|cut|skip|without)\s+(?:the\s+(?:words?|part|bit)\s+)?${words('old')}${END}`,
  'iu',
);

/** The text with some of its words in the place of others. Undefined where the words are none of the text. */
function withOtherPart(text: string, body: string): string | undefined {
  for (const pattern of [...PARTS, DROPS]) {
    const { old, oldquoted = old, own = '', ownquoted = own } = pattern.exec(text)?.groups ?? {};
    const at = oldquoted === undefined ? -1 : placeOf(oldquoted.trim(), body);
    if (at < 0 || oldquoted === undefined) continue;
    const [before, after] = [body.slice(0, at), body.slice(at + oldquoted.trim().length)];
    const whole = ownquoted === '' ? `${before.trimEnd()}${after}` : `${before}${ownquoted.trim()}${after}`;
    if (whole.trim() !== '') return whole.trim();
  }
  return undefined;
}

/** The place of whole words in a text; -1 if they are not in it. */
function placeOf(words: string, body: string): number {
  const at = body.toLowerCase().indexOf(words.toLowerCase());
  const isWhole =
    at >= 0 && !/[\p{L}\d]/u.test(body[at - 1] ?? '') && !/[\p{L}\d]/u.test(body[at + words.length] ?? '');
  return words.length > 1 && isWhole ? at : -1;
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
