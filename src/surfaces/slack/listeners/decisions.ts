import { mayBeCard } from '../../../../tools/surfaces/tasks.ts';
import { ownReason } from '../../../cards/requester.ts';
import { secretLabel } from '../../../cards/secret.ts';
import type { Refusal } from '../../../gate/approval.ts';
import { givenOf } from '../../../gate/question.ts';
import { failureWords } from '../../../language/failure.ts';
import { codesMade } from '../../../language/outcome.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { levelOfAction } from '../../../ledger/level.ts';
import { type Actor, personOf, type Role } from '../../../lib/actor.ts';
import { asSwitchboardError, severity } from '../../../lib/errors.ts';
import { defined, recordOf } from '../../../lib/json.ts';
import { isStoreUnavailable } from '../../../store/key-values.ts';
import { confirmElsewhere, isTold, titleOf, toldRow, wholeView } from '../blocks/card.ts';
import { activationMessage } from '../blocks/esim.ts';
import { reasonIn, whyView } from '../blocks/form.ts';
import { type Message, notice, onceMessage, refusalMessage, say } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { admitted, type Flow, openView, Reply, showView } from '../flows/engine.ts';
import { openForm } from '../flows/forms.ts';
import { guideNote } from '../flows/guide-steps.ts';
import { doneMessage, failureNotice } from '../flows/run.ts';
import { IDS } from '../ids.ts';
import { cardAt, elsewhereOf, isOwnQuestion, messagesOf, noteOf, type Origin } from '../types.ts';
import { endedAnswer } from './batch.ts';
import type { Click } from './click.ts';

/* Buttons on an action's card. The role, the card and the gate's rules are checked again at each click. */

export async function confirm(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  const decider = await deciderFor(slack, click, reply, 'confirm');
  if (!decider) return;
  const { actor, action } = decider;
  try {
    const done = await slack.gate.confirm(action.id, actor, 'slack');
    if (done.kind === 'done' && isPrivate(click, action)) {
      const tool = slack.tools.find(({ id }) => id === action.operation);
      const job = tool && { tool, input: action.shown, origin: click.origin };
      if (job)
        await new Reply(slack, click.origin, { replaces: true }).show(await doneMessage(slack, job, done, { actor }));
    }
    if (done.kind === 'done') {
      if (done.once) await showOnce(slack, action.id, personOf(actor), done.once, reply);
      // Not on the card, which the channel reads, and not in a direct message, which Slack stores.
      const isNew = codesMade({ ...action, result: done.value }).length > 0;
      const revealed = isNew ? await slack.gate.reveal({ action: action.id }, actor) : undefined;
      const activation =
        revealed && activationMessage(revealed, action.id, mayBeCard(action.shown, recordOf(action.notes.guide)));
      if (activation) await reply.addEphemeral(activation, cardAt(action)?.channel);
    }
  } catch (error) {
    const tool = slack.tools.find(({ id }) => id === action.operation);
    if (isPrivate(click, action) && tool) {
      const { face } = asSwitchboardError(error);
      const ended = face.code === 'not_confirmed' ? await endedOf(slack, action) : undefined;
      if (ended) await answerEnded(slack, click, reply, ended);
      else await new Reply(slack, click.origin, { replaces: true }).show(failureNotice(slack, tool, face));
      return;
    }
    if (await isNotConfirmed(slack, action, reply, error)) return;
  }
  await showOutcome(slack, { origin: click.origin, viewId: click.view?.id }, action);
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
  if (ended) {
    await answerEnded(slack, click, reply, ended, 'It cannot be edited any more.');
    return;
  }
  const refused = personOf(actor) !== action.person ? 'Only the requester can edit this.' : undefined;
  if (refused !== undefined || !tool) {
    await reply.add(notice('🤔', `${refused ?? 'This operation no longer exists.'} Nothing was changed.`));
    return;
  }
  const { from, thread } = noteOf(action);
  // The new question takes the place of a message that only its reader sees. Other messages are updated as cards.
  const { responseUrl, ...rest } = click.origin;
  const origin = {
    ...rest,
    ...defined({
      channel: click.origin.channel ?? from,
      threadTs: thread,
      responseUrl: click.postedTs === undefined ? responseUrl : undefined,
    }),
  };
  const opened = await openForm(slack, tool, givenOf(action.shown, action), {
    ...origin,
    reason: ownReason(action),
    replaces: action.id,
  });
  if (!opened) await reply.add(notice('⚠️', 'Slack did not open the form. Press the button again.'));
}

/** Opens the window that declines, with an optional reason. One's own request is withdrawn at once. */
export async function decline(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  const decider = await deciderFor(slack, click, reply, 'decline');
  if (!decider) return;
  const { actor, action } = decider;
  if (personOf(actor) === action.person) {
    await declineAs(slack, decider, { origin: click.origin, viewId: click.view?.id }, reply);
    return;
  }
  const { origin, view } = click;
  const asking = whyView(action, titleOf(action, slack.gate.tool(action.operation)), {
    flow: 'decline',
    action: action.id,
    channel: origin.channel || undefined,
    below: view?.id,
  });
  const opened = await openView(slack, origin, asking, { flow: 'decline', above: view !== undefined });
  if (opened === undefined)
    await reply.add(notice('⚠️', 'Slack did not open the window. Nothing was declined. Press the button again.'));
}

