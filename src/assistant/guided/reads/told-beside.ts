import { wordsOf } from '../../../language/sentence.ts';
import type { GuidedAnswer } from '../answers/answer.ts';
import { notOnRecord } from './not-on-record.ts';

/*
 * The answer names the parts of a message that a look-up or an order leaves open: what a record should be, an account number
 * beside a port-out PIN, and whether a customer without a line exists.
 */

const EXPECTED =
  /(?:[,;.–—-]\s*|\s+(?:and|but)\s+|\s+)(?<part>(?:(?:it|that|this|he|she|they|which)\s+)?(?:should|must|ought\s+to|(?:is|was)\s+supposed\s+to)\s+(?:really\s+|actually\s+)?be\s+(?:(?:on|under|with|in|at|the|an?)\s+)*(?<what>[^,.;!?]{2,40}?))\s*[.!?]*$/iu;
const OF_ACCOUNT = /\baccounts?\b/iu;
const LOOKS =
  /^\W*(?:(?:hi|hey|so|and|ok|please|pls)[\s,]+)*(?:(?:can|could|would)\s+(?:you|u|we|i)\s+)?(?:confirm|check|verify|see|look|make\s+sure|double[\s-]?check|is|are|does|tell)\b/iu;

/** "Can you confirm 0101 is on the right account, should be globex" */
function expectedIn(guided: GuidedAnswer, said: string): string {
  const { part = '', what = '' } = (LOOKS.test(said) ? EXPECTED.exec(said) : null)?.groups ?? {};
  const carried = `${JSON.stringify(guided.input)} ${guided.understood}`.toLowerCase();
  if (guided.kind !== 'lookup' || what === '' || carried.includes(what.toLowerCase())) return '';
  const moved = OF_ACCOUNT.test(said) ? '. A number stays in its account' : '';
  return `. “${part.trim()}” changes nothing: the record says what it is${moved}`;
}

const OWN_ACCOUNT =
  /\b(?<what>(?:(?:the|her|his|their|our|an?)\s+)?(?:account|acct)\s*(?:number|no|nr|#|id)\b)(?!\s*(?:is|:|=|#)?\s*\d)/iu;

/** "She needs the transfer PIN and her account number" */
function accountIn({ operation }: GuidedAnswer, said: string): string {
  const what = operation === 'numbers_portout' ? OWN_ACCOUNT.exec(said)?.groups?.what : undefined;
  return what === undefined ? '' : `. Not taken: “${what}”: the account of the line is on its card, “show NUMBER”`;
}

const EXISTS =
  /\b(?:exists?|(?:already|still)\s+(?:here|with\s+us|in\s+(?:the\s+)?system|a\s+customer|known|registered|set\s+up)|do\s+we\s+(?:already\s+)?have|(?:ha(?:s|ve)\s+an?|with\s+an?)\s+account|is\s+[^.;!?]{2,40}\s+an?\s+(?:customer|subscriber|client|user)|is\s+there\s+(?:already\s+)?an?|have\s+we\s+got|in\s+(?:our|the)\s+(?:system|database))\b/iu;

/** "Does Rita Alvarez already exist with us": a customer without a line is not found. */
function existingIn({ operation, kind, input }: GuidedAnswer, said: string): string {
  const name = operation === 'numbers_find' && kind === 'lookup' ? input.Query : undefined;
  if (typeof name !== 'string' || /\d|@/u.test(name) || !EXISTS.test(said)) return '';
  const isName = wordsOf(name).every(({ isUnknown }) => isUnknown);
  return isName ? '. Only customers with a line here are searched: one without a line is in “show subscribers”' : '';
}

/** The answer with what it does not carry of the message. */
export function withToldBeside(guided: GuidedAnswer, said: string): GuidedAnswer {
  if (guided.kind === 'help' || guided.isRefused) return guided;
  const told = `${expectedIn(guided, said)}${accountIn(guided, said)}${existingIn(guided, said)}${notOnRecord(guided, said)}`;
  if (told === '') return guided;
  return {
    ...guided,
    understood: `${guided.understood.replace(/\.$/, '')}${told}.`,
    remarks: `${guided.remarks ?? ''}${told}`,
  };
}
