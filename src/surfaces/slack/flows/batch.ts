import type { BatchView } from '../../../batches/batches.ts';
import { batchedBy } from '../../../catalogue/batch-rule.ts';
import { mayAsk } from '../../../catalogue/offered.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { commandsIn, slackStyle } from '../../../language/help.ts';
import { parseRows, secretsTyped } from '../../../language/parse.ts';
import { lookups } from '../../../language/typed-values.ts';
import { type Actor, personOf, type Role } from '../../../lib/actor.ts';
import { PROGRESS_MS } from '../../../lib/durations.ts';
import { SwitchboardError } from '../../../lib/errors.ts';
import { defined, type Fields, isRecord, textOf } from '../../../lib/json.ts';
import {
  batchChoice,
  batchForm,
  batchList,
  batchMessage,
  FILE_BLOCK,
  LEAVE_BLOCK,
  LIST_BLOCK,
  rowsChosen,
  sharedBlock,
  sharedFields,
  sharedState,
} from '../blocks/batch.ts';
import { titleOf } from '../blocks/card.ts';
import { enteredIn, readForm, withoutSecrets } from '../blocks/form-values.ts';
import { actions, button, cut, escaped, type Message, notice, rich, say } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { IDS } from '../ids.ts';
import { askerNotes, noteOf, type Origin } from '../types.ts';
import {
  admitted,
  errorsIn,
  type Flow,
  failureOf,
  linkTo,
  notAllowed,
  openFor,
  pendingMessage,
  Reply,
  showView,
} from './engine.ts';

/** The word of the command. */
export const BATCH_WORD = 'batch';

/** Maximum wait of a submitted form for the list. Slack expects its answer within three seconds. */
const READ_MS = 2_000;
/** Maximum wait for a plan. */
const PLAN_MS = 60 * 60_000;

/** The operations that can run as a batch. */
export function batchable(tools: readonly Tool[]): Tool[] {
  return tools.filter((tool) => batchedBy(tool) !== undefined);
}

