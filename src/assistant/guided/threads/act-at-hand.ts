import { FILTER_LISTS } from '../../../../tools/surfaces/guard.ts';
import { isSpecific, wordsOf } from '../../../language/sentence.ts';
import type { GuidedAnswer } from '../answers/answer.ts';
import { correction } from '../answers/corrections.ts';
import { takenBackIn } from '../answers/own-requests.ts';
import { values } from '../answers/thread-values.ts';
import { areSameRecords, isOffer, type Meant, type Reading } from '../answers/topics.ts';
import { isDeedOf } from '../facts/deed-nouns.ts';

/*
 * The change that is at hand: the one that is offered, or the one that the last answer tells about. A question of its price
 * or its time names no change and means this one, and an order for its contrary takes it back, because nothing was done yet.
 */

/** The messages of a thread that may have a change at hand. */
interface Thread {
  last: string | undefined;
  /** The orders whose offers are open, oldest first. */
  offered: readonly string[];
}

const MAX_LENGTH = 90;
const PAST =
  /\b(?:was|were|did|has|had|been|got|have(?!\s+to\b)|last|this\s+(?:month|week)|yesterday|today|so\s+far|already)\b/iu;
const PRICE = /\bhow\s+much\b|\b(?:fees?|prices?|pays?|free|expensive|billed)\b/iu;
const ASKS =
  /\?\s*$|^\W*(?:(?:and|ok|okay|so|but|then|well|hm+|thx|thanks|sure)[\s,]+)*(?:what|whats|how|hows|is|are|does|do|will|would|any|when|can|could|the\s+(?:price|fee|cost))\b/iu;
const TIME =
  /^\W*(?:(?:and|ok|okay|so|but|then|well)[\s,]+)*(?:how\s+(?:long|soon|quick(?:ly)?|fast)|when)\b[^.;!?]*\b(?:take|takes|need|last|effect|work|works|done|ready|active|live|through|happen|start|starts|go(?:es)?)\b/iu;
/** Acts of any question. */
const PLAIN_ACTS: ReadonlySet<string> = new Set(['show', 'spend', 'happen', 'check', 'count', 'need']);
const PLAIN_THINGS: ReadonlySet<string> = new Set(['spend', 'free']);

/** The message whose change is at hand. Undefined if there is none. */
function atHand({ last, offered }: Thread, reading: Reading): string | undefined {
  const isOf = (text: string) => {
    const answer = reading.of(text);
    return isOffer(answer, reading) || (answer.kind !== 'help' && (answer.about ?? answer.asksOf) !== undefined);
  };
  return last !== undefined && isOf(last) ? last : offered.at(-1);
}

/** The question of the price or the time of the change at hand. Undefined for other messages. */
export function ofActAtHand(text: string, thread: Thread, now: number, reading: Reading): Meant | undefined {
  const act = text.length > MAX_LENGTH || !ASKS.test(text) ? undefined : atHand(thread, reading);
  if (act === undefined || PAST.test(text)) return undefined;
  const words = wordsOf(text);
  const isPrice = PRICE.test(text) || words.some(({ acts, things }) => [...acts, ...things].includes('spend'));
  const isTime = !isPrice && TIME.test(text) && isOffer(reading.of(act), reading);
  if (!(isPrice || isTime) || !isOfAct(text, act, now)) return undefined;
  return { text, kind: isPrice ? 'cost' : 'about', before: act };
}

/** True for a message that names no other record, no other thing and no other deed than an order does. */
function isOfAct(text: string, act: string, now: number): boolean {
  const isOwn = values(text, now).some(({ text: one }) => !act.toLowerCase().includes(one.toLowerCase()));
  const known = new Set(wordsOf(act).flatMap(({ acts, things }) => [...acts, ...things]));
  const isOther = ({ acts, things }: ReturnType<typeof wordsOf>[number]) =>
    acts.some((one) => !PLAIN_ACTS.has(one) && !known.has(one)) ||
    things.some((one) => isSpecific(one) && !PLAIN_THINGS.has(one) && !known.has(one));
  return !isOwn && !wordsOf(text).some(isOther);
}

/**
 * A message that changes or takes back what is offered, though it names other words than the order. Undefined for others.
 *
 * @param own the reading of the message without the offers
 */
export function ofOffered(
  text: string,
  own: Meant,
  offered: readonly string[],
  now: number,
  reading: Reading,
): Meant | undefined {
  const refused = own.kind === 'corrects' ? undefined : ofRefusedLine(text, offered, now);
  return refused ?? withoutOffered(text, own, offered, now, reading);
}

