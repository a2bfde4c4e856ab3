import { type BatchView, isOver } from '../../../batches/batches.ts';
import { BATCH_RUN } from '../../../gate/frozen-batch.ts';
import { batchText, rowsPage } from '../../../language/batch-words.ts';
import type { Action } from '../../../ledger/ledger.ts';
import type { Actor } from '../../../lib/actor.ts';
import { SwitchboardError } from '../../../lib/errors.ts';
import { objectIn, recordOf, textOf } from '../../../lib/json.ts';
import { batchMessage, leaveView, rowsView } from '../blocks/batch.ts';
import { endedNotice } from '../blocks/ended.ts';
import { escaped, type Message, notice, say } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { askForBatch, editBatch, followPlan, openBatchChoice, openBatchForm } from '../flows/batch.ts';
import { admitted, failureOf, linkTo, Reply } from '../flows/engine.ts';
import { READER } from '../live/messages.ts';
import { askerNotes } from '../types.ts';
import type { Click, ClickHandler } from './click.ts';

/* Buttons on the card of a batch. The role and the person's right to this batch are checked again at each click. */

/**
 * Opens the choice of an operation, or the form of one. The button of a search result carries its numbers, that of a
 * change in plain words its operation and values too.
 */
export async function newBatch(slack: SlackContext, { value, origin }: Click): Promise<void> {
  const { operation, shared, list } = objectIn(value) ?? {};
  const tool = slack.tools.find(({ id }) => id === operation);
  if (tool && Array.isArray(list))
    return openBatchForm(slack, tool, { shared: recordOf(shared), list: list.map(textOf).join('\n') }, origin);
  await openBatchChoice(slack, value === '-' ? '' : value.split(',').join('\n'), origin);
}

export const showBatch = onBatch(async (slack, { origin }, { view, actor, reply }) => {
  if (view.state === 'waiting' && view.actorId === actor.id) followPlan(slack, view.id, { actor, origin, reply });
  else await reply.add(batchMessage(view));
});

/** Asks for the yes of a planned batch. The answer takes the place of the plan. */
export const askPlanned = onBatch(async (slack, { origin }, { view, actor }) => {
  const reply = new Reply(slack, origin, { replaces: true });
  if (view.state !== 'planned') await reply.show(batchMessage(view));
  else await askForBatch(slack, view.id, { actor, origin, reply });
});

/** Opens the form of a planned batch with its list. */
export const editPlanned = onBatch(async (slack, { origin }, { view, actor, reply }) => {
  if (view.state !== 'planned') await reply.add(await overAnswer(slack, view));
  else await editBatch(slack, view, actor, origin);
});

export const stopBatch = onBatch(async (slack, { origin }, { view: before, actor, reply }) => {
  if (isOver(before.state)) return void (await reply.add(await overAnswer(slack, before)));
  const view = await slack.batches.stop(before.id, actor, 'slack');
  // A plan is a message that only its writer sees, which says what became of it.
  if (before.state === 'planned') await new Reply(slack, origin, { replaces: true }).show(batchMessage(view));
  else await reply.add(notice('ℹ️', `${view.title}. ${batchText(view, 'slack')}`));
});

/** Opens the window with all rows, or turns its page. */
export const showRows = onBatch(async (slack, { value, origin: { triggerId }, view: open }, { view, actor }) => {
  const rows = await slack.batches.rows(view.id, actor, 'exceptions first');
  const window = rowsView(view, rowsPage(rows, Number(value.split('|')[1])), slack.reworded);
  if (open) await slack.web.updateView(open.id, window);
  else if (triggerId !== undefined) await slack.web.openView(triggerId, window);
});

/** Sends the rows as CSV to the person who clicked, alone. */
export const sendResults = onBatch(async (slack, { origin }, { view, actor, reply }) => {
  const { web, batches, log } = slack;
  const which = view.startedAt === undefined ? 'plan' : 'results';
  const content = Buffer.from(await batches.csv(view.id, actor, which));
  const channel = await web.open(origin.userId);
  const { id, url } = await web.reserveUpload({ name: `${view.id}.csv`, length: content.length });
  await web.upload(url, content);
  const isHere = origin.channel === channel;
  await web.completeUpload(id, view.title, channel, isHere ? origin.threadTs : undefined);
  const name = `The ${which} of “${view.title}”, as a CSV file`;
  if (isHere) return void (await reply.add(notice('📄', `${name}.`)));
  // Slack does not say which message shows the file, so a message beside it is linked.
  const link = await web
    .post(channel, notice('📄', `${name}.`))
    .then((at) => linkTo(slack, at, 'Open the file'))
    .catch((error: unknown) => log('info', { error: String(error) }, 'a file could not be linked'));
  const where = `${name}: in your direct messages with the app. `;
  await reply.add({ text: escaped(where), blocks: [say('📄 ', where, ...(link ? [link] : []))] });
});

/** Makes a new batch of the rows that were not done. It is planned and asked about as any other list. */
export const askForRest = onBatch(async (slack, { origin }, { view: { id }, actor, reply }) => {
  const { view } = await slack.batches.rest(id, actor, { notes: askerNotes(origin), isHeld: true });
  followPlan(slack, view.id, { actor, origin, reply });
});

/** Opens the window that asks which rows to leave out. */
export const leaveRowsOut = onBatch(async (slack, { origin: { triggerId, channel } }, { view, actor, reply }) => {
  if (view.state !== 'waiting' && view.state !== 'planned')
    return void (await reply.add(await overAnswer(slack, view)));
  const rows = await slack.batches.rows(view.id, actor, 'exceptions first');
  if (triggerId !== undefined) await slack.web.openView(triggerId, leaveView(view, rows, channel));
});

/**
 * Answers a press on a question that has ended, which may be that of a batch. `lost` says what the press did not do.
 */
export async function endedAnswer(slack: SlackContext, action: Action, lost = ''): Promise<Message> {
  const id = action.operation === BATCH_RUN ? String(action.shown.Batch) : undefined;
  // A deleted batch is described by its question alone.
  const batch = id === undefined ? undefined : await slack.batches.view(id, READER).catch(() => undefined);
  return endedNotice(action, slack.gate.tool(action.operation), slack.reworded, lost, batch);
}

/** Answers a press on a batch that does not wait, with the decider and the outcome. */
async function overAnswer(slack: SlackContext, view: BatchView): Promise<Message> {
  const { confirmation, title } = view;
  const question = confirmation === undefined ? undefined : await slack.gate.actions.get(confirmation);
  if (question !== undefined && question.state !== 'pending') return endedAnswer(slack, question);
  return notice('ℹ️', `${title}. ${batchText(view, 'slack')}`);
}

/** The handler of a button of a batch, for a person who may see that. A refusal is answered. */
function onBatch(
  work: (slack: SlackContext, click: Click, on: { view: BatchView; actor: Actor; reply: Reply }) => Promise<void>,
): ClickHandler {
  return async (slack, click, reply) => {
    const member = await admitted(slack, click.origin, 'viewer', reply);
    if (!member) return;
    const { actor } = member;
    try {
      const view = await slack.batches.view(click.value.split('|')[0] ?? '', actor);
      await work(slack, click, { view, actor, reply });
    } catch (error) {
      if (!(error instanceof SwitchboardError)) throw error;
      const { face, words } = failureOf(slack, error);
      const text = face.code === 'not_found' ? 'Only its requester and approvers can do this.' : words;
      await reply.add(notice('⛔', text));
    }
  };
}
