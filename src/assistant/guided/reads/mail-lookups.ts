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

const MAIL = String.raw`[\w.+-]+@[\w-]+(?:\.[\w-]+)+`;
const THEIR = String.raw`(?:(?:the|his|her|their|this|our)\s+)?(?:(?:customer|cust|client|subscriber|caller)['’]?s?\s+)?(?:contact\s+)?e?-?mail(?:\s+(?:address|id))?`;
/** "Customer's email is ben@…, whats his number": the customer whom the question is about. */
const STATED: readonly RegExp[] = [
  String.raw`${THEIR}\s*(?:\bis\b|:|=)?\s*(?<mail>${MAIL})`,
  String.raw`(?<mail>${MAIL})\s+is\s+${THEIR}`,
].map(
  (stated) =>
    new RegExp(
      String.raw`^\W*(?:(?:hi|hey|hello|ok|so|and)[\s,]+)*${stated}\s*[,;.:–-]+\s*(?:(?:and|so|please|pls|can\s+you|could\s+you)\s+)*(?<asked>[^@]{4,100})$`,
      'iu',
    ),
);
const ASKS =
  /^(?:what(?:['’]?s)?|which|who(?:['’]?s|\s+is)?|how|when|where|does|do|is|are|has|did|can|find|look\s+up|show|pull\s+up|need|get|give\s+me)\b/iu;
const CHANGES = /\b(?:change|update|correct|fix|set|new|wrong|add|create)\b/iu;
/** Asks for the customer alone, whose card has the number and the name. */
const WHO =
  /^(?:(?:what(?:['’]?s|\s+is|\s+are)?|which|find|look\s+up|show|pull\s+up|need|get|give\s+me)\s+(?:me\s+)?(?:(?:his|her|their|the)\s+)?(?:phone\s+|mobile\s+)?(?:numbers?|lines?|customer|subscriber|name)\b|who(?:['’]?s|\s+is)?\s+(?:that|this|s?he|they|it)\b)/iu;
const PRONOUN = /\b(?:s?he|they|him|them)\b/iu;
const OWN = /\b(?:his|her|their)\b(?=\s+\p{L})/iu;

/** The question about a customer whom the message names by an address of e-mail, with the address in it. */
export function withStatedMail(text: string): string {
  const { mail, asked = '' } = STATED.map((stated) => stated.exec(text)?.groups).find((found) => found) ?? {};
  if (mail === undefined || !ASKS.test(asked) || CHANGES.test(asked) || /["“„]/u.test(text)) return text;
  if (WHO.test(asked)) return `who is ${mail}`;
  const question = asked.replace(OWN, `${mail}'s`).replace(PRONOUN, mail);
  return question === asked ? text : question;
}
