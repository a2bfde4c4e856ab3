import { FEATURES_SET, FILTER_LISTS, TRAFFIC } from '../../../../tools/surfaces/guard.ts';
import { phonesIn } from '../../../platform/dialect/phone.ts';
import type { GuidedAnswer } from '../answers/answer.ts';
import { values } from '../answers/thread-values.ts';
import { isOffer, type Meant, type Reading, type Topic, undoingOf } from '../answers/topics.ts';

/*
 * Messages that leave a part to the one before: the owner of a list, the operation that their values are for, the period of
 * a list, or the kind of traffic that guardian filtering leaves out.
 */

const MAX_LENGTH = 160;
const CORRECTS = /^\W*(?:(?:oh|hm+|ok|but|and)[\s,]+)*(?:no|nope|nah|sorry|wait|oops|actually|wrong|i\s+meant?)\b/i;

/** The order or the question that a message means with what the one before says. Undefined for other messages. */
export function ofTakenOver(
  text: string,
  last: string,
  topic: Topic,
  now: number,
  reading: Reading,
): Meant | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  return (
    ofSameOwner(text, last, reading) ??
    ofOneTraffic(text, last, reading) ??
    ofUndone(text, last, topic, reading) ??
    ofSamePeriod(text, last, now, reading) ??
    ofNeeds(text, last, now, reading)
  );
}

/** "Sorry, I meant block +1917…" after a caller was unblocked for Ben: a list of the same line, and of the same traffic. */
function ofSameOwner(text: string, last: string, reading: Reading): Meant | undefined {
  const before = reading.of(last);
  const list = FILTER_LISTS[before.operation ?? ''];
  const owner = before.input.SubscriberId;
  if (!list || typeof owner !== 'string' || !isOffer(before, reading)) return undefined;
  const own = reading.of(text);
  const other = FILTER_LISTS[own.operation ?? ''];
  const numbers = other ? phonesIn(JSON.stringify(own.input[other.entries] ?? '')) : [];
  if (!other || numbers.length === 0 || own.input.SubscriberId !== undefined || own.find || own.isUnclear)
    return undefined;
  const kinds = /\b(?:calls?|calling|texts?|texting|sms|messages?)\b/i.test(text)
    ? [other.traffic, ...trafficsOf(own).slice(1)]
    : trafficsOf(before);
  const what = kinds.map((kind) => (kind === 'calls' ? 'calls' : 'texts')).join(' and ');
  const deed = other.list === 'blocked' ? (other.adds ? 'block' : 'unblock') : 'allow';
  if (deed === 'allow' && !other.adds) return undefined;
  const full = `${deed} ${what} from ${numbers.join(' and ')} for ${owner}`;
  return { text: full, kind: CORRECTS.test(text) ? 'corrects' : 'again', before: last };
}

/** The kinds of traffic of the lists that an answer and those beside it are about. */
function trafficsOf(guided: GuidedAnswer): string[] {
  const all = [guided, ...(guided.also ?? [])].flatMap(({ operation = '' }) => FILTER_LISTS[operation]?.traffic ?? []);
  return [...new Set(all)];
}

