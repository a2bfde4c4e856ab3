import { answer, type GuidedAnswer } from '../answers/answer.ts';
import { nameIn } from '../answers/finder.ts';
import { narrowedBy } from '../answers/read-conditions.ts';
import { MESSAGES, type Reader } from '../answers/readings.ts';
import type { Mention } from '../facts/facts.ts';
import { type Asked, LAST_MONTH } from '../facts/stance.ts';

/*
 * Questions for messages that do not say “the messages of NUMBER”: what a line received, its texts with another number, the
 * replies of a number, and the texts that failed. The platform lists messages of one line at a time.
 */

const OPERATION = 'message_search_get';
const NOUN = '(?:texts?|sms(?:es)?|messages?|msgs?|mms|conversations?|chats?|threads?|exchanges?)';
/** "Texts between A and B", "what did B write to A" */
const WITH = new RegExp(
  String.raw`\b${NOUN}\b[^.;!?]*\b(?:between|with|exchanged)\b|\b(?:between|with)\b[^.;!?]*\b${NOUN}\b|\b(?:what|anything|something)\b[^.;!?]*\b(?:write|wrote|written|text(?:ed)?|send|sent|say|said)\b`,
  'iu',
);
/** Asks for messages of two parties, and sends none: "any texts from A to B", "did A text B back". */
const OF_BOTH = new RegExp(
  String.raw`^\W*(?:(?:hi|hey|ok|so|and|please|pls|can|could|you|u|check|see|tell|me|us|if|whether)[\s,]+)*(?=[^.;!?]*\b(?:${NOUN}|repl(?:y|ies|ied)|answer(?:ed|s)?|respond(?:ed)?|write|wrote|written|texted|messaged)\b)(?:did|has|have|was|were|is|are|any|all|which|what|show|list|find|read|get|how\s+many|texts|messages|smses|msgs)\b`,
  'iu',
);
/** Words right before the number of the one who wrote. */
const WRITES = /^(?:from|by|did|has|have|does)$/u;
const REPLIES =
  /\b(?:repl(?:y|ies|ied)|answers?(?:ed)?|responses?|responded|respond)\b|\b(?:text|texted|write|wrote|written|message|messaged|sms)\s+(?:us\s+)?back\b|\b(?:anything|something|news)\s+(?:new\s+)?(?:back\s+)?from\b|\b(?:hear|heard)\s+(?:back\s+)?from\b/iu;
