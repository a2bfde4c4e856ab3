import { wordsOf } from '../../../language/sentence.ts';
import { jsonText } from '../../../lib/text.ts';
import type { GuidedAnswer } from '../answers/answer.ts';
import { colleagueIn } from '../answers/deciders.ts';
import { type Value, values } from '../answers/thread-values.ts';
import { isOffer, type Meant, type Reading } from '../answers/topics.ts';
import { namesUnused } from '../changes/unused-records.ts';
import { COURTESY } from '../facts/beginnings.ts';

/*
 * Detects messages that start a new topic: a complete order or question that names its record. A direct message is one
 * thread for an hour, and most messages in it have nothing to do with the one before.
 */

const POLITE = String.raw`^\W*(?:(?:oh|ah|ok|okay|hm+|well|please|pls|hey|hi|yes|yeah|yep|sure|thanks?|thx|great|cool|perfect|good|fine|lol)[\s,.!]+)*`;
const BEGINNING = new RegExp(String.raw`^\W*${COURTESY}`, 'iu');
/** Words at the beginning that go on with the message before. */
const GOES_ON = new RegExp(
  String.raw`${POLITE}(?:no+(?!\s+(?:one|body|internet|data|signal|service|network|reception|coverage|texts?|sms|calls?|sound|dial))|nope|nah|not|sorry|oops|ups|whoops|wait|actually|rather|instead|or|but|and|also|plus|same|make\s+(?:it|that)|i\s+meant?|i\s+said|correction|typo|argh|damn|wrong|only|just|except|without|try|use|better|let['’]?s|from|to|for|with|until|till|then|so|now|all|both|go\s+ahead|what\s+about|how\s+about|never\s*mind|nvm|forget|scratch|drop)\b`,
  'iu',
);
/** "Account number is 445566", "anything from yesterday": a value, or a part of a list, of the record before. */
const IS_PART = new RegExp(
  String.raw`${POLITE}(?:(?:[\p{L},]+\s+){0,3}?(?:e-?mail|name|account|acct|pin|zip|ad+res+|carrier|provider|sim|iccid|role|plan|route|ip|url|password|token)(?:\s+(?:number|name|on\s+the\s+\p{L}+))?\s*(?:is\b|are\b|was\b|:)|(?:did\s+|is\s+there\s+|was\s+there\s+)?any(?:thing|one|body)?\s+(?!(?:\p{L}+\s+){0,2}?\p{L}+s\b|free\b|available\b)\p{L}+)`,
  'iu',
);
/** Words anywhere that go back to it. */
const GOES_BACK =
  /\b(?:instead|rather|same|likewise|others?|else|mistake|meant?|sorry|as\s+well|also|after\s+all|(?:the|that|this)\s+(?:\p{L}+\s+)?ones?|too(?=\s*(?:$|[,.;:!?)]|\s(?:please|pls|plz|thanks|thx|and|then|now)\b)))(?!\p{L})/iu;
/** "Not 0104" refers back, unless the message names a line before it: "0103, not 0104". */
const NOT = /\bnot\b/iu;
/** Words that refer back in a message that names no record. */
const OF_BEFORE = /\b(?:still|yet|again|before|earlier|then|missing|expensive|back)\b/iu;
/** Pronouns of things, which stand for what was shown or offered before. */
const THINGS =
  /\b(?:it|its|them|(?<!\b\p{L}{3,}s\s)that|this(?!\s+(?:bot|app|channel|workspace|week|month|year|morning))|these|those|there|(?<!\b(?:no|any|every|some)\s)ones?(?!\s+(?:list|go|message|file|table)\b))\b/iu;
/** Such a pronoun where only a thing of the message before can be meant: "take 0150 off it". */
const OF_THING =
  /\b(?<!\brid\s)(?:on|onto|to|into|from|off|with|in|for|of|at)\s+(?:it|them|there|(?:that|this|these|those)(?!\s+(?!(?:please|pls|now|then|again)\b)\p{L}))\b/iu;
/** "I need to cancel a number": none of the records before is meant. */
const ANY_RECORD =
  /\ban?\s+(?:number|line|customer|subscriber|user|account|package|plan|product|route|trunk|webhook|workgroup|filter|port-?in|order|text|message)\b(?!\s+(?:for|of|on|to|from|at|with)\b)/iu;
/** Pronouns and nouns of people and records, which stand for those named before. */
const KNOWN =
  /\b(?:he|she|him|his|her|hers|they|their|theirs|(?:the|our|my|your)\s+(?:customer|line|number|guy|lady|plan|package|kid|account|port|order|text|message|request|change|cancellation|filter|sim|hold|route)(?!\s+(?:of|on|for|change)\b))\b/iu;
