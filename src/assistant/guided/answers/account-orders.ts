import { takePostal } from '../facts/postal.ts';
import { scopesIn } from './account-scope.ts';

/*
 * A new address of an account (“Acme moved, new billing address …”) is an order to change it. Orders that nothing here
 * carries out for accounts get a sentence.
 */

/** Begins a question, or an order that names its verb. */
const ASKS_OR_ORDERS =
  /\?\s*$|^\W*(?:what|whats|which|who|where|when|why|how|is|are|does|do|did|has|have|can|could|show|see|change|update|set|correct|fix|create|add|new|make|open|register|port|transfer)\b|\b(?:not|never|if|port\w*|order)\b|n['’]t\b/iu;
const KIND = /\b(?<kind>billing|mailing)\s+add?ress(?:es)?\b/iu;
const BOTH = /\bbilling\s+(?:and|&)\s+mailing\b|\bmailing\s+(?:and|&)\s+billing\b/iu;
/** "Acme's billing address", "Acme moved, …" */
const OWNERS: readonly RegExp[] = [
  /(?<name>\p{L}[\p{L}&-]+(?:\s+\p{L}[\p{L}&-]+)?)(?:['’]s|s)\s+(?:new\s+)?(?:billing|mailing)\s+add?ress/iu,
  /^\W*(?:(?:hi|hey|so|fyi|ok)[\s,]+)*(?<name>\p{L}[\p{L}&'’-]+(?:\s+\p{L}[\p{L}&'’-]+){0,2}?)\s+(?:has\s+|have\s+|just\s+)*(?:moved|relocated|changed|has|have|got)\b/iu,
];

/** "Globex moved, new billing address 77 Elm Ave, Newark NJ 07102" as an order. Any other sentence as it is. */
export function withMovedAccount(text: string): string {
  const { kind = '' } = KIND.exec(text)?.groups ?? {};
  if (kind === '' || ASKS_OR_ORDERS.test(text)) return text;
  const { postal } = takePostal(text);
  if (postal?.parts.Street1 === undefined) return text;
  const [first = ''] = postal.texts;
  const last = postal.texts.reduce((end, part) => Math.max(end, text.lastIndexOf(part) + part.length), 0);
  const start = text.indexOf(first);
  const address = text.slice(start, last);
  const said = `${text.slice(0, start)} , ${text.slice(last)}`;
  const owner = OWNERS.map((pattern) => pattern.exec(said)?.groups?.name).find((name) => name !== undefined);
  const name = owner ?? scopesIn(said)[0]?.name;
  if (name === undefined) return text;
  const what = BOTH.test(text) ? 'billing and mailing' : kind.toLowerCase();
  return `change the ${what} address of ${name} to ${address}`;
}

const NOW = String.raw`(?:\s+(?:from\s+(?:now|today|here)(?:\s+on)?|from\s+this\s+day\s+on|now|instead|please|pls|going\s+forward|in\s+future))*\s*[.!]*$`;
const OLD = String.raw`(?:the\s+|our\s+)?(?:(?<old>(?!the\b|our\b|an?\b|this\b|that\b)\p{L}[\p{L}\d&'’ -]{0,40}?)\s+account|account\s+(?<after>\p{L}[\p{L}\d&'’-]*))`;
const NEW = String.raw`["“]?(?<name>\p{Lu}[\p{L}\d&'’. -]{0,60}?)["”]?`;
const NAMED: readonly RegExp[] = [
  // "Call the Globex account Globex Home from now on"
  new RegExp(
    String.raw`^\W*(?:(?:please|pls|we|you|can|could|should|must|let['’]?s)[\s,]+)*(?:[Cc]all|[Nn]ame|[Rr]etitle|[Rr]elabel)\s+${OLD}\s+(?:as\s+)?${NEW}${NOW}`,
    'u',
  ),
  // "The Globex account should be called Globex Home"
  new RegExp(
    String.raw`^\W*(?:[Tt]he\s+|[Oo]ur\s+)?${OLD}\s+(?:(?:is|should|shall|must|has|to|will|be|now)\s+)+(?:called|named|known\s+as)\s+${NEW}${NOW}`,
    'u',
  ),
  // "Acme mobile renamed to Acme Wireless, can u update"
  new RegExp(
    String.raw`^\W*(?:[Tt]he\s+|[Oo]ur\s+)?(?<old>(?!the\b|our\b|an?\b|this\b|that\b|it\b)\p{L}[\p{L}\d&'’-]*(?:\s+\p{L}[\p{L}\d&'’-]*){0,2}?)(?:\s+account)?\s+(?:(?:has|have|had|was|were|is|are|been|just|now|got|being)\s+)*(?:renamed|rebranded|changed\s+(?:its|their|the)\s+name)\s+(?:(?:itself|themselves)\s+)?(?:to|as|into)\s+${NEW}(?:[\s,.;–-]+(?:(?:can|could|would|will|please|pls|plz|you|u|we|need\s+to|so|then|and)\s+)*(?:update|change|fix|adjust|correct|rename|do)(?:\s+(?:it|that|this|our\s+records?|the\s+(?:account|name|record)|here|please|pls))*)?${NOW}`,
    'u',
  ),
];

/** Another name of an account, in words that name it, as an order to rename it. Any other sentence as it is. */
export function withRenamedAccount(text: string): string {
  for (const pattern of NAMED) {
    const { old, after, name } = pattern.exec(text)?.groups ?? {};
    const account = (old ?? after)?.replace(/['’]s$/u, '');
    if (account !== undefined && name !== undefined) return `rename the account ${account} to ${name}`;
  }
  return text;
}

/** Orders for accounts that have no operation, each with the nearest way. */
export const NOT_OF_ACCOUNTS: readonly (readonly [pattern: RegExp, instead: string])[] = [
  // "Invoices for Acme should go to billing@acme.com"
  [
    /^(?!.*["“„?])(?!.*\be-?mail\s+(?:address\s+)?(?:of|for|is|to|on)\b)(?:.*\b(?:invoices?|bills?|billing\s+notices?)\b(?!\s+e-?mail)[^;!?]*\S@\S|.*\b(?:send|deliver|forward)\b[^;!?]*\S@\S+[^;!?]*\b(?:invoices?|bills?)\b)/isu,
    'The platform has no invoices to send, and the e-mail address of an account stays as it was created: its admin gets the notices about billing. The billing address can be changed: “change the billing address of ACCOUNT to …”',
  ],
  [
    /^(?!.*["“„])\W*(?:(?:please|pls|plz|ok|so|can|could|you|u|we|i|need|want|to|just)[\s,]+)*(?:close|delete|remove|erase|drop|terminate|shut|cancel|deactivate|end|kill)\s+(?:down\s+|off\s+)?(?:the\s+|our\s+)?(?:(?:\p{L}[\p{L}&'’-]*\s+){1,3}?account\b(?!\s+(?:of|number|admin))|account\s+(?:of\s+)?\p{L}+)[^,;]*$/isu,
    'The platform has no way to close or delete an account. Its lines can be cancelled, each by its number: “lines of ACCOUNT” lists them, “cancel NUMBER” ends one',
  ],
  [
    /\b(?:change|update|set|replace|correct|switch|fix)\b[^.;!?]*\b(?:billing|admin|administrator|invoice|contact|account)(?:['’]?s)?\s+e-?mail\b|\b(?:change|update|set|replace|correct|switch|make)\s+(?:the\s+|our\s+)?(?:(?:account\s+)?admin\w*(?:\s+contact)?|contact)\s+(?:of|for|on|at|to)\s[^;!?]*\S@\S|^(?!.*\brole\b)\W*(?:(?:please|pls|ok|so|can|could|you|u|we|i|need|want|to)[\s,]+)*(?:change|update|set|replace|switch|swap)\s+(?:the\s+|our\s+|\p{L}+['’]s\s+)?(?:account|acct|acc|billing)\s+(?:admin\w*|contact|owner)\b(?!\s+(?:role|password))/isu,
    'The e-mail address of an account cannot be changed here: it stays as it was created. The account’s name and its billing and mailing address can: “change the billing address of ACCOUNT to …”',
  ],
  [
    /^(?!.*["“„])(?!.*\d{4})\W*(?:(?:please|pls|plz|ok|so|can|could|you|u|we|need|to|just)[\s,]+)*(?:remove|take|kick|throw|delete|drop)\s+(?!the\b|an?\b|all\b|every\w*|it\b|that\b|this\b)(?:\p{L}[\p{L}'’-]*\s+){1,2}?(?:out\s+of|off|from)\s+(?:the\s+)?(?:account\s+\p{L}+|\p{L}[\p{L}&'’-]*\s+account|(?!the\b|our\b|plan\b|hold\b)\p{L}[\p{L}&'’-]*)[\s.!]*$/isu,
    'A person cannot be removed from an account, and no subscriber can be deleted. Their lines are given to another one (“give NUMBER to NAME”) or cancelled (“cancel NUMBER”)',
  ],
];
