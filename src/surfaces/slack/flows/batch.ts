import { type BatchView, isOver } from '../../../batches/batches.ts';
import { batchedBy } from '../../../catalogue/change.ts';
import { mayAsk } from '../../../catalogue/offered.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { slackStyle } from '../../../language/help.ts';
import { parseRows, secretsTyped } from '../../../language/parse.ts';
import { lookups } from '../../../language/typed-values.ts';
import { type Actor, personOf } from '../../../lib/actor.ts';
import { PROGRESS_MS } from '../../../lib/clock.ts';
import { SwitchboardError } from '../../../lib/errors.ts';
import { defined, type Fields, isRecord, recordOf, textOf } from '../../../lib/values.ts';
import {
  batchChoice,
  batchForm,
  batchList,
  batchMessage,
  FILE_BLOCK,
  LEAVE_BLOCK,
  LIST_BLOCK,
  listText,
  sharedBlock,
  sharedFields,
  sharedState,
} from '../blocks/batch.ts';
import { enteredIn, readForm, withoutSecrets } from '../blocks/form-values.ts';
import { actions, button, cut, type Element, type Message, notice, say } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { askerNotes, IDS, type Origin } from '../types.ts';
import {
  admitted,
  answerPending,
  errorsIn,
  type Flow,
  failureOf,
  notAllowed,
  openFor,
  Reply,
  showView,
} from './engine.ts';

/** The word of the command. */
export const BATCH_WORD = 'batch';

/** Maximum wait of a submitted form for the list. Slack expects its answer within three seconds. */
const READ_MS = 2_000;
/** Maximum wait for a plan. */
const PLAN_MS = 60 * 60_000;

/** The person of a batch, and where it is answered. */
interface Asked {
  actor: Actor;
  origin: Origin;
  reply: Reply;
}

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
  const { tools, groups, config, batches } = slack;
  const command = slackStyle(config.SLACK_COMMAND_PREFIX).command(BATCH_WORD);
  const [group = '', ...rest] = text.trim().replace(/^\//, '').split(/\s+/);
  if (['', 'list', 'help'].includes(group))
    return {
      after: async () => {
        const reply = new Reply(slack, origin);
        const member = await admitted(slack, origin, 'viewer', reply);
        if (member) await reply.show(batchList(await batches.list(member.actor), command));
      },
    };
  const lookup = lookups(tools, groups).find(({ word }) => word === group);
  const { targets, parsed } = parseRows(lookup?.tool.group ?? group, rest.join(' '), tools);
  const list = targets.join('\n');
  const open = (tool: Tool, shared: Fields) => ({ after: () => openBatchForm(slack, tool, { shared, list }, origin) });
  // "/batch number 0101 0103" has no word of an operation.
  if (lookup && parsed.kind === 'help' && parsed.tool === undefined) return open(lookup.tool, {});
  const secrets = parsed.kind === 'call' ? secretsTyped(parsed.tool, parsed.input) : [];
  if (secrets.length > 0)
    return { now: notice('🔑', `${secrets.join(', ')} is secret and cannot be shared by a batch. Nothing was done.`) };
  if (parsed.kind === 'call' && batchedBy(parsed.tool)) return open(parsed.tool, parsed.input);
  const { title = `“${cut(text.trim(), 60)}”` } = parsed.kind === 'call' ? parsed.tool : {};
  const why = `${title} cannot run over a list. Name an operation that can, for example ${command} numbers status.`;
  const { blocks, ...message } = notice('🤔', why);
  const choose = button(`${IDS.batchNew}_0`, 'Choose what to do', list === '' ? '-' : list.split('\n').join(','));
  return { now: { ...message, blocks: [...blocks, actions('batch:choose', choose)] } };
}

/** The values that a form starts from. `edits`: the planned batch that the new list takes the place of. */
interface FormValues {
  list: string;
  shared?: Fields;
  edits?: string;
}

