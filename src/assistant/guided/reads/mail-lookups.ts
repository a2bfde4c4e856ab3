import type { Tool } from '../../../catalogue/operation.ts';
import { answer, found, type GuidedAnswer } from '../answers/answer.ts';
import type { Asked } from '../facts/stance.ts';

/*
 * An e-mail address names a customer: "ben@globex.example", "do we have ben@…". The customer is searched. A new one
 * is made only of words that ask for it.
 */

const CREATES = 'subscribers_create';

const TAKEN =
  /^(?!.*\b(?:add|create|new)\b).*\b(?:taken|used|in\s+use|free|available|registered|exists?|known|unique|have\s+already|already\s+ha(?:s|ve))\b/isu;
const UNIQUE =
  'An e-mail address is used once on the whole platform, and only the customers with a line here are searched: that nobody is found does not mean that it is free.';

/** The search for the customer with an e-mail address, where the message says nothing else of them. */
export function withMailLookup(
  guided: GuidedAnswer,
  { facts: { email, mentions }, clauses, mayUse, said }: Asked,
  toolOf: (id: string) => Tool | undefined,
): GuidedAnswer {
  const find = toolOf('numbers_find');
  if (email === undefined || mentions.length > 0 || !find || !mayUse(find.id)) return guided;
  const { operation, kind, input } = guided;
  const makes = clauses.some(({ words }) =>
    words.some(({ acts }) => acts.some((act) => /^(?:create|need|change)$/.test(act))),
  );
  const isBareCreate = operation === CREATES && Object.keys(input).every((name) => name === 'Email') && !makes;
  const isOther = kind === 'lookup' && Object.keys(input).length === 0 && guided.find === undefined;
  const isAsked = kind === 'form' && /^\W*(?:and\s+|so\s+)?(?:whose|who|which)\b/iu.test(said);
  const asksIfTaken = kind !== 'help' && TAKEN.test(said) && (operation !== CREATES || !makes);
  if (!isBareCreate && !isOther && !isAsked && !asksIfTaken) return guided;
  const query = { Query: email };
  const lookup = answer('lookup', { tool: find, input: query, understood: found(query) });
  const own = asksIfTaken
    ? { ...lookup, lead: UNIQUE, isInstead: true as const, understood: `${UNIQUE} ${lookup.understood}` }
    : lookup;
  return isBareCreate ? { ...own, nearest: [{ operation: CREATES, input }] } : own;
}
