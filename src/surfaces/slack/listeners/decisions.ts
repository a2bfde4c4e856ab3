import { mayBeCard } from '../../../../tools/surfaces/tasks.ts';
import { type BatchView, isOver } from '../../../batches/batches.ts';
import { act, mayAskAgain } from '../../../cards/actions.ts';
import { ownReason, secretLabel } from '../../../cards/question.ts';
import type { Refusal } from '../../../gate/approval.ts';
import { BATCH_RUN } from '../../../gate/frozen-batch.ts';
import { givenOf } from '../../../gate/question.ts';
import { batchText, rowsPage } from '../../../language/batch-words.ts';
import { codesMade } from '../../../language/outcome.ts';
import { levelOfAction } from '../../../ledger/action.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { type Actor, personOf, type Role } from '../../../lib/actor.ts';
import { asSwitchboardError, SwitchboardError } from '../../../lib/errors.ts';
import { defined, objectIn, recordOf, textOf } from '../../../lib/values.ts';
import { isStoreUnavailable } from '../../../store/key-values.ts';
import { batchMessage, leaveView, rowsView } from '../blocks/batch.ts';
import { actionMessage, confirmElsewhere, endedNotice, titleOf, wholeView } from '../blocks/card.ts';
import { changeRow } from '../blocks/fitting.ts';
import { reasonIn, whyView } from '../blocks/form.ts';
import { activationMessage } from '../blocks/result.ts';
import { type Message, notice, onceMessage, refusalMessage, rich, say } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { askForBatch, editBatch, followPlan, openBatchChoice, openBatchForm, openWindow } from '../flows/batch.ts';
import {
  admitted,
  type Click,
  type ClickHandler,
  type Flow,
  failureOf,
  openView,
  Reply,
  showView,
} from '../flows/engine.ts';
import { openOrSay } from '../flows/forms.ts';
import { guideNote } from '../flows/guide-flow.ts';
import { doneMessage, failureNotice } from '../flows/run.ts';
import { READER, SETTLED } from '../live/messages.ts';
import { askerNotes, cardAt, elsewhereOf, IDS, isOwnQuestion, noteOf, type Origin } from '../types.ts';

/* Buttons on an action's card. The role, the card and the gate's rules are checked again at each click. */

/** The person who pressed a button, and the action of its card. */
interface Card {
  actor: Actor;
  action: Action;
}

/** The place of a decision: where it was pressed, and the window that shows the question. */
interface Place {
  origin: Origin;
  viewId: string | undefined;
}

export async function confirm(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  const card = await deciderFor(slack, click, reply, 'confirm');
  if (!card) return;
  const { actor, action } = card;
  const { origin } = click;
  const tool = slack.tools.find(({ id }) => id === action.operation);
  // The answer to a command that only its writer sees becomes the outcome.
  const own = tool && isPrivate(click, action) ? new Reply(slack, origin, { replaces: true }) : undefined;
  try {
    const done = await slack.gate.confirm(action.id, actor, 'slack');
    if (done.kind === 'done') {
      if (own && tool) await own.show(await doneMessage(slack, { tool, input: action.shown, origin }, done, { actor }));
      if (done.once) await showOnce(slack, card, done.once, reply);
      // Not on the card, which the channel reads, and not in a direct message, which Slack stores.
      const isNew = codesMade({ ...action, result: done.value }).length > 0;
      const revealed = isNew ? await slack.gate.reveal({ action: action.id }, actor) : undefined;
      const activation =
        revealed && activationMessage(revealed, action.id, mayBeCard(action.shown, recordOf(action.notes.guide)));
      if (activation) await reply.addEphemeral(activation, cardAt(action)?.channel);
    }
  } catch (error) {
    if (await isNotConfirmed(slack, click, reply, action, error)) return;
    if (own && tool) return void (await own.show(failureNotice(slack, tool, asSwitchboardError(error).face)));
  }
  await showOutcome(slack, { origin, viewId: click.view?.id }, action);
}

/** True for the answer to a command that only its writer sees. It has no card that could show the outcome. */
function isPrivate(click: Click, action: Action): boolean {
  return isOwnQuestion(action) && click.messageTs !== undefined && click.postedTs === undefined;
}

