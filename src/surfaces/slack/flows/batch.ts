import { type BatchView, isOver } from '../../../batches/batches.ts';
import { batchedBy } from '../../../catalogue/change.ts';
import { mayAsk, neededRole, type Risk, type Tool } from '../../../catalogue/operation.ts';
import { BATCH_RUN } from '../../../gate/confirmation.ts';
import { batchText, rowsPage } from '../../../language/batch-words.ts';
import { slackStyle } from '../../../language/help.ts';
import { parseRows, secretsTyped } from '../../../language/parse.ts';
import { levelOfAction } from '../../../ledger/action.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { type Actor, personOf, type Role } from '../../../lib/actor.ts';
import { PROGRESS_MS } from '../../../lib/clock.ts';
import { SwitchboardError } from '../../../lib/errors.ts';
import { type Fields, objectIn, recordOf, recordsIn, textOf } from '../../../lib/values.ts';
import {
  type BatchValues,
  batchChoice,
  batchForm,
  batchList,
  batchMessage,
  FILE_BLOCK,
  LEAVE_BLOCK,
  LIST_BLOCK,
  leaveView,
  listText,
  rowsView,
  sharedFields,
} from '../blocks/batch.ts';
import { endedNotice } from '../blocks/card.ts';
import { enteredIn, readForm } from '../blocks/form.ts';
import * as ui from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { READER } from '../live/cards.ts';
import { maxAgeFor } from '../people/roles.ts';
import { IDS, type Origin, type SentView, type ViewAnswer } from '../types.ts';
import {
  type Acked,
  admitted,
  answerPending,
  askerNotes,
  type Click,
  type ClickHandler,
  type Clicks,
  errorsIn,
  type Flow,
  failureOf,
  openFor,
  openView,
  Reply,
  showBegun,
  showView,
  standsOnce,
} from './engine.ts';

/** The word of the command. */
export const BATCH_WORD = 'batch';

/** Maximum wait of a submitted form for the list. Slack expects its answer within three seconds. */
const READ_MS = 2_000;
/** Maximum wait for a plan. */
const PLAN_MS = 60 * 60_000;

/** The operations that can run as a batch. */
function batchable(tools: readonly Tool[]): Tool[] {
  return tools.filter((tool) => batchedBy(tool) !== undefined);
}

/** Answers `/batch`: alone with the person's batches, with an operation with its form. */
export function onBatchCommand(slack: SlackContext, text: string, origin: Origin): Acked {
  const { tools, config, batches } = slack;
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
  const lookup = slack.lookup.word === group ? slack.lookup : undefined;
  const { targets, parsed } = parseRows(lookup?.tool.group ?? group, rest.join(' '), tools);
  const list = targets.join('\n');
  const open = (tool: Tool, shared: Fields) => ({
    after: () => openBatchForm(slack, tool, { shared, list }, { origin }),
  });
  // "/batch number 0101 0103" has no word of an operation.
  if (lookup && parsed.kind === 'help' && parsed.tool === undefined) return open(lookup.tool, {});
  const secrets = parsed.kind === 'call' ? secretsTyped(parsed.tool, parsed.input) : [];
  if (secrets.length > 0)
    return {
      now: ui.notice('🔑', `${secrets.join(', ')} is secret and cannot be shared by a batch. Nothing was done.`),
    };
  if (parsed.kind === 'call' && batchedBy(parsed.tool)) return open(parsed.tool, parsed.input);
  const { title = `“${ui.cut(text.trim(), 60)}”` } = parsed.kind === 'call' ? parsed.tool : {};
  const why = `${title} cannot run over a list. Name an operation that can, for example ${command} numbers status.`;
  const choose = ui.button(`${IDS.batchNew}_0`, 'Choose what to do', list === '' ? '-' : list.split('\n').join(','));
  return { now: ui.notice('🤔', why, ...ui.buttonRow('batch:choose', choose)) };
}

