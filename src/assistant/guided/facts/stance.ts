import * as cues from '../../../../tools/surfaces/cues.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import type { OperationFit } from '../../../language/catalogue-search.ts';
import { isSpecific, patternOf, type Word } from '../../../language/sentence.ts';
import type { Fields } from '../../../lib/json.ts';
import { DEEDS } from './contrast.ts';
import { isOnlyConditionNegated } from './doubt.ts';
import type { Facts } from './facts.ts';
import { type Since, spanText } from './since.ts';
import { marksIn, type Time, unmarked } from './times.ts';

/* Tells a request for a change from a question about it and from a refusal of it. */

/** Words of politeness before the first word that counts. */
const GREETING =
  /^\s*(?:(?:hi|hey|hello|please|pls|ok|okay|and|also|so|but|just|if\s+(?:possible|(?:you|u)\s+can))[\s,]+)*/i;
/** A report that asks for the contrary: "undo the cancellation of". */
const TAKEN_BACK = /\b(?:undo|reverse|revert)\b/i;

/** A question of who did something. "Who is", "who can" and "who texted" ask for something else. */
const WHO_DID =
  /^\W*(?:(?:please|pls|so|and|hey|hi|hello|morning|ok|okay|lol|omg|ugh|argh|wtf|haha|um|hm+|wait|but|guys|all|team|just|(?:(?:do|does|did) )?(?:you|we|u|anybody|anyone|someone) know|(?:can|could) (?:you|u) (?:see|tell me|check)|i (?:need|want) to know|tell me|show me|check|any idea)\W+)*who\s+(?:else\s+)?(?:has\s+|have\s+|had\s+|just\s+|last\s+|even\s+)?(?!called\b|phoned\b|used\b|burned\b|paid\b|received\b|answered\b|replied\b|exceeded\b|reached\b|texted\b|messaged\b|needed\b|wanted\b)(?:[a-z]{2,}ed|put|set|made|took|did|cut|gave|bought|said\s+(?:yes|no|ok(?:ay)?|go))\b/i;
