import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { choiceLabel, type Hits, type Resolution, type TakenName } from '../../../language/records.ts';
import { isReference, lookups, nounOf, referencesIn, withValue } from '../../../language/typed-values.ts';
import type { Actor } from '../../../lib/actor.ts';
import type { Fields } from '../../../lib/json.ts';
import { choicesMessage, nothingFound } from '../blocks/steps.ts';
import type { Message } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import type { Origin } from '../types.ts';

/* Names and last digits that people give in place of a number or an id. */

type Unclear = Extract<Resolution, { kind: 'unclear' }>;

/** Says which record each name was taken for. The card of a line names it, so that there only a slip is told. */
export function takenNotes({ tools, groups }: SlackContext, tool: Tool, taken: readonly TakenName[]): string[] {
  const isLookup = lookups(tools, groups).some((lookup) => lookup.tool.id === tool.id);
  return taken.flatMap(({ text, label, isSimilar }) =>
    isLookup && !isSimilar ? [] : [`“${text}” was taken for ${label}.`],
  );
}

/** Asks which record was meant, or says that none matches. */
export function unclearMessage(tool: Tool, unclear: Unclear, opensForm: boolean): Message {
  const { reference, found, input } = unclear;
  if (found.hits.length === 0)
    return nothingFound(unclear, opensForm ? { tool, input: without(input, reference.path[0]) } : undefined);
  return choicesMessage({
    tool,
    reference,
    found,
    opensForm,
    inputWith: (value) => withValue(input, reference.path, value),
  });
}

/** The search in place of a read of one number, where several have the name. */
export function listInstead(
  { tools, groups }: SlackContext,
  tool: Tool,
  { reference, found: { hits } }: Unclear,
): { tool: Tool; input: Fields } | undefined {
  if (tool.risk !== 'read' || hits.length === 0) return undefined;
  const find = lookups(tools, groups).find((one) => one.tool.id === tool.id)?.find;
  if (find && hits.length > 1) return { tool: find.tool, input: { [find.field]: reference.text } };
  return undefined;
}

/** An input without one of its members. */
function without(input: Fields, member: string | number | undefined): Fields {
  return Object.fromEntries(Object.entries(input).filter(([name]) => name !== member));
}

/** The resolution of a form's input, or undefined if the platform does not answer in time. */
export async function resolvedInTime(
  slack: SlackContext,
  { tool, input, actor }: { tool: Tool; input: Fields; actor: Actor },
): Promise<Resolution | undefined> {
  if (referencesIn(tool, input).length === 0) return { kind: 'clear', input, taken: [] };
  const resolve = async () => {
    const found = await slack.records.resolve(tool, input, actor);
    // The platform lists no orders, so one that was shown here is known by its number from its own record.
    const order = found.kind === 'unclear' && found.found.hits.length === 0 ? orderShown(slack, found) : undefined;
    if (order === undefined || found.kind !== 'unclear') return found;
    const again = await slack.records.resolve(tool, withValue(found.input, found.reference.path, order.value), actor);
    return again.kind === 'clear'
      ? { ...again, taken: [{ text: found.reference.text, ...order }, ...again.taken] }
      : again;
  };
  const resolving = resolve().catch((error: unknown) => {
    slack.log('warn', { operation: tool.id, error: String(error) }, 'failed to search a record');
    return undefined;
  });
  return slack.web.inTime(resolving);
}

/** The order with this number that was shown before. Undefined if none was, or several. */
function orderShown(
  { directory }: SlackContext,
  { reference }: Unclear,
): Pick<TakenName, 'label' | 'value'> | undefined {
  return reference.field.name === 'OrderId' ? directory.orderOf(reference.text) : undefined;
}

/** The numbers that a text may mean; undefined if it is a whole number or an id. */
export async function numbersNamed(slack: SlackContext, text: string, actor: Actor): Promise<Hits | undefined> {
  const [lookup] = lookups(slack.tools, slack.groups);
  const field = lookup && fieldsOf(lookup.tool).find(({ name }) => name === lookup.field);
  if (!field || !isReference(field, text)) return undefined;
  const found = await slack.records.search(field, text.trim(), actor);
  slack.directory.note(found.hits);
  return found;
}

/** The problem of a name in a form that does not mean exactly one record. */
export function unclearProblem({ reference, found }: Unclear): { field: string; message: string } {
  const names = found.hits.slice(0, 3).map(choiceLabel);
  const noun = nounOf(reference.field);
  const message =
    names.length === 0
      ? `no ${noun} matches “${reference.text}”: choose one from the list, or give it whole`
      : `“${reference.text}” may be ${names.join(', or ')}: choose one from the list`;
  return { field: reference.path.join('.'), message };
}

/** The input without a name that fits no record, if it is the whole value of a field. */
export function withoutName({ reference, input }: Unclear): Fields {
  const [name, ...rest] = reference.path;
  return rest.length > 0 ? input : Object.fromEntries(Object.entries(input).filter(([key]) => key !== name));
}

/** The input without the fields that have a name where a form takes a record. */
export function withoutNames(tool: Tool, input: Fields): Fields {
  const named = referencesIn(tool, input).flatMap(({ path, field }) => (field.kind === 'id' ? [path[0]] : []));
  return Object.fromEntries(Object.entries(input).filter(([name]) => !named.includes(name)));
}

/** The input with the records that it names; without a role, and when the platform is slow, as it was entered. */
export async function namedRecords(
  slack: SlackContext,
  tool: Tool,
  input: Fields,
  origin: Origin,
): Promise<{ input: Fields; problem?: { field: string; message: string } }> {
  if (referencesIn(tool, input).length === 0) return { input };
  const member = await slack.roles.timelyMembership(origin);
  if (!member || 'refused' in member) return { input };
  const resolution = await resolvedInTime(slack, { tool, input, actor: member.actor });
  if (resolution?.kind === 'unclear') return { input, problem: unclearProblem(resolution) };
  return { input: resolution?.input ?? input };
}
