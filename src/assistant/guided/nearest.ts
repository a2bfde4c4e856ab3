import { groups } from '../../../tools/groups.ts';
import type { Tool } from '../../catalogue/operation.ts';
import { isTelling } from '../../language/families.ts';
import type { Lookup } from '../../language/typed-values.ts';
import type { GuidedAnswer } from './answer.ts';
import { isDoubtful } from './doubt.ts';
import { filled, withMention } from './fill.ts';
import type { Asked } from './stance.ts';
import { type Clause, type Fit, isAboutIt, isQuestion, isRefused } from './stance.ts';

/** Operations that are offered where none is asked for clearly. */
const MAX_NEAREST = 3;
/** Least score of a read that is offered. */
const MIN_NEAR = 0.8;

interface Catalogue {
  byId: ReadonlyMap<string, Tool>;
  lookup: Lookup | undefined;
}

/**
 * The operations that may be meant by a sentence, filled in as far as it says. Of changes, only those that a clause asks
 * for, and that neither cost nor take anything away.
 *
 * @param found ids of operations that a search for the words brought, the best first
 */
export function nearestTo(
  { facts, clauses, said, mayUse, isBack }: Asked,
  { byId, lookup }: Catalogue,
  found: readonly string[] = [],
): NonNullable<GuidedAnswer['nearest']> {
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
  // An operation that explains nothing but "show" or "number" fits nothing of the sentence.
  const asked = clauses.flatMap((clause) => clause.fits.filter(isNear).map(({ tool }) => tool.id));
  // The card of a number says what these reads say.
  const covered = facts.mentions.length > 0 ? (groups[lookup?.tool.group ?? '']?.covers ?? []) : [];
  const known = [...covered, lookup?.tool.id];
  const reads = [...asked, ...found].filter((id) => byId.get(id)?.risk === 'read' && !known.includes(id));
  const ids = [...new Set([...changes.map(({ tool }) => tool.id), ...reads])].filter(
    (id) => mayUse(id) && id !== lookup?.find?.tool.id,
  );
  return ids.slice(0, MAX_NEAREST).flatMap((id) => {
    const tool = byId.get(id);
    return tool ? [{ operation: id, input: withMention(tool, filled(tool, facts), facts) }] : [];
  });
}

/** Says which words of a sentence were not understood, where its number or name is only looked up. */
export function notUnderstood({ kind }: GuidedAnswer, { clauses, said }: Asked): string | undefined {
  const [clause] = clauses.filter(({ words, isAsked }) => !isAsked && words.some(isDeed));
  // A word that stands for an expression is none that the writer typed.
  const isTyped = ({ typed }: Clause['words'][number]) => new RegExp(`(?<!\\p{L})${typed}(?!\\p{L})`, 'iu').test(said);
  const deed = clause?.words.find((word) => isDeed(word) && isTyped(word));
  if (kind !== 'lookup' || !clause || isQuestion(clause.text, clause.isAsked)) return undefined;
  return deed === undefined
    ? 'What to do was not understood; nothing was done.'
    : `“${deed.typed}” was not understood; nothing was done.`;
}

/** The words of an answer that shows a record in place of what was not understood. */
export function inPlaceOf(unread: string, { understood, operation, input }: GuidedAnswer): string {
  const isLine = operation === 'numbers_lookup' || /^[#…*+]*\d+$/.test(String(input.Query ?? ''));
  return `${unread} ${isLine && /^(?:Look up|Find numbers by) \S+\.$/.test(understood) ? 'Here is the line.' : understood}`;
}

/** True for a read of which a clause names the thing, and not only that something is shown. */
function isNear({ family, asking, score }: Fit): boolean {
  return score >= MIN_NEAR && (family.things !== '' || asking.some(isTelling));
}

function isDeed(word: Clause['words'][number]): boolean {
  return !word.isPast && !word.isNegated && word.acts.length > 0 && isTelling({ ...word, things: [] });
}
