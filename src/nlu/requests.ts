import type { Tool } from '../catalogue/operation.ts';
import { type Moment, NAMES_A_RECORD, type Token, tokensOf } from './entities.ts';
import { intentFeatures, type Model, type Ranked, stanceFeatures, threadFeatures } from './model-file.ts';
import { type About, operationOf, TOPICS, threadLabel } from './rows.ts';
import { contrasted, type Offer, PRONOUN, SlotFiller, type Thread, textOf } from './slots.ts';

/* Requests: what a message may ask for, the likeliest first, in the light of its stance and of its thread. */

/** A message as it was cut up and judged. */
export interface Message {
  text: string;
  tokens: readonly Token[];
  /** The tokens without what the message excludes: “not 0104”. */
  wanted: readonly Token[];
  /** The probabilities that it orders something, asks or reports, and forbids or takes back. */
  stance: { do: number; ask: number; no: number };
}

/** A possible request of a message. */
export interface Request extends Ranked {
  /** The operation; the topic's own name for a topic. */
  operation: string;
  about?: About;
  /** True for an operation that changes something. */
  isChange: boolean;
}

/** A part of a message that is a separate request. */
type Clause = { message: Message; request: Request };

/** The least probabilities. Measured by test/bench/words.mjs. */
const LEAST = {
  /** That the message orders something: below, no change is offered at all. */
  order: 0.5,
  /** That it forbids or takes back: above, no change is offered. */
  no: 0.5,
  /** A clause that is a separate request. */
  clause: 0.6,
  /** The share of a label that no message behind others had. */
  unseen: 1e-4,
};
/** A message with more unknown words than this asks for something. */
const MOST_UNKNOWN = 5;
const GREETING = /^(?:hi|hello|hey|good|morning|ok|please|pls|plz|thanks|thx)$/;
/** The boundaries between the clauses of a message. */
const CLAUSES = /[.;]\s+|,\s+|\s+(?:and|then|also|but)\s+/i;

export class Requests {
  readonly slots: SlotFiller;
  readonly #model: Model;
  readonly #requests = new Map<string, Omit<Request, 'share'>>();

  constructor(tools: ReadonlyMap<string, Tool>, model: Model) {
    this.#model = model;
    this.slots = new SlotFiller(tools, model.classifiers);
    for (const label of model.classifiers.intent.labels) {
      const operation = operationOf(label);
      const about = TOPICS.find((topic) => topic === label);
      const risk = tools.get(operation)?.risk;
      if (about) this.#requests.set(label, { label, operation, isChange: false, about });
      else if (risk) this.#requests.set(label, { label, operation, isChange: risk !== 'read' });
    }
  }

  message(text: string, moment: Moment): Message {
    const tokens = tokensOf(text, moment, this.#model.vocabulary);
    const excluded = contrasted(tokens);
    const body = textOf(text, tokens);
    const head = body ? tokens.filter(({ from }) => from < body.from) : tokens;
    // The text of a message to a customer is not a request.
    const isBody = body && this.#ranked(head, {})[0]?.label === 'message_outbound';
    const wanted = tokens.filter(
      (token, at) => !excluded.has(at) && !(isBody && token.from > body.from && token.from < body.to),
    );
    const ranked = this.#model.classifiers.stance.rank(stanceFeatures(wanted));
    const stance = Object.fromEntries(ranked.map(({ label, share }) => [label, share])) as Message['stance'];
    return { text, tokens, wanted, stance };
  }

  /** The possible requests of a message. Kinds of an operation count as one, which has the label of the likeliest. */
  ranked({ wanted }: Message, thread: Thread, mayUse: (id: string) => boolean): Request[] {
    const requests = new Map<string, Request>();
    for (const { label, share } of this.#ranked(wanted, thread)) {
      const request = this.#requests.get(label);
      if (!request || !(request.about || mayUse(request.operation))) continue;
      const known = requests.get(threadLabel(label)) ?? { ...request, share: 0 };
      requests.set(threadLabel(label), { ...known, share: known.share + share });
    }
    return withShares([...requests.values()]);
  }

  #ranked(tokens: readonly Token[], { last, offer }: Thread): Ranked[] {
    const alone = this.#model.classifiers.intent.rank(intentFeatures(tokens));
    if (last === undefined) return alone;
    const before = { last, offer: offer && labelOf(offer) };
    const ranked = this.#model.classifiers.thread.rank(threadFeatures(tokens, before, alone));
    const there = new Map(ranked.map(({ label, share }) => [label, share]));
    // The message alone and the thread count the same.
    return alone.map(({ label, share }) => ({ label, share: Math.sqrt(share * (there.get(label) ?? LEAST.unseen)) }));
  }

