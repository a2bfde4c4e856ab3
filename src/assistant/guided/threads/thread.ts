import type { Shown } from '../../../language/shown.ts';
import { defined } from '../../../lib/json.ts';
import type { GuidedAnswer } from '../answers/answer.ts';
import { correction, replaced, replacedFor, saysSpelling } from '../answers/corrections.ts';
import { endingIn } from '../answers/endings.ts';
import { ofAnother, ofDetail, ofOutcome, ofPart, ofPeriod, ofReason, ofTimeBefore } from '../answers/follow-ups.ts';
import { ofKeptValue } from '../answers/kept-values.ts';
import { asksForBefore, asksSomebody } from '../answers/outside.ts';
import { asksIfLive, asksState } from '../answers/state-questions.ts';
import { isOnly, type Value, values } from '../answers/thread-values.ts';
import {
  areSameRecords,
  isOffer,
  isPort,
  type Meant,
  portOf,
  type Reading,
  type Topic,
  topicOf,
  undoingOf,
} from '../answers/topics.ts';
import { ofRouteOfLine } from '../changes/borrowed.ts';
import { ofWhichRoute } from '../changes/route-orders.ts';
import { smallTalk } from '../changes/small-talk.ts';
import { deedNounIn, isDeedOf } from '../facts/deed-nouns.ts';
import { factsOf } from '../facts/retraction.ts';
import { ofBatchBefore } from '../reads/batches.ts';
import { ofOtherSwitch } from '../sets/both-services.ts';
import { withSetBefore } from '../sets/sets.ts';
import { ofCheckedPort } from '../wordings/port-checks.ts';
import { aboutOffer, ofMissing } from './about-offer.ts';
import { ofAccountList } from './account-lists.ts';
import { ofActAtHand, ofAddedWish, ofOffered } from './act-at-hand.ts';
import { ofAddressPart } from './address-parts.ts';
import { ofAdminMail } from './admin-mails.ts';
import { exceptLines, exceptOfSet, forOtherLine, ofOnePart, onlyLines, withoutContrary } from './amendments.ts';
import { ofBareAct } from './bare-acts.ts';
import { carriedOn } from './carried-on.ts';
import { ofChosenLine } from './chosen-lines.ts';
import { ofColleague, ofColleaguesPronoun, withColleague } from './colleagues.ts';
import { withoutContraryValue } from './contrary-values.ts';
import { ofCount } from './counts.ts';
import { ofCreatedPerson } from './created-person.ts';
import { ofOtherDetail } from './detail-corrections.ts';
import { ofDropped } from './dropped.ts';
import { ofFilterBefore, onBothOffers } from './filter-additions.ts';
import { ofFilter } from './filter-threads.ts';
import { ofIdTail } from './id-tails.ts';
import { ofCircumstance, ofMessage, ofOtherRule, ofOtherService, ofPin, ofRepeat, ofServices } from './inherited.ts';
import { ofListedOne } from './listed-one.ts';
import { ofNarrower } from './narrower.ts';
import { ofNewSim } from './new-sim.ts';
import { ofNthOffer } from './nth-offer.ts';
import { asFurtherOne, ofOfferEdit, withoutOtherRole, withoutReport } from './offer-edits.ts';
import { backWithReason, behindYes, ofOpenOffer, withoutUnchanged } from './open-offer.ts';
import { partAfterNo, partOfOffer } from './open-parts.ts';
import { ofOpenPort, ofWholePort } from './open-port.ts';
import { ofOtherObject } from './other-object.ts';
import { withoutOutside } from './outside-numbers.ts';
import { isOwnTopic, withOwnLine, withOwnWords } from './own-topics.ts';
import { ofListed } from './picks.ts';
import { ofPlanBefore } from './plan-threads.ts';
import { ofPortDetail } from './port-details.ts';
import { ofPortThread } from './port-threads.ts';
import { withoutReasonFirst } from './reason-first.ts';
import { ofOtherOrder, ordinalIn, withPort, withReference } from './references.ts';
import { askedBefore, ofRemovedEntry } from './removed-values.ts';
import { ofAccountBefore, ofNewAccount, ofRouteBefore } from './route-threads.ts';
import { ofScopedRefusal } from './scoped-refusals.ts';
import { ofBeside, ofEmpty, ofUnreadList, withShown } from './shown-records.ts';
import { ofShownAmount } from './shown-values.ts';
import { ofStock } from './stock-threads.ts';
import { ofSubject, withSubject } from './subjects.ts';
import { ofTakenOver } from './taken-over.ts';
import { alikeBefore, refuses, withoutRefused } from './taking-back.ts';
import { ofOtherValue } from './value-corrections.ts';
import { ofValueNow, ofWhenDone } from './value-now.ts';
import { ofWatched } from './watched.ts';
import { ofChosen, ofListedLine } from './which-one.ts';
import { withdrawn, withdrawnFirst } from './withdrawals.ts';
import { ofWithoutService } from './without-service.ts';

