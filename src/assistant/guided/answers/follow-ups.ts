import type { Narrow } from '../../../language/narrow.ts';
import { type Word, wordsOf } from '../../../language/sentence.ts';
import type { GuidedAnswer } from './answer.ts';
import { replaced } from './corrections.ts';
import { orders } from './endings.ts';
import { asksIfLive, asksState } from './state-questions.ts';
import { isOnly, type Value, values } from './thread-values.ts';
import { isOffer, isPort, type Meant, portOf, type Reading, type Topic } from './topics.ts';

/* These questions go on with an earlier message. They ask for its outcome, a period or a part of its rows. */

const LEAD = String.raw`^\W*(?:(?:ok|okay|so|and|hey|hi|thanks|well|but|wait|hm+|please|pls|yo|now)[\s,.!]+)*`;
const DONE = String.raw`(?:already\s+done|(?:it['’]?s\s+|its\s+|it\s+is\s+)?(?:still\s+)?not\s+\p{L}+\s+yet(?:[\s,]+(?:why|how\s+come))?|(?:still\s+)?nothing(?:\s+yet)?|(?:is|are|was)\s+(?:it|that|this|they)\s+(?:now\s+|all\s+|already\s+)?(?:done|through|finished|complete[d]?|approved|confirmed|declined|executed|sent|out|in(?:\s+effect)?|delivered|received|read|seen|live|ready|effective|ordered|processed|applied|set\s+up|up\s+and\s+running|saved|made)|did\s+(?:it|that|this|they|you|we)\s+(?:go|get|work|happen|succeed|take|stick|do|come|run|arrive|land|reach|deliver|kick|apply|process|finish|save|pass)\b[\p{L}\s]{0,24}|did\s+(?:she|he|they)\s+(?:get|receive|see|read)\s+(?:it|that|the\s+(?:text|message|sms))|has\s+(?:it|that|this)\s+(?:gone|been|happened|worked|come)\b[\p{L}\s]{0,24}|(?:went|gone)\s+(?:through|thru)|worked|all\s+(?:done|good|set)|done|approved|confirmed|(?:any|is\s+there)\s+(?:news|update)(?:\s+on\s+(?:it|that|this))?|(?:has\s+)?any(?:one|body)\s+(?:approve|confirm|decide)d?\s+(?:it|that|this)|(?:who|did\s+(?:anyone|anybody|someone|somebody))\s+(?:approved?|confirmed?|declined?)\s+(?:it|that|this)|status|now|what(?:['’]?s|\s+is)\s+the\s+(?:status|state)(?:\s+(?:of\s+(?:it|that|this)|now))?)`;
const OUTCOME = new RegExp(
  String.raw`${LEAD}${DONE}(?:\s+(?:now|yet|already|then|or\s+not|ok|right))*(?:[\s?!.,]+(?:${DONE}|or\s+not|yet|already|ok)(?:\s+(?:now|yet|already|then))*)*[\s?!.]*$`,
  'iu',
);

/** "Did our text go through", after a message was offered. */
const OF_TEXT = new RegExp(
  String.raw`${LEAD}(?:did|has|have|was|were|is)\s+(?:our|my|the|that|this|your)\s+(?:last\s+)?(?:text|message|sms|msg)\s+(?:(?:already|ever|even|actually|been)\s+)*(?:go(?:ne)?|get|deliver\p{L}*|arrive\p{L}*|sent|reach\p{L}*|read|received|come|through|out|there|land\p{L}*|fail\p{L}*)(?:\s+(?:through|thru|out|there|delivered|sent|her|him|them|ok|yet|already|now|at\s+all))*[\s?!.]*$`,
  'iu',
);

