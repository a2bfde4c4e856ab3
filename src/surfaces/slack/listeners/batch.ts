import { type BatchView, isOver } from '../../../batches/batches.ts';
import { BATCH_RUN } from '../../../gate/frozen-batch.ts';
import { batchText, rowsPage } from '../../../language/batch-words.ts';
import { failureWords } from '../../../language/failure.ts';
import type { Action } from '../../../ledger/ledger.ts';
import type { Actor } from '../../../lib/actor.ts';
import { SwitchboardError } from '../../../lib/errors.ts';
import { objectIn, recordOf, textOf } from '../../../lib/json.ts';
import { batchMessage, leaveView, rowsView } from '../blocks/batch.ts';
import { endedNotice } from '../blocks/ended.ts';
import { escaped, type Message, notice, say } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { askForBatch, editBatch, followPlan, openBatchChoice, openBatchForm } from '../flows/batch.ts';
import { admitted, Reply } from '../flows/engine.ts';
import { READER } from '../live/messages.ts';
import { askerNotes } from '../types.ts';
import type { Click } from './click.ts';

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

export async function showBatch(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  await withBatch(slack, click, reply, async (view, actor) => {
    if (view.state === 'waiting' && view.actorId === actor.id)
      followPlan(slack, view.id, actor, { origin: click.origin, reply });
    else await reply.add(batchMessage(view));
  });
}

/** Asks for the yes of a planned batch. The answer takes the place of the plan. */
export async function askPlanned(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  const { origin } = click;
  await withBatch(slack, click, reply, async (view, actor) => {
    const replacing = new Reply(slack, origin, { replaces: true });
    if (view.state !== 'planned') await replacing.show(batchMessage(view));
    else await askForBatch(slack, view.id, actor, { origin, reply: replacing });
  });
}

/** Opens the form of a planned batch with its list. */
export async function editPlanned(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  await withBatch(slack, click, reply, async (view, actor) => {
    if (view.state !== 'planned') await reply.add(await overAnswer(slack, view));
    else await editBatch(slack, view, actor, click.origin);
  });
}

export async function stopBatch(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  await withBatch(slack, click, reply, async (before, actor) => {
    if (isOver(before.state)) return void (await reply.add(await overAnswer(slack, before)));
    const view = await slack.batches.stop(before.id, actor, 'slack');
    // A plan is a message that only its writer sees, which says what became of it.
    if (before.state === 'planned') await new Reply(slack, click.origin, { replaces: true }).show(batchMessage(view));
    else await reply.add(notice('ℹ️', `${view.title}. ${batchText(view, 'slack')}`));
  });
}

/** Opens the window with all rows, or turns its page. */
export async function showRows(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  await withBatch(slack, click, reply, async (view, actor) => {
    const rows = await slack.batches.rows(view.id, actor, 'exceptions first');
    const page = rowsPage(rows, Number(click.value.split('|')[1]));
    const window = rowsView(view, page, slack.reworded);
    const { triggerId } = click.origin;
    if (click.view) await slack.web.updateView(click.view.id, window);
    else if (triggerId !== undefined) await slack.web.openView(triggerId, window);
  });
}

/** Sends the rows as CSV to the person who clicked, alone. */
export async function sendResults(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  await withBatch(slack, click, reply, async (view, actor) => {
    const which = view.startedAt === undefined ? 'plan' : 'results';
    const content = Buffer.from(await slack.batches.csv(view.id, actor, which));
    const channel = await slack.web.open(click.origin.userId);
    const { id, url } = await slack.web.reserveUpload({ name: `${view.id}.csv`, length: content.length });
    await slack.web.upload(url, content);
    const threadTs = click.origin.channel === channel ? click.origin.threadTs : undefined;
    await slack.web.completeUpload(id, view.title, channel, threadTs);
    const name = which === 'plan' ? 'The plan' : 'The results';
    if (click.origin.channel === channel) return void (await reply.add(notice('📄', `${name}, as a CSV file.`)));
    // Slack does not say which message shows the file, so a message beside it is linked.
    const link = await linkTo(slack, channel, notice('📄', `${name} of “${view.title}”, as a CSV file.`));
    const where = `${name} ${which === 'plan' ? 'is' : 'are'} in your direct messages with the app, as a CSV file. `;
    await reply.add({
      text: escaped(where),
      blocks: [say('📄 ', where, ...(link ? [{ type: 'link', url: link, text: 'Open the file' }] : []))],
    });
  });
}

/** Posts a message. Resolves to its link, or to undefined if Slack refuses: the link is only a convenience. */
async function linkTo(slack: SlackContext, channel: string, message: Message): Promise<string | undefined> {
  try {
    return await slack.web.permalink(await slack.web.post(channel, message));
  } catch (error) {
    slack.log('info', { error: String(error) }, 'a file could not be linked');
    return undefined;
  }
}

/** Makes a new batch of the rows that were not done. It is planned and asked about as any other list. */
export async function askForRest(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  const { origin } = click;
  await withBatch(slack, click, reply, async ({ id }, actor) => {
    const { view } = await slack.batches.rest(id, actor, { notes: askerNotes(origin), isHeld: true });
    followPlan(slack, view.id, actor, { origin, reply });
  });
}

/** Opens the window that asks which rows to leave out. */
export async function leaveRowsOut(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  await withBatch(slack, click, reply, async (view, actor) => {
    const { triggerId, channel } = click.origin;
    if (view.state !== 'waiting' && view.state !== 'planned') await reply.add(await overAnswer(slack, view));
    else if (triggerId !== undefined)
      await slack.web.openView(
        triggerId,
        leaveView(view, await slack.batches.rows(view.id, actor, 'exceptions first'), channel),
      );
  });
}

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

/** Does work on the batch of a button, for a person who may see it. A refusal is answered. */
async function withBatch(
  slack: SlackContext,
  { value, origin }: Click,
  reply: Reply,
  work: (view: BatchView, actor: Actor) => Promise<void>,
): Promise<void> {
  const member = await admitted(slack, origin, 'viewer', reply);
  if (!member) return;
  try {
    const { actor } = member;
    await work(await slack.batches.view(value.split('|')[0] ?? '', actor), actor);
  } catch (error) {
    if (!(error instanceof SwitchboardError)) throw error;
    const text =
      error.face.code === 'not_found'
        ? 'Only its requester and approvers can do this.'
        : slack.reworded(failureWords(error.face, 'slack'));
    await reply.add(notice('⛔', text));
  }
}
