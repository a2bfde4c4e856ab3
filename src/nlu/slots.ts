import type { Field } from '../catalogue/field-types.ts';
import { isChange, type Tool } from '../catalogue/operation.ts';
import type { Fields } from '../lib/json.ts';
import type { Classifier } from './classifier.ts';
import { choiceFeatures, slotFeatures } from './features.ts';
import { operationOf } from './rows.ts';
import type { Token } from './tokens.ts';
import { entryOf, fieldValue, isList, QUERY, slotsOf, takes } from './values.ts';

/*
 * Slots: which field of an operation each part of a message fills. A classifier gives each token a slot; what the
 * catalogue says of a field decides whether it may go there. Choices and switches that stand in no word of their own
 * ("park", true) have a classifier for each field, over the whole message.
 */

export interface Filled {
  input: Fields;
  /** What the search of lines and customers is to look for. */
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

/** No slot. */
export const OUTSIDE = 'O';
/** The label of a choice that the message leaves open. */
export const OPEN = '-';
/** How likely a choice has to be. */
const SURE_CHOICE = 0.75;
/** A less likely slot holds no entity. */
const LEAST_SLOT = 0.02;
/** How likely a field with one value gets a second one, which leaves it empty, and not another field the value. */
const SECOND_VALUE = 0.2;
/** What stands behind these words, up to the end of its clause, fills no field. */
const CONTRAST = /^(?:not|but|except|excluding|than|without)$/;
/** Words that may stand between a contrast and its value: a longer way says something else. */
const MOST_BETWEEN = 3;
const CLAUSE_END = /^[,.;:!?]$/;
const OFF = /^(?:off|stop|disable|no|not|don't|dont|without|pause|end|kill|mute|out|remove|never)$/;
/** Fields that name the record of an operation, in the order in which one is taken. */
const SUBJECTS = [
  ...['PhoneNumber', 'Number', 'PhoneNumbers', 'To', 'SubscriberId', 'SubscriptionId', 'OrderId', 'PortOutNumber'],
  ...['PortInNumber', 'FilterId', 'CallFilterId', 'MessageFilterId', 'PackageId', 'ProductId', 'AccountId', 'TNID'],
  ...['MessageRouteId', 'CallRouteId', 'CallRouteID', 'WorkgroupId', 'WebhookId', 'Phone'],
];
/** The choice that a kind of an operation stands for. */
const OF_KIND: Readonly<Record<string, Fields>> = {
  'numbers_status:park': { StatusChange: 'park' },
  'numbers_status:activate': { StatusChange: 'activate' },
  'numbers_status:swap': { StatusChange: 'swap' },
};
/** Fields whose value never is a choice of the message. */
const NO_CHOICE = new Set([QUERY, 'Name', 'ValueUnit']);

export class SlotFiller {
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #slots = new Map<string, ReadonlyMap<string, Field>>();

  /** @param choices a classifier for each field with choices or a switch */
  constructor(
    tools: ReadonlyMap<string, Tool>,
    readonly slot: Classifier,
    readonly choices: ReadonlyMap<string, Classifier>,
  ) {
    this.#tools = tools;
  }

  /** The slots of an operation. They are derived from its schema once. */
  slotsOf(operation: string): ReadonlyMap<string, Field> {
    const tool = this.#tools.get(operation);
    const slots = this.#slots.get(operation) ?? (tool ? slotsOf(tool) : new Map<string, Field>());
    this.#slots.set(operation, slots);
    return slots;
  }

  /** Fills the fields of the operation of a label from a message. */
  fill(message: string, tokens: readonly Token[], label: string, now: number): Filled {
    const operation = operationOf(label);
    const tool = this.#tools.get(operation);
    if (!tool) return { input: {}, notTaken: [] };
    const slots = this.slotsOf(operation);
    const excluded = contrasted(tokens);
    const text = requiredText(slots) && textOf(message, tokens);
    const read = tokens.filter((token, at) => !excluded.has(at) && !(text && token.from >= text.from));
    const spans = this.#spans(read, operation, slots);
    if (!names(spans, slots)) spans.push(...subjectIn(read, spans, slots));
    const values = slotValues(spans, read, { message, slots, now });
    const input = asInput(values, slots);
    const field = requiredText(slots);
    if (field) delete input[field.name];
    if (field && text) input[field.name] = text.value;
    this.#choose(tokens, { label, slots, input, tool });
    Object.assign(input, OF_KIND[label]);
    const sought = soughtIn(values.get(QUERY) ?? [], input, slots, tool);
    const taken = new Set(spans.flatMap(({ from, to, slot }) => (values.has(slot) ? read.slice(from, to) : [])));
    const left = tokens.filter((token) => token.kind && !taken.has(token) && !(text && token.from >= text.from));
    return { input, ...sought, notTaken: left.map(({ raw }) => raw) };
  }

  /** The slots of the tokens, from left to right. */
  #spans(tokens: readonly Token[], operation: string, slots: ReadonlyMap<string, Field>): Span[] {
    const spans: Span[] = [];
    let before = OUTSIDE;
    tokens.forEach((token, at) => {
      const features = slotFeatures(tokens, at, { operation, before });
      const best = this.slot.best(features, ({ label, share }) => {
        // An entity is left over only if no field takes it.
        if (label === OUTSIDE) return token.kind ? 0 : 1;
        const slot = label.slice(2);
        const field = slots.get(slot);
        const begins = label.startsWith('B');
        if ((token.kind && share < LEAST_SLOT) || (!field && slot !== QUERY) || !takes(field, token)) return 0;
        if (!begins) return before.slice(2) === slot ? 1 : 0;
        const isTaken = field && !isList(field) && spans.some((span) => span.slot === slot);
        return isTaken ? SECOND_VALUE : 1;
      });
      before = best?.label ?? OUTSIDE;
      if (before === OUTSIDE) return;
      const last = spans.at(-1);
      if (before.startsWith('I') && last) last.to = at + 1;
      else spans.push({ slot: before.slice(2), from: at, to: at + 1 });
    });
    return spans;
  }

  /** Fills choices and switches, by what was learned and then by their own words. */
  #choose(
    tokens: readonly Token[],
    to: { label: string; slots: ReadonlyMap<string, Field>; input: Fields; tool: Tool },
  ) {
    const { label, slots, input, tool } = to;
    const features = choiceFeatures(tokens, operationOf(label));
    for (const [name, classifier] of this.choices) {
      const field = slots.get(name);
      if (!field || input[name] !== undefined || field.kind === 'id' || NO_CHOICE.has(name)) continue;
      const [best] = classifier.rank(features);
      if (best && best.label !== OPEN && best.share > SURE_CHOICE) input[name] = JSON.parse(best.label);
    }
    if (isChange(tool)) chooseByName(tokens, to);
  }
}

