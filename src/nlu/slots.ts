import type { Field, Tool } from '../catalogue/operation.ts';
import { type Fields, isRecord as isFields } from '../lib/values.ts';
import {
  type EntityKind,
  entryOf,
  fieldValue,
  isChoice,
  isList,
  OPEN,
  OUTSIDE,
  QUERY,
  slotsOf,
  type Token,
  takes,
} from './entities.ts';
import { choiceFeatures, type Model, slotFeatures } from './model-file.ts';
import { operationOf } from './rows.ts';

/*
 * Slots: which field of an operation each part of a message fills. A classifier gives each token a slot; what the
 * catalogue says of a field decides whether it may go there. Choices and switches stand in no word of their own ("park",
 * true): another classifier reads each of them from the whole message.
 */

export interface Filled {
  input: Fields;
  /** The text to search lines and customers for. */
  find?: string;
  /** Names beside a line. */
  beside?: string[];
  /** Entities that no field took. */
  notTaken: string[];
}

/** A part of a message in its slot. `to` is behind its last token. */
interface Span {
  slot: string;
  from: number;
  to: number;
}

type Slots = ReadonlyMap<string, Field>;

/** The least probability of a choice. */
const SURE_CHOICE = 0.75;
/** A less likely slot holds no entity. */
const LEAST_SLOT = 0.02;
/** The probability that a field with one value gets a second one, which leaves it empty, and not another field the value. */
const SECOND_VALUE = 0.2;
/** The words after one of these fill no field, up to the end of the clause. */
const CONTRAST = /^(?:not|but|except|excluding|than|without)$/;
/** Words beside an amount that is added to the present one, or taken from it. */
const DIFFERENCE = /^(?:more|extra|additional|another|less|add|by|plus)$/;
/** The most words between a contrast and its value. */
const MOST_BETWEEN = 3;
const CLAUSE_END = /^[,.;:!?]$/;
/** Fields that name the record of an operation, in the order in which one is taken. */
export const SUBJECTS: readonly string[] = [
  ...['PhoneNumber', 'Number', 'PhoneNumbers', 'To', 'SubscriberId', 'SubscriptionId', 'OrderId', 'PortOutNumber'],
  ...['PortInNumber', 'FilterId', 'CallFilterId', 'MessageFilterId', 'PackageId', 'ProductId', 'AccountId', 'TNID'],
  ...['MessageRouteId', 'CallRouteId', 'CallRouteID', 'WorkgroupId', 'WebhookId', 'Phone'],
];
/** Entities that a field of text may take only if its schema does. */
const NUMERIC: readonly (EntityKind | undefined)[] = ['zip', 'area', 'digits', 'count'];
/** In MB. A smaller amount beside one in GB has no unit because it is in GB too. */
export const GIGABYTE = 1024;

export class SlotFiller {
  readonly #tools: ReadonlyMap<string, Tool>;
  /** Those of the slot of a token, and of the value of a field with choices. */
  readonly #learned: Pick<Model['classifiers'], 'slot' | 'choice'>;

  constructor(tools: ReadonlyMap<string, Tool>, learned: Pick<Model['classifiers'], 'slot' | 'choice'>) {
    this.#tools = tools;
    this.#learned = learned;
  }

  /** The slots of an operation. */
  slotsOf(operation: string): Slots {
    const tool = this.#tools.get(operation);
    return tool ? slotsOf(tool) : new Map<string, Field>();
  }