/** The command or the press that a window is opened by. */
type OpenedBy = Pick<Click, 'origin' | 'postedTs'>;

/** Opens the form of a batch. */
function openBatchForm(slack: SlackContext, tool: Tool, values: BatchValues, from: OpenedBy): Promise<void> {
  const form = () => batchForm(tool, values, from.origin.channel || undefined, slack.reworded);
  return openWindow(slack, from, neededRole(tool), form);
}

/** Opens a window whose answer takes the place of the message that it was opened from, if only its reader sees that. */
async function openWindow(slack: SlackContext, { origin, postedTs }: OpenedBy, role: Role, view: () => Fields) {
  const id = await openFor(slack, origin, role, view);
  if (id !== undefined && origin.responseUrl && postedTs === undefined)
    slack.memory.responseUrls.set(id, origin.responseUrl);
}

export const batchFlow: Flow<'batch'> = {
  /** Shows a problem of the list at the list, otherwise plans the batch. Its writer reads the plan before anybody is asked. */
  async submit(slack, view, origin) {
    const { operation, edits, carried } = view.state;
    const tool = batchable(slack.tools).find(({ id }) => id === operation);
    if (tool === undefined) return { ack: { response_action: 'clear' } };
    const typed = textOf(enteredIn(view.values[LIST_BLOCK]));
    const [chosen] = recordsIn(recordOf(recordOf(view.values[FILE_BLOCK])[IDS.value]).files);
    const file = chosen && (textOf(chosen.url_private_download) || textOf(chosen.url_private) || undefined);
    if ((typed.trim() === '') === (file === undefined)) {
      const text = typed === '' ? 'Type the list, or choose a file.' : 'Give the list or a file, not both.';
      return errorsIn(view, { [LIST_BLOCK]: text });
    }
    const shared = { ...carried, ...readForm(sharedFields(tool), view.values) };
    const list = file === undefined ? LIST_BLOCK : FILE_BLOCK;
    return answerForm(slack, view, { list, risk: tool.risk, origin }, async (actor) => {
      const { batches, download } = slack;
      const before = edits === undefined ? undefined : await batches.view(edits, actor);
      // It got its yes while the form was open.
      if (before?.startedAt !== undefined)
        return { problem: 'This batch was confirmed and has begun, so it cannot be edited any more.' };
      const text = file === undefined ? typed : await download(file);
      const request = { operation: tool.id, list: { text }, shared, notes: askerNotes(origin), isHeld: true };
      if (before === undefined || !mayEdit(before)) return batches.create(request, actor);
      return inPlaceOf(slack, before, actor, batches.edit(before.id, request, actor, 'slack'));
    });
  },

  /** Shows the form of the operation that was chosen. */
  async press(slack, { id, state }, { actionId, value }) {
    const tool = batchable(slack.tools).find((candidate) => candidate.id === value);
    if (actionId !== IDS.batchChosen || tool === undefined) return;
    await showView(slack, id, batchForm(tool, { list: state.list ?? '' }, state.channel, slack.reworded));
  },
};

/** The batch that a form makes. `old`: the question that the batch takes the place of. */
type Made =
  | { view: BatchView; read?: string[]; old?: Action | undefined }
  | { problem: string; field?: string | undefined };
type Started = (Made & { actor: Actor }) | { refused: ui.Element[] };

/** Answers a form that makes a batch: by a problem at its list, if that is found while Slack waits. */
async function answerForm(
  slack: SlackContext,
  view: SentView,
  { list, risk, origin }: { list: string; risk: Risk; origin: Origin },
  make: (actor: Actor) => Promise<Made>,
): Promise<ViewAnswer> {
  const madeBy = async (): Promise<Started> => {
    const member = await slack.roles.admit(origin, neededRole({ risk }), maxAgeFor({ risk }));
    if ('refused' in member) return member;
    const { actor } = member;
    try {
      return { ...(await make(actor)), actor };
    } catch (error) {
      if (!(error instanceof SwitchboardError)) throw error;
      const { face, words } = failureOf(slack, error);
      return { actor, problem: words.replace(/^(Rows|File|id): /, ''), field: face.field };
    }
  };
  const work = madeBy();
  const started = await slack.web.inTime(work, READ_MS);
  if (started && 'refused' in started) return errorsIn(view, { [list]: ui.refusalText(started.refused) });
  if (started && 'problem' in started) {
    const { field = '', problem } = started;
    return errorsIn(view, { [field in view.values ? field : list]: problem });
  }
  return { ack: undefined, after: async () => showStarted(slack, await work, origin) };
}

