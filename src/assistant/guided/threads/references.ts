import type { GuidedAnswer } from '../answers/answer.ts';
import { orders } from '../answers/endings.ts';
import { type Value, values } from '../answers/thread-values.ts';
import { isOffer, type Meant, portOf, type Reading, type Topic } from '../answers/topics.ts';
import { factsOf } from '../facts/retraction.ts';
import { ofLists } from './list-references.ts';
import { ofRemoved } from './removed-values.ts';

/* Messages with words that stand for a record of an earlier one: "it", "her", "there", "the second one", "that port". */

const LEAD = String.raw`(?:(?:ok|okay|so|then|and|please|pls|well|great|thanks|can|could|you|we|let['’]?s|just|now)[\s,]+)*`;
const IT = '(?:it|that|this|her|him|them|the\\s+(?:line|number|plan|package))';
/** "Change it to Starter", after a question of the plan. */
const TO_PLAN = new RegExp(
  `^\\W*${LEAD}(?:change|switch|move|set|make|upgrade|downgrade|put|subscribe)\\s+${IT}\\s+(?:over\\s+)?(?:to|on|onto)\\s+(?:the\\s+)?(?<name>\\p{L}[\\p{L}\\d'’+-]*(?:\\s+(?!(?:please|pls|then|now|thanks|plan|package|bundle|tariff)\\b)\\p{L}[\\p{L}\\d+-]*)?)(?:\\s+(?:plan|package|bundle|tariff))?(?<after>(?:\\s+(?:please|pls|then|now|thanks))*[\\s.!]*)$`,
  'iu',
);
/** "Take it off", after a question of the hold. */
const OFF_HOLD = new RegExp(
  `^\\W*${LEAD}(?:take|get|bring)\\s+${IT}\\s+(?:back\\s+)?off(?:\\s+(?:please|pls|then|now|again|asap|today|for\\s+me|hold|pause|it))*[\\s.!]*$`,
  'iu',
);

/** "Swap it", after a question of the SIM. */
const SWAPS = new RegExp(
  `^\\W*${LEAD}(?:swap|change|replace|exchange)\\s+(?:it|that|this|her|him|the\\s+(?:sim|one))(?:\\s+(?:please|pls|then|now|out|today|for\\s+(?:her|him|them)))*[\\s.!]*$`,
  'iu',
);

/** "Swap her to 89…": the serial says that it is about the SIM. */
const TO_SERIAL = new RegExp(
  `^\\W*${LEAD}(?:swap|change|switch|move|replace|put|set)\\s+(?<who>${IT}|(?:her|his|their|its|the)\\s+(?:e?sim|iccid))\\s+(?:over\\s+)?(?:to|with|on|onto|for|by)\\s+(?:the\\s+)?(?:(?:new|other)\\s+)?(?:(?:e?sim|iccid|serial)\\s+)?(?<serial>89\\d{17,20})\\b`,
  'iu',
);

/** "What happens when she hits it", after a question of the limit. */
const AT_LIMIT =
  /^(?<before>.*\bwhat\s+happens\b.*\b(?:when|if|once|after)\b[^.;!?]*\b(?:hits?|reach(?:es)?|passes|exceeds?|(?:goes|gets|is)\s+(?:over|past|above|to|near)|uses?\s+(?:up\s+)?)\s+)(?<it>it|that|this)\b(?<after>.*)$/iu;

/** A message about the plan or the hold that was asked for before, in full. Undefined for others. */
function ofPart(text: string, { line, person, part }: Topic): Meant | undefined {
  const means = line ?? person;
  const { who, serial } = TO_SERIAL.exec(text)?.groups ?? {};
  if (means !== undefined && who !== undefined && serial !== undefined)
    return { text: `swap the sim of ${means} to ${serial}`, kind: 'refers', word: { said: who, means } };
  if (means === undefined || part === undefined) return undefined;
  const limit = part === 'data' ? AT_LIMIT.exec(text)?.groups : undefined;
  if (limit?.before !== undefined && limit.it !== undefined)
    return {
      text: `${limit.before}the limit${limit.after ?? ''}`,
      kind: 'refers',
      word: { said: limit.it, means: 'the limit' },
    };
  const name = part === 'plan' ? TO_PLAN.exec(text)?.groups?.name : undefined;
  const isOff = part === 'hold' && OFF_HOLD.test(text);
  const said = /\b(?:it|that|this|her|him|them|line|number|plan|package)\b/i.exec(text)?.[0] ?? 'it';
  const word = { said, means };
  if (part === 'sim' && SWAPS.test(text)) return { text: `swap the sim of ${means}`, kind: 'refers', word };
  // “Hold” or a pronoun is no plan.
  if (name !== undefined && !/^(?:hold|pause|it|them|me|us|her|him)$/i.test(name))
    return { text: `put ${means} on the ${name} package`, kind: 'refers', word };
  return isOff ? { text: `take ${means} off hold`, kind: 'refers', word } : undefined;
}

