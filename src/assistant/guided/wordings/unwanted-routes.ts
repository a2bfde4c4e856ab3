/*
 * "0104 should use Main SMS route but not the voice trunk": the second route is not one that the line gets. No field of a line
 * takes a route away, so that this part is told.
 */

const UNWANTED =
  /(?:[,;]\s*|\s)(?:but\s+|and\s+)?(?<part>not\s+(?:(?:on|to|with|use|using|for|the|our|any)\s+)*(?:[^,.;!?\s]+\s+){0,3}?(?:route|trunk))\s*[.!]*$/iu;
const ROUTE = /\b(?:route|trunk)\b/iu;
const LINES = /(?<![\d.-])[#…*]*\d{4}(?![\w.-])|\d{3}[\s.-]?\d{4}(?!\d)/u;

/** The order for a line without the route that it is not to have, and what is told of it. */
export function withoutUnwantedRoute(text: string): { text: string; told: readonly string[] } {
  const match = LINES.test(text) ? UNWANTED.exec(text) : null;
  if (!match || !ROUTE.test(text.slice(0, match.index))) return { text, told: [] };
  return {
    text: text.slice(0, match.index),
    told: [`. Not taken: “${match.groups?.part ?? ''}”: no field of a line takes a route away`],
  };
}