/** The window that declines. */
export const declineFlow: Flow<'decline'> = {
  submit: async (slack, { state, values }, origin) => {
    const after = async () => {
      const asked: Origin = { ...origin, ...defined({ channel: state.channel }) };
      const reply = new Reply(slack, asked);
      const click = { actionId: IDS.decline, value: state.action, messageTs: undefined, blockId: '', origin: asked };
      const decider = await deciderFor(slack, click, reply, 'decline');
      const place = { origin: asked, viewId: state.below };
      if (decider) await declineAs(slack, decider, place, reply, reasonIn(values)?.trim());
    };
    return { ack: undefined, after };
  },
};

/** Takes back the person's own request. Its button is on messages that only the requester sees. */
export async function withdraw(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  const decider = await deciderFor(slack, click, reply, 'decline');
  if (!decider) return;
  if (personOf(decider.actor) !== decider.action.person) {
    await reply.add(notice('🤔', 'Only the requester can withdraw this. Nothing was done.'));
    return;
  }
  const { action } = decider;
  const isDeclined = await declineAs(slack, decider, { origin: click.origin, viewId: click.view?.id }, reply);
  if (!isDeclined || !click.origin.channel) return;
  const title = titleOf(action, slack.gate.tool(action.operation));
  const withdrawn = notice('🚫', `Withdrawn: ${title}. Nothing was sent.`);
  // The message with the button said that it waits. That of a conversation is edited with the card.
  const isReplaced = click.messageTs !== undefined && messagesOf(action).withdraw?.at?.ts !== click.messageTs;
  if (isReplaced) await new Reply(slack, click.origin, { replaces: true }).show(withdrawn);
  else await reply.add(withdrawn);
}

/** Declines, and shows that. False if the question had ended before, which is answered. */
async function declineAs(
  slack: SlackContext,
  { actor, action }: { actor: Actor; action: Action },
  place: Parameters<typeof showOutcome>[1],
  reply: Reply,
  reason?: string,
): Promise<boolean> {
  let isDeclined = false;
  try {
    await slack.gate.decline(action.id, actor, 'slack', { reason });
    isDeclined = true;
  } catch (error) {
    if (await isNotConfirmed(slack, action, reply, error)) return false;
  }
  await showOutcome(slack, place, action);
  return isDeclined;
}

async function showOutcome(
  slack: SlackContext,
  { origin, viewId }: { origin: Origin; viewId: string | undefined },
  { id }: Action,
): Promise<void> {
  const { cards, gate } = slack;
  await cards.sync(id);
  const ended = await gate.actions.get(id);
  if (!ended) return;
  await cards.notifyRequester(ended, origin.userId);
  if (viewId !== undefined) await showInModal(slack, viewId, ended);
}

/** Updates the modal that a decision was made in. The card has the outcome too. */
async function showInModal(slack: SlackContext, viewId: string, action: Action): Promise<void> {
  // A guide draws its own view after the decision.
  if (!guideNote(action)) await showView(slack, viewId, wholeViewOf(slack, action));
}

function wholeViewOf({ gate, reworded }: SlackContext, action: Action) {
  const elsewhere = elsewhereOf(gate, action.id);
  return wholeView(action, {
    tool: gate.tool(action.operation),
    reworded,
    elsewhere,
    pageUrl: gate.pageUrl(action.id),
  });
}

/** The person and the action of a decision; undefined if it has ended or the gate refused it, and the person was answered. */
async function deciderFor(
  slack: SlackContext,
  click: Click,
  reply: Reply,
  decision: 'confirm' | 'decline',
): Promise<{ actor: Actor; action: Action } | undefined> {
  const membership = await slack.roles.membership(click.origin);
  const action = await actionOf(slack, click);
  if (typeof action === 'string') {
    await reply.add(notice('🤔', action));
    return undefined;
  }
  if ('refused' in membership) {
    await reply.add(refusalMessage(membership.refused));
    return undefined;
  }
  const { actor } = membership;
  const ended = await endedOf(slack, action);
  if (ended) {
    await answerEnded(slack, click, reply, ended);
    return undefined;
  }
  const refusal = slack.gate.refusal(decision, action, actor, 'slack');
  if (!refusal) return { actor, action };
  await reply.add(refusedDecision(slack, refusal, actor, action));
  if (refusal.why === 'way') await slack.cards.sync(action.id);
  return undefined;
}

/**
 * Logs a failed decision. True if the action was decided or expired before, which is answered. Throws the error again
 * while the database is away, because the card cannot show that.
 */
