import { wordsOf } from '../../../language/sentence.ts';
import type { GuidedAnswer } from '../answers/answer.ts';
import type { Meant, Part, Reading, Topic } from '../answers/topics.ts';
import { exceptionsIn } from '../sets/exceptions.ts';

/*
 * Messages that narrow a list which was shown, or ask for another field of its record: "the voip one only", "and for
 * globex?", "and the sim?". The question before is asked again with what the message adds, and has to stay the same question.
 */

const MAX_LENGTH = 60;
const MOST_WORDS = 5;
const LEAD =
  /^\W*(?:(?:ok|okay|so|and|or|but|also|now|please|pls|hm+|only|just|show|me|the\s+ones|those|(?:is|are)\s+(?:there\s+)?any(?:\s+of\s+(?:them|those|these))?|any(?:\s+of\s+(?:them|those|these)|\s+(?:that|which)\s+(?:are|is))?|which\s+(?:ones?\s+)?(?:of\s+(?:them|those|these)\s+)?are|what\s+about|how\s+about)\b[\s,]*)+/iu;
const TAIL = /(?:[\s,]+(?:only|ones?|lines?|numbers?|too|please|pls|then))*[\s.!?]*$/iu;
/** A message that asks, orders or refuses is no part of the question before. */
const OTHER =
  /\b(?:who|what|why|when|where|how|which|is|are|was|were|do|does|did|has|have|can|could|will|would|not|no|dont|it|him|her|them|he|she|they|that|this)\b|n['’]t\b/iu;

const OTHER_FIELD =
  /^\W*(?:(?:ok|okay|so|and)\s+)*(?:and|what\s+about|how\s+about|also)\s+(?:the|his|her|its|their)\s+(?<field>\p{L}+(?:\s+\p{L}+)?)[\s?.!]*$/iu;

/** "And the sim?": another field of the line that was asked about. */
function ofOtherField(text: string, { line, person }: Topic): Meant | undefined {
  const field = OTHER_FIELD.exec(text)?.groups?.field;
  const whom = line ?? person;
  if (field === undefined || whom === undefined || !wordsOf(field).some(({ things }) => things.length > 0))
    return undefined;
  return { text: `what is the ${field} of ${whom}`, kind: 'read' };
}

/** The question before with what the message adds, or with another field. Undefined for other messages. */
export function ofNarrower(text: string, last: string, topic: Topic, reading: Reading): Meant | undefined {
  const before = reading.of(last);
  const other = isList(before) ? ofOtherField(text, topic) : undefined;
  if (other) return other;
  const added = text.replace(LEAD, '').replace(TAIL, '').trim();
  const isShort = text.length <= MAX_LENGTH && added !== '' && added.split(/\s+/).length <= MOST_WORDS;
  const isLess = exceptionsIn(`${last} ${added}`).except.length > exceptionsIn(last).except.length;
  if (!isShort || (added === text.trim() && !isLess) || (OTHER.test(added) && !isLess) || !isList(before))
    return undefined;
  if (wordsOf(added).some(({ acts, isPast }) => !isPast && acts.some((act) => act !== 'trouble'))) return undefined;
  const rest = last.replace(/[\s.!?]+$/, '');
  const plain = added.replace(/^(?:the|an?)\s+/iu, '');
  const full = [`${rest}, ${added}`, `${rest} ${added}`, `${plain} ${rest}`, `${rest} for ${plain}`].find((one) =>
    isNarrower(reading.of(one), before),
  );
  if (full !== undefined) return { text: full, kind: 'again', before: last };
  const part = partIn(added, before, reading) ?? partIn(`${plain} lines`, before, reading);
  if (!part) return undefined;
  reading.join(`, ${added}`, part);
  return { text: `${rest}, ${added}`, kind: 'again', before: last };
}

/** The part of the question that the message says by itself: "the voip one", or a customer for a list of events. */
function partIn(added: string, before: GuidedAnswer, reading: Reading): Part | undefined {
  const own = reading.of(added);
  const { operation = '' } = before;
  if (!isList(own) || own.wordsLeft || own.facts) return undefined;
  const isFree = Object.keys(own.input).every((name) => before.input[name] === undefined);
  if (own.operation === operation && isFree && !own.find) return { operation, input: own.input, left: [] };
  const { Query, ...rest } = own.input;
  const isName = own.operation === 'numbers_find' && typeof Query === 'string' && Object.keys(rest).length === 0;
  if (before.kind !== 'events' || before.find || !isName || own.operation === operation) return undefined;
  return { operation, input: {}, left: [], find: { operation: 'numbers_find', input: own.input } };
}

function isList({ kind, operation, isInstead }: GuidedAnswer): boolean {
  return (kind === 'lookup' || kind === 'events') && operation !== undefined && !isInstead;
}

/** True if an answer is the one before with more of its fields, and nothing of the message is lost. */
function isNarrower(own: GuidedAnswer, before: GuidedAnswer): boolean {
  const values = ({ input, find }: GuidedAnswer) => Object.entries({ ...find?.input, ...input });
  const known = values(before).map((one) => JSON.stringify(one));
  const all = values(own).map((one) => JSON.stringify(one));
  // Of a list of events, the part may be an outcome: "any stuck?"
  const isPart =
    before.narrow === undefined && (own.narrow?.outcome !== undefined || own.narrow?.without !== undefined);
  const isSame =
    isList(own) &&
    (isPart || JSON.stringify(own.narrow) === JSON.stringify(before.narrow)) &&
    own.operation === before.operation &&
    known.every((one) => all.includes(one));
  const isTold = (own.remarks ?? '').includes('Not taken') && !(before.remarks ?? '').includes('Not taken');
  return isSame && (isPart || all.length > known.length) && !isTold && !own.wordsLeft;
}
