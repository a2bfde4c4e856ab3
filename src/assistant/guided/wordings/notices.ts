import { withShares, withSlowing } from '../facts/shares.ts';

/*
 * A wish to hear of an amount of data: "0103 wants a heads up at 15 mb", "let ben know at 18". The platform
 * notifies a line at an amount, so the wish is read as that value of its limits, and never as the limit itself.
 */

const WHO = String.raw`(?<who>(?!(?:me|us|i|we|you|u)\b)(?:(?:\p{L}+['’]?s\s+)?[#…*]*\d{4}|\+?1?[\s.-]?\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4}|\p{L}[\p{L}'’-]*(?:\s+(?!(?:wants?|needs?|should|would|must|has|asks?|likes?|a|an|some|know|gets?|to)\b)\p{L}[\p{L}'’-]*)?))`;
const WISHES = String.raw`(?:wants?|needs?|should|must|has\s+to|would\s+like|asks?\s+(?:for|to)|asked\s+(?:for|to))`;
const NOUN = String.raw`(?:(?:an?|some|the)\s+)?(?:heads[\s-]?up|ping|notice|notification|warning|alert)`;
const TOLD = String.raw`(?:(?:be|get)\s+(?:told|notified|warned|alerted|pinged|informed|reminded|given\s+${NOUN}|sent\s+${NOUN})|know|hear(?:\s+(?:about\s+it|from\s+us))?|(?:get|have|receive|see)\s+${NOUN})`;
const WISH = String.raw`${WHO}\s+${WISHES}\s+(?:to\s+)?(?:${NOUN}|${TOLD})`;
const ORDER = String.raw`(?:(?:give|send|drop|shoot)\s+${WHO.replace('<who>', '<given>')}\s+${NOUN}|let\s+${WHO.replace('<who>', '<let>')}\s+know|(?:tell|warn|notify|alert|ping|inform)\s+${WHO.replace('<who>', '<told>')})`;
const REACHES = String.raw`(?:at|after|(?:when|once|as\s+soon\s+as|if)\s+(?:(?:she|he|it|they)(?:['’]?s|\s+(?:is|are|has|have))?\s+)?(?:gets?|hits?|reach(?:es|ed)?|uses?|used(?:\s+up)?|at|passes|past|over|cross(?:es)?)(?:\s+(?:to|at|past|over|up\s+to))?)`;
const UNIT = String.raw`\s*(?:gb|mb|gigs?|megs?|gigabytes?|megabytes?)\b`;
/** A share of what a line may use. */
const SHARE = String.raw`\d{1,3}(?:\.\d+)?\s*(?:%|per\s?cent\b|pct\b)(?:\s+(?:of|from)\s+(?:(?:the|her|his|their|its|that)\s+)?(?:(?:data|monthly|plan)\s+)?(?:data|limit|cap|allowance|plan|usage|quota|bundle|volume)\b)?`;
/** "Once 80% of her data is gone" */
const SHARE_GONE = String.raw`(?:when|once|as\s+soon\s+as|if|after)\s+(?<gone>${SHARE})\s+(?:(?:is|are|was|were|has|have|been)\s+)*(?:gone|used(?:\s+up)?|reached|hit|eaten|spent|consumed|through|over|up)`;
const ON_LINE = String.raw`(?:\s+(?:on|for|of)\s+(?:(?:line|number)\s+)?(?<on>[#…*]*\d{4}(?!\d)))?`;
const LEAD = String.raw`(?<=^\W*(?:(?:please|pls|plz|so|ok|okay|and|hey|hi|can|could|you|u|the|customer|line|number|on)[\s,]+)*)`;
const ENDS = String.raw`(?=\s*(?:$|[,;!?]|\.(?:\s|$)|\band\b|\bthen\b|\bplease\b|\bpls\b))`;
const NOTICE = new RegExp(
  String.raw`${LEAD}(?:${WISH}\s+${REACHES}\s+(?<amount>${SHARE}|\d{1,6}(?:\.\d+)?(?:${UNIT})?)|${ORDER}\s+(?:${SHARE_GONE}|${REACHES}\s+(?<whole>${SHARE}|\d{1,6}(?:\.\d+)?${UNIT})))${ON_LINE}${ENDS}`,
  'iu',
);
/** "Text ava's 0101 when she's at 80 percent of her data" has no text but the notice. */
const BY_TEXT = new RegExp(
  String.raw`${LEAD}(?:text|sms|message|msg|send\s+(?:an?\s+)?(?:text|sms|message|msg)\s+to)\s+${WHO}\s+${REACHES}\s+(?<amount>${SHARE}|\d{1,6}(?:\.\d+)?${UNIT})${ON_LINE}\s*(?:please|pls|plz)?[\s.!]*$`,
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
  const sent = BY_TEXT.exec(typed)?.groups;
  if (sent) return noticeOf(sent.on ?? sent.who, sent.amount);
  const said = HAS_TEXT.test(typed) ? typed : withShares(withSlowing(typed)).replace(BESIDE_LIMIT, 'notify at ');
  const found = NOTICE.exec(said);
  if (!found?.groups) return said;
  const { who, given, let: known, told, on, gone, amount = gone, whole } = found.groups;
  const whom = on ?? who ?? given ?? known ?? told;
  return said.replace(found[0], () => noticeOf(whom, amount ?? whole));
}

function noticeOf(whom = '', amount = ''): string {
  const line = whom.replace(/^\p{L}+['’]?s\s+(?=\d)/u, '');
  const share = /^[\d.]+\s*(?=%|per\s?cent|pct)/iu.exec(amount)?.[0];
  return share === undefined
    ? `set the data limit of ${line}, notify at ${amount}`
    : `set the data limit of ${line} to notify at ${share.trim()}%`;
}
