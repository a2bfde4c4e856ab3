import { defined } from '../../../lib/json.ts';
import { answer, type GuidedAnswer, understood } from '../answers/answer.ts';
import { filled } from '../answers/fill.ts';
import { nameIn } from '../answers/finder.ts';
import { CALLS, type Reader } from '../answers/readings.ts';
import { type Asked, LAST_MONTH } from '../facts/stance.ts';

/*
 * What became of a text, and which calls there were. The messages of a line have their status. The platform has no list of
 * calls, and the events know only those that were reported here, so that none is no answer.
 */

const MESSAGE = '(?:texts?|sms|messages?|msgs?|mms)';
const GOT = String.raw`(?:go(?:ne)?\s+(?:out|through|thru)|went\s+(?:out|through|thru)|(?:get|got|been|be|getting)\s+(?:out|through|thru|deliver\w*|sent\s+out|received|to\s+\p{L}+)|deliver(?:ed|y)|arriv\w*|reach(?:ed)?|land(?:ed)?|come\s+through|make\s+it|made\s+it|received?)`;
/** "Did the text to 0101 go out", "was our message to Ben delivered" */
const DELIVERED = new RegExp(
  String.raw`\b(?:did|has|have|was|were|is|does)\b[^.;!?]{0,80}\b${MESSAGE}\b[^.;!?]{0,80}\b(?:to|for)\s+[^.;!?]{0,80}\b${GOT}\b|\b(?:did|has|have)\s+(?:number|\p{L}+(?:\s+\p{L}+)?|[#…*]*\d{4})\s+(?:get|got|receive[d]?|see|seen)\s+(?:our|my|that|the)\s+(?:last\s+|latest\s+)?${MESSAGE}\b`,
  'iu',
);
const WHY = /["“„]|\b(?:why|block\w*|filter\w*|route|not)\b|n['’]t\b(?=[^?]*\bwhy\b)/iu;

/**
 * What was sent here to the line, which may still wait for a yes, and then its messages, for the question whether one was
 * delivered. Undefined for any other sentence.
 */
export function ofDelivered(asked: Asked, { byId, finder, events }: Reader): GuidedAnswer | undefined {
  const { said, facts, clauses, mayUse } = asked;
  const tool = byId.get('message_search_get');
  const [first = ''] = said.split(/(?<=\?)/u);
  if (!tool || !mayUse(tool.id) || facts.mentions.length > 1 || facts.ids.length > 0) return undefined;
  if (!DELIVERED.test(first) || WHY.test(first)) return undefined;
  if (facts.mentions.length === 0 && nameIn(facts, clauses) === undefined) return undefined;
  const input = filled(tool, facts);
  const find = finder.findFor(tool, input, facts, clauses, true);
  if (facts.numbers.length === 0 && !find) return undefined;
  const remarks = '; each has its status';
  const listed = {
    ...answer('lookup', { tool, input, understood: `${understood(tool, input, find)}${remarks}` }, find),
    remarks,
  };
  const sent = events(undefined, { ...asked, ...defined({ since: asked.since ?? LAST_MONTH }) });
  if (sent?.kind !== 'events') return listed;
  const text = sent.understood.replace(/\.$/, '');
  return {
    ...sent,
    understood: `${text}; a text that was not sent here is not in it, but in the messages below.`,
    also: [listed],
  };
}

const SPOKE = '(?:call(?:ed)?|ring|rung|rang|phone[d]?|dial(?:l?ed)?)';
/** "When did Ava last call", "what numbers did Ben call yesterday", "the last call of 0103" */
const OF_CALLS = new RegExp(
  String.raw`\bwho\s+(?:(?:has|had|have|all|else|was|kept)\s+)*(?:call(?:ed|ing)|rang|rung|ringing|phon(?:ed|ing)|dial(?:l?ed|l?ing))\b|\b(?:whom?|what\s+numbers?|which\s+numbers?|when|how\s+(?:often|many\s+times))\s+(?:did|has|have|does)\s+[^.;!?]{1,40}?\b${SPOKE}\b|\bwhen\s+was\b[^.;!?]*\b(?:last|latest|first)\s+(?:phone\s+)?call\b|\b(?:last|latest|recent)\s+(?:phone\s+)?calls?\s+(?:of|from|to|by|on)\b|\b(?:call|phone)\s+(?:history|log|logs|records?|list)\s+(?:of|for|from|on)\b|\bhow\s+many\s+calls\b[^.;!?]*\b(?:did|has|have|made?|got)\b`,
  'iu',
);
const OTHER_CALLS =
  /["“„]|\b(?:webhooks?|filter\w*|block\w*|allow\w*|routes?|trunk|spam|price|cost|can|could|should|if|why|approv\w*|request\w*)\b|n['’]t\b/iu;
const NO_LIST =
  'The platform lists no calls: only those are known here that its events reported, so that an empty list is no answer.';

/** The calls that are known of a line, with a word about those that are not. Undefined for any other sentence. */
export function ofCalls(asked: Asked, { events }: Reader): GuidedAnswer | undefined {
  const { said, facts, clauses, since } = asked;
  if (!OF_CALLS.test(said) || OTHER_CALLS.test(said) || facts.mentions.length > 1 || facts.ids.length > 0)
    return undefined;
  if (facts.mentions.length === 0 && nameIn(facts, clauses) === undefined) return undefined;
  const listed = events(CALLS, { ...asked, ...defined({ since: since ?? LAST_MONTH }) });
  if (listed?.kind !== 'events') return listed;
  return { ...listed, lead: NO_LIST, understood: `${NO_LIST} ${listed.understood}` };
}
