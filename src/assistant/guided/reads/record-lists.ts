import { recordKinds } from '../../../../tools/surfaces/records.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { wordsOf } from '../../../language/sentence.ts';
import { answer, type GuidedAnswer } from '../answers/answer.ts';
import type { Asked } from '../facts/stance.ts';

/*
 * A message that is only the plural of a record ("accounts?", "our webhooks") asks for the list of all, and "all sims of
 * Acme" for the lines of Acme: without a verb, a noun of an order orders nothing.
 */

const ALONE =
  /^\W*(?:(?:and|the|our|all|any|my|show|list|see|pls|please)\s+)*(?<noun>\p{L}+(?:\s+\p{L}+)?)s[\s?.!]*$/iu;

export function ofBarePlural(
  { said, mayUse }: Pick<Asked, 'said' | 'mayUse'>,
  byId: ReadonlyMap<string, Tool>,
): GuidedAnswer | undefined {
  const noun = ALONE.exec(said)?.groups?.noun?.toLowerCase();
  const kind = noun === undefined ? undefined : recordKinds.find((one) => one.noun === noun);
  const tool = byId.get(kind?.list.operation ?? '');
  // Lists of orders and lines have other words.
  if (!kind || !tool || kind.list.page || kind.list.input || !mayUse(tool.id)) return undefined;
  return answer('lookup', { tool, input: {}, understood: tool.title });
}

const LEAD = String.raw`^\W*(?:(?:hi|hey|please|pls|can|could|you|u|i|we|need|want|to|see|show|list|find|give|get|me|us|all|every|each|any|the|our|of|which|what|are|is|there|how\s+many)[\s,]+)*`;
const SIM = String.raw`(?:e-?sims?|sims?(?:\s+cards?)?|phones|devices|handsets|lines|numbers)`;
const SIMS = String.raw`(?<nouns>${SIM}(?:\s*(?:,|\band\b|\bor\b|&)+\s*(?:all\s+|the\s+)?${SIM})*)`;
const NAME = String.raw`(?<name>\p{L}[\p{L}\d&-]*(?:\s+\p{L}[\p{L}\d&-]*){0,2}?)`;
const TAIL = String.raw`(?:['’]s)?(?:\s+account)?(?:\s+(?:please|pls|now|right\s+now|today))*[\s.!?]*$`;
const SIMS_OF = new RegExp(
  String.raw`${LEAD}${SIMS}\s+(?:(?<of>of|at|for|from|under|on|in|with)\s+(?:the\s+|our\s+)?|(?:does|do|has|have)\s+)${NAME}(?:\s+(?:have|has|got|use))?${TAIL}`,
  'iu',
);
const OWN_SIMS = new RegExp(String.raw`${LEAD}${NAME}(?:['’]s)?\s+${SIMS}${TAIL}`, 'iu');

/** The lines of a customer whose SIMs or phones a message names without a verb. */
export function ofSimsOf(
  { said, facts, mayUse }: Pick<Asked, 'said' | 'facts' | 'mayUse'>,
  byId: ReadonlyMap<string, Tool>,
): GuidedAnswer | undefined {
  const tool = byId.get('numbers_find');
  const { name = '', nouns = '', of = '' } = (OWN_SIMS.exec(said) ?? SIMS_OF.exec(said))?.groups ?? {};
  // "Sims" is read as "sim" where the spelling is put right, and "sim for Acme" may ask for a new one.
  const areSeveral = /s\b|\band\b/i.test(nouns) || /\b(?:all|every|each)\b/i.test(said);
  const isOfSims = (areSeveral || of !== 'for') && /sim|phones|devices|handsets/i.test(nouns);
  if (!tool || !mayUse(tool.id) || !isOfSims || facts.mentions.length + facts.ids.length > 0) return undefined;
  if (name.length < 2 || !wordsOf(name).every(({ isUnknown }) => isUnknown)) return undefined;
  const query = name.replace(/['’]s$/u, '');
  const told = /sim/i.test(nouns) ? '; the card of a line has its SIM, and a voip line has none' : '';
  return {
    ...answer('lookup', { tool, input: { Query: query }, understood: `Find numbers by "${query}"${told}` }),
    ...(areSeveral && { isList: true }),
  };
}
