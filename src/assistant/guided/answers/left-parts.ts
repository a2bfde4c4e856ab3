import { givenNames } from '../../../../tools/surfaces/spellings.ts';
import { carriers } from '../../../../tools/surfaces/words.ts';
import type { Field } from '../../../catalogue/field-types.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { wordsOf } from '../../../language/sentence.ts';
import { kindOf } from '../../../language/typed-values.ts';
import type { Fields } from '../../../lib/json.ts';
import { jsonText } from '../../../lib/text.ts';
import type { Asked } from '../facts/stance.ts';
import { type GuidedAnswer, understood } from './answer.ts';

/*
 * The parts of a list of values that are a name and nothing else: "new subscriber: Ivy Chen / ivy@x.com / acme", "port
 * 646…; acct 55501; Joan Miller". No word says what such a name is, so it goes into the field that is still open for one.
 */

/** Operations whose orders people write as a list of values. */
const LISTED: ReadonlySet<string> = new Set(['subscribers_create', 'numbers_portin']);
const PARTS = /[,;()\n]|\s[/|–—-]\s|[.!?:](?=\s|$)|\S+@\S+/u;
/** Words around a name that say that it is one of an account. */
const LEAD =
  /^(?:(?:all|both|each|everyone|the|our|an?|for|at|under|within|in|on|of|account|acct|company|belongs?\s+to|customer\s+of)\s+)+/iu;
const TAIL =
  /\s+(?:account|(?:as\s+)?(?:an?\s+)?(?:subscriber|manager|(?:account\s+)?admin|user)|please|pls|plz|thanks|thx)$/iu;
/** Common words in the names of companies and families. */
export const COMPANY_WORD =
  /^(?:family|mobile|group|company|corp|inc|llc|ltd|co|office|wireless|telecom|holdings?|partners?|&|and)$/iu;
const GIVEN: ReadonlySet<string> = new Set(givenNames.split(' '));
const CARRIERS: ReadonlySet<string> = new Set(carriers);
const MOST_WORDS = 4;

/** The name that a part of a list is. Undefined for any other part. */
function nameOf(part: string): string | undefined {
  const name = part.trim().replace(LEAD, '').replace(TAIL, '').trim();
  return isFreeName(name) ? name : undefined;
}

/** True for words that may be the name of a person or an account. */
export function isFreeName(name: string): boolean {
  const [first = '', ...others] = name.split(/\s+/);
  if (name.length < 2 || others.length >= MOST_WORDS || /[\d@“”"]/u.test(name)) return false;
  const isFree = (word: string) => wordsOf(word).every(({ isUnknown }) => isUnknown);
  return isFree(first) && others.every((word) => COMPANY_WORD.test(word) || isFree(word));
}

/** True for a name of a carrier, at which a number is now and which is no account here. */
export function isCarrier(name: string): boolean {
  return CARRIERS.has(name.toLowerCase());
}

/** Fills in the names that are whole parts of the list of values. */
export function withLeftParts(guided: GuidedAnswer, asked: Asked, tool: Tool | undefined): GuidedAnswer {
  const isOffer = guided.kind === 'form' || guided.kind === 'question';
  if (!tool || !isOffer || guided.isRefused || !LISTED.has(tool.id)) return guided;
  const { facts } = asked;
  const input: Record<string, unknown> = { ...guided.input };
  for (const part of (asked.plain ?? asked.said).split(PARTS)) {
    const name = nameOf(part);
    if (name === undefined || isCarrier(name) || facts.leftOut.some((one) => one.includes(name))) continue;
    if (/['’]s?$/u.test(name) || has(input, name)) continue;
    const field = openFor(name, tool, input);
    if (field) Object.assign(input, withField(field, name, tool, input));
  }
  const before = understood(tool, guided.input);
  const text = guided.understood.startsWith(before)
    ? `${understood(tool, input)}${guided.understood.slice(before.length)}`
    : guided.understood;
  return { ...guided, input, understood: text };
}

/** True if a value is these words, or has them. An address of e-mail is none of the account that it sounds like. */
function has(input: Fields, name: string): boolean {
  const { Email: _, ...others } = input;
  return jsonText(others).toLowerCase().includes(name.toLowerCase());
}

/**
 * Puts the name into its field. Of two names "for globex, ben", one is the account: the one that is no person's. If neither
 * is known as one, the second is left to the form.
 */
function withField(field: Field, name: string, tool: Tool, input: Fields): Fields {
  const whose = fieldsOf(tool).find((one) => kindOf(one)?.noun === 'subscriber')?.name;
  const old = whose && input[whose];
  if (whose === undefined || typeof old !== 'string' || kindOf(field)?.noun !== 'account')
    return { [field.name]: name };
  if (isPersons(old) || name.split(/\s+/).some((word) => COMPANY_WORD.test(word))) return { [field.name]: name };
  return isPersons(name) ? { [field.name]: old, [whose]: name } : {};
}

function isPersons(name: string): boolean {
  const [first = '', ...others] = name.split(/\s+/);
  return GIVEN.has(first.toLowerCase()) || (others.length > 0 && !others.some((word) => COMPANY_WORD.test(word)));
}

/** Chooses the open field for a name: the new holder of the line, then its holder at the carrier, then the account. */
function openFor(name: string, tool: Tool, input: Fields): Field | undefined {
  const isOpen = (field: Field | undefined) => field !== undefined && input[field.name] === undefined;
  const fields = fieldsOf(tool);
  const account = fields.find((field) => kindOf(field)?.noun === 'account');
  const whose = fields.find((field) => kindOf(field)?.noun === 'subscriber');
  const holder = fields.find((field) => field.name === 'SubscriberName');
  const isPerson =
    /^\p{Lu}[\p{L}'’-]+(?:\s+\p{Lu}[\p{L}'’.-]*)+$/u.test(name) &&
    !name.split(/\s+/).some((one) => COMPANY_WORD.test(one));
  const own = fields.find((field) => field.name === 'Name');
  if (own && isPerson && input.Name === undefined) return own;
  const order = isPerson ? [whose, holder] : [whose, account];
  return order.find(isOpen) ?? undefined;
}
