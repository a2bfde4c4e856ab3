import { acts, common, expressions, foreign, things } from '../../tools/surfaces/words.ts';
import { nearest } from '../lib/nearest.ts';

/* Reads a sentence into words, each with its acts and its things, and marks words that may be names. */

/** One word of a sentence. */
export interface Word {
  typed: string;
  /** Lower case, without a possessive ending. */
  plain: string;
  /** The acts that it names. */
  acts: readonly string[];
  /** The things that it names. */
  things: readonly string[];
  /** True if neither the vocabulary nor everyday English has it, so that it may be a name. */
  isUnknown: boolean;
  /** True if the sentence speaks against it: "do not cancel". */
  isNegated: boolean;
  /** True if it reports what was done: "cancelled". */
  isPast: boolean;
}

const CONTRACTIONS: readonly (readonly [RegExp, string])[] = [
  [/[’`]/g, "'"],
  [/\b(?:can\s*not|can'?t|cant)\b/g, 'cannot'],
  [/\bwon'?t\b(?!\s+(?:need|want))/g, 'wont'],
  [/\bain'?t\b/g, 'is not'],
  [/\b(does|do|did|is|are|has|have|was|were|should|would|could|must)n'?t\b/g, '$1 not'],
  [/\bwhat'?s\b/g, 'what is'],
  [/\b(who|where|how|when|it|that|he|she)'s\b/g, '$1 is'],
];

/** Long words for times. */
export const TIME_WORDS: readonly string[] =
  'yesterday overnight weekend monday tuesday wednesday thursday friday saturday sunday morning tomorrow'.split(' ');
/** Length of the words in which any slip of the keyboard is corrected. */
const MIN_CORRECTED = 5;
/** Length of the words in which two neighbouring letters in the wrong order are corrected. */
const MIN_SWAPPED = 4;

/** Words after which a word of the vocabulary is a noun: "the port", "her watch". */
const BEFORE_NOUN = words(
  'the a an my his her their our your its this that these those any some no which what each every new last latest recent failed ' +
    'rejected pending old current wrong of on for with about from in by more another many all much data fresh incoming',
);
/** Words before which a word of the vocabulary is a noun: "port status", "data limits". */
const AFTER_NOUN = words(
  'status order orders request requests list pin filter filters settings history date usage limit limits update updates',
);
/** Words that end what the next word names: "stop blocking" is about the block. */
const ENDING = words(
  'stop end quit cease undo lift revert remove disable switchoff nolonger halt finish delete cancel withdraw',
);
const NEGATIONS = words('not never dont without nobody avoid wont cannot against');
const NOTHING = words('nothing none nobody neither');
/** Words after which a negation asks to end something: "do not block her any more". */
const ANY_MORE = words('anymore nolonger');
const TO_BE = words('am is are was were been being be got gets has have had');
/** Words with which a participle is a wish: "needs cancelled", "should be parked". */
const WISH = words('need needs want wants should must please pls plz like asap today now immediately');
/** Words between a negation and the word that it negates. */
const REACH = 4;

const BY_ACT = index(acts);
const BY_THING = index(things);
const FOREIGN: ReadonlySet<string> = new Set(foreign);
const SPECIFIC = new Set([...Object.keys(things)].filter((one) => !common.includes(one)));
const ALL_WORDS = [...new Set([...BY_ACT.keys(), ...BY_THING.keys(), ...FOREIGN])];
const FORMS = [...ALL_WORDS, ...[...BY_THING.keys()].map((word) => `${word}s`)];
const LONG = FORMS.filter((word) => word.length >= MIN_CORRECTED);
const SHORT = FORMS.filter((word) => word.length >= MIN_SWAPPED && word.length < MIN_CORRECTED);
const EXPRESSIONS = expressions.map(([template, word]) => ({ pattern: patternOf(template), word }));

/** True for a thing that says what a sentence is about. */
export function isSpecific(thing: string): boolean {
  return SPECIFIC.has(thing) || FOREIGN.has(thing);
}

/** The words of a clause, with slips corrected. */
export function wordsOf(clause: string): Word[] {
  const typed = expanded(clause)
    .split(/[^\p{L}\p{M}'’-]+/u)
    .map((one) => one.replace(/^['’-]+|['’-]+$/g, ''))
    .filter(Boolean);
  const read = withOwners(typed.map(readWord));
  return read.map((word, at) => (isSurname(at, read) ? named(word) : inPlace(word, at, read)));
}

/** True for a word with a capital letter after a name: "Nina Park". */
function isSurname(at: number, all: readonly Read[]): boolean {
  const [before, word] = [all[at - 1], all[at]];
  return before?.isUnknown === true && /^\p{Lu}\p{Ll}/u.test(before.typed) && /^\p{Lu}\p{Ll}/u.test(word?.typed ?? '');
}

function named({ typed, plain }: Read): Word {
  return { typed, plain, acts: [], things: [], isUnknown: true, isNegated: false, isPast: false };
}

interface Read extends Omit<Word, 'isNegated' | 'isPast'> {
  base: string;
  form: 'base' | 'ing' | 'ed' | 's';
}

function readWord(typed: string): Read {
  const plain = typed.toLowerCase().replace(/['’]s$/, '');
  const known = knownAs(plain);
  if (known) return { typed, plain, ...known, isUnknown: false };
  if (COMMON.has(plain) || isMisspeltTime(plain))
    return { typed, plain, acts: [], things: [], form: 'base', base: plain, isUnknown: false };
  const meant = /^\p{Lu}/u.test(typed) ? undefined : corrected(plain);
  const other = meant === undefined ? undefined : knownAs(meant);
  return other
    ? { typed, plain, ...other, isUnknown: false }
    : { typed, plain, acts: [], things: [], form: 'base', base: plain, isUnknown: true };
}

/** "Yestrday" is no name. */
function isMisspeltTime(plain: string): boolean {
  return plain.length > 5 && nearest(plain, TIME_WORDS, plain.length > 7 ? 2 : 1) !== undefined;
}

/** "Bens blocklist" is Ben's: an unknown word with an s before what people have. */
function withOwners(read: readonly Read[]): Read[] {
  return read.map((word, at) => {
    const next = read[at + 1];
    const isOwner = word.isUnknown && /^[\p{L}\p{M}]{2,}[^s'’]s$/u.test(word.plain) && !ENDS_IN_S.test(word.plain);
    const isOwned = next?.things.some((thing) => thing !== 'person' && thing !== 'subscriber') === true;
    if (!isOwner || !isOwned) return word;
    return { ...word, typed: `${word.typed.slice(0, -1)}'s`, plain: word.plain.slice(0, -1) };
  });
}

