import type { FlowName } from '../flow-state.ts';
import { batchFlow, leaveOutFlow } from '../flows/batch.ts';
import type { Flow } from '../flows/engine.ts';
import { changeForm } from '../flows/form-changes.ts';
import { onFormButton, submitForm } from '../flows/forms.ts';
import { guardFlow, startGuard } from '../flows/guard.ts';
import { pressGuide, submitGuide } from '../flows/guide-flow.ts';
import { IDS } from '../ids.ts';
import { askAgain } from './again.ts';
import { askBatchAgain, controlBatch, leaveRowsOut, newBatch, sendResults, showBatch, showRows } from './batch.ts';
import type { ClickHandler } from './click.ts';
import { confirm, decline, declineFlow, edit, showEverything, withdraw } from './decisions.ts';
import { showQr } from './qr.ts';
import { keepFeedback, notHelpfulFlow, shareResult, showJson, showPage } from './results.ts';
import { lookUp, openFilledForm, openGuide, openNextStep, openRowStep, runAtOnce } from './steps.ts';
import { check, settleDone, settleNotDone } from './unknown.ts';

/** Buttons and choices inside modals, which the flow of the modal handles. */
export const IN_VIEWS: readonly string[] = [
  IDS.value,
  IDS.pick,
  IDS.more,
  `${IDS.row}_more`,
  `${IDS.row}_less`,
  IDS.guardBack,
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
  [IDS.ask, runAtOnce],
  [IDS.feedback, keepFeedback],
  [IDS.look, lookUp],
  [IDS.guide, openGuide],
  [IDS.guard, (slack, { value, origin }) => startGuard(slack, value, origin)],
  [IDS.next, openNextStep],
  [IDS.nextMore, openNextStep],
  [IDS.batchNew, newBatch],
  [IDS.batchShow, showBatch],
  [IDS.batchPause, controlBatch('pause')],
  [IDS.batchResume, controlBatch('resume')],
  [IDS.batchStop, controlBatch('stop')],
  [IDS.batchRows, showRows],
  [IDS.batchResults, sendResults],
  [IDS.batchAgain, askBatchAgain],
  [IDS.batchLeave, leaveRowsOut],
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
  guard: guardFlow,
  batch: batchFlow,
  leave_out: leaveOutFlow,
  decline: declineFlow,
  not_helpful: notHelpfulFlow,
  qr: { closed: async ({ pictures }, { id }) => pictures.viewClosed(id) },
};
