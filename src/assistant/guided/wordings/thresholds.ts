/*
 * "When she gets to 18 MB, slow it down" names an amount of data at which the platform itself does something. It is no
 * condition for a person to check, and is read as "at 18 MB".
 */

const UNIT = '(?:gb|mb|gigs?|megs?)';
const WHO = String.raw`(?:she|he|it|they|we|(?:the|her|his|their|its)\s+(?:\p{L}+\s+){1,2}?|usage|data|(?<line>[#…*]*\d{4,}|\p{L}+))`;
const REACHES =
  '(?:gets?|goes|go|comes?|is|are|hits?|reach(?:es)?|uses?|used|burns?|burned|cross(?:es)?|pass(?:es)?|exceeds?)';
const THRESHOLD = new RegExp(
  String.raw`\b(?:when(?:ever)?|once|as\s+soon\s+as|if)\s+(?:${WHO}\s*)(?:(?:has|have|ever|then|already)\s+)*${REACHES}\s+(?:(?:up\s+to|close\s+to|to|at|over|past|above|more\s+than)\s+)?(?=(?!0\d)\d{1,6}(?:\.\d+)?(?:\s*${UNIT}\b|(?![\w.:/-])))`,
  'iu',
);
/** An amount whose unit another one of the sentence has: "set it to 500 MB and slow it down when she hits 400". */
const HAS_UNIT = new RegExp(String.raw`\d\s*${UNIT}\b`, 'iu');
/** Verbs of what the platform does at an amount of data. */
const DONE = /\b(?:slow\w*|throttl\w*|limit\w*|cap|cut|stop\w*|block|notify|warn\w*|alert\w*)\b/i;

/** The sentence with "at" for the words of a threshold. The line in them stays. */
export function withThreshold(said: string): string {
  const match = THRESHOLD.exec(said);
  if (!match || !DONE.test(said) || !HAS_UNIT.test(said)) return said;
  const line = match.groups?.line;
  return said.replace(match[0], `${line === undefined ? '' : `on ${line} `}at `);
}
