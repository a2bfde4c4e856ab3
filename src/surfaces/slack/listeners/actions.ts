import { notice, OUT_OF_DATE } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import type { FlowName, SentView, ViewAnswer, ViewOf } from '../flow-state.ts';
import { batchFlow, leaveOutFlow } from '../flows/batch.ts';
import { type Flow, updated } from '../flows/engine.ts';
import { changeForm } from '../flows/form-changes.ts';
import { onFormButton, submitForm } from '../flows/forms.ts';
import { guardFlow, startGuard } from '../flows/guard.ts';
import { pressGuide, submitGuide } from '../flows/guide-flow.ts';
import { Reply } from '../flows/reply.ts';
import { IDS } from '../ids.ts';
import type { Origin } from '../types.ts';
import { askAgain } from './again.ts';
import { askBatchAgain, controlBatch, leaveRowsOut, newBatch, sendResults, showBatch, showRows } from './batch.ts';
import type { Click, ClickHandler } from './click.ts';
import {
  check,
  confirm,
  decline,
  declineFlow,
  edit,
  settleDone,
  settleNotDone,
  showEverything,
  withdraw,
} from './decisions.ts';
import { showQr } from './qr.ts';
import { keepFeedback, notHelpfulFlow, shareResult, showJson, showPage } from './results.ts';
import { lookUp, openFilledForm, openGuide, openNextStep, openRowStep, runAtOnce } from './steps.ts';

/** Buttons and choices inside modals, which the flow of the modal handles. */
const IN_VIEWS: readonly string[] = [
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

/** The handler of each button and menu. */
const HANDLERS: ReadonlyMap<string, ClickHandler> = new Map([
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
  ...IN_VIEWS.map((id): [string, ClickHandler] => [id, pressInView]),
] satisfies [string, ClickHandler][]);

/** Handles a click. Every click has an effect, or an answer that says why it has none. */
export async function onClick(slack: SlackContext, click: Click): Promise<void> {
  const reply = new Reply(slack, click.origin);
  const handler = HANDLERS.get(click.actionId) ?? HANDLERS.get(withoutSuffix(click.actionId));
  if (handler) return handler(slack, click, reply);
  await reply.add(notice('🤔', 'This button no longer works. Enter the command again.'));
}

/** Action ids must be unique within a message, so buttons of one kind are numbered: `sb_fill_3`. */
function withoutSuffix(actionId: string): string {
  return actionId.replace(/_(\d+|back)$/, '');
}

const GUIDE_BUTTONS: ReadonlySet<string> = new Set([IDS.orderLook, IDS.orderFix, IDS.orderStop, IDS.guideSkip]);

/** Every modal of this app that is sent, pressed or reported as closed. */
const FLOWS: { readonly [F in FlowName]: Flow<F> } = {
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

/** The flow of a modal. Undefined for one that no flow made. */
function flowOf(view: SentView): { flow: Flow<FlowName>; view: ViewOf<FlowName> } | undefined {
  const { state } = view;
  // The state names its flow, so that the two fit.
  return state && { flow: FLOWS[state.flow] as Flow<FlowName>, view: { ...view, state } };
}

/** Handles a submitted modal. */
export async function submitView(slack: SlackContext, sent: SentView, origin: Origin): Promise<ViewAnswer> {
  const found = flowOf(sent);
  return (await found?.flow.submit?.(slack, found.view, origin)) ?? updated(OUT_OF_DATE);
}

/** Handles a choice or a button in a modal. */
export async function pressInView(slack: SlackContext, { view: sent, ...press }: Click): Promise<void> {
  const found = sent && flowOf(sent);
  await found?.flow.press?.(slack, found.view, press);
}

/** Handles the closing of a modal that asked Slack to report it. */
export async function closeView(slack: SlackContext, sent: SentView): Promise<void> {
  const found = flowOf(sent);
  await found?.flow.closed?.(slack, found.view);
}
