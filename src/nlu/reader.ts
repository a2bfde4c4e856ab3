import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { tools } from '../../tools/index.ts';
import type { Tool } from '../catalogue/operation.ts';
import { packageFolder } from '../lib/config.ts';
import { defined, type Fields } from '../lib/values.ts';
import { NAMES_A_RECORD } from './entities.ts';
import { type Model, readModel } from './model-file.ts';
import { isWord, labelOf, type Message, namesRecord, type Request, Requests } from './requests.ts';
import { type About, TOPICS, threadLabel } from './rows.ts';
import {
  completed,
  ENDS_OFFER,
  edited,
  type Filled,
  isOnlyValues,
  type Offer,
  subjectOf,
  type Thread,
} from './slots.ts';

/*
 * Reads plain words: which operation a message asks for, and with which values. It performs nothing. Sentences teach it
 * (`tools/<group>/words.json`); the README of this folder shows how a message travels through it.
 */

export type { About } from './rows.ts';
export type { Offer, Thread } from './slots.ts';

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
  /** Recognised values that no field took, words beside a number that were never learned, and the clause of a second order. */
  notTaken: string[];
  /** True if the open offer of the thread is taken back. */
  withdraws?: boolean;
}

export interface ReadOptions {
  /** Milliseconds since the epoch. Days are read from it. */
  now: number;
  /** The writer's time zone, such as `America/Denver`; UTC if left out. */
  zone?: string;
  /** True if the writer may use an operation. An operation that they may not use is neither answered nor offered. */
  mayUse(id: string): boolean;
}

/** The least probabilities. Measured by test/bench/words.mjs. */
export const LEAST = {
  /** A read that is shown, and a topic. */
  read: 0.5,
  /** A change whose form is offered alone. */
  change: 0.92,
  /** The same, where no other change is likely enough to be offered. */
  onlyChange: 0.88,
  /** An operation beside the likeliest. */
  offered: 0.03,
  /** The open offer is taken back. */
  withdraw: 0.5,
  /** A message is no refusal of what it goes on with: below. */
  refusal: 0.3,
};
const MOST_OFFERED = 3;
/** Tools beside the operations that a search finds where a topic is meant. */
const FOUND_FOR: Readonly<Record<string, string>> = {
  waiting: 'confirmations_get',
  withdraw: 'confirmations_withdraw',
  batch: 'batches_create',
};

/** An answer, and the label that the thread keeps of it. */
type Labelled = { answer: Understood; label?: string };

type Made = Offer & Pick<Filled, 'beside' | 'notTaken'>;

export class Reader {
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #requests: Requests;
  #definitions: ReturnType<typeof definitionSearch> | undefined;

  /** @param model what was learned */
  constructor(tools: readonly Tool[], model: Model) {
    this.#tools = new Map(tools.map((tool) => [tool.id, tool]));
    this.#requests = new Requests(this.#tools, model);
  }

  /**
   * Reads a message, from which secrets were removed (`lib/hide.ts`).
   *
   * @returns the answer, and the thread after it, which the surface stores
   */
  answer(text: string, thread: Thread = {}, options: ReadOptions): { answer: Understood; thread: Thread } {
    const message = this.#requests.message(text, options);
    const { answer, label } = this.#answer(message, thread, options);
    const [likeliest] = answer.offers;
    const isOffered = likeliest && this.isChange(likeliest.operation);
    const after = {
      last: label === undefined ? thread.last : threadLabel(label),
      subject: subjectOf(likeliest ?? answer) ?? thread.subject,
      input: answer.kind === 'choose' ? thread.input : answer.input,
      offer: answer.withdraws ? undefined : isOffered ? likeliest : thread.offer,
    };
    return { answer, thread: defined(after) };
  }

