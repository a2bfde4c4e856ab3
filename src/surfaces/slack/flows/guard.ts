import {
  FEATURES_SET,
  GUARD,
  GUARD_READS,
  type Guarded,
  protectionWords,
  TRAFFIC,
  type Traffic,
} from '../../../../tools/surfaces/guard.ts';
import { neededRole } from '../../../catalogue/offered.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { choiceLabel } from '../../../language/records.ts';
import { formatPhone } from '../../../language/show.ts';
import type { Actor } from '../../../lib/actor.ts';
import { asSwitchboardError, invalidInput } from '../../../lib/errors.ts';
import { type Fields, isRecord, textOf } from '../../../lib/json.ts';
import { isPossiblePhone, toE164 } from '../../../platform/dialect/phone.ts';
import { readFlag, readTexts } from '../../../platform/dialect/readings.ts';
import { actions, type Block, button, cut, type Element, type Message, notice, rich, say } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { IDS } from '../ids.ts';
import type { Origin } from '../types.ts';
import { admitted, failureOf, Reply } from './engine.ts';
import { numbersNamed } from './references.ts';

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
  await reply.show(
    await filtersOf(slack, given, member.actor).catch((error: unknown) =>
      notice('⚠️', failureOf(slack, asSwitchboardError(error)).words),
    ),
  );
}

async function filtersOf(slack: SlackContext, given: string, actor: Actor): Promise<Message> {
  const read: Read = async (id, input) => {
    const done = await slack.gate.perform(id, input, actor);
    return done.kind === 'done' ? done.value : {};
  };
  const found = await numbersOf(slack, given, { actor, read });
  const [only, ...others] = found;
  if (only === undefined || others.length > 0) {
    const text = only === undefined ? `No number matches “${given}”.` : 'Which number?';
    const choices = found.map(([phone, label], i) => button(`${IDS.guard}_${i}`, label, phone));
    return { text, blocks: [say(text), ...rowOf(choices)] };
  }
  const [phone] = only;
  const ward = await guardeeOf(read, phone);
  if (!ward) throw invalidInput('PhoneNumber', `${phone} has no subscriber, so it cannot have filters.`);
  const now = await guardedOf(read, ward);
  return {
    text: `${GUARD.title}: ${ward.Phone}`,
    blocks: [
      say('🛡️ ', rich.bold(ward.name), `  ${formatPhone(ward.Phone).national}  `, rich.code(ward.Phone)),
      ...TRAFFIC.flatMap((traffic) => linesOf(traffic, now)),
      ...rowOf(changesOf(ward, now)),
    ],
  };
}

/** The numbers that a text may mean, each with its label: a number, its last digits, a name, or a subscriber's id. */
async function numbersOf(
  slack: SlackContext,
  given: string,
  { actor, read }: { actor: Actor; read: Read },
): Promise<(readonly [phone: string, label: string])[]> {
  const labelled = (phone: string) => [phone, slack.directory.nameOf(phone) ?? formatPhone(phone).national] as const;
  if (/^[A-Z]{2,7}-/.test(given)) {
    const subscriber = firstRecord(await read(GUARD_READS.subscriber, { SubscriberId: given }));
    return (readTexts(subscriber.PhoneNumbers) ?? []).map(labelled);
  }
  const found = await numbersNamed(slack, given, actor);
  if (found) return found.hits.map((hit) => [hit.value, choiceLabel(hit)]);
  const phone = toE164(given);
  if (!isPossiblePhone(phone))
    throw invalidInput('PhoneNumber', 'Whose filters? Give a number, its last digits or a name: guard +12015550101');
  return [labelled(phone)];
}

/** One line for each filter, or one that says that there is none. */
function linesOf(traffic: Traffic, { all, features }: Guarded): Block[] {
  const filters = all[traffic.name];
  const off = filters.length > 0 && readFlag(features?.[traffic.feature]) !== true;
  const more = off ? ' Guardian filtering is off, so this has no effect.' : '';
  if (filters.length === 0) return [say(rich.bold(traffic.title), '  not filtered')];
  return filters.map((filter, at) =>
    say(rich.bold(titleAt(traffic, at, filters.length)), `  ${cut(protectionWords(traffic, filter), 2500)}${more}`),
  );
}

/** "Messages", or "Messages 2" where there are several filters. */
function titleAt({ title }: Traffic, at: number, count: number): string {
  return count > 1 ? `${title} ${at + 1}` : title;
}

/** The changes, each of which opens its form: of each filter, a further one, and filtering where it is off. */
function changesOf({ SubscriberId, Phone }: Guardee, { all, features }: Guarded): Element[] {
  const changes = TRAFFIC.flatMap((traffic): [string, string, Fields][] => {
    const filters = all[traffic.name];
    const off = filters.length > 0 && readFlag(features?.[traffic.feature]) !== true;
    return [
      ...filters.map((filter, at): [string, string, Fields] => [
        `Change ${titleAt(traffic, at, filters.length).toLowerCase()}`,
        traffic.update,
        { FilterId: textOf(filter.FilterId), SubscriberId },
      ]),
      [`New ${traffic.noun}`, traffic.create, { SubscriberId, Phone }],
      ...(off
        ? [
            [`Turn on for ${traffic.name}`, FEATURES_SET, { SubscriberId, [traffic.feature]: true }] satisfies [
              string,
              string,
              Fields,
            ],
          ]
        : []),
    ];
  });
  return changes.map(([label, id, input], i) => button(`${IDS.fill}_${i}`, label, `${id}|${JSON.stringify(input)}`));
}

function rowOf(buttons: readonly Element[]): Block[] {
  return buttons.length === 0 ? [] : [actions('guard', ...buttons.slice(0, MOST_BUTTONS))];
}

/** The number and the subscriber whose filters are shown or changed. */
interface Guardee {
  SubscriberId: string;
  Phone: string;
  name: string;
}

/** Performs a read. */
type Read = (operation: string, input: Fields) => Promise<Fields>;

/** The subscriber of a number; undefined if it has none. */
async function guardeeOf(read: Read, Phone: string): Promise<Guardee | undefined> {
  const record = firstRecord(await read(GUARD_READS.number, { PhoneNumber: Phone }));
  const SubscriberId = textOf(record.AssignedSubscriberId);
  if (SubscriberId === '') return undefined;
  const subscriber = firstRecord(await read(GUARD_READS.subscriber, { SubscriberId }));
  return { SubscriberId, Phone, name: textOf(subscriber.Name) || SubscriberId };
}

/** Reads the filters in force for a number. */
async function guardedOf(
  read: Read,
  { SubscriberId, Phone }: Pick<Guardee, 'SubscriberId' | 'Phone'>,
): Promise<Guarded> {
  const [features, ...lists] = await Promise.all([
    read(GUARD_READS.features, { SubscriberId }),
    ...TRAFFIC.map(({ list }) => read(list, { Phone, SubscriberId })),
  ]);
  const all: Record<Traffic['name'], readonly Fields[]> = { messages: [], calls: [] };
  for (const [i, { name }] of TRAFFIC.entries()) {
    const rows = lists[i]?.Results;
    all[name] = (Array.isArray(rows) ? rows : []).filter(isRecord);
  }
  return { features, all };
}

/** The record itself, or the first of a list. */
function firstRecord(value: Fields): Fields {
  const [first] = Array.isArray(value.Results) ? value.Results : [value];
  return isRecord(first) ? first : {};
}
