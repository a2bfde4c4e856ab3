import { FEATURES_SET, GUARD, GUARD_READS, protectionWords, TRAFFIC } from '../../../../tools/surfaces/guard.ts';
import { type RecordKind, references } from '../../../../tools/surfaces/records.ts';
import { type ActionId, type CardAction, headlineOf } from '../../../cards/card.ts';
import { lineOf } from '../../../cards/line.ts';
import { inputOf, isOfLines, recordsCard, sentencesCard } from '../../../cards/list.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import { neededRole, type Tool } from '../../../catalogue/operation.ts';
import { type Hit, listedIn } from '../../../language/records.ts';
import { formatPhone } from '../../../language/show.ts';
import { isReference, lookups } from '../../../language/typed-values.ts';
import { type Actor, hasRole } from '../../../lib/actor.ts';
import { invalidInput } from '../../../lib/errors.ts';
import { type Fields, isRecord, textOf } from '../../../lib/values.ts';
import { isPossiblePhone, toE164 } from '../../../platform/dialect/phone.ts';
import { readFlag, readTexts } from '../../../platform/dialect/readings.ts';
import { buttonsOf, draw, headed, hitsMessage, listMessage } from '../blocks/fitting.ts';
import type { StoredResult } from '../blocks/result.ts';
import { type Block, button, buttonRow, cut, type Message, messageOf, notice, rich, say } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { IDS, type Origin, SLACK_ACTOR } from '../types.ts';
import { admitted, failureOf, Reply, recordsNamed } from './engine.ts';

/** Drawn at the end of the card. */
const LAST: readonly ActionId[] = ['moreSteps', 'page', 'share'];

interface Job {
  tool: Tool;
  input: Fields;
}

/**
 * The card of a looked-up number; undefined for other operations.
 *
 * @param handle of the stored answer; empty for none
 * @param actor chooses the buttons; without one, the card has none
 */
export async function cardOf(slack: SlackContext, job: Job, value: Fields, handle: string, actor?: Actor) {
  const { gate, tools, groups, records } = slack;
  const asked = job.input[lookupField(slack, job.tool) ?? ''];
  if (typeof asked !== 'string') return undefined;
  const reader = { tools, groups, records, asked, actor, handle, own: SLACK_ACTOR, hasGuard: hasGuard(tools) };
  const card = await lineOf(gate, value, reader);
  const rowOf = (name: string, offered: readonly CardAction[]) =>
    buttonRow(`${name}:${card.phone}`, ...buttonsOf(offered).slice(0, 5));
  const isLast = ({ id }: CardAction) => LAST.includes(id);
  const steps = card.actions.filter((one) => !isLast(one));
  const drawn = draw(card, {
    buttons: rowOf('next', steps),
    head: headed(`${card.mark} ${card.title}`, card.state, headlineOf(card)),
  });
  return messageOf(headlineOf(card), [...drawn.blocks, ...rowOf('more', card.actions.filter(isLast))]);
}

/** The phone field of an operation that is the lookup of its group. */
export function lookupField({ tools, groups }: SlackContext, tool: Tool): string | undefined {
  return lookups(tools, groups).find((lookup) => lookup.tool.id === tool.id)?.field;
}

/* Answers that are lists: each row in a sentence, with what its reader can do with it. */

/** Rows whose other records are named. */
const MOST_NAMED = 25;

