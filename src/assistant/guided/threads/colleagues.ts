import { isGated } from '../../../catalogue/operation.ts';
import { colleagueIn, DECIDES, deciderIn, queueOf, REMINDS } from '../answers/deciders.ts';
import { ofOutcome } from '../answers/follow-ups.ts';
import { ruleIn } from '../answers/rules.ts';
import { asksDecision, asksWhoDecides } from '../answers/state-questions.ts';
import { values } from '../answers/thread-values.ts';
import type { Meant, Reading, Topic } from '../answers/topics.ts';

/*
 * Messages about a colleague who decides: "did lee agree", "does that need lee", "remind him". A colleague is no customer,
 * so that a pronoun after such a message never means the customer or the line of the order.
 */

/** "When he does", "what if she says no": the effect of a decision. */
const ONCE_DECIDED = new RegExp(
  String.raw`\b(?:when|once|if|after|as\s+soon\s+as|unless|until)\s+(?:he|she|they)\s+(?:does|do|did|has|have|doesn['’]?t|don['’]?t|never|finally\s+)?\s*(?:${DECIDES}|not|yes|no|\W*$)`,
  'iu',
);

/**
 * A message about the person who decides, while a change is offered or asked for. Undefined for other messages.
 *
 * @param open the last order whose offer is open
 */
export function ofColleague(
  said: string,
  open: string | undefined,
  topic: Topic,
  { now, reading }: { now: number; reading: Reading },
): Meant | undefined {
  const isKnown = topic.colleague !== undefined;
  if (open === undefined) {
    const whose = queueOf(said);
    if (whose !== undefined)
      return {
        text: WHAT_WAITS,
        kind: 'read',
        isAside: true,
        note: `${ANYONE}: the list is not narrowed to “${whose}”`,
      };
    if (asksWhoDecides(said)) return { text: WHO_MAY, kind: 'read', isAside: true };
    const own = OWN.test(said) && deciderIn(said) !== undefined ? PERIOD.exec(said)?.[0] : undefined;
    if (own !== undefined) return { text: `what did i ask ${own}`, kind: 'read', isAside: true };
    const isDecision =
      (deciderIn(said) !== undefined || (asksDecision(said) && !ANYTHING.test(said))) &&
      reading.of(said).kind !== 'events';
    const reminded = isKnown && REMINDS.test(said);
    return isDecision || reminded ? { text: WHAT_WAITS, kind: 'read', isAside: true } : undefined;
  }
  if (asksWhoDecides(said)) return { text: said, kind: 'unclear', isRead: true, ...whoDecides(open, reading) };
  const whom = REMINDS.exec(said)?.groups?.whom ?? deciderIn(said);
  // After "text ben", the receiver is meant.
  const isOfMessage = !isKnown && reading.of(open).operation === 'message_outbound';
  if (whom !== undefined && !isOfMessage && !isCustomer(whom, open, topic, now)) {
    const state = ofOutcome(OUTCOME, open, topic, reading);
    return state && { ...state, word: { said, means: `“${open}”` } };
  }
  if (isKnown && ONCE_DECIDED.test(said)) return { text: said, kind: 'about', before: open };
  return undefined;
}

/**
 * The topic with the colleague whom a message is about. Questions about the request keep the one who was named before.
 *
 * @param isLast false for a question about the order before, which stays the last one
 */
export function withColleague(said: string, topic: Topic, before: Topic, isLast: boolean): Topic {
  const isSame = !isLast || topic.message === before.message;
  const colleague = colleagueIn(said) ?? (isSame ? before.colleague : undefined);
  const { colleague: _, ...rest } = topic;
  return colleague === undefined ? rest : { ...rest, colleague };
}

/** Asks for decisions in general, and for none that waits. */
const ANYTHING = /\b(?:anything|something|any\s+(?:requests?|changes?))\b/iu;
const ANYONE = 'Any approver may decide, but for the one who asks';
const WHAT_WAITS = 'what is waiting';
const WHO_MAY = 'who are the approvers';
const OWN = /\b(?:i|my|mine|we|our|ours)\b/iu;
const PERIOD = /\b(?:today|yesterday|this\s+(?:week|month|morning)|last\s+(?:week|night|month))\b/iu;
const OUTCOME = 'has anyone approved it yet';

/** True for a customer whom the order names: "remind ben" after an order for Ben. */
function isCustomer(whom: string, open: string, { person, colleague }: Topic, now: number): boolean {
  const name = whom.toLowerCase();
  if (name === colleague?.toLowerCase()) return false;
  const named = [person, ...values(open, now).flatMap(({ kind, text }) => (kind === 'person' ? [text] : []))];
  return named.some((one) => one?.toLowerCase().split(/\s+/).includes(name));
}

/** Says who has to confirm an offered change. */
function whoDecides(open: string, reading: Reading): Pick<Meant, 'note' | 'holders'> {
  const { operation = '', input } = reading.of(open);
  const tool = reading.toolOf(operation);
  if (!tool) return { note: SET_BY, holders: ['approver'] };
  const raised = tool.raisedBy;
  const level = isGated(tool)
    ? 'needs the yes of an approver'
    : raised === undefined
      ? 'needs the yes of any operator, also of the one who asks'
      : `needs the yes of any operator, also of the one who asks, and that of an approver for ${raised}`;
  const note = `“${ruleIn(tool, { given: input }).title}” ${level}. ${SET_BY}. “${open}” is as it was`;
  return {
    note,
    holders: isGated(tool) ? ['approver'] : raised === undefined ? ['operator'] : ['operator', 'approver'],
  };
}

const SET_BY = 'Who has which role is set by the owner (SLACK_OPERATORS, SLACK_APPROVERS)';

const PRONOUN = /\b(?:s?he(?:['’]s)?|him|they|them)\b|\bher\b(?!\s+\p{L})/iu;

const OF_CUSTOMER =
  /\b(?:is|are|was|were|has|have|does|do|did|can|will|why|when|gets?|got)\s+(?:she|he|they)\b[^.;!]*\b(?:live|active|on\s+hold|parked|suspended|cancell?ed|reactivated|activated|back\s+on(?:line)?|up\s+and\s+running|blocked|limit\w*|data|plan|package|lines?|sims?|calls?|texts?|sms|number|service|port\w*|connected|off\s+hold)\b/iu;

/**
 * A pronoun after a colleague who decides. That person is meant, whom nothing here reaches, and never the customer of the
 * order. A possessive such as "her plan" means the customer.
 */
export function ofColleaguesPronoun(text: string, { colleague, line, person }: Topic): Meant | undefined {
  const word = PRONOUN.exec(text)?.[0];
  if (colleague === undefined || word === undefined || (line === undefined && person === undefined)) return undefined;
  // A colleague has no line: "is she live again" is about the customer.
  if (OF_CUSTOMER.test(text)) return undefined;
  const note = `“${word}” is read as ${colleague}, who decides and is no customer here: write to ${colleague} yourself, or name the customer or the line`;
  return { text, kind: 'unclear', note };
}
