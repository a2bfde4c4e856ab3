import { isOffer, type Meant, type Reading } from '../answers/topics.ts';

/* "And …0001 as well" after an order for a record by its id: the record whose id ends so, of the same kind. */

const TAIL =
  /^\W*(?:(?:and|also|plus|then|ok|okay|please|pls|the|one|ending|ends|in|with|same|for|do|id)[\s,]+)*(?:\.{2,}|…|-)?\s*(?<digits>\d{2,8})(?:[\s,]+(?:as\s+well|too|also|please|pls|then))*[\s.!]*$/iu;
const ID = /\b[A-Z]{2,7}-[0-9a-f-]{8,}\b/giu;

/** The order for that record. Undefined for other messages. */
export function ofIdTail(text: string, last: string, reading: Reading): Meant | undefined {
  const digits = TAIL.exec(text)?.groups?.digits;
  const [id, ...others] = last.match(ID) ?? [];
  if (digits === undefined || id === undefined || others.length > 0 || !/\d$/.test(id)) return undefined;
  // The digits of a line are no end of an id.
  if (/\d{4}/.test(last.replace(id, ' ')) || !isOffer(reading.of(last), reading)) return undefined;
  const full = last.replace(id, `${id.slice(0, -digits.length)}${digits}`);
  return reading.of(full).operation === reading.of(last).operation
    ? { text: full, kind: 'again', before: last }
    : undefined;
}
