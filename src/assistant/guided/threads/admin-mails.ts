import type { Meant, Reading } from '../answers/topics.ts';

/*
 * "Make it finance@globex.example" after a question about the admin or the e-mail of an account: the address of the account,
 * which no operation changes, and no new customer.
 */

const ABOUT = /\b(?:admin\w*|contact|e-?mail)\b/iu;
const MAKES_IT =
  /^\W*(?:(?:ok|okay|so|and|then|please|pls|can|could|you|u|we|now)[\s,]+)*(?:make|change|set|switch|update|put|correct)\s+(?:it|that|this|him|her|them|the\s+(?:admin|contact|e-?mail))\b[^.;!?]{0,20}?\s(?<mail>[\w.+-]+@[\w.-]+\w)(?:\s+(?:please|pls|instead|now))*[\s.!]*$/iu;

/** The order for the address. Undefined for other messages. */
export function ofAdminMail(text: string, last: string, reading: Reading): Meant | undefined {
  const mail = MAKES_IT.exec(text)?.groups?.mail;
  const { kind } = reading.of(last);
  if (mail === undefined || kind !== 'lookup' || !ABOUT.test(last)) return undefined;
  return { text: `change the account admin e-mail to ${mail}`, kind: 'read' };
}
