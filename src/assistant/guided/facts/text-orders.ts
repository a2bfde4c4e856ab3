import { wordsOf } from '../../../language/sentence.ts';

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

/** A receiver by name, where each of its words may be a name. */
const NAMED = String.raw`(?<who>(?!(?:me|us|him|her|them|it|the|an?|my|our|his|everyone|everybody|all|both)\b)\p{L}[\p{L}'’-]+(?:\s+(?!(?:on|at|from|via)\s+[#…*+]*\d|(?:by|via|per)\s+(?:text|sms|message)\b)\p{L}[\p{L}'’-]+)?)`;
const RECEIVER = `(?:(?<to>${NUMBER})|${NAMED})`;
/** "Ben on 0102": the line of the one who gets the text. */
const ON = String.raw`(?:\s+(?:on|at)\s+(?<on>${NUMBER}))?`;
const FROM = String.raw`(?:\s+(?:from|via|using)\s+${OWN}(?<from>${NUMBER}))?`;
const NOUN = String.raw`(?:text(?:\s+message)?|sms|message|msg|txt|note|heads[\s-]?up)(?:\s+(?:by|via|per)\s+(?:text|sms|message))?`;
const SAYING = String.raw`(?:\s*(?<mark>[,:;–—-])\s*|\s+)(?:(?:that|saying)\s+)?`;
/**
 * Orders whose text follows without a mark: "send 0102 a msg we fixed it", "text ben were looking into it". The words of a
 * name are told from the text by the vocabulary.
 */
const UNMARKED: readonly RegExp[] = [
  String.raw`(?:send|write|shoot|drop|fire|give|ping)\s+(?:to\s+)?${RECEIVER}\s+(?:an?|the|this|another)\s+(?:quick\s+|short\s+)?(?:${NOUN}|(?<=\bdrop\b.*)line)${FROM}${SAYING}(?<text>\S[\s\S]*)`,
  String.raw`(?:send|write|shoot|drop|fire|give)\s+(?:an?|the|this|another)\s+(?:quick\s+|short\s+)?${NOUN}\s+to\s+${RECEIVER}${FROM}${SAYING}(?<text>\S[\s\S]*)`,
  String.raw`(?:text|sms|message|msg|txt|tell|notify|inform|write(?:\s+to)?)\s+${NAMED}${ON}(?:\s+(?:by|via|per)\s+(?:text|sms|message))?${FROM}${SAYING}(?<text>\S+\s[\s\S]*)`,
  String.raw`(?:ping|dm)\s+${RECEIVER}${ON}${FROM}${SAYING}(?<text>\S+\s[\s\S]*)`,
  String.raw`(?:(?:send\s+)?(?:an?\s+)?(?:text|sms|message|msg|txt)\s+)?from\s+${OWN}(?<from>${NUMBER})\s+to\s+${NAMED}\s*(?<mark>:)\s*(?<text>\S[\s\S]*)`,
].map((order) => new RegExp(`^(?<head>${POLITE})${order}$`, 'iu'));
/** "Were looking into it" lacks its apostrophe, and "please restart your phone" asks the receiver. */
const BEGINS_TEXT =
  /^were\s+(?:\p{L}+ing|still|all|on|back|sorry|aware|not)\b|^(?:please|pls)\s+(?!(?:and|now|then|asap|today)\b)\p{L}+\s+\S/iu;

/** "Tell ben how much a SIM swap costs" does not say the text, and "&" goes on with the receivers. */
const NOT_SAID = /^(?:(?:how|what|why|where|who|whether)\b|&)/iu;

