import type { Field } from '../../../catalogue/field-types.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { wordsOf } from '../../../language/sentence.ts';
import { kindOf } from '../../../language/typed-values.ts';
import { defined, type Fields } from '../../../lib/json.ts';
import type { Asked } from '../facts/stance.ts';
import { type GuidedAnswer, understood } from './answer.ts';
import { takesNumbers } from './fill.ts';
import { isCarrier } from './left-parts.ts';

/*
 * The account for which a sentence asks something: "a new sms route for Globex", "add Dana to Acme", "Acme's webhooks". It
 * is filled in where the operation has a field for an account, and none for a line or a customer whom the name may mean.
 */

/** Words before the account for which something is. */
const BEFORE = /\b(?:for|on|of|at|to|under|in|within|from|into)\s+(?:(?:the|our|new)\s+)*(?:account\s+(?:of\s+)?)?/giu;
/** Common words in the names of companies and families. */
const COMPANY = /^(?:family|mobile|group|company|corp|inc|llc|ltd|co|office|wireless|telecom|holdings?|partners?)$/iu;
/** A name before what an account has. */
const HAS =
  /(?<name>\p{L}[\p{L}\d&'’-]*)\s+(?:webhooks?|packages|products|account)\b|(?<of>\p{L}[\p{L}\d&-]*(?:['’]s|s))\s+(?:(?:voice|call|calls|sip|sms|text|texts|message|messages)\s+)?(?:routes?|trunks?|plans|webhooks?)\b|\b(?:does|do|has|have|did)\s+(?<owner>\p{L}[\p{L}\d&'’-]*)\s+(?:have|got|use|own|sell|offer)\b/giu;
const OWNED =
  /^\s+(?:(?:voice|call|calls|sip|sms|text|texts|message|messages)\s+)?(?:routes?|trunks?|webhooks?|packages?)\b/iu;
const MOST_WORDS = 3;

/** The accounts or customers for whom a sentence asks something, each with the word before it. */
export function scopesIn(said: string): { name: string; before: string }[] {
  const found = [...said.matchAll(BEFORE)].flatMap(({ 0: before, index }) => {
    const rest = said.slice(index + before.length);
    const found = nameAt(rest);
    // "For acmes sms route"
    const name = found && withoutOwner(found, OWNED.test(rest.slice(found.length)));
    return name === undefined ? [] : [{ name, before: before.split(/\s/)[0]?.toLowerCase() ?? '' }];
  });
  if (found.length > 0) return found;
  for (const { groups } of said.matchAll(HAS)) {
    const name = groups?.name ?? groups?.of ?? groups?.owner ?? '';
    const own = /['’]s$/u.test(name) ? name.slice(0, -2) : name;
    if (isName(own)) return [{ name: withoutOwner(own, groups?.owner === undefined), before: '' }];
  }
  return [];
}

/** The unknown words with which a text begins. Those of a possessive are a name only before "account". */
function nameAt(text: string): string | undefined {
  const tokens = /^[^,.;:!?()]*/u.exec(text)?.[0].split(/\s+/).filter(Boolean) ?? [];
  const names: string[] = [];
  for (const [at, token] of tokens.slice(0, MOST_WORDS).entries()) {
    // "For Acme delivering to https://…"
    if (at > 0 && /ing$/u.test(token) && /^(?:to|at)$/iu.test(tokens[at + 1] ?? '')) break;
    const isOwner = /['’]s$/u.test(token);
    const plain = isOwner ? token.slice(0, -2) : token;
    const goesOn =
      names.length > 0 && (COMPANY.test(plain) || (/^\p{Lu}/u.test(plain) && /^\p{Lu}/u.test(names[0] ?? '')));
    if (!isName(plain) && !goesOn) break;
    names.push(plain);
    if (isOwner) return tokens[names.length]?.toLowerCase() === 'account' ? names.join(' ') : undefined;
  }
  return names.length === 0 ? undefined : names.join(' ');
}

function isName(text: string): boolean {
  if (/[\d@/]/u.test(text) || text.length < 2) return false;
  const words = wordsOf(text);
  return words.length === 1 && words.every(({ isUnknown }) => isUnknown);
}

/** "Acmes webhooks" are those of Acme. */
function withoutOwner(name: string, isBefore: boolean): string {
  return isBefore ? name.replace(/(?<=\p{L}{2}[^s\P{L}])s$/u, '') : name;
}

/** The field of a search by any name. */
const SEARCH = 'Query';

/** The field of the account of an operation that is about no line and no customer, or needs an account in any case. */
export function accountField(tool: Tool): Field | undefined {
  const fields = fieldsOf(tool);
  const account = fields.find(isAccount);
  const isOfOne = fields.some(
    (field) => takesNumbers(field) || field.name === SEARCH || kindOf(field)?.noun === 'subscriber',
  );
  return isOfOne && account?.required !== true ? undefined : account;
}

function isAccount(field: Field): boolean {
  return field.kind === 'id' && kindOf(field)?.noun === 'account';
}

/** Operations that make a line, which belongs to a customer and to an account. */
const MAKES_LINE: ReadonlySet<string> = new Set(['numbers_portin', 'numbers_provision']);

/** The answer with the account that the sentence names, where its operation takes one and has none yet. */
export function withAccount(
  guided: GuidedAnswer,
  asked: Asked,
  { tool, toolOf }: { tool: Tool | undefined; toolOf: (id: string) => Tool | undefined },
): GuidedAnswer {
  if (!tool || guided.isRefused || guided.find || guided.kind === 'help' || guided.kind === 'events') return guided;
  if (fieldsOf(tool).some(({ name }) => name === SEARCH)) return withWhatItHas(guided, asked, toolOf);
  const order = ordered(asked);
  const added = MAKES_LINE.has(tool.id) ? ofLine(tool, guided.input, order) : ofAccount(tool, guided.input, order);
  const input = withOwnName(tool, { ...guided.input, ...added }, asked);
  return { ...guided, input, understood: withTitle(guided, tool, input) };
}

/** The sentence without names of other records, texts and addresses. */
function ordered({ said, facts }: Asked): string {
  const { routes, records, name, customer } = facts.details;
  const names = [facts.message, name, customer, facts.email, ...[...routes, ...records].map((one) => one.name)];
  return names
    .reduce<string>((text, one) => (one ? text.replaceAll(one, ' ') : text), said)
    .replace(/\bhttps?:\S+/giu, ' ');
}

/** Records that belong to an account. The name of the account alone means its only one, which surfaces find. */
const BELONGS = /\broute$|^webhook$/;

/** The account that an operation has no value for, or the record of the account that it changes. */
function ofAccount(tool: Tool, input: Fields, order: string): Fields {
  const record = fieldsOf(tool).find(
    (one) =>
      one.required && one.kind === 'id' && input[one.name] === undefined && BELONGS.test(kindOf(one)?.noun ?? ''),
  );
  const field = record ?? accountField(tool);
  if (!field || input[field.name] !== undefined) return {};
  const [scope] = scopesIn(withoutNames(order, input)).filter(({ name }) => !isCarrier(name));
  return scope ? { [field.name]: scope.name } : {};
}

/**
 * The customer and the account of a new line. A name alone may be either one, and surfaces decide; of two, the one behind
 * "for" is the customer.
 */
function ofLine(tool: Tool, input: Fields, order: string): Fields {
  const fields = fieldsOf(tool);
  const holder = fields.find((field) => kindOf(field)?.noun === 'subscriber' && !field.required)?.name;
  const account = fields.find(isAccount)?.name;
  const isPlan = (name: string) =>
    new RegExp(`${name.replace(/[^\p{L}\d]+/gu, '.')}\\s+(?:plan|package|bundle|tariff)\\b`, 'iu').test(order);
  const scopes = scopesIn(withoutNames(order, input)).filter(({ name, before }) => before !== 'from' && !isPlan(name));
  const whose = scopes.find(({ before }) => before === 'for') ?? scopes[0];
  const other = scopes.find((scope) => scope !== whose);
  if (holder === undefined || account === undefined || !whose) return {};
  if (input[holder] !== undefined) return input[account] === undefined ? { [account]: whose.name } : {};
  return { [holder]: whose.name, ...(other && { [account]: other.name }) };
}

/** The sentence without the names that the answer has already. */
function withoutNames(said: string, input: Fields): string {
  return Object.entries(input).reduce(
    (text, [name, value]) =>
      typeof value !== 'string' || value.length < 3 || name === 'Name' ? text : text.replaceAll(value, ' '),
    said,
  );
}

/** The input with the name of a new customer, where the account took its place: "new manager for Acme, Tom Ray". */
function withOwnName(tool: Tool, input: Fields, { said, facts }: Asked): Fields {
  const account = fieldsOf(tool).find(isAccount);
  const { Name: name, ...rest } = input;
  if (!account || typeof name !== 'string') return input;
  const isSame = name.toLowerCase() === String(input[account.name]).toLowerCase();
  // "Add someone to Acme: Nora Field": the words of a name have no mark between them.
  const isApart = !said.toLowerCase().includes(name.toLowerCase()) && facts.details.customer === undefined;
  if (!isSame && !isApart) return input;
  const own = NAMED.exec(facts.email === undefined ? said : said.replace(facts.email, ' '))?.groups?.name;
  if (own === undefined) return isSame ? rest : input;
  return own === name && isSame ? rest : { ...rest, Name: own };
}

/** A whole name in a list of values. */
const NAMED = /(?:^|[,;:(]\s*)(?<name>\p{Lu}[\p{L}\p{M}'’-]+(?:\s+\p{Lu}[\p{L}\p{M}'’-]+){1,3})\s*(?=$|[,;.)<])/u;

/** The words of the answer with what it still needs now. */
function withTitle(guided: GuidedAnswer, tool: Tool, input: Fields): string {
  const before = understood(tool, guided.input);
  return guided.understood.startsWith(before)
    ? `${understood(tool, input)}${guided.understood.slice(before.length)}`
    : guided.understood;
}

/* Lists of an account, and of the lines of a name. A surface tells whether the name is one of an account. */

/** The records of an account, by the things of a sentence: their list, and the read of one where people speak of one. */
const HAD: readonly { things: readonly string[]; list: string; get?: readonly [operation: string, field: string] }[] = [
  { things: ['route', 'text'], list: 'account_message_routes_get', get: ['message_routes_get', 'MessageRouteId'] },
  { things: ['route'], list: 'account_voice_routes_get', get: ['voice_routes_get', 'CallRouteID'] },
  { things: ['package'], list: 'account_packages_get' },
  { things: ['subscription'], list: 'account_packages_get' },
  { things: ['product'], list: 'account_products_get' },
  { things: ['workgroup'], list: 'account_workgroups_get' },
  { things: ['webhook'], list: 'account_webhooks_get' },
];
const SEVERAL =
  /\b(?:routes|trunks|plans|packages|bundles|tariffs|products|workgroups|webhooks|to\s+sell|for\s+sale|offers?)\b/iu;

/** The search for the lines of a name, with what is meant instead if the name is one of an account. */
function withWhatItHas(
  guided: GuidedAnswer,
  { said, clauses, mayUse }: Asked,
  toolOf: (id: string) => Tool | undefined,
): GuidedAnswer {
  const { Query: name, Full: _full, ...others } = guided.input;
  const isOfName = typeof name === 'string' && /\p{L}/u.test(name) && Object.keys(others).length === 0;
  if (guided.kind !== 'lookup' || !isOfName || guided.isInstead) return guided;
  const things = new Set(clauses.flatMap(({ words }) => words.flatMap((word) => word.things)));
  // The routes of an account say where its calls and texts go.
  if (guided.facts?.some((fact) => fact === 'texts' || fact === 'calls')) things.add('route');
  if (guided.facts?.includes('texts')) things.add('text');
  return {
    ...guided,
    ...defined({ orAccount: hadBy(name, { said, things, toolOf: (id) => (mayUse(id) ? toolOf(id) : undefined) }) }),
  };
}

/** "Which voice routes has Globex": the list. A plan in the singular is that of the lines. */
function hadBy(
  name: string,
  { said, things, toolOf }: { said: string; things: ReadonlySet<string>; toolOf: (id: string) => Tool | undefined },
): GuidedAnswer['orAccount'] {
  const had = HAD.find((one) => one.things.every((thing) => things.has(thing)));
  const isSeveral = SEVERAL.test(said);
  const [operation, field] = had && !isSeveral ? (had.get ?? []) : had ? [had.list] : [];
  const tool = operation === undefined ? undefined : toolOf(operation);
  if (!tool) return undefined;
  const account = accountField(tool)?.name;
  const input = field !== undefined ? { [field]: name } : account === undefined ? {} : { [account]: name };
  // Some lists are those of the credentials, and no account chooses among them.
  const isAll = field === undefined && account === undefined;
  const further = isSeveral && tool.id === OF_CALLS && !SAYS_KIND.test(said) ? toolOf(OF_TEXTS) : undefined;
  const told = isAll ? `. The platform keeps one list for all: it is not narrowed to “${name}”` : ` of “${name}”`;
  return {
    name,
    operation: tool.id,
    input,
    understood: listText(tool, told),
    // "Which routes has Acme" asks for those of calls and of texts, which are two lists.
    ...(further && { further: { operation: further.id, input, understood: listText(further, told) } }),
  };
}

const OF_CALLS = 'account_voice_routes_get';
const OF_TEXTS = 'account_message_routes_get';
const SAYS_KIND = /\b(?:calls?|calling|voice|sip|trunks?|texts?|sms|mms|messag\p{L}*)\b/iu;

function listText({ title }: Tool, told: string): string {
  return `${title.replace(/ of (?:an|the) account$/, '')}${told}.`;
}