/** A batch that takes the place of another one. A message that only this person sees shows it, and not the end before. */
async function inPlaceOf(
  { gate, memory: { asking } }: SlackContext,
  { confirmation = '' }: BatchView,
  actor: Actor,
  made: Promise<{ view: BatchView; read?: string[] }>,
): Promise<Made> {
  const key = `${confirmation} ${personOf(actor)}`;
  const reply = asking.get(key);
  asking.delete(key);
  // The question before still waits.
  if (reply) made.catch(() => asking.set(key, reply));
  return { ...(await made), old: await gate.actions.get(confirmation) };
}

async function showStarted(slack: SlackContext, started: Started, origin: Origin): Promise<void> {
  const { read = [] } = 'view' in started ? started : {};
  const reply = new Reply(slack, origin, { replaces: true, below: read.map((note) => ui.say(`ℹ️ ${note}`)) });
  if ('refused' in started) await reply.show({ text: 'Not sent', blocks: [ui.say('⛔ ', ...started.refused)] });
  else if ('problem' in started) await reply.show(ui.notice('⚠️', `${started.problem} Nothing was done.`));
  else {
    const { view, actor, old } = started;
    if (old === undefined || old.person === personOf(actor)) followPlan(slack, view.id, { actor, origin, reply });
    if (old === undefined) return;
    // The old card names the newer one, and has no "Ask again".
    await slack.gate.notes.merge(old.id, 'slack', { again: view.id });
    await slack.cards.sync(old.id);
  }
}

/** Waits in the background for the plan of a batch, then shows it to its writer, or the card of its reads. */
function followPlan(slack: SlackContext, id: string, asked: Asked): void {
  const { batches, cards, clock } = slack;
  const { actor, origin, reply } = asked;
  let told = clock.now() - PROGRESS_MS;
  const onView = (view: BatchView) => {
    if (view.state !== 'planning' || clock.now() - told < PROGRESS_MS) return;
    told = clock.now();
    reply.progress(batchMessage(view));
  };
  const follow = async () => {
    const { signal } = cards;
    const view = await batches.while(({ state }) => state === 'planning', id, actor, { ms: PLAN_MS, signal, onView });
    if (signal.aborted) return;
    // An own change is asked of its writer, who reads the plan as the question.
    const isOwn = slack.config.CONFIRM_OWN && view.asked !== undefined && levelOfAction(view.asked) === 'own';
    if (view.state === 'waiting' || isOwn) return askForBatch(slack, id, asked);
    if (view.plan?.risk !== 'read') {
      await standsOnce(slack, id, reply);
      return void (await reply.show(batchMessage(view)));
    }
    await cards.postBatch(view, origin.userId);
    const text = `${view.title}: reading ${view.total} rows. The app's direct message shows the result.`;
    await reply.show(ui.notice('⏳', text));
  };
  cards.track(follow());
}

/** Asks for the yes of a planned batch, and shows its writer where it waits. */
async function askForBatch(slack: SlackContext, id: string, { actor, origin, reply }: Asked): Promise<void> {
  try {
    const performed = await slack.batches.ask(id, actor, { notes: askerNotes(origin) });
    if (performed.kind === 'pending') await answerPending(slack, performed, { reply, person: personOf(actor) });
    // An own change that needs no question has begun.
    else await showBegun(slack, performed.actionId ?? '', id, reply);
  } catch (error) {
    await reply.show(ui.notice('❌', failureOf(slack, error).words));
  }
}

