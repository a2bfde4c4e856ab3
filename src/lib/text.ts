/* Built from a string: a lint rule rightly distrusts control characters in patterns. */
const INVISIBLE =
  /(?![\n\t])[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060\u2066-\u2069\ufeff]/gu;

/**
 * Text in which control characters, direction marks and characters without width stand as escapes (`\u202e`), so that
 * whoever reads it sees what would be sent. Line breaks and tabs stay; a carriage return before a line break goes.
 */
export function visible(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(INVISIBLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
