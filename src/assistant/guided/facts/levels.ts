import { type Facts, PARTS } from './facts.ts';

/*
 * Several levels of data in one order, without their unit: "notify at 1500, throttle to 1 mbps at 1800, cut off at 2500". They are
 * megabytes, and no lines.
 */

const BEHIND = String.raw`(?:\s+[#…*]*0\d{3}\b)?(?:[^,;.!?\d]|\d+(?:\.\d+)?\s*(?:[kmg]bps|[kmg]bit)\b){0,30}?`;
const AMOUNT = String.raw`([1-9]\d{2,5})(?!\d|\.\d|\s*(?:mb|gb|kb|meg|gig|%|percent|usd|dollars?|[kmg]bps))`;
const AT = new RegExp(
  String.raw`(\b(?:${PARTS}|cut\s*off)\b${BEHIND}(?:\bat\s+|(?<=\b(?:warn|notify|alert)\s)))${AMOUNT}`,
  'giu',
);
/** The same in a message that says that it is about limits: "warning 900, throttling 1200, hard stop 2000". */
const BARE = new RegExp(String.raw`(\b(?:${PARTS}|cut\s*off)\b${BEHIND}(?<=\s))${AMOUNT}`, 'giu');
const OF_LIMITS = /\b(?:limits|data\s+limit|throttl\p{L}*|[kmg]bps)\b/iu;
/** "Heads" is the first half of "heads up". */
const WORD = new RegExp(`^(?:${PARTS}|heads)$`, 'iu');

/** The order with the unit behind each level. A single number may be a line. */
export function withUnits(text: string): string {
  const levels = OF_LIMITS.test(text) ? BARE : AT;
  return (text.match(levels) ?? []).length > 1 ? text.replace(levels, '$1$2 mb') : text;
}

/** True for a word that says what an amount of data is for. */
export function isLevelWord(word: string): boolean {
  return WORD.test(word);
}

/** True if amounts of data are named for more than one level. */
export function areLevels({ volumes }: Pick<Facts, 'volumes'>): boolean {
  return new Set(volumes.map(({ part }) => part)).size > 1;
}