  /** Fills the fields of the operation of a label from a message. */
  fill(message: string, tokens: readonly Token[], label: string): Filled {
    const operation = operationOf(label);
    const slots = this.slotsOf(operation);
    const body = [...slots.values()].find(({ kind, required }) => kind === 'multiline' && required);
    const text = body && textOf(message, tokens);
    const outside = tokens.filter(({ from }) => !text || from < text.from || from >= text.to);
    const excluded = contrasted(outside);
    const read = outside.filter((_, at) => !excluded.has(at));
    const spans = this.#spans(read, operation, slots).filter(({ slot, from }) => {
      const [field, token] = [slots.get(slot), read[from]];
      if (slot === body?.name) return false;
      // A field of digits, such as an area code, takes the numbers that its schema takes.
      if (!token || field?.kind !== 'text' || !NUMERIC.includes(token.kind)) return true;
      return this.#tools.get(operation)?.input.shape[field.name]?.safeParse(fieldValue(field, token)).success !== false;
    });
    addEntities(spans, read, slots);
    // An e-mail address beside a record that is named is a value for it, and no other record to look for.
    const isNamed = !slots.has(QUERY) && spans.some(({ slot }) => SUBJECTS.includes(slot));
    // A change of “0103 or 0104” is a question: it has none of them.
    const isChange = this.#tools.get(operation)?.risk !== 'read';
    const isOpen = ({ slot, from }: Span) => isChange && isRecord(slot) && isOther(read, from);
    const open = spans.flatMap((span) => (isOpen(span) ? [span.slot] : []));
    const isBeside = ({ slot, from }: Span) => isNamed && slot === QUERY && read[from]?.kind === 'email';
    const meant = spans.filter((span) => !open.includes(span.slot) && !isBeside(span));
    const values = valuesBySlot(meant, read, message, slots);
    const { [QUERY]: queries = [], ...input } = asInput(values, slots);
    if (body && text) input[body.name] = text.value;
    for (const [name, field] of slots) {
      const chosen = isChoice(field) && !(name in input) ? this.#chosen(outside, operation, field) : undefined;
      if (chosen !== undefined) input[name] = chosen;
    }
    // A kind of status change is the change.
    const [, kind] = label.split(':');
    if (kind && slots.has('StatusChange')) input.StatusChange = kind;
    const taken = new Set(meant.flatMap(({ from, to, slot }) => (values.has(slot) ? read.slice(from, to) : [])));
    const left = outside.filter((token) => (token.kind ?? /\d/.test(token.word)) && !taken.has(token));
    const notTaken = left.map(({ kind, raw }) => (kind === 'no_day' ? `${raw} (no such day)` : raw));
    return { ...sought([queries].flat().map(String), input, slots), notTaken };
  }

  /** The slots of the tokens, from left to right. */
  #spans(tokens: readonly Token[], operation: string, slots: Slots): Span[] {
    const spans: Span[] = [];
    let before = OUTSIDE;
    tokens.forEach((token, at) => {
      const best = this.#learned.slot.best(slotFeatures(tokens, at, operation, before), ({ label, share }) => {
        // An entity is left over only if no field takes it.
        if (label === OUTSIDE) return token.kind ? 0 : 1;
        const slot = label.slice(2);
        const field = slots.get(slot);
        if ((token.kind && share < LEAST_SLOT) || (!field && slot !== QUERY) || !takes(field, token)) return 0;
        if (label.startsWith('I')) return before.slice(2) === slot ? 1 : 0;
        const isTaken = field && !isList(field) && spans.some((span) => span.slot === slot);
        return isTaken ? SECOND_VALUE : 1;
      });
      before = best?.label ?? OUTSIDE;
      if (before === OUTSIDE) return;
      const last = spans.at(-1);
      if (before.startsWith('I') && last) last.to = at + 1;
      else spans.push({ slot: before.slice(2), from: at, to: at + 1 });
    });
    // A field of numbers takes whole ones: last digits and names of lines are looked for.
    const isSought = ({ slot, from }: Span) => isOfLines(slot, slots) && tokens[from]?.kind !== 'phone';
    return spans.map((span) => (isSought(span) ? { ...span, slot: QUERY } : span));
  }

  /** The choice or switch that a message makes: the likely one, or the only one that it names in its own word. */
  #chosen(tokens: readonly Token[], operation: string, { name, kind, choices, known }: Field): unknown {
    const all: readonly string[] = choices ?? known ?? [];
    const best = this.#learned.choice.best(choiceFeatures(tokens, operation, name), ({ label }) => {
      const isValue = kind === 'boolean' ? /^(?:true|false)$/.test(label) : label.startsWith('"');
      return label === OPEN || isValue ? 1 : 0;
    });
    if (best && best.label !== OPEN && best.share > SURE_CHOICE) return JSON.parse(best.label);
    const words = tokens.flatMap(({ word, isCommon }) => (isCommon ? [] : [word]));
    const said = all.filter((choice) => words.includes(choice.toLowerCase()));
    return said.length === 1 && kind !== 'choices' ? said[0] : undefined;
  }
}

