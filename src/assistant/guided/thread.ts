import { wordsOf } from '../../language/sentence.ts';
import { phonesIn } from '../../platform/dialect/phone.ts';
import { readFacts } from './facts.ts';
import { peopleIn, withPeople } from './names.ts';
import { isPlanName } from './plans.ts';
import { factsOf } from './retraction.ts';
import { withLastDigits } from './stance.ts';

/*
 * A message after the earlier ones of its writer in a thread: "sorry, 0105" corrects the last order, "it" and "her" mean
 * the line or the person named last, "what does that cost" asks about the last order, and "forget it" takes it back.
 */

/** The meaning of a message in its thread. */
export interface Meant {
  /** The message with the words that only the thread explains in full. */
  text: string;
  /**
   * - `alone`: it needs no earlier message.
   * - `refers`: a word such as "it" was replaced.
   * - `corrects`: it is the last order with another value.
   * - `corrected`: it corrects itself: "cancel 0104, no wait, 0105".
   * - `again`: it asks for the last order once more, for another line.
   * - `adds`: it goes on with the last order: "account number is 445566" after "port in …".
   * - `cost`: it asks what the last order costs.
   * - `back`: it takes the last order back.
   */
  kind: 'alone' | 'refers' | 'corrects' | 'corrected' | 'again' | 'adds' | 'cost' | 'back';
  /** The earlier message that it is about, in full. */
  before?: string;
  /** The word that was replaced, and what it means. */
  word?: { said: string; means: string };
}

/**
 * @param earlier the writer's messages before it, oldest first
 * @param now epoch ms of the writer's clock, as if it were UTC
 */
export function meantIn(text: string, earlier: readonly string[], now: number): Meant {
  let last: string | undefined;
  let topic: Topic = {};
  for (const one of earlier) {
    const { text: full, kind } = meantAfter(one, last, topic, now);
    topic = topicOf(full, topic, now);
    if (kind !== 'cost' && kind !== 'back') last = full;
    if (kind === 'back') last = undefined;
  }
  return meantAfter(text, last, topic, now);
}

/** The line and the person that pronouns of the next message mean. */
interface Topic {
  line?: string;
  person?: string;
  /** The question about the line: its plan, or whether it is on hold. */
  part?: 'plan' | 'hold';
}

function meantAfter(said: string, last: string | undefined, topic: Topic, now: number): Meant {
  const text = said.trim();
  if (last !== undefined) {
    if (isBack(text)) return { text, kind: 'back', before: last };
    if (COST.test(text) && ASKS_AMOUNT.test(text) && values(text, now).length === 0)
      return { text, kind: 'cost', before: last };
    const again = AGAIN.exec(text);
    if (again) {
      const words = text.slice(again[0].length);
      const isFor = /\bfor\s+$/i.test(again[0]);
      const full = (isFor ? replacedFor(last, words, now) : undefined) ?? replaced(last, words, now);
      if (full !== undefined) return { text: full, kind: 'again', before: last };
    }
    if (
      PORTS_IN.test(last) &&
      ADDS.test(text) &&
      !values(text, now).some(({ kind }) => kind === 'number' || kind === 'digits')
    )
      return { text: `${last}, ${text}`, kind: 'adds', before: last };
    const corrected = correction(text, last, now);
    if (corrected !== undefined) return { text: corrected, kind: 'corrects', before: last };
  }
  const own = selfCorrected(text, now);
  return own ?? withReference(text, topic, now) ?? { text, kind: 'alone' };
}

/** Begins the part of a message that corrects what is before it. */
const SLIP =
  /[\s,;.!–—-]+(?=(?:no|nope|wait|sorry|oops|ups|whoops|actually|i\s+meant?|correction|rather|make\s+(?:it|that)|argh|damn|or\s+rather)\b)/giu;

/** A message with the value that its own end gives instead: "cancel 0104, no wait, 0105". Undefined for others. */
function selfCorrected(text: string, now: number): Meant | undefined {
  const { leftOut, message } = factsOf(text, now);
  // "0103, no, not 0103, 0104" is read with what it leaves out, and the text of a message as it is.
  if (leftOut.length > 0 || message !== undefined) return undefined;
  for (const { index, 0: gap } of text.matchAll(SLIP)) {
    const before = text.slice(0, index);
    const full = index === 0 ? undefined : correction(text.slice(index + gap.length), before, now);
    if (full !== undefined) return { text: full, kind: 'corrected', before };
  }
  return undefined;
}

