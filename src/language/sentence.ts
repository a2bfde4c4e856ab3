import { common, expressions, things } from '../../tools/surfaces/words.ts';
import { BoundedMap } from '../lib/lists.ts';
import { respelled } from './spelling.ts';
import { FOREIGN, type Form, isEnglish, isEveryday, knownAs, words } from './vocabulary.ts';

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
  [/\bat\s?&\s?t\b/gi, 'AT-T'],
  [/[’`]/gi, "'"],
  [/\b(?:can\s*not|can'?t|cant)\b/gi, 'cannot'],
  [/\bwon'?t\b(?!\s+(?:need|want))/gi, 'wont'],
  [/\bain'?t\b/gi, 'is not'],
  [/\b(does|do|did|is|are|has|have|was|were|should|would|could|must)n'?t\b/gi, '$1 not'],
  [/\bwhat'?s\b/gi, 'what is'],
  [/\b(who|where|how|when|it|that|he|she)'s\b/gi, '$1 is'],
];

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
const WANTING = words('want wants wanted wish wishes plan plans planning intend intends going need needs');
/** Acts that do not last, so that "not any more" takes back the wish for them. */
const ONCE = words('cancel reactivate remove portin portout');
const TO_BE = words('am is are was were been being be got gets has have had');
/** Words with which a participle is a wish: "needs cancelled", "should be parked". */
const WISH = words('need needs want wants should must please pls plz like asap today now immediately');
/** Words between a negation and the word that it negates. */
const REACH = 4;

const SPECIFIC = new Set([...Object.keys(things)].filter((one) => !common.includes(one)));
const EXPRESSIONS = expressions.map(([template, word]) => ({
  pattern: patternOf(template),
  word,
  literals: literalsOf(template),
}));

/** True for a thing that says what a sentence is about. */
export function isSpecific(thing: string): boolean {
  return SPECIFIC.has(thing) || FOREIGN.has(thing);
}

/**
 * Clauses read of late: the readers of one message ask for the words of the same clauses many times, and so do the
 * later messages of its thread.
 */
const readOfLate = new BoundedMap<string, Word[]>(3000);

/** The words of a clause, with slips corrected. */
export function wordsOf(clause: string): Word[] {
  const found = readOfLate.get(clause) ?? readWords(clause);
  readOfLate.set(clause, found);
  return [...found];
}

function readWords(clause: string): Word[] {
  const typed = expanded(respelled(clause).text)
    .split(/[^\p{L}\p{M}'’-]+/u)
    .map((one) => one.replace(/^['’-]+|['’-]+$/g, ''))
    // The end of "0103's" is no word.
    .filter((one) => one !== '' && one !== 's');
  const read = withOwners(typed.map(readWord));
  return read.map((word, at) => (isSurname(at, read) ? named(word) : inPlace(word, at, read)));
}

/** Words before a name in lower case at the end of a clause: "a line for nina park". */
const BEFORE_NAMED = words('customer subscriber client user for of to named called newline');

/** Words after such a name that report something. */
const AFTER_NAMED = words('create wants needs has is lost moved called gets says asked wanted needed');

/** True for a word with a capital letter after a name: "Nina Park". In lower case, only at the end of a clause. */
function isSurname(at: number, all: readonly Read[]): boolean {
  const [before, word] = [all[at - 1], all[at]];
  const isOwner = /['’]s$/.test(word?.typed ?? '') && before?.isUnknown === true && before.plain.length > 2;
  if (isOwner && (word?.acts.length ?? 0) > 0) return true;
  const isLast = at === all.length - 1 || AFTER_NAMED.has(all[at + 1]?.plain ?? '');
  const isEnd = isLast && BEFORE_NAMED.has(all[at - 2]?.plain ?? '');
  if (
    isEnd &&
    before?.isUnknown === true &&
    !isPossessive(before) &&
    before.plain.length > 2 &&
    (word?.acts.length ?? 0) > 0
  )
    return true;
  return before?.isUnknown === true && /^\p{Lu}\p{Ll}/u.test(before.typed) && /^\p{Lu}\p{Ll}/u.test(word?.typed ?? '');
}

function named({ typed, plain }: Read): Word {
  return { typed, plain, acts: [], things: [], isUnknown: true, isNegated: false, isPast: false };
}

/** "I'm" and "they've", with or without the apostrophe. */
const SHORTENED =
  /^(?:i['’]?m|(?:i|you|we|they|he|she|it|who|there|that)['’](?:m|re|ve|ll|d|s)|(?:you|we|they)(?:re|ve)|(?:that|there|it|she|he)ll)$/;

interface Read extends Omit<Word, 'isNegated' | 'isPast'> {
  base: string;
  form: Form;
}

function readWord(typed: string): Read {
  const plain = typed.toLowerCase().replace(/['’]s$/, '');
  const known = knownAs(plain);
  if (known) return { typed, plain, ...known, isUnknown: false };
  if (isEveryday(plain) || SHORTENED.test(plain) || (typed === typed.toLowerCase() && isEnglish(plain)))
    return { typed, plain, acts: [], things: [], form: 'base', base: plain, isUnknown: false };
  return { typed, plain, acts: [], things: [], form: 'base', base: plain, isUnknown: true };
}

/** "Bens blocklist" is Ben's: an unknown word with an s before what people have. */
function withOwners(read: readonly Read[]): Read[] {
  return read.map((word, at) => {
    const next = read[at + 1];
    const isOwner = word.isUnknown && /^[\p{L}\p{M}]{2,}[^s'’]s$/u.test(word.plain) && !ENDS_IN_S.test(word.plain);
    // "Bens starter plan", "bens kid filter"
    const isKind = next !== undefined && next.acts.length === 0 && next.things.length === 0;
    const owned = isKind ? (read[at + 2] ?? next) : next;
    const isOwned = owned?.things.some((thing) => thing !== 'person' && thing !== 'subscriber') === true;
    if (!isOwner || !isOwned) return word;
    const plain = word.plain.slice(0, -1);
    // "Anyones block list" is nobody's by name.
    return { ...word, typed: `${word.typed.slice(0, -1)}'s`, plain, isUnknown: !isEveryday(plain) };
  });
}

