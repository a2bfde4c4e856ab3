import { isOffer, type Meant, type Reading, type Topic } from '../answers/topics.ts';

/*
 * "Remove it" after a question about a value of a line is about that value. A bare pronoun beside such a verb never
 * cancels the line: a line is cancelled only where its number or a word for it is written.
 */

const LEAD = String.raw`^\W*(?:(?:ok|okay|so|then|and|please|pls|well|great|thanks|can|could|you|we|let['’]?s|just|now|yes|no|hm+)[\s,]+)*`;
const TAIL = String.raw`(?:[\s,]+(?:please|pls|plz|then|now|again|thanks|asap|today|for\s+(?:her|him|them|me)))*[\s.!?]*$`;
const IT = '(?<said>it|that|this|that\\s+one|this\\s+one)';
const REMOVES = [
  `(?:remove|delete|drop|clear|erase|lift)\\s+${IT}`,
  `get\\s+rid\\s+of\\s+${IT}`,
  `(?:take|strip|get)\\s+${IT}\\s+(?:off|away|out)`,
].map((pattern) => new RegExp(`${LEAD}${pattern}${TAIL}`, 'iu'));

/** The words for the value that a question was about. A value of no such part is left open. */
const VALUES: Partial<Record<NonNullable<Topic['part']>, RegExp>> = {
  data: /\b(?:limit|cap|throttle|notice|allowance)\b/i,
  plan: /\b(?:plan|package|bundle|tariff|subscription)\b/i,
};

/** A message that removes what was shown last, in full. Undefined for other messages. */
export function ofRemoved(text: string, { line, person, part, message = '' }: Topic): Meant | undefined {
  const whom = line ?? person;
  const said = REMOVES.map((pattern) => pattern.exec(text)?.groups?.said).find(Boolean);
  if (whom === undefined || said === undefined) return undefined;
  const value = part && VALUES[part]?.exec(message)?.[0].toLowerCase();
  if (value !== undefined)
    return {
      text: `remove the ${value} of ${whom}`,
      kind: 'refers',
      word: { said, means: `the ${value} of ${whom}` },
    };
  // The parts that have an order of their own, such as a hold, are read with that order.
  if (part !== undefined) return undefined;
  return {
    text,
    kind: 'unclear',
    note: `What “${said}” means is unclear. Write what is to be removed, such as “remove the plan of ${whom}”, or “cancel ${whom}” for the line itself`,
  };
}

const ONE_LISTED = String.raw`(?<said>it|that|this|him|her|them(?:\s+all)?|those|all\s+of\s+them|(?:that|this|the)\s+(?:number|caller|contact|one|block)|\+?\(?\d[\d().\s-]{8,16}\d|[#…*]*\d{4})`;
const UNLISTS = [
  `(?:remove|delete|drop|clear|erase|lift)\\s+${ONE_LISTED}`,
  `get\\s+rid\\s+of\\s+${ONE_LISTED}`,
  `(?:take|strip|get)\\s+${ONE_LISTED}\\s+(?:back\\s+)?(?:off|away|out)(?:\\s+(?:it|of\\s+it|there|(?:of\\s+)?(?:the|that|his|her|their)\\s+list))?`,
].map((pattern) => new RegExp(`${LEAD}${pattern}${TAIL}`, 'iu'));
const ASKED_LIST =
  /\b(?:block|bann?|barr?|allow|whitelist|blacklist)(?:s|ed|ing|list)?\b|\b(?:can|may)\s+(?:call|text|reach|ring)\b/iu;

/** "Who is blocked on 0101", and then "remove it": a number on the list, and never the whole filter. */
export function ofRemovedEntry(text: string, { line, person, caller, message = '' }: Topic): Meant | undefined {
  const whom = line ?? person;
  const said = UNLISTS.map((pattern) => pattern.exec(text)?.groups?.said).find(Boolean);
  if (whom === undefined || said === undefined || !ASKED_LIST.test(message) || /\bfilters?\b/iu.test(message))
    return undefined;
  const isAllowed = /\b(?:allow|whitelist)/iu.test(message);
  const unlisted = (number: string) =>
    isAllowed ? `take ${number} off the allow list of ${whom}` : `unblock ${number} for ${whom}`;
  if (/\d{4}/.test(said)) return said === line ? undefined : { text: unlisted(said), kind: 'read' };
  if (caller !== undefined) return { text: unlisted(caller), kind: 'refers', word: { said, means: caller } };
  const note = `Which number on the list “${said}” is was not said. Write “${unlisted('NUMBER')}”, or “delete the call filter of ${whom}” for the whole filter`;
  return { text, kind: 'unclear', note };
}

const SHORT_QUESTION =
  /^\W*(?:and|what\s+about|how\s+about)\s+(?:(?:for|on|with|of|about)\s+)?(?:[#…*]*\+?\d[\d\s()-]*|\p{Lu}[\p{L}'’]+)\s*\?+\s*$/iu;

/** The question that a short one such as "and on 0103?" repeats where an order stands between. */
export function askedBefore(
  text: string,
  last: string | undefined,
  question: string | undefined,
  reading: Reading,
): string | undefined {
  const isAfterOrder = last !== undefined && isOffer(reading.of(last), reading);
  return isAfterOrder && SHORT_QUESTION.test(text) ? question : undefined;
}
