import { values } from '../answers/thread-values.ts';
import { isOffer, type Meant, type Reading, type Topic } from '../answers/topics.ts';
import { carriedUnit } from '../facts/shares.ts';

/*
 * Amounts of data that only what was shown explains: "make it 50" after the limit of a line, "mb" after an amount without
 * a unit, "let us know at 25" after a new limit. Their unit is that of the limit, which the surface reads.
 */

const LEAD = String.raw`^\W*(?:(?:ok|okay|so|then|and|please|pls|well|great|thanks|can|could|you|we|let['’]?s|just|now|no|hm+|yes)[\s,]+)*`;
const TAIL = String.raw`(?:[\s,]+(?:please|pls|plz|then|now|thanks?|thx|instead|for\s+(?:him|her|them|now)))*[\s.!]*$`;
const AMOUNT = String.raw`(?<amount>\d{1,6}(?:\.\d+)?(?:\s*(?:gb|mb|gigs?|megs?))?)`;
const SETS = String.raw`(?:make|set|put|change|raise|lower|bump|increase|decrease|reduce|cut|push|up|cap|limit|move|bring|drop|get|give|need|want|should\s+be)`;
const IT = String.raw`(?:it|that|this|(?:the|its|her|his|their)\s+(?:data\s+)?(?:limit|cap|data))`;
/** "Make it 50", "raise it to 30", "50 please" */
const NEW_LIMIT = new RegExp(
  String.raw`${LEAD}(?:(?:${IT}\s+)?${SETS}\s+(?:${IT}\s+)?(?:(?:up|down)\s+)?(?:(?:to|at)\s+)?)?${AMOUNT}${TAIL}`,
  'iu',
);
const UNIT = /^\W*(?:(?:in|its|it['’]?s|i\s+mean|sorry|ok)\s+)*(?<unit>mb|gb|megs?|gigs?|megabytes?|gigabytes?)\W*$/i;
/** "Let us know when she gets to 25" */
const NOTIFIES = new RegExp(
  String.raw`${LEAD}(?:let\s+(?:me|us|him|her|them)\s+know|tell\s+(?:me|us|him|her|them)|warn|notify|alert|ping)\b(?:\s+\p{L}+)?\s+(?:(?:when|once|if|as\s+soon\s+as)\s+(?:it|she|he|they|that|this|the\s+line|[#…]?\d{4})\s+(?:gets?\s+to|reach(?:es)?|hits?|is\s+at|comes?\s+to|has\s+used|uses?|passes)|at)\s+${AMOUNT}${TAIL}`,
  'iu',
);
/** "Slow it down at 2" */
const THROTTLES = new RegExp(
  String.raw`${LEAD}(?:slow|throttle)\b(?:\s+(?:it|that|this|him|her|them|the\s+(?:line|data)|data))?(?:\s+down)?\s+(?:at|after|from)\s+${AMOUNT}${TAIL}`,
  'iu',
);
/** "Double it" */
const RELATIVE = new RegExp(String.raw`${LEAD}(?<share>double|triple|halve|half)(?:\s+${IT})?${TAIL}`, 'iu');
const READS = /^numbers_(?:data_usage_(?:info|settings)|lookup|find)$/;
const SETS_LIMIT = 'numbers_data_usage_set';

/** The order for a data limit that a message means after a read of it, or after an amount without a unit. */
export function ofShownAmount(
  text: string,
  last: string,
  { line, person, part }: Topic,
  now: number,
  reading: Reading,
): Meant | undefined {
  const answer = reading.of(last);
  const rest = last.replace(/[\s.!]+$/, '');
  if (answer.operation === SETS_LIMIT && isOffer(answer, reading)) {
    const unit = UNIT.exec(text)?.groups?.unit;
    const [amount, ...others] = answer.unitless?.amounts ?? [];
    if (unit !== undefined && amount && others.length === 0)
      return {
        text: rest.replace(new RegExp(`\\b${amount.value}\\b(?!\\s*(?:mb|gb))`), () => `${amount.value} ${unit}`),
        kind: 'corrects',
        before: last,
      };
    const parts = [
      ['NotifyValue', 'notify at', NOTIFIES],
      ['ThrottleValue', 'slow down at', THROTTLES],
    ] as const;
    for (const [field, words, pattern] of parts) {
      const amount = answer.input[field] === undefined ? pattern.exec(text)?.groups?.amount : undefined;
      if (amount !== undefined)
        return {
          ...{ text: `${rest}, ${words} ${withUnitOf(amount, rest)}`, kind: 'adds', before: last },
          hasShownUnit: true,
        };
    }
    return undefined;
  }
  const whom = line ?? person;
  const share = RELATIVE.exec(text)?.groups?.share;
  if (share !== undefined && whom !== undefined && part === 'data' && READS.test(answer.operation ?? ''))
    return { text: `${share} the data limit of ${whom}`, kind: 'read' };
  const amount = NEW_LIMIT.exec(text)?.groups?.amount;
  if (amount === undefined || whom === undefined || part !== 'data' || !READS.test(answer.operation ?? ''))
    return undefined;
  // With its unit and a word for the line, it needs nothing of what was shown.
  if (/[a-z]/i.test(amount) && /\b(?:it|its|his|her|their|that|this)\b/i.test(text)) return undefined;
  if (values(text, now).some(({ kind }) => kind === 'digits' || kind === 'number')) return undefined;
  return { text: `set the data limit of ${whom} to ${amount}`, kind: 'read', hasShownUnit: true };
}

/** An amount with the unit of the amounts in an order, if it has none. */
function withUnitOf(amount: string, order: string): string {
  const [beside] = /\d+(?:\.\d+)?\s*(?:gb|mb|gigs?|megs?)\b/i.exec(order) ?? [];
  const unit = beside === undefined ? undefined : carriedUnit(Number.parseFloat(amount), beside);
  return /[a-z]/i.test(amount) || unit === undefined ? amount : `${amount} ${unit}`;
}
