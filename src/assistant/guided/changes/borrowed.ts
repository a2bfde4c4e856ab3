import { wordsOf } from '../../../language/sentence.ts';
import type { Fields } from '../../../lib/json.ts';
import type { GuidedAnswer } from '../answers/answer.ts';
import type { Meant, Topic } from '../answers/topics.ts';
import { isPlanName } from '../facts/plans.ts';

/*
 * A route or a plan that a sentence names by another line: "put 0103 on the same route as 0101", "ava's plan for 0104", "who
 * else is on the route of 0104". The sentence is read with a name in place of these words, and the field gets the other line,
 * whose record surfaces find.
 */

const SERVICE = String.raw`(?:(?<service>message|messaging|sms|mms|text|voice|call|sip)s?\s+)?`;
const KIND = String.raw`${SERVICE}(?<noun>routes?|rout(?:ed|ing)|trunks?|plan|package|bundle|tariff)\b`;
const DIGITS = String.raw`(?:(?:line|number)\s+)?(?:[#…*]*(?<![\d-])\d{4}(?![\w-])|\+?1?[\s.-]?\(?[2-9]\d{2}\)?[\s.-]?\d{3}[\s.-]?\d{4}(?!\d))`;
const HAS = String.raw`(?:\s+(?:has|have|had|uses?|is\s+(?:on|using)|got|does|is|sits\s+on|runs\s+(?:on|over)))?\b`;
const OWN = String.raw`(?:['’]s?(?:\s+(?:line|number|one))?)?`;
const OTHER = String.raw`(?<line>${DIGITS}|\p{L}[\p{L}-]+(?:\s+\p{Lu}[\p{L}-]+)?)`;
const ITS = String.raw`(?:has|uses|is\s+(?:on|using)|got)\b`;
/** Before the record of a line that shall get another one: "change the route of 0103", "make 0103's route". */
const NOT_CHANGED = String.raw`(?<!\b(?:chang|switch|swap|mov|exchang|upgrad|downgrad|renam|set|updat|fix|correct|align|match|replac|edit|adjust|sync|bring|mak)\w*\s+(?:up\s+)?)`;
const phrase = (pattern: string) => new RegExp(String.raw`(?<![\p{L}\d])${pattern}`, 'iu');
/** Expressions that name the record of another line. The words of `gap` stay. */
const SAME: readonly RegExp[] = [
  String.raw`(?:(?:the|a)\s+)?same\s+${KIND}(?<gap>[^,.;!?]{0,40}?)\s+(?:as|like|with)\s+(?:(?:for|on|with|of)\s+)?${OTHER}${OWN}${HAS}`,
  String.raw`(?:(?:the|a)\s+)?same\s+${KIND}\s+(?:(?:that|which)\s+)?${OTHER}\s+${ITS}`,
  String.raw`(?:what(?:ever)?|whichever|which)\s+${KIND}\s+(?:that\s+)?${OTHER}\s+${ITS}`,
  String.raw`(?<=\bshar(?:e|es|ed|ing)\s+)(?:(?:the|a|its|their)\s+)?${KIND}\s+with\s+${OTHER}${OWN}`,
].map(phrase);
const OWNED: readonly RegExp[] = [
  String.raw`${NOT_CHANGED}(?:the|a|its|their)\s+${KIND}\s+(?:with|of|from)\s+${OTHER}${OWN}`,
  String.raw`(?:the|a)\s+${KIND}\s+(?:(?:that|which)\s+)?${OTHER}\s+${ITS}`,
  String.raw`${NOT_CHANGED}${OTHER}(?:['’]s?|(?<=\p{L}{2}[^s\P{L}])s)\s+${KIND}`,
].map(phrase);
/** "Route for 0102 is wrong, should be same as 0101", "set 0103's route to 0101's": the kind is named before. */
const LIKE = phrase(
  String.raw`(?:(?:the\s+)?same\s+(?:one\s+)?(?:as|like|that)|just\s+like|like|as|with|match(?:es)?|identical\s+to|(?:the|that)\s+(?:one|of)(?:\s+(?:of|from|on|that))?|to\s+(?=${DIGITS}(?:['’]s|\s+${ITS})))\s*(?:(?:for|on|with|of)\s+)?(?<line>${DIGITS})${OWN}${HAS}`,
);
const NAMED_BEFORE = new RegExp(KIND, 'iu');

/** Asks for the lines, and gives no line another record. */
const ASKS_LINES =
  /\b(?:who|whose|anyone|anybody|any\s+other|somebody|someone|others?|which\s+(?:other\s+)?(?:lines?|numbers?|customers?|people|sims?)|what\s+(?:other\s+)?(?:lines?|numbers?|customers?|sims?)|how\s+many|list|everyone|everybody|shares?)\b/iu;
