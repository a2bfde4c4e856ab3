import { isOffer, type Meant, type Reading } from '../answers/topics.ts';

/* "Oh it's voip, leave it" where nothing is offered: the report orders no look-up, and there is nothing to take back. */

const PARTS =
  /^\W*(?:(?:oh|ah|ok|okay|hm+|well|so|no|sorry)[\s,.!]+)*(?:s?hes?|they|theyre|its?|that|thats|the\s+\p{L}+|his|her|customer|client)(?:['’]\p{L}+)?\s[^,;.!?\d]{2,60}[,;.!–-]+\s*(?<tail>\p{L}[^,;.!?]{2,30})[.!\s]*$/iu;

/** The message as one that takes something back where nothing is offered. Undefined for other messages. */
export function ofDropped(
  text: string,
  last: string,
  isBack: (part: string) => boolean,
  reading: Reading,
): Meant | undefined {
  const tail = PARTS.exec(text)?.groups?.tail;
  if (tail === undefined || !isBack(tail) || isOffer(reading.of(text), reading)) return undefined;
  return { text: tail, kind: 'back', before: last };
}
