import {
  BLOCKS_LISTED,
  FEATURES_SET,
  FILTER_LISTS,
  GUARD_READS,
  TRAFFIC,
  type Traffic,
} from '../../../../tools/surfaces/guard.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { formatPhone } from '../../../language/show.ts';
import type { Actor } from '../../../lib/actor.ts';
import { defined, type Fields, isRecord, textOf } from '../../../lib/json.ts';
import { isPossiblePhone, toE164 } from '../../../platform/dialect/phone.ts';
import { readFlag } from '../../../platform/dialect/readings.ts';
import { actions, button, type Element, type Message, rich, say } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { IDS } from '../ids.ts';
import { hasGuard } from './guard.ts';
import { numbersNamed } from './references.ts';

/* People block a caller for a customer. The platform blocks on a filter of that customer, which few people know. */

/** A change of a list of a filter, with the filter of the customer. */
interface OnFilter {
  tool: Tool;
  input: Fields;
  /** Said instead of the change, which has nothing to change. */
  instead?: Message;
  /** Said above the change. */
  note?: string;
  /** Set if guardian filtering is off, so that the change has no effect, with the button that turns it on. */
  off?: { says: string; button: Element };
}

/**
 * Fills in the only filter of the customer that an input names. Without a filter, blocking becomes the first filter, and
 * anything else an answer. Anything that cannot be read is left to the form.
 *
 * @param named the customer, or the number, as the person wrote it
 * @param customer how the customer is shown
 */
export async function onFilter(slack: SlackContext, asked: Wanted): Promise<OnFilter> {
  const change = await onOwnFilter(slack, asked);
  const off = change.instead === undefined ? await offOf(slack, change, asked) : undefined;
  return { ...change, ...defined({ off }) };
}

/** A change of a filter as a person wrote it. */
interface Wanted {
  tool: Tool;
  input: Fields;
  actor: Actor;
  named: string;
  customer: string;
}

/** Says that the change has no effect while guardian filtering is off. Undefined if it is on, or cannot be read. */
async function offOf(
  slack: SlackContext,
  { tool, input }: OnFilter,
  { actor, customer }: Wanted,
): Promise<OnFilter['off']> {
  const list = FILTER_LISTS[tool.id];
  const traffic = TRAFFIC.find((one) => one.name === list?.traffic || one.create === tool.id || one.update === tool.id);
  const SubscriberId = textOf(input.SubscriberId);
  if (!traffic || !(await isOff(slack, traffic, SubscriberId, actor))) return undefined;
  const blocks = list === undefined ? input[traffic.blocked] !== undefined : list.list === 'blocked';
  const says = `The ${blocks ? 'block' : 'filter'} is kept but has no effect: guardian filtering of ${traffic.name} is off for ${customer.split(' · ')[0]}.`;
  const turnedOn = JSON.stringify({ SubscriberId, [traffic.feature]: true });
  return { says, button: button(`${IDS.fill}_1`, 'Turn it on', `${FEATURES_SET}|${turnedOn}`) };
}

/** True if guardian filtering of this traffic is off for a subscriber; false also if it cannot be read. */
export async function isOff(
  slack: SlackContext,
  traffic: Traffic,
  SubscriberId: string,
  actor: Actor,
): Promise<boolean> {
  if (!SubscriberId.includes('-')) return false;
  try {
    const performed = await slack.gate.perform(GUARD_READS.features, { SubscriberId }, actor);
    return performed.kind === 'done' && readFlag(performed.value[traffic.feature]) === false;
  } catch (error) {
    slack.log('info', { error: String(error) }, 'it could not be read whether guardian filtering is on');
    return false;
  }
}

