import { COMPANY_WORD, isFreeName } from '../answers/left-parts.ts';
import { newCustomerIn } from '../facts/new-customer.ts';

/*
 * A new customer in any words: a verb of adding, a name and an address of e-mail. The message is put into the words in
 * which new customers are read, so that no part of it is read as something else.
 */

const MAIL = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/gu;
const MAKES =
  /\b(?:add|create|open|make|register|onboard(?:ing)?|enroll(?:ing)?|set\s*up|setup|sign(?:ed|ing)?(?:\s+up)?|invite|put\s+in|enter)\b/iu;
/** About customers who are here, other records, or a question. */
const OTHER =
  /\?\s*$|["“„]|https?:|\bJNUOID-|\b(?:change|update|correct|rename|fix|find|look|search|send|text|tell|show|webhook|filter|block|admin\s+(?:is|of)|account\s+for|(?:an?|another|new|create|open|make|register|add|set\s*up)\s+account|company|port\s+in|not|never)\b|n['’]t\b|(?<![\d-])\d{4}(?![\d-])/iu;
const WORD = String.raw`\p{Lu}[\p{L}\p{M}'’-]+`;
const NAMES = new RegExp(String.raw`(?<![@.\w])${WORD}(?:\s+${WORD}){1,2}(?!\w|@)`, 'gu');
const BESIDE = new RegExp(String.raw`(?<![@.\w])(?<name>${WORD}(?:\s+${WORD}){1,2})[\s,(<:–-]*$`, 'u');
const LEAD = new RegExp(
  String.raw`^\W*(?:(?:hi|hey|please|pls|plz|can|could|would|you|u|we|i|someone|somebody|need|want|to|have|just|today|ok|new)[\s,:]+)*${MAKES.source}(?:[\s:,]+(?:an?|the|new|customer|subscriber|client|user|record|profile|entry|for|as|name|called)\b)*[\s:,]*`,
  'iu',
);
const NOISE = /\b(?:today|yesterday|just\s+now|name)\b/giu;

const COLON = /^(?<head>[^:]*@[^:]*):\s+(?=\p{L})/u;

/** The message with its new customer in plain words. Any other message as it is. */
export function asNewPerson(typed: string): string {
  const head = COLON.exec(typed)?.groups?.head;
  // "Onboard Ava Reed (ava@…) to Acme: a new number" asks for two things.
  const text = head !== undefined && MAKES.test(head) ? typed.replace(COLON, '$<head>, ') : typed;
  const mails = text.match(MAIL) ?? [];
  const [mail] = mails;
  if (mail === undefined || mails.length > 1 || !MAKES.test(text) || OTHER.test(text.replace(mail, ' '))) return text;
  if (newCustomerIn(text) !== undefined) return text;
  const names = text.replace(LEAD, '').match(NAMES) ?? [];
  // The name beside the address may be made of words that ask for something else: "Mia Park".
  const beside = BESIDE.exec(text.slice(0, text.indexOf(mail)).replace(LEAD, ''))?.groups?.name;
  const free = names.find((one) => isFreeName(one) && !one.split(/\s+/).some((word) => COMPANY_WORD.test(word)));
  const name = beside ?? free;
  if (name === undefined) return text;
  const rest = text
    .replace(LEAD, '')
    .replace(name, ' ')
    .replace(mail, ' ')
    .replace(NOISE, ' ')
    .replace(/\b(?:her|his|their|the)?\s*\b(?:e-?mail|mail)\b\s*(?:is\b|:)?/giu, ' ')
    .replace(/\(\s*\)/gu, ' ')
    .replace(/^\W*as\s+(?:an?\s+|the\s+)?/iu, '')
    .replace(/(?:\s*[,;]\s*){2,}/gu, ', ')
    .replace(/^[\s,;:]+/u, '')
    .trim();
  return `new subscriber ${name}, ${mail}, ${rest}`;
}
