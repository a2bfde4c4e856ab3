import { mayAskAgain } from '../../../cards/actions.ts';
import { ownReason } from '../../../cards/requester.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { BATCH_RUN } from '../../../gate/frozen-batch.ts';
import { givenOf } from '../../../gate/question.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { personOf } from '../../../lib/actor.ts';
import { REDACTED } from '../../../lib/hide.ts';
import { defined } from '../../../lib/json.ts';
import { LEASE_MS } from '../../../work/holds.ts';
import { titleOf } from '../blocks/card.ts';
import { endedNotice } from '../blocks/ended.ts';
import { hasSecrets } from '../blocks/form-values.ts';
import { type Message, notice, rich, say } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import type { FlowName } from '../flow-state.ts';
import { batchFlow, leaveOutFlow } from '../flows/batch.ts';
import type { Reply } from '../flows/engine.ts';
import { type Flow, linkTo } from '../flows/engine.ts';
import { changeForm } from '../flows/form-changes.ts';
import { onFormButton, openForm, submitForm } from '../flows/forms.ts';
import { startGuard } from '../flows/guard.ts';
import { pressGuide, submitGuide } from '../flows/guide-flow.ts';
import { run } from '../flows/run.ts';
import { IDS } from '../ids.ts';
import { cardAt, noteOf, type Origin } from '../types.ts';
import {
  askForRest,
  askPlanned,
  editPlanned,
  leaveRowsOut,
  newBatch,
  sendResults,
  showBatch,
  showRows,
  stopBatch,
} from './batch.ts';
import type { Click, ClickHandler } from './click.ts';
import { cardFor, confirm, decline, declineFlow, edit, showEverything, withdraw } from './decisions.ts';
import { shareResult, showJson, showPage, showQr } from './qr.ts';
import { lookUp, openFilledForm, openGuide, openNextStep, openRowStep, runAtOnce } from './steps.ts';
import { check, settleDone, settleNotDone } from './unknown.ts';

/** Buttons and choices inside modals, which the flow of the modal handles. */
export const IN_VIEWS: readonly string[] = [
  IDS.value,
  IDS.pick,
  IDS.more,
  `${IDS.row}_more`,
  `${IDS.row}_less`,
  IDS.batchChosen,
  IDS.orderLook,
  IDS.orderFix,
  IDS.orderStop,
  IDS.guideSkip,
];

/** The handler of each other button and menu, by its action id. */
export const ACTIONS: ReadonlyMap<string, ClickHandler> = new Map([
  [IDS.confirm, confirm],
  [IDS.decline, decline],
  [IDS.withdraw, withdraw],
  [IDS.edit, edit],
  [IDS.everything, showEverything],
  [IDS.again, askAgain],
  [IDS.check, check],
  [IDS.wasDone, settleDone],
  [IDS.wasNot, settleNotDone],
  [IDS.share, shareResult],
  [IDS.json, showJson],
  [IDS.page, showPage],
  [IDS.qr, showQr],
  [IDS.form, (slack, { value, origin }) => onFormButton(slack, value, origin)],
  [IDS.fill, openFilledForm],
  [IDS.rowStep, openRowStep],
  [IDS.run, runAtOnce],
  [IDS.look, lookUp],
  [IDS.guide, openGuide],
  [IDS.guard, (slack, { value, origin }) => startGuard(slack, value, origin)],
  [IDS.next, openNextStep],
  [IDS.moreSteps, openNextStep],
  [IDS.batchNew, newBatch],
  [IDS.batchShow, showBatch],
  [IDS.batchAsk, askPlanned],
  [IDS.batchEdit, editPlanned],
  [IDS.stop, stopBatch],
  [IDS.rows, showRows],
  [IDS.results, sendResults],
  [IDS.rest, askForRest],
  [IDS.leave, leaveRowsOut],
] satisfies [string, ClickHandler][]);

const GUIDE_BUTTONS: ReadonlySet<string> = new Set([IDS.orderLook, IDS.orderFix, IDS.orderStop, IDS.guideSkip]);

