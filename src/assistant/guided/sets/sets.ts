import { TRAFFIC } from '../../../../tools/surfaces/guard.ts';
import { batchedBy } from '../../../catalogue/batch-rule.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { wordsOf } from '../../../language/sentence.ts';
import { nounOf } from '../../../language/typed-values.ts';
import { defined, type Fields } from '../../../lib/json.ts';
import { jsonText } from '../../../lib/text.ts';
import { answer, flagged, type GuidedAnswer } from '../answers/answer.ts';
import { takesNumbers } from '../answers/fill.ts';
import { volumesIn } from '../facts/facts.ts';
import { PRODUCTS, STATES } from '../reads/bare-lists.ts';
import { conditionBehind, criteriaText } from '../reads/list-conditions.ts';
import { exceptionsIn as exceptionsOf, leftOutText, withoutRows } from './exceptions.ts';

/*
 * Sets of lines that a sentence names by their customer: "all active acme lines", "everyone at Globex". The sentence is
 * read as if it named one line in their place, and the answer is for each line that a search for the customer finds.
 */

/** The lines of a customer that a sentence names. */
export interface LineSet {
  /** As it was typed. */
  text: string;
  /** Its place in the sentence. */
  start: number;
  /** The customer or the account. */
  name: string;
  /** The state and the product of the lines, as far as the sentence says. */
  narrow: Fields;
  /** The lines that are left out, by their digits or names. */
  except?: readonly string[];
  /** What these get instead: "0105 gets 5000". */
  owns?: readonly string[];
}

/** In place of a set. It reads as the last digits of a number. */
const ONE = '0000';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
/** Words that begin a set. */
const ALL = words('all every each both any the our my of');
const QUANTIFIERS = words('all every each both');
const LINES = words(
  'lines numbers sims esims phones customers subscribers users people line number sim phone customer',
);
/** Words that stand for lines by themselves. */
const EVERYONE = words('everyone everybody everything');
const OF = words('at of for from under with in on to');
const ARTICLES = words('the our my their');
/** Words between the noun and a state: "lines that are active". */
const THAT = words('that which are is currently still now');
/** Words that begin a condition behind a name. */
const CONDITIONS = words('missing lacking without over under above below using');
/** Words that may follow "all of Globex", and name nothing that it has. */
const BEHIND_NAME = words(
  'off on to from at with for in that until till except but and today tomorrow now please pls again back',
);
/** Number of first characters in which a set is looked for. Longer sentences are texts of messages. */
const MOST_CHARS = 800;
/** Longest name of a customer, in words. */
const MOST_WORDS = 3;

interface Token {
  text: string;
  plain: string;
  start: number;
  end: number;
}

function tokensOf(said: string): Token[] {
  return [...said.matchAll(/[\p{L}\p{M}\d][\p{L}\p{M}\d'’&-]*/gu)].map(({ 0: text, index }) => ({
    ...{ text, plain: text.toLowerCase() },
    ...{ start: index, end: index + text.length },
  }));
}

