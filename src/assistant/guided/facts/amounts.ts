/*
 * Amounts of data may have marks: "1,000 MB", "1 000 MB", "1,5 GB". A mark before three digits separates thousands, and
 * a comma before one or two is a decimal one.
 */

const UNIT = String.raw`(?=\s*(?:gb|mb|gigs?|megs?|gigabytes?|megabytes?)\b)`;
const START = String.raw`(?<![\w.,])`;
const THOUSANDS = new RegExp(
  String.raw`${START}[1-9]\d{0,2}(?:,\d{3})+${UNIT}|${START}[1-9]\d{0,2}(?: \d{3})+${UNIT}`,
  'giu',
);
const DECIMAL = new RegExp(String.raw`${START}(\d{1,3}),(\d{1,2})${UNIT}`, 'giu');
/** Neither of the two: "1,0000 mb", "1.000 mb". */
const UNREAD = new RegExp(
  String.raw`${START}\d{1,3}(?:[.,]\d+){2,}\s*(?:[gm]b|gigs?|megs?)\b|${START}\d{1,3}(?:\.\d{3}|,\d{4,})\s*(?:[gm]b|gigs?|megs?)\b`,
  'giu',
);

/** "… 4 gb, warn at 3,5": the unit is that of the other amount. */
const BARE = /(?<=\b(?:at|to|after)\s)\d{1,3},\d{1,2}(?=\s*[.!;]?\s*$)/giu;
const HAS_UNIT = /\d\s*(?:gb|mb|gigs?|megs?)\b/i;
/** Numbers in words, in digits. */
export const NUMBER_WORDS: Readonly<Record<string, string>> = {
  ...{ half: '0.5', one: '1', two: '2', three: '3', four: '4', five: '5', six: '6', seven: '7', eight: '8', nine: '9' },
  ...{ ten: '10', twelve: '12', fifteen: '15', twenty: '20', thirty: '30', fifty: '50', hundred: '100' },
};
/** "Five gb", "half a gig". */
const IN_WORDS = new RegExp(
  String.raw`\b(?:a\s+)?(?<word>${Object.keys(NUMBER_WORDS).join('|')})(?:\s+an?)?\s+(?=(?:gb|mb|gigs?|megs?|gigabytes?|megabytes?)\b)`,
  'giu',
);

/** Returns the text with its amounts in plain digits, and the amounts that are unclear. */
export function plainAmounts(text: string): { text: string; unread: string[] } {
  const unread: string[] = [];
  const plain = text
    .replace(IN_WORDS, (whole, word: string) => `${NUMBER_WORDS[word.toLowerCase()] ?? whole} `)
    .replace(THOUSANDS, (amount) => amount.replace(/[ ,]/g, ''))
    .replace(DECIMAL, '$1.$2')
    .replace(BARE, (amount) => (HAS_UNIT.test(text) ? amount.replace(',', '.') : amount))
    .replace(UNREAD, (amount) => {
      unread.push(amount);
      return ' data ';
    });
  return { text: plain, unread };
}
