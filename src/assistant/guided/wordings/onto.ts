import { LINE } from '../facts/line-pattern.ts';
import { isPlanName } from '../facts/plans.ts';
import { isName } from './complaints.ts';

/*
 * A line that is to use a route or a plan, in the verbs that people choose: "get 0106 onto the main sms route", "switch Ben
 * to the backup trunk", "have Ava's line use the starter plan". The line gets it: the route and the plan are shared, and
 * stay as they are.
 */

const POLITE = String.raw`(?<=^\W*(?:(?:please|pls|plz|hi|hey|ok|okay|so|and|then|can|could|would|you|u|we|i|need\s+to|have\s+to|want\s+to)[\s,]+)*|[.;!]\s+)`;
const WHO = String.raw`(?:(?<line>${LINE}|it|that(?:\s+(?:one|line|number))?|(?:her|his|their)\s+(?:line|number|phone))|(?<name>(?!(?:me|us|you|the|a|an|all|it|them|new|another)\b)\p{L}[\p{L}-]+?)(?<own>['’]?s\s+(?:line|number|phone))?)`;
const KIND = String.raw`(?=(?:(?:the|our)\s+)?(?!(?:(?:the|our|sip|voice|sms|call|text|message)\s+)+(?:route|trunk|plan|package)\b)(?:[\p{L}\d&-]+\s+){1,3}(?<kind>route|trunk|plan|package)\b(?!\s*\d))`;

const MOVED = new RegExp(
  String.raw`${POLITE}(?<verb>get|bring|have|let|make|put|move|switch|place|hook|transfer|change|set)\s+${WHO}\s+(?:up\s+|over\s+|back\s+)?(?:onto|on\s+to|on|to|use|go\s+(?:through|via|over|to))\s+${KIND}`,
  'iu',
);
const USED_FOR =
  /^(?<start>\W*(?:(?:please|pls|plz|can|could|you|u|ok|so|and)[\s,]+)*)use\s+(?<route>(?:the\s+|our\s+)?(?:[\p{L}\d&-]+\s+){1,3}(?:route|trunk))\s+(?:for|with|on)\s+(?<name>\p{L}[\p{L}-]+)(?:['’]s\s+(?:line|number|phone))?(?=\s*(?:$|[,.;!]|\b(?:please|pls|plz|now|today|again)\b))/iu;

const OWN = String.raw`(?:(?<line>${LINE}|its?|(?:her|his|their))|(?<name>(?!(?:the|our|my|a|an)\b)\p{L}[\p{L}-]+))`;
const KIND_OF = String.raw`(?:(?:line|number)\s+)?(?<kind>(?:voice|calls?|sip|sms|texts?|messages?|messaging)\s+)?(?:route|trunk)`;
const NAMED = String.raw`\s+to\s+(?:the\s+|our\s+)?(?<route>[\p{L}\d&-]+(?:\s+[\p{L}\d&-]+){0,3}?)(?:\s+one)?(?=\s*(?:$|[,.;!]|\b(?:please|pls|plz|now|today)\b))`;
/** "Change 0101's voice route to Backup", "set the sms route of Ben to the acme one" */
const ROUTE_TO = [
  String.raw`${POLITE}(?:change|switch|set|move|update|put)\s+${OWN}(?:['’]s)?\s+${KIND_OF}${NAMED}`,
  String.raw`${POLITE}(?:change|switch|set|move|update|put)\s+the\s+${KIND_OF}\s+(?:of|for|on)\s+${OWN}(?:['’]s\s+(?:line|number|phone))?${NAMED}`,
].map((pattern) => new RegExp(pattern, 'iu'));
/** Values of a route's own fields: "to disabled", "to POST". */
const OWN_VALUE =
  /^(?:on|off|enabled|disabled|active|inactive|post|get|put|basic|bearer|none|udp|tcp|tls|forward|webhook)\b/iu;

/** "Send 0103 to a different sms route": which one is chosen in the form. */
const OTHER_ROUTE = new RegExp(
  String.raw`${POLITE}(?:send|move|switch|put|change|transfer|shift)\s+(?<line>${LINE})\s+(?:over\s+)?(?:to|onto|on)\s+(?<route>(?:an?\s+(?:different|other|new)|another)\s+(?:voice|calls?|sip|sms|texts?|messages?|messaging)\s+(?:route|trunk))(?=\s*(?:$|[,.;!]|\b(?:please|pls|plz|now|today)\b))`,
  'iu',
);

function withNewRoute(text: string): string {
  if (OTHER_ROUTE.test(text)) return text.replace(OTHER_ROUTE, 'give $<line> $<route>');
  const found = ROUTE_TO.map((pattern) => pattern.exec(text)).find((match) => match !== null);
  const { line, name, kind = '', route: typed = '' } = found?.groups ?? {};
  const route = typed.replace(/\s+(?:one|route|trunk)$/iu, '');
  const of = /\b(?:voice|call|sip|sms|text|message)\b/iu.test(route) ? '' : kind;
  // A single word without the kind may be a value of the route.
  if (kind === '' && typed === route && !/\s/u.test(route)) return text;
  if (!found || OWN_VALUE.test(route) || /\d{4}|https?/u.test(route) || (line === undefined && !isName(name)))
    return text;
  const who =
    line === undefined
      ? `${name}'s line`
      : /^(?:its?)$/iu.test(line)
        ? 'it'
        : /^\p{L}/u.test(line)
          ? `${line} line`
          : line;
  const behind = text.slice(found.index + found[0].length);
  return `${text.slice(0, found.index)}point ${who} at the ${route} ${of}route${behind}`;
}

/** "Move 0105 off Starter": a name that many packages have is one, and no person. */
const OFF_PLAN = new RegExp(
  String.raw`${POLITE}(?:move|take|get|pull|remove|drop|bring)\s+${OWN}(?:['’]s)?(?:\s+(?:line|number|phone))?\s+(?:off|from|out\s+of)\s+(?:of\s+)?(?:the\s+|our\s+)?(?<plan>\p{L}[\p{L}\d-]*)(?=\s*(?:$|[.!]|\b(?:please|pls|plz|now|today)\b))`,
  'iu',
);

function withoutPlan(text: string): string {
  const { line, name, plan = '' } = OFF_PLAN.exec(text)?.groups ?? {};
  if (!isPlanName(plan) || (line === undefined && !isName(name))) return text;
  return text.replace(OFF_PLAN, () => `take ${line ?? name} off the ${plan} plan`);
}

/** "Put 0105 on the other message route": which one that is, is chosen in the form. */
const ONTO_OTHER = new RegExp(
  String.raw`${POLITE}(?:get|bring|have|put|move|switch|place|hook|transfer|change|set|point)\s+(?<line>${LINE})\s+(?:up\s+|over\s+|back\s+)?(?:onto|on\s+to|on|to|at|use)\s+(?=(?:the\s+other|another|an\s+other|a\s+different)\s+(?:(?:sms|text|message|messaging|voice|call|sip)\s+)?(?:route|trunk)\b)`,
  'iu',
);

/** The sentence with its line before the route or the plan that it gets. */
export function withLineOnto(typed: string): string {
  if (ONTO_OTHER.test(typed)) return typed.replace(ONTO_OTHER, '$<line> to ');
  const text = withoutPlan(withNewRoute(typed));
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