const REFUSED =
  /^\W*(?:(?:but|and|hm+|ok|okay|well|now|hey|ugh|wait)[\s,]+)*(?:(?:it|that|this|slack|switchboard|the\s+(?:bot|app|card|form|system|platform|request))\s+)?(?:(?:just|now|still|only|already)\s+)*(?:(?:says?|said|shows?|showed|was|got|is|came\s+back|keeps?\s+saying|gives?|gave|has|been)\s+)*(?:(?:an?|as|with|it|was|is|me|us|that|it['’]?s|its)\s+)*(?:refused|rejected|declined|denied|failed|fails|errors?|errored|not\s+(?:allowed|possible|accepted)|did(?:\s*n['’]?t|\s+not)\s+(?:work|go\s+thr\w+))(?:[\s,.?!]+(?:why|how\s+come|what\s+(?:now|does\s+that\s+mean|is\s+wrong)|what['’]?s\s+wrong|any\s+idea(?:\s+why)?|again|for\s+me|now))*[\s.?!]*$/iu;

/** True for a question about what became of the request before: "done?", "did lee approve it". */
export function asksOutcome(text: string): boolean {
  return OUTCOME.test(text) || asksState(text);
}

/** Reads "Done? Did it go through" as a question about the last order's record. Undefined for others. */
export function ofOutcome(text: string, last: string, topic: Topic, reading: Reading): Meant | undefined {
  const isRefused = REFUSED.test(text);
  const isOfText = OF_TEXT.test(text);
  if (!asksOutcome(text) && !asksIfLive(text) && !isRefused && !isOfText) return undefined;
  const answer = reading.of(last);
  if (isOfText && answer.operation !== 'message_outbound') return undefined;
  if (!isOffer(answer, reading)) return undefined;
  const word = { said: text.replace(/[\s?!.]+$/, ''), means: `“${last}”` };
  const port = isPort(answer) ? portOf(topic, reading) : undefined;
  const state = {
    stateOf: last,
    ...(isRefused && { note: 'The card of the request says why it was refused or failed' }),
  };
  if (port !== undefined) return { text: `status of ${port}`, kind: 'refers', word, stateOf: last };
  const whom = topic.line ?? topic.person;
  if (answer.operation === 'message_outbound' && whom !== undefined)
    return { text: `what did we send to ${whom} today`, kind: 'refers', word, stateOf: last };
  return {
    text: `what happened${whom === undefined ? '' : ` to ${whom}`} in the last 24 hours`,
    kind: 'refers',
    word,
    isAside: true,
    ...state,
  };
}

const WHEN = String.raw`(?:(?:(?:in|on|during|for|since|from)\s+)?(?:the\s+)?(?:this|last|past|previous|next)\s+(?:\d+\s+|two\s+|three\s+|few\s+)?(?:hours?|days?|weeks?|months?|years?|night|morning|evening|weekend|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|(?:over\s+|for\s+|on\s+|at\s+)?the\s+weekend|(?:on\s+|since\s+)?yesterday|(?:since\s+)?today|tonight|over\s?night|(?:in|since)\s+(?:january|february|march|april|may|june|july|august|september|october|november|december)|(?:on\s+|since\s+)(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|midnight|noon|\d{1,2}\s*(?:am|pm)))`;
const OTHER_TIME = new RegExp(
  String.raw`${LEAD}(?:(?:and|what|how|same|or|also|any(?:thing)?|some|those|ones|are|is|were|there|the\s+ones)\s+)*(?:(?:about|for|thing|just|only|from|of|in)\s+)*(?<when>${WHEN})(?:\s+(?:please|pls|then|too))*[\s?!.]*$`,
  'iu',
);
const OLD_TIME = new RegExp(String.raw`\b${WHEN}\b`, 'iu');

/** "And last month": the question before for another time. Undefined for other messages. */
export function ofPeriod(text: string, last: string, reading: Reading): Meant | undefined {
  const when = OTHER_TIME.exec(text)?.groups?.when;
  if (when === undefined) return undefined;
  const answer = reading.of(last);
  if (answer.kind === 'help' || isOffer(answer, reading)) return undefined;
  const rest = last.replace(/[\s?!.]+$/, '');
  const full = OLD_TIME.test(rest) ? rest.replace(OLD_TIME, when) : `${rest} ${when}`;
  return { text: full, kind: 'again', before: last };
}

const STATE = '(?:active|parked|suspended|paused|frozen|on hold|cancell?ed|disconnected)';
const FOR_ANOTHER =
  /^\W*(?:(?:ok|okay|so)[\s,]+)*(?:and|what\s+about|how\s+about|same\s+for|also)\s+(?:(?:for|on|by|of|to|with)\s+)?(?<who>[\s\S]{2,60}?)[\s.!?]*$/iu;

/** Asks the question for another person: "And for Jorge?" after "what is waiting for me". */
export function ofAnother(text: string, last: string, now: number, reading: Reading): Meant | undefined {
  const who = FOR_ANOTHER.exec(text)?.groups?.who;
  const answer = reading.of(last);
  if (who === undefined || isOffer(answer, reading)) return undefined;
  const isMe = /^(?:me|us)$/i.test(who) && /\bwait/i.test(last);
  if (isMe) return { text: 'what is waiting for me', kind: 'again', before: last };
  if (answer.kind === 'help') return undefined;
  const state = new RegExp(`^(?:the\\s+)?(?<state>${STATE})(?:\\s+(?:ones|lines|numbers))?$`, 'i').exec(who)?.groups
    ?.state;
  const old = state === undefined ? undefined : new RegExp(`\\b${STATE}\\b`, 'i').exec(last)?.[0];
  if (state !== undefined && old !== undefined) return { text: last.replace(old, state), kind: 'again', before: last };
  const found = values(who, now);
  if (!found.some(({ kind }) => kind === 'person')) return undefined;
  const full = replaced(last, who, now);
  if (full !== undefined) return { text: full, kind: 'again', before: last };
  const [person, ...others] = found;
  const isOwn = person !== undefined && others.length === 0 && isOnly(person, who);
  if (!isOwn || !/\b(?:me|mine)\b/i.test(last)) return undefined;
  return { text: last.replace(/\b(?:me|mine)\b/i, () => person.text), kind: 'again', before: last };
}

const BEFORE_THAT =
  /^\W*(?:(?:and|ok|so|what|anything|happened|about|was)[\s,]+)*(?:the\s+(?:week|month|day|night|year)\s+)?(?:before|prior\s+to|after|earlier(?:\s+than)?)(?:\s+(?:that|this|it|then))?[\s?!.]*$/i;

/** "And before that": a time that only the answer before tells. */
export function ofTimeBefore(text: string, last: string, reading: Reading): Meant | undefined {
  if (!BEFORE_THAT.test(text) || reading.of(last).kind !== 'events') return undefined;
  const note = 'Write the time in full, such as “what happened on Monday” or “since yesterday 6 am”';
  return { text, kind: 'unclear', note };
}

const QUESTION =
  /\?\s*$|[\s,](?:why|how\s+come)\W*$|^\W*(?:(?:and|so|ok|but)\s+)*(?:what|why|when|who|whose|how|is|are|was|were|did|does|do|has|have|should|would|could|can|may|which|where|any|if|show|find|list|look|check)\b/i;
const TALK = /^\W*(?:thanks?|thx|ok(?:ay)?|cool|great|good|nice|perfect|yes|yep|no|nope|hi|hello)\b[\s\S]{0,12}$/i;

/** "Until Friday", "its with Verizon", "email is …": a value for the last order. Undefined for other messages. */
export function ofDetail(text: string, last: string, now: number, reading: Reading): Meant | undefined {
  if (text.length > MAX_DETAIL || QUESTION.test(text.replace(CONDITION, '')) || TALK.test(text) || /["“„]/.test(text))
    return undefined;
  const answer = reading.of(last);
  if (!isOffer(answer, reading)) return undefined;
  const isLine = ({ kind, text: one }: Value) =>
    (kind === 'number' || kind === 'digits') && !/\bfrom\s+[#…*]*$/i.test(text.slice(0, text.indexOf(one)));
  const said = values(text, now);
  const old = values(last, now);
  // Another amount or day is a correction.
  const isTwice = ({ kind }: Value) => kind !== 'number' && kind !== 'digits' && old.some((one) => one.kind === kind);
  const isCounted = old.some(
    ({ kind }) => kind === 'amount' || kind === 'speed' || kind === 'serial' || kind === 'quoted',
  );
  const isBare =
    isCounted && /(?<![\w.])(?<!\bfrom\s+)[1-9]\d{0,3}(?:\.\d+)?(?![\w.]*\d)\b/i.test(text) && !orders(text);
  if (isBare || said.some(isLine)) return undefined;
  const rest = last.replace(/[\s.!]+$/, '');
  if (CONDITION.test(text)) return { text: `${rest} ${text.trim()}`, kind: 'adds', before: last };
  const start = NOT_YET.exec(text)?.groups?.day;
  if (start !== undefined) return { text: `${rest}, not before ${start}`, kind: 'adds', before: last };
  const other = withOtherField(text, rest, answer, reading);
  if (other !== undefined) return { text: other, kind: 'corrects', before: last };
  if (NEGATION.test(text) || said.some(isTwice)) return undefined;
  // "Give all Acme lines 5 gb" names its own lines.
  if (reading.of(text).each?.set) return undefined;
  const full = `${last.replace(/[\s.!]+$/, '')}, ${text.replace(/^\W*(?:and|also|oh|ok|btw|plus)[\s,]+/i, '')}`;
  const joined = reading.of(full);
  // The text of a message is read before.
  if (joined.input.Body !== answer.input.Body) return undefined;
  if (Object.values(joined.input).some((value) => /^(?:him|her|them|it)$/i.test(String(value)))) return undefined;
  const isSame =
    joined.operation === answer.operation && joined.kind !== 'help' && !joined.isInstead && !joined.isUnclear;
  const carried = (one: typeof joined) => JSON.stringify([one.input, one.guideInput, valuesToldBy(one)]);
  if (!isSame || carried(joined) === carried(answer)) return undefined;
  // A name that is not taken goes on with nothing.
  const isTaken =
    JSON.stringify([joined.input, joined.guideInput]) !== JSON.stringify([answer.input, answer.guideInput]);
  if (!isTaken && /Not taken: (?:[^“\d]+)$/.test(joined.remarks ?? '') && !/\bis\b|:|^\W*(?:and\s+)?for\s/i.test(text))
    return undefined;
  if (
    !isTaken &&
    /Not taken: “(?:it|that|this|them|tell|show|check|look|see|let|find|give)\b/.test(joined.remarks ?? '')
  )
    return undefined;
  // "Warn at 4" is a new order, unless it only adds to the one before.
  const isMore = Object.entries(answer.input).every(
    ([name, value]) => JSON.stringify(joined.input[name]) === JSON.stringify(value),
  );
  const isLonger = Object.keys(joined.input).length > Object.keys(answer.input).length;
  if (orders(text.replace(STARTS, '')) && !(isMore && isLonger)) return undefined;
  return { text: full, kind: 'adds', before: last };
}

/** The remarks of an answer without the words that it does not take. */
function valuesToldBy({ remarks = '', wordsLeft = [] }: GuidedAnswer): string {
  const rest = wordsLeft.reduce((text, one) => text.replace(one, ''), remarks);
  return rest.replace(/(?:, )+(?=$|[.;])/g, '').replace(/[.;] Not taken: (?:, )*(?=$|[.;])/, '');
}

/** The order with another value of one of its fields: "carrier is Verizon". Undefined if the text gives none. */
function withOtherField(
  text: string,
  last: string,
  { operation, input, wordsLeft: left = [] }: GuidedAnswer,
  reading: Reading,
): string | undefined {
  const spoken = text.replace(/\b(?:sorry|oops|no|actually|wait|i\s+meant?|wrong)\b[\s,]*/gi, ' ').trim();
  for (const [field, value] of Object.entries(input)) {
    // The text of a message is another one only if the words say so.
    if (last.includes(`"${value}"`) || (field === 'Body' && !/\b(?:text|say|write|message|tell)\b/i.test(text)))
      continue;
    if (typeof value !== 'string' || value.length < 3 || !last.includes(value) || text.includes(value)) continue;
    const full = `${last
      .replace(value, ' ')
      .replace(/\s+/g, ' ')
      .replace(/[\s,]+$/, '')
      .replace(/\s*,\s*,/g, ',')
      .trim()}, ${spoken}`;
    // "Zip is 60614" is no other account number.
    if (field === 'CurrentAccountNumber' && /\b(?:zip|pin|passcode|name|address|carrier)\b/i.test(text)) continue;
    const { operation: same, input: other, kind, wordsLeft = [] } = reading.of(full);
    // A text that says more than the value is no value.
    if (wordsLeft.length > left.length) continue;
    const own = other[field];
    // The other value is one of the message, and not a further word of the order.
    const isOther = typeof own === 'string' && own !== value && !last.includes(own);
    const isRest = Object.entries(input).every(
      ([name, one]) => name === field || JSON.stringify(other[name]) === JSON.stringify(one),
    );
    if (same === operation && kind !== 'help' && isOther && isRest) return full;
  }
  return undefined;
}

const CONDITION = /^\W*(?:(?:but|and|only|just|ok|well|so)[\s,]+)*(?:if|unless|once|in\s+case|as\s+soon\s+as)\b/i;
/** "Don't do it till Monday". */
const NOT_YET =
  /^\W*(?:(?:but|and|wait|no|oh|please|actually)[\s,]+)*(?:(?:do\s*n['’]?t|do\s+not)(?:\s+(?:do|start|park|cancel|suspend|hold|send|run)?\s*(?:it|that|this))?|not)\s+(?:yet[\s,]+)?(?:until|till|til|before)\s+(?<day>[^,;.!?]{2,40}?)\W*$/i;
const NEGATION = /\b(?:not|never|dont|no)\b|n['’]t\b/i;
const MAX_DETAIL = 120;
const STARTS = /^\W*(?:starting|beginning|effective|from|until|till|til|as\s+of)\b/i;
const REPORTS =
  /^\W*(?:(?:the\s+)?reason\b|(?:because|due\s+to|for(?!\s+(?:texts?|sms|messages?|calls?)\b))\s+\p{L}+|(?:(?:because|cause|cuz|cos|since|as|the|our|and|so|but)\s+)*(?:he|she|they|customer|client|subscriber|it)(?:['’](?:s|re|ve))?\s+\p{L}+)/iu;

const LOSSES = /^(?:lost|loses?|losing|stolen|stole|broke|broken|died|left|leaves|gone|went|moved|forgot|fears?)$/;

/** "He lost his phone": why the order before is given. It changes nothing. Undefined for other messages. */
export function ofReason(text: string, last: string, now: number, reading: Reading): Meant | undefined {
  if (text.length > MAX_DETAIL || QUESTION.test(text) || !REPORTS.test(text) || /["“„]/.test(text)) return undefined;
  if (values(text, now).length > 0 || !isOffer(reading.of(last), reading)) return undefined;
  const isReport = ({ acts, isPast, plain }: Word) => acts.length === 0 || isPast || LOSSES.test(plain);
  if (!wordsOf(text).every(isReport)) return undefined;
  return { text, kind: 'unclear', note: `“${text}” changes nothing in “${last}”: what was offered is as it was` };
}

const PART = new RegExp(
  String.raw`${LEAD}(?:(?:show|give)\s+(?:me\s+)?)?(?:only|just|(?:anything|something|what)(?=\s+(?:with|for|on|about|of)\b)|filter(?:\s+(?:by|for|on))?|limit\s+(?:it\s+)?to|narrow\s+(?:it\s+)?(?:down\s+)?to)\s+(?:show\s+(?:me\s+)?)?(?<part>[^?!]{2,60}?)(?:\s+(?:please|pls))?[\s?!.]*$`,
  'iu',
);

/** "How many of those failed" */
const OF_THOSE =
  /^\W*(?:(?:ok|okay|so|and)[\s,]+)*(?:(?:how\s+many|which(?:\s+ones)?|any|what|who)\s+of\s+(?:those|them|these|that)|(?:how\s+many|which|any)(?:\s+ones)?(?=\s+(?:\p{L}+\s+)?(?:failed|declined|rejected|refused)\b))\s+(?:(?:were|are|have|had|got|did|was|is|been|actually|still|already|then)\s+)*(?<part>\p{L}[\p{L}\s]{2,30}?)[\s.!?]*$/iu;

const MESSAGES = 'message_search_get';
const FAILURES = /\b(?:fail\w*|errors?|problems?|declined|rejected|refused)\b/i;
const ON_LINE = /^\W*(?:and\s+)?(?<part>(?:on|with|for|to)\s+[#…]*\d{4})\W*$/i;

/** The messages of a line that failed: "any that failed?" after the list. Undefined for other messages. */
function ofFailed(text: string, last: string, reading: Reading): Meant | undefined {
  const isAsked = text.length <= MAX_PART && NOT_SENT.test(text) && !/\d|["“„]/.test(text) && !WHY.test(text);
  const { kind, operation } = reading.of(last);
  // The list of messages takes no time: those of a day are found in the events.
  if (!isAsked || kind !== 'lookup' || operation !== MESSAGES || OLD_TIME.test(last)) return undefined;
  const pick: Narrow = { outcome: 'failed', kinds: [], said: '“failed”' };
  return { text: last, kind: 'again', before: last, pick, note: 'Only those that failed' };
}

const MAX_PART = 50;
/** Words for texts that did not arrive. */
export const NOT_SENT =
  /\b(?:fail\w*|errors?|problems?|undelivered|rejected|bounced|(?:not|never)\s+(?:get\s+)?(?:delivered|arrive\w*|sent))\b/iu;
const WHY = /\b(?:why|how\s+come|resend|again|fix|what\s+(?:does|is))\b/iu;

/** "Only what failed": a part of what the message before shows. Undefined for other messages. */
export function ofPart(text: string, last: string, now: number, reading: Reading): Meant | undefined {
  const failed = ofFailed(text, last, reading);
  if (failed) return failed;
  const part = (
    PART.exec(text)?.groups?.part ??
    OF_THOSE.exec(text)?.groups?.part ??
    ON_LINE.exec(text)?.groups?.part
  )?.replace(/^(?:for|of|on|from|by|with|to|about)\s+/i, '');
  if (part === undefined) return undefined;
  const answer = reading.of(last);
  if (answer.kind === 'help' || isOffer(answer, reading)) return undefined;
  const rest = last.replace(/[\s?!.]+$/, '');
  const when = new RegExp(`^${WHEN}$`, 'iu').exec(part.replace(/^(?:from|of|since)\s+/i, ''))?.[0];
  if (when !== undefined) {
    const timed = OLD_TIME.test(rest) ? rest.replace(OLD_TIME, when) : `${rest} ${when}`;
    return { text: timed, kind: 'adds', before: last };
  }
  const named = FAILURES.test(part) ? [] : values(part, now);
  const isRecord =
    named.length === 1 && named.every(({ kind }) => kind === 'digits' || kind === 'number' || kind === 'person');
  const by = /\bby\s+/i.test(text) ? named.find(({ kind }) => kind === 'person') : undefined;
  if (by && answer.kind === 'events')
    return {
      text: `what did ${by.text} do ${OLD_TIME.exec(rest)?.[0] ?? 'in the last 24 hours'}`,
      kind: 'adds',
      before: last,
    };
  if (isRecord && values(last, now).every(({ kind }) => kind === 'day'))
    return {
      text: `${rest} ${answer.kind === 'events' ? 'to' : 'for'} ${named[0]?.text ?? part}`,
      kind: 'adds',
      before: last,
    };
  if (named.length > 0) return undefined;
  const only = FAILURES.test(part) ? 'only what failed' : OF_THOSE.test(text) ? `only ${part}` : text.trim();
  const joined = reading.of(`${rest}, ${only}`);
  // A question is not read as an order.
  if (isOffer(joined, reading)) return undefined;
  return { text: `${rest}, ${only}`, kind: 'adds', before: last, part };
}
