import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Tool } from '../catalogue/operation.ts';
import type { Fields } from '../lib/json.ts';
import { packageFolder } from '../lib/settings-file.ts';
import type { Classifier, Ranked } from './classifier.ts';
import { intentFeatures, stanceFeatures, threadFeatures } from './features.ts';
import { type Model, readModel } from './model-file.ts';
import { operationOf, TOPICS, threadLabel } from './rows.ts';
import { DefinitionSearch } from './search.ts';
import { withoutSecrets } from './secrets.ts';
import { type Filled, SlotFiller, textOf } from './slots.ts';
import { completed, edited, endsOffer, isOnlyValues, subjectOf } from './thread.ts';
import { type Token, tokensOf } from './tokens.ts';
import { entryOf, NAMES_A_RECORD, takes } from './values.ts';

/*
 * Reads plain words: which operation a message asks for, and with which values. It performs nothing. Sentences teach it
 * (`tools/<group>/words.json`); the README of this folder shows how a message travels through it.
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

/** What a message asks for that is no operation. */
export type About =
  /** What can be asked here. */
  | 'help'
  /** Thanks, a greeting or a yes: nothing is asked. */
  | 'thanks'
  /** What waits for a person. */
  | 'waiting'
  /** The open offer, or a waiting change of the writer, is taken back. Nothing is withdrawn by the words. */
  | 'withdraw'
  /** Something that was done is to be undone. */
  | 'undo_last'
  /** What a change does, costs or needs. `operation` is the change, where it is known. */
  | 'consequence'
  /** Who may do or approve something. */
  | 'who_may'
  /** Whether the platform is up. */
  | 'health'
  /** One change of many records. */
  | 'batch'
  /** Something that is not done here, or that was not understood. */
  | 'not_here';

export interface Understood {
  /**
   * - `read`: a likely read, to be shown.
   * - `form`: a likely and ordered change, to be offered as its form, filled in.
   * - `choose`: up to three offers, and the line that `find` names.
   * - `told`: something that is no operation; `about` says what.
   */
  kind: 'read' | 'form' | 'choose' | 'told';
  about?: About;
  operation?: string;
  input: Fields;
  find?: string;
  /** Names said beside a line. The surface compares them with its holder. */
  beside?: string[];
  /** At most three, the likeliest first. */
  offers: Offer[];
  /** Recognised values that no field took, and the clause of a second order. */
  notTaken: string[];
  /** True if the open offer of the thread is taken back. */
  withdraws?: boolean;
  /** How likely the first offer is, from 0 to 1. */
  share: number;
}

/** What is kept of a conversation. Plain data, stored by the surface. */
export interface Thread {
  /** What the last answer was about: an operation, one kind of it (`numbers_status:park`), or a topic. */
  last?: string;
  /** The line or customer that was shown or named last, as text for the search. */
  subject?: string;
  /** The input of the last answer. */
  input?: Fields;
  /** The change that is offered and still open. */
  offer?: Offer;
}

export interface ReadOptions {
  /** Milliseconds since the epoch. Days are read from it. */
  now: number;
  /** The writer's time zone, such as `America/Denver`; UTC if left out. */
  zone?: string;
  /** True if the writer may use an operation. What they may not use is neither answered nor offered. */
  mayUse(id: string): boolean;
}

export interface Found {
  operation: string;
  share: number;
}

