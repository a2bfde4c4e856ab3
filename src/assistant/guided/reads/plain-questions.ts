import { defined } from '../../../lib/json.ts';
import { answer, type GuidedAnswer, understood } from '../answers/answer.ts';
import { nameIn } from '../answers/finder.ts';
import { asksWhoHasNoName } from '../answers/no-name.ts';
import { MESSAGES, type Reader } from '../answers/readings.ts';
import { type Asked, LAST_MONTH } from '../facts/stance.ts';
import { ofAble } from './able.ts';
import { ofOneOfLines } from './one-of-lines.ts';
import { ofCalls, ofDelivered } from './traffic-questions.ts';

/*
 * Plain questions of one line or of all. They ask for its holder, a summary, its troubles, the end of its port-in, messages
 * from a number, lines without a caller name, and the lines that use the most data.
 */

type Read = (asked: Asked, reader: Reader) => GuidedAnswer | undefined;

const LEAD = String.raw`^\W*(?:(?:hi|hey|hello|so|and|ok|okay|please|pls|quick|question|can|could|you|u|tell|show|give|get|me|us|check|see|if|whether|a|an|the|i|we|need|want)[\s,:]+)*`;
const LINE = String.raw`(?:(?:the\s+|our\s+)?(?:number|line)\s+)?[#…*]*(?:\+?\(?\d[\d().\s-]{8,}\d|\d{4})`;

const IS_FREE = new RegExp(
  String.raw`${LEAD}(?:is|are)\s+(?:both\s+)?${LINE}(?:\s*(?:,|and|or|&)+\s*${LINE})*\s+(?:(?:still|both|already|now|currently|really)\s+)?(?:free|available|taken|unused|spare|unassigned|assigned|in\s+use|used|open|vacant)\b(?!\s+(?:to\s+port|for\s+port|of|from|calls?|texts?|trial))`,
  'iu',
);

/** "Is 0104 free" asks for the holder. */
const ofFree: Read = ({ facts, clauses, said }, { finder }) => {
  if (facts.mentions.length === 0 || !facts.isOneList || !IS_FREE.test(said)) return undefined;
  const lookup = finder.plainLookup(facts, clauses);
  if (lookup.operation === undefined) return undefined;
  return lookup.isList ? lookup : { ...lookup, facts: ['state', 'holder'] };
};

const SUMMARY = new RegExp(
  String.raw`${LEAD}(?:(?:quick|short|brief|full)\s+)?(?:sum+ar(?:y|ise|ize)|overview|rundown|run-down|profile|snapshot|status)\s+(?:of|on|for|about)\b|${LEAD}sum\s+up\b`,
  'iu',
);

/** "Summary of Ava's account": her lines. */
const ofSummary: Read = (asked, { finder, byId }) => {
  const { facts, clauses, said, since, mayUse } = asked;
  const tool = byId.get('numbers_find');
  if (
    !tool ||
    !mayUse(tool.id) ||
    since !== undefined ||
    facts.ids.length > 0 ||
    facts.mentions.length > 1 ||
    !SUMMARY.test(said)
  )
    return undefined;
  if (/\b(?:port\w*|orders?|transfers?|batch\w*|webhooks?)\b/i.test(said)) return undefined;
  if (facts.mentions.length === 1) return finder.plainLookup(facts, clauses);
  const name = nameIn(facts, clauses);
  if (name === undefined) return undefined;
  return answer('lookup', { tool, input: { Query: name }, understood: `Find numbers by "${name}"` });
};

const UP_WITH = new RegExp(
  String.raw`${LEAD}(?:what['’]?s?|whats|wat|wots|anything)\b(?:\s+(?:is|the\s+hell|exactly))*\s+(?:going\s+on|up|wrong|happening|the\s+(?:matter|deal|story|issue|problem))\s+(?:with|on|at|w\/)\s+(?<rest>.*)$`,
  'isu',
);
const NO_LINE =
  /\b(?:web\s?hooks?|hooks?|routes?|trunks?|batch|filters?|port\w*|orders?|plans?|packages?|api|switchboard)\b/i;

