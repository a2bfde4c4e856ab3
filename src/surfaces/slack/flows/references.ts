import { valueText } from '../../../cards/card.ts';
import { currentIn, recordIn } from '../../../catalogue/compare.ts';
import type { Field } from '../../../catalogue/field-types.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import type { PerformOptions } from '../../../gate/confirmation.ts';
import { deciderOf } from '../../../gate/decisions.ts';
import { factsOf } from '../../../gate/question.ts';
import { choiceLabel, type Hits, type Resolution, type TakenName } from '../../../language/records.ts';
import { choiceText } from '../../../language/show.ts';
import { isReference, kindOf, lookups, nounOf, referencesIn } from '../../../language/typed-values.ts';
import { changeOf, levelOfAction } from '../../../ledger/action.ts';
import type { Action } from '../../../ledger/ledger.ts';
import type { Actor } from '../../../lib/actor.ts';
import { SwitchboardError } from '../../../lib/errors.ts';
import { type Fields, textOf } from '../../../lib/values.ts';
import { isSame } from '../../../platform/dialect/readings.ts';
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
  /** Set if no record has that name: “no number matches …”. */
  unknown?: string;
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
    return {
      ...entered,
      problem: unclearProblem(found),
      ...(found.found.hits.length === 0 && { unknown: noMatch(found) }),
    };
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

const noMatch = ({ reference }: Unclear) => `no ${nounOf(reference.field)} matches “${reference.text}”`;

/** The problem of a name in a form that does not mean exactly one record. */
function unclearProblem(unclear: Unclear): { field: string; message: string } {
  const { reference, found } = unclear;
  const names = found.hits.slice(0, 3).map(choiceLabel);
  const message =
    names.length === 0
      ? `${noMatch(unclear)}: choose one from the list, or give it whole`
      : `“${reference.text}” may be ${names.join(', or ')}: choose one from the list`;
  return { field: reference.path.join('.'), message };
}

/* The values that a form for a change starts from. */

/** The read of the record that an input names; undefined if it names none, or several. */
export function currentRead(tool: Tool, input: Fields): { operation: string; input: Fields } | undefined {
  const read = tool.current?.input(input);
  // The values of several records are not one start.
  const isSeveral = tool.current?.keys?.some((key) => {
    const value = input[key];
    return Array.isArray(value) && value.length > 1;
  });
  return tool.current && read && !isSeveral ? { operation: tool.current.read, input: read } : undefined;
}

/** Reads the record that an input names. Undefined if it cannot be read, which is logged; "missing" if there is none. */
export async function readStart(
  slack: SlackContext,
  { tool, input, actor }: { tool: Tool; input: Fields; actor: Actor },
): Promise<Fields | 'missing' | undefined> {
  const read = currentRead(tool, input);
  if (!read) return undefined;
  try {
    const performed = await slack.gate.perform(read.operation, read.input, actor);
    if (performed.kind !== 'done') return undefined;
    slack.directory.learn(performed.value);
    if (recordIn(tool, performed.value, input) === undefined) return undefined;
    const values = currentIn(tool, performed.value, input);
    await nameRecords(slack, fieldsOf(tool), values, actor);
    for (const field of fieldsOf(tool).filter(({ name }) => tool.current?.keys.includes(name))) {
      const kind = kindOf(field);
      const others = (kind?.refers ?? []).flatMap((member) => slack.directory.nameOf(textOf(values[member])) ?? []);
      // A record that the platform gives no name is known by what it belongs to.
      if (kind?.names.length === 0 && others.length > 0)
        slack.directory.note([{ value: textOf(input[field.name]), label: others.join(' · ') }]);
    }
    return values;
  } catch (error) {
    slack.log('info', { operation: read.operation, error: String(error) }, 'failed to read what a form starts from');
    return error instanceof SwitchboardError && error.face.code === 'not_found' ? 'missing' : undefined;
  }
}

/** Learns the names of the records whose ids the values have, so that views show names. */
export async function nameRecords(
  { directory, records, log }: SlackContext,
  fields: readonly Field[],
  values: Fields,
  actor: Actor,
): Promise<void> {
  const naming = fields.map(async (field) => {
    const value = values[field.name];
    if (field.kind !== 'id' || typeof value !== 'string' || directory.nameOf(value) !== undefined) return;
    const label = await records.nameOf(field, value, actor);
    if (label !== undefined) directory.note([{ value, label }]);
  });
  for (const { reason } of (await Promise.allSettled(naming)).filter((one) => one.status === 'rejected'))
    log('info', { error: String(reason) }, 'failed to look up a name');
}

/** "Data limit: 20 MB when you opened it, 500 MB now" for each value that the record has changed meanwhile. */
export function changeNotes(slack: SlackContext, tool: Tool, { start, now }: { start: Fields; now: Fields }): string[] {
  const { keys = [] } = tool.current ?? {};
  const text = (name: string, value: unknown) =>
    value === undefined
      ? 'not set'
      : ((typeof value === 'string' ? slack.directory.nameOf(value) : undefined) ??
        choiceText(name, value) ??
        valueText(value));
  return fieldsOf(tool).flatMap(({ name, label, secret }) => {
    const [was, is] = [start[name], now[name]];
    if (secret || keys.includes(name) || JSON.stringify(was) === JSON.stringify(is)) return [];
    return [`${label}: ${text(name, was)} when you opened it, ${text(name, is)} now`];
  });
}

/**
 * Makes a sent form the yes of its sender to an own change, if the form showed all of it. Any other change waits.
 *
 * @param start the record's values that the form showed
 */
export function yesByForm(actor: Actor, start: Fields): Pick<PerformOptions, 'ask' | 'decider'> {
  return {
    decider: deciderOf(actor, 'slack'),
    ask: async (action) => (showedChange(action, start) ? 'accept' : 'unavailable'),
  };
}

/**
 * True if a form showed the whole of an own change: each present value as the record has it, and nothing that a form
 * cannot show, such as a warning or the address that a route leads to. Its sender typed the secrets.
 */
function showedChange(action: Action, start: Fields): boolean {
  const change = changeOf(action);
  if (change === undefined || levelOfAction(action) !== 'own') return false;
  const { warnings, warned } = factsOf(action);
  if (change.leads.length + warnings.length + warned.length > 0) return false;
  const isShown = (member: string | undefined, now: unknown) =>
    member !== undefined && (now === undefined || isSame(start[member], now) || isSame(now, start[member]));
  return (
    change.rows.every(({ member, before, unread }) => unread !== true && isShown(member, before)) &&
    change.keeps.every(({ member, value }) => isShown(member, value))
  );
}