/** How likely something has to be. Measured by test/bench/words.mjs. */
export const LEAST = {
  /** A read that is shown. */
  read: 0.5,
  /** A change whose form is offered alone. */
  change: 0.85,
  /** That the message orders it: below, no change is offered at all. */
  order: 0.5,
  /** The same, of a message that goes on with an offer and changes nothing in it. */
  refusal: 0.3,
  /** An operation beside the likeliest. */
  offered: 0.03,
  /** The same, as a part of the likeliest's share. */
  beside: 0.05,
  /** A clause that is a request of its own. */
  clause: 0.6,
  /** The share of a label that no message behind others had. */
  unseen: 1e-4,
  /** The open offer is taken back. */
  withdraw: 0.5,
  /** That the message forbids or takes back: above, no change is offered. */
  no: 0.5,
};
const MOST_OFFERED = 3;
/** A message of more words asks for something, whatever they are. */
const MOST_UNKNOWN = 4;
/** Entities that few operations take, so that they say which one is meant. */
const TELLING = new Set<string>(['iccid', 'url', 'email', 'volume', 'speed', 'money', 'ip']);
/** The share that is left to an operation without a field for such an entity. */
const WITHOUT_FIELD = 0.25;
/** How much the thread decides, and how much the message alone. Both shares are taken to this power. */
const isHalf = Math.sqrt;
/** Where one clause of a message ends and the next begins. */
const CLAUSES = /[.;]\s+|,\s+|\s+(?:and|then|also|but)\s+/i;
/** Labels that are no operation and no topic either: tools beside the catalogue, with the topic that answers them. */
const ABOUT: Readonly<Record<string, About>> = {
  portin_needs: 'consequence',
  batches_create: 'batch',
  batches_get: 'batch',
  batches_control: 'batch',
  confirmations_get: 'waiting',
  confirmations_withdraw: 'withdraw',
};
/** Tools beside the catalogue that a search finds where a topic is meant. */
const FOUND_FOR: Readonly<Record<string, string>> = {
  waiting: 'confirmations_get',
  withdraw: 'confirmations_withdraw',
  batches_control: 'batches_stop',
};

/** A message as it was cut up and judged. */
interface Message {
  text: string;
  tokens: readonly Token[];
  /** How likely it orders something, asks or reports, and forbids or takes back. */
  stance: { do: number; ask: number; no: number };
}

export class Reader {
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #load: () => Model;
  #parts: { model: Model; intent: Classifier; stance: Classifier; thread: Classifier; slots: SlotFiller } | undefined;
  #definitions: DefinitionSearch | undefined;

  /** @param load reads what was learned; called when it is first needed */
  constructor(tools: readonly Tool[], load: () => Model) {
    this.#tools = new Map(tools.map((tool) => [tool.id, tool]));
    this.#load = load;
  }

  /**
   * Reads a message.
   *
   * @returns the answer, and the thread after it, which the surface stores
   */
  answer(text: string, thread: Thread | undefined, options: ReadOptions): { answer: Understood; thread: Thread } {
    const before = thread ?? {};
    const message = this.#message(withoutSecrets(text), options);
    const { answer, label } = this.#understood(message, before, options);
    const subject = subjectOf(answer.offers[0] ?? answer) ?? before.subject;
    const [likeliest] = answer.offers;
    const isOffered = likeliest !== undefined && this.isChange(likeliest.operation);
    const offer = answer.withdraws ? undefined : isOffered ? likeliest : before.offer;
    const input = answer.kind === 'choose' ? before.input : answer.input;
    const last = label === undefined ? before.last : threadLabel(label);
    return {
      answer,
      thread: {
        ...(last !== undefined && { last }),
        ...(subject !== undefined && { subject }),
        ...(input !== undefined && { input }),
        ...(offer !== undefined && { offer }),
      },
    };
  }

  /**
   * Finds operations by their id, their title or in words of one's own, the best first. Used by help, by assistants'
   * search, and for "did you mean". `mayUse` is asked about tools beside the operations too (`confirmations_get`).
   */
  search(text: string, mayUse: (id: string) => boolean): Found[] {
    this.#definitions ??= new DefinitionSearch([...this.#tools.values()]);
    const exact = this.#definitions.named(text);
    const shares = new Map<string, number>();
    for (const { label, share } of this.#alone(text)) {
      const operation = FOUND_FOR[label] ?? operationOf(label);
      shares.set(operation, (shares.get(operation) ?? 0) + share);
    }
    const learned = [...shares].map(([operation, share]) => ({ operation, share }));
    const found = [
      ...(exact === undefined ? [] : [{ operation: exact, share: 1 }]),
      ...learned.filter(({ share }) => share >= LEAST.offered).sort((one, other) => other.share - one.share),
      ...this.#definitions.ranked(text).map((operation) => ({ operation, share: 0 })),
    ].filter(({ operation }) => mayUse(operation) && !TOPICS.some((topic) => topic === operation));
    const distinct = found.filter(({ operation }, at) => found.findIndex((one) => one.operation === operation) === at);
    return this.lacks(text) ? distinct.filter(({ operation }) => !this.isChange(operation)) : distinct;
  }