/** Nouns that a pronoun later in the message may refer to: "ben lost his phone, block it". */
const OWN_THING = /\b(?:phone|sim|line|number|account|plan|filter|route|webhook|package)\b/iu;
/** Begins a message about another customer: "customer wants his line back, 0107". */
const OF_CUSTOMER =
  /^\W*(?:(?:hi|hey|ok|so)[\s,]+)*(?:(?:an?|another|next|new)\s+)?(?:customer|cust|caller|client|subscriber)\b/iu;
/** People and lines in general, and the pronouns that may stand for them. */
const GROUP =
  /\b(?:who|whos|which|any(?:one|body)|every(?:one|body)|some(?:one|body)|people|customers|lines|numbers)\b/iu;
const THEIRS = /^(?:they|their|theirs)\b/iu;
/** "Is it too late to …": "it" stands for nothing. */
const EXPLETIVE =
  /(?<=\bhow\s)it(?=\s+(?:goes|works|looks|went)\b)|(?<=\b(?:make|keep)\s)it(?=\s+(?:so\b|that\s+(?!one)))|(?<=[,;]\s[^,;.!?]{0,30}\b(?:wants?|needs?|asked\s+for|requires?|likes?|buys?|uses?)\s)it(?=[\s.!]*$)|(?<=\b(?:is|was|would|will)\s+)it(?=\s+(?:be\s+)?(?:still\s+)?(?:too\s+late|possible|ok|okay|bad|good|safe|wise)\b)|\bit(?=\s+(?:would|will|is|was)\s+(?:be\s+)?(?:too\s+late|possible|bad|good|safe|wise)\b)/giu;
/** Relatives, who are known by the customer of the message before. */
const RELATIVE =
  /^(?:(?:grand)?(?:ma|pa|mother|father|parents)|mum|mom|dad|aunt|uncle|sister|brother|kid|son|daughter|school)\b/iu;
/** A look-up is asked for: by a question, a verb, or the plural or the state of what is listed. */
const ASKS =
  /\?\s*$|\bwhose\s+is\s+it\b|^\W*(?:(?:hi|hey|please|pls|can|could|you|u|quick\s+question)[\s,:]+)*(?:show|list|find|look|get|give|see|check|pull|search|count|tell|read|open|export|download|summary|digest|recap|need(?=\s+(?:info|details?|status))|details?|(?:data\s+)?(?:usage|consumption|report)|top|every(?:one|body)?|who|whos|whose|what|whats|which|how|hows|where|wheres|when|why|is|are|was|were|did|do|does|can|could|has|have|status|info|history|lines|numbers|texts|messages|calls|orders|charges|requests|approvals|changes|updates|webhooks|routes|plans|packages|products|customers|people|users|events|available|free|parked|active|cancelled|suspended|released|(?:subscriber|customer|account|line|number|person|user)s?\s+(?:with|of|on|in|at|for))\b/iu;