async function isNotConfirmed(slack: SlackContext, action: Action, reply: Reply, error: unknown): Promise<boolean> {
  if (isStoreUnavailable(error)) throw error;
  const { gate, cards, log, reworded } = slack;
  const failure = asSwitchboardError(error);
  if (failure.detail) log(severity(failure.face), { action: action.id, detail: failure.detail }, failure.message);
  if (failure.face.code !== 'not_confirmed') return false;
  const tool = gate.tool(action.operation);
  const ended = await endedOf(slack, action);
  const words = reworded(failureWords(failure.face, 'slack'));
  // The gate withdraws a question that lacks a warning, and says why.
  const isOurs = failure.face.next !== undefined;
  await reply.add(
    ended && !isOurs ? await endedAnswer(slack, ended) : notice('ℹ️', `${titleOf(action, tool)}: ${words}`),
  );
  await cards.sync(action.id);
  return true;
}

/**
 * Says how a question ended. A message that only one person reads is replaced if the question was declined or has
 * expired. Otherwise the answer is added below it.
 *
 * @param lost what the press did not do
 */
async function answerEnded(slack: SlackContext, click: Click, reply: Reply, ended: Action, lost = ''): Promise<void> {
  const message = await endedAnswer(slack, ended, lost);
  const isRefused = ended.state === 'declined' || ended.state === 'expired';
  if (isRefused && isPrivate(click, ended)) {
    const row = toldRow(ended, slack.gate.tool(ended.operation), slack.reworded);
    await new Reply(slack, click.origin, { replaces: true }).show({ ...message, blocks: [...message.blocks, ...row] });
  } else await reply.add(message);
  await slack.cards.sync(ended.id);
}

/** The action as it is now, if it does not wait any more. */
async function endedOf(slack: SlackContext, { id }: Action): Promise<Action | undefined> {
  const now = await slack.gate.actions.get(id);
  return now === undefined || now.state === 'pending' ? undefined : now;
}

/** The gate's refusal, with mentions of the people who may decide, or a link to the page. */
function refusedDecision(slack: SlackContext, refusal: Refusal, actor: Actor, action: Action): Message {
  const elsewhere = elsewhereOf(slack.gate, action.id);
  if (elsewhere) {
    return {
      text: 'Nothing was done. This cannot be decided in Slack.',
      blocks: [say('Nothing was done.'), confirmElsewhere(elsewhere)],
    };
  }
  const needed = levelOfAction(action) === 'own' ? 'operator' : 'approver';
  const lacking = slack.roles.lacking(needed, actor.role);
  if (refusal.why === 'role') return refusalMessage(lacking);
  const [, ...holders] = lacking;
  return refusalMessage([{ type: 'text', text: `${refusal.message} Nothing was done. ` }, ...holders]);
}

/** Shows a secret to the person who confirmed, once. */
async function showOnce(
  slack: SlackContext,
  id: string,
  person: string,
  once: Record<string, string>,
  reply: Reply,
): Promise<void> {
  const action = await slack.gate.actions.get(id);
  // The sealed copy is removed first, so that no other surface can show it.
  await slack.gate.takeOnce(id, person);
  const tool = slack.tools.find((one) => one.id === action?.operation);
  const labelOf = (name: string) => secretLabel(name, tool, action?.shown);
  if (await reply.addEphemeral(onceMessage(once, labelOf), action && cardAt(action)?.channel)) return;
  const names = Object.keys(once).map(labelOf).join(', ');
  await reply.add(
    notice(
      '🔑',
      `${names} was set, but Slack could not show it to you alone, so it is not shown and not kept. Set a new one from a channel that the app is in.`,
    ),
  );
}

/**
 * The action of a button, or the reason why there is none. Every copy of its card counts, because Slack may show it
 * twice. The requester's own buttons are on several messages.
 */
async function actionOf(slack: SlackContext, click: Click): Promise<Action | string> {
  const action = /^act_[\w-]{10,64}$/.test(click.value) ? await slack.gate.actions.get(click.value) : undefined;
  if (!action) return 'This request is unknown. Nothing was done. Ask for it again.';
  const { channel } = click.origin;
  const isOwn = click.actionId === IDS.edit || click.actionId === IDS.withdraw;
  const isCard = click.messageTs !== undefined && !isOwn && !isTold(click.blockId) && !isPrivate(click, action);
  if (isCard) await slack.cards.clicked(action, { channel, ts: click.messageTs ?? '' });
  return action;
}

/** The person and the action of a card; undefined if the click was refused and answered. */
export async function cardFor(
  slack: SlackContext,
  click: Click,
  reply: Reply,
  role: Role,
): Promise<{ actor: Actor; action: Action } | undefined> {
  const member = await admitted(slack, click.origin, role, reply);
  if (!member) return undefined;
  const action = await actionOf(slack, click);
  if (typeof action !== 'string') return { actor: member.actor, action };
  await reply.add(notice('🤔', action));
  return undefined;
}

/** Opens everything that will be sent, with the buttons of the decision. */
export async function showEverything(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  const card = await cardFor(slack, click, reply, 'viewer');
  if (!card) return;
  const opened = await openView(slack, click.origin, wholeViewOf(slack, card.action), { flow: 'everything' });
  if (opened === undefined) await reply.add(notice('⚠️', 'Slack did not open the window. Press the button again.'));
}
