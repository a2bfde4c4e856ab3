import { isName } from './complaints.ts';

/*
 * A line that is to use a route or a plan, in the verbs that people choose: "get 0106 onto the main sms route", "switch Ben
 * to the backup trunk", "have Ava's line use the starter plan". The line gets it: the route and the plan are shared, and
 * stay as they are.
 */

const POLITE = String.raw`(?<=^\W*(?:(?:please|pls|plz|hi|hey|ok|okay|so|and|then|can|could|would|you|u|we|i|need\s+to|have\s+to|want\s+to)[\s,]+)*|[.;!]\s+)`;
const LINE = String.raw`(?:(?:number|line)\s+)?[#…*]*(?:\+?1?[\s.-]?\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4}|\d{4})(?!\d)`;
const WHO = String.raw`(?:(?<line>${LINE}|it|that(?:\s+(?:one|line|number))?|(?:her|his|their)\s+(?:line|number|phone))|(?<name>(?!(?:me|us|you|the|a|an|all|it|them|new|another)\b)\p{L}[\p{L}-]+?)(?<own>['’]?s\s+(?:line|number|phone))?)`;
const KIND = String.raw`(?=(?:(?:the|our)\s+)?(?!(?:(?:the|our|sip|voice|sms|call|text|message)\s+)+(?:route|trunk|plan|package)\b)(?:[\p{L}\d&-]+\s+){1,3}(?<kind>route|trunk|plan|package)\b(?!\s*\d))`;

const MOVED = new RegExp(
  String.raw`${POLITE}(?<verb>get|bring|have|let|make|put|move|switch|place|hook|transfer|change|set)\s+${WHO}\s+(?:up\s+|over\s+|back\s+)?(?:onto|on\s+to|on|to|use|go\s+(?:through|via|over|to))\s+${KIND}`,
  'iu',
);
const USED_FOR =
  /^(?<start>\W*(?:(?:please|pls|plz|can|could|you|u|ok|so|and)[\s,]+)*)use\s+(?<route>(?:the\s+|our\s+)?(?:[\p{L}\d&-]+\s+){1,3}(?:route|trunk))\s+(?:for|with|on)\s+(?<name>\p{L}[\p{L}-]+)(?:['’]s\s+(?:line|number|phone))?(?=\s*(?:$|[,.;!]|\b(?:please|pls|plz|now|today|again)\b))/iu;

/** The sentence with its line before the route or the plan that it gets. */
export function withLineOnto(text: string): string {
  const { start = '', route, name: user } = USED_FOR.exec(text)?.groups ?? {};
  if (route !== undefined && isName(user))
    return text.replace(USED_FOR, () => `${start}point ${user}'s line at ${route}`);
  const { line, name, own, kind = '', verb = '' } = MOVED.exec(text)?.groups ?? {};
  const isRoute = /route|trunk/i.test(kind);
  // “Switch” and “move” say that the line has another plan now.
  if (!isRoute && !/^(?:get|bring|have|let|make)$/iu.test(verb)) return text;
  if (line !== undefined) return text.replace(MOVED, () => (isRoute ? `point ${line} at ` : `put ${line} on `));
  if (!isName(name)) return text;
  const owned = `${name}${isRoute || own !== undefined ? "'s line" : ''}`;
  return text.replace(MOVED, () => (isRoute ? `point ${owned} at ` : `put ${owned} on `));
}
