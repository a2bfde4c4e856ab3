import {
  BLOCKS_LISTED,
  FEATURES_SET,
  FILTER_FIELDS,
  FILTER_LISTS,
  type FilterList,
  GUARD_READS,
  TRAFFIC,
  type Traffic,
} from '../../../../tools/surfaces/guard.ts';
import type { GuidedAnswer } from '../../../assistant/guided/answers/answer.ts';
import { type FromPresent, firstSettings, settingsOn } from '../../../assistant/guided/filters/present-filter.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import type { Hit } from '../../../language/records.ts';
import { formatPhone } from '../../../language/show.ts';
import type { Actor } from '../../../lib/actor.ts';
import { defined, type Fields, isRecord, textOf } from '../../../lib/json.ts';
import { isPossiblePhone, toE164 } from '../../../platform/dialect/phone.ts';
import { readFlag, readTexts } from '../../../platform/dialect/readings.ts';
import { actions, button, type Element, type Message, rich, say } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { IDS } from '../ids.ts';
import { hasGuard } from './guard.ts';
import { numbersNamed, resolvedInTime } from './references.ts';

/* People block a caller for a customer. The platform blocks on a filter of that customer, which few people know. */

/** A change of a filter, with the filter of the line or the customer. */
interface OnFilter {
  tool: Tool;
  input: Fields;
  /** The filter that was found, and the line that it covers. */
  filter?: Hit;
  /** Said instead of the change, which has nothing to change. */
  instead?: Message;
  /** Said above the change. */
  note?: string;
  /** Set if guardian filtering is off, so that the change has no effect, with the button that turns it on. */
  off?: { says: string; button: Element };
}

/**
 * The input without the filter that it names by a line or a customer, that text, and its field. It is found with the
 * record of the customer: a line without a filter may get its first one.
 */
export function filterNamed(tool: Tool, input: Fields): { text?: string; input: Fields } {
  const field = FILTER_FIELDS[tool.id];
  const text = textOf(field === undefined ? undefined : input[field]);
  if (field === undefined || text === '' || text.includes('-') || input.SubscriberId === undefined) return { input };
  const { [field]: _, ...others } = input;
  return { text, input: others };
}

/**
 * Fills in the filter that an input means: the one of the line that it names, or the only one of the customer. Without a
 * filter, blocking becomes the first filter, and anything else an answer. Anything that cannot be read is left to the
 * form.
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
  /** Words that are put on the list of the filter and taken off it. */
  words?: GuidedAnswer['words'];
  /** A level that is so many steps softer than the present one. */
  softer?: GuidedAnswer['softer'];
  /** True if the numbers that get a notice go to those of the filter. */
  addsNotices?: true;
  /** True if its numbers are those that the customer reaches. */
  isOutgoing?: true;
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

async function onOwnFilter(slack: SlackContext, asked: Wanted): Promise<OnFilter> {
  const { tool, input } = asked;
  const list = FILTER_LISTS[tool.id];
  const traffic = TRAFFIC.find(({ name, update, create }) =>
    list ? list.traffic === name : update === tool.id || create === tool.id,
  );
  const field = FILTER_FIELDS[tool.id];
  if (!traffic || !textOf(input.SubscriberId).includes('-') || (field && input[field] !== undefined))
    return { tool, input };
  const found = await foundOn(slack, traffic, asked);
  if (found === undefined) return { tool, input };
  const [only, ...others] = found.filters;
  if (tool.id === traffic.create)
    return only && others.length === 0 ? asUpdate(slack, traffic, only, asked) : { tool, input };
  const before = list && (await onOtherList(slack, list, only, { ...asked, phone: found.phone }));
  if (before) return before;
  if (only && others.length === 0) {
    const changed = settingsOn(traffic, only, input, fromPresent(asked));
    const onIt = withFilter(slack, traffic, only, { ...asked, input: changed });
    return asked.isOutgoing && readFlag(only.ApplyToOutbound) !== true ? { ...onIt, note: inboundOnly(traffic) } : onIt;
  }
  if (only)
    return {
      tool,
      input,
      note: `${found.whose} has ${found.filters.length} ${traffic.noun}s: choose one in the form.`,
    };
  return firstFilter(slack, traffic, asked, found);
}

