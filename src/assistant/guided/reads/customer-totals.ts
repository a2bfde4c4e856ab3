import { answer, type GuidedAnswer, understood } from '../answers/answer.ts';
import { nameIn } from '../answers/finder.ts';
import type { Reader } from '../answers/readings.ts';
import type { Asked } from '../facts/stance.ts';
import { OF_NOW, timeSaid } from '../facts/times.ts';

/*
 * Totals of a customer or an account: the data that all their lines have used is added up by the search of lines, and their
 * messages are read for one line at a time. A surface decides whether a name is one of an account.
 */

const TOTAL =
  /\b(?:totals?|altogether|all\s+together|together|combined|in\s+all|overall|sums?|added\s+up|add\s+up|as\s+a\s+whole)\b/iu;
const COUNT =
  /\b(?:how\s+many|numbers?\s+of|counts?(?:\s+of)?|totals?(?:\s+(?:number|amount|count))?(?:\s+of)?|amount\s+of)\s+(?:\p{L}+\s+)?(?=(?:texts?|sms|mms|messages?|msgs?)\b)/iu;
const DATA = /\b(?:data|gb|mb|gigs?|megs?|internet|traffic|usage|consumption)\b/iu;
const OTHERS =
  /\b(?:limit|cap|capped|allowance|quota|throttl\w*|why|who|when|plan|package|alert\w*|watch\w*|price|costs?|charges?|spen[dt]|fees?|filter\w*|block\w*|route\w*|template|characters?|per|each|every|vs|versus|compared?|most|least|set|add|give|raise)\b|n['’]t\b/iu;
const OURS = /\b(?:we|us|our|i|my|me)\b(?<!\b(?:show|give|tell|get|let)\s+(?:me|us))/iu;

/** True for a question of a total. */
export function asksTotal(said: string): boolean {
  return TOTAL.test(said);
}

/** The total of a customer that a question asks for. Undefined for any other sentence. */
export function ofCustomerTotals(asked: Asked, reader: Reader): GuidedAnswer | undefined {
  const { said, facts, clauses } = asked;
  if (facts.mentions.length + facts.ids.length + facts.volumes.length > 0 || OTHERS.test(said)) return undefined;
  const name = nameIn(facts, clauses);
  if (name === undefined) return undefined;
  return COUNT.test(said) ? ofMessages(asked, reader, name) : ofData(asked, reader, name);
}

function ofData({ said, mayUse }: Asked, { byId }: Reader, name: string): GuidedAnswer | undefined {
  const tool = byId.get('numbers_find');
  if (!tool || !mayUse(tool.id) || !TOTAL.test(said) || !DATA.test(said)) return undefined;
  const time = timeSaid(said);
  const text = `Find numbers by "${name}"; the data that they have used, added up${time === undefined ? '' : `; ${OF_NOW} (“${time}”)`}`;
  const input = { Query: name, CountBy: 'Customer', Data: true };
  return {
    ...answer('lookup', { tool, input, understood: text }),
    isList: true,
    orAccount: { name, operation: tool.id, input: { ...input, CountBy: 'Account' }, understood: `${text}.` },
  };
}

/** The messages of the only line of a customer, which are counted; for an account, its lines, and why nothing is counted. */
function ofMessages(
  { said, facts, clauses, mayUse }: Asked,
  { byId, finder }: Reader,
  name: string,
): GuidedAnswer | undefined {
  const tool = byId.get('message_search_get');
  const lines = byId.get('numbers_find');
  if (!tool || !lines || !mayUse(tool.id) || OURS.test(said)) return undefined;
  const find = finder.findFor(tool, {}, { ...facts, digits: name }, clauses);
  if (!find) return undefined;
  const time = timeSaid(said);
  const of = time === undefined ? '' : ` (“${time}”)`;
  return {
    ...answer('lookup', { tool, input: {}, understood: understood(tool, {}, find) }, find),
    orAccount: {
      ...{ name, operation: lines.id, input: { Query: name } },
      understood: `The messages of an account cannot be counted: they are read for one line at a time. These are its lines; “messages of NUMBER”${of} counts those of one.`,
    },
  };
}