const ASKS_WHAT = /^\W*(?:what|which|who|how|where|when|why)/iu;
/** A report of a record that was named: "ava says she cant text", "sms wont arrive on 0102". */
const REPORTS =
  /\b(?:is|are|was|were|has|had|have|can|fails?|failed|says?|said|wants?|needs?|keeps?|gets?|got|lost|hears?|sees?|receives?|complains?|(?:ca|wo|do|does|did|is|has|are)n['’]?t|cannot|\p{L}+(?:ed|ing))\b/iu;

/** Orders without an imperative: "the starter package should be retired". */
const MUST = /\b(?:should|must|needs?|has\s+to|wants?)\b/iu;

const RECORDS: ReadonlySet<Value['kind']> = new Set(['number', 'digits', 'id', 'person']);
/** Fields of the record that an operation changes, makes or looks up. */
const TARGETS: ReadonlySet<string> = new Set(
  'PhoneNumbers PhoneNumber Number SubscriberId To OrderId PortInNumber Name Url CallRouteId MessageRouteId PackageId ProductId WorkgroupId SubscriptionId WebhookId WebhookUrl PackageName RouteName AccountName AccountId CallFilterId MessageFilterId FilterId Plan Route Query'.split(
    ' ',
  ),
);
/** Port-in operations, which are found by the ported number and not by a line. */
const PORTS = /_portin(?:_|$)/u;
/** Operations that create a record, which has no name yet. */
const MAKES = /_(?:create|provision)$/u;
/** Look-ups by nothing but a value, which may be the answer to a question. */
const BY_VALUE: ReadonlySet<string> = new Set(['numbers_find', 'numbers_lookup', 'numbers_order_get']);
/**
 * The fewest words of a look-up, of an order, of a message that names no record, of an order without a known verb, and of
 * an order for the record of the order before.
 */
const FEWEST = { read: 2, order: 3, unnamed: 4, sentence: 5, same: 6 };
/** From this length on, an order of another kind counts as a new topic even if it names no record. */
const LONG = 7;

/** The messages that a message may go on with. */
interface Earlier {
  /** The last order or question, in full. */
  last: string | undefined;
  /** The orders whose offers are open. */
  offered: readonly string[];
}

/** A message beside the one before it. */
interface Compared {
  text: string;
  own: GuidedAnswer;
  /** The answer to the message before. */
  opened: GuidedAnswer;
  /** The records that it names, as it writes them. */
  named: readonly string[];
  /** True for a record that the message before does not name. */
  isNew: (name: string) => boolean;
  /** Number of words. */
  count: number;
  reading: Reading;
}

/**
 * True if a message starts a new topic, so that nothing is taken over from the messages before it.
 *
 * @param now epoch ms of the writer's clock, as if it were UTC
 */
export function isOwnTopic(text: string, { last, offered }: Earlier, now: number, reading: Reading): boolean {
  const before = last ?? offered.at(-1);
  const said = text.replace(EXPLETIVE, ' ');
  const count = text.trim().split(/\s+/).length;
  if (before === undefined || count < FEWEST.read || GOES_ON.test(text) || IS_PART.test(text)) return false;
  if (GOES_BACK.test(said) || (OF_THING.test(said) && !ASKS_WHAT.test(said)) || colleagueIn(text) !== undefined)
    return false;
  const [own, opened] = [reading.of(text), reading.of(before)];
  if (namesUnused(text) && beginsWithDeed(text)) return true;
  if (own.isUnread || own.isGuess || own.isRefused || own.isUnclear) return false;
  // "Text 0103", and then the text.
  const lacksText = opened.operation === 'message_outbound' && opened.input.Body === undefined;
  if (lacksText && !isOffer(own, reading)) return false;
  const named = recordsOf(own, text, now);
  const isNew = (one: string) => !before.toLowerCase().includes(one.toLowerCase());
  const isOfOther = OF_CUSTOMER.test(text) && named.some((one) => isLine(one) && isNew(one));
  if (!isOfOther && refersBack(said, named, isOffer(own, reading) && hasTarget(own, () => true))) return false;
  const compared = { text, own, opened, named, isNew, count, reading };
  if (isOffer(own, reading)) return isOwnOrder(compared);
  return named.length > 0 ? isOwnRead(compared, before) : isPlainRead(compared);
}

function isOwnOrder({ text, own, opened, named, isNew, count, reading }: Compared): boolean {
  const isAgain = named.length > 0 && !named.some(isNew);
  if (count < FEWEST.order || (isAgain && !isOrderForSame(text, count, !isAlike(own.operation, opened.operation))))
    return false;
  const isAfterOffer = isOffer(opened, reading);
  if (isAfterOffer && count >= LONG && !isAlike(own.operation, opened.operation)) return true;
  const isSaid =
    named.some(isLine) ||
    count >= FEWEST.sentence ||
    MUST.test(text) ||
    wordsOf(text).some((word) => word.acts.length > 0);
  if (ANY_RECORD.test(text) && named.length === 0 && own.operation !== opened.operation) return true;
  const makes = MAKES.test(own.operation ?? '') && own.operation !== opened.operation;
  const isMade = makes && (isAfterOffer || count >= LONG);
  return isSaid && (isMade || hasTarget(own, (one) => isNew(one) || isAgain));
}

/** True for a question, an answer in words or a report about a record that it names. */
function isOwnRead({ text, own, named, isNew, count }: Compared, before: string): boolean {
  const isShort = named.some((one) => /^\d{4}$/.test(one) && before.includes(one));
  const isAsked = ASKS.test(text) || (own.isInstead === true && count >= FEWEST.unnamed);
  if (isAsked && named.some(isNew)) return true;
  if (!isShort && (isReport(text, own) || (isAsked && !OF_BEFORE.test(text)))) return true;
  // "Landline 312-555-0192 needs to come in on Monday"
  return REPORTS.test(text) && count > FEWEST.sentence && named.some((one) => isLine(one) && isNew(one));
}

/** True for a question of a few words that names no record, and none of which goes back. */
function isPlainRead({ text, own, count }: Compared): boolean {
  if (OF_BEFORE.test(text)) return false;
  // An order that was not understood gives no other one its values.
  if (own.kind === 'help')
    return beginsWithDeed(text) ? count >= FEWEST.sentence : count >= LONG && !/\b(?:the|my|our)\s/iu.test(text);
  return ASKS.test(text) && count >= FEWEST.unnamed;
}

/** "Turn off the main sip trunk for now": a whole order for the record of the order before, which names it again. */
function isOrderForSame(text: string, count: number, isOther: boolean): boolean {
  return count >= FEWEST.same && !OF_BEFORE.test(text) && (isOther || beginsWithDeed(text) || MUST.test(text));
}

/** True if the first word, after those of courtesy, says what is to be done. */
function beginsWithDeed(text: string): boolean {
  const [first] = wordsOf(text.replace(BEGINNING, ''));
  return first !== undefined && !ASKS_WHAT.test(text) && first.acts.length > 0 && first.things.length === 0;
}

function isLine(name: string): boolean {
  return /\d{4}/.test(name);
}

function isReport(text: string, { operation = '' }: GuidedAnswer): boolean {
  return REPORTS.test(text) && !BY_VALUE.has(operation);
}

/**
 * True if a pronoun or a noun stands for something that the message has not named before it.
 *
 * @param isOrder true for an order that names what it changes
 */
function refersBack(said: string, named: readonly string[], isOrder = false): boolean {
  const firstOf = (names: readonly string[]) =>
    Math.min(...names.map((one) => said.indexOf(one)).filter((at) => at >= 0), Number.POSITIVE_INFINITY);
  const [thing, known] = [said.search(THINGS), said.search(KNOWN)];
  const [line, any] = [firstOf(named.filter(isLine)), firstOf(named)];
  const isOfOwn = line < thing || (any < thing && (isOrder || OWN_THING.test(said.slice(0, thing))));
  // "Who is close to their limit": the pronoun is theirs.
  const group = said.search(GROUP);
  const isOfGroup = group >= 0 && group < known && THEIRS.test(said.slice(known));
  const not = said.search(NOT);
  return (
    (thing >= 0 && !isOfOwn) ||
    (known >= 0 && any > known && !isOfGroup) ||
    (not >= 0 && line > not && line < Number.POSITIVE_INFINITY)
  );
}

/** True if two operations are about records of one kind. */
function isAlike(one = '', other = ''): boolean {
  const [a, b] = [one, other].map((id) => id.replace(/(?<=_[a-z]+)_[a-z]+$/u, ''));
  return a === b || one.startsWith(other) || other.startsWith(one);
}

/** The records that a message names, as it writes them: lines, people, and what its answer looks up. */
function recordsOf({ input, find }: GuidedAnswer, text: string, now: number): string[] {
  const said = values(text, now).flatMap(({ kind, text: one }) => (RECORDS.has(kind) ? [one] : []));
  const looked = [...Object.entries(input), ...Object.entries(find?.input ?? {})].flatMap(([name, value]) =>
    TARGETS.has(name) && typeof value === 'string' ? namedIn(text, value) : [],
  );
  return [...new Set([...said, ...looked])];
}

/** The text of a value as the message writes it. */
function namedIn(text: string, value: string): string[] {
  const at = text.toLowerCase().indexOf(value.toLowerCase());
  return at < 0 ? [] : [text.slice(at, at + value.length)];
}

/** True if an offer names what it changes, and this is nothing that was named before. */
function hasTarget({ find, each, input, operation = '' }: GuidedAnswer, isNew: (one: string) => boolean): boolean {
  if ((find !== undefined && !PORTS.test(operation)) || each !== undefined) return true;
  return Object.entries(input).some(
    ([name, value]) => TARGETS.has(name) && (typeof value !== 'string' || (isNew(value) && !RELATIVE.test(value))),
  );
}

/** A line is named in order to exclude it, or the digits are not a line, such as those of a PIN. */
const LEAVES_OUT =
  /(?:\b(?:not|never|no|except|but|without|instead|rather|other\s+than|leave|skip|should\s+have|wrong)\b|n['’]?t\b)[^.;]{0,30}\d{4}|\d{4}\s+(?:out|off|instead)\b|\b(?:wrong|pin|his|her|their)\b/iu;
/** Kinds of messages that take values or the order over from the one before. */
const CARRIED: ReadonlySet<Meant['kind']> = new Set(['refers', 'read', 'corrects', 'again', 'adds']);

/**
 * Separates a message from an earlier order that does not contain the line or the id which the message names: "make it stop on
 * 0101" after a block on 0103. "Don't cancel 0103 after all" takes back the open offer for 0103, and not a later one for 0106.
 *
 * @param offered the orders whose offers are open, oldest first
 */
export function withOwnLine(
  meant: Meant,
  said: string,
  offered: readonly string[],
  now: number,
  reading: Reading,
): Meant {
  const tails = values(said, now).flatMap(({ kind, text }) =>
    kind === 'number' || kind === 'digits' ? [text.replace(/\D/gu, '').slice(-4)] : kind === 'id' ? [text] : [],
  );
  if (tails.length === 0) return meant;
  const alone: Meant = { text: said, kind: 'alone' };
  const ended = meant.kind === 'back' ? meant.before : meant.kind === 'unclear' ? meant.gone : undefined;
  if (ended !== undefined) {
    const isOf = (order: string) => tails.some((tail) => order.replace(/[^\p{L}\d]/gu, '').includes(tail));
    if (isOf(ended)) return meant;
    const order = offered.findLast(isOf);
    return order === undefined ? alone : { text: said, kind: 'back', before: order };
  }
  if (!CARRIED.has(meant.kind) || LEAVES_OUT.test(said) || meant.text === said) return meant;
  const own = reading.of(said);
  if (own.isUnread || own.isUnclear) return meant;
  const { input, find, each, also, asks } = reading.of(meant.text);
  const shown = jsonText([input, find, each, also, asks]);
  return tails.every((tail) => shown.includes(tail)) ? meant : alone;
}

/** Kinds of messages that are read together with an earlier one. */
const JOINED: ReadonlySet<Meant['kind']> = new Set(['adds', 'corrects', 'read']);
/** Look-ups of records that an open field may ask for. */
const IS_CHOICE = /^(?:account_)?(?:message_|voice_)?(?:routes|packages|products|workgroups)_(?:get|find)$/u;
/** Words and values of an answer that it did not take: “Not taken: 5, “guard””. */
const NOT_TAKEN = /\bNot taken: (?<items>[^;]*?)(?=[.;](?:\s|$)|; |$)/gu;

/**
 * Separates a message from an order that it would go on with, if it is an order or a question of another kind, or if the
 * order takes fewer of its words than an answer to the message alone: "export the audit of last week" after a hold.
 */
export function withOwnWords(meant: Meant, said: string, now: number, reading: Reading): Meant {
  const count = said.split(/\s+/).length;
  if (!JOINED.has(meant.kind) || count < FEWEST.read || meant.text === said) return meant;
  const [own, joint] = [reading.of(said), reading.of(meant.text)];
  if (meant.kind !== 'adds') return own.isUnread && lostOf(joint, said) > 1 ? { text: said, kind: 'alone' } : meant;
  const named = recordsOf(own, said, now);
  const isText = joint.operation === 'message_outbound';
  const alone: Meant = { text: said, kind: 'alone' };
  if (own.operation === 'numbers_diagnose' && own.input.PhoneNumber !== undefined) return alone;
  if (isText || refersBack(said.replace(EXPLETIVE, ' '), named)) return meant;
  const isRead = !own.isUnread && !own.isGuess && !own.isUnclear && !own.isInstead && own.operation !== undefined;
  const isOrder = isOffer(own, reading) && hasTarget(own, () => true);
  const isByValue = BY_VALUE.has(own.operation ?? '') && own.input.Status === undefined;
  const isLooked = own.kind !== 'form' && !isByValue && !IS_CHOICE.test(own.operation ?? '');
  const lost = lostOf(joint, said);
  if (isRead && lostOf(own, said) < lost && (lost > 1 || ASKS.test(said) || isOrder || isLooked)) return alone;
  if (GOES_ON.test(said) || GOES_BACK.test(said) || IS_PART.test(said)) return meant;
  const isOther = own.operation !== undefined && own.operation !== joint.operation;
  const isDeed =
    beginsWithDeed(said) &&
    (own.kind === 'lookup'
      ? named.length > 0 || count >= FEWEST.sentence
      : isOffer(own, reading) && lost > 0 && count >= FEWEST.unnamed);
  if (isOther && (isDeed || (isRead && count >= FEWEST.order && (ASKS.test(said) || isOrder)))) return alone;
  return !isRead && lost > 0 && count >= FEWEST.unnamed ? alone : meant;
}

/** The number of words and values of a message that an answer says it did not take. */
function lostOf({ remarks = '' }: GuidedAnswer, said: string): number {
  const typed = said.toLowerCase();
  return [...remarks.matchAll(NOT_TAKEN)]
    .flatMap(({ groups }) => groups?.items?.split(', ') ?? [])
    .filter((item) => typed.includes(item.replace(/[“”]/gu, '').toLowerCase())).length;
}