  /** True if a text asks for something that no operation does. Its search finds no change. */
  lacks(text: string): boolean {
    const [likeliest] = this.#alone(text);
    return likeliest?.label === 'not_here' && likeliest.share >= LEAST.read && !this.#definitions?.named(text);
  }

  /** True if an operation changes something, so that it is never shown without a press. */
  isChange(operation: string): boolean {
    const tool = this.#tools.get(operation);
    return tool !== undefined && tool.risk !== 'read';
  }

  /** The labels of a message alone, the likeliest first. For measurements. */
  ranked(text: string, options: Pick<ReadOptions, 'now' | 'zone'>): Ranked[] {
    return this.#fitting(this.#tokens(text, options), {});
  }

  #alone(text: string): Ranked[] {
    return this.#model.intent.rank(intentFeatures(this.#tokens(text, { now: 0 })));
  }

  get #model() {
    if (this.#parts) return this.#parts;
    const model = this.#load();
    const classifier = (name: string): Classifier => {
      const found = model.classifiers.get(name);
      if (!found) throw new Error(`tools/words.model has no classifier “${name}”. Run: npm run generate`);
      return found;
    };
    const choices = [...model.classifiers].flatMap(([name, one]): [string, Classifier][] =>
      name.startsWith('choice:') ? [[name.slice('choice:'.length), one]] : [],
    );
    this.#parts = {
      model,
      intent: classifier('intent'),
      stance: classifier('stance'),
      thread: classifier('thread'),
      slots: new SlotFiller(this.#tools, classifier('slot'), new Map(choices)),
    };
    return this.#parts;
  }

  #tokens(text: string, moment: Pick<ReadOptions, 'now' | 'zone'>): Token[] {
    return tokensOf(text, moment, this.#model.model.vocabulary);
  }

  #message(text: string, options: ReadOptions): Message {
    const tokens = this.#tokens(text, options);
    const stance = { do: 0, ask: 0, no: 0 };
    for (const { label, share } of this.#model.stance.rank(stanceFeatures(tokens)))
      stance[label as keyof typeof stance] = share;
    return { text, tokens, stance };
  }

  #understood(message: Message, thread: Thread, options: ReadOptions): { answer: Understood; label?: string } {
    const { text, tokens } = message;
    if (endsOffer(text))
      return { answer: told('withdraw', { withdraws: thread.offer !== undefined }), label: 'withdraw' };
    const isName =
      tokens.some(namesRecord) && tokens.every((token) => namesRecord(token) || !/\p{L}/u.test(token.word));
    if (isName && !thread.offer) return this.#lookUp(tokens, options);
    const ranked = this.#fitting(tokens, thread).filter(({ label }) => this.#mayAnswer(label, options));
    const { offer } = thread;
    const order = this.#orderBehind(message, options);
    if (offer && !order && ranked[0]?.label === 'withdraw' && ranked[0].share > LEAST.withdraw)
      return { answer: told('withdraw', { withdraws: true, share: ranked[0].share }), label: 'withdraw' };
    if (offer && !order && this.#goesOn(message, offer, ranked)) return this.#editedOffer(message, offer, options);
    const left = order ?? this.#ordered(message, ranked, offer !== undefined);
    const [best] = left;
    if (!best || (thread.last === undefined && this.#isUnknown(tokens))) return this.#lookUp(tokens, options);
    const others = this.#otherClause(message, best.label, options);
    const offers = left
      .slice(0, MOST_OFFERED)
      .filter(
        ({ label, share }, at) =>
          at === 0 ||
          (share >= LEAST.offered && share >= best.share * LEAST.beside && this.#tools.has(operationOf(label))),
      )
      .map(({ label }) => this.#offer(message, label, thread, options));
    return this.#decided(best, offers, { message, ranked, others, options });
  }

  /** True if a message gives other values to what is offered. */
  #goesOn({ tokens, stance }: Message, offer: Offer, ranked: readonly Ranked[]): boolean {
    const fields = [...this.#model.slots.slotsOf(offer.operation).values()];
    const labels = new Set(fields.flatMap(({ label }) => label.toLowerCase().split(/\W+/)));
    if (isOnlyValues(tokens, labels)) return true;
    const [likeliest] = ranked;
    return likeliest !== undefined && threadLabel(likeliest.label) === labelOf(offer) && stance.no < LEAST.no;
  }

  /**
   * What the last clause orders, where the message begins with what it forbids or takes back: "don't cancel 0103, park it".
   * Undefined if it is no such message.
   */
  #orderBehind({ text, stance }: Message, options: ReadOptions): Ranked[] | undefined {
    const clauses = text.split(CLAUSES).filter((clause) => /\p{L}/u.test(clause));
    const [first = '', last = ''] = [clauses[0], clauses.at(-1)];
    if (clauses.length < 2 || stance.do >= LEAST.order) return undefined;
    const [forbids, orders] = [this.#message(first, options), this.#message(last, options)];
    if (forbids.stance.no < LEAST.no || orders.stance.do < LEAST.order) return undefined;
    const ranked = this.#fitting(orders.tokens, {}).filter(({ label }) => this.#mayAnswer(label, options));
    const [best] = ranked;
    return best && best.share >= LEAST.clause && this.#isChangeLabel(best.label) ? ranked : undefined;
  }

  /**
   * The labels of a message in the light of its stance: changes are likelier where it orders, and all others where it
   * asks. A message that forbids, takes back or asks is offered no change at all.
   */
  #ordered({ stance }: Message, ranked: readonly Ranked[], hasOffer: boolean): Ranked[] {
    const isChanging = ({ label }: Ranked) => this.#isChangeLabel(label);
    const weighed = asShares(
      ranked.map((one) => ({ ...one, share: one.share * isHalf(isChanging(one) ? stance.do : 1 - stance.do) })),
    );
    const changing = weighed.filter(isChanging).reduce((sum, { share }) => sum + share, 0);
    // What goes on with an offer says little of its own.
    const isOrder = stance.no < LEAST.no && (hasOffer || (stance.do + changing) / 2 >= LEAST.order);
    return isOrder ? weighed : weighed.filter((one) => !isChanging(one));
  }

  /** True if a message has no word that was ever learned, but common ones: it is a name. */
  #isUnknown(tokens: readonly Token[]): boolean {
    const words = tokens.filter(
      ({ kind, word, isCommon, isName }) => !kind && !isName && !isCommon && /\p{L}/u.test(word),
    );
    const { intent } = this.#model;
    return tokens.length <= MOST_UNKNOWN && words.length > 0 && words.every(({ word }) => !intent.knows(`w${word}`));
  }

  /** Decides between one answer and a choice of up to three. */
  #decided(
    best: Ranked,
    made: readonly (Offer & Pick<Filled, 'beside' | 'notTaken'>)[],
    of: { message: Message; ranked: readonly Ranked[]; others: readonly Clause[]; options: ReadOptions },
  ): { answer: Understood; label?: string } {
    const { message, ranked, others, options } = of;
    const { label, share } = best;
    const about = aboutOf(label);
    const isChanging = this.#isChangeLabel(label);
    const [first = { operation: '', input: {}, notTaken: [] }] = made;
    const { beside, notTaken, ...offer } = first;
    const left = [...notTaken, ...others.map(({ text }) => text)];
    if (about && share >= LEAST.read) {
      const change = about === 'consequence' ? ranked.find((one) => this.#isChangeLabel(one.label)) : undefined;
      const operation = change && { operation: operationOf(change.label) };
      return { answer: { ...told(about, { share }), ...operation, notTaken: left }, label };
    }
    const offers = made.filter(({ operation }) => this.#tools.has(operation)).map(bare);
    const changes = others.filter(({ label: other }) => this.#isChangeLabel(other));
    const isTwoOrders = isChanging && changes.length > 0;
    if (!about && share >= (isChanging ? LEAST.change : LEAST.read) && !isTwoOrders) {
      // Beside what is clear stands no other change.
      const beside1 = offers.filter((one, at) => at === 0 || !this.isChange(one.operation));
      const more = { ...(beside && { beside }), notTaken: left, share };
      return { answer: { kind: isChanging ? 'form' : 'read', ...offer, offers: beside1, ...more }, label };
    }
    const all = isTwoOrders
      ? [...offers.slice(0, 1), ...changes.map((clause) => bare(this.#offer(clause, clause.label, {}, options)))]
      : offers;
    const shown = message.tokens.some(namesRecord) ? this.#lookUp(message.tokens, options).answer.find : undefined;
    const find = offers[0]?.find ?? shown;
    const choice: Understood = { kind: 'choose', input: {}, offers: all.slice(0, MOST_OFFERED), notTaken: left, share };
    if (choice.offers.length === 0)
      return { answer: { ...told(about ?? 'not_here', { share }), notTaken: left }, label };
    return { answer: { ...choice, ...(find !== undefined && { find }) }, label };
  }

  /** The shares of labels, lower where a telling entity of the message has no field, and read with the thread. */
  #fitting(tokens: readonly Token[], thread: Thread): Ranked[] {
    const telling = tokens.filter(({ kind }) => kind && TELLING.has(kind));
    const ranked = this.#ranked(tokens, thread).map(({ label, share }) => {
      const slots = [...this.#model.slots.slotsOf(operationOf(label)).values()];
      const hasPlace = slots.length === 0 || telling.every((token) => slots.some((field) => takes(field, token)));
      return { label, share: hasPlace ? share : share * WITHOUT_FIELD };
    });
    return asShares(ranked);
  }

  #ranked(tokens: readonly Token[], { last, offer }: Thread): Ranked[] {
    const alone = this.#model.intent.rank(intentFeatures(tokens));
    if (last === undefined) return alone;
    const before = { last, offer: offer && labelOf(offer) };
    const ranked = this.#model.thread.rank(threadFeatures(tokens, before, alone));
    const there = new Map(ranked.map(({ label, share }) => [label, share]));
    return alone.map(({ label, share }) => ({ label, share: isHalf(share * (there.get(label) ?? LEAST.unseen)) }));
  }

  #mayAnswer(label: string, { mayUse }: ReadOptions): boolean {
    const operation = operationOf(label);
    return aboutOf(label) !== undefined || (this.#tools.has(operation) && mayUse(operation));
  }

  #isChangeLabel(label: string): boolean {
    return aboutOf(label) === undefined && this.isChange(operationOf(label));
  }

  #offer({ text, tokens }: Pick<Message, 'text' | 'tokens'>, label: string, thread: Thread, { now }: ReadOptions) {
    const operation = operationOf(label);
    const { slots } = this.#model;
    const { beside, notTaken, ...filled } = slots.fill(text, tokens, label, now);
    const fields = slots.slotsOf(operation);
    const isOfLine = [...fields.values()].some((field) => field.required && entryOf(field).kind === 'phone');
    const needsSubject = isOfLine || [...fields.keys()].some((name) => /^(?:SubscriberId|PhoneNumber)$/.test(name));
    const names = new Set(fields.keys());
    const offer = completed({ operation, ...filled }, thread, { tokens, fields: names, needsSubject });
    return { ...offer, notTaken, ...(beside && { beside }) };
  }

  /** The open offer, changed by a message that goes on with it. A message that changes nothing in it is quoted. */
  #editedOffer(message: Message, open: Offer, { now }: ReadOptions): { answer: Understood; label: string } {
    const label = labelOf(open);
    const { notTaken, beside, ...filled } = this.#model.slots.fill(message.text, message.tokens, label, now);
    const offer = edited(open, filled, message.tokens);
    const isSame = JSON.stringify(offer) === JSON.stringify(bare(open));
    if (isSame && message.stance.no >= LEAST.refusal)
      return { answer: told('withdraw', { withdraws: true }), label: 'withdraw' };
    const left = isSame ? [message.text] : notTaken;
    return {
      answer: { kind: 'form', ...offer, offers: [offer], notTaken: left, share: 1, ...(beside && { beside }) },
      label,
    };
  }

  /** Clauses that ask for another operation than the whole message. Only the likely ones count. */
  #otherClause(message: Message, label: string, options: ReadOptions): Clause[] {
    const text = textOf(message.text, message.tokens);
    const parts = message.text.slice(0, text?.from).split(CLAUSES);
    if (parts.length < 2) return [];
    return parts.flatMap((part): Clause[] => {
      const clause = this.#message(part, options);
      const [best] = this.#fitting(clause.tokens, {});
      if (!best || best.share < LEAST.clause || aboutOf(best.label) || best.label === label) return [];
      if (!this.#tools.has(operationOf(best.label)) || !options.mayUse(operationOf(best.label))) return [];
      if (this.#isChangeLabel(best.label) && clause.stance.do < LEAST.order) return [];
      const words = clause.tokens.filter((token) => !namesRecord(token) && !token.isCommon);
      return words.length === 0 ? [] : [{ text: part, tokens: clause.tokens, label: best.label }];
    });
  }

  /** The search for what a message names. */
  #lookUp(tokens: readonly Token[], { mayUse }: ReadOptions): { answer: Understood; label?: string } {
    const [only] = tokens;
    const isWhole = tokens.length === 1 && only?.kind === 'phone' && mayUse('numbers_lookup');
    const operation = isWhole ? 'numbers_lookup' : 'numbers_find';
    const lines = tokens.filter(({ kind }) => kind && NAMES_A_RECORD.includes(kind)).map(({ value }) => String(value));
    const people = tokens.filter(({ isName }) => isName).map(({ raw }) => raw);
    const words = tokens.filter(({ kind, isCommon, word }) => !kind && !isCommon && /\p{L}/u.test(word));
    const find =
      lines.length > 0 ? lines.join(', ') : (people.length > 0 ? people : words.map(({ raw }) => raw)).join(' ');
    if (find === '' || !this.#tools.has(operation) || !mayUse(operation)) return { answer: told('not_here', {}) };
    const offer: Offer = { operation, input: isWhole ? { PhoneNumber: find } : { Query: find }, find };
    return { answer: { kind: 'read', ...offer, offers: [offer], notTaken: [], share: 1 }, label: operation };
  }
}

/** A part of a message that asks for something of its own. */
interface Clause {
  text: string;
  tokens: readonly Token[];
  label: string;
}

/** Labels whose shares add up to 1, the likeliest first. */
function asShares(ranked: readonly Ranked[]): Ranked[] {
  const sum = ranked.reduce((all, { share }) => all + share, 0);
  return ranked
    .map(({ label, share }) => ({ label, share: share / sum }))
    .sort((one, other) => other.share - one.share);
}

function told(about: About, { share = 0, withdraws = false }: { share?: number; withdraws?: boolean }): Understood {
  return { kind: 'told', about, input: {}, offers: [], notTaken: [], share, ...(withdraws && { withdraws }) };
}

function bare({ operation, input, find }: Offer): Offer {
  return { operation, input, ...(find !== undefined && { find }) };
}

/** The topic of a label; undefined for an operation. */
function aboutOf(label: string): About | undefined {
  return ABOUT[label] ?? TOPICS.find((topic) => topic === label);
}

/** The label of an offer: its operation, and for a change of status which one. */
function labelOf({ operation, input }: Offer): string {
  return operation === 'numbers_status' && typeof input.StatusChange === 'string'
    ? `${operation}:${input.StatusChange}`
    : operation;
}

function namesRecord({ kind, isName }: Token): boolean {
  return isName === true || (kind !== undefined && NAMES_A_RECORD.includes(kind) && kind !== 'text');
}

let loaded: { tools: readonly Tool[]; reader: Reader } | undefined;

/** The reader of these operations. What was learned is read when it is first needed: from a clone, or from the package. */
export function loadReader(tools: readonly Tool[]): Reader {
  if (loaded?.tools !== tools)
    loaded = { tools, reader: new Reader(tools, () => readModel(readFileSync(modelPath()))) };
  return loaded.reader;
}

function modelPath(): string {
  const committed = join(packageFolder(), 'tools', 'words.model');
  return existsSync(committed) ? committed : join(packageFolder(), 'dist', 'words.model');
}
