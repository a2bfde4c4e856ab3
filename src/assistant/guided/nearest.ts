import { groups } from '../../../tools/groups.ts';
import type { Tool } from '../../catalogue/operation.ts';
import type { CatalogueSearch } from '../../language/catalogue-search.ts';
import { isTelling } from '../../language/families.ts';
import type { Lookup } from '../../language/typed-values.ts';
import type { GuidedAnswer } from './answer.ts';
import { isDoubtful } from './doubt.ts';
import { filled, withMention } from './fill.ts';
import type { Asked } from './stance.ts';
import { type Clause, isAboutIt, isQuestion, isRefused } from './stance.ts';

/** Operations that are offered where none is asked for clearly. */
const MAX_NEAREST = 3;

interface Catalogue {
  search: CatalogueSearch;
  byId: ReadonlyMap<string, Tool>;
  lookup: Lookup | undefined;
}

/**
 * The operations that may be meant by a sentence, filled in as far as it says. Of changes, only those that a clause asks
 * for, and that neither cost nor take anything away.
 */
export function nearestTo(
  { facts, clauses, said, mayUse, isBack }: Asked,
  { search, byId, lookup }: Catalogue,
): NonNullable<GuidedAnswer['nearest']> {
  const text = clauses
    .map((clause) =>
      clause.words
        .filter(({ isUnknown }) => !isUnknown)
        .map(({ plain }) => plain)
        .join(' '),
    )
    .join(' ');
  const isAsking = clauses.some(
    (clause) => isQuestion(clause.text, clause.isAsked) || isAboutIt(said, clause.text, clause.isAsked),
  );
  const changes = clauses.flatMap((clause) =>
    isBack || isAsking || isRefused(clause.text, [])
      ? []
      : clause.fits.filter(
          ({ tool, asking }) =>
            tool.risk === 'write' && !isRefused(clause.text, asking) && !isDoubtful(facts.rest, clause.text, tool),
        ),
  );
  const asked = clauses.flatMap((clause) => clause.fits.map(({ tool }) => tool.id));
  // The card of a number says what these reads say.
  const covered = facts.mentions.length > 0 ? (groups[lookup?.tool.group ?? '']?.covers ?? []) : [];
  const known = [...covered, lookup?.tool.id];
  const reads = [...asked, ...search.search(text)].filter((id) => byId.get(id)?.risk === 'read' && !known.includes(id));
  const ids = [...new Set([...changes.map(({ tool }) => tool.id), ...reads])].filter(
    (id) => mayUse(id) && id !== lookup?.find?.tool.id,
  );
  return ids.slice(0, MAX_NEAREST).flatMap((id) => {
    const tool = byId.get(id);
    return tool ? [{ operation: id, input: withMention(tool, filled(tool, facts), facts) }] : [];
  });
}

/** Says which words of a sentence were not understood, where its number or name is only looked up. */
export function notUnderstood({ kind }: GuidedAnswer, { clauses }: Asked): string | undefined {
  const [clause] = clauses.filter(({ words, isAsked }) => !isAsked && words.some(isDeed));
  const deed = clause?.words.find(isDeed);
  if (kind !== 'lookup' || !clause || !deed || isQuestion(clause.text, clause.isAsked)) return undefined;
  return `What to do was not understood (“${deed.typed}”), and nothing was done.`;
}

function isDeed(word: Clause['words'][number]): boolean {
  return !word.isPast && !word.isNegated && word.acts.length > 0 && isTelling({ ...word, things: [] });
}