/**
 * The text of a message, as it was typed: everything after the first colon, or the only quotation, also where nothing
 * else follows the colon.
 */
export function textOf(message: string, tokens: readonly Token[]) {
  const [quoted, ...others] = tokens.filter(({ kind }) => kind === 'text');
  const colon = tokens.find(({ word, to }) => word === ':' && /^\s*\S/.test(message.slice(to)));
  const isBehind = quoted !== undefined && colon !== undefined && colon.from < quoted.from;
  const value = colon ? message.slice(colon.to).trim() : '';
  if (quoted && (!isBehind || value === quoted.raw))
    return others.length === 0 ? { value: String(quoted.value), from: quoted.from, to: quoted.to } : undefined;
  return colon && { value, from: colon.from, to: message.length };
}

/** The places of the tokens that a message excludes, with the word before them: "not 0104", "except ava". */
export function contrasted(tokens: readonly Token[]): Set<number> {
  const excluded = new Set<number>();
  tokens.forEach(({ word }, at) => {
    const isInstead = word === 'of' && tokens[at - 1]?.word === 'instead';
    if (!CONTRAST.test(word) && !isInstead) return;
    let between = 0;
    for (let place = at + 1; place < tokens.length; place++) {
      const token = tokens[place];
      if (!token || CLAUSE_END.test(token.word) || between > MOST_BETWEEN) return;
      const isValue = token.kind !== undefined || token.isName === true || /^\p{Lu}/u.test(token.raw);
      if (isValue) excluded.add(place);
      else between++;
      // "Not 0104" is no refusal; "not to cancel 0104" is one.
      if (isValue && between === 0) excluded.add(at);
    }
  });
  return excluded;
}

/** True for the slot of what a message is about. */
function isRecord(slot: string): boolean {
  return slot === QUERY || SUBJECTS.includes(slot);
}

/** True for a value that has an "or" between itself and another one. */
function isOther(tokens: readonly Token[], at: number): boolean {
  const { kind, isName } = tokens[at] ?? {};
  return at > 1 && tokens[at - 1]?.word === 'or' && (kind !== undefined || isName === true);
}

/** True for the field of the lines that an operation is about. */
function isOfLines(slot: string, slots: Slots): boolean {
  const field = slots.get(slot);
  return SUBJECTS.includes(slot) && field !== undefined && entryOf(field).kind === 'phone';
}

/** Adds the first name or number where no record is named. */
function addEntities(spans: Span[], tokens: readonly Token[], slots: Slots): void {
  const isFree = (at: number) => !spans.some(({ from, to }) => from <= at && at < to);
  const at = tokens.findIndex(({ kind, isName }, i) => isFree(i) && (isName || kind === 'line' || kind === 'phone'));
  const first = tokens[at];
  if (!first || spans.some(({ slot }) => isRecord(slot))) return;
  const slot = SUBJECTS.find((name) => slots.has(name) && takes(slots.get(name), first)) ?? QUERY;
  spans.push({ slot: isOfLines(slot, slots) && first.kind !== 'phone' ? QUERY : slot, from: at, to: at + 1 });
}

/**
 * The distinct values of each slot. A slot that holds one value, and got several, has none: its field stays empty. Several
 * lines or customers are looked for one by one.
 */
function valuesBySlot(spans: readonly Span[], tokens: readonly Token[], message: string, slots: Slots) {
  const isInGigabytes = tokens.some(({ kind, value }) => kind === 'volume' && Number(value) >= GIGABYTE);
  const values = new Map<string, unknown[]>();
  for (const { slot, from, to } of spans) {
    const [first, last, field] = [tokens[from], tokens[to - 1], slots.get(slot)];
    if (!first || !last) continue;
    const own = from + 1 === to ? fieldValue(field, first) : message.slice(first.from, last.to);
    const isAmount = first.kind === 'count' && slots.has('ValueUnit') && Number(own) < GIGABYTE / 10;
    const value = isAmount && isInGigabytes ? Number(own) * GIGABYTE : own;
    // “100 MB more” is no limit of 100 MB, and “80 %” is none of 80.
    const isMore = [tokens[from - 1], tokens[to]].some((token) => token && DIFFERENCE.test(token.word));
    const isShare = /^\s*%/.test(message.slice(last.to));
    if (slots.has('ValueUnit') && typeof value === 'number' && (isMore || isShare)) continue;
    const known = values.get(slot) ?? [];
    if (!known.includes(value)) values.set(slot, [...known, value]);
  }
  for (const [slot, { length }] of values) {
    const field = slots.get(slot);
    if (length > 1 && field && !isList(field) && slot !== QUERY) values.delete(slot);
  }
  return values;
}