/** Matches what is no text after a receiver. */
const NO_TEXT =
  /^(?:and|or|to|for|about|of|at|on|if|when|once|please|pls|plz|back|again|now|today|tomorrow|later|was|is|were|did|does|failed|instead|too|with|by|in|until|via|using|from|only|never|that\s+(?:was|is))(?![\w'’-])/i;

/** First words of what follows a receiver and is no message: "text 0102 and 0103", "message 0102 back". */
export const NO_MESSAGE =
  /^(?:and|or|to|for|about|regarding|of|at|on|if|when|whenever|once|please|pls|plz|back|again|now|today|tonight|tomorrow|asap|later|soon|first|right\s+now|right\s+away|straight\s+away|history|logs?|status|is|are|was|isn'?t|not|does|doesn'?t|did|didn'?t|do|can'?t|cannot|won'?t|has|hasn'?t|had|filters?|routes?|routing|a|an|some|something|that|which|who|instead|too|also|but|with|by|in|under|until|via|using|from|his(?!\s+\S+(?:\s+\S+)?\s+(?:is|are|was|has|have|will|needs?|goes|moves?|moved|belongs|works?|stays|ends|gets?|got|came|comes|can|should|must)\b)|numbers?|lines?|texts?|sms|messages?|never|only|keeps?|stopped|stops|fails?|failed|works?|sent|received)(?![\w'’-])/i;
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
  return ofUnmarked(text) ?? ofNumbers(withPlainNoun(text));
}

const SENT_FROM = new RegExp(
  String.raw`(?:\s*[,;.–—-]\s*|\s+)(?:and\s+)?(?:(?:please|pls|plz)\s+)?(?:send|text|sms)\s+(?:it|that|this)\s+(?:from|via|using)\s+${OWN}(?<from>${NUMBER})(?:\s+(?:please|pls|plz))?[\s.!]*$`,
  'iu',
);

/** "Tell Ben his port is done, send it from 0104": the sender as "from 0104" behind the text. */
export function withSender(text: string): string {
  return text.replace(SENT_FROM, ', from $<from>');
}

/** "Welcome text to Ava: “…”" has the kind of the text before its noun, and no verb. */
const KIND_OF_TEXT =
  /^(?<head>\W*(?:(?:hi|hey|please|pls|and|ok)[\s,]+)*)(?:an?\s+|the\s+)?(?<kind>\p{L}[\p{L}-]*(?:\s+\p{L}[\p{L}-]*)?)\s+(?:text|sms|message|msg)\s+(?:to|for)\s+(?=[^:"“„?]{2,40}:\s*["“„])/iu;

function withPlainNoun(text: string): string {
  const kind = KIND_OF_TEXT.exec(text)?.groups?.kind;
  return kind === undefined || wordsOf(kind).some(({ acts, isNegated }) => acts.length > 0 || isNegated)
    ? text
    : text.replace(KIND_OF_TEXT, '$<head>text to ');
}

/** The order with a mark before its text. Undefined for any other sentence. */
function ofUnmarked(text: string): string | undefined {
  if (/["“„]/.test(text)) return undefined;
  for (const pattern of UNMARKED) {
    const { head = '', to, who, on, from, mark, text: body = '' } = pattern.exec(text)?.groups ?? {};
    const named = who === undefined ? undefined : nameBefore(who, body);
    const [receiver, all] = named ?? [to, body];
    const said = all.replace(/^(?:that|saying)\s+/iu, '');
    // "Text ava, ben and nina that …" lists the receivers.
    if (mark === ',' && isNamed(/^\S+/u.exec(said)?.[0] ?? '')) continue;
    if (NOT_SAID.test(said)) continue;
    if (receiver === undefined || (!BEGINS_TEXT.test(said) && (NO_TEXT.test(said) || NO_MESSAGE.test(said)))) continue;
    if (/\?\s*$/.test(said) || /^[\d+(#…]/.test(said) || (named && !/\S\s+\S/.test(said))) continue;
    return `${head}text ${on ?? receiver}${from === undefined ? '' : ` from ${from}`}: ${said}`;
  }
  return undefined;
}

/** The name at the head of some words, and the text behind it: the second word may be the first of the text. */
function nameBefore(who: string, body: string): [name: string, said: string] | undefined {
  const [first = '', second] = who.split(/\s+/);
  if (!isNamed(first)) return undefined;
  return second === undefined || isNamed(second) ? [who, body] : [first, `${second} ${body}`];
}

/** True for a word that may be a name. "Ben's parents" are not Ben. */
function isNamed(word: string): boolean {
  return !/['’]s$/u.test(word) && wordsOf(word.toLowerCase()).every(({ isUnknown }) => isUnknown);
}

const TO_SEVERAL = new RegExp(
  String.raw`^(?<head>${POLITE})(?:text|sms|message|msg|tell|notify|inform|write(?:\s+to)?)\s+(?:the\s+)?(?<owner>(?!(?:all|every|each|both|our|my|these|those)\b)\p{L}[\p{L}\d'’-]*)\s+(?:customers|people|lines|numbers|users|subscribers|clients|folks)\s*:\s+`,
  'iu',
);

/** "Let Ava know at 0101 that …": the number behind is where the text goes, and no part of it. */
const KNOW_AT = new RegExp(
  String.raw`\b(?<let>let\s+)\p{L}[\p{L}'’-]*(?:\s+\p{Lu}[\p{L}'’-]*)?(?<know>\s+know)\s+(?:at|on|under|via)\s+(?<line>${NUMBER})(?=\s+\p{L})`,
  'iu',
);

/** "Tell Globex customers: …": those who get the text are the lines of an account. */
export function withAllReceivers(text: string): string {
  const owner = TO_SEVERAL.exec(text)?.groups?.owner ?? '';
  if (isNamed(owner) && owner !== '') return text.replace(TO_SEVERAL, '$<head>text all $<owner> customers: ');
  return text.replace(KNOW_AT, '$<let>$<line>$<know>');
}

function ofNumbers(text: string): string {
  for (const pattern of ORDERS) {
    const { head = '', to, from, text: body = '' } = pattern.exec(text)?.groups ?? {};
    if (to === undefined || NO_TEXT.test(body) || /\?\s*$/.test(body) || /^[\d+(#…]/.test(body)) continue;
    return `${head}text ${to}${from === undefined ? '' : ` from ${from}`} ${body}`;
  }
  return text;
}
