import { wordsOf } from '../../../language/sentence.ts';
import { answer, type GuidedAnswer } from '../answers/answer.ts';
import type { Reader } from '../answers/readings.ts';
import { accountNamed } from '../facts/accounts.ts';
import type { Asked } from '../facts/stance.ts';

/*
 * "Who's on the Globex account", "everyone under acme": the customers of an account. "On globex" may be a plan, too, and
 * surfaces know the accounts.
 */

const LEAD = String.raw`^\W*(?:(?:hi|hey|hello|so|and|ok|okay|please|pls|can|could|you|u|i|we|need|want|to|show|list|see|find|get|give|tell|me|us|look\s+up|pull\s+up)[\s,:]+)*`;
const PEOPLE = String.raw`(?:(?:all|every|the|our|any|which|what|how\s+many|who\s+(?:is|are)|who['’]?s)\s+)*(?:who(?:['’]?s|\s+is|\s+are|\s+all\s+is|\s+else\s+is)?(?:\s+(?:all|else|everyone))*|every\s?(?:one|body)|people|persons|customers|subscribers|clients|users|members|holders)(?:\s+(?:that|who|we|you|have|are|is|belong|belongs|belonging|registered|listed|there))*`;
const NAME = String.raw`(?<name>\p{L}[\p{L}\d&'’.-]*(?:\s+\p{L}[\p{L}\d&'’.-]*){0,2}?)`;
const TAIL = String.raw`(?:[\s,]+(?:please|pls|now|right\s+now|currently|today|again))*[\s.?!]*$`;
/** "Who is on the Globex account", "customers in account Acme" */
const IN_ACCOUNT = new RegExp(
  String.raw`${LEAD}${PEOPLE}\s+(?:on|at|in|under|with|of|from|to|for)\s+(?:the\s+)?(?:${NAME}(?:['’]s)?\s+account|account\s+(?:of\s+)?${NAME.replace('<name>', '<other>')})${TAIL}`,
  'iu',
);
/** "Everyone under acme": nobody has a plan in these words. */
const UNDER = new RegExp(
  String.raw`${LEAD}${PEOPLE}\s+(?:at|in|under|within|of|from)\s+(?:the\s+)?${NAME}${TAIL}`,
  'iu',
);
const PLAN_WORD = /\b(?:plans?|packages?|bundles?|tariffs?|subscriptions?|subscribed|routes?|trunks?)\b/iu;

function isName(name: string): boolean {
  return wordsOf(name).every(({ isUnknown, typed }) => isUnknown || COMPANY.test(typed));
}

const COMPANY = /^(?:family|mobile|group|company|office|wireless|telecom)$/iu;

/** The customers of the account that a sentence names. Undefined for any other sentence. */
export function ofMembers({ said, facts, since, mayUse }: Asked, { byId }: Reader): GuidedAnswer | undefined {
  const tool = byId.get('numbers_find');
  if (!tool || !mayUse(tool.id) || facts.mentions.length + facts.ids.length + facts.volumes.length > 0)
    return undefined;
  if (since !== undefined) return undefined;
  const { name, other = name } = (IN_ACCOUNT.exec(said) ?? UNDER.exec(said))?.groups ?? {};
  if (other === undefined || !isName(other) || wordsOf(other)[0]?.isUnknown !== true) return undefined;
  const text = `Find numbers by "${other}"; counted by customer`;
  return {
    ...answer('lookup', { tool, input: { Query: other, CountBy: 'Customer' }, understood: text }),
    isList: true,
  };
}

/** "Everyone on globex", read as a plan, with the customers of the account that the name may be. */
export function withPlanOwner(guided: GuidedAnswer, { said }: Pick<Asked, 'said'>): GuidedAnswer {
  const { operation, input, orAccount } = guided;
  const name = input.Plan;
  const isAlone = operation === 'numbers_find' && typeof name === 'string' && input.Query === undefined && !orAccount;
  if (!isAlone || PLAN_WORD.test(said) || !isName(name) || accountNamed(said) !== undefined) return guided;
  const { Plan: _, ...others } = input;
  const isOfPeople = Object.keys(others).length === 0 && !/\b(?:lines|numbers|sims)\b/iu.test(said);
  return {
    ...guided,
    orAccount: {
      name,
      operation,
      input: { Query: name, ...others, ...(isOfPeople && { CountBy: 'Customer' }) },
      understood: `“${name}” is an account, so these are its ${isOfPeople ? 'customers' : 'lines'}.`,
    },
  };
}
