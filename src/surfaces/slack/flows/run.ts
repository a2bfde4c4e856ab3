import { randomBytes } from 'node:crypto';
import { eventOperations } from '../../../../tools/surfaces/events.ts';
import { FEATURES_SET, GUARD, GUARD_READS, protectionWords, TRAFFIC } from '../../../../tools/surfaces/guard.ts';
import type { RecordKind } from '../../../../tools/surfaces/records.ts';
import { type ActionId, type CardAction, headlineOf } from '../../../cards/card.ts';
import { lineOf } from '../../../cards/line.ts';
import {
  diagnosisCard,
  digestCard,
  foundCard,
  inputOf,
  isOfLines,
  recordsCard,
  sentencesCard,
} from '../../../cards/list.ts';
import { correctionOf } from '../../../cards/question.ts';
import { currentIn, recordIn } from '../../../catalogue/compare.ts';
import { fieldsOf } from '../../../catalogue/input.ts';
import { type Field, mayAsk, neededRole, type Tool } from '../../../catalogue/operation.ts';
import type { Performed } from '../../../gate/confirmation.ts';
import { deciderOf } from '../../../gate/decisions.ts';
import { factsOf } from '../../../gate/question.ts';
import { errorOutcome, failureWords } from '../../../language/outcome.ts';
import { choiceLabel, type Hit, listedIn, type TakenName } from '../../../language/records.ts';
import { formatPhone } from '../../../language/show.ts';
import { isReference, nounOf, referencesIn } from '../../../language/typed-values.ts';
import { changeOf, levelOfAction, TAKEN } from '../../../ledger/action.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { type Actor, hasRole, personOf } from '../../../lib/actor.ts';
import { HOUR_MS } from '../../../lib/clock.ts';
import { type Failure, invalidInput, SwitchboardError } from '../../../lib/errors.ts';
import { defined, type Fields, isRecord, recordOf, recordsIn, textOf } from '../../../lib/values.ts';
import { isPossiblePhone, toE164 } from '../../../platform/dialect/phone.ts';
import { isSame, readFlag, readTexts } from '../../../platform/dialect/readings.ts';
import { orderState } from '../../../platform/dialect/verdict.ts';
import { actionMessage, endedNotice } from '../blocks/card.ts';
import {
  buttonsOf,
  choicesMessage,
  draw,
  headed,
  hitsMessage,
  listMessage,
  nothingFound,
  searchButtons,
} from '../blocks/fitting.ts';
import { valueWords, withoutSecrets } from '../blocks/form.ts';
import { resultMessage, type StoredResult } from '../blocks/result.ts';
import * as ui from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { type Member, maxAgeFor } from '../people/roles.ts';
import { IDS, logged, type Origin, SLACK_ACTOR } from '../types.ts';
import { admitted, answerPending, askerNotes, failureOf, inTime, Reply, recordsNamed } from './engine.ts';

/** One operation that a person in Slack asked for. */
interface Job {
  tool: Tool;
  input: Fields;
  origin: Origin;
  reply: Reply;
  /** The person's reason, for approvers. */
  reason?: string;
  /** The waiting question that this call edits. */
  replaces?: string;
}

type Done = Extract<Performed, { kind: 'done' }>;
type Call = Pick<Job, 'tool' | 'input' | 'origin'>;

/**
 * Performs an operation for a person and answers only them. Undefined if it was refused or failed.
 *
 * @param start the record's values that a sent form showed
 */
