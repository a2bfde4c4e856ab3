import { mayAskAgain, mayCorrect, ownReason, questionTitle, secretLabel } from '../../../cards/question.ts';
import { fieldsOf } from '../../../catalogue/input.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import type { Refusal } from '../../../gate/approval.ts';
import { BATCH_RUN, statusOf } from '../../../gate/confirmation.ts';
import { factsOf, givenOf } from '../../../gate/question.ts';
import { codesMade, outcomeOf } from '../../../language/outcome.ts';
import { changeOf, levelOfAction } from '../../../ledger/action.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { personOf, type Role } from '../../../lib/actor.ts';
import { REDACTED } from '../../../lib/hide.ts';
import { defined } from '../../../lib/values.ts';
import { isStoreUnavailable } from '../../../store/key-values.ts';
import { LEASE_MS } from '../../../work/jobs.ts';
import { elsewhere, endedNotice, wholeView } from '../blocks/card.ts';
import { hasSecrets, reasonIn, whyView } from '../blocks/form.ts';
import { activationMessage } from '../blocks/result.ts';
import * as ui from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { askForRest, endedAnswer } from '../flows/batch.ts';
import {
  admitted,
  type Click,
  type ClickHandler,
  type Clicks,
  type Flow,
  failureOf,
  linkTo,
  openView,
  Reply,
  showDecided,
  showView,
} from '../flows/engine.ts';
import { openForm } from '../flows/forms.ts';
import { guideNote } from '../flows/guide-flow.ts';
import { run } from '../flows/run.ts';
import type { Member } from '../people/roles.ts';
import { cardAt, IDS, isOwnQuestion, logged, noteOf } from '../types.ts';

/* Buttons on an action's card. The role, the card and the gate's rules are checked again at each press. */

/** A press on the card of an action, by a person with the role that it needs. */
interface Pressed extends Click, Member {
  slack: SlackContext;
  action: Action;
  tool: Tool | undefined;
}

/** The window that declines. */
export const declineFlow: Flow<'decline'> = {
  submit: async (slack, sent, origin) => {
    const { state, values } = sent;
    const reply = new Reply(slack, origin);
    const view = state.below === undefined ? {} : { view: { ...sent, id: state.below } };
    const click = { actionId: IDS.decline, value: state.action, messageTs: undefined, origin, reply, ...view };
    const decline = onDecision('decline', (pressed) => declineAs(pressed, reasonIn(values)?.trim()));
    return { ack: undefined, after: () => decline(slack, click) };
  },
};

export const DECISIONS: Clicks = {
  [IDS.confirm]: onDecision('confirm', confirm),
  [IDS.decline]: onDecision('decline', decline),
  [IDS.withdraw]: onDecision('decline', decline),
  [IDS.edit]: onCard('operator', edit),
  /** Opens everything that will be sent, with the buttons of the decision. */
  [IDS.everything]: onCard('viewer', ({ slack, action, origin }) => openView(slack, origin, wholeView(slack, action))),
  [IDS.again]: onCard('operator', askAgain),
  [IDS.check]: onCard('operator', check),
  [IDS.wasDone]: onCard('approver', (pressed) => settle(pressed, 'done')),
  [IDS.wasNot]: onCard('approver', (pressed) => settle(pressed, 'not_done')),
};

/** Decides, and shows that. A question that had ended before is answered. */
async function decide(pressed: Pressed, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (await isNotConfirmed(pressed, error)) return;
  }
  await showOutcome(pressed);
}

function confirm(pressed: Pressed): Promise<void> {
  const { slack, actor, action, reply } = pressed;
  return decide(pressed, async () => {
    const done = await slack.gate.confirm(action.id, actor, 'slack');
    if (done.kind !== 'done') return;
    if (done.once) await showOnce(pressed, done.once);
    // Not on the card, which the channel reads, and not in a direct message, which Slack stores.
    const isNew = codesMade({ ...action, result: done.value }).length > 0;
    const revealed = isNew ? await slack.gate.reveal({ action: action.id }, actor) : undefined;
    const activation = activationMessage(action, revealed);
    if (activation) await reply.addEphemeral(activation, cardAt(action)?.channel);
  });
}

