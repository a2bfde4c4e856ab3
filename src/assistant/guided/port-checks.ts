import { phonesIn } from '../../platform/dialect/phone.ts';

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
/** Words of an order that there is. */
const ORDERED =
  /\b(?:JNUOID|status|state|progress|stuck|reject\w*|submitted|scheduled|done|through|complete[d]?|correct|change|cancel\w*)\b/iu;

/** The sentence as a question of that number alone, if its port is to be checked and not ordered. */
export function asPortCheck(text: string): string {
  const [number, ...others] = phonesIn(text);
  if (number === undefined || others.length > 0 || !CHECKS.test(text) || ORDERED.test(text)) return text;
  return PURPOSE.test(text) || NOT_YET.test(text) ? `check if ${number} is portable` : text;
}
