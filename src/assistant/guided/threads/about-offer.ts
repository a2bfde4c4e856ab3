import { wordsOf } from '../../../language/sentence.ts';
import { asksUse } from '../answers/in-use.ts';
import { values } from '../answers/thread-values.ts';
import { isOffer, type Meant, type Reading } from '../answers/topics.ts';

/* Questions about what is offered: what is missing in it, and what it does ("does the old one stop working right away?"). */

const LEAD = String.raw`^\W*(?:(?:ok|okay|so|and|but|then|well|hm+|hey|wait|please|pls)[\s,]+)*`;
const MISSING = new RegExp(
  String.raw`${LEAD}(?:(?:what|which|is|are|anything|something|whats|what['’]s)\b[^?!.]{0,30}\b(?:missing|needed|required|lacking|left\s+(?:to\s+fill|open|out)|to\s+fill\s+in|empty|incomplete)\b[^?!.]{0,24}|(?:what|which)(?:\s+\p{L}+){0,2}\s+(?:do|does|did)\s+(?:you|u|it|we|i|they)\s+(?:still\s+)?need\b[^?!.]{0,24})[?!.\s]*$`,
  'iu',
);
const ASKS =
  /\?\s*$|^\W*(?:(?:and|ok|so|but|then|well|hm+)[\s,]+)*(?:will|would|does|do|can|could|is|are|when|how|what)\b/i;
/** Effects of a change on a line, its number and its service. */
const EFFECT =
  /\b(?:keeps?|los(?:e|es|ing)|stops?|stopp(?:ed|ing)|still|right\s+away|immediately|at\s+once|instantly|straight\s+away|take\s+effect|appl(?:y|ies)|affects?|happens?|works?|working|goes\s+(?:off|dead)|old\s+(?:one|sim|number)|afterwards?|reversible)\b/i;
const WORKS = /\b(?:will|would|going\s+to|does|then|old|once|immediately|away|afterwards?|still|keeps?|los(?:e|es))\b/i;
const IN_USE = /\b(?:us(?:es?|ed|ing)|in\s+use|needs?|assigned|attached|depends?)\b(?!\s+to\b)/i;
/** Reads that a question gets for want of anything better. */
const PLAIN = /^(?:numbers_(?:lookup|find|diagnose)|message_search_get|subscribers_(?:call|message)_filter_get)$/;

/** The question about an open offer that a message asks. Undefined for other messages. */
export function aboutOffer(text: string, last: string, now: number, reading: Reading): Meant | undefined {
  if (text.length > MAX_LENGTH || !isOffer(reading.of(last), reading)) return undefined;
  // "Immediately" is a time, and names no other record.
  const isOwn = values(text, now).some(
    ({ kind, text: one }) => kind !== 'day' && !last.toLowerCase().includes(one.toLowerCase()),
  );
  if (isOwn || asksUse(text)) return undefined;
  if (MISSING.test(text)) return { text, kind: 'missing', before: last };
  if (asksOfThem(text, last, reading)) return { text, kind: 'about', before: last };
  // "Is anyone still using it" asks for the line.
  if (!ASKS.test(text) || !EFFECT.test(text) || !WORKS.test(text) || IN_USE.test(text)) return undefined;
  const alone = reading.of(text);
  const isPlain = alone.kind === 'help' ? alone.about === undefined : PLAIN.test(alone.operation ?? '');
  return isPlain ? { text, kind: 'about', before: last } : undefined;
}

/** "What's missing?" of the open offer, also after its state was asked for. Undefined for other messages. */
export function ofMissing(text: string, open: string, reading: Reading): Meant | undefined {
  const isAsked = text.length <= MAX_LENGTH && MISSING.test(text) && !/\d/.test(text);
  return isAsked && isOffer(reading.of(open), reading) ? { text, kind: 'missing', before: open } : undefined;
}

/** True for "if I park 0103 does she keep her number": the effect of a change, and not the line. */
export function asksEffect(said: string): boolean {
  return (
    /\b(?:if|when|once|after|while)\b/i.test(said) &&
    /\b(?:does|do|will|would|can|is|are)\b/i.test(said) &&
    EFFECT.test(said)
  );
}

const MAX_LENGTH = 90;

const THEM = /\b(?:s?he|they|her|him|his|their|them|it|its|that|this|the\s+(?:customer|client|caller|subscriber))\b/i;
/** "If she changes her mind" changes nothing. */
const IDIOM =
  /\b(?:(?:if|when|once|in\s+case|unless)\s+)?(?:\p{L}+\s+){1,2}?chang(?:e|es|ed|ing)\s+(?:her|his|their|its|the|my|our)\s+minds?\b/giu;

/**
 * True for a question of the price or the effect that says "she" or "it" and names no other deed: "is there a fee if she
 * changes her mind", "what happens to her texts".
 */
function asksOfThem(text: string, last: string, reading: Reading): boolean {
  const alone = reading.of(text);
  if (!ASKS.test(text) || alone.about === undefined || !THEM.test(text)) return false;
  const known = new Set(wordsOf(last).flatMap(({ acts }) => acts));
  const deeds = wordsOf(text.replace(IDIOM, ' ')).flatMap(({ acts, isPast }) => (isPast ? [] : acts));
  return deeds.every((act) => known.has(act) || EVERY_DEED.has(act));
}

/** Acts of any question, and "text", which is a thing too. */
const EVERY_DEED: ReadonlySet<string> = new Set([
  'show',
  'happen',
  'need',
  'count',
  'check',
  'text',
  'trouble',
  'decide',
]);