/** True for the answer to a command that only its writer sees. It has no card that could show the outcome. */
function isPrivate(click: Click, action: Action): boolean {
  return isOwnQuestion(action) && click.messageTs !== undefined && click.postedTs === undefined;
}

/** Opens the form of a change that waits or was refused, with its values. The form's change replaces a question. */
async function edit(pressed: Pressed): Promise<void> {
  const { slack, actor, action, tool, origin, postedTs } = pressed;
  const ended = await endedOf(slack, action);
  if (ended && !mayCorrect(ended)) return answerEnded(pressed, ended, 'It cannot be edited any more.');
  if (personOf(actor) !== action.person)
    return void (await pressed.reply.add(ui.notice('🤔', 'Only the requester can edit this. Nothing was changed.')));
  const { from, thread } = noteOf(action);
  const { responseUrl, ...rest } = origin;
  const place = {
    channel: origin.channel ?? from,
    threadTs: thread,
    // The new question takes the place of a message that only its reader sees. Other messages are updated as cards.
    responseUrl: postedTs === undefined ? responseUrl : undefined,
    replaces: ended ? undefined : action.id,
  };
  const asked = { ...rest, ...defined(place), reason: ownReason(action), needs: factsOf(action).hidden };
  await openForm(slack, tool, givenOf(action.shown, action), asked);
}

/**
 * Opens the window that declines, with an optional reason. One's own request is withdrawn at once, and its requester has a
 * button of that name.
 */
async function decline(pressed: Pressed): Promise<void> {
  const { slack, actor, action, tool, origin, view, reply } = pressed;
  if (personOf(actor) === action.person) return declineAs(pressed);
  if (pressed.actionId === IDS.withdraw)
    return void (await reply.add(ui.notice('🤔', 'Only the requester can withdraw this. Nothing was done.')));
  const state = { flow: 'decline' as const, action: action.id, channel: origin.channel || undefined, below: view?.id };
  await openView(slack, origin, whyView(action, questionTitle(tool, action), state), { above: view !== undefined });
}

function declineAs(pressed: Pressed, reason?: string): Promise<void> {
  const { slack, action, actor } = pressed;
  return decide(pressed, () => slack.gate.decline(action.id, actor, 'slack', { reason }));
}

/** Updates the card of a decision, and the window in which it was made. */
async function showOutcome({ slack, action: { id }, view }: Pressed): Promise<void> {
  await slack.cards.sync(id);
  const ended = view && (await slack.gate.actions.get(id));
  // A guide draws its own view after the decision.
  if (ended && !guideNote(ended)) await showView(slack, view.id, wholeView(slack, ended));
}

/**
 * Requests the same operation as an expired or failed card, as a new action of the person who presses. Its checks run
 * again, and nothing is sent before a person confirms. Repeated presses make only one new action.
 */