export async function run(slack: SlackContext, asked: Job, start?: Fields): Promise<Performed | undefined> {
  const { tool, origin, reply } = asked;
  const member = await admitted(slack, origin, neededRole(tool), reply, maxAgeFor(tool));
  if (!member) return undefined;
  const { actor } = member;
  let job = asked;
  let taken: readonly TakenName[] = [];
  let performed: Performed;
  try {
    const resolution = await slack.records.resolve(tool, job.input, actor);
    if (resolution.kind === 'unclear') {
      const { reference, found } = resolution;
      // The search in place of a read of one number, where several have the name.
      const { find } = slack.lookup;
      if (find && tool.id === slack.lookup.tool.id && found.hits.length > 1)
        return run(slack, { ...job, tool: find.tool, input: { [find.field]: reference.text } });
      if (found.hits.length > 0) await reply.show(choicesMessage(tool, resolution));
      else await reply.show(ui.withBlocks(nothingFound(resolution), ...formButton(tool, job.input)));
      return undefined;
    }
    ({ taken } = resolution);
    slack.directory.note(taken);
    job = { ...job, input: resolution.input };
    // The new question takes its place.
    if (job.replaces !== undefined) slack.memory.asking.delete(`${job.replaces} ${personOf(actor)}`);
    performed = await slack.gate.perform(tool.id, job.input, actor, {
      onWait: (...why) => reply.progress(why),
      notes: { ...askerNotes(origin), ...(taken.length > 0 && { [TAKEN]: taken }) },
      ...defined({ reason: job.reason, replaces: job.replaces }),
      // A sent form is the yes of its sender to an own change, if it showed all of it. Any other change waits.
      ...(start && {
        decider: deciderOf(actor, 'slack'),
        ask: async (action: Action) => (showedChange(action, start) ? 'accept' : 'unavailable'),
      }),
    });
  } catch (error) {
    const { face } = failureOf(slack, error, tool.id);
    // The question of an edit may have ended meanwhile.
    const isLate = job.replaces !== undefined && face.code === 'not_confirmed';
    const edited = isLate ? await slack.gate.actions.get(job.replaces ?? '') : undefined;
    const isOver = edited !== undefined && edited.state !== 'pending';
    const why = isOver ? endedNotice(slack, edited, 'Your edit was not sent.') : failureNotice(slack, tool, face);
    await reply.show(ui.withBlocks(why, ...(face.outcome === 'unknown' ? [] : formButton(tool, job.input))));
    return undefined;
  }
  if (performed.kind === 'pending') {
    await answerPending(slack, performed, { reply, person: personOf(actor) });
    return performed;
  }
  const shown = await doneMessage(slack, job, performed, member);
  // The card of a line names it, so there only a corrected slip is mentioned.
  const isLookup = slack.lookup.tool.id === tool.id;
  const told = taken.filter(({ isSimilar }) => !isLookup || isSimilar);
  const notes = told.map((one) => `“${one.text}” was taken for ${one.label}.`);
  const below = notes.length > 0 ? [ui.small(ui.escaped(notes.join(' ')))] : [];
  await reply.show(ui.withBlocks(shown, ...below));
  return performed;
}

/** The card of an answer, as a command shows it. */
export async function doneMessage(slack: SlackContext, call: Call, done: Done, member: Member): Promise<ui.Message> {
  const { tool, input, origin } = call;
  const { value, already } = done;
  const { actor, zone } = member;
  const { gate, clock, memory } = slack;
  const { timeZone } = gate;
  if (already) {
    // The record has these values already, and nothing is called done.
    const { Warning: _, ...values } = value;
    return resultMessage({ title: tool.title, value: values, head: ALREADY_SO, timeZone });
  }
  const action = done.actionId === undefined ? undefined : await gate.actions.get(done.actionId);
  if (done.isRepeat && action) return endedNotice(slack, action, 'Nothing was sent now.');
  // The outcome of a change has one picture, wherever it is shown.
  if (action && done.change) return actionMessage(slack, action, 'requester');
  const told = tool.told?.(input, value);
  const isRead = tool.risk === 'read';
  const isOperator = hasRole(actor, 'operator');
  const { operation, field } = eventOperations.readOrder;
  const isPortIn = tool.id === operation && /port-?in/i.test(textOf(value.OrderType));
  // An order that the carrier refused is corrected by who may ask for it.
  const next = isPortIn && isOperator ? correctionOf(textOf(value[field]), orderState(value)) : undefined;
  const result = {
    ...{ id: randomBytes(9).toString('base64url'), user: origin.userId, until: clock.now() + HOUR_MS },
    ...{ title: told?.title ?? tool.title, value, timeZone, asOf: clock.now() },
    mayReveal: isRead && isOperator,
    ...(isRead ? { read: { operation: tool.id, input } } : { head: told && !told.isDone ? ALREADY_SO : '✅ Done: ' }),
    ...defined({ next }),
  };
  const card =
    (await cardOf(slack, call, value, result.id, actor)) ??
    answerCard(slack, call, result, actor) ??
    (await recordList(slack, tool, result, actor));
  memory.results.set(result.id, { ...result, ...(card && { card }) });
  return card ?? resultMessage(result, defined({ zone }));
}

const ALREADY_SO = 'ℹ️ Already so, nothing was sent: ';

