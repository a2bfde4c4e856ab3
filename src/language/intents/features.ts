import { givenNames } from '../../../tools/surfaces/spellings.ts';
import { type Word, wordsOf } from '../sentence.ts';

/*
 * Features by which sentences are compared: words, pairs of neighbours, and the vocabulary's terms. Values become
 * kinds.
 */

/** Values, which differ from sentence to sentence. Their kind says more of what is asked for than they do. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/https?:\S+/g, '@url'],
  [/\S+@\S+/g, '@mail'],
  [/\b89\d{13,18}\b/g, '@iccid'],
  [/\b(?:prid|pkgid|jnuoid|cfid|mfid|vrid|mrid|crid|wgid|aid|sid|sub|wh|act)[-_]\S+/g, '@id'],
  [/\+?1?[\s.(-]*[2-9]\d\d[\s.)-]*\d{3}[\s.-]*\d{4}\b/g, '@phone'],
  [/(?:\$|usd\s*)\d+(?:[.,]\d+)?|\d+(?:[.,]\d+)?\s*(?:dollars?|bucks|usd|\$)/g, '@money'],
  [/\d+(?:[.,]\d+)?\s*(?:gb|mb|gigs?|g)\b/g, '@volume'],
  [/\b0\d{3}\b/g, '@line'],
  [/\b\d{1,2}:\d\d\b/g, '@time'],
  [/\d{5,}\b/g, '@long'],
  [/\b\d{3}\b/g, '@three'],
  [/(?<!@\w*)\d+/g, '@digits'],
];
/** Names of customers, which say nothing about the request. */
const NAMES: ReadonlySet<string> = new Set([...givenNames.split(' '), 'stone', 'reed', 'acme', 'globex']);
const TOKEN = /@?[\p{L}']+/gu;
const ENDINGS = /(?:ings?|ed|es|s|ions?|ers?)$/u;
const SHORT = 4;
/** Words between two that belong together. */
const BETWEEN = new Set(
  'a an the and or to of in on is it at by be me i we you please pls can could would his her their our my this that'.split(
    ' ',
  ),
);

/** The features of a sentence, each once. */
export function featuresOf(sentence: string): string[] {
  const text = KINDS.reduce((rest, [pattern, kind]) => rest.replace(pattern, ` ${kind} `), sentence.toLowerCase());
  const stems = (text.replaceAll('’', "'").match(TOKEN) ?? []).map(stemOf);
  const telling = stems.filter((stem) => !BETWEEN.has(stem));
  return [...new Set([...stems, ...pairs(stems, ' '), ...pairs(telling, '~'), ...meanings(wordsOf(sentence)), ''])];
}

function stemOf(word: string): string {
  const own = word.replace(/'s$/, '');
  if (NAMES.has(own)) return '@name';
  return own.length > SHORT && !own.startsWith('@') ? own.replace(ENDINGS, '') : own;
}

function pairs(stems: readonly string[], joint: string): string[] {
  return stems.slice(1).map((stem, at) => `${stems[at]}${joint}${stem}`);
}

/** The acts and things that the vocabulary knows, and which of them come together. */
function meanings(read: readonly Word[]): string[] {
  const acts = read.flatMap(({ acts: own, isPast, isNegated }) =>
    own.map((act) => `>${act}${isPast ? '-' : ''}${isNegated ? '!' : ''}`),
  );
  const things = [...new Set(read.flatMap(({ things: own }) => own))].sort().map((thing) => `#${thing}`);
  const together = things.flatMap((thing, at) => things.slice(at + 1).map((other) => `${thing}${other}`));
  return [...acts, ...things, ...acts.flatMap((act) => things.map((thing) => `${act}${thing}`)), ...together];
}
