import { OUT_OF_DATE } from '../blocks/view.ts';
import type { SlackContext } from '../context.ts';
import type { FlowName, SentView, ViewAnswer, ViewOf } from '../flow-state.ts';
import { batchFlow, leaveOutFlow } from '../flows/batch.ts';
import { type Flow, updated } from '../flows/engine.ts';
import { changeForm } from '../flows/form-changes.ts';
import { submitForm } from '../flows/forms.ts';
import { guardFlow } from '../flows/guard.ts';
import { pressGuide, submitGuide } from '../flows/guide-flow.ts';
import { IDS } from '../ids.ts';
import type { Origin } from '../types.ts';
import type { Click } from './click.ts';
import { declineFlow } from './decisions.ts';
import { notHelpfulFlow } from './results.ts';

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
