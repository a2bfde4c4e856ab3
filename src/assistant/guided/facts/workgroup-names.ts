/*
 * "The front desk group" and "workgroup front desk" name a workgroup in lower case. Names are read by their capitals, and a
 * search takes them in any case.
 */

const STOPS = String.raw`(?:to|for|in|into|on|off|of|at|with|from|by|as|is|are|was|has|have|gets?|should|must|can|could|will|would|needs?|does|do|and|or|but|not|please|pls|now|today|again|settings?|details?|members?|activit(?:y|ies)|name|number|call|announcement|recording|schedule|every\p{L}*|all|who|what|which|the|an?|it|that|this|so|then|when|if)\b`;
/** Names that workgroups mostly have, where no noun says that it is one. */
export const DESK = String.raw`(?:(?:front|help|service|info|support|sales)\s*-?\s*desk|reception|call\s+cent(?:er|re)|hotline)`;

/** A word that may be one of a name in lower case. */
export const WORD = String.raw`(?!${STOPS})\p{L}[\p{L}'’-]*`;
const BEHIND = new RegExp(
  String.raw`\b(?<noun>work\s?group|(?:ring|hunt|call|phone)\s+group)\s+["“]?(?<name>${WORD}(?:\s+${WORD})?)["”]?(?![\p{L}\d])`,
  'giu',
);
const BEFORE = new RegExp(
  String.raw`\b(?:the|our)\s+(?!(?:ring|hunt|call|phone|work|same|whole|other|new|first|last|second|old|contact|customer|user|number|line)\s+group)(?<name>${WORD}(?:\s+${WORD})?)\s+(?:work\s?)?group\b(?!\s+by\b)`,
  'giu',
);

/** The sentence with the name of its workgroup in capitals, behind the noun. */
export function withWorkgroupName(text: string): string {
  if (!/\bgroup|workgroup/iu.test(text)) return text;
  return text
    .replace(BEFORE, (...found) => `the workgroup ${capital(nameIn(found))}`)
    .replace(BEHIND, (...found) => `workgroup ${capital(nameIn(found))}`);
}

function nameIn(found: readonly unknown[]): string {
  return (found.at(-1) as { name: string }).name;
}

export function capital(name: string): string {
  return name.replace(/(?<![\p{L}'’])\p{Ll}/gu, (first) => first.toUpperCase());
}
