import { wordsOf } from '../../../language/sentence.ts';
import { correction } from '../answers/corrections.ts';
import { type Value, values } from '../answers/thread-values.ts';
import { isOffer, type Meant, portOf, type Reading, type Topic } from '../answers/topics.ts';

/*
 * A message that says only a part takes the rest over from the message before: "and who asked" its question, "ask again"
 * its order, "and a reactivation" what is asked about a change. After "send 0104 a text", the next message is the text.
 */

const LINES: ReadonlySet<Value['kind']> = new Set(['number', 'digits', 'id']);

const WHICH =
  /\b(?:who|whom|when|why|how\s+(?:long|come|often|many)|what\s+(?:time|day|date)|reason|since|which\s+(?:ones?|day)|what\s+(?:did|have|has)\s+(?:they|he|she|we|you)|what\s+exactly)\b/i;
const BEGINS_QUESTION =
  /^\W*(?:(?:and|so|ok|okay|but|hm+|oh|well|then|also|wait)[\s,]+)*(?:by|to|for|from|at|since|on|in|who\w*|when|why|how|what|whats|any|which|did|do|does|was|were|has|have|is|are|the)\b/i;
/** Words of a question that only asks more about what the message before shows. */
const SMALL = new Set(
  'and so ok okay but hm hmm oh well then also wait exactly though tho again now already or not at by to for from in on of with if it that this they them those these he she its thats whos ones one each all both the a an any first second third last top next who whom whose when why what whats which how long come often many time day date since ago reason was were is are did does do doing has have had been be done ask asked asks asking approve approved approves decline declined reject rejected confirm confirmed decide decided request requested requests want wanted wants order ordered say said says give gave given happen happened start started begin began change changed made make trigger triggered sign signed off yes no press pressed button anyone anybody someone somebody us me please pls thanks write tell person agent colleague guy really finally actually still thing things stuff we you i'.split(
    ' ',
  ),
);
const ACT_NOW = /\b(?:whom?|when|why|since|how\s+long|reason)\b/i;