const NOUNS =
  '(?:lines|numbers|sims|customers|subscribers|clients|users|people|accounts|plans|packages|products|ports|port-?ins|orders|routes|trunks|webhooks|filters|everyone|everybody|anyone|anybody|who\\s+(?:is|are|has|have)(?=\\s[^.;!?]*\\btheir\\b))';
/** A word for several records, or for any of them, before the pronoun that stands for it. */
const OWN_NOUN = new RegExp(
  String.raw`(?<!\b(?:these|those|both|two|three|the)\s+)\b${NOUNS}\b(?!\s+(?:(?:of|for|from|to|on)\s+)?(?:them|they|their|these|those)\b)[^.;!?]*\b(?:their|they|them)\b|\b(?:which|what|any|every|each)\s+(?:\p{L}+\s+)?(?:line|number|sim|customer|subscriber|plan|package|route|order)\b(?!['’]?s?\s+(?:is|are|was|does|do|did|has|have)\s+(?:it|he|she|they|this|that)\b)[^.;!?]*\b(?:its|their|they|them)\b`,
  'iu',
);

const OWNER =
  /\b(?:his|its|their|(?:her)(?=\s+(?!to\b|by\b|via\b|on\b|off\b|for\b|from\b|at\b|in\b|now\b|today\b|tomorrow\b|please\b|pls\b|again\b|back\b|that\b|until\b|till\b|asap\b|its\b|it\b|it['’]s|you\b|your\b|we\b|our\b|the\b|this\b|i\b|is\b|are\b|an?\b|when\b|if\b|not\b|hello\b|hi\b|about\b|why\b|what\b|how\b)\p{L}))\b/iu;
const OBJECT =
  /\b(?:(?:this|that|the\s+same)\s+(?:line|number|one|phone|sim|customer|subscriber)|the\s+(?:line|number|customer|subscriber|client)(?!['’]|\s+(?:of|for|ending|with|in|on|from|is\s+\d|\d|called|named|who|which|that|will|wants|needs|has|is|was))|them|him|her|(?:she|he)(?:['’]s|s\b)|she|he|they|it|(?<=\b(?:is|was|does)\s+)(?:that|this)(?=\s+(?:over|above|below|under|still|active|parked|blocked|enough|normal))|(?<=\b(?:\p{L}+)\s+)(?:that|this)(?=\s*(?:$|[.!?,;]|\b(?:please|pls|then|now|too|again|instead|on|until|till|at|today|tomorrow|for)\b)))(?![\p{L}’'])/iu;
/** "Its stuck" is "it is stuck". */
const IS_IT =
  /^its\s+(?:\d[\w-]*|been|not|still|now|just|so|too|already|gone|stuck|dead|broken|slow|down|off|on|lost|late|late|taking|a|an|the|ok|fine|urgent|gonna|working|active|over|done|rejected|\p{L}{3,}(?:ed|ing))\b/iu;
/** "It" that stands for nothing: "is it possible", "make it clear". */
const IDLE =
  /\b(?:it\s+(?:seems|looks|is\s+(?:possible|clear|fine|ok|late))|is\s+it\s+(?:possible|true|ok|safe|worth)|what\s+is\s+it|who\s+(?:did|was|is)\s+it|do(?:es)?\s+it\s+cost)\b/i;
const PEOPLE = /^(?:him|her|(?:s?he)['’]?s|she|he|they|them|his|their)$/i;
const THINGS = /^(?:it|its|this|that|they|them|their)$/i;
const RECORD =
  /\b(?:webhooks?|hooks?|trunks?|routes?|packages?|products?|ports?|port-?ins?|orders?|filters?|invoices?|workgroups?|recordings?|servers?|address|url|email|password)\b/i;
/** "Is there a package on it": a record that a line may have. */
const OF_LINE =
  /\b(?:any|an?|no|which|what)\s+(?:\p{L}+\s+)?(?:packages?|plans?|products?|filters?|ports?|orders?)\s+(?:(?:is|are)\s+)?(?:on|for|with|of)\s+$/iu;
/** Before a word that stands for the customer whose list another number is put on. */
const FOR = /\b(?:for|of|on|calling|texting|reaching|bothering|from|to)\s+$/i;

/** Before the thing that a person gets. */
const GIVEN =
  /\b(?:give|assign|reassign|transfer|move|hand(?:\s+over)?|pass|put|attach|link|switch|set|make|text|send|forward)\s+(?:over\s+)?$/i;
/** Gives a person a line: "give her 0110", "assign 0110 to him". */
const GIVES_LINE =
  /\b(?:give|gets?|assign|reassign|transfer|move|hand|pass)\s+(?:over\s+)?(?:(?:him|her|them)\s+(?:the\s+)?(?:line|number)?\s*[#…*]*\d{4}|(?:the\s+)?(?:line\s+|number\s+)?[#…*]*\d{4}\s+(?:over\s+)?to\s+(?:him|her|them))\b/i;

/** The message with the record in place of the word that stands for it. Undefined if it needs none. */
export function withReference(text: string, topic: Topic, now: number, reading: Reading): Meant | undefined {
  const { message } = factsOf(text, now);
  const typedAt = message === undefined ? text.length : text.indexOf(message);
  // The text of a message stays as it is typed.
  const isQuoted = (at: number) =>
    (typedAt >= 0 && at >= typedAt) ||
    [...text.matchAll(/["“„][^"“”„]*["”“]/g)].some(({ index, 0: one }) => at >= index && at < index + one.length);
  // "Which customers are over their limit" says itself whose limit.
  const isOwn = OWN_NOUN.test(text);
  return (
    ofPart(text, topic) ??
    ofRemoved(text, topic) ??
    ofLists(text, topic) ??
    ofBareDeed(text, topic) ??
    (isOwn ? undefined : ofSeveral(text, topic, now)) ??
    ofPort(text, topic, now, reading) ??
    ofPlace(text, topic, now) ??
    (isOwn ? undefined : ofPronoun(text, topic, { now, reading, isQuoted })) ??
    ofNothing(text, topic, now, reading)
  );
}

function ofPronoun(
  text: string,
  topic: Topic,
  { now, reading, isQuoted }: { now: number; reading: Reading; isQuoted: (at: number) => boolean },
): Meant | undefined {
  const { line, person } = topic;
  if ((line === undefined && person === undefined) || IDLE.test(text)) return undefined;
  const found = [OWNER, OBJECT]
    .map((pattern) => pattern.exec(text))
    .filter((match): match is RegExpExecArray => match !== null && !isQuoted(match.index))
    .sort((one, other) => one.index - other.index)[0];
  if (!found) return undefined;
  const given = namesGiven(reading.of(text));
  const isGivenName = ({ kind, text: name }: Value) => kind === 'person' && given.includes(name.toLowerCase());
  const own = values(text, now).filter(
    (one) => (one.kind === 'digits' || one.kind === 'person' || one.kind === 'number') && !isGivenName(one),
  );
  // "0103 is stuck, cancel it" says itself what "it" is. "Block +1312… for her" names another number.
  const isOther = own.every(({ kind, text: one }) => kind === 'number' && text.indexOf(one) < found.index);
  const word = found[0];
  const before = text.slice(0, found.index);
  // "The webhook is broken, delete it" says itself what "it" is.
  if (THINGS.test(word) && RECORD.test(before) && !OF_LINE.test(before)) return undefined;
  // "Give it to Ben" names who gets the line, and "give her 0110" the line that she gets.
  const isGiven =
    line !== undefined &&
    !PEOPLE.test(word) &&
    GIVEN.test(before) &&
    own.every(({ kind, text: one }) => kind === 'person' && text.indexOf(one) > found.index);
  // "Create her" after a search that found nobody.
  const isMade = /\b(?:create|add|register|make)\s+$/i;
  const isRenamed =
    PEOPLE.test(word) &&
    ((person ?? line) !== undefined && /\brename\s+$/i.test(before)
      ? true
      : person !== undefined && (/\b(?:call|name)\s+$/i.test(before) || isMade.test(before)));
  const isOfPort =
    THINGS.test(word) && own.every(({ kind }) => kind === 'person') && portOf(topic, reading) !== undefined;
  const isReceiver = person !== undefined && PEOPLE.test(word) && GIVES_LINE.test(text);
  // "Forward his calls to +1…" names where they go, and whose they are by the pronoun alone.
  const isTarget =
    OWNER.exec(text)?.index === found.index &&
    own.every(({ kind, text: one }) => kind !== 'person' && /\bto\s+$/i.test(text.slice(0, text.indexOf(one))));
  if (
    own.length > 0 &&
    !isGiven &&
    !isTarget &&
    !isOfPort &&
    !isReceiver &&
    !isRenamed &&
    !(isOther && FOR.test(before))
  )
    return undefined;
  const port = PEOPLE.test(word) || /\bwatch/i.test(text) ? undefined : portOf(topic, reading);
  const isPerson = PEOPLE.test(word) && (isRenamed || isReceiver || topic.asksOwner === true || OF_PERSON.test(text));
  // "Rename him" after a line is about its holder.
  const holder = isRenamed && person === undefined && line !== undefined ? `the customer of ${line}` : undefined;
  const means = holder ?? (isPerson ? (person ?? line) : (port ?? line ?? person)) ?? '';
  const isOwner = OWNER.exec(text)?.index === found.index;
  const isIs = /^s?he['’]?s$/i.test(word) || (/^its$/i.test(word) && IS_IT.test(text.slice(found.index)));
  const after = text.slice(found.index + word.length);
  // "Text him welcome" has the text of the message at its end.
  const typed = TEXTS.test(before) && !isOwner ? MESSAGE.exec(after)?.groups?.text : undefined;
  if (typed !== undefined) return { text: `${before}${means} "${typed}"`, kind: 'refers', word: { said: word, means } };
  const full = `${before}${isIs ? `${means} is` : isOwner ? `${means}'s` : means}${text.slice(found.index + word.length)}`;
  return { text: full, kind: 'refers', word: { said: word, means } };
}

/** The caller name that an order sets, which is the name of no customer. */
function namesGiven({ input }: GuidedAnswer): string {
  return [input.CnamFirstName, input.CnamLastName].filter(Boolean).join(' ').toLowerCase();
}

/** Attributes of a person, which do not depend on the line that was named. */
const OF_PERSON = /\b(?:names?|e-?mail|role|manager|admin|account|lines|numbers|person|customer|subscriber)\b/i;

const TEXTS = /(?:^|[\s,])(?:text|sms|message|msg|tell)\s+$/i;
/** The text of a message behind its receiver. */
const MESSAGE =
  /^\s+(?:(?:by|via|per)\s+(?:text|sms|message)\s+)?(?!(?:by|via|per)\s+(?:text|sms|message)\b)(?!(?:about|to|that|when|if|once|saying|back|again|too|please|pls|now|then|and|or|from|on|at|for|with|later|asap|today|tomorrow|when|why|what|how|who|where|regarding|via|a|an|some|something|the\s+(?:same|news|price|pin|code))\b)(?<text>[^"“”„:]{2,300}?)\s*$/i;

const BARE_DEED = new RegExp(
  String.raw`^\W*${LEAD}(?:(?:no|nope|wait|sorry|actually|rather|better|instead|only|i\s+meant?)[\s,]+)*(?<verb>suspend|park|pause|freeze|hold|cancel|disconnect|terminate|reactivate|activate|unpark|resume|unfreeze|restore)(?:[\s,]+(?:instead|please|pls|plz|then|now|asap|rather|for\s+now|again|thanks?|today|tomorrow|until\s+\S+|till?\s+\S+|from\s+\S+|on\s+\p{L}+day|next\s+\p{L}+))*(?:[\s,]+(?:but|if|unless|until|till|til|before|after|from|on|at|not)\s[\s\S]{1,60})?[\s.!]*$`,
  'iu',
);

/** Adds the line of the message before to "Suspend instead", "then reactivate". */
function ofBareDeed(text: string, { line, person, lines }: Topic): Meant | undefined {
  const means = lines?.length ? undefined : (line ?? person);
  const verb = BARE_DEED.exec(text)?.groups?.verb;
  if (verb === undefined || means === undefined || /\bhold\s+on\b/i.test(text)) return undefined;
  return { text: text.slice(text.indexOf(verb)).replace(verb, () => `${verb} ${means}`), kind: 'read' };
}

const ORDINALS: readonly RegExp[] = ['first|1st', 'second|2nd', 'third|3rd', 'fourth|4th', 'fifth|5th'].map(
  (words) =>
    new RegExp(
      String.raw`\bthe\s+(?:${words})(?:\s+(?:one|line|number|of\s+(?:them|those)))?(?!\s+(?:of|time|day|week|month|plan)\b)\b`,
      'i',
    ),
);
const LAST =
  /\bthe\s+(?:last|latter)(?:\s+(?:one|line|number))?(?!\s+(?:\d|few|week|month|day|night|hour|text|message|time)\p{L}*)\b/iu;
const BOTH =
  /\b(?:both(?:\s+of\s+(?:them|those|these))?(?:\s+(?:lines|numbers))?|them(?:\s+(?:all|both))?|(?:all|the)\s+(?:of\s+(?:them|those)|two|three|four)|those(?:\s+(?:two|three|lines|numbers))?|these(?:\s+(?:two|three|lines|numbers))?|all\s+of\s+(?:them|these|those))\b/i;

const ORDINAL_ONE =
  /\bthe\s+(?:first|second|third|fourth|fifth|last|1st|2nd|3rd|4th|other|latter)\s+(?:one|line|number|request|order|port|webhook|plan|route|customer)s?\b|\bthe\s+(?:first|second|third)\W*$|\b(?:first|second|third|last|other)\s+one\b|\bboth\b(?!\s+(?:[#…*]*\d|calls|texts|\p{L}+\s+and))/iu;

/** "The first one", of records that only the answer before lists. */
export function ordinalIn(text: string): string | undefined {
  return ORDINAL_ONE.exec(text)?.[0];
}

/** "The first two", "the last 3 numbers" */
const FIRST_FEW =
  /\bthe\s+(?:first|last)\s+(?<count>two|three|four|[2-4])\b(?:\s+(?:ones?|lines?|numbers?|of\s+(?:them|those)))?/iu;
const COUNTS = ['two', 'three', 'four', '2', '3', '4'];

/** "Raise their limit": the value of each of several lines. */
const THEIR =
  /\b(?<their>their)\s+(?<what>(?:data\s+)?(?:limits?|caps?|usage)|data|texts?|texting|calls?|calling|voice|sms|plans?|packages?|(?:voice|message)\s+routes?|routes?|caller\s+(?:names?|ids?)|sims?)\b/iu;

/** Reads "Suspend the second one", "both", "their limit" as lines of the message before. */
function ofSeveral(
  text: string,
  { listed, lines = listed?.map(({ name }) => name.slice(-4)) }: Topic,
  now: number,
): Meant | undefined {
  if (lines === undefined || values(text, now).some(({ kind }) => kind === 'digits' || kind === 'number'))
    return undefined;
  const some = FIRST_FEW.exec(text);
  const count = COUNTS.indexOf(some?.groups?.count?.toLowerCase() ?? '') % 3;
  if (some && count >= 0 && lines.length > count + 1) {
    const isEnd = /^the\s+last/i.test(some[0]);
    const means = (isEnd ? lines.slice(-(count + 2)) : lines.slice(0, count + 2)).join(' and ');
    return { text: text.replace(some[0], () => means), kind: 'refers', word: { said: some[0], means } };
  }
  const { their, what } = THEIR.exec(text)?.groups ?? {};
  if (their !== undefined) {
    const means = lines.join(' and ');
    return { text: text.replace(THEIR, () => `${what} of ${means}`), kind: 'refers', word: { said: their, means } };
  }
  const at = ORDINALS.findIndex((pattern) => pattern.test(text));
  // “Them” after one line may be its customer.
  const pattern = at >= 0 ? ORDINALS[at] : LAST.test(text) ? LAST : lines.length > 1 ? BOTH : undefined;
  const means = at >= 0 ? lines[at] : pattern === LAST ? lines.at(-1) : lines.join(' and ');
  const said = pattern?.exec(text)?.[0];
  if (said === undefined || means === undefined) return undefined;
  return { text: text.replace(said, () => means), kind: 'refers', word: { said, means } };
}

const THE_PORT =
  /\b(?:the|this|that|his|her|their)\s+(?:port(?:ing|[\s-]?in)?(?:\s+(?:order|request))?|order|transfer)\b(?!\s+(?:of|for|from|pin|out|number)\b)/i;
const THE_ONE = /\b(?:the|that|this)\s+one\s+(?:for|of|from|with)\s+(?=\+?\(?\d)/i;
/** Matches what is said of a port-in without naming it. */
const OF_PORTS =
  /\b(?:zip|account|acct|pin|carrier|billing|rejected|reject(?:ion)?|foc|status|stuck|delayed|done|complete[ds]?|finish(?:ed|es)?|news|updates?|late|reason|why|how\s+long|when|eta|resubmit|correct|(?:foc|port(?:ing)?|activation|transfer|the|its)\s+date|gone?\s+(?:through|thru)|name|address)\b/i;

const QUESTION = /\?|^\W*(?:what(?:['’]?s)?|which|who|where|when|is|was|does|did|has|do)\b/i;

/** Applies "Cancel that port", "the one for +1…", "correct the zip" to the port-in of the message before. */
function ofPort(text: string, topic: Topic, now: number, reading: Reading): Meant | undefined {
  const isPin = /\b(?:pin|zip|passcode)\b/i.test(text);
  // A PIN or a ZIP code is no line.
  const isOwn = ({ kind }: Value) => kind === 'number' || kind === 'id' || (kind === 'digits' && !isPin);
  const own = values(text, now).some(isOwn);
  const name = own ? undefined : portOf(topic, reading);
  const said = THE_PORT.exec(text)?.[0];
  // A port-out PIN belongs to a line, and to no port-in.
  if (name === undefined || /\b(?:port(?:ing)?[\s-]?out|transfer)\s+pin\b/i.test(text)) return undefined;
  if (/\bhold[\s-]?up\b/i.test(text)) return { text: `why is ${name} delayed`, kind: 'read' };
  if (said !== undefined) return { text: text.replace(said, () => name), kind: 'refers', word: { said, means: name } };
  // The digits of a PIN are a secret, which is typed into the form alone.
  if (/\b(?:pin|passcode)\b/i.test(text) && !QUESTION.test(text))
    return { text: `correct the pin of ${name}`, kind: 'read' };
  if ((!isPin && (OBJECT.test(text) || OWNER.test(text))) || !OF_PORTS.test(text) || /["“„]/.test(text))
    return undefined;
  const plain = text.replace(/[\s.?!]+$/, '');
  // A comma would part the value from what it is for.
  const whole = /\b(?:fix|correct|change|update)\b/i.test(text) ? plain.replace(/\s*,\s*/g, ' ') : plain;
  return { text: `${whole} for ${name}`, kind: 'refers', word: { said: text, means: name } };
}

const MEANS =
  /^\W*(?:(?:no|nope|sorry|oops|wait|oh|ah|actually|ok|okay|rather|wrong(?:\s+(?:one|order|number))?)[\s,.!]+)*(?:i\s+(?:actually\s+|really\s+)?mean[t]?|i\s+was\s+(?:asking|talking)\s+about|what\s+about|try|make\s+(?:it|that))\s+/iu;
const ORDER_ID = /\b(?:(?:the\s+)?(?:port(?:-?in)?\s+)?order\s+)?JNUOID-[\w-]+/iu;

/** "Sorry, I mean the one for +1…" after a question about an order: the same question about the order of that number. */
export function ofOtherOrder(text: string, last: string): string | undefined {
  const rest = text.replace(MEANS, '');
  const number =
    /^(?:the|that)\s+(?:one|port(?:-?in)?|order)\s+(?:for|of|from|with)\s+(?<number>\+?[\d\s().-]{10,18})[\s.!?]*$/iu.exec(
      rest,
    )?.groups?.number;
  if (rest === text || number === undefined || !ORDER_ID.test(last)) return undefined;
  return last.replace(ORDER_ID, () => `the port of ${number.trim()}`);
}

/** "Which ports are stuck", and then "cancel the one for +1…". */
export function withPort(text: string, last: string, isAboutPorts: (text: string) => boolean): string | undefined {
  const said = THE_ONE.exec(text)?.[0];
  return said !== undefined && isAboutPorts(last) ? text.replace(said, 'the port of ') : undefined;
}

const READS =
  /^\W*(?:(?:and|ok|so|show|me|check|get|see|please|what['’]?s|whats|the|current|data|call|full|also)\s+)*(?:usage|history|plan|package|limits?|status|texts|messages|calls|events|changes|blocklist|filters?|routes?|holder|owner)(?:\s+(?:please|pls|too|now))*[\s.?!]*$/i;
const EVERYONE = /\b(?:all|every\w*|each|another|any|we|our|us)\b/i;
/** Operations that make something for which no line is needed. */
const MAKES =
  /^numbers_(?:provision|portin)|_create$|^(?:webhook|packages|products|message_routes|voice_routes|workgroups)_/;

/** "Usage", "turn off texts": a question or an order without a record, of the line that the message before is about. */
function ofNothing(text: string, { line, person }: Topic, now: number, reading: Reading): Meant | undefined {
  const means = line ?? person;
  if (means === undefined || text.length > 60 || text.includes('"')) return undefined;
  if (values(text, now).some(({ kind }) => WHOSE.has(kind)) || ordinalIn(text) !== undefined) return undefined;
  const plain = text.replace(/[\s.?!]+$/, '');
  const carries = ({ input, find }: GuidedAnswer) => JSON.stringify([input, find?.input]).includes(means);
  if (READS.test(text) && !EVERYONE.test(text)) {
    const full = /\bplan|\bpackage/i.test(text) ? `which plan is ${means} on` : `${plain} of ${means}`;
    return carries(reading.of(full)) ? { text: full, kind: 'read' } : undefined;
  }
  const alone = reading.of(text);
  const isOpen = alone.kind === 'form' && alone.find === undefined;
  // "Did anyone text" is read, and needs a record.
  const isTraffic =
    alone.kind === 'events' && !alone.find && /\b(?:call|text|messag|sms)/i.test(text) && !/\b(?:we|us)\b/i.test(text);
  const isRead = isTraffic || (isOpen && !isOffer(alone, reading));
  if (EVERYONE.test(text) && !isRead) return undefined;
  const isOwn = alone.kind !== 'help' && !isOpen && !isTraffic;
  const isNew = MAKES.test(alone.operation ?? '') || !(orders(text) || isOpen || isTraffic);
  if (isOwn || alone.about !== undefined || isNew) return undefined;
  for (const full of [`${plain} on ${means}`, `${plain} for ${means}`]) {
    const answer = reading.of(full);
    const isSame = alone.kind === 'help' || isTraffic || answer.operation === alone.operation;
    const isWanted = isRead
      ? SHOWS.test(answer.operation ?? '') || answer.operation === alone.operation
      : isOffer(answer, reading);
    if (isWanted && !answer.isInstead && isSame && carries(answer)) return { text: full, kind: 'read' };
  }
  return undefined;
}

const SHOWS = /^(?:events_since|message_search_get)$/;
const WHOSE: ReadonlySet<Value['kind']> = new Set(['number', 'digits', 'id', 'person']);

const THERE =
  /(?<!\b(?:is|are|was|were|isn['’]?t|aren['’]?t|be|hi|hey|hello|from|over|out|in|if|why)\s+)\bthere(?![’'])(?=\s*(?:$|[.!?,;]|\b(?:now|too|at|for|today|still|right|please|pls|already)\b))/i;

/** "What else is blocked there": on the line that the message before is about. */
function ofPlace(text: string, { line, person }: Topic, now: number): Meant | undefined {
  const means = line ?? person;
  if (means === undefined || !THERE.test(text)) return undefined;
  if (values(text, now).some(({ kind }) => kind === 'digits' || kind === 'person')) return undefined;
  return { text: text.replace(THERE, `on ${means}`), kind: 'refers', word: { said: 'there', means } };
}
