import { wordsOf } from '../../../language/sentence.ts';
import { LINE } from '../facts/line-pattern.ts';

/* Wishes that the calls of a line ring elsewhere: "calls for 0104 should ring +1…", "Ben's calls should go to 0105". */

const WHOSE_CALLS = String.raw`(?<who>${LINE}|(?!(?:the|a|an|our|my|his|her|their|this|that|it|me|us|him|them|all|any)\b)\p{L}[\p{L}-]+(?:\s+\p{Lu}[\p{L}-]+)??)`;
const SENT_TO = String.raw`(?:ring|go|come|land|end\s+up|reach|be\s+(?:sent|put\s+through|routed|answered|picked\s+up|taken|transferred))(?:\s+through)?(?:\s+(?:in|at|on|to|by))?`;
const CALLS = String.raw`(?:(?:all|the|any|incoming|inbound)\s+)*calls`;
const DONE = String.raw`(?:\s+(?:instead|from\s+now\s+on|now|today|tonight|please|pls|for\s+now|for\s+the\s+\p{L}+))*[\s.!]*$`;
const POLITE = String.raw`^\W*(?:(?:please|pls|plz|hi|hey|ok|so|and|can|could|you|u|we|let|have|make)[\s,]+)*`;
const RINGS_ELSEWHERE: readonly RegExp[] = [
  String.raw`${POLITE}${CALLS}\s+(?:for|to|of|on)\s+${WHOSE_CALLS}\s+(?:(?:should|must|shall|need\s+to|needs\s+to|have\s+to|has\s+to|to|now|all)\s+)*${SENT_TO}\s+(?<to>${LINE})${DONE}`,
  String.raw`${POLITE}${WHOSE_CALLS}(?:['’]s|(?<=[^s])s)\s+(?:incoming\s+|inbound\s+)?calls\s+(?:(?:should|must|shall|need\s+to|have\s+to|to|now|all)\s+)*${SENT_TO}\s+(?<to>${LINE})${DONE}`,
  String.raw`${POLITE}ring\s+(?<to>${LINE})\s+(?:for|on|with|when\s+there\s+are)\s+${CALLS}\s+(?:for|to|of|on)\s+${WHOSE_CALLS}${DONE}`,
  String.raw`${POLITE}(?:send|route|put|pass|transfer)\s+${CALLS}\s+(?:for|to|of|on)\s+${WHOSE_CALLS}\s+(?:through\s+|on\s+|over\s+)?to\s+(?<to>${LINE})${DONE}`,
  String.raw`${POLITE}(?:when(?:ever)?|if)\s+(?:some(?:one|body)|people|any(?:one|body)|they|callers?)\s+(?:calls?|rings?|dials?)\s+${WHOSE_CALLS}[\s,]+(?:it\s+should\s+|please\s+|then\s+)*(?:ring|send\s+(?:it|them)\s+to|forward\s+(?:it|them)\s+to)\s+(?<to>${LINE})${DONE}`,
].map((pattern) => new RegExp(pattern, 'iu'));

/** The order to forward calls, for one in other words. Any other text as it is. */
export function withForward(text: string): string {
  const { who, to } = RINGS_ELSEWHERE.map((pattern) => pattern.exec(text)?.groups).find((found) => found) ?? {};
  if (who === undefined || to === undefined) return text;
  if (/\d/u.test(who)) return `forward ${who} to ${to}`;
  const name = who.replace(/['’]s$/u, '');
  return wordsOf(name).every(({ isUnknown }) => isUnknown) ? `forward ${name}'s calls to ${to}` : text;
}