/** Behind a report: "I didn't ask for that. Who was it?" */
const LAST_WHO = /\bwho\s+(?:was|is)\s+(?:the\s+)?last\s+(?:one\s+|person\s+)?(?:to|who|on)\b/i;
const WHO_WAS =
  /^\W*(?:(?:so|and|but)\s+)?who\s+(?:was|were|is|['’]s)\s+(?:it|that|this)\b|^\W*(?:(?:so|and|but)\s+)?whose\s+(?:order|request|doing|idea)\b/i;
const WHEN_DID = /^\W*(?:(?:and|so|please)\W+)*when\s+(?:exactly\s+)?(?:was|were|did|has|have)\b/i;

const PATTERNS = {
  requests: cues.requests.map(patternOf),
  polite: cues.polite.map(patternOf),
  cost: cues.cost.map(patternOf),
  questions: cues.questions.map(patternOf),
  facts: cues.facts.map(patternOf),
  wondering: cues.wondering.map(patternOf),
  holding: cues.holding.map(patternOf),
  reported: cues.reported.map(patternOf),
};

/** "Take the hold off 0103" asks for nothing to be held off. */
const OFF_HOLD =
  /\b(?:take|get|lift|bring)\s+(?:(?:the|his|her|that|this)\s+)?(?:hold|suspension|pause|warning)\s+off\b/gi;

/** True if the clause says not to do what these words of it ask for. */
export function isRefused(clause: string, asking: readonly Word[]): boolean {
  if (has(clause.replace(OFF_HOLD, ' '), 'holding')) return true;
  return asking.length > 0 && asking.every(({ isNegated }) => isNegated) && !isOnlyConditionNegated(clause, asking);
}

/**
 * True if the sentence asks about a change, its cost or its past, and not for it.
 *
 * @param isAsked a question mark ends the clause
 */
export function isAboutIt(sentence: string, clause: string, isAsked: boolean): boolean {
  if (has(sentence, 'cost') || has(sentence, 'wondering')) return true;
  if (has(clause, 'reported') && !TAKEN_BACK.test(clause)) return true;
  if (begins(clause, 'requests') || begins(sentence, 'requests')) return false;
  return begins(clause, 'questions') || (isAsked && !has(clause, 'polite'));
}

/** True if the sentence asks what something costs. */
export function asksForCost(sentence: string): boolean {
  return has(sentence, 'cost');
}

/** True if the clause asks politely, and so for something to be done. */
export function isPolite(clause: string): boolean {
  return has(clause, 'polite') || begins(clause, 'requests');
}

/** True if the clause tells not to do something: "don't send it yet". */
export function isForbidden(clause: string): boolean {
  return FORBIDS.test(clause.replace(GREETING, ''));
}

const FORBIDS =
  /^(?:(?:you|we|should|must|let['’]?s|would|i['’]d\s+rather)\s+)*(?:(?:do|must|should)\s*(?:n['’]?o?t|not)|dnt|never|not|no\s+need\s+to|without)\b/i;

/** True if the clause is a question of who, when, why or whether. */
export function isQuestion(clause: string, isAsked: boolean): boolean {
  return !begins(clause, 'requests') && (begins(clause, 'questions') || isAsked);
}

/** True if the clause asks what is or was so, and not what a change costs or may do. */
export function asksForFacts(sentence: string, clause: string): boolean {
  return begins(clause, 'facts') && !has(sentence, 'cost') && !has(sentence, 'wondering');
}

/** True for a question of who did something, or when something was done to a number. */
export function asksWhoDid(said: string, clauses: readonly Pick<Clause, 'text' | 'words'>[]): boolean {
  if (WHO_DID.test(said) || LAST_WHO.test(said)) return true;
  const words = clauses.flatMap((clause) => clause.words);
  // "I didn't order that, who did?"
  const isBehind = ({ text }: Pick<Clause, 'text'>) => WHO_DID.test(text) || WHO_WAS.test(text);
  if (words.some(({ acts }) => acts.length > 0) && clauses.slice(1).some(isBehind)) return true;
  const isOrder = words.some(({ things }) => things.includes('portin') || things.includes('order'));
  const isDone = words.some(({ isPast, acts }) => isPast || acts.some((act) => DONE_TO_LINES.has(act)));
  return WHEN_DID.test(said) && isDone && !isOrder;
}

/** Verbs of deciding requests, and "do" itself. */
const DECIDED =
  '(?:do|done|approve|decline|reject|confirm|decide|ok(?:ay)?(?:\\s?ed)?|sign(?:ed)?\\s+off|turn(?:ed)?\\s+down|green-?light|withdraw|withdrew|retract|cancel(?=\\s+(?:the|his|her|that)\\s+(?:\\p{L}+\\s+)?(?:swap|request|change|reactivation|cancell?ation|port)))(?:d|ed|n)?';
const ACTOR: readonly string[] = [
  String.raw`\b(?:did|has|have|had)\s+NAME\s+(?:already\s+|just\s+)?(?!get|got|use|need|want|text|call|receive|have|say|said|writ|wrote|send|sent)\p{L}+\s+(?:anything|something|any\s+(?:lines|numbers|requests))\b`,
  String.raw`\b(?:approved|declined|requested|confirmed|done|made|cancelled|parked|reactivated|changed|cancel\w*|reactivat\w+|holds|swaps|changes|approvals|requests)\b[^.;!?]*\bby\s+NAME\b`,
  String.raw`\b(?:how\s+many|which)\s+(?:\p{L}+\s+){1,3}?(?:did|has|have)\s+NAME\s+(?:already\s+|just\s+)?(?:g[ia]ve|put|ma[kd]e|issue|approve|decline|request|submit|cancel|park|reactivate|swap|block|set)`,
  String.raw`\b(?:approvals?|decisions?|requests?|actions?|deeds)\s+(?:of|from)\s+NAME\b|\bNAME(?:['’]?s)?\s+(?:approvals|decisions|requests|actions|deeds|changes)\b`,
  String.raw`\b(?:everything|anything|whatever|all|what)\s+(?:that\s+)?NAME\s+(?:has\s+|had\s+|just\s+)?(?:made|did|done|(?!need|want|text|messag|us|call|receiv|ask(?!ed\s+for\b)|burn|answer)\p{L}+ed)\b`,
  String.raw`\b(?:did|has|have|had)\s+NAME\s+(?:already\s+|just\s+|really\s+)?${DECIDED}\b`,
  String.raw`\bwhat\s+(?:else\s+)?(?:did|has|have|had)\s+NAME\s+(?:already\s+|just\s+)?(?!need|want|say|said|mean|ask(?!(?:ed)?\s+for\b)|text|write|call|get|got|receiv|hear|use|burn|consum|send|sent|owe|pay|have|cost|writ|wrote|repl|answer|been\s+(?:text|writ|send|say|mess))\p{L}+`,
  String.raw`\bNAME\s+(?:has\s+|had\s+|just\s+)?(?:did|done|approved|declined|confirmed)\b`,
];

/** True if this person of a sentence is the one who did something, and no customer. */
export function isActor(said: string, person: string): boolean {
  const name = person.replace(/[^\p{L}\p{M}\d'’ -]/gu, '');
  return ACTOR.some((pattern) => new RegExp(pattern.replaceAll('NAME', name), 'iu').test(said));
}

const DONE_TO_LINES: ReadonlySet<string> = new Set(['park', 'activate', 'cancel', 'reactivate', 'block', 'unblock']);

function has(text: string, cue: keyof typeof PATTERNS): boolean {
  return PATTERNS[cue].some((pattern) => text.search(pattern) >= 0);
}

function begins(text: string, cue: keyof typeof PATTERNS): boolean {
  const rest = text.replace(GREETING, '');
  return PATTERNS[cue].some((pattern) => rest.search(pattern) === 0);
}

/* Splits a sentence into clauses, and finds the requests and the digits in each. */

/** A part of a sentence between commas and the like. */
export interface Clause {
  text: string;
  /** True if a question mark ends it. */
  isAsked: boolean;
  words: readonly Word[];
  fits: readonly Fit[];
  /** Days and other times in it. */
  times: readonly Time[];
}

/** A family that a clause belongs to, with its operation. */
export interface Fit extends OperationFit {
  tool: Tool;
}

const LAST_DAY: Since = { value: '24h', text: `in ${spanText('24h')}` };
/** The person who did something, as far as the sentence says. */
export const LAST_MONTH: Since = { value: '30d', text: `in ${spanText('30d')}` };

/** A part of a sentence, and what follows it. */
interface Part {
  text: string;
  isAsked: boolean;
  times: readonly Time[];
}

/** After a report, "please" begins the request: "0103 was stolen please park it". */
const REQUEST = String.raw`(?<=\b(?:was|were|lost|stolen|broken|died|moved|gone)\b(?:(?!\bnot\b|n['’]t)[^,.;!?])*)\s+(?=(?:please|pls|plz)\s+\p{L})`;
/** A number that something is done to, and the reason right behind it: "suspend 0103 he lost his phone". */
const WHY = String.raw`(?<=\b(?:suspend|park|hold|pause|freeze|cancel|disconnect|terminate|deactivate|activate|reactivate|restore|block|stop|kill|shut|put|take|bring|turn|switch|swap|resume|unpark)\b[^,.;!?]*(?:number|\d{4}|hold|back|off|down)(?:\s+(?:please|pls|plz|now|asap|today))*)\s+(?=(?:(?:(?:the|his|her|their|this|that|our|some)\s+)?(?:guy|man|lady|woman|dude|kid|owner|customer|client|subscriber|user|husband|wife|he|she|it(?=\s+(?:was|is|got)\s+\p{L}{3,}ed\b)|they|we|i|phone|fone|device|handset|sim|bill|account|contract)\s+(?:\p{L}+\s+){0,2}?(?:lost|stolen|is|was|has|had|got|keeps?|said|says|wants?|moved|left|dropped|broke|broken|forgot|hasn['’]?t|did\s*n['’]?o?t|does\s*n['’]?o?t|found|not|stays?|staying|remains?|keeps|goes|prefers|decides|refuses|\p{L}{3,}ed)\b|(?:lost|stolen|broken|missing|dead|unpaid|moved|missed|forgot|no\s+payment|not\s+paying|travell?ing|abroad|on\s+(?:vacation|holiday))\b(?!\s+(?:number|line)s?\b)))`;
const ENDS = new RegExp(
  String.raw`[,;.!?]+(?:\s|$)|\n+|\s+(?:but|so|then|because|cuz|cos|due\s+to|since(?=\s+(?:he|she|they|we|it|its|hes|shes|it['’]s|he['’]s|she['’]s)\b))\s+|\s+-+>?\s+|${REQUEST}|${WHY}`,
  'giu',
);

/** The parts of a sentence between commas, full stops, "but" and the like. A comma in a list of numbers ends none. */
export function partsIn(facts: Pick<Facts, 'rest' | 'times' | 'mentions' | 'isOneList'>): Part[] {
  const { times } = facts;
  const rest = withLists(facts);
  const parts: Part[] = [];
  let start = 0;
  for (const { index, 0: end } of [...rest.matchAll(ENDS), { index: rest.length, 0: '' }]) {
    const text = rest.slice(start, index);
    const own = marksIn(rest.slice(start, index + end.length)).flatMap((mark) => times[mark] ?? []);
    const last = parts.at(-1);
    const isAsked = end.trimStart().startsWith('?');
    if (text.trim() !== '') parts.push({ text: unmarked(text), isAsked, times: own });
    // A day alone, as in "…, from Friday", belongs to what is before it.
    else if (last)
      parts[parts.length - 1] = { ...last, isAsked: last.isAsked || isAsked, times: [...last.times, ...own] };
    start = index + end.length;
  }
  return parts;
}

/** A part that tells what was: a time in it is none of what is asked for. */
const REPORT =
  /\b(?:was|were|had|has|have|did|got|lost|left|broke|stolen|died|went|came|said|says|\p{L}{3,}ed)\b|\b(?:e?sim|phone|handset|one|replacement)\s+(?:(?:is|will)\s+)?(?:comes?|coming|arriv(?:es?|ing)|ships?|shipping|due|be\s+(?:here|there))\b/iu;

/** The times that are about the change of a clause: its own, and those of parts that report nothing. */
export function timesOf(clause: Clause, clauses: readonly Clause[]): Time[] {
  return clauses.filter((one) => one === clause || !REPORT.test(one.text)).flatMap(({ times }) => times);
}

/** The sentence with "and" for the commas and line ends in a list of numbers. */
function withLists({ rest, mentions, isOneList }: Pick<Facts, 'rest' | 'mentions' | 'isOneList'>): string {
  return isOneList && mentions.length > 1 ? rest.replace(LIST_COMMA, ' and ') : rest;
}

const ONE = String.raw`(?:number\b|[#…*]*\d{4}(?![\w-]))`;
const LIST_COMMA = new RegExp(
  String.raw`(?<=\bnumber|(?<![\w-])\d{4})(?:\s*[,;]\s*|[^\S\n]*\n\s*)(?:(?:and|&)\s+)?(?=${ONE})`,
  'giu',
);

/** A sentence as it was read. */
export interface Asked {
  facts: Facts;
  /** The whole message in plain words, with the values that `said` lacks. */
  plain?: string;
  said: string;
  clauses: readonly Clause[];
  since: Since | undefined;
  mayUse: (id: string) => boolean;
  /** True if the sentence takes back what it asks for. */
  isBack: boolean;
  /** When it was written, epoch ms. */
  now: number;
  /** IANA time zone of the writer; UTC if undefined. */
  zone: string | undefined;
}

/** The clause with a word in place of last digits, so that "park 0103" names a number. */
export function withLastDigits(text: string): string {
  return text.replace(/(?<![\w+-])[#…*]*\d{4}(?![\w-])/g, ' number ');
}

/** The clause with one word in place of a list of numbers: "put number on hold". */
export function withOneNumber(text: string): string {
  return withLastDigits(text).replace(/\bnumber\b(?:(?:[\s,&+;]|\b(?:and|also)\b)+number\b)+/g, 'number');
}

/** The time that is shown where a sentence names none: a history is longer than the news. */
export function startOf(family: Fit['family'] | undefined): Since {
  const isOld = /history/.test(family?.things ?? '') || family?.acts.includes('decide');
  return isOld || family?.given?.Only === 'charges' ? LAST_MONTH : LAST_DAY;
}

/** The sentence without a number that others call or text from: "spam from +1…" names the caller, and no line of a customer. */
export function withoutOthers(facts: Facts): Facts {
  const [only, ...others] = facts.mentions;
  if (only?.before !== 'from' || others.length > 0) return facts;
  return { ...facts, numbers: [], mentions: [] };
}

/** True for a read that explains what a clause is about. */
export function isClearRead({ tool, score, isDoubtful }: Fit): boolean {
  return tool.risk === 'read' && score >= 1 && !isDoubtful;
}

/** "Lift ava's block for +1…": the only number of a sentence that names its customer is not the customer's. */
export function withoutPart(facts: Facts, person: string | undefined): Facts {
  const [only, ...others] = facts.mentions;
  if (person === undefined || only === undefined || others.length > 0 || only.before !== 'for') return facts;
  return { ...facts, mentions: [{ ...only, before: '' }] };
}

/** True if three digits in a sentence about the operation may be an area code. */
export function takesArea(tool: Tool): boolean {
  return fieldsOf(tool).some(({ name }) => name === 'AreaCode');
}

/** Digits alone, as in "0103". */
export function bareDigits(clauses: readonly Clause[]): string | undefined {
  const found = clauses.flatMap(({ text }) =>
    [...text.matchAll(/(?<=^|\s)[#…*]*(\d{3,7})(?:'s)?(?=\s|$)/g)].flatMap(([, digits]) => digits ?? []),
  );
  // "Change her area code to 312? 0103"
  return found.find((digits) => digits.length === 4) ?? found[0];
}

/** The last digits of several numbers: "0101 and 0102". */
export function allDigits(clauses: readonly Clause[]): string[] {
  const all = clauses.flatMap(({ text }) =>
    [...text.matchAll(/(?<=^|\s)[#…*]*(\d{4})(?=\s|$)/g)].map(([, digits = '']) => digits),
  );
  return [...new Set(all)];
}

/**
 * Lists what "it" may mean in the next part of a sentence ("the port of … is stuck, cancel it"), with the acts that
 * each needs. After a hold or a cancellation, "cancel it" may mean the line.
 */
const TOPICS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    ['portin', 'order', 'subscription', 'watch', 'filter', 'webhook', 'recording', 'block'].map((thing) => [thing, []]),
  ),
  park: ['remove', 'undo'],
  cancel: ['undo'],
};
const IT: ReadonlySet<string> = new Set(['it', 'that', 'this']);

/** The topic of a part of a sentence, if "it" may mean it. */
export function topicOf(words: readonly Word[]): string | undefined {
  // "Port in of +1… is late" names the order, and "port +1…" asks for one.
  return words
    .filter(({ isNegated }) => !isNegated)
    .flatMap(({ things, acts }) => (acts.includes('portin') ? ['portin'] : things))
    .find((thing) => Object.hasOwn(TOPICS, thing));
}

/** The words with what "it" means. "Undo" alone is done to it, too. */
export function withTopic(words: readonly Word[], topic: string): Word[] {
  const needed = TOPICS[topic] ?? [];
  const isDone = words.some(
    ({ acts }) => acts.length > 0 && (needed.length === 0 || acts.some((act) => needed.includes(act))),
  );
  const isOwn = words.some(
    ({ acts, things }) => acts.length === 0 && things.some((thing) => thing !== 'number' && isSpecific(thing)),
  );
  if (!isDone || isOwn) return [...words];
  const undoing = words.filter(({ acts }) => acts.includes('undo'));
  return words.map((word, at) => {
    const isObject = IT.has(word.plain) && words.slice(0, at).some(({ acts }) => acts.length > 0);
    const isAlone = words.length === undoing.length && undoing.includes(word);
    return isObject || isAlone ? { ...word, things: [topic] } : word;
  });
}

const WORKS =
  /^(?!.*(?:\bnot\b|n['’]?t\b|\bcannot\b|\bno\b|\bnever\b)).*\b(?:works?|working|fine|ok|okay|good|can|does|do)\b/i;

/** The service that a diagnosis is about. */
export function aboutOf({ tool }: Fit, clauses: readonly Clause[]): Fields {
  const field = fieldsOf(tool).find(({ name }) => name === 'About');
  if (!field) return {};
  // "Calls fail, texts work": the question is about calls.
  const failing = clauses.filter(({ text }) => !WORKS.test(text));
  const means = (failing.length > 0 ? failing : clauses).flatMap(({ words }) => words.flatMap(({ things }) => things));
  const about = field.choices?.find((choice) => means.includes(choice.replace(/s$/, '')));
  return about === undefined ? {} : { About: about };
}

/** The clause with "named" before a name, so that "a customer called Nina" is no call. */
export function withNames(text: string): string {
  return text.replace(/\b[Cc]alled(?=\s+\p{Lu})/gu, 'named');
}

/** The clause without a reason of few words, which is no part of what is asked for: "suspend 0103 for non payment". */
export function withoutReason(text: string): string {
  return text.replace(
    /\bfor\s+(?:the\s+|an?\s+|her\s+|his\s+|their\s+|repeated\s+)*(?:non[\s-]?payment|late\s+payments?|missed\s+payments?|missing\s+payments?|unpaid\s+(?:bills?|invoices?)|fraud|abuse|spamming)\b/giu,
    ' ',
  );
}

/** True if a later part of the sentence speaks against the same change, and of no other number. */
export function isRefusedLater(clause: Clause, { tool }: Fit, clauses: readonly Clause[]): boolean {
  return clauses
    .slice(clauses.indexOf(clause) + 1)
    .some(
      ({ text, fits: [fit] }) => fit?.tool.id === tool.id && isRefused(text, fit.asking) && !/\d{4}|number/.test(text),
    );
}

/** True if a number that a sentence leaves out is also named in what is left: "park 0103 and 0105, well, not 0105". */
export function contradicts({ leftOut, mentions }: Pick<Facts, 'leftOut' | 'mentions'>): boolean {
  const digits = leftOut.join(' ').replace(/[^\d\s]/g, '');
  return mentions.some(({ text }) => new RegExp(`${text.slice(-4)}(?!\\d)`).test(digits));
}

/** A read that explains less than this of a clause is none. */
const MIN_READ = 0.3;

/** The read that explains most of a part of a sentence. */
export function readIn(clauses: readonly Clause[]): Fit | undefined {
  const reads = clauses.flatMap(({ fits }) =>
    fits.filter(({ tool, score, isDoubtful }) => tool.risk === 'read' && score >= MIN_READ && !isDoubtful).slice(0, 1),
  );
  return reads.sort((one, other) => other.score - one.score)[0];
}

/** True for a part that asks to be shown or told something. */
export function asksToSee({ text, isAsked, words }: Clause): boolean {
  const first = words.find(({ acts }) => acts.length > 0);
  return isQuestion(text, isAsked) || first?.acts.includes('show') === true || TELLS.test(text.replace(GREETING, ''));
}

const TELLS =
  /^(?:(?:can|could|would|will)\s+you\s+)?(?:let\s+me\s+(?:see|know)|(?:show|tell|give|get|send)\s+(?:me|us)|list|show|see|display|check|look)\b/i;

/** True for "show what we wrote", "tell me who parked it": it asks for no change. */
export function asksToTell(clause: string): boolean {
  return TOLD.test(clause.replace(GREETING, ''));
}

const TOLD = /^(?:show|tell|list|see)\s+(?:(?:me|us)\s+)?(?:what|which|who|when|where|why|how)\b/i;

/** True for a part whose first act changes something. */
export function beginsDeed({ text, isAsked, words }: Clause): boolean {
  const first = words.find(({ acts }) => acts.length > 0);
  if (!isAsked && UNDER.test(text))
    return words.some(({ acts, isPast }) => !isPast && acts.some((act) => DEEDS.has(act)));
  const isDeed = first?.acts.some((act) => DEEDS.has(act)) === true && !first.isPast && !first.isNegated;
  return isDeed && !isQuestion(text, isAsked) && !asksToSee({ text, isAsked, words, fits: [], times: [] });
}

const UNDER =
  /^\W*(?:(?:number|[#…*]*\d{4})[\s,:]+)?(?:if|unless|once|when\s+(?!(?:is|are|was|were|did|does|do|will|would|can|could|has|have|should)\b))\b/i;

/** Why a change under a condition is not offered. */
export function onCondition(condition: string): string {
  return `“${condition}” is a condition, and nothing here waits for it. Look whether it is so, and write the rest alone`;
}
