import { isForeign } from './answer-language.ts';
import { type Happened, unprovenOutcomes } from './claimed-outcomes.ts';
import { Held, valuesIn } from './claimed-values.ts';
import type { Message } from './conversations.ts';

/*
 * Compares an answer with the records of its conversation: results of calls, and what people wrote. A number, an id or
 * an amount that none of them holds, and an outcome that no call had, are marked for the reader.
 */

/** Statements of an answer that no record of its conversation supports. */
export interface Unproven {
  /** Numbers, ids and amounts, as the answer has them. */
  values: readonly string[];
  /** The sentences that claim an outcome. */
  outcomes: readonly string[];
}

/** The texts that an answer may rest on. */
export interface Records extends Happened {
  /** The rules of the model, and what it read about operations. */
  rules: readonly string[];
  /** The earlier messages, and the message itself. */
  messages: readonly Message[];
}

const MOST_NAMED = 5;
const LONGEST = 160;

/** Finds the statements of an answer that no record supports. Undefined if there are none. */
export function unprovenIn(answer: string, records: Records): Unproven | undefined {
  // A claim of an earlier answer is no record.
  const messages = records.messages.map((one) => ({
    ...one,
    text: (one.doubted ?? []).reduce((left, doubt) => left.replaceAll(doubt, ''), one.text),
  }));
  const { results, rules } = records;
  const textsOf = (isAnswer: boolean) =>
    messages.filter(({ from }) => (from === 'assistant') === isAnswer).map(({ text }) => text);
  const held = new Held({ results, rules, people: textsOf(false), answers: textsOf(true) });
  const read = new Held({ results, rules: [], people: [], answers: [] });
  const missing = held.missing(valuesIn(answer)).map(({ text }) => text);
  const values = [...new Set(missing)].slice(0, MOST_NAMED);
  const hasValues = (text: string) => read.missing(valuesIn(text)).length === 0;
  const outcomes = unprovenOutcomes(answer, { ...records, messages }, hasValues);
  return values.length === 0 && outcomes.length === 0 ? undefined : { values, outcomes };
}

/**
 * True if the reader of this answer should learn what was not changed: claims of outcomes are recognised in English
 * alone, and an English answer may leave open what became of the change that was asked for.
 */
export function mayMislead(answer: string, records: Records, asksForChange: () => boolean): boolean {
  const { results, messages, titles, waits } = records;
  const question = messages.findLast(({ from }) => from === 'writer')?.text ?? '';
  if (isForeign(answer, results) || isForeign(question, results)) return true;
  return titles.length === 0 && !waits && asksForChange();
}

/** The sentence about a turn's effects beside its answer. */
interface Told {
  text: string;
  done: readonly unknown[];
  unknown: readonly unknown[];
  unproven?: Unproven;
  /** True if the reader could take the answer for a change that the turn did not make. */
  mayMislead?: true;
}

/**
 * A note on the first outcome that no record shows, or that nothing was changed where the answer could be taken for a
 * change. Undefined if there is neither.
 */
export function outcomeNote({ unproven, mayMislead, done, unknown }: Told): string | undefined {
  const [first] = unproven?.outcomes ?? [];
  const isNothing = done.length + unknown.length === 0;
  if (first === undefined) return mayMislead && (isNothing ? 'Nothing was changed.' : 'Nothing else was changed.');
  const note = `No record shows “${first.slice(0, LONGEST)}”`;
  return isNothing ? `Nothing was changed. ${note}` : note;
}