/** The card of a search, a diagnosis or a period; undefined for other operations. */
function answerCard(slack: SlackContext, { tool, input }: Call, result: StoredResult, actor: Actor) {
  const { tools, reworded } = slack;
  const { find } = slack.lookup;
  const { value, id: handle, asOf, title } = result;
  // Totals are shown like any other result.
  if (find?.tool.id === tool.id && Array.isArray(value.Numbers))
    return listMessage(foundCard(value, textOf(input[find.field])), reworded, searchButtons(result));
  const offered = (id: string) => tools.find((one) => one.id === id && mayAsk(actor.role, one));
  const card = diagnosisCard(value, offered, handle) ?? digestCard(value, title, { asOf, handle });
  return card && listMessage(card, reworded);
}

/** Explains why an operation failed, without buttons. */
export function failureNotice(slack: SlackContext, tool: Tool, face: Failure): ui.Message {
  const { mark, headline } = errorOutcome(face);
  const isKnown = face.outcome === 'unknown' || face.code === 'refused';
  const state = tool.risk === 'read' ? '' : isKnown ? `: ${headline.toLowerCase()}` : ': not done';
  const words = slack.reworded(failureWords(face, 'slack'));
  const facts = [
    ...(face.code === 'invalid_input' ? [] : [face.code.replaceAll('_', ' ')]),
    ...(face.status === undefined ? [] : [`platform status ${face.status}`]),
    ...(face.retryAfterSeconds === undefined ? [] : [`try again in ${face.retryAfterSeconds} s`]),
    ...(face.transactionLogId === undefined ? [] : [`log id \`${ui.escaped(face.transactionLogId)}\``]),
  ];
  return {
    text: `${mark} ${ui.escaped(`${tool.title}${state}: ${words}`)}`,
    blocks: [
      ui.say(`${mark} `, ui.bold(`${tool.title}${state}`), '\n', ...ui.sentence(words)),
      ...(facts.length > 0 ? [ui.small(facts.join(' · '))] : []),
    ],
  };
}

/** A button that opens a form with this input, without its secrets. A button has no room for longer values. */
export function formButton(tool: Tool, input: Fields) {
  const empty = ui.button(IDS.fill, 'Open the empty form', `${tool.id}|{}`);
  const [opens = empty] = ui.operationButton(IDS.fill, 'Open the form', tool.id, withoutSecrets(fieldsOf(tool), input));
  return ui.buttonRow(`form:${tool.id}`, opens);
}

/* Names and last digits that people give in place of a number or an id. */

/**
 * The input with the records that it names, as far as a form can know them: without a role, and when the platform is slow, it
 * stays as it was entered. `problem`: a name that does not mean exactly one record. `unknown` is set if no record has that
 * name: “no number matches …”.
 */