/** Opens the form of a waiting change with its values. The form's change replaces the question. */
export async function edit(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  const card = await cardFor(slack, click, reply, 'operator');
  if (!card) return;
  const { actor, action } = card;
  const tool = slack.tools.find(({ id }) => id === action.operation);
  const ended = await endedOf(slack, action);
  if (ended) return answerEnded(slack, click, reply, ended, 'It cannot be edited any more.');
  if (personOf(actor) !== action.person)
    return void (await reply.add(notice('🤔', 'Only the requester can edit this. Nothing was changed.')));
  const { from, thread } = noteOf(action);
  const { responseUrl, ...rest } = click.origin;
  const origin = {
    ...rest,
    ...defined({
      channel: click.origin.channel ?? from,
      threadTs: thread,
      // The new question takes the place of a message that only its reader sees. Other messages are updated as cards.
      responseUrl: click.postedTs === undefined ? responseUrl : undefined,
    }),
  };
  const input = givenOf(action.shown, action);
  await openOrSay(slack, tool, input, { ...origin, reason: ownReason(action), replaces: action.id });
}

/**
 * Opens the window that declines, with an optional reason. One's own request is withdrawn at once, and its requester has a
 * button of that name.
 */
export async function decline(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  const card = await deciderFor(slack, click, reply, 'decline');
  if (!card) return;
  const { actor, action } = card;
  const { origin, view } = click;
  const isWithdrawal = click.actionId === IDS.withdraw;
  const title = titleOf(action, slack.gate.tool(action.operation));
  if (personOf(actor) === action.person) {
    const isDone = await declineAs(slack, card, { origin, viewId: view?.id }, click, reply);
    // A card shows its end itself.
    if (isDone && isPrivate(click, action))
      await new Reply(slack, origin, { replaces: true }).show(notice('🚫', `Withdrawn: ${title}. Nothing was sent.`));
    return;
  }
  if (isWithdrawal)
    return void (await reply.add(notice('🤔', 'Only the requester can withdraw this. Nothing was done.')));
  const state = { flow: 'decline' as const, action: action.id, channel: origin.channel || undefined, below: view?.id };
  const above = view !== undefined;
  if ((await openView(slack, origin, whyView(action, title, state), { flow: 'decline', above })) === undefined)
    await reply.add(notice('⚠️', 'Slack did not open the window. Nothing was declined. Press the button again.'));
}

/** The window that declines. */
export const declineFlow: Flow<'decline'> = {
  submit: async (slack, { state, values }, from) => {
    const after = async () => {
      const origin: Origin = { ...from, ...defined({ channel: state.channel }) };
      const reply = new Reply(slack, origin);
      const click = { actionId: IDS.decline, value: state.action, messageTs: undefined, origin };
      const card = await deciderFor(slack, click, reply, 'decline');
      const place = { origin, viewId: state.below };
      if (card) await declineAs(slack, card, place, click, reply, reasonIn(values)?.trim());
    };
    return { ack: undefined, after };
  },
};

/** Declines, and shows that. False if the question had ended before, which is answered. */
async function declineAs(
  slack: SlackContext,
  { actor, action }: Card,
  place: Place,
  click: Click,
  reply: Reply,
  reason?: string,
): Promise<boolean> {
  let isDeclined = true;
  try {
    await slack.gate.decline(action.id, actor, 'slack', { reason });
  } catch (error) {
    if (await isNotConfirmed(slack, click, reply, action, error)) return false;
    isDeclined = false;
  }
  await showOutcome(slack, place, action);
  return isDeclined;
}

/** Updates the card and the window of a decision. */
async function showOutcome(slack: SlackContext, { viewId }: Place, { id }: Action): Promise<void> {
  const { cards, gate } = slack;
  await cards.sync(id);
  const ended = viewId === undefined ? undefined : await gate.actions.get(id);
  // A guide draws its own view after the decision.
  if (ended && viewId !== undefined && !guideNote(ended)) await showView(slack, viewId, wholeViewOf(slack, ended));
}

function wholeViewOf({ gate, reworded }: SlackContext, action: Action) {
  const [elsewhere, pageUrl] = [elsewhereOf(gate, action.id), gate.pageUrl(action.id)];
  return wholeView(action, { tool: gate.tool(action.operation), reworded, elsewhere, pageUrl });
}

