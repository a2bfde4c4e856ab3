/*
 * Single quotation marks around words are those of a text, like double ones: nothing in them is read as an order or a name.
 */

/** A quoted run of several words. An apostrophe inside a word ends none, and "kids'" begins none. */
const SINGLE =
  /(?<=^|[\s:(])['‘](?!(?:em|til|till|cause|bout|n|round)\b)(?=[\p{L}\d])(?<text>(?:[^'‘’"“”„\n]|['’](?=\p{L})){3,600})['’](?=$|[\s.,;!?)])/giu;

export function withDoubleQuotes(text: string): string {
  return text.replace(SINGLE, (whole, ...found) => {
    const { text: inner = '' } = found.at(-1) as Record<string, string>;
    return inner.trim().includes(' ') ? `"${inner}"` : whole;
  });
}