export async function namedRecords(slack: SlackContext, tool: Tool, input: Fields, origin: Origin) {
  const entered = { input, taken: [] as readonly TakenName[], problem: undefined, unknown: undefined };
  if (referencesIn(tool, input).length === 0) return entered;
  const actor = await slack.roles.timelyActor(origin);
  if (!actor) return entered;
  const found = await inTime(slack, tool.id, slack.records.resolve(tool, input, actor));
  if (found?.kind === 'unclear') {
    const { text, field, path } = found.reference;
    const names = found.found.hits.slice(0, 3).map(choiceLabel);
    const unknown = names.length === 0 ? `no ${nounOf(field)} matches “${text}”` : undefined;
    const several = `“${text}” may be ${names.join(', or ')}: choose one from the list`;
    const message = unknown === undefined ? several : `${unknown}: choose one from the list, or give it whole`;
    return { ...entered, problem: { field: path.join('.'), message }, unknown };
  }
  slack.directory.note(found?.taken ?? []);
  return { ...entered, ...found };
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
export async function readStart(slack: SlackContext, tool: Tool, input: Fields, actor: Actor) {
  const read = currentRead(tool, input);
  if (!read) return undefined;
  try {
    const performed = await slack.gate.perform(read.operation, read.input, actor);
    if (performed.kind !== 'done') return undefined;
    if (recordIn(tool, performed.value, input) === undefined) return undefined;
    const values = currentIn(tool, performed.value, input);
    await nameRecords(slack, fieldsOf(tool), values, actor);
    return values;
  } catch (error) {
    slack.log('info', { operation: read.operation, error: String(error) }, 'failed to read what a form starts from');
    return error instanceof SwitchboardError && error.face.code === 'not_found' ? 'missing' : undefined;
  }
}

/** Learns the names of the records whose ids the values have, so that views show names. */
export async function nameRecords(slack: SlackContext, fields: readonly Field[], values: Fields, actor: Actor) {
  const { directory, records } = slack;
  const failed = logged(slack, 'info', 'failed to look up a name');
  const naming = fields.map(async (field) => {
    const value = values[field.name];
    if (field.kind !== 'id' || typeof value !== 'string' || directory.nameOf(value) !== undefined) return;
    const label = await records.nameOf(field, value, actor);
    if (label !== undefined) directory.note([{ value, label }]);
  });
  await Promise.all(naming.map((one) => one.catch(failed)));
}

/** "Data limit: 20 MB when you opened it, 500 MB now" for each value that the record has changed meanwhile. */
export function changeNotes(slack: SlackContext, tool: Tool, { start, now }: { start: Fields; now: Fields }): string[] {
  const { keys = [] } = tool.current ?? {};
  const text = (name: string, value: unknown) =>
    value === undefined ? 'not set' : valueWords(name, value, (id) => slack.directory.nameOf(id));
  return fieldsOf(tool).flatMap(({ name, label, secret }) => {
    const [was, is] = [start[name], now[name]];
    if (secret || keys.includes(name) || JSON.stringify(was) === JSON.stringify(is)) return [];
    return [`${label}: ${text(name, was)} when you opened it, ${text(name, is)} now`];
  });
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
    member !== undefined && (isSame(start[member] ?? '', now ?? '') || isSame(now ?? '', start[member] ?? ''));
  return (
    change.rows.every(({ member, before, unread }) => unread !== true && isShown(member, before)) &&
    change.keeps.every(({ member, value }) => isShown(member, value))
  );
}

/** Drawn at the end of the card. */
const LAST: readonly ActionId[] = ['moreSteps', 'page', 'share'];

/**
 * The card of a looked-up number; undefined for other operations.
 *
 * @param handle of the stored answer; empty for none
 * @param actor chooses the buttons; without one, the card has none
 */
export async function cardOf(
  slack: SlackContext,
  job: Pick<Job, 'tool' | 'input'>,
  value: Fields,
  handle: string,
  actor?: Actor,
) {
  const { gate, tools, records } = slack;
  const asked = job.input[slack.lookup.field];
  if (job.tool.id !== slack.lookup.tool.id || typeof asked !== 'string') return undefined;
  const reader = { tools, records, asked, actor, handle, own: SLACK_ACTOR };
  const card = await lineOf(gate, value, reader);
  const rowOf = (name: string, offered: readonly CardAction[]) =>
    ui.buttonRow(`${name}:${card.phone}`, ...buttonsOf(offered).slice(0, 5));
  const isLast = ({ id }: CardAction) => LAST.includes(id);
  const steps = card.actions.filter((one) => !isLast(one));
  const drawn = draw(card, {
    buttons: rowOf('next', steps),
    head: headed(`${card.mark} ${card.title}`, card.state, headlineOf(card)),
  });
  return ui.messageOf(headlineOf(card), [...drawn.blocks, ...rowOf('more', card.actions.filter(isLast))]);
}

/* Answers that are lists: each row in a sentence, with what its reader can do with it. */

/** Rows whose other records are named. */
const MOST_NAMED = 25;

/** A list of records as sentences with their actions; undefined for an answer that is no such list. */
async function recordList(slack: SlackContext, tool: Tool, result: StoredResult, actor: Actor) {
  const offered = () => slack.tools.filter((one) => mayAsk(actor.role, one));
  const { sentences } = tool;
  const answered = sentences && result.value[sentences.of];
  // An undocumented answer is shown as it came.
  if (sentences !== undefined && Array.isArray(answered) && answered.every(isRecord))
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
  if (listed === undefined) return undefined;
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
  const read = changes.length < MOST_ACTIONS ? fitting.filter(({ id }) => id === kind.read?.[0]) : [];
  return [...changes.filter((one) => !isRemoval(one)), ...read, ...changes.filter(isRemoval)];
}

/* `/subscribers guard`: the filters of one number in one message, whose buttons open the form of each. */

/** Shows the filters of the number that `given` names, with a button for each change. */
export async function startGuard(slack: SlackContext, given: string, origin: Origin): Promise<void> {
  const reply = new Reply(slack, origin);
  const tool = slack.tools.find(({ id }) => id === TRAFFIC[0]?.create);
  const member = await admitted(slack, origin, tool ? neededRole(tool) : 'operator', reply);
  if (!member) return;
  try {
    const found = await numbersNamed(slack, given, member.actor, origin);
    const [only, ...others] = found;
    if (only !== undefined && others.length === 0)
      return void (await reply.show(await filtersOf(slack, only.value, member.actor)));
    const title = only === undefined ? `No number matches “${given}”.` : 'Which number?';
    await reply.show(hitsMessage(title, found, (value, i) => ui.button(`${IDS.guard}_${i}`, 'Choose', value)));
  } catch (error) {
    await reply.show(ui.notice('⚠️', failureOf(slack, error).words));
  }
}

/** The numbers that a text may mean: a number, its last digits, a name, or a subscriber's id. */
async function numbersNamed(slack: SlackContext, given: string, actor: Actor, origin: Origin): Promise<readonly Hit[]> {
  const labelled = (value: string) => ({ value, label: slack.directory.nameOf(value) ?? formatPhone(value).national });
  if (/^[A-Z]{2,7}-/.test(given)) {
    const subscriber = firstRecord(await read(slack, GUARD_READS.subscriber, { SubscriberId: given }, actor));
    return (readTexts(subscriber.PhoneNumbers) ?? []).map(labelled);
  }
  const { lookup } = slack;
  const field = fieldsOf(lookup.tool).find(({ name }) => name === lookup.field);
  if (field && isReference(field, given)) return (await recordsNamed(slack, field, given, origin))?.hits ?? [];
  const phone = toE164(given);
  if (!isPossiblePhone(phone))
    throw invalidInput('PhoneNumber', 'Whose filters? Give a number, its last digits or a name: guard +12015550101');
  return [labelled(phone)];
}

/** The filters of a number in words, and the changes, each of which opens its form. */
async function filtersOf(slack: SlackContext, Phone: string, actor: Actor): Promise<ui.Message> {
  const line = firstRecord(await read(slack, GUARD_READS.number, { PhoneNumber: Phone }, actor));
  const SubscriberId = textOf(line.AssignedSubscriberId);
  if (SubscriberId === '') throw invalidInput('PhoneNumber', `${Phone} has no subscriber, so it cannot have filters.`);
  const [subscriber, features, ...lists] = await Promise.all([
    read(slack, GUARD_READS.subscriber, { SubscriberId }, actor),
    read(slack, GUARD_READS.features, { SubscriberId }, actor),
    ...TRAFFIC.map(({ list }) => read(slack, list, { Phone, SubscriberId }, actor)),
  ]);
  const lines: ui.Block[] = [];
  const changes: [label: string, operation: string, input: Fields][] = [];
  for (const [i, traffic] of TRAFFIC.entries()) {
    const filters = recordsIn(lists[i]?.Results);
    const isOff = filters.length > 0 && readFlag(features?.[traffic.feature]) !== true;
    const titleOf = (at: number) => (filters.length > 1 ? `${traffic.title} ${at + 1}` : traffic.title);
    const more = isOff ? ' Guardian filtering is off, so this has no effect.' : '';
    if (filters.length === 0) lines.push(ui.say(ui.bold(traffic.title), '  not filtered'));
    for (const [at, filter] of filters.entries()) {
      lines.push(ui.say(ui.bold(titleOf(at)), `  ${ui.cut(protectionWords(traffic, filter), 2500)}${more}`));
      const input = { FilterId: textOf(filter.FilterId), SubscriberId };
      changes.push([`Change ${titleOf(at).toLowerCase()}`, traffic.update, input]);
    }
    changes.push([`New ${traffic.noun}`, traffic.create, { SubscriberId, Phone }]);
    if (isOff) changes.push([`Turn on for ${traffic.name}`, FEATURES_SET, { SubscriberId, [traffic.feature]: true }]);
  }
  const buttons = changes.map(([label, id, input], i) =>
    ui.button(`${IDS.fill}_${i}`, label, `${id}|${JSON.stringify(input)}`),
  );
  const name = textOf(firstRecord(subscriber ?? {}).Name) || SubscriberId;
  const head = ui.say('🛡️ ', ui.bold(name), `  ${formatPhone(Phone).national}  `, ui.code(Phone));
  // Slack accepts 25 buttons in a row.
  return {
    text: `${GUARD.title}: ${Phone}`,
    blocks: [head, ...lines, ...ui.buttonRow('guard', ...buttons.slice(0, 25))],
  };
}

async function read({ gate }: SlackContext, operation: string, input: Fields, actor: Actor): Promise<Fields> {
  const done = await gate.perform(operation, input, actor);
  return done.kind === 'done' ? done.value : {};
}

/** The record itself, or the first of a list. */
function firstRecord(value: Fields): Fields {
  return Array.isArray(value.Results) ? recordOf(value.Results[0]) : value;
}