const END = String.raw`[\s.!?]*$`;
const COST = new RegExp(
  String.raw`^\W*(?:(?:and|ok|okay|so|but|wait|hm+|please|well|hey|sure)[\s,]+)*(?:(?:what|how\s+much)(?:['’]?s|\s+(?:does|do|would|will|is|are|was))?\s+(?:(?:the\s+)?(?:costs?|price|charge|fee)\s*(?:of|for)?\s*)?(?:that|it|this|they|them|we\s+pay|the\s+(?:customer|fee|cost|price|charge))?(?:\s+(?:going\s+to\s+)?(?:costs?|be|charged?|for\s+(?:that|it|this)|per\s+month))*(?:\s+(?:us|me|them|her|him|the\s+customer|then|exactly|anyway|altogether|in\s+total))*|how\s+much|(?:(?:the|its|that['’]?s)\s+)?(?:price|costs?|fees?|charges?)|(?:does|will|would|is)\s+(?:that|it|this)\s+(?:costs?|free|billed|charged|cost\s+(?:anything|something|us|me)|cost\s+money)(?:\s+\w+)?|(?:is|are)\s+there\s+(?:an?|any)\s+(?:fees?|charges?|costs?)(?:\s+for\s+(?:that|it|this))?|any\s+(?:fees?|charges?|costs?)(?:\s+for\s+(?:that|it|this))?)${END}`,
  'i',
);
const ASKS_AMOUNT = /\b(?:cost|much|price|charge|fee|free|billed|pay)/i;
const BACK = new RegExp(
  String.raw`^\W*(?:(?:oh|ah|ok|okay|hm+|wait|sorry|please|pls|actually|well|stop|no+|nope|nah)[\s,.!]+)*(?:no+(?:\s+thanks?(?:\s+you)?)?|nope|nah|forget(?:\s+(?:about\s+)?(?:it|that|this))?|never\s*mind|nvm|scratch\s+(?:that|it)|drop\s+(?:it|that)|leave\s+(?:it|that)(?:\s+(?:be|alone|as\s+(?:it\s+)?is))?|cancel\s+(?:that|my\s+request|the\s+request|the\s+change)|undo\s+that|stop(?:\s+(?:it|that))?|don['’]?t(?:\s+(?:do\s+)?(?:it|that))?|do\s+not(?:\s+do\s+(?:it|that))?|not\s+(?:needed|any\s*more|now|yet)|no\s+need|take\s+(?:it|that)\s+back|withdraw(?:\s+(?:it|that|this|my\s+request))?|changed\s+my\s+mind|i\s+changed\s+my\s+mind|on\s+second\s+thoughts?(?:\s+no)?|abort|better\s+not|rather\s+not)(?:[\s,]+(?:please|pls|thanks?|thank\s+you|then|for\s+now|after\s+all|sorry))*${END}`,
  'i',
);

/** True for a message that takes the last order back. */
export function isBack(text: string): boolean {
  return BACK.test(text);
}