/*
 * A message after the earlier ones of its writer in a thread: "sorry, 0105" corrects the last order, "it" and "her" mean
 * the line or the person named last, "what does that cost" asks about the last order, and "forget it" takes it back.
 */

/**
 * @param earlier the writer's messages before it, oldest first
 * @param now epoch ms of the writer's clock, as if it were UTC
 * @param reading the answers to messages on their own
 * @param shown the records that the answer to each earlier message showed, as far as the surface knows
 */
export function meantIn(
  text: string,
  earlier: readonly string[],
  now: number,
  reading: Reading,
  shown: readonly (Shown | undefined)[] = [],
): Meant {
  let before: Before = { last: undefined, topic: {}, offered: [] };
  for (const [at, one] of earlier.entries()) {
    const meant = meantAfter(one, before, now, reading);
    const { text: full, kind, isAside } = meant;
    const isLast = !ASIDE.has(kind) && !isAside && !isUnread(reading.of(full));
    before = {
      topic: withColleague(
        one,
        withShown(
          withSubject(withoutOutside(topicOf(meant, before.topic, now), reading.of(full)), meant, reading),
          shown[at],
          reading.of(full).facts,
        ),
        before.topic,
        isLast,
      ),
      ...(meant.choices && { choices: meant.choices }),
      isShowing: (shown[at]?.records.length ?? 0) > 0,
      isEmpty: shown[at]?.records.length === 0,
      last: kind === 'back' ? undefined : isLast ? full : before.last,
      question: isLast && reading.of(full).kind === 'lookup' ? full : before.question,
      offered: offeredAfter(meant, before.offered, reading),
    };
  }
  return meantAfter(text, before, now, reading);
}

/** True for the answer to a message in which nothing was understood: it is the subject of nothing that follows. */
function isUnread({ kind, operation, isUnread: isNothing }: GuidedAnswer): boolean {
  return kind === 'help' && operation === undefined && isNothing === true;
}

/** The state of a thread before a message: the last order or question, and what words such as "it" mean. */
interface Before {
  last: string | undefined;
  /** The last message that was answered with a look-up, in full. */
  question?: string | undefined;
  topic: Topic;
  /** The orders whose offers are open, oldest first. */
  offered: readonly string[];
  /** The lines among which the last answer asked for one. */
  choices?: NonNullable<Meant['choices']>;
  /** True if the last answer showed records. */
  isShowing?: boolean;
  /** True if it showed a list without entries. */
  isEmpty?: boolean;
}

function meantAfter(said: string, before: Before, now: number, reading: Reading): Meant {
  if (isOwnTopic(said, before, now, reading))
    return selfCorrected(said.trim(), now) ?? { text: said.trim(), kind: 'alone' };
  const nth = ofScopedRefusal(said, before.offered, reading) ?? ofNthOffer(said, before.offered, reading);
  if (nth) return nth;
  const tied = withoutUnchanged(said, meantOpen(said.trim(), before, now, reading), reading);
  const whole = withOwnWords(tied, said.trim(), now, reading);
  const open = withOwnLine(whole, said.trim(), before.offered, now, reading);
  const meant = withoutContraryValue(said, open, reading);
  const gone = meant.gone ?? (meant.kind === 'back' ? meant.before : meant.open);
  const also = gone === undefined ? [] : alikeBefore(gone, before.offered, reading);
  return also.length === 0 ? onBothOffers(meant, before.offered, reading) : { ...meant, also };
}