  /**
   * Requests in the light of the stance: changes are likelier where the message orders, and all others where it asks. A
   * message that forbids, takes back or asks has no change at all. What goes on with an offer says little of its own.
   */
  withStance(requests: readonly Request[], { stance }: Message, hasOffer: boolean): Request[] {
    const weighed = withShares(
      requests.map((one) => ({ ...one, share: one.share * Math.sqrt(one.isChange ? stance.do : 1 - stance.do) })),
    );
    const changing = weighed.reduce((sum, { isChange, share }) => sum + (isChange ? share : 0), 0);
    const isOrder = stance.no < LEAST.no && (hasOffer || (stance.do + changing) / 2 >= LEAST.order);
    return isOrder ? weighed : weighed.filter(({ isChange }) => !isChange);
  }

  /** The clauses of a message that are separate requests; none if it has one clause. */
  clauses({ text, tokens }: Message, moment: Moment, mayUse: (id: string) => boolean): Clause[] {
    const parts = text.slice(0, textOf(text, tokens)?.from).split(CLAUSES);
    return parts.flatMap((part): Clause[] => {
      if (parts.length < 2) return [];
      const message = this.message(part, moment);
      const [request] = this.ranked(message, {}, mayUse);
      const hasWord = message.tokens.some((token) => !namesRecord(token) && !token.isCommon);
      if (!request || !hasWord || request.share < LEAST.clause || request.about) return [];
      // A part that names no record adds to the order before it.
      const isOrder =
        message.stance.do >= LEAST.order && message.tokens.some((one) => namesRecord(one) || PRONOUN.test(one.word));
      return isOrder || !request.isChange ? [{ message, request }] : [];
    });
  }

  /** True if a message begins with what it forbids or takes back. */
  forbidsFirst({ text, stance }: Message, moment: Moment): boolean {
    const [first = ''] = text.split(CLAUSES);
    return first !== text && stance.do < LEAST.order && this.message(first, moment).stance.no >= LEAST.no;
  }

  /** True if nothing but names, numbers and words that were never learned is left of a message behind a greeting. */
  isName({ wanted }: Message): boolean {
    const left = wanted.filter((token) => !GREETING.test(token.word) && (isWord(token) || token.kind));
    const isNew = (one: Token) => namesRecord(one) || !this.#model.classifiers.intent.knows(`w${one.word}`);
    return left.length > 0 && left.length <= MOST_UNKNOWN && left.every(isNew);
  }

  /** The words of a message that were never learned and name nobody, as they were written. */
  unknownWords({ wanted }: Message): string[] {
    const isUnknown = (one: Token) =>
      isWord(one) && !one.isCommon && !namesRecord(one) && !this.#model.classifiers.intent.knows(`w${one.word}`);
    return wanted.filter(isUnknown).map(({ raw }) => raw);
  }
}

/** Requests whose shares add up to 1, the likeliest first. */
function withShares(requests: readonly Request[]): Request[] {
  const sum = requests.reduce((all, { share }) => all + share, 0);
  return requests.map((one) => ({ ...one, share: one.share / sum })).sort((one, other) => other.share - one.share);
}

/** The label of an offer: its operation, and for a change of status which one. */
export function labelOf({ operation, input }: Offer): string {
  const { StatusChange } = input;
  return threadLabel(operation === 'numbers_status' && StatusChange ? `${operation}:${StatusChange}` : operation);
}

/** True for a name, a number or an id, which the search can look for. */
export function namesRecord({ kind, isName }: Token): boolean {
  return isName === true || (kind !== undefined && NAMES_A_RECORD.includes(kind) && kind !== 'text');
}

export function isWord({ kind, word }: Token): boolean {
  return kind === undefined && /\p{L}/u.test(word);
}