/** Names that end in s: "James line" is of James. */
const ENDS_IN_S =
  /(?:us|is|ns|ks|rs|ys|as|es|os)$(?<=james|charles|thomas|lucas|chris|carlos|nicholas|jonas|andreas|matias|elias|tobias|silas|luis|denis|dennis|iris|doris|phyllis|agnes|alexis|lewis|curtis|marcus|francis|hans|jens|niels|jacques|wes|miles|giles|yves|moses|jesus|angus|rufus|linus|klaus|magnus|reeves|hayes|davis|harris|morris|adams|williams|roberts|edwards|evans|hughes|stevens|rodgers|rogers|peters|simmons|brooks|parks|jenkins|collins|perkins|hawkins|watkins|higgins|myers|powers|rivers|sanders|banks|hicks|fields|woods|gomes|torres|flores|reyes|morales|rios|santos|ramos|campos|mendes|lopes|nunes)/u;

function singular(plain: string): string {
  return plain.length > 4 ? plain.replace(/s$/, '') : plain;
}

/** The meanings of a word in any of its forms; undefined if the vocabulary lacks it. */
function knownAs(plain: string): Pick<Read, 'acts' | 'things' | 'form' | 'base'> | undefined {
  if (FOREIGN.has(singular(plain))) return { acts: [], things: [singular(plain)], form: 'base', base: plain };
  for (const { base, form } of basesOf(plain)) {
    const own = { acts: BY_ACT.get(base) ?? [], things: BY_THING.get(base) ?? [] };
    if (own.acts.length + own.things.length > 0) return { ...own, form, base };
  }
  return undefined;
}