const NAMED = /\b(?:(?<calls>calls?|calling|voice)|(?<messages>texts?|texting|sms|messages?|messaging))\b/giu;
const ONLY = /\b(?:only|just)\b/i;
const LEAVES = /\b(?:leave|keep|not|except|without|don['’]?t|stays?)\b/i;

/** "No, only calls", "leave the texts one on": one of the two kinds that guardian filtering is switched for. */
function ofOneTraffic(text: string, last: string, reading: Reading): Meant | undefined {
  const { operation, input } = reading.of(last);
  const flags = TRAFFIC.map(({ feature }) => input[feature]);
  const owner = input.SubscriberId;
  if (operation !== FEATURES_SET || typeof owner !== 'string' || flags.some((flag) => flag !== flags[0]))
    return undefined;
  const named = new Set([...text.matchAll(NAMED)].map(({ groups }) => (groups?.calls ? 'calls' : 'messages')));
  const [said, ...others] = [...named];
  const isOnly = ONLY.test(text);
  if (said === undefined || others.length > 0 || isOnly === LEAVES.test(text) || /[?\d]/.test(text)) return undefined;
  const kind = isOnly ? said : said === 'calls' ? 'messages' : 'calls';
  const full = `turn ${flags[0] === true ? 'on' : 'off'} guardian filtering for ${kind === 'calls' ? kind : 'texts'} for ${owner}`;
  return { text: full, kind: 'corrects', before: last };
}

const PUT_BACK =
  /(?:^|[\s,;.])(?:(?:put|turn|switch|bring|set|get)\s+(?:it|her|him|them|that|the\s+(?:line|number)|the\s+(?:old|previous|former|first)\s+\p{L}+|everything)\s+(?:back|on\s+again)|back\s+(?:on|up)|on\s+again)(?:\s+(?:on|again|up|in|(?:like|how|as|the\s+way|where)\s+(?:it|they)\s+(?:was|were)(?:\s+before)?|to\s+(?:active|normal)|please|pls|now|then))*[\s.!]*$/iu;

const TAKE_OFF =
  /^\W*(?:(?:and|but|then|ok|so|please|pls|also)\s+)*(?:take|get|bring)\s+(?:it|that|this)\s+(?:back\s+)?off\b(?!\s+(?:of\b|hold|pause|the\b|her|his|their))/iu;

/** The value that was there before the offer, which is in force until the offer is confirmed. */
const BACK_TO_OLD = /\b(?:old|previous|former)\b|\b(?:like|how|as|way|where)\s+(?:it|they)\s+(?:was|were)\b/iu;

/** "Can she get it back", "will he be able to have the number back if he changes his mind" */
const ASKS_UNDO =
  /^\W*(?:(?:and|but|so|ok|okay|hm+|wait)[\s,]+)*(?:can|could|will|would|may|might|is|are|does)\s+(?=we\s+(?:still\s+|ever\s+)?(?:get|have)\b|(?!(?:you|u|we|i)\b))[^.;!]{1,40}?\b(?:get|have|getting|bring|brought|take|taken|recover\w*|restor\w*|revers\w*|undo|undone)\b(?:[^.;!]{0,30}\bback\b|(?<=recover\w*|restor\w*|revers\w*|undo|undone))[^.;!]*\??\s*$/iu;

/** "She found it, put it back": the order that undoes the one before, whose offer is taken back. */
function ofUndone(text: string, last: string, topic: Topic, reading: Reading): Meant | undefined {
  const asksUndo = ASKS_UNDO.test(text) && isOffer(reading.of(last), reading);
  if (asksUndo) return { text, kind: 'about', before: last };
  const isOff = TAKE_OFF.test(text);
  if (!(isOff || PUT_BACK.test(text)) || !isOffer(reading.of(last), reading)) return undefined;
  const order = undoingOf(last, topic);
  // "It" is what the order gives, and never the line that gets it.
  if (order === undefined)
    return isOff
      ? {
          text,
          kind: 'unclear',
          isRead: true,
          note: `What undoes “${last}” cannot be planned before it is done. The offer is as it was`,
        }
      : BACK_TO_OLD.test(text)
        ? { text, kind: 'back', before: last }
        : undefined;
  // A change that costs is not offered to undo an order that may not have been carried out.
  return reading.of(order).operation === 'numbers_reactivate'
    ? { text, kind: 'back', before: last, undoing: order }
    : { text: order, kind: 'corrects', before: last };
}

const DAYS = 'monday|tuesday|wednesday|thursday|friday|saturday|sunday';
const SPAN = new RegExp(
  String.raw`\b(?:(?:(?:in|during|over|for|since)\s+)?(?:the\s+)?(?:this|last|past|previous)\s+(?:\d+\s+|two\s+|three\s+|few\s+)?(?:hours?|days?|weeks?|months?|night|morning|evening|weekend|${DAYS})|(?:since|on)\s+(?:last\s+)?(?:${DAYS})(?:\s+(?:morning|noon|afternoon|evening|night))?|over\s?night|(?:since\s+)?yesterday|(?:since\s+)?today|since\s+[^,.;!?]{2,30})`,
  'iu',
);
const IN_IT =
  /[\s,]+(?:(?:was|is|were|are)\s+(?:that|those|it)|(?:in|during|over|within)\s+(?:there|that(?:\s+(?:time|period|week|day|month|span))?|it|the\s+same\s+(?:time|period))|back\s+then|that\s+(?:week|day|month))[\s?.!]*$/iu;
const GOES_ON = /^\W*(?:(?:ok|okay|so|hm+)[\s,]+)*(?:and|also|what\s+about|how\s+about|of\s+(?:those|that|these))\b/iu;

/** "And how many reactivations was that" after "this week": another question for the period of the one before. */
function ofSamePeriod(text: string, last: string, now: number, reading: Reading): Meant | undefined {
  const span = SPAN.exec(last)?.[0];
  if (span === undefined || !(IN_IT.test(text) || GOES_ON.test(text)) || SPAN.test(text)) return undefined;
  if (values(text, now).some(({ kind }) => kind === 'day')) return undefined;
  const [before, own] = [reading.of(last), reading.of(text)];
  if (before.kind !== 'events' || own.kind !== 'events' || own.input.Since === before.input.Since) return undefined;
  const full = `${text.replace(IN_IT, '').replace(/[\s?.!]+$/, '')} ${span}`;
  const timed = reading.of(full);
  const isSame = timed.operation === own.operation && timed.input.Only === own.input.Only;
  return isSame && timed.input.Since === before.input.Since ? { text: full, kind: 'again', before: last } : undefined;
}

const CLAUSES = /(?<=[,;.?!])\s+/u;
const ASKS =
  /^\W*(?:(?:and|so|but|ok)\s+)*(?:what|which|how|do|does|is|are|can|could|will|when|where|who|anything)\b|\?\s*$/iu;

/** "What do I need to" before the order. */
const ASKS_NEEDS =
  /^[^,;.?!]{0,40}?\b(?:needs?|needed|required?|takes?|have)\s+(?:(?:from\s+\p{L}+|\p{L}+)\s+)??(?:to|for|before)\s+/iu;

/** Values after a question of what an operation needs: its form, with them and with what the question says. */
function ofNeeds(text: string, last: string, now: number, reading: Reading): Meant | undefined {
  const { kind, operation = '', nearest = [] } = reading.of(last);
  const isAsked = kind === 'help' && (reading.isChange(operation) || nearest.length > 0);
  if (!isAsked || ASKS.test(text) || (values(text, now).length === 0 && !/\d/.test(text))) return undefined;
  const parts = last.split(CLAUSES).filter((part) => !ASKS.test(part));
  const told = (parts.length > 0 ? parts.join(' ') : last.replace(ASKS_NEEDS, '')).replace(/[\s,;.!?]+$/, '');
  const full = `${told}, ${text}`;
  const [before, own] = [reading.of(told), reading.of(full)];
  const isMore = Object.keys(own.input).length > Object.keys(before.input).length;
  const isOwn = isOffer(own, reading) && own.operation === before.operation && !own.isInstead;
  return told !== '' && isOwn && isMore ? { text: full, kind: 'adds', before: last } : undefined;
}
