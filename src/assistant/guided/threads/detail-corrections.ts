import { fieldsOf } from '../../../catalogue/fields.ts';
import { kindOf } from '../../../language/typed-values.ts';
import type { Fields } from '../../../lib/json.ts';
import { editDistance } from '../../../lib/nearest.ts';
import { phonesIn } from '../../../platform/dialect/phone.ts';
import { isCarrier, isFreeName } from '../answers/left-parts.ts';
import { isOffer, type Meant, type Reading } from '../answers/topics.ts';

/*
 * Another value for an open offer that is written as a list of values: "my bad, zip 02138", "sorry, t-mobile", "wait no,
 * thats acme". The kind of the value says which one it replaces, with or without the word that names it.
 */

const LISTED: ReadonlySet<string> = new Set(['numbers_portin', 'numbers_portin_update', 'subscribers_create']);
const MAX_LENGTH = 80;
const CUE =
  /\b(?:no|nope|nah|sorry|oops|whoops|ups|wait|wrong|typo|bad|mistake|mean|meant|actually|correction|should|must|not|instead|rather|its|thats|fix|change)\b|['’]s\b/iu;
/** Words beside the value. */
const BESIDE =
  /^(?:(?:ah|oh|uh|um|hm+|no|nope|nah|ok|okay|wait|sorry|oops|whoops|ups|wrong|one|typo|my|bad|mistake|i|we|mean|meant|said|actually|correction|the|her|his|their|it|its|it['’]s|that|that['’]s|thats|is|was|should|must|be|to|make|use|put|change|fix|for|at|on|with|of|a|an|under|please|pls|instead|rather|new|right|correct|now)(?:[\s,.:;!–—-]+|$))+/iu;
const AFTER = /(?:[\s,.!]+(?:please|pls|instead|sorry|thanks|thx|then|actually|i\s+meant?|now|typo))*[\s.!]*$/iu;
const REFUSED =
  /[\s,]*\b(?:and\s+)?not\s+(?:with\s+|at\s+|for\s+)?(?<refused>[\p{L}\d&'’-]+(?:\s+\p{Lu}[\p{L}'’-]+)?)[\s.!]*$/iu;
const LABELS: readonly (readonly [field: string, label: RegExp])[] = [
  ['CurrentBillingAddress', /^(?:zip|postal)(?:\s*code)?\b(?:['’]?s)?/iu],
  ['CurrentAccountNumber', /^(?:ac+oun?t|acct|acc)\b\.?(?:\s*(?:number|no|nr|num|#)\b\.?)?(?:['’]?s)?/iu],
  ['CurrentCarrierName', /^(?:(?:losing|old|current)\s+)?(?:carrier|provider|operator)(?:['’]?s)?\b/iu],
];
const ACCOUNT = /^(?=[A-Z-]*\d)[A-Z\d-]{3,20}$/iu;
const ZIP = /^\d{5}$/u;

/** The open offer with another value. Undefined for other messages. */
export function ofOtherDetail(said: string, open: string, reading: Reading): Meant | undefined {
  const offer = reading.of(open);
  const tool = reading.toolOf(offer.operation ?? '');
  if (!tool || !LISTED.has(tool.id) || !isOffer(offer, reading)) return undefined;
  if (said.length > MAX_LENGTH || /["“„?@]/u.test(said) || phonesIn(said).length > 0 || !CUE.test(said))
    return undefined;
  const refused = REFUSED.exec(said)?.groups?.refused;
  const plain = said.replace(REFUSED, '').replace(AFTER, '').replace(BESIDE, '');
  const [label, pattern] = LABELS.find(([, one]) => one.test(plain)) ?? [];
  const value = (pattern ? plain.replace(pattern, '') : plain)
    .replace(/^[\s:=]+/u, '')
    .replace(BESIDE, '')
    .trim();
  if (value === '') return undefined;
  const field = fieldFor(value, offer.input, { label, refused });
  const known = field === undefined ? undefined : fieldsOf(tool).find(({ name }) => name === field);
  if (field === undefined || !known) return undefined;
  const isSet = offer.input[field] !== undefined || label !== undefined || kindOf(known)?.noun === 'account';
  if (!isSet) return undefined;
  const fragment = `, ${said.trim()}`;
  const input = { [field]: field === 'CurrentBillingAddress' ? { ...zipOf(offer.input), Zip: value } : value };
  reading.join(fragment, { operation: tool.id, input, left: [] });
  return { text: `${open.replace(/[\s.!]+$/, '')}${fragment}`, kind: 'corrects', before: open };
}

function zipOf(input: Fields): Fields {
  const address = input.CurrentBillingAddress;
  return typeof address === 'object' && address !== null ? { ...address } : {};
}

/** The field whose value is of this kind. */
function fieldFor(
  value: string,
  input: Fields,
  { label, refused }: { label: string | undefined; refused: string | undefined },
): string | undefined {
  const old = { zip: zipOf(input).Zip, account: input.CurrentAccountNumber };
  if (label === 'CurrentBillingAddress') return ZIP.test(value) ? label : undefined;
  if (label === 'CurrentAccountNumber' && ACCOUNT.test(value)) return label;
  if (label === 'CurrentCarrierName') return value.split(/\s+/).length < 4 && !/\d/u.test(value) ? label : undefined;
  if (label === undefined && ACCOUNT.test(value)) {
    const isZip = ZIP.test(value) && old.zip !== undefined;
    if (isZip && old.account === undefined) return 'CurrentBillingAddress';
    if (old.account === undefined) return undefined;
    return isZip && far(value, old.zip) < far(value, old.account) ? 'CurrentBillingAddress' : 'CurrentAccountNumber';
  }
  if (isCarrier(value)) return input.CurrentCarrierName === undefined ? undefined : 'CurrentCarrierName';
  return ofAccount(value, input, refused) ? 'AccountId' : undefined;
}

function far(one: string, two: unknown): number {
  return editDistance(one, String(two), MAX_LENGTH);
}

/** True for a name of an account rather than of the person whom the order is about. */
function ofAccount(value: string, input: Fields, refused: string | undefined): boolean {
  const account = input.AccountId;
  if (!isFreeName(value) || /\s\p{Lu}/u.test(value) || input.Name === undefined) return false;
  if (refused !== undefined)
    return typeof account === 'string' && account.toLowerCase().startsWith(refused.toLowerCase());
  return !String(input.Name)
    .split(/\s+/)
    .some((part) => far(part.toLowerCase(), value.toLowerCase()) < 3);
}