/** The meaning of a message, which may take back what is offered, also after another answer in between. */
function meantOpen(said: string, before: Before, now: number, reading: Reading): Meant {
  const { last, offered, choices } = before;
  const chosen = choices && ofChosen(said, choices, now);
  if (chosen) return chosen;
  const open = last !== undefined && isOffer(reading.of(last), reading) ? last : offered.at(-1);
  // After a look-up, it ends no line that only this look-up named.
  if (open !== undefined && open !== last && ONLY_CANCEL.test(said))
    return { text: said, kind: 'back', before: open, isCancel: true };
  const refused = open === undefined ? undefined : ofRefusedText(said, open, reading);
  if (refused) return refused;
  const act =
    (open === undefined ? undefined : ofWhenDone(said, open, before.topic, reading)) ??
    ofActAtHand(said, before, now, reading) ??
    ofWatched(said, before, now, reading);
  if (act) return act;
  const question = askedBefore(said, last, before.question, reading);
  if (question !== undefined) return meantAlone(said, { ...before, last: question }, now, reading);
  const meantOf = (part: string) => meantAlone(part, before, now, reading);
  const colleague = ofColleague(said, open, before.topic, { now, reading });
  if (colleague) return colleague;
  if (open === undefined) {
    const dropped = last === undefined ? undefined : ofDropped(said, last, isBack, reading);
    if (dropped) return dropped;
    const meant = (last === undefined ? undefined : behindYes(said, meantOf, reading)) ?? meantOf(said);
    return (
      (NEW.has(meant.kind) && last !== undefined ? ofNarrower(said, last, before.topic, reading) : undefined) ?? meant
    );
  }
  const stays = ofKeptValue(said, open, reading);
  if (stays) return stays;
  const bare =
    withoutReasonFirst(said, now) ??
    withoutReport(said, open, reading) ??
    asFurtherOne(said, now) ??
    withoutOtherRole(said, open);
  if (bare !== undefined) return meantOpen(bare, before, now, reading);
  const all = offered.includes(open) ? offered : [...offered, open];
  const added = ofAddedWish(said, (part) => meantOpen(part, before, now, reading));
  if (added) return added;
  const edited =
    ofOfferEdit(said, open, now, reading) ??
    ofOtherDetail(said, open, reading) ??
    ofOtherObject(said, open, before.topic, reading) ??
    ofWithoutService(said, open, reading) ??
    ofWholePort(said, open, reading) ??
    ofValueNow(said, open, before.topic, reading) ??
    ofOpenOffer(said, all, reading) ??
    ofAddressPart(said, all, reading) ??
    ofMissing(said, open, reading);
  if (edited) return edited;
  const state = asksState(said) || asksIfLive(said) ? ofOutcome(said, open, before.topic, reading) : undefined;
  if (state) return state;
  const alone = meantOf(said);
  // A question in between is not what "wrong line, 0106" corrects.
  const isRead = alone.kind === 'corrects' && last !== undefined && !isOffer(reading.of(last), reading);
  const again = isRead ? meantAlone(said, { ...before, last: open }, now, reading) : alone;
  const own = ofOpen(again.kind === 'corrects' ? again : alone, open, last, reading);
  const replaced = ofOffered(said, own, all, now, reading);
  if (replaced) return replaced;
  const first = withdrawnFirst(said, own, open, { now, reading, meantOf });
  const gone = first ?? withdrawn(said, own, open, now, reading) ?? backWithReason(said, own, open, isBack, reading);
  const instead = (gone ?? own).kind === 'back' ? partAfterNo(said, all, reading) : undefined;
  if (instead ?? gone) return instead ?? gone ?? own;
  const isSameOrder =
    reading.of(own.text).operation === reading.of(open).operation &&
    areSameRecords(reading.of(own.text), reading.of(open));
  const ofPort = ofOpenPort(said, own, all, reading);
  if (ofPort) return ofPort;
  const part =
    NEW.has(own.kind) || (AGAIN_SO.has(own.kind) && isSameOrder) ? partOfOffer(said, all, reading) : undefined;
  return part ?? withReplaced(own, open, reading);
}

const ONLY_CANCEL =
  /^\W*(?:(?:ok|okay|please|pls|no|sorry|actually|wait)[\s,]+)*cancel(?:\s+(?:please|pls))?[\s.!]*$/iu;

