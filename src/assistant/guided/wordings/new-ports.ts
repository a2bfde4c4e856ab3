/*
 * A port-in for a customer who is named before the number: "new port-in for ben reed: 646 555 0188 from
 * T-Mobile acct 5551234". The number is that of the order, and what follows are its values, which correct no other order.
 */

const POLITE = String.raw`(?:(?:hi|hey|please|pls|plz|ok|so|and|also|can|could|you|u|i|we|have|got|there\s+is|there['’]s|need|want|to|do)\b[\s,]*)*`;
const WHOLE = String.raw`\+?1?[\s.-]?\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4}(?!\d)`;
const FOR = new RegExp(
  String.raw`^(?<lead>\W*${POLITE}(?<starts>(?:start|begin|open|create|submit|place|initiate|request|enter|file|book|set\s*up)\s+)?(?:an?\s+|the\s+)?(?<new>(?:new|another|fresh|second|further|next|one\s+more)\s+)?)port(?:ing|[\s-]?in)?(?:\s+(?:request|order))?\s+for\s+(?<who>\p{L}[\p{L}'’&-]*(?:\s+\p{L}[\p{L}'’&-]*){0,3}?)\s*(?<mark>[:,–-])?\s*(?:(?:the\s+)?number\s+)?(?<number>${WHOLE})`,
  'iu',
);
const MAX_LENGTH = 500;
/** Says that a value takes the place of another one. */
const CORRECTS =
  /\b(?:should|must|wrong|incorrect|not|instead|changed?|correct\w*|fix\w*|reject\w*|update\w*|actually)\b|\?|n['’]t\b/iu;

/** The order with its number before its person. Any other sentence as it is. */
export function withPortForFirst(text: string): string {
  const {
    starts,
    new: isNew,
    who = '',
    mark,
    number = '',
  } = (text.length > MAX_LENGTH ? null : FOR.exec(text))?.groups ?? {};
  const isOrder = starts !== undefined || isNew !== undefined || (mark === ':' && !CORRECTS.test(text));
  if (number === '' || !isOrder || /\b(?:the|a|her|his|number|line)$/iu.test(who)) return text;
  return text.replace(FOR, `port in ${number.trim()} for ${who}`);
}
