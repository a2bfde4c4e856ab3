import { mayAskAgain } from '../../../cards/actions.ts';
import { ownReason } from '../../../cards/requester.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import { BATCH_RUN } from '../../../gate/frozen-batch.ts';
import { givenOf } from '../../../gate/question.ts';
import { personOf } from '../../../lib/actor.ts';
import { REDACTED } from '../../../lib/hide.ts';
import { defined } from '../../../lib/json.ts';
import { LEASE_MS } from '../../../work/holds.ts';
import { endedNotice } from '../blocks/ended.ts';
import { hasSecrets } from '../blocks/form-values.ts';
import { notice, say } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import type { FlowName } from '../flow-state.ts';
import { batchFlow, leaveOutFlow } from '../flows/batch.ts';
import type { Reply } from '../flows/engine.ts';
import { type Flow, linkTo } from '../flows/engine.ts';
import { changeForm } from '../flows/form-changes.ts';
import { onFormButton, openOrSay, submitForm } from '../flows/forms.ts';
import { startGuard } from '../flows/guard.ts';
import { pressGuide, submitGuide } from '../flows/guide-flow.ts';
import { run } from '../flows/run.ts';
import { IDS } from '../ids.ts';
import { cardAt, noteOf } from '../types.ts';
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
import { cardFor, confirm, decline, declineFlow, edit, showEverything } from './decisions.ts';
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
];

/** The handler of each other button and menu, by its action id. */
export const ACTIONS: ReadonlyMap<string, ClickHandler> = new Map([
  [IDS.confirm, confirm],
  [IDS.decline, decline],
  [IDS.withdraw, decline],
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

const GUIDE_BUTTONS: ReadonlySet<string> = new Set([IDS.orderLook, IDS.orderFix, IDS.orderStop]);

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
  const { gate, cards, tools, reworded, clock } = slack;
  const { action, actor } = card;
  if (action.operation === BATCH_RUN) return askForRest(slack, { ...click, value: String(action.shown.Batch) }, reply);
  const tool = tools.find(({ id }) => id === action.operation);
  if (!tool) return void (await reply.add(notice('🤔', 'This operation no longer exists. Nothing was done.')));
  const isFree = await gate.notes.claim(action.id, 'askedAgain', clock.now() - LEASE_MS);
  const earlier = noteOf((await gate.actions.get(action.id)) ?? action).again;
  if (earlier !== undefined || !mayAskAgain(action)) {
    const newer = earlier === undefined ? undefined : await gate.actions.get(earlier);
    const link = await linkTo(slack, newer && cardAt(newer));
    const again = {
      text: 'It was already asked again.',
      blocks: [say('ℹ️ It was already asked again. ', link ?? 'See the newer card.')],
    };
    await reply.add(earlier ? again : endedNotice(action, tool, reworded, 'It cannot be asked again.'));
    return cards.sync(action.id);
  }
  if (!isFree) return void (await reply.add(notice('ℹ️', 'It is being asked again right now.')));
  const reason = personOf(actor) === action.person ? ownReason(action) : undefined;
  // The new card is posted where the old one was requested, unless the click came from another channel.
  const { from, thread } = noteOf(action);
  const { threadTs: _, ...rest } = click.origin;
  const isDirect = click.origin.channel?.startsWith('D') === true && from !== undefined;
  const origin = isDirect ? { ...rest, channel: from, ...defined({ threadTs: thread }) } : click.origin;
  // A secret has to be entered again.
  if (hasSecrets(fieldsOf(tool)) || JSON.stringify(action.shown).includes(REDACTED))
    return openOrSay(slack, tool, action.shown, { ...origin, reason }).finally(() =>
      gate.notes.remember(action.id, { askedAgain: 0 }),
    );
  const input = givenOf(action.shown, action);
  const performed = await run(slack, { tool, input, origin, reply, ...defined({ reason }) });
  if (performed?.kind !== 'pending') return gate.notes.remember(action.id, { askedAgain: 0 });
  await gate.notes.merge(action.id, 'slack', { again: performed.action.id });
  await cards.sync(action.id);
}
