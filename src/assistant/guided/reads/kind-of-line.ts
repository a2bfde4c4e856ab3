import type { GuidedAnswer } from '../answers/answer.ts';
import { PRODUCTS } from './bare-lists.ts';

/* "Cancel ava's voip line": the kind of line says which of the lines of a customer is meant. */

/** "Mobile" is what any line is called. */
const KIND =
  /(?:['’]s?|(?<=\p{L}{2})s|\b(?:her|his|their|the))\s+(?<kind>voip|iot|mvno|data[\s-]only)\s+(?:lines?|numbers?|sims?|ones?)\b/iu;

/** The answer whose search for the line of a customer has the kind that the sentence names. */
export function withKindOfLine(guided: GuidedAnswer, said: string): GuidedAnswer {
  const { find, kind } = guided;
  const named = KIND.exec(said)?.groups?.kind?.toLowerCase();
  const product = named === undefined ? undefined : PRODUCTS[named];
  if (!find || product === undefined || kind === 'events' || guided.input.ProductType !== undefined) return guided;
  if (find.operation !== 'numbers_find' || /\d/.test(String(find.input.Query ?? 0))) return guided;
  return { ...guided, find: { ...find, input: { ...find.input, Product: product } } };
}