/** "What is up with 0106" asks why it may not work. A button shows its history. */
const ofUp: Read = (asked, { finder, events, byId }) => {
  const { facts, clauses, said, since } = asked;
  const tool = byId.get('numbers_diagnose');
  if (!tool || !asked.mayUse(tool.id) || since !== undefined || facts.mentions.length > 1 || NO_LINE.test(said))
    return undefined;
  if (!UP_WITH.test(said) || (facts.mentions.length === 0 && nameIn(facts, clauses) === undefined)) return undefined;
  // Further words about it, such as "no calls", are read with the trouble.
  if (/[,;:]\s*\p{L}|\b(?:calls?|texts?|data|sms|internet)\b/iu.test(UP_WITH.exec(said)?.groups?.rest ?? ''))
    return undefined;
  const [phone] = facts.numbers;
  const input = defined({ PhoneNumber: phone });
  const find = finder.findFor(tool, input, facts, clauses);
  if (phone === undefined && !find) return undefined;
  const past = phone === undefined ? undefined : events(undefined, { ...asked, since: LAST_MONTH });
  return {
    ...answer('lookup', { tool, input, understood: understood(tool, input, find) }, find),
    ...(past?.operation !== undefined && { nearest: [{ operation: past.operation, input: past.input }] }),
  };
};

const DONE_WHEN = new RegExp(
  String.raw`${LEAD}(?:why\s+(?:is|does)\b[^.;!?]*\btak(?:e|es|ing)\s+(?:so|this|that|forever|ages|too)\b|when\s+(?:will|is|does|do|should|can)\b[^.;!?]*\b(?:done|ready|finish\w*|complete\w*|through|live|ported|over|here|ours|with\s+us|land\w*|arriv\w*|com(?:e|es|ing)\s+(?:in|across|to\s+us)|(?:we|i)\s+(?:\p{L}+\s+)?(?:get|have|receive|own)(?![^.;!?]*\bback\b))\b|how\s+(?:long|much\s+longer)\b[^.;!?]*\b(?:take|takes|need|needs|last|until|till)\b|(?:what['’]?s|whats|what\s+is)\s+(?:the\s+)?(?:hold\s*-?\s*up|delay|eta)\b|is\b[^.;!?]*\b(?:done|finished|complete[d]?|ported|through|ready|stuck|delayed)\b)`,
  'iu',
);

/** "When will +1… be done": the order of a whole number. */
const ofOrder: Read = ({ facts, said, mayUse }, { byId }) => {
  const tool = byId.get('numbers_order_get');
  const [phone, ...others] = facts.numbers;
  if (!tool || !mayUse(tool.id) || phone === undefined || others.length + facts.ids.length > 0) return undefined;
  if (facts.mentions.length !== 1 || !DONE_WHEN.test(said)) return undefined;
  if (/\b(?:swap|reactivat\w*|hold|cancel\w*|calls?|texts?|port[\s-]?out|delet\w*|data|sim)\b/i.test(said))
    return undefined;
  const input = { OrderId: phone };
  return answer('lookup', { tool, input, understood: understood(tool, input) });
};

const CAME_FROM =
  /\b(?:(?:what|anything|something|any|messages?|texts?|sms)\b[^.;!?]*\b(?:c[ao]m(?:e|es|ing)\s+in\s+|received?\s+|got\s+|get\s+|incoming\s+)?from\s+(?:the\s+)?(?:number|\+?\d)|what\s+(?:did|has|does)\s+(?:number|\+?\d)[^.;!?]*\b(?:send|sent|text|texted|write|wrote|say|said)\b)/iu;
const TEXTED = /\b(?:texts?|sms|messages?|c[ao]me?|coming|came|received?|got|get|send|sent|write|wrote|say|said)\b/i;

/** "What came in from +1… yesterday": the messages of that time, and the list of the number. */
const ofCame: Read = (asked, { events, byId }) => {
  const { facts, said, clauses } = asked;
  const tool = byId.get('message_search_get');
  const [phone, ...others] = facts.numbers;
  if (phone === undefined || others.length > 0 || facts.mentions.length !== 1) return undefined;
  if (nameIn(facts, clauses) !== undefined) return undefined;
  if (
    !CAME_FROM.test(said) ||
    !TEXTED.test(said) ||
    /\b(?:block\w*|calls?|stop\w*|port\w*|charge\w*|sim|not|no\s+more|never|must|should|wants?|only)\b|n['’]t\b/i.test(
      said,
    )
  )
    return undefined;
  const listed = events(MESSAGES, { ...asked, since: asked.since ?? LAST_MONTH });
  if (!listed || !tool) return listed;
  return { ...listed, nearest: [{ operation: tool.id, input: { PhoneNumber: phone } }] };
};

