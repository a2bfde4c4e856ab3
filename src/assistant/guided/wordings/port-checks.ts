import { phonesIn } from '../../../platform/dialect/phone.ts';
import { isOffer, type Meant, type Reading } from '../answers/topics.ts';

/*
 * A number is checked before its port is ordered: "check 3125550188 for port-in", "don't start the port yet, just check
 * it". There is no order yet whose status could be meant.
 */

const CHECKS =
  /\b(?:check(?:s|ed|ing)?|verify|test|validate|eligib\w+|portab\w+|(?:look|see|find\s+out|tell\s+me)\s+(?:up\s+)?(?:whether|if))\b/iu;
const PORT = String.raw`(?:port(?:s|ed|ing|ability)?|transfer)\b(?![\s-]*(?:out|away)\b)`;
/** What the check is for: "for port in", "before we port it". */
const PURPOSE = new RegExp(
  String.raw`\bfor\s+(?:an?\s+)?${PORT}(?!\s+(?:order|status))|\b(?:before|prior\s+to)\b[^.;!?]*\b${PORT}`,
  'iu',
);
/** The port is not ordered: "don't start the port", "not porting yet", "no port for now". */
const NOT_YET = new RegExp(
  String.raw`(?:\b(?:do\s+not|dont|havent|hasnt|didnt|wont|not|never|without|no(?:\s+need\s+to)?|hold\s+off|wait)\b|n['’]t\b)(?:\s+\p{L}+){0,4}?\s+${PORT}(?!\s+(?:is|was|has)\b)`,
  'iu',
);
/** The question itself: "check if we can port these: …". */
const IF = new RegExp(
  String.raw`\b(?:if|whether|which\s+(?:of\s+)?(?:these|those|them))\b[^.;!?]*\b(?:${PORT}|portable)`,
  'iu',
);
/** Words of an order that there is. */
const ORDERED =
  /\b(?:JNUOID|status|state|progress|stuck|reject\w*|submitted|scheduled|done|through|complete[d]?|correct|change|cancel\w*)\b/iu;

/** "Can we port in +1… and +1…?" asks, and nothing else is in it. */
const MAY =
  /^\W*(?:(?:so|and|ok|hi|hey|quick|question)[\s,:]+)*(?:can|could|may)\s+(?:we|i)\s+(?:port|bring|transfer|move)\s+(?:(?:in|over)\s+)?(?:(?:both|these|those|the\s+numbers?)\s*[:,]?\s+)?(?<numbers>[+\d][\d\s().+,&/-]*(?:(?:and|or)\s+[+\d][\d\s().+,&/-]*)*)(?:(?:in|over|to\s+us)\s*)?[?.!\s]*$/iu;

/** The sentence as a question of that number alone, if its port is to be checked and not ordered. */
export function asPortCheck(text: string): string {
  const [number, ...others] = phonesIn(text);
  if (number !== undefined && others.length > 0 && MAY.test(text))
    return `are ${[number, ...others].join(' and ')} portable?`;
  if (number === undefined || !CHECKS.test(text) || ORDERED.test(text)) return text;
  const isCheck = PURPOSE.test(text) || NOT_YET.test(text);
  if (others.length === 0) return isCheck ? `check if ${number} is portable` : text;
  return isCheck || IF.test(text) ? `are ${[number, ...others].join(' and ')} portable?` : text;
}

/** The place of a number that was checked, from 0. */
const PLACES: Readonly<Record<string, number>> = { first: 0, '1st': 0, second: 1, '2nd': 1, third: 2, '3rd': 2 };
const ELIGIBILITY = 'numbers_portin_eligibility';
/** "Ok yes lets do it, for Ava Stone" */
const GO_AHEAD =
  /^\W*(?:(?:ok|okay|yes|yep|yeah|sure|great|good|perfect|cool|then|so|and|please|pls|let['’]?s|lets|we|i|can|could|you|want|to|now|just)[\s,.!]+)*(?:(?:go\s+(?:ahead|for\s+it)|proceed)(?:\s+and\s+(?:do|port|start|order|book)(?:\s+(?:it|that|this))?)?(?:\s+with\s+(?:it|that|this))?|(?:do|port|start|order|book|submit|bring|take)\s+(?:it|that|this|the\s+(?<nth>first|1st|second|2nd|third|3rd|last|other)(?:\s+(?:one|number))?)(?:\s+(?:in|over))?)(?<rest>(?:$|[\s,.!]+(?:(?:for|from|to|with|under|now|please|pls|then)\b[\s\S]*)?$|,[\s\S]*$))/iu;

/** The order for the port whose check was the message before: "let's do it, for Ava". Undefined for other messages. */
export function ofCheckedPort(text: string, last: string, reading: Reading): Meant | undefined {
  const { rest, nth } = GO_AHEAD.exec(text)?.groups ?? {};
  const before = rest === undefined ? undefined : reading.of(last);
  const several = before?.each?.texts;
  const one = before?.input.PhoneNumber;
  const picked = nth === undefined ? undefined : several?.at(PLACES[nth.toLowerCase()] ?? -1);
  const number = before?.operation !== ELIGIBILITY ? undefined : nth === undefined ? one : picked;
  if (rest === undefined || typeof number !== 'string') return undefined;
  const full = `port in ${number}${rest.replace(/^[\s,.!]+/, ' ').replace(/[\s.!]+$/, '')}`;
  return isOffer(reading.of(full), reading) ? { text: full, kind: 'read' } : undefined;
}