/** "Who changed Ben's plan" asks for what was done. */
const DEEDS =
  /\b(?:who|which\s+\p{L}+|anyone|anybody|someone|somebody)\s+(?:(?:has|have|had|just|else)\s+)*(?:\p{L}{2,}ed|put|set|did|do|made)\b|\b(?:can|may|should)\s+(?:change|move|set)\b/iu;
const ORDERS =
  /\b(?:put|move|set|switch|change|give|gets?|use|uses|using|assign|point|route|should|must|needs?|needed|has\s+to|have\s+to|supposed|goes?|subscribe|sign|enroll?|make|same|align|match|copy|wants?|belongs?|onto|please|pls)\b/iu;
const REFUSES =
  /\b(?:not|never|without|unless|if|why|when|how\s+(?:do|does|can|to)|delete|remove|rename|cost|price)\b|n['’]t\b|\bdont\b/iu;
const ASKS =
  /\?\s*$|^\W*(?:(?:so|and|ok|hey|hi)[\s,]+)*(?:is|are|was|were|does|do|did|(?:has|have)\s+(?:we|i|you|they|he|she|any\p{L}+)|who|what(?!ever)|which(?!ever)|where|why|when|how|show|list|find)\b/iu;
const LINES = new RegExp(DIGITS, 'giu');

const SHOWS_IT =
  /^\W*(?:(?:please|pls|so|ok|hi|hey|can|could|you|i|we|want|to|see|show|list|get|give|me|us|all|of|what|are|which|do)\s+)*it\W*$/iu;

/** In place of the record of the other line. */
const NAME = 'Borrowed';
const STANDS = new RegExp(`^${NAME}(?: (?:sms|voice) route)?$`, 'u');

interface Borrowed {
  /** The other line. */
  line: string;
  /** The traffic of the record: texts, calls, or both where the words do not say. Undefined for a plan. */
  routes: readonly Carried[] | undefined;
  /** The sentence with this in place of the record. */
  withName: (name: string) => string;
}

type Carried = 'sms' | 'voice';

function carriedBy({ service = '', noun = '' }: Record<string, string | undefined>): Borrowed['routes'] {
  if (!/^(?:rout|trunk)/iu.test(noun)) return undefined;
  if (/^(?:voice|call|sip)$/iu.test(service) || /^trunk/iu.test(noun)) return ['voice'];
  return service === '' ? ['sms', 'voice'] : ['sms'];
}

/** The line, without the words of the sentence before its name: "use ava". */
function sourceIn(named: string): { line: string | undefined; before: string } {
  if (/\d/.test(named)) return { line: named.replace(/^(?:line|number)\s+/iu, ''), before: '' };
  const words = named.split(/\s+/);
  const isName = (word: string) => wordsOf(word).every(({ isUnknown, plain }) => isUnknown && plain.length > 1);
  const first = words.findIndex(isName);
  if (first < 0 || !words.slice(first).every(isName)) return { line: undefined, before: '' };
  return { line: words.slice(first).join(' '), before: words.slice(0, first).join(' ') };
}

/** The record of another line that a sentence names. */
function borrowedIn(said: string): Borrowed | undefined {
  return namedBy(SAME, said) ?? namedLike(said) ?? namedBy(OWNED, said);
}

function namedBy(phrases: readonly RegExp[], said: string): Borrowed | undefined {
  for (const pattern of phrases) {
    const match = pattern.exec(said);
    const { line: named = '', gap = '', ...kind } = match?.groups ?? {};
    const { line, before } = sourceIn(named);
    // "The family plus plan" names a plan, and no line of one Plu.
    if (!match || line === undefined || isPlanName(`${line}s`)) continue;
    return { line, routes: carriedBy(kind), withName: inPlaceOf(said, match[0], { before, gap }) };
  }
  return undefined;
}

function namedLike(said: string): Borrowed | undefined {
  const match = LIKE.exec(said);
  const kind = NAMED_BEFORE.exec(said.slice(0, match?.index ?? 0))?.groups;
  const { line } = sourceIn(match?.groups?.line ?? '');
  if (!match || !kind || line === undefined) return undefined;
  return { line, routes: carriedBy(kind), withName: inPlaceOf(said, match[0], { before: '', gap: '' }) };
}

function inPlaceOf(said: string, found: string, { before, gap }: { before: string; gap: string }) {
  return (name: string) => said.replace(found, ` ${before} ${name}${gap} `).replace(/\s+/g, ' ').trim();
}

/** The answer to a sentence that names the route or the plan of another line. Undefined for other sentences. */
export function ofBorrowed(said: string, answered: (text: string) => GuidedAnswer): GuidedAnswer | undefined {
  if (said.length > 300 || /["“„]|https?:/u.test(said)) return undefined;
  const found = borrowedIn(said);
  if (!found || REFUSES.test(said)) return undefined;
  const { line, routes, withName } = found;
  const asked = withName('it');
  // "List acmes voice routes" asks for the routes of an account, and for no lines.
  if (SHOWS_IT.test(asked)) return undefined;
  if (ASKS_LINES.test(asked)) return DEEDS.test(asked) ? undefined : ofLines(found, answered);
  const others = [...asked.matchAll(LINES)].map(([one]) => one.trim());
  if (ASKS.test(said) || !ORDERS.test(said)) return undefined;
  const names = routes === undefined ? [`the ${NAME} plan`] : routes.map((one) => `the ${NAME} ${one} route`);
  const [first, ...more] = names.map((name) => {
    const own = answered(withName(name));
    return gives(own) || others.length === 0 ? own : answered(`put ${others.join(' and ')} on ${name}`);
  });
  if (!first || !gives(first) || !more.every(gives)) return undefined;
  const input = [first, ...more].map((one) => ({ ...one.input }));
  const what =
    routes === undefined ? 'plan' : routes.length > 1 ? 'routes of texts and of calls' : `${kindWord(routes)} route`;
  const told = `; the ${what} of ${line}, as you say`;
  return {
    ...first,
    kind: 'form',
    input: withLine(Object.assign({}, ...input) as Fields, line),
    understood: `${first.understood.replace(/\.$/, '')}${told}.`,
    remarks: `${first.remarks ?? ''}${told}`,
  };
}

function kindWord([route]: readonly Carried[]): string {
  return route === 'sms' ? 'message' : 'voice';
}

/** True for an order that gives a record to a line or a set of lines. */
function gives({ operation = '', kind, input }: GuidedAnswer): boolean {
  const isChange = kind === 'form' || kind === 'question';
  return (
    isChange && /^(?:numbers_(?:update|provision)$|subscriptions_)/.test(operation) && Object.values(input).some(stands)
  );
}

function stands(value: unknown): boolean {
  return typeof value === 'string' && STANDS.test(value);
}

function withLine(input: Fields, line: string): Fields {
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, stands(value) ? line : value]));
}