/** "And who asked", "by whom", "since when": more about what the message before shows. Undefined for other messages. */
export function ofCircumstance(
  text: string,
  { last, topic, now }: { last: string; topic: Topic; now: number },
  reading: Reading,
): Meant | undefined {
  if (text.length > 80 || !WHICH.test(text) || !BEGINS_QUESTION.test(text)) return undefined;
  // "Who is blocked for Ben" needs no earlier message.
  if (values(text, now).length > 0) return undefined;
  const known = stems(last);
  const isCarried = (word: string) => SMALL.has(word) || known.has(word.slice(0, STEM));
  if (![...wordsIn(text)].every(isCarried)) return undefined;
  const answer = reading.of(last);
  if (answer.kind === 'events' || answer.operation === 'message_search_get')
    return { text: last, kind: 'again', before: last };
  const { line, person } = topic;
  const means = line ?? person;
  const isAside = isOffer(answer, reading);
  if (isAside && !/\b(?:whom?|when|why)\b/i.test(text)) return undefined;
  const isRecord =
    (isAside || answer.kind === 'lookup') && !(answer.operation === 'numbers_diagnose' && /\bwhy\b/i.test(text));
  if (!isRecord || means === undefined || !ACT_NOW.test(text) || portOf(topic, reading) !== undefined) return undefined;
  // "Who is it" asks for the holder.
  if (/\bwho(?:['’]?s|\s+is|\s+are|\s+was)\s+(?:it|that|this|he|she|they)\b/i.test(text)) return undefined;
  const word = { said: text.replace(/^\W*(?:(?:and|so|ok|but)\s+)*|\W+$/gi, ''), means };
  const full = `${isAside ? 'who changed' : 'what happened to'} ${means} in the last 30 days`;
  return { text: full, kind: 'refers', word, ...(isAside && { isAside }) };
}

const STEM = 5;

function wordsIn(text: string): Set<string> {
  return new Set(
    text
      .toLowerCase()
      .replace(/['’]/g, '')
      .split(/[^\p{L}\d]+/u)
      .filter(Boolean),
  );
}

function stems(text: string): Set<string> {
  return new Set([...wordsIn(text)].map((word) => word.slice(0, STEM)));
}

const AGAIN = '(?:again|anew|once\\s+more|one\\s+more\\s+time|another\\s+time|afresh)';
const WHAT =
  '(?:it|that|this|them|those|these|all(?:\\s+of\\s+(?:it|them|those))?|everything|(?:the|my|that|this)\\s+(?:same\\s+)?(?:\\p{L}+))';
const REPEATS = new RegExp(
  String.raw`^\W*(?:(?:ok|okay|so|and|then|well|yes|please|pls|just|now|can|could|would|you|u|we|i|to|want|let['’]?s|go\s+ahead\s+and|how\s+do)[\s,]+)*(?<fixes>(?:fix|correct|change|adjust|repair)(?:ed)?\s+(?:it|that|this|them)[\s,]+(?:(?:and|then|please)\s+)*)?(?:(?:ask|request|try|send|submit|do|order|run|post|file|put)\s+(?:for\s+)?(?:${WHAT}\s+)?(?:in\s+|through\s+)?${AGAIN}|(?:re-?(?:try|send|submit|request|ask|run|do|file)|repeat)(?:\s+${WHAT})?(?:\s+${AGAIN})?)(?:[\s,]+(?:please|pls|plz|then|now|thanks|for\s+me|today))*[\s.!?]*$`,
  'iu',
);

/** "Ask again", "retry them", "fix it and send again": the last order, or how to write one. Undefined for others. */
export function ofRepeat(text: string, last: string | undefined, topic: Topic, reading: Reading): Meant | undefined {
  const found = REPEATS.exec(text)?.groups;
  if (!found) return undefined;
  const answer = last === undefined ? undefined : reading.of(last);
  const isAsked = answer !== undefined && isOffer(answer, reading);
  const port = portOf(topic, reading);
  if (port !== undefined && !(isAsked && found.fixes === undefined)) return { text: `correct ${port}`, kind: 'read' };
  if (isAsked && found.fixes !== undefined)
    return { text, kind: 'unclear', note: `What is wrong in “${last}” was not said: write the right value` };
  if (isAsked && last !== undefined) return { text: last, kind: 'again', before: last };
  const line = topic.line ?? topic.person ?? '0104';
  const note = `Nothing is repeated by these words. Write the order itself once more, such as “park ${line}” or “text ${line}: …”. “Ask again” on the card of a failed or expired request does the same`;
  return { text, kind: 'unclear', note };
}

const LEADS_ON = /^\W*(?:(?:ok|okay|so)[\s,]+)*(?:(?:and|or|what\s+about|how\s+about|same\s+for)\s+)+/i;
const OF_COUNT =
  /^(?:(?:if|when|for|we|i|they|he|she|take|takes|need|want|order|buy|get|had|have|do|it['’]?s|with|the|all|each|of|them|those|lines?|numbers?|people|customers?|sims?|month|per|a|an)\s+)*(?<count>\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|fifty|a\s+hundred|several|a\s+dozen)(?:\s+(?:of\s+(?:them|those|these)|lines?|numbers?|sims?|at\s+once|together|more|people|customers?))*[\s.!?]*$/i;

/** "And a reactivation" after "what does a swap cost": the question for another change. Undefined for other messages. */
export function ofOtherRule(text: string, last: string, now: number, reading: Reading): Meant | undefined {
  const answer = reading.of(last);
  if (answer.kind !== 'help' || answer.about === undefined) return undefined;
  const other = text
    .replace(LEADS_ON, '')
    .replace(/^(?:(?:for|of|with)\s+)?/i, '')
    .replace(/[\s.!?]+$/, '');
  const count = OF_COUNT.exec(other)?.groups?.count;
  if (count !== undefined)
    return {
      text: last,
      kind: 'again',
      before: last,
      note: `What is said is for one; “${count}” is not multiplied here`,
    };
  if (!LEADS_ON.test(text) || other.split(/\s+/).length > 5 || values(other, now).length > 0) return undefined;
  const subject = (/^(?:when|if)\b/i.test(other) ? CASE : SUBJECT).exec(last)?.[0];
  if (subject === undefined) return undefined;
  const full = last.replace(subject, () => other);
  const { kind, about } = reading.of(full);
  const isOther = kind === 'help' && about !== undefined && about.title !== answer.about.title;
  return isOther ? { text: full, kind: 'again', before: last } : undefined;
}

/** The change in a question: "a swap" of "what does a swap cost". */
const SUBJECT =
  /(?<=\b(?:does|do|is|are|of|for|would|will|if|when|about)\s+)(?!it\b|that\b|the\s+(?:cost|price|fee)\b)\S[^?!.]*?(?=\s+(?:costs?|takes?|needs?|works?|do|mean|be|charged?|free|reversible|expensive|permanent)\b|[\s?!.]*$)/i;
/** "When I cancel a line" */
const CASE = /\b(?:when|if)\s[^?!.]*/i;

const TEXT_LEAD =
  /^\W*(?:(?:ok|okay|please|pls|just)[\s,]+)?(?:(?:(?:the\s+)?(?:text|message|body)\s*(?:is|should\s+(?:be|say|read))?\s*:|it\s+should\s+(?:say|read)|(?:say|write|saying|with\s+the\s+(?:text|words)|(?:tell|text)\s+(?:him|her|them)(?:\s+that)?))\s*:?\s+)/i;
const ASKS =
  /^\W*(?:(?:and|so|ok|hey|hmm*|oh|wait|btw|also|lol|well)[\s,]+)*(?:who\w*|what\w*|which|how|is|are|was|were|do|does|did|has|have|why|when|where|any\w*)\b/i;
const MAKES = /^\W*(?:(?:please|pls|ok|and|now)[\s,]+)*(?:an?\s+)?(?:new|another)\s/i;
const NO_TEXT =
  /^\W*(?:(?:and|so|ok|okay|please|pls|no|but)[\s,]+)*(?:from\b.{0,30}$|what\s+(?:does|would|will)\s+(?:that|it|this)\b|how\s+much\b|(?:what|who|which|how\s+many)\b.*\b(?:waits?|waiting|plans|we\s+have)\b|(?:show|list|find|look\s+up|lookup)\b)/i;

/** Reads of a number that a sentence names for any reason. */
const PLAIN: ReadonlySet<string> = new Set(['numbers_lookup', 'numbers_find']);

/** The text of "send 0104 a text", which is the message after it. Undefined for other messages. */
export function ofMessage(text: string, last: string, now: number, reading: Reading): Meant | undefined {
  const answer = reading.of(last);
  if (answer.operation !== 'message_outbound' || !isOffer(answer, reading) || answer.input.Body !== undefined)
    return undefined;
  if (NO_TEXT.test(text) || /^\W*(?:thanks?|thx|thank\s+you|ok(?:ay)?|yes|cool|great)[\s.!]*$/i.test(text))
    return undefined;
  const own = values(text, now);
  const body = text
    .replace(TEXT_LEAD, '')
    .replace(/^["“„](?<inner>[^"“”„]*)["”“]$/u, '$<inner>')
    .trim();
  // Another line is a correction, or a new order.
  const isLine = own.some(({ kind }) => LINES.has(kind));
  const isShort = text.split(/\s+/).length < 4;
  const isOther = isShort || correction(text, last, now) !== undefined || isOffer(reading.of(text), reading);
  const alone = reading.of(text);
  const isNamed = own.some(({ kind }) => LINES.has(kind) || kind === 'person') && alone.kind !== 'help';
  // "What is his balance" is no question to him.
  const isAboutThem = /\b(?:his|her|their|he|she|they)\b/i.test(text);
  const isAsked = ASKS.test(text) && (isNamed || isAboutThem || alone.kind === 'events' || alone.about !== undefined);
  // "What routes are there", "is that line active" ask us.
  const isList = alone.kind === 'lookup' && !alone.isGuess && !alone.isInstead && alone.operation !== 'numbers_find';
  const isOfUs = ASKS.test(text) && (isList || /\b(?:that|this|the)\s+(?:line|number|sim)\b/i.test(text));
  // Words about another line are no text for this one, unless they are given as one.
  const isRead = alone.isInstead === true || !PLAIN.has(alone.operation ?? '');
  const isElse = isLine && alone.kind !== 'help' && isRead && !TEXT_LEAD.test(text);
  const [first] = wordsOf(text);
  const isOrdered = isNamed && isOffer(alone, reading) && (MAKES.test(text) || (first?.acts.length ?? 0) > 0);
  // "Switch that to https://…" orders something else.
  const isAddress = /\bhttps?:/i.test(text) && (first?.acts.length ?? 0) > 0 && !TEXT_LEAD.test(text);
  if (
    isAddress ||
    body === '' ||
    /["“”„]/.test(body) ||
    (isLine && isOther) ||
    isElse ||
    isAsked ||
    isOfUs ||
    isOrdered
  )
    return undefined;
  return { text: `${last.replace(/[\s.!?:]+$/, '')} "${body}"`, kind: 'adds', before: last };
}

const SERVICE =
  /^\W*(?:(?:and|also|or|so|ok|but|what|how|about|is|are|does|do|the|his|her|their|its|my)\s+)*(?<service>texts?|texting|sms|messages?|messaging|calls?|calling|voice|data|internet)(?:\s+(?:too|also|then|as\s+well|work\w*|ok|fine))*[\s?!.]*$/i;
const USES: readonly (readonly [service: RegExp, use: string])[] = [
  [/^(?:call|voice)/i, 'make calls'],
  [/^(?:data|internet)/i, 'use data'],
  [/./, 'text'],
];

/** "And texts?" after "why can't 0105 call": the same question about another service. Undefined for other messages. */
export function ofOtherService(
  text: string,
  last: string,
  { line, person }: Topic,
  reading: Reading,
): Meant | undefined {
  const service = SERVICE.exec(text)?.groups?.service;
  const whom = line ?? person;
  const other = service === undefined ? undefined : ofOtherFact(service, last, reading);
  if (other) return other;
  if (service === undefined || whom === undefined || reading.of(last).operation !== 'numbers_diagnose')
    return undefined;
  const use = USES.find(([pattern]) => pattern.test(service))?.[1] ?? 'text';
  return { text: `why can't ${whom} ${use}`, kind: 'again', before: last };
}

const SERVICES_SAID = /\b(?:texts?|texting|sms|messages?|messaging|calls?|calling|voice|data|internet)\b/iu;

/** "And voice?" after "where do texts for 0101 go": the same question of the line about its other service. */
function ofOtherFact(service: string, last: string, reading: Reading): Meant | undefined {
  const before = reading.of(last);
  if (before.facts === undefined || !SERVICES_SAID.test(last)) return undefined;
  const named = /^(?:call|voice)/i.test(service) ? 'calls' : /^(?:data|internet)/i.test(service) ? 'data' : 'texts';
  const full = last.replace(SERVICES_SAID, named);
  const { facts } = reading.of(full);
  const isOther = facts !== undefined && JSON.stringify(facts) !== JSON.stringify(before.facts);
  return isOther ? { text: full, kind: 'again', before: last } : undefined;
}

const PIN =
  /^\W*(?:(?:ok|okay|and|so|please|pls|make|set|use|it|its|it['’]?s|the|his|her|their|new|pin|passcode|code|he|she|they|customer|wants?|would|like|should|be|is|to|with|take|as|one)[\s,:]+)*#?\d{4,8}(?:[\s,]+(?:please|pls|plz|thanks?|then|for\s+(?:him|her|them)))*[\s.!]*$/iu;

/** "She wants 4455" after an order for a port-out PIN: the digits are a secret, and no line. Undefined for other messages. */
export function ofPin(text: string, last: string, reading: Reading): Meant | undefined {
  const answer = reading.of(last);
  if (answer.operation !== 'numbers_portout' || !isOffer(answer, reading) || !PIN.test(text)) return undefined;
  const note =
    'A PIN is a secret, and is not read from a message: type it into the form. What was offered is as it was';
  return { text: last, kind: 'unclear', note };
}

const SERVICES =
  /^\W*(?:(?:and|with|without|no|not|only|just|but|plus|or|please|pls|make\s+it|it\s+should\s+be|should|have|off|on|disabled|enabled|a|an|the|text(?:s|ing)?|sms|mms|messages?|messaging|calls?|calling|voice|data|internet|e-?sim|physical|plastic|sim|card|line)(?:[\s,]+|\W*$))+$/i;

/** "Text only" after an order for a new line says what the line can do. */
export function ofServices(text: string, last: string, reading: Reading): Meant | undefined {
  const answer = reading.of(last);
  if (answer.operation !== 'numbers_provision' || !isOffer(answer, reading)) return undefined;
  if (/\?/.test(text) || !SERVICES.test(text)) return undefined;
  const full = `${last.replace(/[\s.!]+$/, '')}, ${text}`;
  const isSame = reading.of(full).operation === answer.operation;
  return { text: isSame ? full : last, kind: 'adds', before: last, part: text };
}
