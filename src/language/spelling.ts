import * as cues from '../../tools/surfaces/cues.ts';
import { givenNames, shorthand } from '../../tools/surfaces/spellings.ts';
import { expressions, planNames } from '../../tools/surfaces/words.ts';
import { editDistance } from '../lib/nearest.ts';
import { COMMON, FOREIGN, isEnglish, isEveryday, knownAs, singular, VOCABULARY, words } from './vocabulary.ts';

/*
 * Corrects slips of the keyboard before anything else is read: "suspnd", "mesage", "prk". One rule holds for all words:
 * those of the vocabulary, of its expressions, and everyday English.
 */

/** A text with its slips corrected. */
export interface Spelled {
  text: string;
  /** A part of the corrected text as it was typed; itself if the text does not have it. */
  typed(part: string): string;
}

/** Length of the words that may have one slip, and two. */
const ONE_SLIP = 5;
const TWO_SLIPS = 8;
/** Length of the words that may lack vowels: "prk", "snd". */
const SKELETON = 3;
/** Prefixes that turn what a word asks for around. A word that lacks one is another word. */
const PREFIX = /^(?:un|re|de|dis|in|non)(?=\p{L}{3})/u;
/** Quotations, addresses and ids, which stay as they are, and words. */
const TOKENS = /["“„][^"“”„]*["”“]|\S*(?:@|:\/\/|\d)\S*|[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*/gu;
/** After the name of a record: "starer" in "the starer plan" may be one. */
const BEFORE_NOUN = /^\s+(?:plan|package|bundle|tariff|route|trunk|product|workgroup|feature)s?\b/;
/** In front of a word that orders something. */
const BEFORE_ORDER = /^\W*(?:(?:please|pls|plz|can|could|would|you|u|hi|hey|hello|ok|and|so|just|also)\W+)*$/i;
const BEFORE_PLAN = /^\s+(?:plan|package|bundle|tariff)s?\b/;
/** Endings of words that are made of known ones. */
const ENDINGS = /(?:ers?|ly|able|less|y)$/u;
const MAX_KEPT = 2_000;

const SHORTHAND: ReadonlyMap<string, string> = new Map(Object.entries(shorthand));
const NEGATIONS = words('not never dont without nobody cannot cant wont doesnt didnt isnt arent shouldnt wouldnt');
/** Abbreviations of days, which are near to many short words: "weed" is no Wednesday. */
const SHORT_DAYS = words('mon tue tues wed weds thu thur thurs fri sat sun');
/** Words whose first two letters may be in the other order. Those of others may begin a name: "acme" is no "came". */
const TURNED = words('the and what when who why where which this that they there were with');
const NAMES = words(givenNames);
const PHRASES = words(
  [...expressions.map(([template]) => template), ...Object.values(cues).flat()]
    .join(' ')
    .replace(/[~?]|\.\./g, '')
    .replace(/\//g, ' '),
);
const CANDIDATES: readonly string[] = [
  ...new Set([...VOCABULARY, ...VOCABULARY.map((word) => `${word}s`), ...COMMON, ...PHRASES]),
].filter((word) => /^\p{Ll}+$/u.test(word) && !NEGATIONS.has(word) && !SHORT_DAYS.has(word));
const BY_FIRST = grouped(CANDIDATES, (word) => word[0] ?? '');
const BY_SKELETON = grouped(
  VOCABULARY.filter((word) => word.length > SKELETON),
  skeletonOf,
);
const kept = new Map<string, string | undefined>();

/** The text with each misspelled word replaced by the one that was meant. A word with a capital letter is a name. */
export function respelled(text: string): Spelled {
  const changes: { at: number; from: string; to: string }[] = [];
  let before: string | undefined;
  const better = text.replace(TOKENS, (token: string, at: number) => {
    const isFirst = BEFORE_ORDER.test(text.slice(0, at));
    let to = /^\p{Ll}[\p{L}'’-]*$/u.test(token) ? meantBy(token, isFirst) : undefined;
    const plan = BEFORE_PLAN.test(text.slice(at + token.length)) ? planMeantBy(token) : undefined;
    if (plan !== undefined) to = plan;
    const isName =
      plan === undefined &&
      to !== undefined &&
      BEFORE_NOUN.test(text.slice(at + token.length)) &&
      knownAs(to) === undefined;
    const isAfterName = () => before !== undefined && /\p{L}\s+$/u.test(text.slice(0, at)) && isNameLike(before);
    const isSurname = to !== undefined && isAfterName() && !SHORTHAND.has(token) && !isOrderIn(to, token, text);
    before = to === undefined || isName || isSurname ? token : undefined;
    if (to === undefined || isName || isSurname) return token;
    const moved = changes.reduce((sum, change) => sum + change.to.length - change.from.length, 0);
    changes.push({ at: at + moved, from: token, to });
    return to;
  });
  return {
    text: better,
    typed: (part) => {
      const start = better.indexOf(part);
      if (start < 0) return part;
      return changes
        .filter(({ at, to }) => at >= start && at + to.length <= start + part.length)
        .reduceRight(
          (typed, { at, from, to }) => typed.slice(0, at - start) + from + typed.slice(at - start + to.length),
          part,
        );
    },
  };
}

/** True for the first name of a person, so that the word behind it may be the surname: "ava stoen". */
function isNameLike(word: string): boolean {
  return NAMES.has(word.toLowerCase());
}

/** True if the word that a slip may mean is the only order of the text: "ava suspnd". "Stoen" orders nothing as "stolen". */
function isOrderIn(to: string, token: string, text: string): boolean {
  const known = knownAs(to);
  if (known === undefined) return isEveryday(to);
  if (known.acts.length === 0) return true;
  const others = (text.toLowerCase().match(TOKENS) ?? []).filter((one) => one !== token);
  return known.base === to && !/(?:en|ost)$/u.test(to) && !others.some((one) => (knownAs(one)?.acts.length ?? 0) > 0);
}

/**
 * The word that was meant by a word in lower case; undefined if it is known, or none or several are near.
 *
 * @param isFirst true for the first word, which orders something: "cancled 0105 pls"
 */
function meantBy(word: string, isFirst: boolean): string | undefined {
  const key = `${isFirst ? '^' : ''}${word}`;
  if (kept.has(key)) return kept.get(key);
  const near = SHORTHAND.has(word) || isKnown(word) || word.includes('-') ? undefined : nearestTo(word);
  const found = SHORTHAND.get(word) ?? withDouble(word) ?? (near === undefined || isFirst ? near : asPast(word, near));
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(key, found);
  return found;
}

/** The name of a package that a word before "plan" is a slip of: "startr". */
function planMeantBy(word: string): string | undefined {
  if (word.length < ONE_SLIP || isKnown(word)) return undefined;
  const limit = word.length > ONE_SLIP ? 2 : 1;
  const near = planNames.filter((name) => /^\p{Ll}+$/u.test(name) && name[0] === word[0]);
  const [best, ...others] = near.filter((name) => editDistance(word, name, limit) <= limit);
  return others.length === 0 ? best : undefined;
}

/** The past form of a verb that a word with a d at its end is: "canceld" reports, and orders nothing. */
function asPast(word: string, near: string): string {
  const known = knownAs(near);
  const verb = known?.form === 's' ? known.base : near;
  const past = pastOf(verb);
  const isPast = word.endsWith('d') && knownAs(past)?.form === 'ed' && knownAs(verb)?.form === 'base';
  return isPast && editDistance(word, past, 2) <= editDistance(word, near, 2) ? past : near;
}

/** One vowel between two consonants, whose last one is doubled: "swap", "swapped". */
const SHORT_VERB = /^[^aeiou]+[aeiou][^aeiouwxy]$/;
const LONG_END = /[aeiou]{2}[^aeiou]$|[^aeiou]{2}$/;

function pastOf(verb: string): string {
  if (verb.endsWith('e')) return `${verb}d`;
  return `${verb}${SHORT_VERB.test(verb) ? verb.slice(-1) : ''}ed`;
}

/** A past form with its consonants as they should be: "swaped", "failled". Undefined for other words. */
function withDouble(word: string): string | undefined {
  if (!word.endsWith('ed') || isEveryday(word)) return undefined;
  const known = knownAs(word);
  if (known?.form !== 'ed' || !(SHORT_VERB.test(known.base) || LONG_END.test(known.base))) return undefined;
  const isRight = word === `${known.base}ed` && !SHORT_VERB.test(known.base);
  const past = pastOf(known.base);
  return isRight || past === word ? undefined : past;
}

function isKnown(word: string): boolean {
  const plain = word.replace(/['’]s?$|['’](?=\p{L}+$)/u, '');
  return (
    [word, plain, plain.replace(/s$/, '')].some((one) => isEveryday(one) || PHRASES.has(one) || NAMES.has(one)) ||
    FOREIGN.has(singular(plain)) ||
    NEGATIONS.has(plain) ||
    knownAs(plain) !== undefined ||
    isEnglish(plain) ||
    (ENDINGS.test(plain) &&
      [plain.replace(ENDINGS, ''), plain.replace(ENDINGS, 'e')].some(
        (one) => one.length > 2 && (isEveryday(one) || knownAs(one) !== undefined),
      ))
  );
}

/** The only word that is nearest, without the names of people, and without what would ask for the contrary. */
function nearestTo(word: string): string | undefined {
  // A negation with a slip stays one, because what it is about must not be offered: "dotn", "nver".
  const negation = [...NEGATIONS].find((one) => isSwapOf(word, one) || isNearNegation(word, one));
  if (negation !== undefined) return negation;
  const isNear = (one: string) => isSwapOf(word, one) && (one[0] === word[0] || TURNED.has(one));
  const swapped = word.length >= SKELETON ? CANDIDATES.filter(isNear) : [];
  const near = swapped.length > 0 ? swapped : (skeletonsOf(word) ?? slipsOf(word));
  const own = near.filter((one) => VOCABULARY.includes(one));
  const found = own.length > 0 ? own : near;
  const [only, ...others] = found;
  if (others.length === 0) return only;
  const [double, ...doubles] = found.filter((one) => isDoubled(word, one));
  return double !== undefined && doubles.length === 0 ? double : sameVerb(word, found);
}

/** True if the words differ in a letter that one of them has twice in a row: "acount". */
function isDoubled(word: string, one: string): boolean {
  return Math.abs(word.length - one.length) === 1 && word.replace(/(.)\1/g, '$1') === one.replace(/(.)\1/g, '$1');
}

/** The form of the only verb that all of the words are forms of: "happend" is "happened", and "parkd" is "parked". */
function sameVerb(word: string, found: readonly string[]): string | undefined {
  const baseOf = (one: string) =>
    found.find((verb) => one === pastOf(verb) || one === `${verb}s`) ?? knownAs(one)?.base ?? one;
  const bases = new Set(found.map(baseOf));
  if (bases.size !== 1) return undefined;
  return found.find((one) => one.at(-1) === word.at(-1)) ?? [...bases][0];
}

function isNearNegation(word: string, one: string): boolean {
  const isLong = Math.min(word.length, one.length) >= ONE_SLIP - 1;
  return isLong && word[0] === one[0] && Math.abs(word.length - one.length) <= 1 && editDistance(word, one, 1) <= 1;
}

/** Words of the vocabulary that lack only vowels: "prk" is "park". */
function skeletonsOf(word: string): readonly string[] | undefined {
  if (word.length < SKELETON || skeletonOf(word) !== word) return undefined;
  const found = BY_SKELETON.get(word)?.filter((one) => one.length <= word.length + 2 || word.length > SKELETON);
  return found === undefined || found.length === 0 ? undefined : found;
}

function skeletonOf(word: string): string {
  const [first = '', ...rest] = word;
  return first + rest.filter((letter, at) => !/[aeiou]/.test(letter) && letter !== (rest[at - 1] ?? first)).join('');
}

function slipsOf(word: string): string[] {
  const limit = word.length >= TWO_SLIPS ? 2 : 1;
  let best = limit + 1;
  let found: string[] = [];
  for (const one of BY_FIRST.get(word[0] ?? '') ?? []) {
    if (Math.abs(one.length - word.length) > limit || prefixOf(one) !== prefixOf(word)) continue;
    const distance = editDistance(word, one, limit);
    // In a short word, only a letter that is missing or typed twice is a slip: "lina" is no "line".
    const isShort = Math.min(word.length, one.length) < ONE_SLIP;
    if (distance > limit || (isShort && !isLetterOff(word, one))) continue;
    if (distance < best) [best, found] = [distance, []];
    if (distance === best) found.push(one);
  }
  return found;
}

/** True if a letter is typed twice, or one of five is missing. */
function isLetterOff(word: string, one: string): boolean {
  const [short, long] = word.length < one.length ? [word, one] : [one, word];
  if (long.length !== short.length + 1) return false;
  const at = [...long].findIndex((letter, i) => letter !== short[i]);
  return word === short ? word.length >= ONE_SLIP - 1 : long[at] === long[at - 1];
}

function prefixOf(word: string): string {
  return PREFIX.exec(word)?.[0] ?? '';
}

/** True if two neighbouring letters in the other order make the two words the same. */
function isSwapOf(word: string, other: string): boolean {
  if (word.length !== other.length || word === other) return false;
  const at = [...word].findIndex((letter, i) => letter !== other[i]);
  return word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2) === other;
}

function grouped(list: readonly string[], keyOf: (word: string) => string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const word of list) found.set(keyOf(word), [...(found.get(keyOf(word)) ?? []), word]);
  return found;
}
