import { groups } from '../../../../tools/groups.ts';
import { unsaying } from '../../../../tools/surfaces/everyday.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { isTelling } from '../../../language/families.ts';
import type { Lookup } from '../../../language/typed-values.ts';
import { words as wordSet } from '../../../language/vocabulary.ts';
import { COURTESY } from '../facts/beginnings.ts';
import { isDoubtful } from '../facts/doubt.ts';
import type { Asked } from '../facts/stance.ts';
import { beginsDeed, type Clause, type Fit, isAboutIt, isQuestion, isRefused } from '../facts/stance.ts';
import type { GuidedAnswer } from './answer.ts';
import { filled, withDigits, withMention } from './fill.ts';

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
  const reads = [...found, ...asked].filter((id) => byId.get(id)?.risk === 'read' && !known.includes(id));
  const ids = [...new Set([...changes.map(({ tool }) => tool.id), ...reads])].filter(
    (id) => mayUse(id) && id !== lookup?.find?.tool.id,
  );
  return ids.slice(0, MAX_NEAREST).flatMap((id) => {
    const tool = byId.get(id);
    if (!tool) return [];
    const texts = facts.isOneList ? facts.mentions.map(({ text }) => text) : [];
    return [{ operation: id, input: withDigits(tool, texts, withMention(tool, filled(tool, facts), facts)) }];
  });
}

/** "Look up 0103, the plan and the block list": the other reads that a question about one line names. */
export function withOtherReads(
  guided: GuidedAnswer,
  { facts, clauses, mayUse, isBack }: Asked,
  by: { clausesOf: (facts: Asked['facts']) => readonly Clause[]; known: readonly (string | undefined)[] },
): GuidedAnswer {
  const isRead = guided.kind === 'lookup' && !guided.isInstead && !guided.isRefused && !isBack;
  if (!isRead || facts.mentions.length !== 1 || facts.message !== undefined || clauses.some(beginsDeed)) return guided;
  const parts = facts.rest.split(/[,;]|\b(?:and|plus|also)\b/i);
  if (parts.length < 2) return guided;
  const fits = parts.flatMap((rest) => by.clausesOf({ ...facts, rest }).flatMap((part) => part.fits.slice(0, 1)));
  const known = new Set([guided.operation, guided.find?.operation, ...by.known]);
  const others = fits.filter(({ tool }) => tool.risk === 'read' && mayUse(tool.id) && !known.has(tool.id));
  if (fits.some(({ tool, isDoubtful: is }) => tool.risk !== 'read' && !is)) return guided;
  // A list that takes no line is no answer about one.
  const nearest = [...new Set(others.map(({ tool }) => tool))]
    .slice(0, MAX_NEAREST)
    .map((tool) => ({ operation: tool.id, input: withMention(tool, filled(tool, facts), facts) }))
    .filter(({ input }) => Object.keys(input).length > 0);
  return nearest.length === 0 ? guided : { ...guided, nearest: [...(guided.nearest ?? []), ...nearest] };
}

const LEAD = String.raw`^\W*${COURTESY}`;

/** Says which words of a sentence were not understood, where its number or name is only looked up. */
export function notUnderstood({ kind, find }: GuidedAnswer, { clauses, said }: Asked): string | undefined {
  const [clause] = clauses.filter(({ words, isAsked }) => !isAsked && words.some(isDeed));
  // A word that stands for an expression is none that the writer typed.
  const isTyped = ({ typed }: Clause['words'][number]) => new RegExp(`(?<!\\p{L})${typed}(?!\\p{L})`, 'iu').test(said);
  const deed = clause?.words.find((word) => isDeed(word) && isTyped(word));
  if (!clause) return kind === 'lookup' ? unknownOrder(clauses) : undefined;
  if (isQuestion(clause.text, clause.isAsked)) return undefined;
  // "Unpark everything I parked today": its time asks for no list of what happened.
  const isVerb = deed !== undefined && new RegExp(`${LEAD}${deed.typed}(?<!s)\\s`, 'iu').test(clause.text);
  if (kind === 'events' && !find && isVerb)
    return `“${deed.typed}” needs the number of each line, and your message has none; nothing was done.`;
  if (kind !== 'lookup') return undefined;
  return deed === undefined
    ? 'What to do was not understood; nothing was done.'
    : `“${deed.typed}” was not understood; nothing was done.`;
}

/** An order has its object behind it. Words of an amount or a place in a list order nothing: "every line of …". */
const FIRST = new RegExp(
  String.raw`${LEAD}(?!(?:every|each|either|several|many|most|few|next|last|first|second|latest|oldest|newest|total|top)\b)(?<first>\p{Ll}{3,})\s+\S`,
  'u',
);
const UNSAYING = wordSet(unsaying);

/** "Reboot the router of acme": the first word of an order may be one that the vocabulary has no deed for. */
function unknownOrder([clause]: readonly Clause[]): string | undefined {
  if (!clause || isQuestion(clause.text, clause.isAsked)) return undefined;
  const first = FIRST.exec(clause.text)?.groups?.first ?? '';
  const word = clause.words.find(({ plain }) => plain === first);
  const isPlain = word && !word.isUnknown && word.acts.length === 0 && word.things.length === 0;
  return isPlain && !UNSAYING.has(first) ? `“${first}” was not understood; nothing was done.` : undefined;
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