/** Asks for the messages of a line and names no other thing: "what did 0102 get this morning". */
const CAME =
  /^\W*(?:(?:hi|hey|ok|so|and|please|pls|can|could|you|u|check|see|tell|me|us|if|whether|show)[\s,]+)*(?:(?:what|anything|something)(?:\s+else)?\s+(?:did|has|have|does)\s+|(?:did|has|have|does)\s+)(?:(?:line|number)\s+)?(?:[#…*]*\d{4}|\p{L}[\p{L}'’-]+)\s+(?:(?:already|just|really|even)\s+)?(?:receive[ds]?|get|got|gotten|send|sent)(?:\s+(?:anything|something|at\s+all|in|out|lately|so\s+far))*(?<end>\s*[?.!]*$|\s+(?:this|today|yesterday|since|last|over|tonight|in\s+the|on\s+\p{L}+day|between|from|before|after|at|around|during)\b[^.;!?]*[?.!]*$)/iu;
const CAME_IN =
  /^\W*(?:(?:hi|hey|ok|so|and|please|pls|check|see|if|show)[\s,]+)*(?:what|anything|something|did\s+anything|has\s+anything)\s+(?:has\s+|is\s+|was\s+)?(?:(?:come|came|coming)\s+in\s+(?:for|on|to|at|over|via)|(?:gone|go|went|going)\s+out\s+(?:from|of|on|for|via))\s/iu;
const OTHERS =
  /["“„]|https?:|\b(?:block\w*|unblock\w*|allow\w*|filter\w*|white-?list\w*|routes?|webhooks?|plans?|why|spam|no\s+more|stop|only|nobody|everyone|just|can|could|should|may|will|approv\w*|bill\w*|charge\w*|port\w*)\b|n['’]t\s+(?!arriv|deliver|come|go|get|reach)/iu;
const FAILED =
  /\b(?:fail(?:ed|ing)?|bounced?|undelivered|undeliverable|lost)\b|\b(?:did\s?n['’]?o?t|didnt|did\s+not|never|not)\s+(?:been\s+)?(?:arriv\w*|deliver\w*|come\s+through|go\s+(?:through|out)|get\s+(?:through|delivered)|reach\w*|make\s+it)\b/iu;
const LISTS =
  /^\W*(?:(?:hi|hey|ok|so|and|please|pls|can|could|you|u|show|list|give|get|see|find|me|us|all|any|every|the|our|which|what|how\s+many|(?:were|are|have)\s+there(?:\s+been)?)[\s,]+)*(?:(?:failed|bounced|undelivered|lost)\s+)?(?:outgoing\s+|outbound\s+)?(?:texts?|sms(?:es)?|messages?|msgs?)\b/iu;
const ONE_LINE =
  '; the platform lists the messages of one line at a time, so that of all lines only those are shown that were reported here: “failed texts of NUMBER” has those of a line';

/** The messages that such a question asks for. Undefined for any other sentence. */
export function ofTraffic(asked: Asked, reader: Reader): GuidedAnswer | undefined {
  const { said, facts, mayUse } = asked;
  if (!reader.byId.has(OPERATION) || !mayUse(OPERATION) || facts.message !== undefined || facts.ids.length > 0)
    return undefined;
  return (
    ofFailed(asked, reader) ?? (OTHERS.test(said) ? undefined : (ofContact(asked, reader) ?? ofCame(asked, reader)))
  );
}

/** The list of a line's messages, or of the line of a customer. */
function listOf(asked: Asked, { byId, finder }: Reader, line: Mention | undefined): GuidedAnswer | undefined {
  const tool = byId.get(OPERATION);
  if (!tool) return undefined;
  const { facts, clauses } = asked;
  if (line?.isWhole) return answer('lookup', { tool, input: { PhoneNumber: line.text }, understood: tool.title });
  const own = { ...facts, numbers: [], mentions: line ? [line] : [], digits: line?.text };
  const find = finder.findFor(tool, {}, own, clauses, true);
  return find && answer('lookup', { tool, input: {}, understood: tool.title }, find);
}

/** The messages of a line for a question without the word “texts”. */
function ofCame(asked: Asked, reader: Reader): GuidedAnswer | undefined {
  const { said, facts, clauses } = asked;
  const [line, ...others] = facts.mentions;
  if (others.length > 0 || !(CAME.test(said) || CAME_IN.test(said))) return undefined;
  if (!line && nameIn(facts, clauses) === undefined) return undefined;
  return listOf(asked, reader, line);
}

/** The messages of a line with another number, or the replies of a number that has no line here. */
function ofContact(asked: Asked, reader: Reader): GuidedAnswer | undefined {
  const { said, facts, clauses } = asked;
  const [first, second, ...others] = facts.mentions;
  if (!first || others.length > 0) return undefined;
  const isNamed = nameIn(facts, clauses) !== undefined;
  const line = second ? [first, second].find(({ isWhole }) => !isWhole) : undefined;
  const contact = second && line === first ? second : first;
  if ((line || (isNamed && first.isWhole && !second)) && contact.isWhole && WITH.test(said)) {
    const listed = listOf(asked, reader, line);
    return listed && narrowedBy(listed, [{ contact: contact.text, said: `with ${contact.text}` }]);
  }
  const isOurs = line !== undefined || (isNamed && first.isWhole && !second);
  if (isOurs && contact.isWhole && OF_BOTH.test(said)) {
    const listed = listOf(asked, reader, line);
    const way = WRITES.test(contact.before) ? 'from' : 'to';
    const direction = way === 'from' ? ('in' as const) : ('out' as const);
    return listed && narrowedBy(listed, [{ contact: contact.text, direction, said: `${way} ${contact.text}` }]);
  }
  if (second || isNamed || !first.isWhole || !REPLIES.test(said)) return undefined;
  const listed = reader.events(MESSAGES, { ...asked, clauses: [], since: asked.since ?? LAST_MONTH });
  return listed && { ...listed, understood: listed.understood.replace(`for ${first.text}`, `from ${first.text}`) };
}

/** The texts that did not arrive: those of a line, or those of all lines that were reported here. */
function ofFailed(asked: Asked, reader: Reader): GuidedAnswer | undefined {
  const { said, facts, since } = asked;
  const word = FAILED.exec(said)?.[0];
  const [line, ...others] = facts.mentions;
  if (
    word === undefined ||
    /\b(?:except|without|besides|but)\b/iu.test(said) ||
    !LISTS.test(said) ||
    others.length > 0 ||
    /\b(?:why|route|resend)\b/iu.test(said)
  )
    return undefined;
  if (line) {
    const listed = listOf(asked, reader, line);
    return listed && narrowedBy(listed, [{ outcome: 'failed', said: word }]);
  }
  const listed = reader.events(undefined, { ...asked, clauses: [], since: since ?? LAST_MONTH });
  if (listed?.kind !== 'events' || listed.find) return undefined;
  return told(narrowedBy(listed, [{ outcome: 'failed', said: word }]));
}

function told(guided: GuidedAnswer): GuidedAnswer {
  return {
    ...guided,
    understood: `${guided.understood.replace(/\.$/, '')}${ONE_LINE}.`,
    remarks: `${guided.remarks ?? ''}${ONE_LINE}`,
  };
}