async function onOwnFilter(slack: SlackContext, { tool, input, actor, named, customer }: Wanted): Promise<OnFilter> {
  const updated = TRAFFIC.find(({ update }) => update === tool.id);
  if (updated) return onWhole(slack, updated, { tool, input, actor, named, customer });
  const asked = FILTER_LISTS[tool.id];
  const traffic = TRAFFIC.find(({ name }) => name === asked?.traffic);
  const SubscriberId = textOf(input.SubscriberId);
  const isKnown = fieldsOf(tool).some(({ name }) => name === 'SubscriberId') && SubscriberId.includes('-');
  if (!asked || !traffic || !isKnown || input[asked.id] !== undefined) return { tool, input };
  const filters = await filtersOf(slack, traffic.list, SubscriberId, actor);
  const [only, ...others] = filters ?? [];
  if (only && others.length === 0) {
    const label = `${traffic.noun} of ${formatPhone(textOf(only.Phone)).national || customer}`;
    slack.directory.note([{ value: textOf(only.FilterId), label }]);
    return { tool, input: { ...input, [asked.id]: only.FilterId } };
  }
  if (filters === undefined || only) return { tool, input };
  const create = slack.tools.find(({ id }) => id === traffic.create);
  if (asked.list === 'blocked' && asked.adds && create) {
    const Phone = await phoneOf(slack, named, actor);
    const first = { FilterMode: BLOCKS_LISTED[traffic.name], [traffic.blocked]: input[asked.entries] };
    const note = `${customer} has no ${traffic.noun} yet, so this makes the first one. It blocks ${list(input[asked.entries])} and nobody else.`;
    return { tool: create, note, input: defined({ SubscriberId, Phone, ...first, ApplyToInbound: true }) };
  }
  const what = asked.list === 'blocked' ? 'nobody is blocked' : 'everybody gets through';
  return { tool, input, instead: noFilter(slack, `${customer} has no ${traffic.noun}, so ${what}.`, named) };
}

/** Fills in the only filter for a change of its settings. Without one, the settings become those of the first. */
async function onWhole(
  slack: SlackContext,
  traffic: Traffic,
  { tool, input, actor, named, customer }: Wanted,
): Promise<OnFilter> {
  const { SubscriberId: id, ...settings } = input;
  const SubscriberId = textOf(id);
  if (!SubscriberId.includes('-') || input.FilterId !== undefined) return { tool, input };
  const filters = await filtersOf(slack, traffic.list, SubscriberId, actor);
  const [only, ...others] = filters ?? [];
  if (only && others.length === 0) {
    const label = `${traffic.noun} of ${formatPhone(textOf(only.Phone)).national || customer}`;
    slack.directory.note([{ value: textOf(only.FilterId), label }]);
    return { tool, input: { ...input, FilterId: only.FilterId } };
  }
  const create = slack.tools.find(({ id: one }) => one === traffic.create);
  // A new filter needs a mode; an update that names none changes a filter that is there.
  if (filters === undefined || only || !create || input.FilterMode === undefined) return { tool, input };
  const Phone = await phoneOf(slack, named, actor);
  const note = `${customer} has no ${traffic.noun} yet, so this makes the first one.`;
  return { tool: create, note, input: defined({ SubscriberId, Phone, ...settings, ApplyToInbound: true }) };
}

/** The filters of a subscriber; undefined if they cannot be read. */
export async function filtersOf(
  slack: SlackContext,
  operation: string,
  SubscriberId: string,
  actor: Actor,
): Promise<Fields[] | undefined> {
  try {
    const performed = await slack.gate.perform(operation, { SubscriberId }, actor);
    const rows = performed.kind === 'done' ? performed.value.Results : undefined;
    return Array.isArray(rows) ? rows.filter(isRecord) : undefined;
  } catch (error) {
    slack.log('info', { operation, error: String(error) }, 'the filters of a customer could not be read');
    return undefined;
  }
}

/** The only number that a text names; undefined if it names none, or several. */
async function phoneOf(slack: SlackContext, named: string, actor: Actor): Promise<string | undefined> {
  const phone = toE164(named);
  if (isPossiblePhone(phone)) return phone;
  const found = await numbersNamed(slack, named, actor).catch(() => undefined);
  const [only, ...others] = found?.hits ?? [];
  return others.length === 0 ? only?.value : undefined;
}

function list(numbers: unknown): string {
  const all = Array.isArray(numbers) ? numbers.map((number) => formatPhone(textOf(number)).national) : [];
  return all.length === 0 ? 'the numbers that you give' : all.join(', ');
}

function noFilter(slack: SlackContext, text: string, named: string): Message {
  const guard = hasGuard(slack.tools) ? [actions('filters', button(IDS.guard, 'Guard', named))] : [];
  return { text, blocks: [say('ℹ️ ', rich.text(text), ' Nothing was done.'), ...guard] };
}