function asInput(values: ReadonlyMap<string, readonly unknown[]>, slots: Slots): Fields {
  const input: Fields = {};
  for (const [slot, own] of values) {
    const field = slots.get(slot);
    const [group = '', member] = slot.split('.');
    if (member !== undefined) input[group] = { ...(input[group] as Fields | undefined), [member]: own[0] };
    else if (field?.kind === 'rows') input[slot] = own.map((value) => ({ [entryOf(field).name]: value }));
    else input[slot] = slot === QUERY || field?.kind === 'list' ? own : own[0];
  }
  return input;
}

/** Digits say which line is looked for; a name beside them is its holder. */
function sought(queries: readonly string[], input: Fields, slots: Slots): Omit<Filled, 'notTaken'> {
  const digits = queries.filter((one) => /\d{4}/.test(one));
  const people = queries.filter((one) => !digits.includes(one));
  const find = (digits.length > 0 ? digits : people).join(', ');
  if (find === '') return { input };
  const beside = digits.length > 0 && people.length > 0 ? { beside: people } : {};
  return { input: slots.has(QUERY) ? { ...input, [QUERY]: find } : input, find, ...beside };
}

/*
 * Messages that go on with earlier ones. A thread is four plain members: what the last answer was, its record, its input,
 * and the change that is offered and still open.
 */

/** An operation that a message may ask for, filled in as far as the message says. */
export interface Offer {
  /** The id of a tool. */
  operation: string;
  /**
   * Values by field, as the operation takes them. A field of kind `id` may hold a name or last digits as they were typed
   * ("ava", "0103"), which the surface looks up.
   */
  input: Fields;
  /** What the surface's search of lines and customers is to look for: names, last digits or numbers, separated by ", ". */
  find?: string;
}

/** The stored part of a conversation. Plain data, stored by the surface. */
export interface Thread {
  /** The subject of the last answer: an operation, one kind of it (`numbers_status:park`), or a topic. */
  last?: string;
  /** The line or customer that was shown or named last, as text for the search. */
  subject?: string;
  /** The input of the last answer. */
  input?: Fields;
  /** The change that is offered and still open. */
  offer?: Offer;
}

/** Words that stand for what was shown or offered before. */
export const PRONOUN = /^(?:it|its|that|this|he|him|his|she|her|hers|they|them|their|theirs|there|one|same)$/;
/** A message of so many tokens may leave its record out. */
const SHORT = 6;
/** Words around a value that is only corrected or added. */
const AROUND_VALUES = new Set(
  (
    'a an the and also or for on of to at in from with by is no not yes ok okay sorry oops wait actually i mean meant ' +
    'make it that one please pls rather instead its number line last digits better should be was wrong my bad hmm ah ' +
    'then just only until till so'
  ).split(' '),
);
/** Words by which a message is a question, with a name or without one. */
const ASKS = /^(?:who|whose|what|which|why|how|when|where|is|are|was|can|could|did|does|do|has|have|show|tell|\?)$/;
const BEGINS = `(?:(?:ok|oh|no|nope|nah|sorry|wait|actually|hm+|ah|pls|please)[ ,]+)*`;
const ENDS = [
  ...['never ?mind', 'nvm', 'forget (?:it|that|about it)', 'cancel(?: (?:that|it|this))?', 'scratch that', 'drop it'],
  ...['leave it(?: be| as it is)?', 'stop', "don'?t", 'nope?', 'not (?:now|yet|any ?more)', 'skip (?:it|that)'],
  ...['undo(?: that)?', '(?:take|took) (?:it|that) back', 'changed? (?:my|his|her|their) mind'],
].join('|');
/** A message that only takes back what was offered. This is a rule, because it must not depend on the model. */
export const ENDS_OFFER = new RegExp(`^${BEGINS}(?:${ENDS})(?: then| please| pls| thanks)?[.!]*$`, 'i');