/** Opens the form of a batch. */
export function openBatchForm(slack: SlackContext, tool: Tool, values: FormValues, origin: Origin): Promise<void> {
  const form = () => formOf(slack, tool, values, origin.channel || undefined);
  return openWindow(slack, origin, tool.risk === 'read' ? 'viewer' : 'operator', form);
}

/** Opens the form of a planned batch again, with its list. */
export async function editBatch(slack: SlackContext, view: BatchView, actor: Actor, origin: Origin): Promise<void> {
  const tool = slack.tools.find(({ id }) => id === view.operation);
  if (tool === undefined) return;
  const list = listText(tool, await slack.batches.rows(view.id, actor));
  const { input } = await slack.batches.question(view.id, actor);
  await openBatchForm(slack, tool, { list, shared: recordOf(input.Fields), edits: view.id }, origin);
}

/** Opens the choice of an operation for a list; an empty list is typed later. */
export async function openBatchChoice(slack: SlackContext, list: string, origin: Origin): Promise<void> {
  const { role = 'approver' } = (await slack.roles.timelyActor(origin)) ?? {};
  const offered = batchable(slack.tools).filter((tool) => mayAsk(role, tool));
  const state = { flow: 'batch' as const, channel: origin.channel || undefined, list: list || undefined };
  await openWindow(slack, origin, 'viewer', () => batchChoice(offered, state));
}

/** Opens a window whose answer takes the place of the message that it was opened from, if only its reader sees that. */
export async function openWindow(
  slack: SlackContext,
  origin: Origin,
  role: 'viewer' | 'operator',
  view: () => Element,
): Promise<void> {
  const id = await openFor(slack, origin, role, view, { flow: 'batch', retry: 'Try again.' });
  if (id !== undefined && origin.responseUrl) slack.memory.responseUrls.set(id, origin.responseUrl);
}

function formOf(
  { reworded }: SlackContext,
  tool: Tool,
  { list, shared = {}, edits }: FormValues,
  channel: string | undefined,
): Element {
  const values = { list, shared: withoutSecrets(sharedFields(tool), shared) };
  return batchForm(tool, values, { channel, edits, reworded });
}