/** The search for the lines that use the record of a line. */
function ofLines({ line, routes }: Borrowed, answered: (text: string) => GuidedAnswer): GuidedAnswer | undefined {
  const own = answered(`who is on the ${NAME} ${routes === undefined ? 'plan' : 'voice route'}`);
  if (own.operation !== 'numbers_find') return undefined;
  const what = routes === undefined ? 'plan' : routes.length > 1 ? 'route' : `${kindWord(routes)} route`;
  const name = `${what} of ${line}`;
  const { orAccount } = own;
  return {
    ...own,
    // The name may be that of an account.
    ...(orAccount && { orAccount: { ...orAccount, name: line, input: withLine(orAccount.input, line) } }),
    input: routes === undefined ? { Plan: name } : { Route: name },
    understood: `Find numbers with the ${name}.`,
  };
}

const THAT = new RegExp(
  String.raw`\b(?:that|this|its|his|her|their|(?:the|that)\s+same|the)\s+${SERVICE}(?<noun>route|trunk|plan|package)\b(?!\s+(?:of|called|named|for)\b)`,
  'iu',
);
const OF_TEXTS = /\b(?:sms|mms|texts?|texting|messages?)\b/iu;
const OF_CALLS = /\b(?:calls?|calling|ring\w*|voice|dial\w*)\b/iu;

/** "Is anyone else on that route" after a question about a line: its route. Undefined for other messages. */
export function ofRouteOfLine(text: string, last: string, { line, subject, beside = [] }: Topic): Meant | undefined {
  const match = ASKS_LINES.test(text) && text.length <= 100 ? THAT.exec(text) : null;
  if (!match || line === undefined || /\d{4}/.test(text)) return undefined;
  const { service, noun = '' } = match.groups ?? {};
  // A record of the kind that was shown is the one that is meant.
  const kind = /^(?:route|trunk)/iu.test(noun) ? /route$/u : /^package$/u;
  if ([subject, ...beside].some((one) => one !== undefined && one.name !== line && kind.test(one.noun)))
    return undefined;
  const own = service ?? (OF_TEXTS.test(last) ? 'message' : OF_CALLS.test(last) ? 'voice' : '');
  const record = /^(?:route|trunk)/iu.test(noun) ? `${own} ${noun}`.trim() : noun;
  const meant = `who else is on the ${record} of ${line}`;
  return { text: meant, kind: 'read' };
}