/** Names that end in s: "James line" is of James. */
const ENDS_IN_S =
  /(?:us|is|ns|ks|rs|ys|as|es|os)$(?<=james|charles|thomas|lucas|chris|carlos|nicholas|jonas|andreas|matias|elias|tobias|silas|luis|denis|dennis|iris|doris|phyllis|agnes|alexis|lewis|curtis|marcus|francis|hans|jens|niels|jacques|wes|miles|giles|yves|moses|jesus|angus|rufus|linus|plus|klaus|magnus|reeves|hayes|davis|harris|morris|adams|williams|roberts|edwards|evans|hughes|stevens|rodgers|rogers|peters|simmons|brooks|parks|jenkins|collins|perkins|hawkins|watkins|higgins|myers|powers|rivers|sanders|banks|hicks|fields|woods|gomes|torres|flores|reyes|morales|rios|santos|ramos|campos|mendes|lopes|nunes)/u;

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
  const near = before.slice(-REACH);
  // "We don't want to cancel 0105 any more": the wish has ended. A deed that is done once cannot end.
  const isWished =
    (near.some((one) => WANTING.has(one)) && before.at(-1) === 'to') || word.acts.some((act) => ONCE.has(act));
  if (isWished && near.includes('nolonger')) return { ...word, isNegated: true, isPast: false };
  if (before.slice(-2).includes('nolonger') || (isNegated && !isWished && all.some(({ plain }) => ANY_MORE.has(plain))))
    return { ...noun, acts: ['stop'], isNegated: false };
  if (form === 'ing' && !ENDING.has(word.plain) && before.slice(-2).some((one) => ENDING.has(one))) return noun;
  // "Cancel 0104, moving abroad" says why.
  if (form === 'ing' && LEAVES.has(word.plain) && at === 0 && (after === '' || AWAY.has(after)))
    return { ...noun, isNegated: false };
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

/** Tell of people who go away. */
const LEAVES = words('moving leaving going switching relocating travelling traveling');
const AWAY = words('abroad away out to back house home overseas country town carriers countries states away soon for');

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
  'to please pls plz you u we i us can could would will may just and then not dont also should must lets now go kindly hey hi asap never or only simply',
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

/** The clause with its expressions replaced. Upper case stays, because it marks names. */
function expanded(clause: string): string {
  let text = clause;
  for (const [pattern, word] of CONTRACTIONS) text = text.replace(pattern, word);
  let lower = text.toLowerCase();
  for (const { pattern, word, literals } of EXPRESSIONS) {
    if (!literals.some((one) => lower.includes(one))) continue;
    // Without a group, the second argument is a position.
    text = text.replace(pattern, (_, kept?: unknown) => `${word} ${typeof kept === 'string' ? kept : ''}`);
    lower = text.toLowerCase();
  }
  return text;
}

/**
 * The beginnings of words of which a text has to have one, so that a template can fit at all: those of the part with the
 * longest. Most templates fit no sentence, and their patterns are slow.
 */
function literalsOf(template: string): string[] {
  const parts = template
    .split(' ')
    .filter((part) => part !== '..' && !part.endsWith('?'))
    .map((part) => part.split('/').map((one) => /^[a-z]*/.exec(one.replace(/e?~$/, ''))?.[0] ?? ''));
  const shortest = (part: readonly string[]) => Math.min(...part.map((one) => one.length));
  return parts.reduce((best, part) => (shortest(part) > shortest(best) ? part : best), parts[0] ?? ['']);
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