/** Answers `/batch`: alone with the person's batches, with an operation with its form. */
export function onBatchCommand(
  slack: SlackContext,
  text: string,
  origin: Origin,
): { now?: Message; after?: () => Promise<void> } {
  const style = slackStyle(slack.config.SLACK_COMMAND_PREFIX);
  const command = style.command(BATCH_WORD);
  const [group = '', ...rest] = text.trim().replace(/^\//, '').split(/\s+/);
  if (group === '' || group === 'list' || group === 'help') return { after: () => showList(slack, command, origin) };
  const lookup = lookups(slack.tools, slack.groups).find(({ word }) => word === group);
  const { targets, parsed } = parseRows(lookup?.tool.group ?? group, rest.join(' '), slack.tools);
  const list = targets.join('\n');
  // "/batch number 0101 0103" has no word of an operation.
  if (lookup && parsed.kind === 'help' && parsed.tool === undefined)
    return { after: () => openBatchForm(slack, lookup.tool, { shared: {}, list }, origin) };
  const problem = (text: string) => ({ now: withChoice(notice('🤔', text), list) });
  const isGroup = slack.tools.some((tool) => tool.group === (lookup?.tool.group ?? group));
  if (parsed.kind === 'problem')
    return problem(
      isGroup
        ? inBatchWords(commandsIn(parsed.message, group, slack.tools, style), group, { style, command })
        : `“${cut(group, 60)}” is nothing that runs over a list. ${command} lists what you started.`,
    );
  if (parsed.kind === 'help') return problem(`Name an operation, for example ${command} numbers status.`);
  const { tool, input } = parsed;
  if (batchedBy(tool) === undefined) return problem(`${tool.title} cannot run over a list.`);
  const secrets = secretsTyped(tool, input);
  if (secrets.length > 0)
    return { now: notice('🔑', `${secrets.join(', ')} is secret and cannot be shared by a batch. Nothing was done.`) };
  return { after: () => openBatchForm(slack, tool, { shared: input, list }, origin) };
}

/** A message with a button that opens the choice of an operation for the list. */
function withChoice(message: Message, list: string): Message {
  const value = list === '' ? '-' : list.split('\n').join(',');
  const choose = button(`${IDS.batchNew}_0`, 'Choose what to do', value);
  return { ...message, blocks: [...message.blocks, actions('batch:choose', choose)] };
}

/** A message about an operation with its batch command: "/batch numbers status" in place of "/numbers status". */
function inBatchWords(
  text: string,
  group: string,
  { style, command }: { style: ReturnType<typeof slackStyle>; command: string },
): string {
  return text
    .replace(/ Type \S+ help to list all operations\./, '')
    .replaceAll(`${style.command(group)} `, `${command} ${group} `);
}

async function showList(slack: SlackContext, command: string, origin: Origin): Promise<void> {
  const reply = new Reply(slack, origin);
  const member = await admitted(slack, origin, 'viewer', reply);
  if (member) await reply.show(batchList(await slack.batches.list(member.actor), command));
}

/** Opens the form of a batch. */
export async function openBatchForm(
  slack: SlackContext,
  tool: Tool,
  values: { shared: Fields; list: string },
  origin: Origin,
): Promise<void> {
  const needed = tool.risk === 'read' ? 'viewer' : 'operator';
  const form = () => formOf(slack, tool, values, origin.channel || undefined);
  await openWindow(slack, needed, form, origin);
}

/** Opens the choice of an operation for a list; an empty list is typed later. */
export async function openBatchChoice(slack: SlackContext, list: string, origin: Origin): Promise<void> {
  const member = await slack.roles.timelyMembership(origin);
  const role = member && !('refused' in member) ? member.actor.role : 'approver';
  const offered = batchable(slack.tools).filter((tool) => mayAsk(role, tool));
  const state = { flow: 'batch' as const, channel: origin.channel || undefined, list: list || undefined };
  await openWindow(slack, 'viewer', () => batchChoice(offered, state), origin);
}

function formOf(
  { reworded }: SlackContext,
  tool: Tool,
  values: { shared: Fields; list: string },
  channel: string | undefined,
) {
  const shared = withoutSecrets(sharedFields(tool), values.shared);
  return batchForm(tool, { ...values, shared }, { channel, reworded });
}

async function openWindow(slack: SlackContext, needed: Role, view: () => Fields, origin: Origin): Promise<void> {
  const id = await openFor(slack, origin, needed, view, { flow: 'batch', retry: 'Try again.' });
  if (id !== undefined && origin.responseUrl) slack.memory.responseUrls.put(id, origin.responseUrl);
}

export const batchFlow: Flow<'batch'> = {
  /** Shows a problem of the list at the list, otherwise plans the batch. */
  async submit(slack, view, origin) {
    const { operation, channel } = view.state;
    const tool = batchable(slack.tools).find(({ id }) => id === operation);
    if (tool === undefined) return { ack: { response_action: 'clear' } };
    const typed = textOf(enteredIn(view.values[LIST_BLOCK]));
    const file = fileIn(view.values[FILE_BLOCK]);
    if ((typed.trim() === '') === (file === undefined)) {
      const text = typed === '' ? 'Type the list, or choose a file.' : 'Give the list or a file, not both.';
      return errorsIn(view, { [LIST_BLOCK]: text });
    }
    const shared = readForm(sharedFields(tool), sharedState(view.values));
    const responseUrl = slack.memory.responseUrls.take(view.id);
    const asked: Origin = { ...origin, ...defined({ channel, responseUrl: responseUrl || undefined }) };
    const work = startBatch(slack, { tool, shared, typed, file }, asked);
    const started = await slack.web.inTime(work, READ_MS);
    if (started && 'refused' in started) return notAllowed('Not sent', started.refused);
    if (started && 'problem' in started) {
      if (responseUrl) slack.memory.responseUrls.put(view.id, responseUrl);
      const block = sharedBlock(started.field ?? '');
      const list = file === undefined ? LIST_BLOCK : FILE_BLOCK;
      return errorsIn(view, { [block in view.values ? block : list]: started.problem });
    }
    return { ack: undefined, after: async () => showStarted(slack, await work, asked) };
  },

  /** Shows the form of the operation that was chosen. */
  async press(slack, { id, state }, { actionId, value }) {
    const tool = batchable(slack.tools).find((candidate) => candidate.id === value);
    if (actionId !== IDS.batchChosen || tool === undefined) return;
    await showView(slack, id, formOf(slack, tool, { shared: {}, list: state.list ?? '' }, state.channel));
  },
};

/** The address of the chosen file. */
function fileIn(block: unknown): string | undefined {
  const element = isRecord(block) ? block[IDS.value] : undefined;
  const files = isRecord(element) && Array.isArray(element.files) ? element.files : [];
  const [file] = files;
  return isRecord(file) ? textOf(file.url_private_download) || textOf(file.url_private) : undefined;
}

type Started =
  | { view: BatchView; read: string[]; actor: Actor }
  | { problem: string; field: string | undefined }
  | { refused: Parameters<typeof say>[number][] };

/** Makes a batch of a list, typed or at the address of a file. */
async function startBatch(
  slack: SlackContext,
  { tool, shared, typed, file }: { tool: Tool; shared: Fields; typed: string; file: string | undefined },
  origin: Origin,
): Promise<Started> {
  const member = await slack.roles.admit(origin, tool.risk === 'read' ? 'viewer' : 'operator');
  if ('refused' in member) return { refused: member.refused };
  const { actor } = member;
  try {
    const list = { text: file === undefined ? typed : await slack.downloads.text(file) };
    const made = await slack.batches.create({ operation: tool.id, list, shared, notes: askerNotes(origin) }, actor);
    return { ...made, actor };
  } catch (error) {
    if (!(error instanceof SwitchboardError)) throw error;
    const { face, words } = failureOf(slack, error);
    return { problem: words.replace(/^(Rows|File): /, ''), field: face.field };
  }
}

async function showStarted(slack: SlackContext, started: Started, origin: Origin): Promise<void> {
  const below = 'read' in started ? started.read.map((note) => say(`ℹ️ ${note}`)) : [];
  const reply = new Reply(slack, origin, { replaces: true, below });
  if ('refused' in started) await reply.show({ text: 'Not sent', blocks: [say('⛔ ', ...started.refused)] });
  else if ('problem' in started) await reply.show(notice('⚠️', `${started.problem} Nothing was done.`));
  else {
    const { view, actor } = started;
    slack.batchCards.track(followPlan(slack, view.id, actor, { origin, reply }));
  }
}

/** Waits for the plan of a batch, then asks for its yes, or shows the card of its reads. */
export async function followPlan(
  slack: SlackContext,
  id: string,
  actor: Actor,
  { origin, reply }: { origin: Origin; reply: Reply },
): Promise<void> {
  const { batches, batchCards, clock } = slack;
  let told = clock.now() - PROGRESS_MS;
  const onView = (view: BatchView) => {
    if (view.state !== 'planning' || clock.now() - told < PROGRESS_MS) return;
    told = clock.now();
    reply.progress(batchMessage(view));
  };
  const view = await batches.whileIn(['planning'], id, actor, { ms: PLAN_MS, signal: batchCards.signal, onView });
  if (batchCards.signal.aborted) return;
  if (view.state === 'waiting')
    try {
      const performed = await batches.ask(id, actor, { notes: askerNotes(origin) });
      if (performed.kind !== 'pending') return;
      await reply.show(await pendingMessage(slack, performed, { origin, person: personOf(actor) }));
    } catch (error) {
      await reply.show(notice('❌', failureOf(slack, error).words));
    }
  else if (view.plan?.risk === 'read') {
    await batchCards.post(view, origin.userId);
    await reply.show(
      notice('⏳', `${view.title}: reading ${view.total} rows. The app's direct message shows the result.`),
    );
  } else await reply.show(batchMessage(view));
}

/** Maximum wait for the question about the other rows. */
const ASK_MS = 60_000;

/** The window that asks which rows to leave out. The rows are compared with those of the batch. */
export const leaveOutFlow: Flow<'leave_out'> = {
  async submit(slack, view, origin) {
    const { batch, channel } = view.state;
    const member = await slack.roles.admit(origin, 'operator');
    if ('refused' in member) return notAllowed('Not done', member.refused);
    const { actor } = member;
    try {
      const old = await slack.batches.view(batch, actor);
      const { id } = await slack.batches.leaveOut(batch, rowsChosen(view.values), actor, 'slack');
      const asked: Origin = { ...origin, ...defined({ channel }) };
      return { ack: undefined, after: () => showQuestion(slack, { id, old: old.confirmation, actor }, asked) };
    } catch (error) {
      if (!(error instanceof SwitchboardError)) throw error;
      return errorsIn(view, { [LEAVE_BLOCK]: failureOf(slack, error).words.replace(/^(Rows|id): /, '') });
    }
  },
};

/** Settles the old card, and shows where the new one is: at the place of the request that was withdrawn. */
async function showQuestion(
  slack: SlackContext,
  { id, old, actor }: { id: string; old: string | undefined; actor: Actor },
  origin: Origin,
): Promise<void> {
  const { batches, gate, cards } = slack;
  // At once, so that the withdrawn question does not offer to ask again until the new one is there.
  if (old !== undefined) {
    await gate.notes.merge(old, 'slack', { again: '' });
    await cards.sync(old);
  }
  const { confirmation } = await batches.whileUnasked(id, actor, { ms: ASK_MS });
  const question = confirmation === undefined ? undefined : await gate.actions.get(confirmation);
  const before = old === undefined ? undefined : await gate.actions.get(old);
  if (question && before) {
    const { asker, from, thread } = noteOf(before);
    if (noteOf(question).asker === undefined)
      await gate.notes.merge(question.id, 'slack', defined({ asker, from, thread }));
    await gate.notes.merge(before.id, 'slack', { again: question.id });
    await cards.refresh(before.id);
  }
  if (!question) return;
  const link = await linkTo(slack, await cards.ensure(question.id));
  const title = titleOf(question, gate.tool(question.operation));
  const text = `${title} waits for an approver.`;
  await new Reply(slack, origin).add({
    text: escaped(text),
    blocks: [say('🔐 ', rich.bold(title), ' waits for an approver. ', link ?? 'See the newer card.')],
  });
}
