import { searchForm } from './values.ts';

/** A longer word is not compared, because it is longer than any candidate. */
const MAX_WORD = 100;

/**
 * The candidate that was most likely meant, or undefined if none is similar.
 *
 * @param slips how many characters may differ; if left out, a third of the word and at least two
 */
export function nearest(word: string, candidates: readonly string[], slips?: number): string | undefined {
  return nearestOf(candidates)(word, slips);
}

/** Prepares `nearest` for several words and the same candidates. */
export function nearestOf(candidates: readonly string[]): (word: string, slips?: number) => string | undefined {
  const prepared = candidates.map((candidate) => ({ candidate, lower: searchForm(candidate) }));
  return (word, slips) => {
    if (word.length > MAX_WORD) return undefined;
    const own = searchForm(word);
    const limit = slips ?? Math.max(2, Math.floor(word.length / 3));
    let best: { candidate: string; distance: number } | undefined;
    for (const { candidate, lower } of prepared) {
      // The lengths of two words differ by at most their distance.
      if (Math.abs(candidate.length - word.length) > limit) continue;
      const distance = editDistance(own, lower, limit);
      if (distance <= limit && (!best || distance < best.distance)) best = { candidate, distance };
    }
    return best?.candidate;
  };
}

/**
 * The number of insertions, deletions, replacements, and swaps of two neighbours. Counting ends when there are more than
 * `limit`. Beginnings whose lengths differ by more than `limit` are not compared, because they differ by more than that.
 */
function editDistance(a: string, b: string, limit: number): number {
  const none = Number.POSITIVE_INFINITY;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    let least = i;
    for (let j = Math.max(1, i - limit); j <= Math.min(b.length, i + limit); j += 1) {
      const replace = (previous[j - 1] ?? none) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwap ? (beforePrevious[j - 2] ?? none) + 1 : replace;
      const cost = Math.min(replace, swap, (previous[j] ?? none) + 1, (row[j - 1] ?? none) + 1);
      if (cost < least) least = cost;
      row[j] = cost;
    }
    // A swap counts from the row before the last, so one row above the limit does not decide.
    if (least > limit + 1) return least;
    beforePrevious = previous;
    previous = row;
  }
  return previous[b.length] ?? none;
}

/** A shorter query may mean too much. */
const MIN_LETTERS = 4;
/** Length of the words that may be the beginning of one, of those in which one slip is found, and of those in which two are. */
const BEGINNING = 2;
const ONE_SLIP = 3;
const TWO_SLIPS = 5;

/**
 * The texts that have a word like each word of the query, in spite of a slip or two: "eva ston", "av stne" and
 * "avastone" find "Ava Stone".
 */
export function similarTexts(query: string, texts: readonly string[]): string[] {
  const words = wordsIn(searchForm(query));
  const letters = words.join('').length;
  if (letters < MIN_LETTERS) return [];
  const isLike = (word: string, one: string) => {
    if (word.length < BEGINNING || one.startsWith(word)) return one.startsWith(word);
    // One short word is near to many, so only one with the same beginning is meant.
    const begins = word[0] === one[0] || (word[0] === one[1] && word[1] === one[0]);
    if (!begins && (letters < TWO_SLIPS || word.length < ONE_SLIP)) return false;
    const limit = word.length < TWO_SLIPS ? 1 : 2;
    return one.length >= ONE_SLIP && editDistance(word, one, limit) <= limit;
  };
  return [...new Set(texts)].filter((text) => {
    const own = wordsIn(searchForm(text));
    // People also write a name as one word.
    return words.every((word) => [...own, own.join('')].some((one) => isLike(word, one)));
  });
}

function wordsIn(text: string): string[] {
  return text.split(/[^\p{L}\p{M}\p{N}]+/u).filter(Boolean);
}