function fromPresent({ words, softer, addsNotices }: Wanted): FromPresent {
  return defined({ words, softer, addsNotices });
}

/** The filters that a change may mean, and whose they are in words. */
interface Found {
  filters: readonly Fields[];
  /** The line, if the words name exactly one. */
  phone: string | undefined;
  whose: string;
}

/** The filters of the line that was named, or of the customer. Undefined if they cannot be read. */
async function foundOn(slack: SlackContext, { list }: Traffic, asked: Wanted): Promise<Found | undefined> {
  const { input, actor, named, customer } = asked;
  const phone = textOf(input.Phone) || (await phoneOf(slack, named, actor));
  const all = await filtersOf(slack, list, textOf(input.SubscriberId), actor);
  const line = phone === undefined ? '' : formatPhone(phone).national;
  const whose = customer.includes(line) ? customer : `${customer.split(' · ')[0]} · ${line}`;
  return all && { filters: phone === undefined ? all : all.filter(({ Phone }) => Phone === phone), phone, whose };
}

function inboundOnly({ noun, name }: Traffic): string {
  return `This ${noun} does not apply to outbound ${name}, so that the block has no effect on them until it does: set “Apply to outbound” of the filter, too.`;
}

/** The change of a filter that was found, with its line. */
function withFilter(
  slack: SlackContext,
  { noun }: Traffic,
  { FilterId, Phone }: Fields,
  { tool, input, customer }: Pick<Wanted, 'tool' | 'input' | 'customer'>,
): OnFilter {
  const line = formatPhone(textOf(Phone)).national;
  const field = FILTER_FIELDS[tool.id] ?? '';
  slack.directory.note([{ value: textOf(FilterId), label: `${noun} of ${line || customer}` }]);
  const filter = { value: textOf(FilterId), label: line || `${noun} of ${customer}` };
  return { tool, input: { ...input, [field]: FilterId }, filter };
}

/** Settings of a new filter for a line that has one become a change of that filter. */
function asUpdate(slack: SlackContext, traffic: Traffic, filter: Fields, asked: Wanted): OnFilter {
  const tool = slack.tools.find(({ id }) => id === traffic.update);
  if (!tool) return asked;
  const { Phone: _, ...settings } = asked.input;
  const given = Object.fromEntries(Object.entries(settings).filter(([name]) => name in tool.input.shape));
  const line = formatPhone(textOf(filter.Phone)).national;
  const note = `${line} has a ${traffic.noun} already, so this changes it.`;
  return { ...withFilter(slack, traffic, filter, { ...asked, tool, input: given }), note };
}

/** A removal of numbers that only the list of the other kind of traffic has becomes one of that list. */
async function onOtherList(
  slack: SlackContext,
  { list, adds, entries, traffic }: FilterList,
  filter: Fields | undefined,
  asked: Wanted & { phone: string | undefined },
): Promise<OnFilter | undefined> {
  const numbers = readTexts(asked.input[entries]) ?? [];
  const [own, other] = [true, false].map((isOwn) => TRAFFIC.find(({ name }) => (name === traffic) === isOwn));
  const [id, twin] =
    Object.entries(FILTER_LISTS).find(([, one]) => one.list === list && one.adds === adds && one.traffic !== traffic) ??
    [];
  const tool = slack.tools.find((one) => one.id === id);
  const has = (one: Fields | undefined, kind: Traffic) =>
    numbers.some((number) => (readTexts(one?.[kind[list]]) ?? []).includes(number));
  if (adds || numbers.length === 0 || !own || !other || !twin || !tool || has(filter, own)) return undefined;
  const found = await foundOn(slack, other, asked);
  const [only, ...others] = found?.filters.filter((one) => has(one, other)) ?? [];
  if (!only || others.length > 0) return undefined;
  const { [entries]: entered, ...rest } = asked.input;
  const note = `${listed(numbers)} is on the ${list === 'allowed' ? 'allow' : 'block'} list of ${other.name}, and not on that of ${own.name}.`;
  return { ...withFilter(slack, other, only, { ...asked, tool, input: { ...rest, [twin.entries]: entered } }), note };
}