/** The required field of an operation that holds a text of several lines, such as the body of a message. */
function requiredText(slots: ReadonlyMap<string, Field>): Field | undefined {
  return [...slots.values()].find(({ kind, required }) => kind === 'multiline' && required);
}

/** The text of a message: the only quoted one, or all that stands behind the first colon. It is taken as it was typed. */
export function textOf(message: string, tokens: readonly Token[]): { value: string; from: number } | undefined {
  const quoted = tokens.filter(({ kind }) => kind === 'text');
  const [only] = quoted;
  if (quoted.length === 1 && only) return { value: String(only.value), from: only.from };
  const colon = quoted.length === 0 ? tokens.find(({ word }) => word === ':') : undefined;
  const value = colon ? message.slice(colon.to).trim() : '';
  return colon && value !== '' ? { value, from: colon.from } : undefined;
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

/** True if one of the spans names the record of the operation. */
function names(spans: readonly Span[], slots: ReadonlyMap<string, Field>): boolean {
  return spans.some(({ slot }) => slot === QUERY || (SUBJECTS.includes(slot) && slots.has(slot)));
}

/** A name or a number that no slot holds is the record of the operation. */
function subjectIn(tokens: readonly Token[], spans: readonly Span[], slots: ReadonlyMap<string, Field>): Span[] {
  const isFree = (at: number) => !spans.some(({ from, to }) => from <= at && at < to);
  const at = tokens.findIndex(
    ({ kind, isName }, place) => isFree(place) && (isName || kind === 'line' || kind === 'phone'),
  );
  const first = tokens[at];
  if (!first) return [];
  let to = at + 1;
  const belongs = ({ isName, kind, raw }: Token) =>
    isName || (kind === undefined && /^\p{Lu}/u.test(first.raw) && /^\p{Lu}/u.test(raw));
  if (first.isName) for (let next = tokens[to]; next && isFree(to) && belongs(next); next = tokens[to]) to++;
  const slot = SUBJECTS.find((name) => slots.has(name) && takes(slots.get(name), first)) ?? QUERY;
  return [{ slot: first.isName && slots.get(slot)?.kind !== 'id' ? QUERY : slot, from: at, to }];
}

/** The distinct values of each slot. A slot that holds one value, and got several, has none: its field stays empty. */
function slotValues(
  spans: readonly Span[],
  tokens: readonly Token[],
  { message, slots, now }: { message: string; slots: ReadonlyMap<string, Field>; now: number },
): Map<string, unknown[]> {
  const values = new Map<string, unknown[]>();
  for (const { slot, from, to } of spans) {
    const [first, last] = [tokens[from], tokens[to - 1]];
    if (!first || !last) continue;
    const value = from + 1 === to ? fieldValue(slots.get(slot), first, now) : message.slice(first.from, last.to);
    const known = values.get(slot) ?? [];
    values.set(slot, known.includes(value) ? known : [...known, value]);
  }
  for (const [slot, own] of values) {
    const field = slots.get(slot);
    if (slot !== QUERY && own.length > 1 && !(field && isList(field))) values.delete(slot);
  }
  return values;
}

function asInput(values: ReadonlyMap<string, readonly unknown[]>, slots: ReadonlyMap<string, Field>): Fields {
  const input: Fields = {};
  for (const [slot, own] of values) {
    const field = slots.get(slot);
    if (!field || slot === QUERY) continue;
    const [group = '', member] = slot.split('.');
    if (member !== undefined) input[group] = { ...(input[group] as Fields | undefined), [member]: own[0] };
    else if (field.kind === 'rows') input[slot] = own.map((value) => ({ [entryOf(field).name]: value }));
    else input[slot] = field.kind === 'list' ? own : own[0];
  }
  return input;
}

const WHOLE_NUMBER = /^\+\d/;

/**
 * What the search has to look for: a field of numbers takes whole ones only, so that last digits and names go to the
 * search. Digits say which line it is; a name beside them is its holder.
 */
function soughtIn(
  queries: readonly unknown[],
  input: Fields,
  slots: ReadonlyMap<string, Field>,
  tool: Tool,
): Pick<Filled, 'find' | 'beside'> {
  const found = queries.map(String);
  const isOfLines = (name: string) => {
    const field = slots.get(name);
    return SUBJECTS.includes(name) && field !== undefined && entryOf(field).kind === 'phone';
  };
  for (const name of Object.keys(input).filter(isOfLines)) {
    const own = [input[name]].flat().map((one) => String(typeof one === 'object' && one ? Object.values(one)[0] : one));
    if (own.every((one) => WHOLE_NUMBER.test(one))) continue;
    delete input[name];
    found.push(...own);
  }
  const digits = found.filter((one) => /\d{4}/.test(one));
  const people = found.filter((one) => !digits.includes(one));
  const sought = (digits.length > 0 ? digits : people).join(', ');
  if (sought === '') return {};
  // The search itself has a field for it.
  if (tool.id === 'numbers_find') input[QUERY] = sought;
  return { find: sought, ...(digits.length > 0 && people.length > 0 && { beside: people }) };
}

const stem = (word: string) => word.toLowerCase().replace(/(?:ings?|ions?|ed|es|s|e)$/, '');
const stemsOf = (text: string) => text.split(/\W+/).filter(Boolean).map(stem);

/** Fills a choice that the message names in its own word, and one switch that it names by its label. */
function chooseByName(
  tokens: readonly Token[],
  { slots, input, tool }: { slots: ReadonlyMap<string, Field>; input: Fields; tool: Tool },
): void {
  const words = new Set(tokens.flatMap(({ kind, word }) => (kind ? [] : [word])));
  const stems = new Set([...words].map(stem));
  const labels = [...slots.values()].flatMap(({ kind, label }) => (kind === 'boolean' ? [] : [label]));
  const nouns = new Set(stemsOf([tool.title, ...labels].join(' ')));
  for (const field of slots.values()) {
    if (input[field.name] !== undefined) continue;
    const named = [...(field.choices ?? []), ...(field.known ?? [])].filter(
      (choice) => words.has(choice.toLowerCase()) && !nouns.has(stem(choice)),
    );
    if (named.length === 1 && !NO_CHOICE.has(field.name)) input[field.name] = named[0];
  }
  if (Object.values(input).some((value) => typeof value === 'boolean')) return;
  const ranked = [...slots.values()]
    .filter(({ kind }) => kind === 'boolean')
    .map(({ name, label }) => {
      const own = new Set(stemsOf(label).filter((word) => word.length > 2 && !/^(?:enabl|the|for)$/.test(word)));
      const said = [...own].filter((word) => stems.has(word) && !nouns.has(word)).length;
      return { name, said, isNamed: said > 0 && said >= label.split(/\W+/).length - 1 };
    })
    .filter(({ isNamed }) => isNamed)
    .sort((one, other) => other.said - one.said);
  const [first, second] = ranked;
  if (first && first.said > (second?.said ?? 0)) input[first.name] = !tokens.some(({ word }) => OFF.test(word));
}
