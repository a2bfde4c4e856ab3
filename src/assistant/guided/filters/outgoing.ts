import { FILTER_LISTS } from '../../../../tools/surfaces/guard.ts';
import { wordsOf } from '../../../language/sentence.ts';
import { answer, type GuidedAnswer, understood } from '../answers/answer.ts';
import { isNoName } from '../answers/filter-owners.ts';
import { trafficOf } from '../answers/filters.ts';
import type { Reader } from '../answers/readings.ts';
import type { Facts, Mention } from '../facts/facts.ts';
import { type Asked, isPolite, isQuestion } from '../facts/stance.ts';
import { unmarked } from '../facts/times.ts';

/*
 * Orders against what a customer does: "stop ava from calling +1…", "0103 must not text +1… any more". The customer acts,
 * so that the number is the one they reach, and never a line of ours.
 */

const WHO = String.raw`(?<who>[#…*]*\d{4}|\p{L}[\p{L}'’-]*(?:\s+\p{L}[\p{L}'’-]*){0,2}?)`;
const REACH = String.raw`(?:call|text|ring|phone|dial|messag|contact|sms|reach|writ)\p{L}*`;
const TARGET = String.raw`(?!\s+(?:for|on|of)\b)(?:\s+(?!by\b)\p{L}+){0,4}?\s+number\b`;
const MODAL = String.raw`(?:must|may|should|shall)(?:\s*n['’]?t|\s+not|\s+no\s+longer|\s+never)|(?:is|are)\s*(?:n['’]?t|\s+not|\s+no\s+longer)\s+(?:allowed|permitted|supposed)`;
const DENIES = [
  String.raw`\b(?:stop|keep|prevent|block|ban|bar|forbid|prohibit|hinder|restrict)\s+${WHO}\s+(?:from\s+)?(?:being\s+able\s+to\s+)?${REACH}${TARGET}`,
  String.raw`\b(?:forbid|(?:do\s*n['’]?o?t|do\s+not|never|no\s+longer)\s+(?:let|allow|permit))\s+${WHO}\s+(?:to\s+)?${REACH}${TARGET}`,
  String.raw`\b${WHO}\s+(?:${MODAL})\s+(?:(?:to|be|able|allowed)\s+)*${REACH}${TARGET}`,
].map((one) => new RegExp(one, 'iu'));

const MAX_LENGTH = 300;

/** The block of the numbers that a customer is kept from reaching. Undefined for other sentences. */
export function ofOutgoing(asked: Asked, { byId }: Reader): GuidedAnswer | undefined {
  const { facts, clauses, mayUse, isBack } = asked;
  const text = unmarked(facts.rest).replace(/\s+/g, ' ').trim();
  if (isBack || facts.message !== undefined || text.length > MAX_LENGTH) return undefined;
  if (clauses.some((clause) => isQuestion(clause.text, clause.isAsked) && !isPolite(clause.text))) return undefined;
  const said = DENIES.map((one) => one.exec(text)).find((one) => one !== null);
  const owner = ownerOf(said?.groups?.who, facts);
  if (!said || owner === undefined) return undefined;
  const traffic = trafficOf(said[0]);
  const [id, list] =
    Object.entries(FILTER_LISTS).find(([, one]) => one.traffic === traffic && one.list === 'blocked' && one.adds) ?? [];
  const tool = byId.get(id ?? '');
  const others = facts.mentions.filter((one) => one.text !== owner);
  if (!tool || !list || !mayUse(tool.id) || others.length === 0 || !others.every(isOutside)) return undefined;
  const input = { SubscriberId: owner, [list.entries]: others.map((one) => one.text), [list.id]: owner };
  const note = `; what the customer ${traffic === 'calls' ? 'calls' : 'sends'} is stopped only by a filter that applies to outbound ${traffic}, and the direction is that of the whole filter`;
  const guided = answer('form', { tool, input, understood: `${understood(tool, input)}${note}` });
  return { ...guided, remarks: note, isOutgoing: true };
}

function isOutside({ isWhole }: Mention): boolean {
  return isWhole;
}

/** Those who call many: "spammers", "telemarketers". */
const CROWD = /^\p{Ll}+ers$/u;

/** The customer who acts: a line by its last digits, or a name. Undefined for strangers and pronouns. */
function ownerOf(who: string | undefined, { mentions }: Facts): string | undefined {
  if (who === undefined) return undefined;
  const line = mentions.find(({ text, isWhole }) => !isWhole && text === who.replace(/^\D+/u, ''));
  if (line) return line.text;
  const words = wordsOf(who);
  if (isNoName(who) || CROWD.test(who)) return undefined;
  return words.length > 0 && words.every(({ isUnknown, plain }) => isUnknown && plain.length > 1) ? who : undefined;
}