/** Values that a further message may leave out, beside ids. */
const KEPT = new Set(['AreaCode', 'ZipCode', 'NumberType', 'Numbers', 'Contacts']);
/** A larger number is no amount in GB. */
const MOST_GIGABYTES = 100;

/**
 * True if a message has nothing but values for what is offered, and words around them: "no, 0105", "make it 8", "zip 60614".
 *
 * @param labels the words of the labels of its fields
 */
export function isOnlyValues(tokens: readonly Token[], labels: ReadonlySet<string>): boolean {
  const isValue = ({ kind, isName }: Token) => kind !== undefined || isName === true;
  const isAround = ({ word }: Token) => AROUND_VALUES.has(word) || labels.has(word) || !/[\p{L}\d]{2}/u.test(word);
  const asks = ASKS.test(tokens[0]?.word ?? '') || tokens.at(-1)?.word === '?';
  return !asks && tokens.some(isValue) && tokens.every((token) => isValue(token) || isAround(token));
}

/** The line or customer that an answer is about, as text for the search. */
export function subjectOf({ find, input }: Pick<Offer, 'find' | 'input'>): string | undefined {
  if (find !== undefined) return find;
  const value = [QUERY, ...SUBJECTS].map((name) => input[name]).find((one) => one !== undefined);
  if (value === undefined) return undefined;
  const texts = [value].flat().map((one) => (isFields(one) ? Object.values(one)[0] : one));
  return texts.map(String).join(', ');
}

/** The open offer, with the values of a message replacing its values. */
export function edited(offer: Offer, filled: Pick<Offer, 'find' | 'input'>, tokens: readonly Token[]): Offer {
  const input = { ...filled.input };
  const counts = tokens.filter(({ kind }) => kind === 'count' || kind === 'area');
  const amounts = Object.keys(offer.input).filter((name) => typeof offer.input[name] === 'number');
  const [count, amount] = [counts[0], amounts[0]];
  if (count && amount && counts.length + amounts.length === 2 && filled.find === undefined) {
    // "Make it 8" after 10 GB: a bare number replaces the amount that is there, in its unit.
    for (const name of Object.keys(input)) if (typeof input[name] === 'number') delete input[name];
    const [value, before] = [Number(count.value), Number(offer.input[amount])];
    input[amount] = before >= GIGABYTE && value < MOST_GIGABYTES ? value * GIGABYTE : value;
  }
  const find = filled.find ?? (subjectOf({ input: filled.input }) === undefined ? offer.find : undefined);
  // Another line takes the place of the one before, whichever way that was named.
  const names = (of: Fields) => Object.fromEntries(Object.entries(of).filter(([name]) => !SUBJECTS.includes(name)));
  const before = find === offer.find ? offer.input : names(offer.input);
  return { operation: offer.operation, input: { ...before, ...input }, ...(find !== undefined && { find }) };
}

/** An offer whose record and values earlier messages said, where this one leaves them out. */
export function completed(
  offer: Offer,
  { subject, input = {} }: Thread,
  tokens: readonly Token[],
  slots: Slots,
): Offer {
  if (tokens.length > SHORT && !tokens.some(({ word }) => PRONOUN.test(word))) return offer;
  const isOfLine = [...slots.values()].some((field) => field.required && entryOf(field).kind === 'phone');
  const isOfOne = isOfLine || slots.has('SubscriberId') || slots.has('PhoneNumber') || slots.has(QUERY);
  const isOpen = tokens.some((_, at) => isOther(tokens, at));
  const isMissing = isOfOne && subject !== undefined && subjectOf(offer) === undefined && !isOpen;
  const kept = Object.entries(input).filter(
    ([name]) => slots.get(name)?.kind === 'id' || (KEPT.has(name) && slots.has(name)),
  );
  return { ...offer, input: { ...Object.fromEntries(kept), ...offer.input }, ...(isMissing && { find: subject }) };
}