async function askAgain(pressed: Pressed): Promise<void> {
  const { slack, action, actor, tool, origin, reply } = pressed;
  const { gate, cards, clock } = slack;
  if (action.operation === BATCH_RUN) return askForRest(slack, { ...pressed, value: String(action.shown.Batch) });
  if (!tool) return void (await reply.add(ui.notice('🤔', 'This operation no longer exists. Nothing was done.')));
  const isFree = await gate.notes.claim(action.id, 'askedAgain', clock.now() - LEASE_MS);
  const earlier = noteOf((await gate.actions.get(action.id)) ?? action).again;
  if (earlier !== undefined || !mayAskAgain(action)) {
    const newer = earlier === undefined ? undefined : await gate.actions.get(earlier);
    const link = await linkTo(slack, newer && cardAt(newer));
    const blocks = [ui.say('ℹ️ It was already asked again. ', link ?? 'See the newer card.')];
    const again = { text: 'It was already asked again.', blocks };
    await reply.add(earlier ? again : endedNotice(slack, action, 'It cannot be asked again.'));
    return cards.sync(action.id);
  }
  if (!isFree) return void (await reply.add(ui.notice('ℹ️', 'It is being asked again right now.')));
  const reason = personOf(actor) === action.person ? ownReason(action) : undefined;
  // A secret has to be entered again.
  const input = givenOf(action.shown, action);
  if (hasSecrets(fieldsOf(tool)) || JSON.stringify(action.shown).includes(REDACTED))
    return openForm(slack, tool, input, { ...origin, reason, needs: factsOf(action).hidden }).finally(() =>
      gate.notes.remember(action.id, { askedAgain: 0 }),
    );
  const performed = await run(slack, { tool, input, origin, reply, ...defined({ reason }) });
  if (performed?.kind !== 'pending') return gate.notes.remember(action.id, { askedAgain: 0 });
  await gate.notes.merge(action.id, 'slack', { again: performed.action.id });
  await cards.sync(action.id);
}

/** "Check now" on an unknown outcome. Reads, and changes nothing on the platform. */
async function check({ slack, action, actor, tool, reply }: Pressed): Promise<void> {
  const { gate, cards } = slack;
  const failed = logged(slack, 'warn', 'failed to check an unknown outcome', { action: action.id });
  const settled = await gate.reconcile(action.id, actor).catch(failed);
  const now = settled ?? (await gate.actions.get(action.id)) ?? action;
  await cards.sync(action.id);
  if (action.state !== 'unknown' && action.state !== 'pending') return void (await reply.add(endedNotice(slack, now)));
  const { mark, headline } = outcomeOf(now, tool);
  const text =
    statusOf(now.state) === 'unknown'
      ? 'The outcome is still unknown. Check again in a minute, or look up the number yourself.'
      : `Resolved: ${headline.toLowerCase()}.`;
  await reply.add(ui.notice(mark, text));
}

/** A person has checked the outcome on the platform. */
async function settle({ slack, action, actor, reply }: Pressed, outcome: 'done' | 'not_done'): Promise<void> {
  const { gate, cards } = slack;
  try {
    await gate.settle(action.id, actor, outcome, 'slack');
  } catch (error) {
    const now = (await gate.actions.get(action.id)) ?? action;
    const { face, words } = failureOf(slack, error);
    const isEnded = now.state !== 'unknown' && face.code === 'not_confirmed';
    await reply.add(isEnded ? endedNotice(slack, now) : ui.notice('ℹ️', words));
  }
  await cards.sync(action.id);
}

/** The handler of a decision. One that has ended, or that the gate refuses, is answered. */
function onDecision(decision: 'confirm' | 'decline', work: (pressed: Pressed) => Promise<unknown>): ClickHandler {
  return onCard('viewer', async (pressed) => {
    const { slack, action, actor } = pressed;
    const ended = await endedOf(slack, action);
    const refusal = slack.gate.refusal(decision, action, actor, 'slack');
    if (ended) return answerEnded(pressed, ended);
    if (refusal === undefined) return void (await work(pressed));
    await pressed.reply.add(refusedDecision(pressed, refusal));
    if (refusal.why === 'way') await slack.cards.sync(action.id);
  });
}

/** The gate's refusal, with mentions of the people who may decide, or a link to the page. */
function refusedDecision(pressed: Pressed, refusal: Refusal): ui.Message {
  const { slack, action, actor } = pressed;
  const page = elsewhere(slack, action);
  if (page.length > 0)
    return ui.messageOf('Nothing was done. This cannot be decided in Slack.', [ui.say('Nothing was done.'), ...page]);
  const needed = levelOfAction(action) === 'own' ? 'operator' : 'approver';
  const lacking = slack.roles.refusal(pressed, needed);
  const waits = '\nThe question goes on waiting. Its requester can edit or withdraw it.';
  if (refusal.why === 'role' && lacking) return ui.refusalMessage([...lacking, ui.text(waits)]);
  const [, ...holders] = slack.roles.lacking(needed, actor.role);
  return ui.refusalMessage([ui.text(`${refusal.message} Nothing was done. `), ...holders]);
}