const HAS = String.raw`(?:(?:also|will|should|must|then)\s+)*(?:gets?|receives?|has|have|sends?|includes?|takes?|starts?|begins?)`;
const SO_THAT = new RegExp(
  String.raw`^\W*(?:(?:ok|okay|and|please|pls|can|could|you|u|actually|wait|no|sorry|oh)[\s,]+)*(?:(?:change|edit|update|adjust|fix|set|make|do)\s+(?:it|that|this|the\s+\p{L}+)\s+(?:so\s+(?:that\s+)?(?:it|he|she|they|that)\s+)?|(?:it|that|this)\s+should\s+)${HAS}\s+(?!(?:been|to)\b)(?<rest>[^?"“„]{2,80})$`,
  'iu',
);
const ADDED: ReadonlySet<Meant['kind']> = new Set(['adds', 'corrects', 'again']);

/** "Change it so it gets new sms too": the offered change with that added. Undefined for other messages. */
export function ofAddedWish(text: string, meantOf: (part: string) => Meant): Meant | undefined {
  const rest = SO_THAT.exec(text)?.groups?.rest;
  const meant = rest === undefined ? undefined : meantOf(`and ${rest}`);
  return meant && ADDED.has(meant.kind) ? meant : undefined;
}

const CONTRASTS = /\b(?:not|instead\s+of|rather\s+than|mistake|wrong|meant?)\b|n['’]t\b/iu;

/** "0103 not 0105" for an open order for 0105, also after other questions. Undefined for other messages. */
function ofRefusedLine(text: string, offered: readonly string[], now: number): Meant | undefined {
  const named = CONTRASTS.test(text) ? values(text, now).filter(({ kind }) => LINES.has(kind)) : [];
  if (named.length < 2) return undefined;
  for (const order of offered.toReversed()) {
    const own = values(order, now).filter(({ kind }) => LINES.has(kind));
    const refused = named.filter(({ text: one }) => own.some((line) => isSameLine(line.text, one)));
    if (refused.length === 0 || refused.length === named.length) continue;
    // The order has the digits that the message has, however it wrote the number.
    const short = own.reduce((whole, line) => {
      const digits = refused.find(({ text: one }) => isSameLine(line.text, one))?.text;
      return digits === undefined ? whole : whole.replace(line.text, () => digits);
    }, order);
    const full = correction(text, short, now);
    if (full !== undefined && full !== short) return { text: full, kind: 'corrects', before: order };
  }
  return undefined;
}

const LINES: ReadonlySet<string> = new Set(['digits', 'number']);
const LAST_DIGITS = 4;

function isSameLine(one: string, other: string): boolean {
  const digits = [one, other].map((text) => text.replace(/\D/g, ''));
  const least = Math.min(...digits.map((text) => text.length));
  return least >= LAST_DIGITS && digits[0]?.slice(-least) === digits[1]?.slice(-least);
}

/** True for entries that one change puts on a list of a filter and the other takes off it. */
function areContrary(one: GuidedAnswer, other: GuidedAnswer): boolean {
  const [first, second] = [FILTER_LISTS[one.operation ?? ''], FILTER_LISTS[other.operation ?? '']];
  if (!first || !second) return false;
  return first.traffic === second.traffic && first.list === second.list && first.adds !== second.adds;
}

/**
 * An order that undoes what is only offered, or that withdraws it by its noun: "unblock that number", "withdraw the cancel
 * of 0110". Undefined for other messages.
 */
function withoutOffered(
  text: string,
  own: Meant,
  offered: readonly string[],
  now: number,
  reading: Reading,
): Meant | undefined {
  if (/\?/.test(text)) return undefined;
  const noun = takenBackIn(text, true)?.noun;
  const lines = values(text, now).filter(({ kind }) => kind === 'digits' || kind === 'number');
  const isNamed = (order: string) => lines.every(({ text: one }) => order.includes(one.replace(/\D/g, '').slice(-4)));
  const named =
    noun === undefined
      ? undefined
      : offered.findLast((one) => isDeedOf(noun, reading.of(one).operation) && isNamed(one));
  if (named !== undefined) return { text, kind: 'back', before: named };
  const answer = reading.of(own.text);
  if (!isOffer(answer, reading)) return undefined;
  const open = offered.findLast(
    (one) => areContrary(answer, reading.of(one)) && areSameRecords(answer, reading.of(one)),
  );
  return open === undefined ? undefined : { ...own, gone: open };
}