/** Opens everything that will be sent, with the buttons of the decision. */
export async function showEverything(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  const card = await cardFor(slack, click, reply, 'viewer');
  if (!card) return;
  const opened = await openView(slack, click.origin, wholeViewOf(slack, card.action), { flow: 'everything' });
  if (opened === undefined) await reply.add(notice('⚠️', 'Slack did not open the window. Press the button again.'));
}

/** The person and the action of a decision; undefined if it has ended or the gate refused it, and the person was answered. */
async function deciderFor(
  slack: SlackContext,
  click: Click,
  reply: Reply,
  decision: 'confirm' | 'decline',
): Promise<Card | undefined> {
  const card = await cardFor(slack, click, reply, 'viewer');
  if (!card) return undefined;
  const ended = await endedOf(slack, card.action);
  const refusal = slack.gate.refusal(decision, card.action, card.actor, 'slack');
  if (ended) await answerEnded(slack, click, reply, ended);
  else if (refusal) {
    await reply.add(refusedDecision(slack, refusal, card));
    if (refusal.why === 'way') await slack.cards.sync(card.action.id);
  } else return card;
  return undefined;
}

/** The gate's refusal, with mentions of the people who may decide, or a link to the page. */
function refusedDecision(slack: SlackContext, refusal: Refusal, { actor, action }: Card): Message {
  const elsewhere = elsewhereOf(slack.gate, action.id);
  if (elsewhere)
    return {
      text: 'Nothing was done. This cannot be decided in Slack.',
      blocks: [say('Nothing was done.'), confirmElsewhere(elsewhere)],
    };
  const lacking = slack.roles.lacking(levelOfAction(action) === 'own' ? 'operator' : 'approver', actor.role);
  if (refusal.why === 'role')
    return refusalMessage([
      ...lacking,
      rich.text('\nThe question goes on waiting. Its requester can edit or withdraw it.'),
    ]);
  return refusalMessage([{ type: 'text', text: `${refusal.message} Nothing was done. ` }, ...lacking.slice(1)]);
}

/**
 * Logs a failed decision. True if the action was decided or expired before, which is answered. Throws the error again
 * while the database is away, because the card cannot show that.
 */
async function isNotConfirmed(
  slack: SlackContext,
  click: Click,
  reply: Reply,
  action: Action,
  error: unknown,
): Promise<boolean> {
  if (isStoreUnavailable(error)) throw error;
  const { face, words } = failureOf(slack, error, action.operation);
  if (face.code !== 'not_confirmed') return false;
  const ended = await endedOf(slack, action);
  // The gate withdraws a question that lacks a warning, and says why.
  if (ended && face.next === undefined) await answerEnded(slack, click, reply, ended);
  else {
    await reply.add(notice('ℹ️', `${titleOf(action, slack.gate.tool(action.operation))}: ${words}`));
    await slack.cards.sync(action.id);
  }
  return true;
}

/**
 * Says how a question ended. A message that only one person reads is replaced: by the outcome if the change was sent.
 * Otherwise the answer is added below it.
 *
 * @param lost what the press did not do
 */
async function answerEnded(slack: SlackContext, click: Click, reply: Reply, ended: Action, lost = ''): Promise<void> {
  const message = await endedAnswer(slack, ended, lost);
  const isRefused = ended.state === 'declined' || ended.state === 'expired';
  const tool = slack.gate.tool(ended.operation);
  if (SETTLED.has(ended.state) && !isRefused && isPrivate(click, ended) && ended.operation !== BATCH_RUN) {
    const { reworded, gate } = slack;
    const outcome = actionMessage(ended, { tool, reworded, timeZone: gate.timeZone, reader: 'requester' });
    await new Reply(slack, click.origin, { replaces: true }).show(outcome);
  } else if (isRefused && isPrivate(click, ended)) {
    const row = mayAskAgain(ended) && ended.state === 'expired' ? changeRow(ended, [act('again', ended.id)]) : [];
    await new Reply(slack, click.origin, { replaces: true }).show({ ...message, blocks: [...message.blocks, ...row] });
  } else await reply.add(message);
  await slack.cards.sync(ended.id);
}