/** Every modal of this app that is sent, pressed or reported as closed, by its callback id. */
export const FLOWS: { readonly [F in FlowName]: Flow<F> } = {
  form: { submit: submitForm, press: changeForm },
  guide: {
    submit: submitGuide,
    press: (slack, view, press) =>
      GUIDE_BUTTONS.has(press.actionId) ? pressGuide(slack, view, press) : changeForm(slack, view, press),
  },
  batch: batchFlow,
  leave_out: leaveOutFlow,
  decline: declineFlow,
  qr: { closed: async ({ pictures }, { id }) => pictures.viewClosed(id) },
};

/**
 * Handles "Ask again" on an expired or failed card: requests the same operation as a new action of the person who
 * clicks. Its checks run again, and nothing is sent before a person confirms. Repeated clicks create only one new
 * action.
 */
async function askAgain(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  const card = await cardFor(slack, click, reply, 'operator');
  if (!card) return;
  const { gate, cards, tools, clock } = slack;
  const { action } = card;
  if (action.operation === BATCH_RUN) return askForRest(slack, { ...click, value: String(action.shown.Batch) }, reply);
  const tool = tools.find(({ id }) => id === action.operation);
  if (!tool) {
    await reply.add(notice('🤔', 'This operation no longer exists. Nothing was done.'));
    return;
  }
  const earlier = noteOf(action).again;
  if (earlier !== undefined || !mayAskAgain(action)) {
    const lost = 'It cannot be asked again.';
    await reply.add(
      earlier === undefined ? endedNotice(action, tool, slack.reworded, lost) : await alreadyAsked(slack, earlier),
    );
    await cards.sync(action.id);
    return;
  }
  const origin = originOf(click.origin, action);
  const reason = personOf(card.actor) === action.person ? ownReason(action) : undefined;
  if (needsForm(tool, action)) {
    if (!(await openForm(slack, tool, action.shown, { ...origin, reason })))
      await reply.add(notice('⚠️', 'Slack did not open the form. Press the button again.'));
    return;
  }
  if (!(await gate.notes.claim(action.id, 'askedAgain', clock.now() - LEASE_MS))) {
    await reply.add(notice('ℹ️', 'It is being asked again right now.'));
    return;
  }
  // The claim of an earlier click may have ended between the first check and this one.
  const { again } = noteOf((await gate.actions.get(action.id)) ?? action);
  if (again !== undefined) {
    await reply.add(await alreadyAsked(slack, again));
    return;
  }
  const performed = await run(slack, {
    tool,
    input: givenOf(action.shown, action),
    origin,
    reply,
    ...defined({ reason }),
  });
  if (performed?.kind === 'pending') {
    await gate.notes.merge(action.id, 'slack', { again: performed.action.id });
    await cards.sync(action.id);
  } else await gate.notes.remember(action.id, { askedAgain: 0 });
}

/** The new card is posted where the old one was requested, unless the click came from another channel. */
function originOf(origin: Origin, action: Action): Origin {
  const { from, thread } = noteOf(action);
  if (!origin.channel?.startsWith('D') || from === undefined) return origin;
  const { threadTs: _, ...rest } = origin;
  return { ...rest, channel: from, ...defined({ threadTs: thread }) };
}

/** True if the form is opened instead, because a secret has to be entered again. */
function needsForm(tool: Tool, { shown }: Action): boolean {
  return hasSecrets(fieldsOf(tool)) || JSON.stringify(shown).includes(REDACTED);
}

async function alreadyAsked(slack: SlackContext, id: string): Promise<Message> {
  const action = await slack.gate.actions.get(id);
  const link = await linkTo(slack, action && cardAt(action));
  const title = action ? titleOf(action, slack.gate.tool(action.operation)) : 'It';
  return {
    text: 'It was already asked again.',
    blocks: [say('ℹ️ ', rich.bold(title), ' was already asked again. ', link ?? 'See the newer card.')],
  };
}