/** The word itself, and the words whose form it may be. */
function basesOf(plain: string): { base: string; form: Read['form'] }[] {
  const found: { base: string; form: Read['form'] }[] = [{ base: plain, form: 'base' }];
  const add = (ending: RegExp, form: Read['form'], ...ends: string[]) => {
    if (!ending.test(plain)) return;
    const stem = plain.replace(ending, '');
    for (const end of ends) found.push({ base: stem + end, form });
    if (/([^aeiou])\1$/.test(stem)) found.push({ base: stem.slice(0, -1), form });
  };
  add(/ies$/, 's', 'y');
  add(/s$/, 's', '');
  add(/es$/, 's', '');
  add(/ied$/, 'ed', 'y');
  add(/ed$/, 'ed', '', 'e');
  add(/ing$/, 'ing', '', 'e');
  add(/(?:ation|lation)$/, 'ing', '', 'e', 'l');
  return found;
}

/** A word at its place: a verb or a noun, and whether it is negated or past. */
function inPlace({ form, base, ...word }: Read, at: number, all: readonly Read[]): Word {
  const before = all.slice(0, at).map(({ plain }) => plain);
  const after = all[at + 1]?.plain ?? '';
  const isNegated =
    word.acts.length > 0 && (before.slice(-REACH).some((one) => NEGATIONS.has(one)) || NOTHING.has(after));
  const noun = {
    ...word,
    acts: [],
    things: [...new Set([...word.things, ...nominalOf(word)])],
    isNegated,
    isPast: false,
  };
  if (word.acts.length === 0) return { ...noun, isNegated: false };
  if (before.slice(-2).includes('nolonger') || (isNegated && all.some(({ plain }) => ANY_MORE.has(plain))))
    return { ...noun, acts: ['stop'], isNegated: false };
  if (form === 'ing' && !ENDING.has(word.plain) && before.slice(-2).some((one) => ENDING.has(one))) return noun;
  const isReport = (form === 'ed' && !isWish(at, all)) || (form === 'ing' && !isGerund(before));
  if (isReport) return { ...noun, acts: word.acts, isNegated: false, isPast: true };
  const isNamed = NOUN_FIRST.has(base) ? !isVerb(at, all, form) : isNamedAs(word, at, all, form);
  if (isNamed) return { ...noun, isNegated: false };
  // "Cancel or park" names two deeds, and "cancel the park" one.
  const own = ['or', 'and'].includes(before.at(-1) ?? '')
    ? word.things.filter((thing) => !word.acts.includes(thing))
    : word.things;
  return { ...word, things: own, isNegated, isPast: false };
}

/** True if a gerund is what a sentence asks for: "help with cancelling", "is cancelling free". */
function isGerund(before: readonly string[]): boolean {
  const previous = before.at(-1);
  return previous === undefined || BEFORE_GERUND.has(previous) || (before.length === 1 && TO_BE.has(previous));
}

/** Words that are nouns unless their place makes them verbs: "a text", "text her". */
const NOUN_FIRST = words(
  'text sms mms message msg port order limit cap throttle charge bill filter cost invoice watch-list left',
);
/** Words after which a verb is. */
const BEFORE_VERB = words(
  'to please pls plz you u we i us can could would will just and then not dont also should must lets now go kindly hey hi asap never or only simply',
);
/** Words after which a gerund is what is asked for: "help with cancelling". */
const BEFORE_GERUND = words(
  'help start need needs want with by keep for after before of about would does on try like not never without stop and to please if',
);
const DETERMINERS = words('the a an my his her their our your this that any no some every last latest');
/** Words before a noun that keep what they do. */
const ADJECTIVES = words(
  'new another fresh more extra lost stolen broken broke available what which replacement news events activity updates recap',
);

