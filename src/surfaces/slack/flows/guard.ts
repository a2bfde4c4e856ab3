import { FEATURES_SET, GUARD, GUARD_READS, protectionWords, TRAFFIC } from '../../../../tools/surfaces/guard.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import { neededRole } from '../../../catalogue/offered.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { choiceLabel } from '../../../language/records.ts';
import { formatPhone } from '../../../language/show.ts';
import { isReference, lookups } from '../../../language/typed-values.ts';
import type { Actor } from '../../../lib/actor.ts';
import { invalidInput } from '../../../lib/errors.ts';
import { type Fields, isRecord, textOf } from '../../../lib/json.ts';
import { isPossiblePhone, toE164 } from '../../../platform/dialect/phone.ts';
import { readFlag, readTexts } from '../../../platform/dialect/readings.ts';
import { actions, type Block, button, cut, type Element, type Message, notice, rich, say } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { IDS } from '../ids.ts';
import type { Origin } from '../types.ts';
import { admitted, failureOf, Reply } from './engine.ts';
import { recordsNamed } from './references.ts';

/* `/subscribers guard`: the filters of one number in one message, whose buttons open the form of each. */

/** Slack accepts 25 buttons in a row. */
const MOST_BUTTONS = 25;

/** The rest of a line that asks for the filters of a number; undefined for other lines. */
export function guardIn(group: string, text: string): string | undefined {
  const match = new RegExp(`^${GUARD.words}(?:\\s+|$)`, 'i').exec(text.trim());
  return group === GUARD.group && match ? text.trim().slice(match[0].length).trim() : undefined;
}

/** True if every operation that is offered below the filters is available. */
export function hasGuard(tools: readonly Tool[]): boolean {
  const ids = new Set(tools.map(({ id }) => id));
  const changes = TRAFFIC.flatMap(({ list, create, update }) => [list, create, update]);
  return [...Object.values(GUARD_READS), FEATURES_SET, ...changes].every((id) => ids.has(id));
}

/** Shows the filters of the number that `given` names, with a button for each change. */
export async function startGuard(slack: SlackContext, given: string, origin: Origin): Promise<void> {
  const reply = new Reply(slack, origin);
  const tool = slack.tools.find(({ id }) => id === TRAFFIC[0]?.create);
  const member = await admitted(slack, origin, tool ? neededRole(tool).ask : 'operator', reply);
  if (!member) return;
  try {
    const found = await numbersOf(slack, given, member.actor, origin);
    const [only, ...others] = found;
    if (only !== undefined && others.length === 0)
      return void (await reply.show(await filtersOf(slack, only.phone, member.actor)));
    const text = only === undefined ? `No number matches “${given}”.` : 'Which number?';
    const choices = found.map(({ phone, label }, i) => button(`${IDS.guard}_${i}`, label, phone));
    await reply.show({ text, blocks: [say(text), ...rowOf(choices)] });
  } catch (error) {
    await reply.show(notice('⚠️', failureOf(slack, error).words));
  }
}

/** The numbers that a text may mean: a number, its last digits, a name, or a subscriber's id. */
async function numbersOf(
  slack: SlackContext,
  given: string,
  actor: Actor,
  origin: Origin,
): Promise<{ phone: string; label: string }[]> {
  const labelled = (phone: string) => ({ phone, label: slack.directory.nameOf(phone) ?? formatPhone(phone).national });
  if (/^[A-Z]{2,7}-/.test(given)) {
    const subscriber = firstRecord(await read(slack, GUARD_READS.subscriber, { SubscriberId: given }, actor));
    return (readTexts(subscriber.PhoneNumbers) ?? []).map(labelled);
  }
  const [lookup] = lookups(slack.tools, slack.groups);
  const field = lookup && fieldsOf(lookup.tool).find(({ name }) => name === lookup.field);
  if (field && isReference(field, given)) {
    const found = await recordsNamed(slack, field, given, origin);
    return (found?.hits ?? []).map((hit) => ({ phone: hit.value, label: choiceLabel(hit) }));
  }
  const phone = toE164(given);
  if (!isPossiblePhone(phone))
    throw invalidInput('PhoneNumber', 'Whose filters? Give a number, its last digits or a name: guard +12015550101');
  return [labelled(phone)];
}

/** The filters of a number in words, and the changes, each of which opens its form. */
async function filtersOf(slack: SlackContext, Phone: string, actor: Actor): Promise<Message> {
  const line = firstRecord(await read(slack, GUARD_READS.number, { PhoneNumber: Phone }, actor));
  const SubscriberId = textOf(line.AssignedSubscriberId);
  if (SubscriberId === '') throw invalidInput('PhoneNumber', `${Phone} has no subscriber, so it cannot have filters.`);
  const [subscriber, features, ...lists] = await Promise.all([
    read(slack, GUARD_READS.subscriber, { SubscriberId }, actor),
    read(slack, GUARD_READS.features, { SubscriberId }, actor),
    ...TRAFFIC.map(({ list }) => read(slack, list, { Phone, SubscriberId }, actor)),
  ]);
  const lines: Block[] = [];
  const changes: [label: string, operation: string, input: Fields][] = [];
  for (const [i, traffic] of TRAFFIC.entries()) {
    const rows = lists[i]?.Results;
    const filters = (Array.isArray(rows) ? rows : []).filter(isRecord);
    const isOff = filters.length > 0 && readFlag(features?.[traffic.feature]) !== true;
    const titleOf = (at: number) => (filters.length > 1 ? `${traffic.title} ${at + 1}` : traffic.title);
    const more = isOff ? ' Guardian filtering is off, so this has no effect.' : '';
    if (filters.length === 0) lines.push(say(rich.bold(traffic.title), '  not filtered'));
    for (const [at, filter] of filters.entries()) {
      lines.push(say(rich.bold(titleOf(at)), `  ${cut(protectionWords(traffic, filter), 2500)}${more}`));
      const input = { FilterId: textOf(filter.FilterId), SubscriberId };
      changes.push([`Change ${titleOf(at).toLowerCase()}`, traffic.update, input]);
    }
    changes.push([`New ${traffic.noun}`, traffic.create, { SubscriberId, Phone }]);
    if (isOff) changes.push([`Turn on for ${traffic.name}`, FEATURES_SET, { SubscriberId, [traffic.feature]: true }]);
  }
  const buttons = changes.map(([label, id, input], i) =>
    button(`${IDS.fill}_${i}`, label, `${id}|${JSON.stringify(input)}`),
  );
  const name = textOf(firstRecord(subscriber ?? {}).Name) || SubscriberId;
  const head = say('🛡️ ', rich.bold(name), `  ${formatPhone(Phone).national}  `, rich.code(Phone));
  return { text: `${GUARD.title}: ${Phone}`, blocks: [head, ...lines, ...rowOf(buttons)] };
}

function rowOf(buttons: readonly Element[]): Block[] {
  return buttons.length === 0 ? [] : [actions('guard', ...buttons.slice(0, MOST_BUTTONS))];
}

async function read({ gate }: SlackContext, operation: string, input: Fields, actor: Actor): Promise<Fields> {
  const done = await gate.perform(operation, input, actor);
  return done.kind === 'done' ? done.value : {};
}

/** The record itself, or the first of a list. */
function firstRecord(value: Fields): Fields {
  const [first] = Array.isArray(value.Results) ? value.Results : [value];
  return isRecord(first) ? first : {};
}
