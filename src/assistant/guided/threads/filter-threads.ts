import { FEATURES_SET, GUARD_READS, TRAFFIC } from '../../../../tools/surfaces/guard.ts';
import type { GuidedAnswer } from '../answers/answer.ts';
import { isOffer, type Meant, type Reading, type Topic } from '../answers/topics.ts';

/*
 * Messages about the filters that were shown: "take 0150 off it", "put it on the ones who may call", "block that sender",
 * "turn it off for calls only".
 */

const LEAD = String.raw`^\W*(?:(?:ok|okay|so|then|and|please|pls|can|could|you|u|we|i|let['’]?s|just|now|no|also)[\s,]+)*`;
const CALLER = String.raw`(?<caller>[#…*]*\d{4}|\+?[\d(][\d\s().-]{8,16}\d|it|that|this|him|her|them)`;
const OFF = new RegExp(
  String.raw`${LEAD}(?:take|remove|get|drop|delete|strike|pull|let)\s+(?:(?:the\s+)?number\s+)?${CALLER}\s+(?:off|out|from)\b(?<of>(?:\s+(?:of\s+)?(?:it|that|this|there|(?:(?:the|his|her|their|its|that)\s+)?(?:(?:block|allow|black|white|blocked|allowed)\w*\s*)?(?:lists?|filters?|callers|numbers|contacts|ones|people)\b[^,.;!?]*))?)(?=\s*(?:$|[,.;!?]|\b(?:please|pls|again|now|too)\b))`,
  'iu',
);
const ON = new RegExp(
  String.raw`${LEAD}(?:put|add|move|set)\s+(?:(?:the\s+)?number\s+)?${CALLER}\s+(?:on|to|onto|in|into|with|among)\s+(?:the\s+|his\s+|her\s+|their\s+)?(?:list\s+of\s+)?(?:the\s+)?(?<list>(?:ones?|people|numbers|callers|contacts|those|senders)\b[^,.;!?]*|(?:allow|block|white|black|allowed|blocked)\w*\s*list\b)`,
  'iu',
);
const MAY = /\b(?:may|can|allow\w*|white\w*|let\s+through)\b/i;
const SENDER =
  /\b(?<deed>(?:un)?block|allow)\s+(?:him|her|it|them|(?:that|this|the)\s+(?:sender|number|one|person|contact|guy|caller))\b(?![^.;!?]*\bfor\b)/i;
const SWITCH =
  /^\W*(?:(?:ok|okay|so|then|and|please|pls|can|could|you|now|just)[\s,]+)*(?:turn|switch|put|set)\s+(?:(?:it|that|this|the\s+filter(?:ing)?|(?<kind>calls?|texts?|messages?|sms))\s+(?<a>on|off)|(?<b>on|off)\s+(?:it|that|this|(?<sort>calls?|texts?|messages?|sms)))(?<rest>[^.;!?]*)[\s.!]*$/iu;

const MAX_LENGTH = 160;

/** The order for the filters of the thread that a message means. Undefined for other messages. */
export function ofFilter(text: string, last: string, topic: Topic, reading: Reading): Meant | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const whom = topic.line ?? topic.person;
  const answer = reading.of(last);
  const shown = TRAFFIC.find(({ list, create, update }) => [list, create, update].includes(answer.operation ?? ''));
  if ((shown && isOffer(answer, reading)) || whom === undefined) return undefined;
  const isMessages = shown?.name === 'messages';
  if (answer.operation === 'message_search_get') return ofSender(text, whom);
  const switched = topic.part === 'filter' ? SWITCH.exec(text)?.groups : undefined;
  if (switched) {
    const kind = switched.kind ?? switched.sort;
    // The rest of "turn calls on for her" is the customer.
    const named = kind ?? /\b(?:calls?|texts?|messages?)\b[^.;!?]*/i.exec(switched.rest ?? '')?.[0];
    const isFeature = answer.operation === FEATURES_SET || answer.operation === GUARD_READS.features;
    const alone = kind ?? /\b(?:calls?|texts?|messages?)\b/i.exec(named ?? '')?.[0];
    if (alone !== undefined && isFeature)
      return { text: `turn ${switched.a ?? switched.b} guardian filtering for ${alone} for ${whom}`, kind: 'read' };
    const what = named === undefined ? 'guardian filtering' : `the filtering of ${named.replace(/\s*\bonly\b/gi, '')}`;
    return { text: `turn ${switched.a ?? switched.b} ${what} for ${whom}`, kind: 'read' };
  }
  const asked = ofAsked(text, answer);
  if (asked) return asked;
  const isOnLists = shown !== undefined || topic.caller !== undefined;
  if (!isOnLists) return undefined;
  const off = OFF.exec(text)?.groups;
  const on = ON.exec(text)?.groups;
  const said = off?.caller ?? on?.caller;
  const caller = said === undefined || /^\p{L}/u.test(said) ? topic.caller : said;
  if (said === undefined || caller === undefined) return undefined;
  const from = isMessages || /\btexts?\s+from\b/i.test(last) ? 'texts from ' : '';
  if (on) return { text: `${MAY.test(on.list ?? '') ? 'allow' : 'block'} ${from}${caller} for ${whom}`, kind: 'read' };
  if (shown === undefined && /^\p{L}/u.test(said)) return undefined;
  const order = MAY.test(off?.of ?? '') ? `take ${caller} off the allow list of` : `unblock ${from}${caller} for`;
  return { text: `${order} ${whom}`, kind: 'read' };
}

const PUTS = new RegExp(
  String.raw`${LEAD}(?<deed>add|allow|let|permit|whitelist|unblock|put|block|ban|bar)\s+(?:him|her|them|it|that(?:\s+(?:one|number|caller|contact))?|this(?:\s+(?:one|number))?|the\s+number)(?:\s+(?:in|through|thru|on(?:\s+(?:it|there|the\s+list))?|to\s+(?:it|the\s+list)|call|text|(?:can|to)\s+(?:call|text)|then|too|please|pls|now|asap))*[\s.!]*$`,
  'iu',
);

/** "Add her then" after the question whether a number may reach a customer: the number goes on the list of that customer. */
function ofAsked(text: string, { operation, input, asks = [] }: GuidedAnswer): Meant | undefined {
  const deed = PUTS.exec(text)?.groups?.deed?.toLowerCase();
  const [caller, ...others] = asks;
  const whom = input.SubscriberId ?? input.Phone;
  if (deed === undefined || caller === undefined || others.length > 0 || whom === undefined) return undefined;
  const verb = /^(?:un)?block$/.test(deed) ? deed : /^ba/.test(deed) ? 'block' : 'allow';
  const what = TRAFFIC.find(({ list }) => list === operation)?.name === 'messages' ? 'texts' : 'calls';
  return { text: `${verb} ${what} from ${caller} for ${String(whom)}`, kind: 'read' };
}

/** "Block that sender" after the messages of a line: the sender is in the list that was shown. */
function ofSender(text: string, whom: string): Meant | undefined {
  const deed = SENDER.exec(text)?.groups?.deed;
  if (deed === undefined) return undefined;
  const note = 'The sender is in the messages that were shown';
  return { text: `${deed.toLowerCase()} texts for ${whom}`, kind: 'read', isOfSender: true, note };
}
