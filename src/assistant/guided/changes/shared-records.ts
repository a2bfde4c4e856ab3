import { fieldsOf } from '../../../catalogue/fields.ts';
import { isChange, type Tool } from '../../../catalogue/operation.ts';
import { keysOf } from '../../../gate/change.ts';
import { wordsOf } from '../../../language/sentence.ts';
import { nounOf } from '../../../language/typed-values.ts';
import { defined, type Fields } from '../../../lib/json.ts';
import { jsonText } from '../../../lib/text.ts';
import { type GuidedAnswer, help } from '../answers/answer.ts';
import { isPlanName } from '../facts/plans.ts';

/*
 * Packages, products and routes are shared by all lines that have them. "Put her on the starter package" and "delete his
 * plan" are about a line that the sentence does not name, and never change or delete the record itself: the sentence is
 * read as if it named a line in place of these words.
 */

const SHARED: ReadonlySet<string> = new Set(['package', 'product', 'message route', 'voice route', 'feature']);
/** In place of the line. It reads as the last digits of a number. */
const ONE = '0000';

const NOUN = '(?:line|number|sim|phone|customer|subscriber|client|user|caller|person|guy|lady|woman|man|one)';
const NOBODY = String.raw`(?:the|this|that|our|my)\s+(?:(?:new|same|ported|other)\s+)?${NOUN}`;
/** A number that is not a whole one, and more than the end of one. */
const DIGITS = String.raw`(?<![\d.,+-])(?:\d{3}[\s.-]?\d{4}|\d{5,6})(?![\w-]|[.,]\d)`;
const RECORD = '(?:plan|package|bundle|tariff|product|subscription|route|trunk)s?';
const PLACE = '(?:back\\s+|over\\s+|up\\s+)*(?:on|onto|off|from|out|to|for|in|into|the|an?|\\p{L}+)';
/** Words for a line right behind the verb: "put her on …", "give this customer the …". */
const OBJECT = new RegExp(
  String.raw`(?<=(?<verb>\p{L}+)\s+(?:back\s+|over\s+)?)(?:(?<who>him|her|them|em|${NOBODY}|${DIGITS})(?=\s+${PLACE}\b|\s*[.!?]*$)|(?:it|this|that)(?=\s+(?:(?:back\s+|over\s+|up\s+)*(?:on|onto|off|for)\b|the\s+(?:\p{L}+\s+){1,2}${RECORD}\b)))(?!['’])`,
  'iu',
);
const OWNER = new RegExp(
  String.raw`\b(?:(?:her|his|their|its)|(?:${NOBODY}|${DIGITS})['’]s)(?=\s+(?:\p{L}[\p{L}\d-]*\s+){0,2}${RECORD}\b)`,
  'iu',
);
/** "She should be on starter", "this customer wants the starter plan". */
const SUBJECT = new RegExp(
  String.raw`(?<=^\W*|[,;.]\s+)(?:he|she|they|${NOBODY}|${DIGITS})(?=\s+(?:should|must|shall|needs?|wants?|has\s+to|have\s+to|goes|moves|switches)\b)`,
  'iu',
);
const BEHIND = new RegExp(
  String.raw`(?<=\b(?:${RECORD}|to|for|of)\b[^,.;!?]*\b(?:for|of|on|from|to)\s+)(?:him|her|them|${NOBODY}|${DIGITS})(?=\s*(?:$|[,.;!?]|\b(?:to|please|pls|now|today|too|from)\b))`,
  'iu',
);
/** In "add it to the package", the pronoun is no line. */
const ADDS = /^(?:add|adds|include|bundle|throw)$/iu;
const LINE = /(?<![\w.,+-])[#…*]*\d{4}(?![\w-]|[.,]\d)|\+?1?[\s.-]?\(?\b[2-9]\d{2}\)?[\s.-]?\d{3}[\s.-]?\d{4}(?!\d)/u;
const MOST_CHARS = 300;

/** The records that a change is made of, if lines share them. */
function sharedOf({ operation, kind }: GuidedAnswer, toolOf: (id: string) => Tool | undefined): string | undefined {
  const tool = kind === 'form' || kind === 'question' ? toolOf(operation ?? '') : undefined;
  if (!tool || !isChange(tool)) return undefined;
  const keys = keysOf(tool);
  return fieldsOf(tool)
    .filter(({ name }) => keys.includes(name))
    .map(nounOf)
    .find((noun) => SHARED.has(noun));
}

/**
 * The answer about the line that a sentence means, in place of a change of the record that lines share.
 *
 * @param answered the answer to another sentence
 * @param people the people that the sentence names
 */
export function withoutSharedChange(
  guided: GuidedAnswer,
  said: string,
  answered: (text: string) => GuidedAnswer,
  toolOf: (id: string) => Tool | undefined,
  people: () => readonly string[],
): GuidedAnswer {
  if (said.length > MOST_CHARS || /["“„]/u.test(said)) return guided;
  const subscribed = ofPackageName(guided, said, answered);
  if (subscribed) return subscribed;
  const noun = sharedOf(guided, toolOf);
  if (noun === undefined && !mayBeOfPlan(guided, said)) return guided;
  const lines = linesIn(said);
  const named = lines.length > 0 ? lines : people().filter((name) => !isPlanName(name));
  const isOpen = noun !== undefined || named.length === 0;
  const meant = isOpen && named.length < 2 && !said.includes(ONE) ? lineIn(said, named[0] ?? ONE) : undefined;
  if (meant !== undefined) {
    const own = answered(meant.text);
    const isTaken = (noun === undefined ? PLANS : OF_LINES).test(own.operation ?? '');
    if (isTaken && isFor(own, named[0] ?? ONE))
      return named.length > 0 ? own : withoutOne(own, meant.who, /\d/.test(meant.who) ? meant.who : numberIn(said));
    return noun === undefined ? guided : refused(noun, meant.who);
  }
  const own = noun === undefined || named.length !== 1 ? undefined : ofNamed(guided, said, named[0] ?? '', answered);
  if (own) return own;
  const line = noun === undefined ? undefined : namedLine(said, guided);
  return noun === undefined || line === undefined ? guided : refused(noun, line, answered(line));
}

/** "End ben's starter subscription": the package says which one it is, and the subscription is that of the line. */
function ofPackageName(
  { operation = '', input }: GuidedAnswer,
  said: string,
  answered: (text: string) => GuidedAnswer,
): GuidedAnswer | undefined {
  const { SubscriptionId: name } = input;
  if (!PLANS.test(operation) || typeof name !== 'string' || !isPlanName(name)) return undefined;
  const at = new RegExp(String.raw`\b${name}\s+(?=(?:plan\s+|package\s+)?subscription\b)`, 'iu').exec(said);
  const own = at && answered(`${said.slice(0, at.index)}${said.slice(at.index + at[0].length)}`);
  if (!own || own.operation !== operation || own.input.SubscriptionId === name) return undefined;
  if (own.input.SubscriptionId === undefined && !OWNER.test(said)) return undefined;
  const told = `; “${name}” is read as its package`;
  return { ...own, understood: `${own.understood.replace(/\.$/, '')}${told}.`, remarks: `${own.remarks ?? ''}${told}` };
}

/** Verbs that give a line another record, right before its name. */
const PUTS = /\b(?:put|place|move|point|switch|shift|hook|connect|transfer|take|get|give)\s+(?:over\s+)?$/iu;

/** "Put ben on the main route": the answer for the person, whose name the change of the record does not carry. */
function ofNamed(
  { input, operation = '' }: GuidedAnswer,
  said: string,
  name: string,
  answered: (text: string) => GuidedAnswer,
): GuidedAnswer | undefined {
  const at = said.toLowerCase().indexOf(name.toLowerCase());
  const isCarried = jsonText([input]).toLowerCase().includes(name.toLowerCase());
  // The record of a person is never the one that is deleted: "delete ben's package".
  const isOwner = /^['’]s\b/u.test(said.slice(at + name.length)) && /_delete$/u.test(operation);
  if (!isOwner && !PUTS.test(said.slice(0, Math.max(at, 0)))) return undefined;
  if (/\d/.test(name) || at < 0 || said.includes(ONE) || (isCarried && !isOwner)) return undefined;
  const own = answered(`${said.slice(0, at)}${ONE}${said.slice(at + name.length)}`);
  return OF_LINES.test(own.operation ?? '') && isFor(own, ONE) ? withoutOne(own, name, name) : undefined;
}

/** The lines of a sentence. */
function linesIn(said: string): readonly string[] {
  return said.match(new RegExp(LINE, 'gu'))?.map((one) => one.trim()) ?? [];
}

const OF_LINES = /^(?:subscriptions_(?!features_(?:add|delete))|numbers_|subscribers_)/u;
const PLANS = /^subscriptions_(?:create|update|delete)$/u;

/** True for an order for the plan of a line that was read as something else: as a search, or with a wrong subscriber. */
function mayBeOfPlan(
  { operation = '', kind, isInstead, isUnread, isRefused, takesBack }: GuidedAnswer,
  said: string,
): boolean {
  if (isRefused || takesBack !== undefined || ASKS.test(said)) return false;
  const isOther = kind === 'help' ? !isUnread : kind === 'lookup' && (isInstead || operation === 'numbers_find');
  return PLANS.test(operation) || isOther;
}

const ASKS =
  /\?\s*$|^\W*(?:(?:so|and|ok|hey|hi)[\s,]+)*(?:is|are|was|were|does|do|did|has|have|who|what|which|where|why|when|how|show|list|find|can)\b/iu;

interface Meant {
  /** The sentence with a line in place of the words. */
  text: string;
  who: string;
}

function lineIn(said: string, line: string): Meant | undefined {
  for (const [pattern, end] of [
    [OWNER, '’s'],
    [OBJECT, ''],
    [BEHIND, ''],
    [SUBJECT, ''],
  ] as const) {
    const match = pattern.exec(said);
    if (!match || !isVerb(match.groups?.verb) || (ADDS.test(match.groups?.verb ?? '') && !match.groups?.who)) continue;
    const [found] = match;
    const text = `${said.slice(0, match.index)}${line}${end}${said.slice(match.index + found.length)}`;
    return { text, who: found.replace(/['’]s$/u, '') };
  }
  return undefined;
}

/** True for a word that does something, and for a match that needs none. */
function isVerb(word: string | undefined): boolean {
  return word === undefined || wordsOf(word).some(({ acts, isUnknown }) => acts.length > 0 || !isUnknown);
}

/** The only unfinished number of a sentence, as it was typed. */
function numberIn(said: string): string | undefined {
  const found = said.match(new RegExp(DIGITS, 'gu')) ?? [];
  return found.length === 1 ? found[0] : undefined;
}

function isFor({ kind, input, find, isInstead }: GuidedAnswer, who: string): boolean {
  const isOffer = (kind === 'form' || kind === 'question') && isInstead !== true;
  return isOffer && jsonText([input, find?.input ?? {}]).includes(who);
}

/** The answer without the digits that stand for the line. `number`: those of the line that is meant. */
function withoutOne({ find, ...guided }: GuidedAnswer, who: string, number: string | undefined): GuidedAnswer {
  const as = (input: Fields) =>
    Object.fromEntries(
      Object.entries(input).flatMap(([name, value]) =>
        jsonText(value).includes(ONE) ? (number === undefined ? [] : [[name, number]]) : [[name, value]],
      ),
    );
  const told = number === undefined ? `; which line “${who}” is was not said: choose it in the form` : '';
  const plain = guided.understood
    .replace(`; find numbers by "${ONE}" first`, number === undefined ? '' : `; find numbers by "${number}" first`)
    .replaceAll(ONE, number ?? who)
    .replace(/\.$/, '');
  const { remarks: before = '', ...rest } = guided;
  const remarks = `${before.replaceAll(ONE, number ?? who)}${told}`;
  const left = guided.wordsLeft?.filter((word) => !word.includes(ONE));
  return {
    ...rest,
    ...(left && { wordsLeft: left }),
    input: as(guided.input),
    ...(find && number !== undefined && { find: { ...find, input: as(find.input) } }),
    understood: `${plain}${told}.`,
    ...defined({ remarks: remarks === '' ? undefined : remarks }),
  };
}

/** A line that a sentence names, and that the change of a shared record does not carry. */
function namedLine(said: string, { input }: GuidedAnswer): string | undefined {
  const [line] = LINE.exec(said) ?? [];
  return line !== undefined && !jsonText(Object.values(input)).includes(line.slice(-4)) ? line.trim() : undefined;
}

/** The sentence that gives a line another record of the kind. */
const INSTEAD: Readonly<Record<string, string>> = {
  package: 'A line gets another one by “put NUMBER on the NAME package”',
  product: 'A line has the products of its package, and gets another one by “put NUMBER on the NAME package”',
  feature: 'A line gets it by “give NUMBER the feature FEID-…”',
};
const TO_ROUTE = 'A line gets another one by “point NUMBER at the NAME route”';

function refused(noun: string, who: string, shown?: GuidedAnswer): GuidedAnswer {
  const why = `A ${noun} is the same for all lines that have it, so nothing is offered that changes it for “${who}” alone. ${INSTEAD[noun] ?? TO_ROUTE}, and the ${noun} itself is changed by its own name`;
  if (shown?.kind !== 'lookup') return help(`${why}. Nothing was done`);
  const lead = `${why}. Nothing was done.`;
  return { ...shown, isInstead: true, lead, understood: `${lead} ${shown.understood}` };
}
