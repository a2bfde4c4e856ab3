import type { Raised } from '../catalogue/operation.ts';
import type { Action } from './ledger/ledger.ts';

/** What the gate notes about a question, under `known.question` of its action. No secrets. */
export interface QuestionFacts {
  /** Whom it concerns: name and account. */
  customer?: string;
  /** Why a person is asked although the operation as such needs nobody. */
  raised?: Raised;
  /** What could not be read, what will be left out. */
  warnings: readonly string[];
  /** Secret fields that are sent, by path; their values are nowhere. */
  hidden: readonly string[];
  /** Ids of the same calls, made before, whose outcome was unknown when this was asked: the question warns of them. */
  doubted: readonly string[];
  /** Ids of the same calls, made before, which the question warns of: of unknown outcome, or somebody else's. */
  warned: readonly string[];
}

/** The facts of an action's question; empty for one that nobody was asked about. */
export function factsOf(action: Pick<Action, 'known'>): QuestionFacts {
  const noted = action.known.question;
  const facts = noted !== null && typeof noted === 'object' ? (noted as Partial<QuestionFacts>) : {};
  return {
    ...facts,
    warnings: facts.warnings ?? [],
    hidden: facts.hidden ?? [],
    doubted: facts.doubted ?? [],
    warned: facts.warned ?? [],
  };
}
