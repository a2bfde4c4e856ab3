import type { Guide, GuideForm, GuideStep, SummaryEnd } from '../../../../tools/surfaces/guides/guide.ts';
import { LABELS } from '../../../cards/card.ts';
import { answerParts, type OrderShown, orderCard } from '../../../cards/order.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import type { Fields } from '../../../lib/values.ts';
import { carrierReason, hasEnded, isCompleted, isRejected } from '../../../platform/dialect/orders.ts';
import { IDS, type StateOf } from '../types.ts';
import { buttonsOf, draw } from './fitting.ts';
import type { Frame } from './form.ts';
import {
  actions,
  type Block,
  button,
  buttonRow,
  cut,
  divider,
  type Element,
  flowView,
  lines,
  rich,
  say,
  small,
} from './text.ts';

/** The title of the step at which a guide waits for a decision. */
export const APPROVAL = 'Approval';

/** The titles of a guide's steps with what is known, with the approval before the end. */
function stagesOf({ steps, end }: Guide, known: Fields): string[] {
  const forms = steps.filter(({ form, when }) => form && (when?.(known) ?? true)).map(({ title }) => title);
  return [...new Set([...forms, APPROVAL, end.title])];
}

/** The title at which a guide waits for a decision about a step: the approval, unless forms follow. */
export function waitingAt(guide: Guide, step: GuideStep, known: Fields): string {
  const titles = stagesOf(guide, known);
  return titles.indexOf(step.title) < titles.length - 3 ? step.title : APPROVAL;
}

/** All steps in one line: done, current, ahead. `at`: the title of the current one. */
export function stageLine(guide: Guide, at: string, known: Fields): Block {
  const stages = stagesOf(guide, known);
  const now = stages.indexOf(at);
  // A summary is shown when everything is done.
  const done = guide.end.kind === 'summary' && now === stages.length - 1 ? stages.length : now;
  return say(
    ...stages.flatMap((stage, i): (Element | string)[] => {
      const step = `${i + 1} ${stage}`;
      const shown = i < done ? `✅ ${step}` : i === now ? rich.bold(`🔵 ${step}`) : `⚪ ${step}`;
      return i === 0 ? [shown] : ['  ›  ', shown];
    }),
  );
}

/** Shows above a form why its step failed. */
export function problemBlocks(problem: string): Block[] {
  return [say('❌ ', rich.bold(cut(problem, 1500)))];
}

/** Facts from earlier steps, the effect of the form, and further sentences. `named`: with names in place of ids. */
export function foundBlocks(form: GuideForm, known: Fields, named: (text: string) => string): Block[] {
  const found = form.found?.(known);
  const facts = (found?.facts ?? []).filter((fact) => fact !== '').map(named);
  return [
    ...(found === undefined || facts.length === 0 ? [] : [say(`✅ ${found.text} `, rich.bold(facts.join(' · ')))]),
    say(form.text),
    ...(form.hints?.(known) ?? []).map(({ text }) => say(text)),
    ...(found === undefined ? [] : [divider]),
  ];
}

/** The place of a view in its guide: the title of a step, and the values that decide about the other steps. */
export interface GuidePoint {
  at: string;
  known?: Fields;
  /** Of the window, if it is not the guide's own. */
  title?: string;
}

/** A view without inputs. Only forms keep the known values; otherwise the action that waits has them. */
export function guideView(
  guide: Guide,
  { at, known = {}, title = guide.title }: GuidePoint,
  { channel, action }: StateOf<'guide'>,
  ...blocks: Block[]
): Element {
  const state: StateOf<'guide'> = { flow: 'guide', guide: guide.name, channel, action };
  return flowView(state, { title }, [stageLine(guide, at, known), ...blocks]);
}

/** The last step: an order with the buttons that still apply. `allowed`: by the person's role. */
export function followBlocks(
  { name }: Guide,
  order: OrderShown,
  allowed: { correct: boolean; stop: boolean },
): Block[] {
  const card = orderCard(order, undefined, { guide: { name, ...allowed } });
  return [
    say(rich.bold(`${card.title}: ${card.state}`)),
    ...draw(card).blocks,
    say(orderAdvice(order.status)),
    ...buttonRow('guide', buttonsOf(card.actions)),
  ];
}

function orderAdvice(status: string): string {
  if (isCompleted(status)) return 'The number has been ported in.';
  if (hasEnded(status)) return 'This order has ended. The number needs a new eligibility check and a new order.';
  if (isRejected(status)) return 'Correct the rejected details to submit the order again.';
  return 'A port takes several days. You can close this form: if the platform delivers its events to Switchboard, the thread of the order mentions you. Otherwise check once a day.';
}

/** A line for each step that was done. */
export function doneLines(done: readonly string[]): Block[] {
  return done.length === 0 ? [] : [lines(done.map((text) => [`✅ ${text}`]))];
}

/** The end of a guide: its results, the steps that were left out, and the eSIM's code. */
export function summaryBlocks(
  end: SummaryEnd,
  known: Fields,
  shown: { done: readonly string[]; named: (text: string) => string; code: string | undefined },
): Block[] {
  const hasCode = shown.code !== undefined && end.hasCode(known);
  return [
    say(rich.bold(shown.named(end.headline(known)))),
    ...doneLines(shown.done),
    say(
      end.hasCode(known) && !hasCode
        ? 'The platform shows no activation code for this eSIM yet. Look the number up later: its card shows the code.'
        : end.next(known),
    ),
    ...(hasCode ? [actions('guide', button(IDS.qr, LABELS.qr, `${shown.code}|0`, { style: 'primary' }))] : []),
  ];
}

/* The form that corrects an order after the losing carrier refused it. */

const KEPT = small('As it was sent before. What is empty here stays as it is.');
const UNCHANGED = say('Submit the order again once that is done. No detail has to change.');

/** The form's frame: why the order was refused, which details come first, and a note about the others. */
export function correctionFrame(
  tool: Tool,
  orderId: string,
  refused: string | undefined,
): Omit<Frame, 'title' | 'mark'> {
  const { fields: named = [] } = carrierReason(refused ?? '') ?? {};
  const fields = named.filter((name) => name in tool.input.shape);
  const heading = fields.length > 1 ? 'One of these is wrong' : 'Refused by the carrier';
  return {
    submit: refused === undefined ? 'Send' : 'Submit again',
    above: [
      ...(refused === undefined ? [] : draw({ title: '', parts: answerParts(true, refused) }).blocks),
      ...(refused !== undefined && fields.length === 0 && carrierReason(refused) ? [UNCHANGED] : []),
      ...draw(orderCard({ orderId, status: '', message: '' })).blocks,
      ...(fields.length === 0 ? [KEPT] : []),
    ],
    ...(fields.length === 0
      ? {}
      : { lead: { fields, heading, rest: [divider, say(rich.bold('The other details')), KEPT] } }),
    secretHint: 'Not shown again. Left empty, the one that was sent before stays.',
  };
}
