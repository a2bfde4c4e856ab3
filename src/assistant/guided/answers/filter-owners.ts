import { FAMILY, LEVEL_STEPS, MODE_WORDS, RULE_WORDS } from '../../../../tools/surfaces/filter-words.ts';
import { wordsOf } from '../../../language/sentence.ts';
import type { Facts, Mention } from '../facts/facts.ts';
import { peopleIn } from '../facts/names.ts';
import { isLinePart, partiesOf } from '../facts/parties.ts';
import type { Clause } from '../facts/stance.ts';
import { nameIn } from './finder.ts';

/* The owner of the filter that a sentence is about, and the numbers in it that are none of the owner's lines. */

export interface FilterOwner {
  /** The customer by name, or their line. Undefined if the sentence does not say. */
  owner: string | undefined;
  isLine: boolean;
  others: readonly string[];
}

/** Words that are read as settings of a filter, or as a relative, and as no name. */
const NO_NAME = new RegExp(
  String.raw`^(?:${[
    ...Object.values(MODE_WORDS.messages),
    ...Object.values(RULE_WORDS.messages),
    ...Object.values(LEVEL_STEPS),
    FAMILY,
    'whitelist|blacklist|(?:key)?words?|softer|levels?|modes?|settings?|filters?|guardian|inbound|outbound|nr|pls|thx|everything|anything|something|nothing|whatever|texts?|calls?|sms|messages?|anyones?|anybodys?|everyones?|someones?|nobody',
  ].join('|')})\b`,
  'iu',
);

/** True for words that name a relative, a level or strangers, and no customer. */
export function isNoName(words: string): boolean {
  return NO_NAME.test(words) || STRANGERS.test(words);
}

const STRANGERS = new RegExp(String.raw`\b(?:${RULE_WORDS.messages.BlockUnknownNumbers})\b`, 'iu');

const OF_LINE: ReadonlySet<string> = new Set(['for', 'on', 'of']);

/** The line is whose filter it is where the sentence names one and other numbers: last digits are those of a line. */
export function filterOwner(facts: Facts, clauses: readonly Clause[]): FilterOwner {
  const { mentions } = facts;
  const [known] = peopleIn(...clauses.map(({ words }) => words))
    .filter((name) => !NO_NAME.test(name))
    .map(withoutSettings);
  const said = namedFilter(facts.rest);
  const begins = (one: string, other: string) => one.toLowerCase().startsWith(other.toLowerCase());
  const isSaid = said === undefined || (known !== undefined && (begins(known, said) || begins(said, known)));
  const person = isSaid ? known : said;
  const line = lineIn(mentions, person);
  if (line !== undefined)
    return { owner: line.text, isLine: true, others: mentions.filter((one) => one !== line).map(({ text }) => text) };
  const named = person ?? (mentions.every(({ isWhole }) => isWhole) ? looselyNamed(facts, clauses) : undefined);
  const { owner, isPerson, others } = partiesOf(facts, named);
  if (owner !== undefined)
    return { owner: isPerson ? withoutPossessive(owner, facts.rest) : owner, isLine: !isPerson, others };
  return { owner, isLine: false, others: mentions.map(({ text }) => text) };
}

/** "Ben weaker": the name without a setting behind it. */
function withoutSettings(name: string): string {
  const words = name.split(' ');
  const at = words.findIndex((word, index) => index > 0 && NO_NAME.test(word));
  return at < 0 ? name : words.slice(0, at).join(' ');
}

/** The only number that is the customer's line. */
function lineIn(mentions: readonly Mention[], person: string | undefined): Mention | undefined {
  const isBeside = ({ before }: Mention) =>
    person !== undefined && person.toLowerCase().split(' ').at(-1) === before.replace(/['’]s$/, '');
  const isOwn = (one: Mention) => OF_LINE.has(one.before) || one.isOwner || isBeside(one);
  const [only, ...more] = mentions;
  if (only && more.length === 0) {
    if (isOwn(only)) return only;
    return person === undefined && !only.isWhole ? only : undefined;
  }
  const [own, ...others] = mentions.filter(isOwn);
  if (own && others.length === 0) return own;
  const [digits, ...rest] = mentions.filter((one) => !one.isWhole);
  return digits && rest.length === 0 && !mentions.some((one) => one !== digits && isLinePart(one)) ? digits : undefined;
}

const FILTER_OF =
  /\bfilters?\s+(?:of|for|on|from)\s+(?!the\b|an?\b|his\b|her\b|their\b|this\b|that\b|all\b|calls?\b|texts?\b|messages?\b|number\b)(?<name>\p{L}[\p{L}'’-]+)/iu;

const FILTER_HAS =
  /\b(?:off|of|out|from|in|on|to|for)\s+(?:(?<own>(?!the\b)\p{L}[\p{L}-]+(?:\s+\p{L}[\p{L}-]+)?)['’]s|(?<bare>\p{L}{2,}[^s\W])s)\s+(?:\p{L}+\s+)?(?:filters?|(?:key\s?)?words?)\b/iu;

/** "The message filter of ben", "off ben's filter" */
export function namedFilter(text: string): string | undefined {
  const has = FILTER_HAS.exec(text)?.groups;
  const bare = has?.bare !== undefined && wordsOf(has.bare).every(({ isUnknown }) => isUnknown) ? has.bare : undefined;
  return ownerNamed(FILTER_OF.exec(text)?.groups?.name ?? has?.own ?? bare);
}

function ownerNamed(name: string | undefined): string | undefined {
  return name === undefined || NO_NAME.test(name) ? undefined : name;
}

function looselyNamed(facts: Facts, clauses: readonly Clause[]): string | undefined {
  const name = nameIn(facts, clauses);
  if (name === undefined || NO_NAME.test(name)) return undefined;
  // "The Stone kids" are several.
  return new RegExp(String.raw`\b${name}\s+(?:kids|children|family|household|girls|boys)\b`, 'iu').test(facts.rest)
    ? undefined
    : name;
}

/** "Turn bens filter back on": the name without the s of a possessive that was typed without its apostrophe. */
function withoutPossessive(name: string, text: string): string {
  const isOwning = /[^s]s$/i.test(name) && new RegExp(String.raw`\b${name}\s+(?:\p{L}+\s+)?filter`, 'iu').test(text);
  return isOwning && /^\p{Ll}/u.test(name) ? name.slice(0, -1) : name;
}