/**
 * Logs a failed decision. True if the action was decided or expired before, which is answered. Throws the error again
 * while the database is away, because the card cannot show that.
 */
async function isNotConfirmed(pressed: Pressed, error: unknown): Promise<boolean> {
  const { slack, action, tool } = pressed;
  if (isStoreUnavailable(error)) throw error;
  const { face, words } = failureOf(slack, error, action.operation);
  if (face.code !== 'not_confirmed') return false;
  const ended = await endedOf(slack, action);
  // The gate ends a question that is out of date, and says why. A message that only one person reads becomes that.
  if (ended && (face.next === undefined || isPrivate(pressed, ended))) await answerEnded(pressed, ended);
  else {
    await pressed.reply.add(ui.notice('ℹ️', `${questionTitle(tool, action)}: ${words}`));
    await slack.cards.sync(action.id);
  }
  return true;
}

/**
 * Says how a question was decided, and how it ended. A message that only one person reads shows that itself; to any other
 * one the answer is added below it.
 *
 * @param lost what the press did not do
 */
async function answerEnded(pressed: Pressed, ended: Action, lost = ''): Promise<void> {
  const { slack, reply } = pressed;
  if (isPrivate(pressed, ended)) await showDecided(slack, ended);
  else await reply.add(await endedAnswer(slack, ended, lost));
  await showOutcome(pressed);
}

/** The action as it is now, if it does not wait any more. */
async function endedOf(slack: SlackContext, { id }: Action): Promise<Action | undefined> {
  const now = await slack.gate.actions.get(id);
  return now?.state === 'pending' ? undefined : now;
}

/** Shows a secret to the person who confirmed, once. */
async function showOnce({ slack, actor, action, tool, reply }: Pressed, once: Record<string, string>): Promise<void> {
  const now = (await slack.gate.actions.get(action.id)) ?? action;
  // The sealed copy is removed first, so that no other surface can show it.
  await slack.gate.takeOnce(action.id, personOf(actor));
  const labelOf = (name: string) => secretLabel(name, tool, now.shown);
  if (await reply.addEphemeral(ui.onceMessage(once, labelOf), cardAt(now)?.channel)) return;
  const names = Object.keys(once).map(labelOf).join(', ');
  const text = `${names} was set, but Slack could not show it to you alone, so it is not shown and not kept. Set a new one from a channel that the app is in.`;
  await reply.add(ui.notice('🔑', text));
}

/**
 * The handler of a press on a card, for a person with the role. A refused one is answered. Every copy of a card counts,
 * because Slack may show it twice.
 */
function onCard(role: Role, work: (pressed: Pressed) => Promise<unknown>): ClickHandler {
  return async (slack, click) => {
    const { origin, value, messageTs, reply } = click;
    const member = await admitted(slack, origin, role, reply);
    if (!member) return;
    const action = /^act_[\w-]{10,64}$/.test(value) ? await slack.gate.actions.get(value) : undefined;
    if (!action)
      return void (await reply.add(ui.notice('🤔', 'This request is unknown. Nothing was done. Ask for it again.')));
    // A form that the card opens names the records as the card does.
    const names = Object.entries(changeOf(action)?.names ?? {}).map(([value, { name }]) => ({ value, label: name }));
    slack.directory.note(names.filter(({ value }) => slack.directory.nameOf(value) === undefined));
    // The end takes the place of a question that only one person sees.
    if (isPrivate(click, action))
      slack.memory.asking.set(`${action.id} ${personOf(member.actor)}`, new Reply(slack, origin, { replaces: true }));
    else if (messageTs !== undefined) await slack.cards.clicked(action, { channel: origin.channel, ts: messageTs });
    await work({ ...click, ...member, slack, action, tool: slack.gate.tool(action.operation) });
  };
}
