import { eventOperations } from '../../../tools/surfaces/events.ts';
import type { Tool } from '../../catalogue/operation.ts';
import type { CatalogueSearch } from '../../language/catalogue-search.ts';
import { MAKES_NUMBER } from '../../language/families.ts';
import { wordsOf } from '../../language/sentence.ts';
import type { Facts } from './facts.ts';
import { newNameIn, withPeople } from './names.ts';
import {
  asksForFacts,
  type Clause,
  type Fit,
  isClearRead,
  partsIn,
  topicOf,
  withLastDigits,
  withNames,
  withoutReason,
  withTopic,
} from './stance.ts';

/** "What happens if" asks about the change, not about events. */
export const HAPPENS = /\bhappens?\s+(?:if|when)\b/i;

/** Reads the parts of sentences, and finds the families that they belong to. */
export class Clauses {
  readonly #byId: ReadonlyMap<string, Tool>;
  readonly #search: CatalogueSearch;

  constructor(byId: ReadonlyMap<string, Tool>, search: CatalogueSearch) {
    this.#byId = byId;
    this.#search = search;
  }

  /** The parts of a sentence, each with the families that it belongs to. */
  of(facts: Facts): Clause[] {
    const sees = (id: string) => !(facts.numbers.length > 0 && MAKES_NUMBER.has(id));
    let topic: string | undefined;
    return partsIn(facts).map((part) => {
      const clause = { ...part, ...this.#fitsOf(part.text, sees, topic) };
      topic = topicOf(clause.words) ?? topic;
      return clause;
    });
  }

  /** @param topic what "it" means in the text, if an earlier part says so */
  #fitsOf(text: string, sees: (id: string) => boolean, topic?: string) {
    const read = withPeople(wordsOf(withNames(withLastDigits(withoutReason(text)))), newNameIn(text));
    const words = topic === undefined ? read : withTopic(read, topic);
    const fits = this.#search.fits(words, sees).flatMap((fit): Fit[] => {
      const tool = this.#byId.get(fit.family.operation);
      return tool ? [{ ...fit, tool }] : [];
    });
    return { words, fits };
  }

  /** The changes that a clause names: one, or one in each part that "and" joins. */
  changesIn(clause: Clause, said: string): { clause: Clause; fit: Fit }[] {
    const isRead = asksForFacts(said, clause.text) && clause.fits.some(isClearRead);
    const best = (fits: readonly Fit[]) => {
      // "What happens if" asks about the change, not about events.
      const fit = HAPPENS.test(clause.text) ? fits.find(({ tool }) => tool.id !== eventOperations.since) : fits[0];
      return fit && fit.tool.risk !== 'read' && !fit.isDoubtful && !isRead ? fit : undefined;
    };
    const parts = clause.text.split(/\s+(?:and|or)\s+/i);
    const seen = new Set(clause.fits.map(({ tool }) => tool.id));
    const each = parts.length < 2 ? [] : parts.map((text) => best(this.#fitsOf(text, (id) => seen.has(id)).fits));
    const several = each.filter((fit): fit is Fit => fit !== undefined);
    const whole = best(clause.fits);
    if (several.length === each.length && new Set(several.map(({ tool }) => tool.id)).size > 1)
      return several.map((fit) => ({ clause, fit }));
    return whole ? [{ clause, fit: whole }] : [];
  }
}
