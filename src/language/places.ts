/*
 * Names for a place in a list that was shown before: "the first one", or "it" of a list with one entry. A field or a sentence
 * has them like the name of a record, and the list that is read next says which record it is.
 */

const ORDER = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh'];
const [ONLY, LAST] = ['only', 'last'];
const PLACE = new RegExp(`\\blisted(${[...ORDER, ONLY, LAST].join('|')})\\b`, 'i');

/** The words of people for places, as an expression with one group. */
export const PLACE_WORDS = `(${[...ORDER, LAST].join('|')}|1st|2nd|3rd|4th|5th|6th|7th)`;

/** @param word "first", "2nd", "last". Left out: the only entry of the list. */
export function placeName(word?: string): string {
  const at = /^\d/.test(word ?? '') ? ORDER[Number.parseInt(word ?? '', 10) - 1] : word?.toLowerCase();
  return `listed${at ?? ONLY}`;
}

/** True for a name that stands for a place in a list. */
export function isPlace(name: string): boolean {
  return PLACE.test(name);
}

/** The rows at the place that a name stands for. All rows where it is the only one of several. Undefined if it is a name. */
export function rowsAt<T>(name: string, rows: readonly T[]): T[] | undefined {
  const word = PLACE.exec(name)?.[1]?.toLowerCase();
  if (word === undefined) return undefined;
  if (word === ONLY) return [...rows];
  return word === LAST ? rows.slice(-1) : rows.slice(ORDER.indexOf(word)).slice(0, 1);
}

/** A text with words for people in place of such names: "the first package of the list". */
export function withPlaceWords(text: string): string {
  const said = (word: string, noun: string) => `${word.toLowerCase() === ONLY ? '' : `${word} `}${noun} of the list`;
  return text
    .replace(AFTER_NOUN, (_, noun: string, word: string) => said(word, noun))
    .replace(BEFORE_NOUN, (_, word: string, noun: string) => said(word, noun))
    .replace(new RegExp(`[“"]${PLACE.source}[”"]`, 'gi'), (_, word: string) => `the ${said(word, 'entry')}`)
    .replace(new RegExp(PLACE.source, 'gi'), (_, word: string) => `the ${said(word, 'entry')}`);
}

const NOUN = String.raw`(?<!\p{L})((?:message|voice|call)\s+(?:route|filter)|package|plan|route|trunk|webhook|product|workgroup|subscriber|customer|feature|account|subscription|line|number)(?!\p{L})`;
const AFTER_NOUN = new RegExp(`${NOUN}\\s+“${PLACE.source}(?:\\s+[^”]*)?”`, 'giu');
const BEFORE_NOUN = new RegExp(`${PLACE.source}\\s+${NOUN}`, 'giu');
