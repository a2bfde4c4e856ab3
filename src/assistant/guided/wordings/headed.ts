import { wordsOf } from '../../../language/sentence.ts';

/* In "Ava: which package is she on", the name before the colon is the customer that the pronoun means. */

const HEAD = /^\W*(?<name>\p{L}[\p{L}\p{M}'’-]+(?:\s+\p{L}[\p{L}\p{M}'’-]+)?)\s*:\s+(?<rest>\S.*)$/su;
const SUBJECT = /\b(?:she|he)\b/i;
const OWNER = /\b(?:her|his)\b(?=\s+\p{L})/iu;

/** The sentence with the name in place of the first pronoun. A sentence without one is as it was. */
export function withHead(said: string): string {
  const { name, rest } = HEAD.exec(said)?.groups ?? {};
  if (name === undefined || rest === undefined || !wordsOf(name).every(({ isUnknown }) => isUnknown)) return said;
  if (SUBJECT.test(rest)) return rest.replace(SUBJECT, name);
  return OWNER.test(rest) ? rest.replace(OWNER, `${name}'s`) : said;
}