const NO_TEXT =
  /^\W*(?:(?:ok|okay|please|pls|no|nope|sorry|actually|wait|better)[\s,]+)*(?:do\s*n['’]?o?t|do\s+not|never)\s+(?:text|message|sms|send|tell|write(?:\s+to)?|notify|inform)(?:\s+(?:it|that|this|anything|(?:it\s+)?to\s+(?:him|her|them)|him|her|them|(?<name>\p{L}+)(?:\s+\p{L}+)?))?(?:\s+(?:yet|now|please|pls|any\s?more|after\s+all))*(?:[\s.!]*$|\s*[,;–—-]\s*(?:s?he|they|it|customer|because|cause|that)\b)/iu;

/** "Don't text Ben, he is annoyed" after an offer to text him. The refusal of a text to another person is no text itself. */
function ofRefusedText(said: string, open: string, reading: Reading): Meant | undefined {
  const found = /["“„:]|\d{4}/.test(said) ? null : NO_TEXT.exec(said);
  if (!found || reading.of(open).operation !== 'message_outbound') return undefined;
  const name = found.groups?.name?.toLowerCase();
  const isOf = name === undefined || open.toLowerCase().includes(name);
  return isOf ? { text: said, kind: 'back', before: open } : { text: said, kind: 'alone' };
}

/** A message with a further offer, and the offer whose place it may take. */
function withReplaced(meant: Meant, open: string, reading: Reading): Meant {
  const isNew = meant.kind === 'read' || meant.kind === 'refers';
  const isOther = isNew && meant.open === undefined && isOffer(reading.of(meant.text), reading);
  return isOther ? { ...meant, open } : meant;
}

/** "Ok leave it" after a question about the line takes back the offer, and not the question. */
function ofOpen(meant: Meant, open: string, last: string | undefined, reading: Reading): Meant {
  const isOfLast = meant.kind === 'back' && meant.before === last;
  return isOfLast && last !== undefined && !isOffer(reading.of(last), reading) ? { ...meant, before: open } : meant;
}

/** Kinds of messages that no rule for the last order reads. */
const NEW: ReadonlySet<Meant['kind']> = new Set(['alone', 'refers', 'unclear']);
/** Kinds of messages that repeat an order, perhaps for the same record. */
const AGAIN_SO: ReadonlySet<Meant['kind']> = new Set(['read', 'again']);

/** The open offers after a message. */
function offeredAfter(
  { kind, text, before, gone, also = [] }: Meant,
  offered: readonly string[],
  reading: Reading,
): string[] {
  const isGone = kind === 'back' || kind === 'corrects' || kind === 'adds';
  const ended = isGone ? before : gone;
  const left = offered.filter((one) => one !== ended && !((isGone || gone !== undefined) && also.includes(one)));
  const isOffered = kind !== 'back' && !ASIDE.has(kind);
  return isOffered && isOffer(reading.of(text), reading) ? [...left, text] : left;
}

/** Kinds of messages after which the last order is still the last one. */
const ASIDE: ReadonlySet<Meant['kind']> = new Set(['cost', 'about', 'missing', 'unclear', 'which']);

function meantAlone(said: string, { last, topic, isShowing, isEmpty }: Before, now: number, reading: Reading): Meant {
  const text = said.trim();
  const repeat = ofRepeat(text, last, topic, reading);
  if (repeat) return repeat;
  const fewer = last === undefined ? undefined : (exceptOfSet(text, last, reading) ?? ofListedOne(text, last, reading));
  if (fewer) return fewer;
  const filter =
    last === undefined
      ? undefined
      : (ofCreatedPerson(text, last, reading) ??
        ofChosenLine(text, last, reading) ??
        ofFilterBefore(text, last, reading));
  if (filter) return filter;
  if (last !== undefined) {
    const isShown = topic.subject?.isList === true || (isShowing === true && topic.subject?.isBeside === undefined);
    const listed = isShown ? ofSubject(text, topic.subject, now, reading) : undefined;
    if (listed?.kind === 'refers') return listed;
    const one = isShowing && topic.listed ? ofListedLine(text, topic, now, reading) : undefined;
    if (one) return one;
    const none = isEmpty ? ofEmpty(text, now, reading) : undefined;
    if (none) return none;
    const batch = ofBatchBefore(text, last);
    if (batch !== undefined) return { text: batch, kind: 'read' };
    const ended = endedBy(text, { last, topic }, now, reading);
    if (ended) return ended;
    if (isBack(text)) return { text, kind: 'back', before: last };
    if (asksForBefore(text) && isOffer(reading.of(last), reading)) return { text, kind: 'back', before: last };
    if (UNDOING.test(text) && isOffer(reading.of(last), reading)) return { text, kind: 'about', before: last };
    // "Is it free" asks whether a number that is to be assigned has a holder.
    const isHeld = /\bfree\b(?!\s+of\s+charge)/i.test(text) && /\b(?:give|assign|hand)\b/i.test(last);
    if (isHeld && COST.test(text) && topic.line !== undefined)
      return { text: `who has ${topic.line}`, kind: 'refers', word: { said: 'it', means: topic.line }, open: last };
    if (COST.test(text) && ASKS_AMOUNT.test(text) && values(text, now).length === 0)
      return { text, kind: 'cost', before: last };
    if (WHY_COST.test(text) && values(text, now).length === 0) return { text, kind: 'cost', before: last };
    const asked = aboutOffer(text, last, now, reading);
    if (asked) return asked;
    const ofSet = withSetBefore(text, last);
    if (ofSet !== undefined) return { text: ofSet, kind: 'read' };
    const outcome =
      ofCount(text, last, reading) ??
      ofAdminMail(text, last, reading) ??
      ofCheckedPort(text, last, reading) ??
      ofAccountList(text, last, reading) ??
      ofPortThread(text, last, reading) ??
      ofPortDetail(text, last, topic, reading) ??
      ofBareAct(text, last, topic, now, reading) ??
      ofIdTail(text, last, reading) ??
      ofRouteOfLine(text, last, topic) ??
      ofStock(text, last, reading) ??
      ofWhichRoute(text, last) ??
      ofRouteBefore(text, last, reading) ??
      ofAccountBefore(text, last, reading) ??
      ofNewAccount(text, last, reading) ??
      ofPlanBefore(text, last, topic, reading) ??
      ofPin(text, last, reading) ??
      ofNewSim(text, last, topic, now, reading) ??
      ofListed(text, last, topic, reading) ??
      ofTakenOver(text, last, topic, now, reading) ??
      carriedOn(text, last, topic, now, reading) ??
      ofFilter(text, last, topic, reading) ??
      ofShownAmount(text, last, topic, now, reading) ??
      ofOutcome(text, last, topic, reading) ??
      ofCircumstance(text, { last, topic, now }, reading) ??
      ofPeriod(text, last, reading) ??
      ofMessage(text, last, now, reading) ??
      ofOtherRule(text, last, now, reading) ??
      ofServices(text, last, reading) ??
      ofOtherService(text, last, topic, reading) ??
      ofOtherSwitch(text, last, reading) ??
      ofAnother(text, last, now, reading) ??
      ofTimeBefore(text, last, reading);
    if (outcome) return outcome;
    const also = ALSO.exec(text)?.groups?.what?.replace(VERB, (found, verb: string) =>
      last.includes(verb) ? '' : found,
    );
    const isBound = also !== undefined && ofSubject(text, topic.subject, now, reading)?.kind === 'refers';
    const more =
      also === undefined || isBound ? undefined : (replaced(last, also, now) ?? forOtherLine(last, also, now));
    if (more !== undefined) return { text: more, kind: 'again', before: last };
    const again = AGAIN.exec(text);
    if (again) {
      const words = text.slice(again[0].length);
      const isFor = /\bfor\s+$/i.test(again[0]);
      const full =
        (isFor ? replacedFor(last, words, now) : undefined) ??
        replaced(last, words, now) ??
        forOtherLine(last, words, now);
      const isAsked = /\babout\s+$/i.test(again[0]) && isOffer(reading.of(last), reading);
      if (full !== undefined && !isAsked) return { text: full, kind: 'again', before: last };
    }
    if (PORTS_IN.test(last)) {
      const detail = ofDetail(text, last, now, reading);
      if (detail) return detail;
    }
    if (
      PORTS_IN.test(last) &&
      ADDS.test(text) &&
      !values(text, now).some(({ kind }) => kind === 'number' || kind === 'digits')
    )
      return { text: `${last}, ${text}`, kind: 'adds', before: last };
    const part = ofPart(text, last, now, reading);
    if (part) return part;
    const except =
      exceptLines(text, last, topic, now, reading) ??
      onlyLines(text, last, now, reading) ??
      withoutRefused(text, last, topic, now, reading);
    if (except) return except;
    if (saysSpelling(text, last, now))
      return { text, kind: 'unclear', note: `Write the name in full. “${last}” is as it was` };
    const changed = ofOtherValue(text, last, now, reading) ?? changedBy(text, last, now, reading);
    if (changed) return changed;
    const reason = ofReason(text, last, now, reading);
    if (reason) return reason;
    const onePart = ofOnePart(text, last, now, reading, (one) => changedBy(one, last, now, reading));
    if (onePart) return onePart;
    const decided = smallTalk(text);
    if (decided?.why?.startsWith('Words decide') && reading.of(last).kind === 'events')
      return { text: last, kind: 'again', before: last, note: BY_BUTTON };
    const ordinal = topic.lines === undefined && topic.listed === undefined ? ordinalIn(text) : undefined;
    if (ordinal !== undefined)
      return {
        text,
        kind: 'unclear',
        note: `Which record “${ordinal}” is cannot be told here. Use its button in the list, or write its number or its name`,
      };
    const other = ofOtherOrder(text, last);
    if (other !== undefined) return { text: other, kind: 'again', before: last };
    const port = withPort(text, last, (one) => isPort(reading.of(one)));
    if (port !== undefined) return { text: port, kind: 'read' };
  }
  if (asksSomebody(text) || (asksForBefore(text) && topic.line === undefined) || smallTalk(text)?.why !== undefined)
    return { text, kind: 'alone' };
  const own = selfCorrected(text, now);
  const isLeft = last !== undefined && isOffer(reading.of(last), reading);
  const alone: Meant = { text, kind: 'alone', ...(isLeft && { before: last }) };
  const again = topic.listed && isShowing && last !== undefined ? ofUnreadList(text, last, reading) : undefined;
  const meant =
    own ??
    ofRemovedEntry(text, topic) ??
    ofListedLine(text, topic, now, reading) ??
    ofBeside(text, topic, now, reading) ??
    ofSubject(text, topic.subject, now, reading) ??
    ofColleaguesPronoun(text, topic) ??
    withReference(text, topic, now, reading) ??
    again ??
    alone;
  const open = isLeft && meant.kind !== 'corrected' && goesOn(text) ? { open: last } : {};
  return { ...meant, ...open, ...noteOn(meant, topic, reading) };
}

/** The last order with what a message changes in it or adds to it. Undefined for other messages. */
function changedBy(said: string, last: string, now: number, reading: Reading): Meant | undefined {
  const own = reading.of(said);
  // A text with its own receiver is another message.
  if (own.operation === 'message_outbound' && own.input.Body !== undefined && (own.find ?? own.input.To) !== undefined)
    return undefined;
  // "No wait, not 0104, suspend 0105" is the whole order.
  const bare = said.replace(REFUSES_FIRST, '');
  if (bare !== said && reading.of(bare).operation === reading.of(last).operation && isOffer(reading.of(bare), reading))
    return { text: bare, kind: 'corrects', before: last };
  const plain = isOffer(reading.of(last), reading) ? withoutContrary(said, now) : undefined;
  const text = plain ?? said;
  const both = /^(?<first>.*?\d.*?)\s*(?:,|\band\b)+\s*(?:also\s+)?(?<second>\p{L}.*\d.*)$/isu.exec(said)?.groups;
  const start = both && CORRECTS.test(said) ? correction(both.first ?? '', last, now) : undefined;
  const more = start === undefined ? undefined : ofDetail(both?.second ?? '', start, now, reading);
  if (more?.kind === 'adds') return { text: more.text, kind: 'corrects', before: last };
  const corrected =
    correction(said, last, now) ?? (plain === undefined ? undefined : correction(`no, ${plain}`, last, now));
  if (corrected !== undefined) return { text: corrected, kind: 'corrects', before: last };
  const detail = ofDetail(text, last, now, reading);
  if (detail || !isOffer(reading.of(last), reading)) return detail;
  // "Make it Friday", of an order without a day, and a day that is the one of the order anyway.
  const [day, ...others] = values(text, now);
  const isDay =
    reading.of(last).operation !== 'message_outbound' &&
    day?.kind === 'day' &&
    others.length === 0 &&
    (plain !== undefined || (isOnly(day, text) && !/\bnot\b|n['’]t\b/i.test(text)));
  return isDay && !/[?]/.test(said)
    ? { text: replaced(last, day.text, now) ?? `${last} ${day.text}`, kind: 'corrects', before: last }
    : undefined;
}

const REFUSES_FIRST = /^\W*(?:(?:no+|nope|wait|oh|sorry|oops|hold\s+on|stop)[\s,.!]+)+(?=not\s)/i;

/** True for a message that reads as a part of a conversation, and not as a new request. */
function goesOn(text: string): boolean {
  return GOES_ON.test(text) || (text.match(/[\p{L}\d]+/gu) ?? []).length <= MOST_WORDS;
}

const BY_BUTTON = 'Words decide nothing: press the button of the request, in the list or on its card';
const MOST_WORDS = 3;
const GOES_ON =
  /^\W*(?:and|but|no|nope|not|try|also|instead|or|only|just|except|what\s+about|how\s+about|ok|okay|wait|sorry|actually|lol|then)\b|\b(?:it|that|this|them|these|those|instead|too|him|her|there)\W*$/iu;

/** A message that ends what the one before is about: "cancel it", "call it off", "he wants to stay". Undefined for others. */
function endedBy(
  text: string,
  { last, topic }: { last: string; topic: Topic },
  now: number,
  reading: Reading,
): Meant | undefined {
  const hasValues = (part: string) => values(part, now).some(({ kind }) => kind !== 'person');
  const isOpen = isOffer(reading.of(last), reading);
  const ending = endingIn(text, hasValues, (part) => isOpen && refuses(part, last, now));
  if (!ending || /[,;.]\s*(?:oh\s+)?(?:no[\s,]+wait|wait[\s,]+no)\b/i.test(text)) return undefined;
  const { says, verb, object } = ending;
  const answer = reading.of(last);
  // "Not her, Ben" and "Ben called, cancel it" name someone else.
  const isOther = ({ kind, text: name }: Value) => kind === 'person' && name !== topic.person && !last.includes(name);
  const isElse = says !== 'stays' && values(text, now).some(isOther);
  const deed = deedNounIn(object ?? '');
  const isOwn = deed === undefined || isDeedOf(deed, answer.operation);
  if (isOwn && isOffer(answer, reading))
    return isElse
      ? undefined
      : {
          text,
          kind: 'back',
          before: last,
          ...(verb === 'cancel' && deed === undefined && { isCancel: true as const }),
          ...((UNDOES.test(verb) || verb === 'remove') && defined({ undoing: undoingOf(last, topic) })),
        };
  if (says === 'back') return undefined;
  const line = topic.line ?? topic.person;
  if (deed !== undefined && line !== undefined) return { text: `${verb} ${object} on ${line}`, kind: 'read' };
  const isNamed = /\bport/iu.test(object ?? '') && topic.line !== undefined;
  const port =
    portOf(topic, reading) ??
    (isNamed ? `the port of ${topic.line}` : isPort(answer) ? 'the port-in order' : undefined);
  if (port !== undefined) {
    const order = `cancel ${port}`;
    if (object === undefined) return { text: order, kind: 'read' };
    return { text: order, kind: 'refers', word: { said: object, means: port } };
  }
  if (says !== 'cancel') return undefined;
  if (isElse) return undefined;
  const said = object ?? verb;
  const means = topic.line ?? topic.person;
  if (UNDOES.test(verb)) {
    const order = undoingOf(last, topic);
    if (order !== undefined) return { text: order, kind: 'read' };
    return means === undefined ? { text, kind: 'unclear', note: unclear(said) } : undefined;
  }
  if (topic.lines !== undefined && means === undefined) return undefined;
  if (means === undefined)
    return isBack(text) && verb !== 'cancel' ? undefined : { text, kind: 'unclear', note: unclear(said) };
  if (verb !== 'cancel') return undefined;
  const contrary = undoingOf(topic.message ?? '', topic);
  if (contrary !== undefined)
    return { text, kind: 'unclear', note: `What “${said}” means is unclear. Write “cancel ${means}” or “${contrary}”` };
  return { text: `cancel ${means}`, kind: 'refers', word: { said, means } };
}

const UNDOES = /^(?:undo|reverse|revert|lift)$/;
function unclear(said: string): string {
  return `What “${said}” means is unclear, because your messages before name no line, no customer and no order. Write it in full, such as “cancel 0103” or “cancel the port of NUMBER”`;
}

/** Asks for the form first, since a customer named only there has no lines yet. */
function noteOn({ text }: Meant, { message, person }: Topic, reading: Reading): Pick<Meant, 'note'> {
  if (message === undefined || person === undefined || text === message || !text.includes(person)) return {};
  if (reading.of(message).operation !== 'subscribers_create') return {};
  return { note: `“${person}” is no customer yet: send the form of “${message}” first` };
}

/** Begins the part of a message that corrects what is before it. */
const SLIP =
  /[\s,;.!–—-]+(?=(?:no|nope|wait|sorry|oops|ups|whoops|actually|i\s+meant?|correction|rather|make\s+(?:it|that)|argh|damn|or\s+rather)\b)/giu;

const MOST_SLIPS = 4;
/** "0103 gets no codes" says what there is none of. */
const LACKS = /\b(?:gets?|getting|got|has|have|had|is|are|was|theres|there['’]s|shows?|receives?|sees?|with|still)$/iu;

/** A message with the value that its own end gives instead: "cancel 0104, no wait, 0105". Undefined for others. */
function selfCorrected(text: string, now: number): Meant | undefined {
  const { leftOut, message } = factsOf(text, now);
  // "0103, no, not 0103, 0104" is read with what it leaves out, and the text of a message as it is.
  if (leftOut.length > 0 || message !== undefined) return undefined;
  // Each slip reads the whole message again.
  for (const { index, 0: gap } of [...text.matchAll(SLIP)].slice(0, MOST_SLIPS)) {
    const before = text.slice(0, index);
    if (LACKS.test(before) && /^\s+$/u.test(gap)) continue;
    const full = index === 0 ? undefined : correction(text.slice(index + gap.length), before, now);
    if (full !== undefined) return { text: full, kind: 'corrected', before };
  }
  return undefined;
}

/** "Actually 2 and warn at 1.5" */
const CORRECTS = /^\W*(?:(?:lol|oh|ok|wait|no)[\s,]+)*(?:no|nope|actually|sorry|wait|make|rather|better|i\s+mean)\b/i;

/** Asks whether the last order can be undone, what it does, or how long it takes. */
const UNDOING =
  /^\W*(?:(?:and|ok|okay|so|but|wait|hm+|well|hey)[\s,]+)*(?:(?:is|can|could|will|would)\s+(?:that|it|this)\s+(?:be\s+)?(?:still\s+|later\s+)?(?:reversible|undone|reversed|undo|taken\s+back|reverted|permanent|final|reactivated)|(?:can|could)\s+(?:i|we|you)\s+(?:still\s+|later\s+)?(?:undo|reverse|revert)\s+(?:that|it|this)|how\s+(?:do|can|would)\s+(?:i|we)\s+(?:undo|reverse|revert)\s+(?:that|it|this)|(?:until|till|for\s+how\s+long|how\s+long|till\s+when|until\s+when)(?:\s+when)?\s+(?:does|will|would|is)\s+(?:that|it|this|he|she|the\s+(?:hold|line))\s+(?:last|stay|be|remain|going\s+to\s+last)(?:\s+on\s+hold|\s+parked|\s+off)?|(?:for\s+)?how\s+long\s+(?:can|could|do)\s+(?:i|we)\s+(?:still\s+)?(?:have\s+to\s+)?(?:undo|reverse|revert)\s+(?:that|it|this)|what\s+(?:does|will|would)\s+(?:that|it|this)\s+(?:do|mean|change)|how\s+long\s+(?:does|will|would)\s+(?:that|it|this)\s+take|what\s+happens\s+(?:then|next|after(?:\s+that)?))(?:\s+(?:exactly|then|later|afterwards|again|if\s+\p{L}+\s+\p{L}+))*[\s.!?]*$/iu;

const END = String.raw`[\s.!?]*$`;
const COST = new RegExp(
  String.raw`^\W*(?:(?:and|ok|okay|so|but|wait|hm+|please|well|hey|sure|thx|thanks|thank\s+you|cool|great|oh|ty|alright)[\s,]+)*(?:(?:what|hows?\s+much)(?:['’]?s|\s+(?:does|do|would|will|is|are|was))?\s+(?:(?:the\s+)?(?:costs?|price|charge|fee)\s*(?:of|for)?\s*)?(?:that|it|this|they|them|we\s+pay|the\s+(?:customer|fee|cost|price|charge))?(?:\s+(?:going\s+to\s+|gonna\s+)?(?:costs?|be|charged?|for\s+(?:that|it|this)|per\s+month))*(?:\s+(?:us|me|them|her|him|the\s+customer|then|exactly|anyway|altogether|in\s+total|before|roughly|about|now|really))*|hows?\s+much|(?:(?:the|its|that['’]?s)\s+)?(?:price|costs?|fees?|charges?)|(?:does|will|would|is)\s+(?:that|it|this)\s+(?:costs?|free|billed|charged|cost\s+(?:anything|something|us|me)|cost\s+money|free\s+of\s+charge|for\s+free)(?:\s+\w+)?|(?:is|are)\s+there\s+(?:an?|any)\s+(?:fees?|charges?|costs?)(?:\s+for\s+(?:that|it|this))?|any\s+(?:fees?|charges?|costs?)(?:\s+for\s+(?:that|it|this))?)(?:[\s,]+(?:tho|though|then|pls|please|again|btw|first|rn|ish|or\s+not|at\s+all|anything))*${END}`,
  'i',
);
/** "Why does it cost?" */
const WHY_COST =
  /^\W*(?:(?:and|ok|okay|so|but|wait|hm+|huh|wow)[\s,]+)*why\s+(?:(?:is|does|do|would|so|are|that|it|this|they|we|the|customer)\s+)*(?:costs?|expensive|much|charged?|pay|fees?|money)\b[^?!.]{0,30}[\s?!.]*$/i;
const ASKS_AMOUNT = /\b(?:cost|much|price|charge|fee|free|billed|pay)/i;
const BACK = new RegExp(
  String.raw`^\W*(?:(?:oh|ah|ok|okay|hm+|wait|sorry|please|pls|actually|well|stop|no+|nope|nah)[\s,.!]+)*(?:no+(?:\s+thanks?(?:\s+you)?)?|nope|nah|forget(?:\s+(?:about\s+)?(?:it|that|this))?|never\s*mind|nvm|scratch\s+(?:that|it)|drop\s+(?:it|that)|skip\s+(?:it|that|this)|leave\s+(?:it|that)(?:\s+(?:be|alone|as\s+(?:it\s+)?is))?|cancel\s+(?:that|my\s+request|the\s+request|the\s+change)|undo\s+that|stop(?:\s+(?:it|that))?|don['’]?t(?:\s+(?:do\s+)?(?:it|that))?|do\s+not(?:\s+do\s+(?:it|that))?|not\s+(?:needed|any\s*more|(?:right\s+)?now|yet|today|tonight|this\s+(?:week|month))|no\s+need|take\s+(?:it|that)\s+back|withdraw(?:\s+(?:it|that|this|my\s+request))?|changed\s+my\s+mind|i\s+changed\s+my\s+mind|on\s+second\s+thoughts?(?:\s+no)?|abort|better\s+not|rather\s+not|(?:(?:put|set|turn|change|make)\s+)?(?:(?:it|that|this|everything)\s+)?back\s+to\s+(?:how|what|the\s+way)\s+(?:it|that|this|he|she|they|things)\s+(?:was|were|had\s+been)(?:\s+before)?)(?:[\s,]+(?:please|pls|thanks?|thank\s+you|then|for\s+now|after\s+all|sorry))*${END}`,
  'i',
);

/** True for a message that takes the last order back. */
export function isBack(text: string): boolean {
  return BACK.test(text);
}

/** "And 0105?", "same for 0105": the last order for another line. */
const AGAIN =
  /^\W*(?:(?:please|ok|okay|now|thanks|great)[\s,]+)*(?:(?:and|also|plus)\s+(?:(?:the\s+)?same\s+)?(?:(?:for|on|with|to|of)\s+)?|(?:do\s+)?(?:the\s+)?same\s+(?:thing\s+)?(?:again\s+)?(?:for|on|with|to|of)\s+|(?:and\s+)?(?:what|how)\s+about\s+)(?=[#…*]*(?:\+?\d|\p{Lu}))/iu;

/** "0103 as well" */
const ALSO = /^(?<what>[\s\S]{2,60}?)[\s,]+(?:as\s+well|too|also)(?:[\s,]+(?:please|pls|plz|thanks))*[\s.!?]*$/i;

/** The verb at the head of "block 2125550177 too". */
const VERB = /^\W*(?:(?:please|pls|and|also)\s+)*(\p{L}+)\s+/u;

/** An order to port a number in, and what such an order needs besides. */
const PORTS_IN =
  /^(?!.*\b(?:out|away|cancel\w*|stop|check|status|where|why)\b).*\b(?:port(?:ing)?|bring|transfer)\b.*\d{3}/is;
const ADDS =
  /^\W*(?:(?:and|ok|okay|so|also|yes|here|sure|the|his|her|their|my|its|customer['’]?s)[\s,:]+)*(?:(?:current|old|losing)\s+)?(?:(?:account|acct|acc|a\/c)\b|pin\b|passcode\b|zip\b|carrier\b|provider\b|billing\b|(?:authori[sz]ed\s+|subscriber\s+|contact\s+)?(?:name|person)\b|address\b|(?:he|she|they)\s+(?:is|are)\s+with\b|from\s+\p{L}+\W*$)/iu;
