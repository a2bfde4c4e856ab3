import { wordsOf } from '../../../language/sentence.ts';
import { endingIn, orders } from '../answers/endings.ts';
import { takenBackIn } from '../answers/own-requests.ts';
import { values } from '../answers/thread-values.ts';
import { isOffer, type Meant, type Reading } from '../answers/topics.ts';
import { isDeedOf } from '../facts/deed-nouns.ts';
import { meantBy } from '../reads/intents.ts';
import { refuses } from './taking-back.ts';

/*
 * Messages that take an open offer back in free words, or after another answer in between: "park 0103", "is it on
 * hold now?", "she found it, never mind". Examples (`withdraw` in `tools/surfaces/examples`) say what takes back.
 */

/** Least share of the examples that take a request back. */
const LEAST = 0.5;
const MAX_LENGTH = 160;
/** Readings of a message that already go on with the order before. */
const GOES_ON: ReadonlySet<Meant['kind']> = new Set([
  'back',
  'corrects',
  'corrected',
  'again',
  'adds',
  'cost',
  'about',
  'missing',
]);
const ASKS =
  /^\W*(?:(?:and|so|but|ok|okay)\s+)*(?:why|what|when|who|where|which|how|is|are|was|were|did|does|has|have|(?:can|could|will|would|may|might)\s+(?!(?:you|u|we|i)\b))\b/i;
const POLITE = /^\W*(?:(?:please|pls|ok|okay|so|oh|sorry|hey)[\s,]+)*(?:can|could|would|will)\s+(?:you|u|we|i)\b/i;

/**
 * The message as one that takes the last open offer back. Undefined for other messages.
 *
 * @param meant the reading of it without the offers
 * @param open the last order whose offer is open
 */
export function withdrawn(said: string, meant: Meant, open: string, now: number, reading: Reading): Meant | undefined {
  if (GOES_ON.has(meant.kind) || meant.isRead || said.length > MAX_LENGTH || isQuoted(said)) return undefined;
  if (!endsOffer(said, open, now, reading) && !isWithdrawal(said, open, now, reading)) return undefined;
  return { text: said, kind: 'back', before: open };
}

function isQuoted(said: string): boolean {
  return /["“”„]/.test(said);
}

/** Ends the part of a message that takes something back. */
const GAP =
  /\s*[,;:.!]+\s+|\s+[-–—]+>?\s+|\s*\n\s*|(?<=\b(?:never\s*mind|nvm|(?:forget|scratch|leave)\s+(?:it|that|this)|second\s+thoughts?|changed\s+(?:my|our)\s+minds?))\s+(?=\p{L})/giu;
const MOST_GAPS = 3;
/** Says what the order should have been. It is read with the order. */
const CORRECTS = /\b(?:should|meant)\s+(?:have|to)\s+(?:been|be)\b/i;
/** Begins a part that wants something to be shown or told. */
const WANTS =
  /^\W*(?:(?:and|but|so|please|pls|just|also|rather)\s+)*(?:let\s+(?:me|us)\s+know|tell|show|list|give|i\s+meant?|(?:can|could)\s+(?:you|u))\b|\?\s*$/iu;

/**
 * A message that takes the open offer back and asks for something else behind it: "no keep the date, let me know when it
 * is done". Undefined for other messages.
 *
 * @param own the reading of the whole message
 * @param meantOf the reading of a part in the same thread
 */
export function withdrawnFirst(
  said: string,
  own: Meant,
  open: string,
  { now, reading, meantOf }: { now: number; reading: Reading; meantOf: (part: string) => Meant },
): Meant | undefined {
  if (own.kind !== 'back' && GOES_ON.has(own.kind)) return undefined;
  for (const { index, 0: gap } of [...said.matchAll(GAP)].slice(0, MOST_GAPS)) {
    const [head, rest] = [said.slice(0, index), said.slice(index + gap.length)];
    if (head.length > MAX_LENGTH || isQuoted(head)) return undefined;
    if ((!orders(rest) && !WANTS.test(rest)) || CORRECTS.test(rest)) continue;
    if (!endsOffer(head, open, now, reading) && !isWithdrawal(head, open, now, reading)) continue;
    const meant = meantOf(rest);
    // "I meant only 0106" is the order with another value.
    if (meant.kind === 'corrects') return meant;
    const { kind, operation } = reading.of(meant.text);
    if (kind !== 'help' && operation !== undefined && !GOES_ON.has(meant.kind)) return { ...meant, gone: open };
  }
  return undefined;
}

/** True for "she is staying, forget it", and for "cancel that" only where the order itself cancels nothing. */
function endsOffer(said: string, open: string, now: number, reading: Reading): boolean {
  const request = takenBackIn(said);
  if (request) return request.noun === undefined || isDeedOf(request.noun, reading.of(open).operation);
  const hasValues = (part: string) => values(part, now).some(({ kind }) => kind !== 'person');
  const ending = endingIn(said, hasValues, (part) => refuses(part, open, now));
  if (!ending) return false;
  return ending.says !== 'cancel' || ending.verb !== 'cancel';
}

/** True if examples say that the message takes a request back, and it names no record but those of the order. */
export function isWithdrawal(said: string, open: string, now: number, reading: Reading): boolean {
  const isOther = values(said, now).some(
    ({ kind, text }) => kind !== 'day' && !open.toLowerCase().includes(text.toLowerCase()),
  );
  // "Don't cancel it" after a hold speaks against another change.
  const known = new Set(wordsOf(open).flatMap(({ acts }) => acts));
  const isOtherDeed = wordsOf(said).some(
    ({ acts, isNegated }) => isNegated && acts.length > 0 && !acts.some((act) => known.has(act)),
  );
  if (isOther || isOtherDeed || (ASKS.test(said) && !POLITE.test(said)) || isOffer(reading.of(said), reading))
    return false;
  const [first] = meantBy(said);
  return first?.operation === 'withdraw' && first.share >= LEAST;
}
