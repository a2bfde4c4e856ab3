import type { Tool } from '../../../catalogue/operation.ts';
import { isSpecific, wordsOf } from '../../../language/sentence.ts';
import { respelled } from '../../../language/spelling.ts';
import { type Fields, isRecord } from '../../../lib/json.ts';
import { answer, type GuidedAnswer, understood } from '../answers/answer.ts';
import { capital, DESK } from '../facts/workgroup-names.ts';
import { OTHER_NOUN } from './named-records.ts';

/*
 * Orders about a member of a workgroup: "let reception ring 0103 instead of 0101", "option 2 of front desk should use digit
 * 5". The words that such an order needs are taken out, and what is left is the name. A surface reads the present members,
 * and finds the one that is meant.
 */

const MEMBER = 'workgroups_activity_update';
const GROUP = 'workgroups_get';

/** A number, or its last digits. */
const LINE = /(?<![\w+-])(?:\+\d{11}|\d{10}|\d{3}[ .-]\d{3}[ .-]\d{4}|[#…*]*\d{4})(?![\w-])/gu;
/** The place of a member in a menu: "digit 2", "option 3", "pressing 1". */
const PLACE =
  /\b(?:(?:menu|ivr)\s+)?(?:digits?|options?|keys?|buttons?|items?|(?:ring\s+)?positions?|press(?:es|ed|ing)?|choice|members?)\s*(?:no\.?|nr\.?|number|#)?\s*(?<digit>\d)(?!\d)/giu;
const FROM =
  /\b(?:instead\s+of|rather\s+than|in\s+place\s+of|not|from|was)\s+(?:digits?\s+|keys?\s+)?(?<digit>\d)(?!\d)/giu;
const TO = /\b(?:to|becomes?|is\s+now|on|as)\s+(?:digits?\s+|keys?\s+)?(?<digit>\d)(?!\d)/giu;
const ORDINALS: readonly string[] = ['first', 'second', 'third', 'fourth', 'fifth'];
const MAILS = /\be-?mails?\b|\bmail(?:s|ed)?\b/iu;
const TEXTS = /\b(?:sms|texts?|texted|texting)\b/iu;
const ENDS = /\b(?:stop|quit|end|off|not|never|dont|without|no\s+(?:more|longer))\b|n['’]t\b/iu;
/** Words before the number that goes, and before the one that comes. */
const GOES =
  /\b(?:instead\s+of|rather\s+than|in\s+place\s+of|not|replac(?:e|es|ing)|swap(?:ping)?|change|switch|exchange|from|over\s+from|for|take|remove|drop|kick|pull)\s+(?:the\s+)?(?:(?:number|line|member)\s+)?$/iu;
const COMES =
  /\b(?:with|by|to|for|into|ring|rings|call|calls|use|uses|reach|reaches|put|add|and)\s+(?:the\s+)?(?:(?:number|line)\s+)?$/iu;
const BOTH = /^\s*(?:,|and|&|\+|plus)+\s*$/iu;
/** Behind the number that goes: "0101 out, 0105 in". */
const IS_GONE = /^\s+(?:goes\s+|is\s+|comes\s+)?(?:out|off|leaves)\b/iu;
const ORDER = /\b(?:before|ahead\s+of|after)\b/iu;
/** Words of these orders that are none of a name. */
const SMALL = new RegExp(
  String.raw`^(?:please|pls|plz|can|could|would|you|u|we|i|want|hey|hi|ok|so|and|then|just|lets?|make|have|has|put|set|get|gets|go|goes|going|rings?|ringing|calls?|called|callers?|use|uses|using|should|must|needs?|shall|to|be|is|on|in|at|of|for|from|by|with|the|an?|our|its?|${ORDINALS.join('|')}|instead|rather|than|before|ahead|after|not|replac(?:e|es|ing)|swap|switch|change|exchange|over|takes?|now|today|numbers?|phones?|lines?|members?|when|whenever|if|that|they|some(?:one|body)|any(?:one|body)|every|time|press(?:es|ed)?|picks?|chooses?|e-?mails?|mail|sms|texts?|texting|notify|alert|tell|notifications?|stop|dont|don['’]t|do|no|longer|more|any|any\s?more|about|(?:work\s?)?groups?|workgroups?|work|hunt|queue|instead|place|off|turn|kind|type|mode|type|switch|ring|should|always|which|who|add|adds|remove|drop|kick|pull|comes?|leaves?|there|out|as|reach(?:es)?|send|sends|sent|forward|forwards|connect|route|routed|transfer|through|they|people|miss(?:es|ed|ing)?|alerts?|notices?|no|activit(?:y|ies)|them|him|her)$`,
  'iu',
);
const NAMED_BEFORE =
  /\b(?:the|our|at|in|of|for|on|to|from|let|make|have|e-?mail|mail|sms|text|texting|notify|tell|alert|workgroup)\s+$/iu;
const NAMED_AFTER = /^:\s|^['’]?s?\s+(?:members?\s+|group\s+)?(?:…|should|must|has\s+to|needs\s+to|rings?\b|number)/iu;
const ASKS =
  /\?\s*$|^\W*(?:(?:hi|hey|ok|so|and)[\s,]+)*(?:who(?:['’]?s|se|m)?|what|whats|which|where|why|when|how|is|are|was|does|did|do(?!\s*n['’]?o?t)|has|have(?=\s+(?:we|you|they))|any)\b/iu;
/** "When callers press 2" says which member is meant. */
const WHEN_PRESSED = /^\W*(?:when(?:ever)?|if|for)\b[^?]*\bpress(?:es|ed|ing)?\b[^?]*$/iu;
/** What a member gets a message about. */
const NOTIFIED =
  /\b(?:notifications?|notices?|alerts?)\b|\bmiss(?:es|ed|ing)?\b[^.;!?]*\bcalls?\b|\bcalls?\s+(?:is|are|was|gets?|got)\s+(?:missed|lost|unanswered)\b|\b(?:when(?:ever)?|if|every\s+time)\b[^.;!?]*\b(?:calls?|rings?|calling)\b/iu;
const MEMBERS = /\b(?:members?|activit(?:y|ies)|(?:work\s?|ring\s+|hunt\s+|call\s+|phone\s+)groups?)\b/iu;
const AGAINST = /["“„;]|\b(?:never|unless|dont)\b|n['’]t\b/iu;
const NOUN = /\b(?:work\s?group|(?:ring|hunt|call|phone)\s+group)\b/iu;
const JOINS = /^\W*(?:please\s+|pls\s+|can\s+you\s+)*(?<how>add|put|take|remove|drop|kick|get)\s/iu;
const IS_IN = /…\s+(?:in)?to\b/iu;
const IS_OUT = /…\s+(?:out\s+of|off|from)\b/iu;
const NO_JOINING =
  'No operation adds a member to a workgroup or takes one off it. The number of a member can be changed: “ring NUMBER instead of NUMBER at NAME”';

/** The name of the workgroup of such an order. */
interface Named {
  name: string;
  /** True if the words can be nothing but a workgroup. */
  isSure: boolean;
}

/** The answer to an order about a member of a workgroup. Undefined for any other sentence. */
export function ofGroupMember(
  typed: string,
  one: (text: string) => GuidedAnswer,
  toolOf: (id: string) => Tool | undefined,
): GuidedAnswer | undefined {
  const said = respelled(typed).text;
  const places = [...said.matchAll(PLACE)];
  if (said.length > 200) return undefined;
  if (SHOWS.test(said) || (isGroupQuestion(said) && !(places.length > 0 && WHEN_PRESSED.test(said))))
    return ofRung(said, one, toolOf(GROUP));
  if (!/\d/u.test(said)) return ofNotice(said, toolOf(MEMBER));
  const lines = [...new Set(said.match(LINE))];
  const change = changeIn(said, lines, places);
  const isJoin = lines.length === 1 && places.length === 0 && joins(said, lines);
  if (!change && !isJoin) return undefined;
  const named = nameIn(said, lines);
  const tool = toolOf(isJoin ? GROUP : MEMBER);
  if (!named || !tool) return undefined;
  const guided = isJoin ? joining(tool, named) : changing(tool, named, change ?? { input: {}, members: [], told: '' });
  if (named.isSure && (!isJoin || NOUN.test(said))) return guided;
  const { kind, operation = '', input, understood: text, remarks, members } = guided;
  return {
    ...one(typed),
    orAccount: {
      ...{ name: named.name, noun: 'workgroup', kind, operation, input, understood: text },
      ...(remarks !== undefined && { remarks }),
      ...(members && { members }),
    },
  };
}

/** "Text the front desk member when a call is missed": the notices of a member that no number names. */
function ofNotice(said: string, tool: Tool | undefined): GuidedAnswer | undefined {
  const isMail = MAILS.test(said);
  const isOfMembers =
    MEMBERS.test(said) || IS_DESK.test(said) || (/\bnotifications?\b/iu.test(said) && isMail !== TEXTS.test(said));
  const isNotice = NOTIFIED.test(said) || (ENDS.test(said) && /\bmembers?\b/iu.test(said));
  if (!tool || isMail === TEXTS.test(said) || !isOfMembers || !isNotice || /["“„:?]|https?/iu.test(said))
    return undefined;
  const named = nameIn(said, []);
  const isOfGroup = MEMBERS.test(said) || IS_DESK.test(said);
  if (named ? !named.isSure && !isOfGroup : !NOUN.test(said)) return undefined;
  const isOn = !ENDS.test(said);
  const input = { [isMail ? 'EmailNotification' : 'SmsNotification']: isOn };
  const note = `; ${isMail ? 'e-mail' : 'SMS'} notification: ${isOn ? 'on' : 'off'}`;
  return changing(tool, named, { input, members: [{}], told: 'the member that is meant', note });
}

const LINE_OF = String.raw`(?:\+?1?[\s.-]?\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4}|[#…*]*\d{4})(?!\d)`;
const LEAD = String.raw`^\W*(?:(?:hi|hey|ok|so|and|please|pls|tell\s+me|show\s+me|list|check|can|could|you|u|i|we|want\s+to|need\s+to)[\s,]+)*`;
const WHO = String.raw`(?:who(?:se)?|whom|(?:which|what|whose)\s+(?:numbers?|lines?|phones?|people|members?))`;
const RINGS = String.raw`(?:rings?|ringing|picks?\s+up|answers?|(?:is|are|gets?)\s+(?:rung|called|reached))`;
const NAME = String.raw`(?:work\s?group\s+)?(?<name>(?!(?:the|a|an|on|in|at|it|that|this|he|she|they|we|you|i|calls?|texts?)\b)\p{L}[\p{L}'’-]*(?:\s+(?!(?:ring|call|reach|now|today|first|work\s?group|group)\b)\p{L}[\p{L}'’-]*)?)`;
const OF_GROUP = String.raw`(?:\s+(?<noun>(?:work\s?|ring\s+|hunt\s+|call\s+|phone\s+)?group))?`;
const IS_DESK = new RegExp(String.raw`\b${DESK}\b`, 'iu');
const TIME = String.raw`(?:\s+(?:first|now|right\s+now|today|currently|at\s+the\s+moment|please|pls))*[\s?.!]*$`;
/** "Who does the front desk ring", "which number rings first at reception", "who's in the front desk group" */
const ASKS_RUNG: readonly RegExp[] = [
  String.raw`${LEAD}${WHO}\s+(?:does|do|will|is)\s+(?:the\s+|our\s+)?${NAME}${OF_GROUP}\s+(?:ring|call|reach|ringing|calling)${TIME}`,
  String.raw`${LEAD}${WHO}\s+${RINGS}(?:\s+first)?\s+(?:at|on|for|in|when\s+(?:people|callers|somebody|someone)\s+(?:calls?|rings?))\s+(?:the\s+|our\s+)?${NAME}${OF_GROUP}${TIME}`,
  String.raw`${LEAD}${WHO}\s+(?:gets?|takes?|receives?|answers?)\s+(?:the\s+|all\s+)?(?:calls?|callers)\s+(?:from|of|at|for|to)\s+(?:the\s+|our\s+)?(?<name>${DESK})${TIME}`,
  String.raw`${LEAD}${WHO}\s+(?:do|will)\s+(?:the\s+)?callers\s+(?:of|to|at)\s+(?:the\s+|our\s+)?(?<name>${DESK})\s+(?:reach|get|hear)${TIME}`,
  String.raw`${LEAD}(?:what\s+happens|who\s+do\s+(?:i|they|callers)\s+(?:get|reach)|where\s+do\s+(?:i|they|callers)\s+(?:land|end\s+up|go))\s+(?:when|if|by|with)\s+(?:(?:i|they|you|callers?|people|someone)\s+)?press(?:es|ing)?\s+\d\s+(?:at|on|in|for)\s+(?:the\s+|our\s+)?(?<name>${DESK})${TIME}`,
  // "Show the front desk", "what digit is 0101 in the front desk", "is 0101 in reception"
  String.raw`${LEAD}(?:(?:show|open|see|check|look\s+at)\s+(?:me\s+)?(?:(?:the\s+)?(?:details?|settings?|members?|record)\s+(?:of|for)\s+)?(?:the\s+|our\s+)?)(?<name>${DESK})(?:\s+(?:details?|settings?|members?|record))?${TIME}`,
  String.raw`${LEAD}(?:(?:what|which)\s+(?:digit|option|position|place|order|number)\s+(?:is|has|does)|is)\s+(?:the\s+)?${LINE_OF}\s+(?:have\s+)?(?:still\s+)?(?:in|on|at|an?\s+member\s+of|part\s+of)\s+(?:the\s+|our\s+)?(?:work\s?group\s+)?(?<name>${DESK}|\p{L}+(?=\s+(?:work\s?)?group))${OF_GROUP}${TIME}`,
  String.raw`${LEAD}${WHO}(?:['’]?s|\s+is|\s+are)?(?:\s+all)?\s+(?:in|on|at|an?\s+members?\s+of|members?\s+of)\s+(?:the|our)\s+${NAME}${OF_GROUP}${TIME}`,
].map((pattern) => new RegExp(pattern, 'iu'));

const SHOWS = new RegExp(String.raw`${LEAD}(?:show|open|see|check|look\s+at)\s`, 'iu');

/** The workgroup whose members such a question asks for. */
function ofRung(said: string, one: (text: string) => GuidedAnswer, tool: Tool | undefined): GuidedAnswer | undefined {
  const { name, noun } = ASKS_RUNG.map((pattern) => pattern.exec(said)?.groups).find((found) => found) ?? {};
  const words = name === undefined ? [] : wordsOf(name);
  if (!tool || name === undefined || OTHER_NOUN.test(name.split(' ').at(-1) ?? '')) return undefined;
  if (noun === undefined && words.some(({ acts, things }) => acts.length > 0 || things.some(isSpecific)))
    return undefined;
  const named = capital(name);
  const guided = answer('lookup', { tool, input: { WorkgroupId: named }, understood: `The workgroup “${named}”` });
  if (noun !== undefined || words.every(({ isUnknown }) => !isUnknown)) return guided;
  const { kind, operation = '', input, understood: text } = guided;
  return { ...one(said), orAccount: { name: named, noun: 'workgroup', kind, operation, input, understood: text } };
}

/** True for a question, which no order about a workgroup is. */
export function isGroupQuestion(said: string): boolean {
  return ASKS.test(said) && !/^\W*(?:can|could|would)\s/iu.test(said);
}

interface Change {
  input: Fields;
  /** Values of the present member that is meant, the likeliest first. */
  members: readonly Fields[];
  told: string;
  /** A remark on what is changed. */
  note?: string;
}

/** The change of such an order. Undefined if it changes nothing of a member. */
function changeIn(said: string, lines: readonly string[], places: readonly RegExpMatchArray[]): Change | undefined {
  const [line, other, ...more] = lines;
  const [place] = places.map(({ groups }) => Number(groups?.digit));
  if (
    more.length > 0 ||
    /\b(?:routes?|trunks?|plans?|packages?|filters?)\b|\bservice\b(?!\s*-?\s*(?:desk|team|group))/iu.test(said)
  )
    return undefined;
  const nth = ORDINALS.findIndex((word) => new RegExp(`\\b${word}\\b`, 'iu').test(said)) + 1;
  if (line !== undefined && other !== undefined) {
    const gone = goneOf(said, [line, other]);
    const first = ORDER.exec(said)?.index ?? -1;
    // The one before “before” gets another place, which no word says.
    if (gone === undefined && first > said.indexOf(line) && first < said.indexOf(other))
      return { input: {}, members: [{ PhoneNumber: line }], told: `the member with ${line} and its position` };
    if (gone === undefined || AGAINST.test(said)) return undefined;
    const PhoneNumber = gone === line ? other : line;
    return { input: { PhoneNumber }, members: [{ PhoneNumber: gone }], told: `the member with ${gone}` };
  }
  if (line !== undefined && !AGAINST.test(said)) {
    const digit = place ?? (nth > 0 ? nth : undefined);
    if (digit === undefined) return undefined;
    const members = place === undefined ? [{ PhoneNumber: line }, { DigitOrder: digit }] : [{ DigitOrder: digit }];
    return { input: { DigitOrder: digit, PhoneNumber: line }, members, told: `the member at digit ${digit}` };
  }
  if (line !== undefined || place === undefined) return undefined;
  const [to, from] = digitsIn(said, places);
  if (to !== undefined && to !== place)
    return { input: { DigitOrder: to }, members: at([from, place]), told: `the member at digit ${from ?? place}` };
  const notice = MAILS.test(said) ? 'EmailNotification' : TEXTS.test(said) ? 'SmsNotification' : undefined;
  if (notice === undefined) return undefined;
  return { input: { [notice]: !ENDS.test(said) }, members: at([place]), told: `the member at digit ${place}` };
}

function at(digits: readonly (number | undefined)[]): Fields[] {
  return digits.flatMap((DigitOrder) => (DigitOrder === undefined ? [] : [{ DigitOrder }]));
}

/** The digit that a member gets and the one that it has: "use digit 5 instead of 3", "from 3 to 5". */
function digitsIn(
  said: string,
  places: readonly RegExpMatchArray[],
): readonly [to: number | undefined, from: number | undefined] {
  const from = [...said.matchAll(FROM)].map(({ groups }) => Number(groups?.digit))[0];
  const to = [...said.matchAll(TO)].map(({ groups }) => Number(groups?.digit)).filter((one) => one !== from)[0];
  const [, second] = places.map(({ groups }) => Number(groups?.digit));
  return [second !== undefined && second !== from ? second : to, from];
}

/** Of two numbers, the one that goes. */
function goneOf(said: string, lines: readonly [string, string]): string | undefined {
  const [at, next] = lines.map((line) => said.indexOf(line)) as [number, number];
  // “0103 and 0105 out”: both go.
  if (BOTH.test(said.slice(at + lines[0].length, next))) return undefined;
  const before = lines.map((line) => said.slice(0, said.indexOf(line)).slice(-60));
  const after = lines.map((line) => said.slice(said.indexOf(line) + line.length));
  const goes = before.map((text, at) => GOES.test(text) || IS_GONE.test(after[at] ?? ''));
  const comes = before.map((text) => COMES.test(text));
  if (goes[0] && !comes[0]) return lines[0];
  if (goes[1] && (!comes[1] || !goes[0])) return lines[1];
  return undefined;
}

/** The name in what is left of the sentence. */
export function nameIn(said: string, lines: readonly string[]): Named | undefined {
  const marked = markedIn(said, lines);
  const runs: { name: string; at: number }[] = [];
  let last = -1;
  for (const { 0: word, index } of marked.matchAll(/[\p{L}][\p{L}'’-]*/gu)) {
    if (SMALL.test(word)) continue;
    const run = runs.at(-1);
    if (run && /^\s+$/u.test(marked.slice(last, index))) run.name = `${run.name} ${word}`;
    else runs.push({ name: word, at: index });
    last = index + word.length;
  }
  const [run, ...others] = runs;
  if (!run || others.length > 0 || OTHER_NOUN.test(run.name.split(' ').at(-1) ?? '')) return undefined;
  const name = run.name.replace(/['’]s$/u, '');
  const isPlaced =
    NAMED_BEFORE.test(marked.slice(0, run.at)) || NAMED_AFTER.test(marked.slice(run.at + run.name.length));
  const words = wordsOf(name);
  const isOther = words.some(({ acts, things }) => acts.length > 0 || things.some(isSpecific));
  if (!isPlaced || words.length > 3 || (isOther && !NOUN.test(said))) return undefined;
  return { name: capital(name), isSure: NOUN.test(said) || words.every(({ isUnknown }) => !isUnknown) };
}

/** The sentence with a mark in place of its numbers and digits. */
function markedIn(said: string, lines: readonly string[]): string {
  const without = lines.reduce((text, line) => text.replaceAll(line, '…'), said.replace(PLACE, '…'));
  return without.replace(/\b\d\b/gu, '…');
}

function joins(said: string, lines: readonly string[]): boolean {
  const how = JOINS.exec(said)?.groups?.how?.toLowerCase();
  if (how === undefined || AGAINST.test(said)) return false;
  const marked = markedIn(said, lines);
  return how === 'add' || how === 'put' ? IS_IN.test(marked) && how === 'add' : IS_OUT.test(marked);
}

function joining(tool: Tool, { name }: Named): GuidedAnswer {
  const text = `${NO_JOINING}. ${tool.title}`;
  return { ...answer('lookup', { tool, input: { WorkgroupId: name }, understood: text }), isInstead: true };
}

/** The change of a member, with the present values by which a surface finds the member. */
export function changing(
  tool: Tool,
  named: Named | undefined,
  { input: values, members, told, note = '' }: Change,
): GuidedAnswer {
  const input = { ...(named && { WorkgroupId: named.name }), ...values };
  const remarks = `${note}; choose ${told} in the form`;
  return { ...answer('form', { tool, input, understood: `${understood(tool, input)}${remarks}` }), remarks, members };
}

/** The remark on the member, for a surface that does not read the present ones. */
export const MEMBER_TOLD = /; choose the member [^;.]* in the form/u;

/** The input with the only member that is meant, without what it has already, and a sentence that says which it is. */
export function memberOn(
  members: readonly Fields[],
  input: Fields,
  group: Fields | undefined,
): { input: Fields; note: string } {
  const rows = Array.isArray(group?.Activities) ? group.Activities.filter(isRecord) : [];
  const hasAll = (row: Fields) => (meant: Fields) =>
    Object.entries(meant).every(([name, value]) => isSameEnd(row[name], value));
  const found = members.map((meant) => rows.filter((row) => hasAll(row)(meant))).filter((some) => some.length > 0);
  const [[member, ...others] = []] = found;
  // “Option 2” and “instead of 3” may be two members.
  const isOne = member !== undefined && others.length === 0 && found.every(([one]) => one === member);
  const all = rows.length === 0 ? '' : `. The members are: ${rows.map(shown).join('; ')}`;
  if (!isOne) return { input, note: `choose the member in the form: which one is meant was not found${all}` };
  const left = Object.entries(input).filter(
    ([name, value]) => name === 'WorkgroupId' || !isSameEnd(member[name], value),
  );
  const rest = left.length > 1 ? Object.fromEntries(left) : input;
  return {
    input: { WorkgroupActivityId: member.WorkgroupActivityId, ...rest },
    note: `the member is ${shown(member)}`,
  };
}

/** True for the same value, and for the last digits of a number. */
function isSameEnd(present: unknown, value: unknown): boolean {
  const [now, meant] = [present, value].map((one) => String(one).replace(/^[#…*]+|[^\p{L}\d]/gu, ''));
  return now === meant || (/^\d{4,}$/u.test(meant ?? '') && now?.endsWith(meant ?? '') === true);
}

function shown({ DigitOrder, PhoneNumber }: Fields): string {
  return `digit ${String(DigitOrder ?? '?')}, ${String(PhoneNumber ?? 'no number')}`;
}
