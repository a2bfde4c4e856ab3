import { withShares } from './shares.ts';

/*
 * A wish to hear of an amount of data: "0103 wants a heads up at 15 mb", "let ben know at 18". The platform
 * notifies a line at an amount, so the wish is read as that value of its limits, and never as the limit itself.
 */

const WHO = String.raw`(?<who>(?!(?:me|us|i|we|you|u)\b)(?:[#…*]*\d{4}|\+?1?[\s.-]?\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4}|\p{L}[\p{L}'’-]*(?:\s+(?!(?:wants?|needs?|should|would|must|has|asks?|likes?|a|an|some|know|gets?|to)\b)\p{L}[\p{L}'’-]*)?))`;
const WISHES = String.raw`(?:wants?|needs?|should|must|has\s+to|would\s+like|asks?\s+(?:for|to)|asked\s+(?:for|to))`;
const NOUN = String.raw`(?:(?:an?|some|the)\s+)?(?:heads[\s-]?up|ping|notice|notification|warning|alert)`;
const TOLD = String.raw`(?:(?:be|get)\s+(?:told|notified|warned|alerted|pinged|informed|reminded|given\s+${NOUN}|sent\s+${NOUN})|know|hear(?:\s+(?:about\s+it|from\s+us))?|(?:get|have|receive|see)\s+${NOUN})`;
const WISH = String.raw`${WHO}\s+${WISHES}\s+(?:to\s+)?(?:${NOUN}|${TOLD})`;
const ORDER = String.raw`(?:(?:give|send|drop|shoot)\s+${WHO.replace('<who>', '<given>')}\s+${NOUN}|let\s+${WHO.replace('<who>', '<let>')}\s+know|(?:tell|warn|notify|alert|ping|inform)\s+${WHO.replace('<who>', '<told>')})`;
const REACHES = String.raw`(?:at|after|(?:when|once|as\s+soon\s+as|if)\s+(?:(?:she|he|it|they)(?:['’]?s|\s+(?:is|are|has|have))?\s+)?(?:gets?|hits?|reach(?:es|ed)?|uses?|used|at|passes|past|over|cross(?:es)?)(?:\s+(?:to|at|past|over|up\s+to))?)`;
const UNIT = String.raw`\s*(?:gb|mb|gigs?|megs?|gigabytes?|megabytes?)\b`;
const LEAD = String.raw`(?<=^\W*(?:(?:please|pls|plz|so|ok|okay|and|hey|hi|can|could|you|u|the|customer|line|number|on)[\s,]+)*)`;
const ENDS = String.raw`(?=\s*(?:$|[,;!?]|\.(?:\s|$)|\band\b|\bthen\b|\bplease\b|\bpls\b))`;
const NOTICE = new RegExp(
  String.raw`${LEAD}(?:${WISH}\s+${REACHES}\s+(?<amount>\d{1,6}(?:\.\d+)?(?:${UNIT})?)|${ORDER}\s+${REACHES}\s+(?<whole>\d{1,6}(?:\.\d+)?${UNIT}))${ENDS}`,
  'iu',
);

const THEM = '(?:me|us|her|him|them|the\\s+(?:customer|subscriber|user|line))';
/** A notice beside the limit of the same order: "cap 0105 at 5 GB and let her know at 4". */
const BESIDE_LIMIT = new RegExp(
  String.raw`(?<=\d${UNIT}[\s,;]+(?:(?:and|then|also|plus)[\s,]+)*)(?:(?:give|send|drop|shoot)\s+${THEM}\s+${NOUN}|let\s+${THEM}\s+know|(?:tell|text|sms|message|warn|notify|alert|ping|inform|remind)\s+${THEM})\s+${REACHES}\s+(?=\d{1,6}(?:\.\d+)?(?:${UNIT})?${ENDS})`,
  'giu',
);
/** The text of a message stays as it is. */
const HAS_TEXT =
  /["“„]|^\W*(?:(?:please|pls|plz|hi|hey|ok|can|could|you|u|and|so)\W+)*(?:text|sms|message|msg|write|send)\b|\b(?:tell|let|notify|inform|warn|remind|alert)\b[^.;!?]*(?<!\bof\s)\b(?:that|saying)\s/iu;

/** The sentence with the notice of a line's data limit in place of the wish for it, and with its shares as amounts. */
export function withNotice(typed: string): string {
  const said = HAS_TEXT.test(typed) ? typed : withShares(typed).replace(BESIDE_LIMIT, 'notify at ');
  const found = NOTICE.exec(said);
  if (!found?.groups) return said;
  const { who, given, let: known, told, amount, whole } = found.groups;
  const whom = who ?? given ?? known ?? told ?? '';
  return said.replace(found[0], () => `set the data limit of ${whom}, notify at ${amount ?? whole}`);
}