function isVerb(at: number, all: readonly Read[], form: Read['form']): boolean {
  const [previous, next] = [all[at - 1], all[at + 1]];
  if (form === 's' || next?.plain === 'of' || AFTER_NOUN.has(next?.plain ?? '')) return false;
  const takesObject = next === undefined || next.isUnknown || BEFORE_OBJECT.has(next.plain);
  if (previous === undefined && next?.plain === 'to') return true;
  if (previous === undefined || previous.plain === 'number') return takesObject && next !== undefined;
  return BEFORE_VERB.has(previous.plain) && !isPossessive(previous);
}

/** Words after a verb: "text her", "port the line". */
const BEFORE_OBJECT = words(
  'number numbers line the a an her him them his my their this that these those it all everyone everybody someone people customers subscribers both saying data back us over in swear swearing spam adult porn two three four five six ten new another some',
);

function isNamedAs(
  word: Pick<Read, 'plain' | 'things'>,
  at: number,
  all: readonly Read[],
  form: Read['form'],
): boolean {
  if (ADJECTIVES.has(word.plain)) return false;
  return word.things.length > 0 ? isNoun(at, all, form) : DETERMINERS.has(all[at - 1]?.plain ?? '');
}

/** True if a participle asks for something instead of reporting it. */
function isWish(at: number, all: readonly Read[]): boolean {
  const before = all.slice(0, at).map(({ plain }) => plain);
  if (
    before.slice(-2).some((one) => TO_BE.has(one)) &&
    !before.some((one) => WISH.has(one) && one !== 'now' && one !== 'today')
  )
    return false;
  return before.some((one) => WISH.has(one)) || before.slice(-3).some((one) => one === 'get' || one === 'have');
}

function isPossessive({ typed, plain }: Read): boolean {
  return /['’]s$/.test(typed) && plain !== 'let';
}

function isNoun(at: number, all: readonly Read[], form: Read['form']): boolean {
  const previous = all[at - 1];
  if (form !== 's' && (previous === undefined || BEFORE_VERB.has(previous.plain))) return false;
  if (previous && (BEFORE_NOUN.has(previous.plain) || isPossessive(previous))) return true;
  const next = all[at + 1]?.plain ?? '';
  if (next === 'of' || AFTER_NOUN.has(next)) return true;
  return form === 's' && at === 0;
}

/** The things that a word names as a noun: "the cancellation" is the thing `cancel`. */
function nominalOf({ acts: own }: Pick<Read, 'acts'>): string[] {
  return own.filter((act) => act in things || act === 'cancel');
}

/** The word that was meant by one with slips; undefined if none or several are near. People get the first letter right. */
function corrected(word: string): string | undefined {
  const begins = (candidate: string) => candidate[0] === word[0];
  if (word.length >= MIN_CORRECTED) return nearest(word, LONG.filter(begins), word.length >= 8 ? 2 : 1);
  const [only, ...others] = SHORT.filter((candidate) => isSwapOf(word, candidate));
  return others.length === 0 ? only : undefined;
}

/** True if two neighbouring letters in the other order make the two words the same. */
function isSwapOf(word: string, other: string): boolean {
  if (word.length !== other.length) return false;
  const at = [...word].findIndex((letter, i) => letter !== other[i]);
  return at >= 0 && word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2) === other;
}

