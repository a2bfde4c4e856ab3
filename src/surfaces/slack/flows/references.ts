import type { Field } from '../../../catalogue/field-types.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { choiceLabel, type Hits, type Resolution, type TakenName } from '../../../language/records.ts';
import { isReference, lookups, nounOf, referencesIn } from '../../../language/typed-values.ts';
import type { Fields } from '../../../lib/json.ts';
import type { SlackContext } from '../context.ts';
import type { Origin } from '../types.ts';

/* Names and last digits that people give in place of a number or an id. */

export type Unclear = Extract<Resolution, { kind: 'unclear' }>;

/** Says which record each name was taken for. The card of a line names it, so that there only a slip is told. */
export function takenNotes({ tools, groups }: SlackContext, tool: Tool, taken: readonly TakenName[]): string[] {
  const isLookup = lookups(tools, groups).some((lookup) => lookup.tool.id === tool.id);
  const told = taken.filter(({ isSimilar }) => !isLookup || isSimilar);
  return told.map(({ text, label }) => `“${text}” was taken for ${label}.`);
}

/** The search in place of a read of one number, where several have the name. */
export function searchInstead(
  { tools, groups }: SlackContext,
  tool: Tool,
  { reference, found: { hits } }: Unclear,
): { tool: Tool; input: Fields } | undefined {
  const find = lookups(tools, groups).find((one) => one.tool.id === tool.id)?.find;
  return find && hits.length > 1 ? { tool: find.tool, input: { [find.field]: reference.text } } : undefined;
}

/** The records that a text may mean for a field. Undefined if it is no name, without a role, or if that is not known in time. */
export async function recordsNamed(
  slack: SlackContext,
  field: Field,
  text: string,
  origin: Origin,
): Promise<Hits | undefined> {
  const member = await slack.roles.timelyMembership(origin);
  if (!member || 'refused' in member || !isReference(field, text)) return undefined;
  const found = await inTime(slack, field.name, slack.records.search(field, text.trim(), member.actor));
  slack.directory.note(found?.hits ?? []);
  return found;
}

interface Named {
  input: Fields;
  taken: readonly TakenName[];
  /** A name that does not mean exactly one record. */
  problem?: { field: string; message: string };
  /** No record has that name. */
  isUnknown?: boolean;
}

/**
 * The input with the records that it names, as far as a form can know them: without a role, and when the platform is slow, it
 * stays as it was entered.
 */
export async function namedRecords(slack: SlackContext, tool: Tool, input: Fields, origin: Origin): Promise<Named> {
  const entered = { input, taken: [] };
  if (referencesIn(tool, input).length === 0) return entered;
  const member = await slack.roles.timelyMembership(origin);
  if (!member || 'refused' in member) return entered;
  const found = await inTime(slack, tool.id, slack.records.resolve(tool, input, member.actor));
  if (found?.kind === 'unclear')
    return { ...entered, problem: unclearProblem(found), isUnknown: found.found.hits.length === 0 };
  slack.directory.note(found?.taken ?? []);
  return found ?? entered;
}

async function inTime<T>({ web, log }: SlackContext, what: string, search: Promise<T>): Promise<T | undefined> {
  const searching = search.catch((error: unknown) => {
    log('warn', { what, error: String(error) }, 'failed to search a record');
    return undefined;
  });
  return web.inTime(searching);
}

/** The problem of a name in a form that does not mean exactly one record. */
function unclearProblem({ reference, found }: Unclear): { field: string; message: string } {
  const names = found.hits.slice(0, 3).map(choiceLabel);
  const message =
    names.length === 0
      ? `no ${nounOf(reference.field)} matches “${reference.text}”: choose one from the list, or give it whole`
      : `“${reference.text}” may be ${names.join(', or ')}: choose one from the list`;
  return { field: reference.path.join('.'), message };
}
