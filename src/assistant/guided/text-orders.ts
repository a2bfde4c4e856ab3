/*
 * Orders to send a text in other words than "text NUMBER from NUMBER …": "send from 0101 to 2125551234 hi there",
 * "send 0101 to 2125551234 "hi there"". They are put into those words, and the text itself stays as it is.
 */

const POLITE = String.raw`(?:\W*\b(?:hi|hey|hello|please|pls|plz|can|could|would|you|u|kindly|just|also|and|then|ok|so)\b)*\W*`;
const WHOLE = String.raw`\+?1?[\s.-]?\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4}(?!\d)`;
const NUMBER = String.raw`(?:(?:number|line)\s+)?(?:${WHOLE}|[#…*]*\d{4}(?![\w-]))`;
/** "From our number 0103" */
const OWN = String.raw`(?:(?:our|my|the|main|office|shop)\s+)*`;
const SEND = String.raw`(?:send|reply|text|sms|message|msg|write)(?:\s+(?:an?|the|this|my|our|it|that))?(?:\s+(?:text|sms|message|msg)(?:\s+message)?)?`;
const MARK = String.raw`\s*[:,–—-]?\s+`;
const QUOTED = '(?=["“„])';

/** Each with its `to`, its `from` and its `text`. */
const ORDERS: readonly RegExp[] = [
  String.raw`${SEND}\s+from\s+${OWN}(?<from>${NUMBER})\s+to\s+(?<to>${NUMBER})${MARK}(?<text>\S[\s\S]*)`,
  String.raw`from\s+(?<from>${NUMBER})\s+to\s+(?<to>${WHOLE})${MARK}(?<text>\S[\s\S]*)`,
  String.raw`${SEND}\s+(?:to\s+)?(?<to>${NUMBER})\s+(?:from|via|using)\s+${OWN}(?<from>${NUMBER})${MARK}(?<text>\S[\s\S]*)`,
  String.raw`${SEND}\s+to\s+(?<to>${NUMBER})${MARK}(?<text>\S[\s\S]*)`,
  String.raw`${SEND}\s+(?<from>${NUMBER})\s+to\s+(?<to>${WHOLE})${MARK}${QUOTED}(?<text>\S[\s\S]*)`,
  String.raw`(?:from\s+)?(?<from>${NUMBER})\s+(?:texts?|sends?|writes?|messages?)\s+(?<to>${WHOLE})${MARK}(?<text>\S[\s\S]*)`,
].map((order) => new RegExp(`^(?<head>${POLITE})${order}$`, 'iu'));

/** Matches what is no text after a receiver. */
const NO_TEXT =
  /^(?:and|or|to|for|about|of|at|on|if|when|once|please|pls|plz|back|again|now|today|tomorrow|later|was|is|were|did|does|failed|instead|too|with|by|in|until|via|using|from|only|never|that\s+(?:was|is))(?![\w'’-])/i;

/** "Don't text 0101 any more, send it to 0104: hi" */
const OTHER_RECEIVER = new RegExp(
  String.raw`^(?<left>\W*(?:(?:please|pls|no|wait|sorry|hey|hi|ok)[\s,]+)*(?:do\s*n['’]?o?t|do\s+not|never|stop)\s+(?:text(?:ing)?|messag(?:e|ing)|sms|send(?:ing)?(?:\s+(?:it|that|this|texts?|messages?))?(?:\s+to)?)\s+${NUMBER}(?:\s+(?:any\s?more|again|now|yet))*)\s*[,;.]+\s*(?:(?:but|please|pls|instead|rather|and)\s+)*(?=(?:${SEND})\s+(?:to\s+)?${NUMBER})`,
  'iu',
);

/** The sentence without a receiver that is not to get the text, and what it says about that one. */
export function withoutOtherReceiver(text: string): { text: string; leftOut: string[] } {
  const left = OTHER_RECEIVER.exec(text)?.groups?.left;
  return left === undefined
    ? { text, leftOut: [] }
    : { text: text.replace(OTHER_RECEIVER, ''), leftOut: [left.trim()] };
}

/** The sentence with such an order in plain words. Any other text is returned as it is. */
export function asTextOrder(text: string): string {
  for (const pattern of ORDERS) {
    const { head = '', to, from, text: body = '' } = pattern.exec(text)?.groups ?? {};
    if (to === undefined || NO_TEXT.test(body) || /\?\s*$/.test(body) || /^[\d+(#…]/.test(body)) continue;
    return `${head}text ${to}${from === undefined ? '' : ` from ${from}`} ${body}`;
  }
  return text;
}
