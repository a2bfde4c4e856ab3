import type { GuidedAnswer } from '../answers/answer.ts';
import { isOffer, type Meant, type Reading } from '../answers/topics.ts';

/*
 * An order or a question that names a customer with several lines is answered with these lines: "Which number do you mean?"
 * The last digits of one are the choice, and neither a new look-up nor a PIN.
 */

const CHOICE =
  /^\W*(?:(?:ok|okay|so|and|please|pls|hm+|oh|i\s+mean|its|it['’]?s|for|on|the|that|her|his|their|number|line|one|ending|ends|with|in)[\s,]+)*[#…*]*(?<digits>\d{4}|\+?1?[\s.-]?\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4})(?:[\s,]+(?:one|line|number|please|pls|plz|then|thanks?|thx))*[\s.!]*$/iu;

/** The customer whose line is still to be said. */
function customerIn({ find, input }: GuidedAnswer): string | undefined {
  const [query, ...others] = Object.values(find?.input ?? {});
  const said = find && others.length === 0 ? query : input.AssignedSubscriberId;
  return typeof said === 'string' && /^\p{L}[^\d@:/]*$/u.test(said) ? said : undefined;
}

/** The order before, for the line that a message chooses. Undefined for other messages. */
export function ofChosenLine(text: string, last: string, reading: Reading): Meant | undefined {
  const digits = CHOICE.exec(text)?.groups?.digits;
  const answer = digits === undefined ? undefined : reading.of(last);
  if (digits === undefined || answer?.operation === undefined || answer.isInstead || answer.each) return undefined;
  const customer = customerIn(answer);
  if (customer === undefined || !(isOffer(answer, reading) || answer.find)) return undefined;
  const name = customer.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const named = new RegExp(
    String.raw`(?<![\p{L}\d])${name}(?:['’]s?|s)?(?:\s+(?:line|number|phone)s?)?(?![\p{L}\d])`,
    'iu',
  );
  if (!named.test(last)) return undefined;
  const full = last.replace(named, digits);
  return reading.of(full).operation === answer.operation ? { text: full, kind: 'adds', before: last } : undefined;
}