/** The first filter of a line, for a change that makes one; otherwise the answer that there is nothing to change. */
function firstFilter(
  slack: SlackContext,
  traffic: Traffic,
  { tool, input, named, words, isOutgoing }: Wanted,
  { phone: Phone, whose }: Found,
): OnFilter {
  const create = slack.tools.find(({ id }) => id === traffic.create);
  const asked = FILTER_LISTS[tool.id];
  const { SubscriberId, ...others } = input;
  const none = `${whose} has no ${traffic.noun}`;
  const makes = `${none} yet, so this makes the first one.${Phone === undefined ? ' Choose its line in the form.' : ''}`;
  if (create && asked?.list === 'blocked' && asked.adds) {
    const first = { FilterMode: BLOCKS_LISTED[traffic.name], [traffic.blocked]: input[asked.entries] };
    const note = `${makes} It blocks ${listed(input[asked.entries])} and nobody else.`;
    const direction = isOutgoing ? { ApplyToOutbound: true } : { ApplyToInbound: true };
    return { tool: create, note, input: defined({ SubscriberId, Phone, ...first, ...direction }) };
  }
  if (asked) {
    const what = asked.list === 'blocked' ? 'nobody is blocked' : 'everybody gets through';
    // A white list would shut out all others. A wish that one number gets through does not ask for that.
    const reach = traffic.name === 'messages' ? 'text' : 'call';
    const only =
      create && asked.list === 'allowed' && asked.adds
        ? ` To let nobody else through, write “only ${listed(input[asked.entries])} may ${reach} ${named}”.`
        : '';
    return { tool, input, instead: noFilter(slack, `${none}, so ${what}.${only}`, named) };
  }
  const first = firstSettings(traffic, others, words);
  if (!create || !first)
    return { tool, input, instead: noFilter(slack, `${none}, so there is nothing to change.`, named) };
  return { tool: create, note: makes, input: defined({ SubscriberId, Phone, ...first }) };
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

/** Says that a line or a customer has no filter of this kind. Undefined if they have one, or the text names neither. */
export async function noFilterNamed(
  slack: SlackContext,
  tool: Tool,
  named: string,
  actor: Actor,
): Promise<Message | undefined> {
  const traffic = TRAFFIC.find(({ list }) => tool.id.startsWith(list.replace(/get$/, '')));
  const list = slack.tools.find(({ id }) => id === traffic?.list);
  if (!traffic || !list || FILTER_FIELDS[tool.id] === undefined) return undefined;
  const input = /^[#…*+]*\d/.test(named) ? { Phone: named } : { SubscriberId: named };
  const resolution = await resolvedInTime(slack, { tool: list, input, actor });
  if (resolution?.kind !== 'clear') return undefined;
  const performed = await slack.gate.perform(list.id, resolution.input, actor).catch(() => undefined);
  const rows = performed?.kind === 'done' ? performed.value.Results : undefined;
  if (!Array.isArray(rows) || rows.length > 0) return undefined;
  const whose = resolution.taken[0]?.label ?? named;
  return noFilter(slack, `${whose} has no ${traffic.noun}, so there is nothing to change.`, named);
}

/** The only number that a text names; undefined if it names none, or several. */
async function phoneOf(slack: SlackContext, named: string, actor: Actor): Promise<string | undefined> {
  const phone = toE164(named);
  if (isPossiblePhone(phone)) return phone;
  const found = await numbersNamed(slack, named, actor).catch(() => undefined);
  const [only, ...others] = found?.hits ?? [];
  return others.length === 0 ? only?.value : undefined;
}

function listed(numbers: unknown): string {
  const all = Array.isArray(numbers) ? numbers.map((number) => formatPhone(textOf(number)).national) : [];
  return all.length === 0 ? 'the numbers that you give' : all.join(', ');
}

function noFilter(slack: SlackContext, text: string, named: string): Message {
  const guard = hasGuard(slack.tools) ? [actions('filters', button(IDS.guard, 'Guard', named))] : [];
  return { text, blocks: [say('ℹ️ ', rich.text(text), ' Nothing was done.'), ...guard] };
}