/** The window that asks which rows to leave out. The rows are compared with those of the batch. */
export const leaveOutFlow: Flow<'leave_out'> = {
  async submit(slack, view, origin) {
    const { batch } = view.state;
    const chosen = enteredIn(recordOf(view.values[LEAVE_BLOCK]));
    const rows = (Array.isArray(chosen) ? chosen : []).map(Number);
    return answerForm(slack, view, { list: LEAVE_BLOCK, risk: 'write', origin }, async (actor) => {
      const before = await slack.batches.view(batch, actor);
      const made = slack.batches.leaveOut(batch, rows, actor, 'slack').then((one) => ({ view: one }));
      return inPlaceOf(slack, before, actor, made);
    });
  },
};

/* Buttons on the card of a batch. The role and the person's right to this batch are checked again at each press. */

/** Makes a new batch of the rows that were not done. It is planned and asked about as any other list. */
export const askForRest = onBatch(async (slack, { id }, press) => {
  const { view } = await slack.batches.rest(id, press.actor, { notes: askerNotes(press.origin), isHeld: true });
  followPlan(slack, view.id, press);
});

export const BATCH_BUTTONS: Clicks = {
  /**
   * Opens the choice of an operation, or the form of one. The button of a search result carries its numbers, that of a
   * change in plain words its operation and values too.
   */
  [IDS.batchNew]: async (slack, click) => {
    const { value, origin } = click;
    const { operation, shared, list: lines } = objectIn(value) ?? {};
    const tool = slack.tools.find(({ id }) => id === operation);
    if (tool && Array.isArray(lines))
      return openBatchForm(slack, tool, { shared: recordOf(shared), list: lines.map(textOf).join('\n') }, click);
    const list = value === '-' ? undefined : value.split(',').join('\n');
    const { role = 'approver' } = (await slack.roles.timelyActor(origin)) ?? {};
    const offered = batchable(slack.tools).filter((one) => mayAsk(role, one));
    const state = { flow: 'batch' as const, channel: origin.channel || undefined, list };
    await openWindow(slack, click, 'viewer', () => batchChoice(offered, state));
  },
  [IDS.batchShow]: onBatch(async (slack, view, press) => {
    if (mayEdit(view) && view.actorId === press.actor.id) followPlan(slack, view.id, press);
    else await press.reply.add(batchMessage(view));
  }),
  /** Asks for the yes of a planned batch. The answer takes the place of the plan. */
  [IDS.batchAsk]: onBatch(async (slack, view, press) => {
    const reply = new Reply(slack, press.origin, { replaces: true });
    // It has begun by another press, or on another surface.
    if (!mayEdit(view)) await showBegun(slack, view.confirmation ?? '', view.id, reply);
    else await askForBatch(slack, view.id, { ...press, reply });
  }),
  /** Opens the form of a batch that has not begun with its list. */
  [IDS.batchEdit]: onBatch(async (slack, view, press) => {
    const { actor, reply } = press;
    const tool = slack.tools.find(({ id }) => id === view.operation);
    if (!mayEdit(view)) return void (await reply.add(await overAnswer(slack, view)));
    if (view.requester.person !== personOf(actor))
      return void (await reply.add(ui.notice('🤔', 'Only the requester can edit this. Nothing was changed.')));
    if (tool === undefined) return;
    const list = listText(tool, await slack.batches.rows(view.id, actor));
    const { input } = await slack.batches.question(view.id, actor);
    await openBatchForm(slack, tool, { list, shared: recordOf(input.Fields), edits: view.id }, press);
  }),
  [IDS.stop]: onBatch(async (slack, before, { origin, actor, reply }) => {
    if (isOver(before.state)) return void (await reply.add(await overAnswer(slack, before)));
    const view = await slack.batches.stop(before.id, actor, 'slack');
    // A plan is a message that only its writer sees, which says what became of it.
    if (before.state === 'planned') await new Reply(slack, origin, { replaces: true }).show(batchMessage(view));
    // This message is not edited again, so it has no figures of a run.
    else await reply.add(ui.notice('ℹ️', `${view.title}: no further row is sent. Its card shows how it ends.`));
  }),
  /** Opens the window with all rows, or turns its page. */
  [IDS.rows]: onBatch(async (slack, view, { actor, value, origin, view: open }) => {
    const rows = await slack.batches.rows(view.id, actor, 'exceptions first');
    const window = rowsView(view, rowsPage(rows, Number(value.split('|')[1])), slack.reworded);
    await (open ? showView(slack, open.id, window) : openView(slack, origin, window));
  }),
  /** Sends the rows as a CSV file in the person's direct messages, because Slack shows a file in a channel to all of it. */
  [IDS.results]: onBatch(async ({ web, batches }, view, { actor, reply, origin }) => {
    const which = view.startedAt === undefined ? 'plan' : 'results';
    const content = Buffer.from(await batches.csv(view.id, actor, which));
    const title = `${which === 'plan' ? 'Plan' : 'Results'}: ${view.title}`;
    const name = `${title.replace(/[^\w+]+/g, '-').slice(0, 80)}.csv`;
    await web.upload({ name, title, content, channel: await web.open(origin.userId) });
    await reply.add(ui.notice('📄', `${title}: the file is in your direct messages.`));
  }),
  [IDS.rest]: askForRest,
  /** Opens the window that asks which rows to leave out. */
  [IDS.leave]: onBatch(async (slack, view, press) => {
    if (!mayEdit(view)) return void (await press.reply.add(await overAnswer(slack, view)));
    const rows = await slack.batches.rows(view.id, press.actor, 'exceptions first');
    await openWindow(slack, press, 'viewer', () => leaveView(view, rows, press.origin.channel));
  }),
};

