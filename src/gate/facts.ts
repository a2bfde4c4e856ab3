import type { Raised } from '../catalogue/operation.ts';
import type { Action } from '../ledger/ledger.ts';
import type { Fields } from '../lib/json.ts';

/** Facts about a question, stored under `known.question` of its action. No secrets. */
export interface QuestionFacts {
  /** The customer concerned: name and account. */
  customer?: string;
  /** The reason for asking a person although the operation itself needs no confirmation. */
  raised?: Raised;
  /** Warnings: reads that failed, and fields that will be left out. */
  warnings: readonly string[];
  /** Paths of the secret fields that are sent; their values are never shown. */
  hidden: readonly string[];
  /** The members of the question that repeat text from outside, such as a customer's name. */
  outside: readonly ('summary' | 'consequence')[];
  /** Ids of earlier identical calls whose outcome was unknown when this was asked. The question warns about them. */
  doubted: readonly string[];
  /**
   * Ids of all earlier identical calls that the question warns about: with an unknown outcome, or by another person.
   */
  warned: readonly string[];
  /** Owner, state and account of the records that were read, by record. */
  rests: Readonly<Record<string, Fields>>;
  /** Fields of the input that the caller left out and that were filled in. */
  filled: readonly string[];
  /** The reads that failed. */
  unread: readonly string[];
  /** True if a person is asked only because an earlier call may have done the same. */
  isRepeatOnly: boolean;
}

/** The facts of an action's question; empty for an action without a question. */
export function factsOf(action: Pick<Action, 'known'>): QuestionFacts {
  const stored = action.known.question;
  const facts = stored !== null && typeof stored === 'object' ? (stored as Partial<QuestionFacts>) : {};
  return {
    ...facts,
    warnings: facts.warnings ?? [],
    hidden: facts.hidden ?? [],
    outside: facts.outside ?? [],
    doubted: facts.doubted ?? [],
    warned: facts.warned ?? [],
    rests: facts.rests ?? {},
    filled: facts.filled ?? [],
    unread: facts.unread ?? [],
    isRepeatOnly: facts.isRepeatOnly ?? false,
  };
}

/** The caller's own part of an input: without the fields that were filled in. */
export function saidOf(input: Fields, { known }: Pick<Action, 'known'>): Fields {
  const { filled } = factsOf({ known });
  return Object.fromEntries(Object.entries(input).filter(([name]) => !filled.includes(name)));
}