/** "And 0105?", "same for 0105": the last order for another line. */
const AGAIN =
  /^\W*(?:(?:please|ok|okay|now|thanks|great)[\s,]+)*(?:(?:and|also|plus)\s+(?:(?:the\s+)?same\s+)?(?:(?:for|on|with|to|of)\s+)?|(?:do\s+)?(?:the\s+)?same\s+(?:thing\s+)?(?:again\s+)?(?:for|on|with|to|of)\s+)(?=[#…*]*(?:\+?\d|\p{Lu}))/iu;

/** An order to port a number in, and what such an order needs besides. */
const PORTS_IN =
  /^(?!.*\b(?:out|away|cancel\w*|stop|check|status|where|why)\b).*\b(?:port(?:ing)?|bring|transfer)\b.*\d{3}/is;
const ADDS =
  /^\W*(?:(?:and|ok|okay|so|also|yes|here|sure|the|his|her|their|my|its|customer['’]?s)[\s,:]+)*(?:(?:current|old|losing)\s+)?(?:(?:account|acct|acc|a\/c)\b|pin\b|passcode\b|zip\b|carrier\b|provider\b|billing\b|(?:he|she|they)\s+(?:is|are)\s+with\b|from\s+\p{L}+\W*$)/iu;

const CUE =
  /\b(?:sorry|no|nope|nah|oops|whoops|ups|wait|actually|mean|meant|wrong|not|mistake|rather|correction|make|should|instead|typo|bad|said|other|argh|damn)\b/i;
/** All that a correction may have besides its value. */
const BESIDE: ReadonlySet<string> = new Set(
  "sorry no nope nah oops whoops ups wait actually i we you mean meant said wanted want wrong one line number not that this my bad mistake rather hmm hm oh ah uh correction make it its is should be been for to on of at the other instead please pls plz thanks thank better but and was typo by with ending in customer thats know ok okay well use take argh damn too also as both number's different till until from".split(
    ' ',
  ),
);

/** The last order with the value that a message gives instead: "no, to 0104". Undefined for other messages. */
function correction(text: string, last: string, now: number): string | undefined {
  if (!CUE.test(text) || text.length > 120) return undefined;
  // "Not 0103, 0105" and "0105, not 0103"
  const known = values(last, now);
  const [refused] = [
    ...text.matchAll(/\bnot\s+(?:for\s+|to\s+|on\s+|the\s+)?([#…*]*[\p{L}\d+][\p{L}\d'’+-]*)/giu),
  ].filter(([, one = '']) => known.some((value) => sameText(value.text, one)));
  const rest = refused ? text.replace(refused[0], ' ') : text;
  return replaced(last, rest, now, refused?.[1]);
}

/** A value in a text, as it is written. */
interface Value {
  kind: 'number' | 'digits' | 'area' | 'person' | 'amount' | 'day' | 'quoted' | 'address';
  text: string;
}

/** The text with another value of the same kind, if the words have one value and nothing else that counts. */
function replaced(last: string, words: string, now: number, refused?: string): string | undefined {
  const found = values(words, now);
  const [value, ...others] = found;
  if (!value || others.length > 0) return undefined;
  const beside = words
    .replace(value.text, ' ')
    .toLowerCase()
    .replace(/['’]s\b/g, ' ');
  if (beside.split(/[^\p{L}\d'’]+/u).some((word) => word !== '' && !BESIDE.has(word.replace(/['’]/g, ''))))
    return undefined;
  const old = values(last, now);
  const isPlace = ({ text }: Value) => refused === undefined || sameText(text, refused);
  const places = [value.kind, ...(INSTEAD[value.kind] ?? [])]
    .map((kind) => old.filter((one) => one.kind === kind && isPlace(one)))
    .find((some) => some.length > 0);
  const [place, ...more] = places ?? [];
  if (!place || more.length > 0) return undefined;
  // "Until Dec 3" becomes "until Dec 10".
  const [before = ''] = PREPOSITION.test(value.text) ? [] : (PREPOSITION.exec(place.text) ?? []);
  const by = place.kind === 'person' && value.kind !== 'person' ? value.text.replace(/^[#…*]+/, '') : value.text;
  return last.replace(place.text, () => `${before}${by}`);
}

/** "Block +1917… for Ava", and then "for 0102": the name after "for" is replaced, and not the other number. */
function replacedFor(last: string, words: string, now: number): string | undefined {
  const [whose, ...others] = values(last, now).filter(({ text }) => FOR_WHOM.test(last.slice(0, last.indexOf(text))));
  const [value, ...more] = values(words, now);
  if (!whose || others.length > 0 || !value || more.length > 0 || !WHOM.has(value.kind) || !WHOM.has(whose.kind))
    return undefined;
  const own = replaced(`for ${whose.text}`, words, now);
  return own === undefined ? undefined : last.replace(`${whose.text}`, () => value.text);
}

const FOR_WHOM = /\bfor\s+[#…*]*$/i;
const WHOM: ReadonlySet<Value['kind']> = new Set(['number', 'digits', 'person']);

const PREPOSITION = /^(?:until|till|til|by|from|on|since|before|after)\s+/i;

/** Kinds that name the same thing in another way. */
const INSTEAD: Partial<Record<Value['kind'], readonly Value['kind'][]>> = {
  number: ['digits', 'person'],
  digits: ['number', 'person'],
  person: ['digits'],
};

function sameText(one: string, other: string): boolean {
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replace(/['’]s$/, '')
      .replace(/^[#…*]+/, '');
  return plain(one) === plain(other);
}

/** The values of a text as they are written. */
function values(text: string, now: number): Value[] {
  const facts = readFacts(text, now);
  const quoted = [...text.matchAll(/["“„][^"“”„]{1,1600}["”“]/g)].map(
    ([one]): Value => ({ kind: 'quoted', text: one }),
  );
  const bare = quoted.reduce((rest, one) => rest.replace(one.text, ' '), text);
  const numbers = [...bare.matchAll(/\+?\(?\d[\d\s()./-]{5,18}\d/g)]
    .filter(([one]) => phonesIn(one).length > 0)
    .map(([one]): Value => ({ kind: 'number', text: one }));
  const digits = facts.mentions.flatMap(({ isWhole, text: one }): Value[] =>
    isWhole ? [] : [{ kind: 'digits', text: one }],
  );
  const areas = [
    ...bare.matchAll(
      /(?<![\d+().-]|\d\s)\d{3}(?!\d|[\s.-]?\d|\s*(?:gb|mb|kbps|mbps|gig|meg|usd|dollars?|days?|hours?)\b)/gi,
    ),
  ].map(([one]): Value => ({ kind: 'area', text: one }));
  const amounts = facts.volumes.map(({ text: one }): Value => ({ kind: 'amount', text: one }));
  const days = facts.times.flatMap(({ day, text: one }): Value[] =>
    day && bare.includes(one) ? [{ kind: 'day', text: one }] : [],
  );
  const addresses = [facts.email, facts.url].flatMap((one): Value[] =>
    one === undefined ? [] : [{ kind: 'address', text: one }],
  );
  const people = namesIn(facts.rest).map((one): Value => ({ kind: 'person', text: one }));
  return [...quoted, ...numbers, ...digits, ...areas, ...amounts, ...days, ...addresses, ...people];
}

function namesIn(rest: string): string[] {
  const parts = rest.split(/[,;.!?]+(?:\s|$)/);
  const names = parts.flatMap((part) => peopleIn(withPeople(wordsOf(withLastDigits(part)))));
  return names.filter((name) => !isPlanName(name) && !name.split(' ').every((word) => BESIDE.has(word.toLowerCase())));
}

const PLAN = /\b(?:plan|package|bundle|tariff|subscription)\b/i;
const HOLD = /\bon\s+(?:hold|pause)\b|\b(?:parked|suspended|paused|frozen|hold)\b/i;
const LEAD = String.raw`(?:(?:ok|okay|so|then|and|please|pls|well|great|thanks|can|could|you|we|let['’]?s|just|now)[\s,]+)*`;
const IT = '(?:it|that|this|her|him|them|the\\s+(?:line|number|plan|package))';
/** "Change it to Starter", after a question of the plan. */
const TO_PLAN = new RegExp(
  `^\\W*${LEAD}(?:change|switch|move|set|make|upgrade|downgrade|put|subscribe)\\s+${IT}\\s+(?:over\\s+)?(?:to|on|onto)\\s+(?:the\\s+)?(?<name>\\p{L}[\\p{L}\\d'’+-]*(?:\\s+(?!(?:please|pls|then|now|thanks|plan|package|bundle|tariff)\\b)\\p{L}[\\p{L}\\d+-]*)?)(?:\\s+(?:plan|package|bundle|tariff))?(?<after>(?:\\s+(?:please|pls|then|now|thanks))*[\\s.!]*)$`,
  'iu',
);
/** "Take it off", after a question of the hold. */
const OFF_HOLD = new RegExp(
  `^\\W*${LEAD}(?:take|get|bring)\\s+${IT}\\s+(?:back\\s+)?off(?:\\s+(?:please|pls|then|now))*[\\s.!]*$`,
  'iu',
);

/** A message about the plan or the hold that was asked for before, in full. Undefined for others. */
function ofPart(text: string, { line, person, part }: Topic): Meant | undefined {
  const means = line ?? person;
  if (means === undefined || part === undefined) return undefined;
  const name = part === 'plan' ? TO_PLAN.exec(text)?.groups?.name : undefined;
  const isOff = part === 'hold' && OFF_HOLD.test(text);
  const said = /\b(?:it|that|this|her|him|them|line|number|plan|package)\b/i.exec(text)?.[0] ?? 'it';
  const word = { said, means };
  // “Hold” or a pronoun is no plan.
  if (name !== undefined && !/^(?:hold|pause|it|them|me|us|her|him)$/i.test(name))
    return { text: `put ${means} on the ${name} package`, kind: 'refers', word };
  return isOff ? { text: `take ${means} off hold`, kind: 'refers', word } : undefined;
}

/** The meaning of "it" and "her" after a message. */
function topicOf(text: string, before: Topic, now: number): Topic {
  const found = values(text, now);
  const lines = found.filter(({ kind }) => kind === 'digits');
  const numbers = found.filter(({ kind }) => kind === 'number');
  const [line, ...others] = lines.length > 0 ? lines : numbers;
  const [person, ...more] = found.filter(({ kind }) => kind === 'person');
  if (!line && !person) return before;
  const part = PLAN.test(text) ? 'plan' : HOLD.test(text) ? 'hold' : undefined;
  return {
    ...(part && { part }),
    ...(line && others.length === 0 && { line: line.text }),
    ...(person && more.length === 0 && { person: person.text }),
  };
}

const OWNER =
  /\b(?:his|its|their|(?:her)(?=\s+(?!to\b|on\b|off\b|for\b|from\b|at\b|in\b|now\b|today\b|tomorrow\b|please\b|pls\b|again\b|back\b|that\b|until\b|till\b|asap\b)\p{L}))\b/iu;
const OBJECT =
  /\b(?:(?:this|that|the\s+same)\s+(?:line|number|one|phone|sim|customer|subscriber)|them|him|her|she|he|they|it)\b/i;
/** "It" that stands for nothing: "is it possible", "make it clear". */
const IDLE =
  /\b(?:it\s+(?:seems|looks|is\s+(?:possible|clear|fine|ok|late))|is\s+it\s+(?:possible|true|ok|safe|worth)|what\s+is\s+it|who\s+(?:did|was|is)\s+it|do(?:es)?\s+it\s+cost)\b/i;
const PEOPLE = /^(?:him|her|she|he|they|them|his|their)$/i;
const THINGS = /^(?:it|its|this|that|they|them|their)$/i;
const RECORD =
  /\b(?:webhooks?|hooks?|trunks?|routes?|packages?|products?|ports?|port-?ins?|orders?|filters?|invoices?|workgroups?|recordings?|servers?|address|url|email|password)\b/i;
/** Before a word that stands for the customer whose list another number is put on. */
const FOR = /\b(?:for|of|on|calling|texting|reaching|bothering|from|to)\s+$/i;

/** Before the thing that a person gets. */
const GIVEN =
  /\b(?:give|assign|reassign|transfer|move|hand(?:\s+over)?|pass|put|attach|link|switch|set|make|text|send|forward)\s+(?:over\s+)?$/i;

/** The message with the line or the person in place of the first "it" or "her". Undefined if it needs none. */
function withReference(text: string, topic: Topic, now: number): Meant | undefined {
  const { line, person } = topic;
  const part = ofPart(text, topic);
  if (part) return part;
  if ((line === undefined && person === undefined) || IDLE.test(text)) return undefined;
  const quotes = [...text.matchAll(/["“„][^"“”„]*["”“]/g)];
  const isQuoted = (at: number) => quotes.some(({ index, 0: one }) => at >= index && at < index + one.length);
  const found = [OWNER, OBJECT]
    .map((pattern) => pattern.exec(text))
    .filter((match): match is RegExpExecArray => match !== null && !isQuoted(match.index))
    .sort((one, other) => one.index - other.index)[0];
  if (!found) return undefined;
  const own = values(text, now).filter(({ kind }) => kind === 'digits' || kind === 'person' || kind === 'number');
  // "0103 is stuck, cancel it" says itself what "it" is. "Block +1312… for her" names another number.
  const isOther = own.every(({ kind, text: one }) => kind === 'number' && text.indexOf(one) < found.index);
  const word = found[0];
  // "The webhook is broken, delete it" says itself what "it" is.
  if (THINGS.test(word) && RECORD.test(text.slice(0, found.index))) return undefined;
  // "Give it to Ben" names who gets the line.
  const isGiven =
    line !== undefined &&
    !PEOPLE.test(word) &&
    GIVEN.test(text.slice(0, found.index)) &&
    own.every(({ kind, text: one }) => kind === 'person' && text.indexOf(one) > found.index);
  if (own.length > 0 && !isGiven && !(isOther && FOR.test(text.slice(0, found.index)))) return undefined;
  const means = (PEOPLE.test(word) ? (person ?? line) : (line ?? person)) ?? '';
  const isOwner = OWNER.exec(text)?.index === found.index;
  const full = `${text.slice(0, found.index)}${isOwner ? `${means}'s` : means}${text.slice(found.index + word.length)}`;
  return { text: full, kind: 'refers', word: { said: word, means } };
}