  /**
   * Finds operations by their id, their title or in words of one's own, the best first. Used by help, by assistants'
   * search, and for "did you mean". `mayUse` is asked about tools beside the operations too (`confirmations_get`).
   */
  search(text: string, mayUse: (id: string) => boolean): string[] {
    this.#definitions ??= definitionSearch([...this.#tools.values()]);
    const exact = this.#definitions.named(text);
    const shares = new Map<string, number>(exact === undefined ? [] : [[exact, 2]]);
    for (const { operation, share } of this.#alone(text)) {
      const id = FOUND_FOR[operation] ?? operation;
      if (share >= LEAST.offered) shares.set(id, (shares.get(id) ?? 0) + share);
    }
    const isLacking = exact === undefined && this.lacks(text);
    const likely = [...shares].sort(([, one], [, other]) => other - one);
    const found = new Set([...likely.map(([id]) => id), ...this.#definitions.ranked(text)]);
    for (const topic of TOPICS) found.delete(topic);
    return [...found].filter((id) => mayUse(id) && !(isLacking && this.isChange(id)));
  }

  /** True if a text asks for something that no operation does. Its search finds no change. */
  lacks(text: string): boolean {
    const [likeliest] = this.#alone(text);
    return likeliest?.label === 'not_here' && likeliest.share >= LEAST.read;
  }

  /** True if an operation changes something, so that it is never shown without a press. */
  isChange(operation: string): boolean {
    const tool = this.#tools.get(operation);
    return tool !== undefined && tool.risk !== 'read';
  }

  /** The requests of a text that has a word that was learned. */
  #alone(text: string): Request[] {
    const message = this.#requests.message(text, { now: 0 });
    return this.#requests.isName(message) ? [] : this.#requests.ranked(message, {}, () => true);
  }

  #answer(message: Message, thread: Thread, options: ReadOptions): Labelled {
    const { offer } = thread;
    if (ENDS_OFFER.test(message.text.trim().replaceAll('’', "'"))) return withdrawn(offer !== undefined);
    const ranked = this.#requests.ranked(message, thread, options.mayUse);
    const clauses = this.#requests.clauses(message, options, options.mayUse);
    const orders = clauses.filter(({ request }) => request.isChange);
    // “Don't cancel 0103, park it”, “forget that, park 0104”.
    const behind = this.#requests.forbidsFirst(message, options) ? orders.at(-1) : undefined;
    if (offer && !behind && ranked[0]?.label === 'withdraw' && ranked[0].share > LEAST.withdraw) return withdrawn(true);
    if (offer && !behind && this.#goesOn(message, offer, ranked)) return this.#editedOffer(message, offer);
    if (this.#requests.isName(message)) return this.#lookUp(message, options);
    if (new Set(orders.map(({ request }) => request.label)).size > 1) {
      const offers = orders.map((one) => bare(this.#offer(one.message, one.request, {})));
      return { answer: choice(offers, []), ...defined({ label: orders[0]?.request.label }) };
    }
    const requests = behind
      ? this.#requests.ranked(behind.message, {}, options.mayUse)
      : this.#requests.withStance(ranked, message, offer !== undefined);
    const [best] = requests;
    if (!best) return this.#lookUp(message, options);
    const others = behind ? [] : clauses.filter(({ request }) => request.label !== best.label);
    const notTaken = others.map((one) => one.message.text);
    if (best.about && best.share >= LEAST.read) {
      const change = best.about === 'consequence' ? ranked.find(({ isChange }) => isChange) : undefined;
      const operation = change && { operation: change.operation };
      const values = message.tokens.flatMap(({ kind, raw }) => (kind ? [raw] : []));
      const answer = { ...told(best.about), ...operation, notTaken: [...values, ...notTaken] };
      return { answer, label: best.label };
    }
    // A forbidden record is not the ordered one, unless the order says "it".
    const ordered = behind?.message.tokens.some(namesRecord) ? behind.message : message;
    const made = requests
      .slice(0, MOST_OFFERED)
      .filter(({ share }, at) => at === 0 || share >= LEAST.offered)
      .flatMap((one) => (one.about ? [] : [this.#offer(ordered, one, thread)]));
    const named = message.wanted.some(namesRecord) ? this.#lookUp(message, options).answer.find : undefined;
    return { answer: this.#decided(best, made, notTaken, named), label: best.label };
  }

  /**
   * Decides between one answer and a choice.
   *
   * @param others clauses that are not answered
   * @param named the line or customer that is shown beside a choice
   */
  #decided(
    { about, share, isChange }: Request,
    made: readonly Made[],
    others: readonly string[],
    named?: string,
  ): Understood {
    const [first] = made;
    if (!first) return { ...told(about ?? 'not_here'), notTaken: [...others] };
    const offers = made.map(bare);
    const notTaken = [...first.notTaken, ...others];
    const isOnly = !offers.slice(1).some(({ operation }) => this.isChange(operation));
    const least = !isChange ? LEAST.read : isOnly ? LEAST.onlyChange : LEAST.change;
    if (about || share < least) {
      const find = first.find ?? named;
      return { ...choice(offers, notTaken), ...(find !== undefined && { find }) };
    }
    // A clear request is offered without other changes.
    const shown = offers.filter(({ operation }, at) => at === 0 || !this.isChange(operation));
    return { kind: isChange ? 'form' : 'read', ...first, offers: shown, notTaken };
  }

  /** The operation of a request, filled in from the message and from the thread. */
  #offer({ text, tokens }: Message, { label, operation }: Request, thread: Thread): Made {
    const { slots } = this.#requests;
    const { beside, notTaken, ...filled } = slots.fill(text, tokens, label);
    const offer = completed({ operation, ...filled }, thread, tokens, slots.slotsOf(operation));
    return { ...offer, notTaken, ...(beside && { beside }) };
  }

  /** True if a message gives other values to what is offered. */
  #goesOn({ wanted }: Message, offer: Offer, [likeliest]: readonly Request[]): boolean {
    const slots = this.#requests.slots.slotsOf(offer.operation).values();
    const labels = new Set([...slots].flatMap(({ label }) => label.toLowerCase().split(/\W+/)));
    return isOnlyValues(wanted, labels) || (likeliest !== undefined && threadLabel(likeliest.label) === labelOf(offer));
  }

  /** The open offer, changed by a message that goes on with it. A message that changes nothing in it is quoted. */
  #editedOffer({ text, tokens, stance }: Message, open: Offer): Labelled {
    const label = labelOf(open);
    const { notTaken, beside, ...filled } = this.#requests.slots.fill(text, tokens, label);
    const offer = edited(open, filled, tokens);
    const isSame = JSON.stringify(offer) === JSON.stringify(bare(open));
    if (isSame && stance.no >= LEAST.refusal) return withdrawn(true);
    const more = { notTaken: isSame ? [text] : notTaken, ...(beside && { beside }) };
    return { answer: { kind: 'form', ...offer, offers: [offer], ...more }, label };
  }

  /** The search for what a message names. */
  #lookUp(message: Message, { mayUse }: ReadOptions): Labelled {
    const { tokens, wanted } = message;
    const isWhole = wanted.length === 1 && wanted[0]?.kind === 'phone' && mayUse('numbers_lookup');
    const operation = isWhole ? 'numbers_lookup' : 'numbers_find';
    const lines = wanted.flatMap(({ kind, value }) => (kind && NAMES_A_RECORD.includes(kind) ? [String(value)] : []));
    const words = wanted.filter((token) => isWord(token) && !token.isCommon);
    const people = words.some(({ isName }) => isName) ? words.filter(({ isName }) => isName) : words;
    const find = lines.length > 0 ? lines.join(', ') : people.map(({ raw }) => raw).join(' ');
    if (find === '' || !this.#tools.has(operation) || !mayUse(operation)) return { answer: told('not_here') };
    const offer: Offer = { operation, input: isWhole ? { PhoneNumber: find } : { Query: find }, find };
    const notTaken = [
      ...tokens.flatMap((token) => (token.kind && !wanted.includes(token) ? [token.raw] : [])),
      ...(lines.length > 0 ? this.#requests.unknownWords(message) : []),
    ];
    return { answer: { kind: 'read', ...offer, offers: [offer], notTaken }, label: operation };
  }
}

function told(about: About): Understood {
  return { kind: 'told', about, input: {}, offers: [], notTaken: [] };
}

/** The answer to a message that takes back. Without an open offer nothing is withdrawn. */
function withdrawn(withdraws: boolean): Labelled {
  return { answer: { ...told('withdraw'), ...(withdraws && { withdraws }) }, label: 'withdraw' };
}

function choice(offers: readonly Offer[], notTaken: string[]): Understood {
  return { kind: 'choose', input: {}, offers: offers.slice(0, MOST_OFFERED), notTaken };
}

function bare({ operation, input, find }: Offer): Offer {
  return { operation, input, ...(find !== undefined && { find }) };
}

let loaded: Reader | undefined;

/** The reader of the catalogue. What was learned is read when it is first needed: from a clone, or from the package. */
export function loadReader(): Reader {
  const fileIn = (folder: string) => join(packageFolder(), folder, 'words.model');
  const file = existsSync(fileIn('tools')) ? fileIn('tools') : fileIn('dist');
  loaded ??= new Reader(tools, readModel(readFileSync(file)));
  return loaded;
}

/* Finds operations by their names, and by the words of their definitions. */

/** Finds operations by their id or title in any spelling (`numbers cancel`, `Cancel numbers`), or by words, the best first. */
function definitionSearch(tools: readonly Tool[]) {
  const names = new Map(tools.flatMap(({ id, title }) => [title, id].map((name) => [nameOf(name), id] as const)));
  const index = new MiniSearch({
    fields: ['id', 'title', 'description'],
    searchOptions: { boost: { id: 3, title: 3 }, prefix: (term) => term.length > 2, fuzzy: 0.2 },
  });
  index.addAll(tools.map(({ id, title, description }) => ({ id, title, description })));
  return {
    named: (text: string) => names.get(nameOf(text)),
    ranked: (text: string) => index.search(text).map(({ id }) => String(id)),
  };
}

function nameOf(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
}