/** The clause with its expressions replaced. Upper case stays, because it marks names. */
function expanded(clause: string): string {
  let text = clause;
  for (const [pattern, word] of CONTRACTIONS) text = text.replace(new RegExp(pattern.source, 'gi'), word);
  for (const { pattern, word } of EXPRESSIONS)
    text = text.replace(pattern, (_, kept?: string) => `${word} ${kept ?? ''}`);
  return text;
}

/** A template of `expressions` as a pattern. Its one group has the words that are kept. */
export function patternOf(template: string): RegExp {
  const parts = template.split(' ').map((part) => {
    if (part === '..') return "((?:[\\p{L}\\p{M}'’+\\d]+\\s+){0,5}?)";
    const optional = part.endsWith('?');
    const choices = part.replace(/\?$/, '').split('/').map(formsOf).join('|');
    return optional ? `(?:(?:${choices})\\s+)?` : `(?:${choices})\\s+`;
  });
  const source = parts.join('').replace(/\\s\+$/, '');
  return new RegExp(`(?<![\\p{L}\\d])${source}(?![\\p{L}\\d])`, 'giu');
}

function formsOf(word: string): string {
  if (!word.endsWith('~')) return word;
  const base = word.slice(0, -1);
  const last = base.at(-1) ?? '';
  return `${base.replace(/e$/, '')}(?:e|${last})?(?:s|es|d|ed|ing)?`;
}

function index(table: Readonly<Record<string, string>>): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [meaning, list] of Object.entries(table))
    for (const word of words(list)) found.set(word, [...(found.get(word) ?? []), meaning]);
  return found;
}

function words(list: string): Set<string> {
  return new Set(list.split(/\s+/).filter(Boolean));
}

/** Frequent English words that are neither names nor words of the catalogue. */
const COMMON: ReadonlySet<string> = new Set(
  `a about after again among all behind belong belongs between during inside regarding versus vs waits cheap cheaper cheapest expensive overview owe owes owed rang received answer answered summary all also already am an and another any anybody anyone anything are as asap ask asked asking at
  away back be because been before being best better big both but by bye can cant come coming could day days dear did
  do does doing dont down due each early else end ending ends enough evening ever every everybody everyone everything
  far few fine first following for friday from full further give go goes going gone good got great had has have he
  hear hello help her here hey hi him his hour hours how hows i id if im in instead into is it its ive just keep kid
  know last late later least left less let lets like little long look looks lot lots mail many may maybe me mean mind
  minute minutes mistake moment monday month months more morning most much must my name named need needed needs never
  next nice night no nobody none not nothing now of off ok okay old on once one ones only onto or other our out over
  own pal people person please pls plz possible pretty put question quick quickly quite rather read ready really right
  said same saturday say saying says second seem seems set she should since so some somebody someone something soon
  sorry start started starts still stop sunday sure take takes tell than thank thanks that thats the their them then
  there these they thing things think this those thought through thursday thx time times to today together tomorrow
  tonight too took tried try trying tuesday two type understand until up urgent urgently us very wait want wanted
  wants was way we wednesday week weeks well went were what whats when where whether which while who whole whose why
  will wish with without wont work working works would wrong year years yes yesterday yet you your mum mom dad son
  daughter wife husband boss colleague code area zip gb mb kb usd dollar dollars cost costs price fee fees charge
  charged pay paid refund money expensive free service services contract info information detail details everyone
  digits digit ends pin ported rejected reason happened stolen lost found theft device handset spam robocall scam
  leaving leave left mr mrs ms miss dr sr sra señor señora plug bars reception waiting
  half twice percent am pm except besides unlock quote clock black lock catch match tests test falls walls cells sports parts older border games dates chance range power
  tower chose steps shops rise plants planes teams soon near number nolonger anymore caller speed
  three four five six seven eight nine ten twelve non nonpayment prepaid postpaid active inactive alone away under within url link
  request requests pending backup abroad runs keeps qr travelling traveling recoverable iot mvno voip temporarily immediately effective date number's line's thing's account's okay`
    .split(/\s+/)
    .filter(Boolean),
);
