import { mapLeaves, type Part, pathOf, textsIn } from '../lib/leaves.ts';
import { cleanText, hasUnseen } from '../lib/text.ts';

/** Deeper members of an input are left as they are. The definition refuses them. */
const MAX_DEPTH = 12;

/** An input whose texts and names have lost invisible characters. The input itself is not changed. */
export function cleaned(value: unknown): unknown {
  const leaf = (part: Part) =>
    typeof part.value === 'string' && part.depth <= MAX_DEPTH ? cleanText(part.value) : part.value;
  return mapLeaves(value, { leaf, member: ({ name, depth }) => (depth <= MAX_DEPTH ? cleanText(name) : name) });
}

/** Paths of the texts in an input that `cleaned` shortens, such as "CurrentBillingAddress.Street1". */
export function unseenIn(value: unknown): string[] {
  return textsIn(value)
    .filter(({ value: text, depth }) => depth <= MAX_DEPTH && hasUnseen(text))
    .map((part) => cleanText(pathOf(part)));
}
