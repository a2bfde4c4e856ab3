import type { Tool } from '../../../catalogue/operation.ts';
import { answer, type GuidedAnswer, understood } from '../answers/answer.ts';
import type { Asked } from '../facts/stance.ts';

/*
 * "Delete the voice route nobody uses" names its record by what is not on it. No list says that, so the records are shown
 * before one of them is chosen, and no form to delete is opened.
 */

const UNUSED =
  /\b(?:nobody|no\s*-?one|no\s+(?:line|customer|number)s?|nothing)\s+(?:\p{L}+\s+){0,2}?(?:uses?|using|used|has|have|needs?|is\s+on|are\s+on|on\s+it)\b(?!\s+(?:it|them|that)\b)|\b(?:has|have|with)\s+no\s+(?:lines?|customers?|numbers?|users?|one\s+on\s+it)\b|\b(?:unused|not\s+(?:in\s+use|used)|idle|empty|orphan\p{L}*|without\s+(?:any\s+)?(?:lines?|customers?|numbers?))\b|\b(?:we|they)\s+(?:do\s*n['’]?o?t|no\s+longer|never|stopped)\s+(?:\p{L}+\s+)?us(?:e|ed|ing)\b(?!\s+(?:it|them|that)\b)/iu;
/** True if a record is named by what is not on it, so that none before is meant. */
export function namesUnused(said: string): boolean {
  return UNUSED.test(said);
}

const LISTS: Readonly<Record<string, readonly [list: string, shows: string]>> = {
  voice_routes_delete: ['account_voice_routes_get', '“lines on ROUTE” lists who uses one'],
  message_routes_delete: ['account_message_routes_get', '“lines on ROUTE” lists who uses one'],
  products_delete: ['account_products_get', '“which products are in PACKAGE” lists those of a package'],
  packages_delete: ['account_packages_get', '“who is on PACKAGE” lists who has one'],
};

/** The list of the records in place of a form that deletes one which the words do not name. */
export function withoutUnnamedDelete(
  guided: GuidedAnswer,
  { said, mayUse }: Asked,
  toolOf: (id: string) => Tool | undefined,
): GuidedAnswer {
  const [list, shows] = LISTS[guided.operation ?? ''] ?? [];
  // "The unused product" is no name.
  const isUnnamed = Object.values(guided.input).every((value) => typeof value === 'string' && UNUSED.test(value));
  const which = list !== undefined && isUnnamed ? UNUSED.exec(said)?.[0] : undefined;
  const tool = toolOf(list ?? '');
  if (which === undefined || !tool || !mayUse(tool.id) || guided.kind !== 'form') return guided;
  const lead = `Which one that is (“${which}”) was not looked up, so nothing is deleted. ${shows}: write “delete” with the name.`;
  const shown = answer('lookup', { tool, input: {}, understood: `${lead} ${understood(tool, {})}` });
  return { ...shown, isInstead: true, lead };
}