export const batchFlow: Flow<'batch'> = {
  /** Shows a problem of the list at the list, otherwise plans the batch. Its writer reads the plan before anybody is asked. */
  async submit(slack, view, origin) {
    const { operation, channel, edits } = view.state;
    const tool = batchable(slack.tools).find(({ id }) => id === operation);
    if (tool === undefined) return { ack: { response_action: 'clear' } };
    const typed = textOf(enteredIn(view.values[LIST_BLOCK]));
    const file = fileIn(view.values[FILE_BLOCK]);
    if ((typed.trim() === '') === (file === undefined)) {
      const text = typed === '' ? 'Type the list, or choose a file.' : 'Give the list or a file, not both.';
      return errorsIn(view, { [LIST_BLOCK]: text });
    }
    const shared = readForm(sharedFields(tool), sharedState(view.values));
    const responseUrl = slack.memory.responseUrls.get(view.id);
    const asked: Origin = { ...origin, ...defined({ channel, responseUrl }) };
    const work = startBatch(slack, { tool, shared, typed, file, edits }, asked);
    const started = await slack.web.inTime(work, READ_MS);
    if (started && 'refused' in started) return notAllowed('Not sent', started.refused);
    if (started && 'problem' in started) {
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
    await showView(slack, id, formOf(slack, tool, { list: state.list ?? '' }, state.channel));
  },
};

/** The address of the chosen file. */
function fileIn(block: unknown): string | undefined {
  const { files } = recordOf(recordOf(block)[IDS.value]);
  const [file] = Array.isArray(files) ? files : [];
  return isRecord(file) ? textOf(file.url_private_download) || textOf(file.url_private) : undefined;
}

type Started =
  | { view: BatchView; read: string[]; actor: Actor }
  | { problem: string; field: string | undefined }
  | { refused: Element[] };

interface Submitted {
  tool: Tool;
  shared: Fields;
  typed: string;
  /** Address of the list, if it is a file. */
  file: string | undefined;
  edits: string | undefined;
}

/** Makes a batch of a list, typed or at the address of a file. */
async function startBatch(
  slack: SlackContext,
  { tool, shared, typed, file, edits }: Submitted,
  origin: Origin,
): Promise<Started> {
  const { batches, roles, downloads } = slack;
  const member = await roles.admit(origin, tool.risk === 'read' ? 'viewer' : 'operator');
  if ('refused' in member) return { refused: member.refused };
  const { actor } = member;
  try {
    const list = { text: file === undefined ? typed : await downloads.text(file) };
    const request = { operation: tool.id, list, shared, notes: askerNotes(origin), isHeld: true };
    const made = await batches.create(request, actor);
    if (edits !== undefined && edits !== made.view.id && !isOver((await batches.view(edits, actor)).state))
      await batches.stop(edits, actor, 'slack');
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
  else followPlan(slack, started.view.id, { actor: started.actor, origin, reply });
}

/** Waits in the background for the plan of a batch, then shows it to its writer, or the card of its reads. */
export function followPlan(slack: SlackContext, id: string, asked: Asked): void {
  const { batches, batchCards, clock } = slack;
  const { actor, origin, reply } = asked;
  let told = clock.now() - PROGRESS_MS;
  const onView = (view: BatchView) => {
    if (view.state !== 'planning' || clock.now() - told < PROGRESS_MS) return;
    told = clock.now();
    reply.progress(batchMessage(view));
  };
  const follow = async () => {
    const { signal } = batchCards;
    const view = await batches.while(({ state }) => state === 'planning', id, actor, { ms: PLAN_MS, signal, onView });
    if (signal.aborted) return;
    if (view.state === 'waiting') return askForBatch(slack, id, asked);
    if (view.plan?.risk !== 'read') return void (await reply.show(batchMessage(view)));
    await batchCards.post(view, origin.userId);
    const text = `${view.title}: reading ${view.total} rows. The app's direct message shows the result.`;
    await reply.show(notice('⏳', text));
  };
  batchCards.track(follow());
}

/** Asks for the yes of a planned batch, and shows its writer where it waits. */
export async function askForBatch(slack: SlackContext, id: string, { actor, origin, reply }: Asked): Promise<void> {
  try {
    const performed = await slack.batches.ask(id, actor, { notes: askerNotes(origin) });
    if (performed.kind === 'pending') await answerPending(slack, performed, { reply, person: personOf(actor) });
    // An own change that needs no question has begun.
    else await reply.show(batchMessage(await slack.batches.view(id, actor)));
  } catch (error) {
    await reply.show(notice('❌', failureOf(slack, error).words));
  }
}

/** The window that asks which rows to leave out. The rows are compared with those of the batch. */
export const leaveOutFlow: Flow<'leave_out'> = {
  async submit(slack, view, from) {
    const { batch, channel } = view.state;
    const { batches, gate, cards } = slack;
    const member = await slack.roles.admit(from, 'operator');
    if ('refused' in member) return notAllowed('Not done', member.refused);
    const { actor } = member;
    try {
      const { confirmation: old } = await batches.view(batch, actor);
      const chosen = enteredIn(recordOf(view.values[LEAVE_BLOCK]));
      const rows = (Array.isArray(chosen) ? chosen : []).map(Number);
      const { id } = await batches.leaveOut(batch, rows, actor, 'slack');
      const responseUrl = slack.memory.responseUrls.get(view.id);
      const origin: Origin = { ...from, ...defined({ channel, responseUrl }) };
      const after = async () => {
        const reply = new Reply(slack, origin, { replaces: true });
        if (old === undefined) return followPlan(slack, id, { actor, origin, reply });
        // The old card names the newer one, and offers nobody to ask again.
        await gate.notes.merge(old, 'slack', { again: id });
        await cards.sync(old);
      };
      return { ack: undefined, after };
    } catch (error) {
      if (!(error instanceof SwitchboardError)) throw error;
      return errorsIn(view, { [LEAVE_BLOCK]: failureOf(slack, error).words.replace(/^(Rows|id): /, '') });
    }
  },
};