/** The action as it is now, if it does not wait any more. */
async function endedOf(slack: SlackContext, { id }: Action): Promise<Action | undefined> {
  const now = await slack.gate.actions.get(id);
  return now?.state === 'pending' ? undefined : now;
}

/** Shows a secret to the person who confirmed, once. */
async function showOnce(
  slack: SlackContext,
  { actor, action }: Card,
  once: Record<string, string>,
  reply: Reply,
): Promise<void> {
  const now = (await slack.gate.actions.get(action.id)) ?? action;
  // The sealed copy is removed first, so that no other surface can show it.
  await slack.gate.takeOnce(action.id, personOf(actor));
  const tool = slack.gate.tool(now.operation);
  const labelOf = (name: string) => secretLabel(name, tool, now.shown);
  if (await reply.addEphemeral(onceMessage(once, labelOf), cardAt(now)?.channel)) return;
  const names = Object.keys(once).map(labelOf).join(', ');
  const text = `${names} was set, but Slack could not show it to you alone, so it is not shown and not kept. Set a new one from a channel that the app is in.`;
  await reply.add(notice('🔑', text));
}

/**
 * The person and the action of a card; undefined if the click was refused and answered. Every copy of a card counts,
 * because Slack may show it twice.
 */
export async function cardFor(slack: SlackContext, click: Click, reply: Reply, role: Role): Promise<Card | undefined> {
  const member = await admitted(slack, click.origin, role, reply);
  if (!member) return undefined;
  const { messageTs, value } = click;
  const action = /^act_[\w-]{10,64}$/.test(value) ? await slack.gate.actions.get(value) : undefined;
  const isCard = action && messageTs !== undefined && !isPrivate(click, action);
  const at = { channel: click.origin.channel, ts: messageTs ?? '' };
  if (isCard) await slack.cards.clicked(action, at);
  if (action) return { actor: member.actor, action };
  await reply.add(notice('🤔', 'This request is unknown. Nothing was done. Ask for it again.'));
  return undefined;
}

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

const MAX_FILE_NAME = 80;

/**
 * Sends the rows as a CSV file: in the thread of the card. Where the card is one that only its reader sees, the file is
 * in their direct messages, because Slack shows a file in a channel to all of it.
 */
export const sendResults = onBatch(async (slack, click, { view, actor, reply }) => {
  const { web, batches } = slack;
  const { channel: here = '', userId, threadTs } = click.origin;
  const which = view.startedAt === undefined ? 'plan' : 'results';
  const content = Buffer.from(await batches.csv(view.id, actor, which));
  const direct = await web.open(userId);
  const isPublic = here !== direct && click.postedTs !== undefined;
  const title = `${which === 'plan' ? 'Plan' : 'Results'}: ${view.title}`;
  const name = `${title.replace(/[^\w+]+/g, '-').slice(0, MAX_FILE_NAME)}.csv`;
  const { id, url } = await web.reserveUpload({ name, length: content.length });
  await web.upload(url, content);
  const thread = threadTs ?? click.postedTs;
  await web.completeUpload(id, title, isPublic ? here : direct, here === direct || isPublic ? thread : undefined);
  if (here !== direct && !isPublic) await reply.add(notice('📄', `${title}: the file is in your direct messages.`));
});

/** Makes a new batch of the rows that were not done. It is planned and asked about as any other list. */
export const askForRest = onBatch(async (slack, { origin }, { view: { id }, actor, reply }) => {
  const { view } = await slack.batches.rest(id, actor, { notes: askerNotes(origin), isHeld: true });
  followPlan(slack, view.id, { actor, origin, reply });
});

/** Opens the window that asks which rows to leave out. */
export const leaveRowsOut = onBatch(async (slack, { origin }, { view, actor, reply }) => {
  if (view.state !== 'waiting' && view.state !== 'planned')
    return void (await reply.add(await overAnswer(slack, view)));
  const rows = await slack.batches.rows(view.id, actor, 'exceptions first');
  await openWindow(slack, origin, 'viewer', () => leaveView(view, rows, origin.channel));
});

/**
 * Answers a press on a question that has ended, which may be that of a batch. `lost` says what the press did not do.
 */
async function endedAnswer(slack: SlackContext, action: Action, lost = ''): Promise<Message> {
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