function isName(token: Token | undefined): token is Token {
  if (token === undefined || /\d/.test(token.text) || token.plain.length < 2) return false;
  const plain = token.text.replace(/['’]s$/, '');
  return wordsOf(plain).length === 1 && wordsOf(plain).every(({ isUnknown }) => isUnknown);
}

function stateOf(plain: string): Fields | undefined {
  const state = Object.hasOwn(STATES, plain) ? STATES[plain] : undefined;
  const product = Object.hasOwn(PRODUCTS, plain) ? PRODUCTS[plain] : undefined;
  if (state !== undefined) return { Status: state };
  return product === undefined ? undefined : { Product: product };
}

/** The set of lines that a sentence names first. Undefined if it names none with a customer. */
export function setIn(said: string): LineSet | undefined {
  const tokens = tokensOf(said.slice(0, MOST_CHARS));
  for (let at = 0; at < tokens.length; at++) {
    const found = setAt(tokens, at);
    const set = found && behindIt(said, found);
    if (set) return set;
  }
  return undefined;
}

/** The set with the condition behind its lines: "ava's lines that used more than 10 MB". */
function behindIt(said: string, { start, end, name, narrow, isSure }: Found): LineSet | undefined {
  const rest = said.slice(end, end + MOST_CHARS);
  const behind = conditionBehind(rest, { volumes: volumesIn(rest) });
  if (!behind && !isSure) return undefined;
  const { text = '', criteria = {} } = behind ?? {};
  return { start, name, text: said.slice(start, end + text.length), narrow: { ...narrow, ...criteria } };
}

type Found = Pick<LineSet, 'start' | 'name' | 'narrow'> & {
  end: number;
  /** False for lines that only a condition behind them makes a set: "numbers of Acme without a route". */
  isSure: boolean;
};

/** The set that begins at a word. */
function setAt(tokens: readonly Token[], first: number): Found | undefined {
  const start = tokens[first];
  const before = tokens[first - 1]?.plain;
  // "Any filters at all"; "new Acme lines" are not there yet.
  if (start === undefined || (start.plain === 'all' && before === 'at') || before === 'new') return undefined;
  let at = first;
  while (ALL.has(tokens[at]?.plain ?? '')) at++;
  const isQuantified = tokens.slice(first, at).some(({ plain }) => QUANTIFIERS.has(plain));
  let narrow: Fields = {};
  const skipStates = () => {
    for (let own = stateOf(tokens[at]?.plain ?? ''); own; own = stateOf(tokens[++at]?.plain ?? ''))
      narrow = { ...narrow, ...own };
  };
  skipStates();
  const names: Token[] = [];
  while (names.length < MOST_WORDS && goesOn(names.at(-1), tokens[at])) {
    const token = tokens[at++];
    if (token) names.push(token);
    if (/['’]s$/.test(token?.text ?? '')) break;
  }
  skipStates();
  if (isWholeOf(tokens, first, at, names)) {
    const last = names.at(-1);
    return last && { start: start.start, end: last.end, name: nameOf(names), narrow, isSure: true };
  }
  const noun = isNext(tokens[at - 1], tokens[at]) ? tokens[at] : undefined;
  const isPlural = LINES.has(noun?.plain ?? '') && (/s$|^people$/.test(noun?.plain ?? '') || isQuantified);
  if (noun && names.length > 0) {
    const isSaid = isQuantified || /^(?:lines|sims|esims|phones)$/.test(noun.plain);
    return isPlural ? { start: start.start, end: noun.end, name: nameOf(names), narrow, isSure: isSaid } : undefined;
  }
  // "All lines of Acme", "everyone at Globex"
  const isAll = EVERYONE.has(noun?.plain ?? '');
  if (!isPlural && !isAll) return undefined;
  at++;
  const isSure = isQuantified || isAll || Object.keys(narrow).length > 0 || noun?.plain === 'lines';
  const state = at;
  while (THAT.has(tokens[at]?.plain ?? '')) at++;
  skipStates();
  if (Object.keys(narrow).length === 0) at = state;
  if (!OF.has(tokens[at]?.plain ?? '')) return undefined;
  at++;
  while (ARTICLES.has(tokens[at]?.plain ?? '')) at++;
  const owners: Token[] = [];
  while (owners.length < MOST_WORDS && goesOn(owners.at(-1), tokens[at])) {
    const token = tokens[at++];
    if (token) owners.push(token);
  }
  // "All lines on the Globex account"
  const last = owners.length > 0 && tokens[at]?.plain === 'account' ? tokens[at] : owners.at(-1);
  return last && { start: start.start, end: last.end, name: nameOf(owners), narrow, isSure };
}

/** "All of Globex", which stands for its lines: nothing that it has is named behind it. */
function isWholeOf(tokens: readonly Token[], first: number, at: number, names: readonly Token[]): boolean {
  const [all, of] = tokens.slice(first, at);
  const [last, next] = [names.at(-1), tokens[at]];
  if (all?.plain !== 'all' || of?.plain !== 'of' || of !== tokens[at - names.length - 1]) return false;
  if (last === undefined || /['’]s$/.test(last.text)) return false;
  return next === undefined || !isNext(last, next) || /^\d/.test(next.text) || BEHIND_NAME.has(next.plain);
}

/** "… of Acme, globex": a comma ends a name. */
function isNext(before: Token | undefined, token: Token | undefined): boolean {
  return before === undefined || token?.start === before.end + 1;
}

/** True for the next word of a name. "Acme Mobile": behind a name with a capital letter, any such word is its part. */
function goesOn(before: Token | undefined, token: Token | undefined): boolean {
  if (token === undefined || !isNext(before, token) || CONDITIONS.has(token.plain)) return false;
  const isCapital = before !== undefined && [before, token].every(({ text }) => /^\p{Lu}/u.test(text));
  return isCapital || isName(token);
}

/** "Acme's", and "acmes" before a noun. */
function nameOf(names: readonly Token[]): string {
  return names
    .map(({ text }) => text.replace(/['’]s?$/, ''))
    .join(' ')
    .replace(/(?<=\p{L}{2}[^s\P{L}])s$/u, '');
}

/**
 * The lines that a sentence leaves out of its set, by their digits or names, and the sentence without these words.
 *
 * @param message the text of a message that it sends, which leaves nothing out
 */
export function exceptionsIn(
  sentence: string,
  { start, text }: LineSet,
  message: string | undefined,
): ReturnType<typeof exceptionsOf> {
  const end = start + text.length;
  const at = message === undefined ? sentence.length : sentence.lastIndexOf(message);
  if (at < end) return { rest: sentence, except: [], owns: [] };
  const [said, sent] = [sentence.slice(0, at), sentence.slice(at)];
  // The words of the set say that "but 0105" leaves a line out.
  const { rest, except, owns } = exceptionsOf(`lines${said.slice(end)}`);
  return { rest: `${said.slice(0, end)}${rest.slice('lines'.length)}${sent}`, except, owns };
}

const LEAVES_OUT =
  /\b(?:except\p{L}*|excluding|all\s+but|every\p{L}*\s+but|apart\s+from|aside\s+from|other\s+than|besides)\b/iu;

/** True for an order with words that leave something out. */
export function leavesSomeOut(said: string): boolean {
  return LEAVES_OUT.test(said);
}

/** The sentence with one line in place of the set. */
export function withOne(said: string, { start, text }: LineSet): string {
  return `${said.slice(0, start)} ${ONE} ${said.slice(start + text.length)}`.replace(/\s+/g, ' ').trim();
}

/** True if a set is part of an order and not of the text of a message, and no number looks like its placeholder. */
export function isReadable(said: string, set: LineSet, texts: readonly (string | undefined)[]): boolean {
  return !said.includes(ONE) && !ORDERS_NEW.test(said) && !texts.some((text) => text?.includes(set.text));
}

/** "Order 5 voip numbers for acme": new ones, and none that Acme has. */
const ORDERS_NEW =
  /^\W*(?:(?:please|pls|hi|hey|ok|so|can|could|you|u|we|i|need|want|to)[\s,]+)*(?:order|buy|provision|purchase)\s+(?:(?:me|us)\s+)?(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|some|a\s+few|more)\s/iu;

/** "Which one", "how many of them": the lines of the set of the message before. */
const OF_THEM =
  /^\W*(?:(?:and|so|ok|okay|but|then)[\s,]+)*(?<asks>which|who|how\s+many)(?:\s+(?:ones?|of\s+(?:them|these|those)|line|lines))\b(?!\s+of\b)/iu;

/** A question about the lines of a set that the message before named, with the set in it. Undefined for other messages. */
export function withSetBefore(said: string, last: string): string | undefined {
  const match = OF_THEM.exec(said);
  const set = match && setIn(said) === undefined ? setIn(last) : undefined;
  if (!match || set === undefined || /\d{4}/.test(said)) return undefined;
  const asks = match.groups?.asks ?? 'which';
  return `${/^who$/i.test(asks) ? 'which' : asks} ${set.name} lines${said.slice(match[0].length)}`;
}

/** Reads of the data of lines, which a search shows for all that it finds. */
const OF_ALL = /^(?:all|every|each|both)\b/i;
const OF_DATA = /^numbers_data_usage_/;

/**
 * The answer for each line of a set.
 *
 * @param one the answer to the sentence with one line in place of the set
 * @param set with the criteria by which a list of its lines is narrowed. `isTotal`: what is read is to be added up.
 *   `leavesOut`: the sentence leaves lines out that `except` does not name
 * @param toolOf an operation by its id
 * @returns undefined if the sentence asks for nothing that is done or read for each line
 */
export function forSet(
  one: GuidedAnswer,
  {
    criteria = {},
    isTotal = false,
    leavesOut = false,
    ...set
  }: LineSet & { criteria?: Fields; isTotal?: boolean; leavesOut?: boolean },
  toolOf: (id: string) => Tool | undefined,
): GuidedAnswer | undefined {
  const [tool, find] = [toolOf(one.operation ?? ''), toolOf('numbers_find')];
  const isOther = one.isInstead || one.isRefused || one.isUnclear || one.withdraws || one.each !== undefined;
  const isOfSet = jsonText([one.input, one.find?.input ?? {}]).includes(ONE);
  if (!tool || !find || isOther || !isOfSet) return undefined;
  const { except = [], owns = [] } = set;
  const listed = (input: Fields, text: string): GuidedAnswer =>
    withoutRows(
      {
        ...answer('lookup', {
          tool: find,
          input: { ...searchOf(set), ...input },
          understood: `${setText(set)}${text}`,
        }),
        isList: true,
        ...defined({ remarks: one.remarks }),
      },
      except,
    );
  const own = owns.map((item) => `; “${item}” is an order of its own: send it by itself`).join('');
  const told = `${own}${(one.remarks ?? '').replace(/\.$/, '')}`;
  if (one.kind === 'lookup') {
    const { Query, ...rest } = one.input;
    // The lines are chosen by what they have, and nothing is read for each.
    const own = Object.fromEntries(Object.entries(criteria).filter(([member]) => set.narrow[member] === undefined));
    const isNarrowed = ['UsedFrom', 'UsedTo', 'Route', 'Plan'].some((member) => set.narrow[member] !== undefined);
    if (isNarrowed || Object.keys(own).length > 0) return listed(own, `${criteriaText(own)}${told}`);
    if (tool.id === find.id)
      return Query === ONE && Object.keys(rest).length > 0 ? listed(rest, `; ${shown(rest)}${told}`) : undefined;
    if (OF_DATA.test(tool.id) && isTotal) return undefined;
    if (OF_DATA.test(tool.id))
      return listed({ Data: true }, `; each with its data and its limit, and none is left out by them${told}`);
    // The filters of all lines of one customer are one list.
    if (TRAFFIC.some(({ list }) => list === tool.id) && !OF_ALL.test(set.text)) return undefined;
    return tool.id === 'numbers_lookup'
      ? undefined
      : listed({}, `; “${tool.title}” is read for one line at a time${told}`);
  }
  if (one.kind !== 'form' && one.kind !== 'question') return undefined;
  if (leavesOut)
    return {
      ...listed({}, `. Which of them are left out was not understood, so that nothing is offered${told}`),
      isInstead: true,
    };
  const shared = sharedOf(tool, one.input);
  if (shared === undefined) return refused(tool, set, one, listed);
  // A change without a value was not understood: "export all Acme lines".
  if (tool.id.endsWith('_update') && Object.keys(shared).length === 0)
    return listed({}, `. What is to be changed of them was not understood${told}`);
  const without = leftOutText(except);
  const remarks = `; for each of the lines found by “${set.name}”${narrowText(set)}${without}${told}`;
  return {
    ...answer('form', { tool, input: shared, understood: `${tool.title}${remarks}` }),
    each: {
      field: batchedBy(tool)?.row ?? '',
      texts: [],
      set: { operation: find.id, input: searchOf(set), ...(except.length > 0 && { except }) },
    },
    remarks,
    ...flagged({ isReady: false, isLater: one.isLater === true }),
    ...defined({ isChecked: one.isChecked }),
  };
}

/** A change that is not offered for a set: the lines are shown, and it is said that each has to be named. */
function refused(
  tool: Tool,
  set: LineSet,
  one: GuidedAnswer,
  listed: (input: Fields, text: string) => GuidedAnswer,
): GuidedAnswer {
  const why = `"${tool.title}" needs each number or name: “${set.text}” stands for none. Nothing was done.`;
  const list = listed({}, (one.remarks ?? '').replace(/\.$/, ''));
  const input = withoutOne(one.input);
  const isOffered = tool.risk === 'write' && Object.keys(input).length > 0;
  return {
    ...list,
    isInstead: true,
    lead: why,
    understood: `${why} ${list.understood}`,
    ...(isOffered && { nearest: [{ operation: tool.id, input }] }),
  };
}

/** Nouns of records that a number finds: each line has one at most. */
const OF_LINES: ReadonlySet<string> = new Set(['line', 'subscription']);

/** The values that all lines of a set get. Undefined if the change is not made for many lines, or takes something away. */
function sharedOf(tool: Tool, input: Fields): Fields | undefined {
  const rule = batchedBy(tool);
  const rows = rule?.list ?? rule?.row;
  const field = fieldsOf(tool).find(({ name }) => name === rows);
  const isLost = tool.risk === 'destroy' && !isUndone(tool, input);
  const isOfLine = field !== undefined && (takesNumbers(field) || OF_LINES.has(nounOf(field)));
  if (isLost || rule === undefined || !field || !isOfLine) return undefined;
  const shared = Object.fromEntries(Object.entries(input).filter(([name]) => name !== field.name));
  return jsonText(shared).includes(`"${ONE}"`) ? undefined : shared;
}

/** Status changes that the contrary one undoes. */
const UNDONE: ReadonlySet<unknown> = new Set(['park', 'activate']);

/** True for a hold and its end, which take nothing away for good. */
function isUndone({ id }: Tool, { StatusChange }: Fields): boolean {
  return id === 'numbers_status' && UNDONE.has(StatusChange);
}

function withoutOne(input: Fields): Fields {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => !jsonText(value).includes(`"${ONE}"`)));
}

function searchOf({ name, narrow }: LineSet): Fields {
  return { Query: name, ...narrow };
}

function narrowText({ narrow }: LineSet): string {
  return criteriaText(narrow);
}

function setText(set: LineSet): string {
  return `Find numbers by "${set.name}"${narrowText(set)}`;
}

function shown({ Full, Data }: Fields): string {
  if (Full === true) return 'each with its plan and its routes';
  return Data === true ? 'each with its data' : 'as asked';
}

/**
 * A search without a customer, for a sentence that names one: it is for that customer alone, because what is done with
 * its result may reach each line in it.
 */
export function withinCustomer(guided: GuidedAnswer, name: string | undefined): GuidedAnswer {
  const isSearch =
    guided.kind === 'lookup' && guided.operation === 'numbers_find' && guided.input.CountBy === undefined;
  if (!isSearch || guided.input.Query !== undefined || name === undefined) return guided;
  if (jsonText(guided.input).toLowerCase().includes(name.toLowerCase())) return guided;
  return {
    ...guided,
    input: { Query: name, ...guided.input },
    understood: guided.understood.replace(/^Find numbers(?! by)/, `Find numbers by "${name}"`),
  };
}
