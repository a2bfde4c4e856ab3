import { isName } from './complaints.ts';

/*
 * Complaints of a line of which one service works and another does not: "0103 can't make calls only text", "0101 only gets
 * texts no calls". What is asked about is the service that fails. "Is it out of data or what's wrong" asks for any cause.
 */

const WHOLE = String.raw`\+?1?[\s.-]?\(?[2-9]\d{2}\)?[\s.-]?\d{3}[\s.-]?\d{4}(?!\d)`;
const LINE = String.raw`(?:(?:number|line)\s+)?(?:[#…*]*(?<!\d)\d{4}(?![\w-])|${WHOLE})`;
const LEAD = String.raw`\W*(?:(?:hi|hey|so|and|ok|customer|client|subscriber|cust|line|number|the|on|says)[\s,:]+)*`;
const NAME = String.raw`\p{L}[\p{L}-]+`;
/** The line or the customer, and what is said of it. A second word may be one of the name. */
const WHOS: readonly RegExp[] = [LINE, String.raw`${NAME}\s+${NAME}`, NAME].map(
  (who) => new RegExp(String.raw`^${LEAD}(?<who>${who})['’]?s?\s+(?<rest>\S[\s\S]*)$`, 'iu'),
);
const SERVICES: readonly (readonly [said: RegExp, fails: string])[] = [
  [/\b(?:calls?|calling|voice|ring|phone)\b/iu, "can't call"],
  [/\b(?:texts?|texting|sms|messages?|messaging)\b/iu, "can't text"],
  [/\b(?:data|internet|online|surf|browse)\b/iu, 'has no data'],
];
/** Ends the part of a sentence before the next service. */
const PARTS =
  /[,;.]+|\b(?:but|only|just|and|though|while|yet)\b|(?=\b(?:no|not|never|cant|cannot|without)\b)|(?=\bcan['’]t\b)/iu;
const NEGATED =
  /\b(?:no|not|never|cant|cannot|without|dont|doesnt|wont|isnt|arent|fails?|failing|broken|dead)\b|n['’]t\b/iu;
/** An order or a wish about services, and no complaint. */
const ORDERS =
  /["“„?]|\b(?:make\s+sure|turn|switch|enable|disable|block\w*|filter\w*|plan|route|needs?|wants?|should|must|please|pls|set|give|new|add|allow\w*|from|to)\b/iu;

/** The complaint as one about the service that fails. */
function ofFailing(text: string): string {
  if (text.length > MAX_LENGTH || ORDERS.test(text)) return text;
  const said = WHOS.map((pattern) => pattern.exec(text)?.groups ?? {});
  const { who, rest = '' } = said.find(({ who: one }) => one !== undefined && (/\d/u.test(one) || isName(one))) ?? {};
  if (who === undefined) return text;
  const parts = rest.split(PARTS).filter(Boolean);
  const servicesOf = (isFailing: boolean) =>
    new Set(
      parts
        .filter((part) => NEGATED.test(part) === isFailing)
        .flatMap((part) => SERVICES.filter(([said]) => said.test(part))),
    );
  const [failing, working] = [servicesOf(true), servicesOf(false)];
  const [only] = failing;
  return only === undefined || failing.size > 1 || working.size === 0 || working.has(only) ? text : `${who} ${only[1]}`;
}

const MAX_LENGTH = 100;
const OR_WHAT =
  /[\s,]+or\s+(?:what(?:['’]?s|\s+is|\s+else\s+is|\s+else)\s+(?:wrong|up|going\s+on|the\s+(?:problem|matter|issue|cause)|it)|is\s+(?:it\s+)?(?:something|anything)\s+else|something\s+else)(?:\s+with\s+(?:it|her|him|them))?[\s.?!]*$/iu;

/** "0106 is offline, is it out of data or what's wrong": one cause is guessed, and any is asked for. */
function ofAnyCause(text: string): string {
  const line = OR_WHAT.test(text) ? new RegExp(LINE, 'u').exec(text)?.[0] : undefined;
  return line === undefined ? text : `why is ${line.trim()} not working`;
}

/** "Why isn't Ben getting texts" negates what he gets, and not Ben. */
const IS_NOT = new RegExp(
  String.raw`\b(why|how\s+come)\s+(does|do|did|is|are|has|have|was|were)n['’]?t\s+(?!(?:the|a|an|my|his|her|their|our|its|this|that|any)\b)(${LINE}|${NAME})`,
  'giu',
);

/** The sentence with such a complaint in plain words. Any other sentence as it is. */
export function withFailingService(sentence: string): string {
  const text = sentence.replace(IS_NOT, '$1 $2 $3 not');
  const failing = ofFailing(text);
  return failing === text ? ofAnyCause(text) : failing;
}