/**
 * Answers a press on a question that has ended, which may be that of a batch. `lost` says what the press did not do.
 */
export async function endedAnswer(slack: SlackContext, action: Action, lost = ''): Promise<ui.Message> {
  const id = action.operation === BATCH_RUN ? String(action.shown.Batch) : undefined;
  // A deleted batch is described by its question alone.
  const batch = id === undefined ? undefined : await slack.batches.view(id, READER).catch(() => undefined);
  return endedNotice(slack, action, lost, batch);
}

/** Answers a press on a batch that does not wait, with the decider and the outcome. */
async function overAnswer(slack: SlackContext, view: BatchView): Promise<ui.Message> {
  const { confirmation, title } = view;
  const question = confirmation === undefined ? undefined : await slack.gate.actions.get(confirmation);
  if (question !== undefined && question.state !== 'pending') return endedAnswer(slack, question);
  return ui.notice('ℹ️', `${title}. ${batchText(view, 'slack')}`);
}

/** True for a batch that was planned, and waits for a yes or is not asked about yet. */
function mayEdit({ state }: BatchView): boolean {
  return state === 'planned' || state === 'waiting';
}

/** The person of a batch, and where it is answered. */
type Asked = Pick<Click, 'origin' | 'reply'> & { actor: Actor };

/** The handler of a button of a batch, for a person who may see that. A refusal is answered. */
function onBatch(work: (slack: SlackContext, view: BatchView, press: Click & Asked) => Promise<void>): ClickHandler {
  return async (slack, click) => {
    const { origin, value, reply } = click;
    const member = await admitted(slack, origin, 'viewer', reply);
    if (!member) return;
    try {
      const view = await slack.batches.view(value.split('|')[0] ?? '', member.actor);
      await work(slack, view, { ...click, actor: member.actor });
    } catch (error) {
      if (!(error instanceof SwitchboardError)) throw error;
      const { face, words } = failureOf(slack, error);
      const text = face.code === 'not_found' ? 'Only its requester and approvers can do this.' : words;
      await reply.add(ui.notice('⛔', text));
    }
  };
}