/** A list of records as sentences with their actions; undefined for an answer that is no such list. */
export async function recordList(slack: SlackContext, tool: Tool, result: StoredResult, actor: Actor) {
  const offered = () => slack.tools.filter((one) => hasRole(actor, neededRole(one).ask));
  const { sentences } = tool;
  if (sentences !== undefined && Array.isArray(result.value[sentences.of]) && result.mismatched.length === 0)
    return listMessage(
      sentencesCard(result.value, sentences, {
        input: result.read?.input ?? {},
        tools: offered(),
        nameOf: (id) => {
          // A line is known by its customer: "Ava Stone · (201) 555-0101 · Acme Mobile".
          const [name, ...others] = slack.directory.nameOf(id)?.split(' · ') ?? [];
          return id.startsWith('+') && others.length === 0 ? undefined : name;
        },
        handle: result.id,
      }),
      slack.reworded,
    );
  const listed = tool.kind === 'operation' ? listedIn(tool.id, result.value) : undefined;
  // An undocumented answer is shown as it came.
  if (listed === undefined || result.mismatched.length > 0) return undefined;
  const { kind, rows } = listed;
  // Chosen members of lines are compared in a table.
  if (isOfLines(kind) && rows.some(({ Status }) => Status === undefined)) return undefined;
  const names = new Map<string, string>();
  for (const member of kind.refers ?? []) {
    const field = slack.tools.flatMap(fieldsOf).find(({ name }) => name === member);
    if (field === undefined) continue;
    for (const row of rows.slice(0, MOST_NAMED)) {
      const id = textOf(row[member]);
      const name = names.get(id) ?? (await slack.records.nameOf(field, id, actor).catch(() => undefined));
      if (name !== undefined) names.set(id, name);
    }
  }
  const list = { kind, rows, offered: actionsOn(kind, rows[0] ?? {}, offered()), nameOf: names.get.bind(names) };
  return listMessage(recordsCard(result.value, list, result.id), slack.reworded);
}

/** Actions beside each record of a list. */
const MOST_ACTIONS = 2;

/** The changes of one record of a list, and its details where fewer are offered. Those that remove it come last. */
function actionsOn(kind: RecordKind, row: Fields, offered: readonly Tool[]): Tool[] {
  const fitting = offered.filter((one) => one.kind === 'operation' && inputOf(one, kind, row) !== undefined);
  const isRemoval = ({ removes }: Tool) => removes !== undefined;
  const changes = fitting.filter(({ risk }) => risk !== 'read');
  const details = references.find(({ noun }) => noun === kind.noun)?.read?.operation;
  const read = changes.length < MOST_ACTIONS ? fitting.filter(({ id }) => id === details) : [];
  return [...changes.filter((one) => !isRemoval(one)), ...read, ...changes.filter(isRemoval)];
}

/* `/subscribers guard`: the filters of one number in one message, whose buttons open the form of each. */

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
      return void (await reply.show(await filtersOf(slack, only.value, member.actor)));
    const title = only === undefined ? `No number matches “${given}”.` : 'Which number?';
    await reply.show(hitsMessage(title, found, (value, i) => button(`${IDS.guard}_${i}`, 'Choose', value)));
  } catch (error) {
    await reply.show(notice('⚠️', failureOf(slack, error).words));
  }
}

/** The numbers that a text may mean: a number, its last digits, a name, or a subscriber's id. */
async function numbersOf(slack: SlackContext, given: string, actor: Actor, origin: Origin): Promise<readonly Hit[]> {
  const labelled = (value: string) => ({ value, label: slack.directory.nameOf(value) ?? formatPhone(value).national });
  if (/^[A-Z]{2,7}-/.test(given)) {
    const subscriber = firstRecord(await read(slack, GUARD_READS.subscriber, { SubscriberId: given }, actor));
    return (readTexts(subscriber.PhoneNumbers) ?? []).map(labelled);
  }
  const [lookup] = lookups(slack.tools, slack.groups);
  const field = lookup && fieldsOf(lookup.tool).find(({ name }) => name === lookup.field);
  if (field && isReference(field, given)) return (await recordsNamed(slack, field, given, origin))?.hits ?? [];
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
  // Slack accepts 25 buttons in a row.
  return {
    text: `${GUARD.title}: ${Phone}`,
    blocks: [head, ...lines, ...buttonRow('guard', ...buttons.slice(0, 25))],
  };
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