/** "Who has caller name blank": all lines with their caller names. */
const ofNoName: Read = ({ said, facts, clauses, mayUse }, { byId }) => {
  const tool = byId.get('numbers_find');
  if (!tool || !mayUse(tool.id) || facts.mentions.length > 0 || !asksWhoHasNoName(said)) return undefined;
  const name = nameIn(facts, clauses);
  const input = { ...defined({ Query: name }), Sort: 'Number' };
  const of = name === undefined ? '' : ` by "${name}"`;
  const text = `Find numbers${of}; each row has its caller name, if it has one. The list cannot be narrowed to those without`;
  return { ...answer('lookup', { tool, input, understood: text }), isList: true };
};

const TOP = new RegExp(
  String.raw`${LEAD}(?:(?:what|which|who)\s+(?:is|are|were)\s+(?:the\s+|our\s+)?)?(?:list\s+(?:of\s+)?(?:the\s+)?)?(?:top|first|biggest|heaviest|highest|worst)\s+(?<count>\d{1,2}|three|five|ten)\s+(?:lines?|numbers?|customers?|users?|data\s+users?|consumers?|sims?)\b`,
  'iu',
);
const COUNTS: Readonly<Record<string, number>> = { three: 3, five: 5, ten: 10 };

/** "Top 5 lines by data usage". */
const ofTop: Read = ({ said, facts, clauses, mayUse }, { byId }) => {
  const tool = byId.get('numbers_find');
  const count = TOP.exec(said)?.groups?.count?.toLowerCase();
  if (!tool || !mayUse(tool.id) || count === undefined || facts.mentions.length > 0) return undefined;
  if (!/\b(?:data|usage|us(?:e|ed|ers?|ing)|gb|consum\w+)\b|\b(?:lines?|numbers?|users?)\s*[?.!]*$/i.test(said))
    return undefined;
  const rows = Math.min(25, Math.max(1, COUNTS[count] ?? Number(count)));
  const name = nameIn(facts, clauses);
  const input = { ...defined({ Query: name }), Sort: 'Used', Descending: true, Data: true, Rows: rows };
  const of = name === undefined ? '' : ` by "${name}"`;
  const text = `Find numbers${of}; the ${rows} with the most data used, the most first`;
  return { ...answer('lookup', { tool, input, understood: text }), isList: true };
};

const NO_DATA =
  /^\W*(?:(?:list|show|find|me|us|all|the|which|what)\s+)*(?:who|lines?|numbers?|customers?|sims?)\b[^.;!?]*\b(?:us(?:e|es|ed|ing)|with|burn\w*|had|have|has)\s+(?:no|zero|0|hardly\s+any|the\s+least|little)\s+data\b/iu;

/** "Who uses no data": the lines with the least data used first. */
const ofLeast: Read = ({ said, facts, clauses, mayUse }, { byId }) => {
  const tool = byId.get('numbers_find');
  if (!tool || !mayUse(tool.id) || facts.mentions.length > 0 || !NO_DATA.test(said)) return undefined;
  const name = nameIn(facts, clauses);
  const input = { ...defined({ Query: name }), Sort: 'Used', Data: true };
  const of = name === undefined ? '' : ` by "${name}"`;
  const text = `Find numbers${of}; those with the least data used come first`;
  return { ...answer('lookup', { tool, input, understood: text }), isList: true };
};

/** The answer to such a question. Undefined for any other sentence. */
export function ofPlainQuestion(asked: Asked, reader: Reader): GuidedAnswer | undefined {
  if (asked.facts.message !== undefined) return undefined;
  for (const read of [
    ofDelivered,
    ofCalls,
    ofAble,
    ofOneOfLines,
    ofFree,
    ofSummary,
    ofUp,
    ofOrder,
    ofCame,
    ofNoName,
    ofTop,
    ofLeast,
  ]) {
    const found = read(asked, reader);
    if (found) return found;
  }
  return undefined;
}
