import { type Guide, type OrderEnd, orderEnd } from '../../../../tools/surfaces/guides/guide.ts';
import type { OrderShown } from '../../../cards/order.ts';
import { neededRole } from '../../../catalogue/offered.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { type Actor, hasRole } from '../../../lib/actor.ts';
import { asSwitchboardError } from '../../../lib/errors.ts';
import { type Fields, recordOf, textOf } from '../../../lib/json.ts';
import { BoundedMap } from '../../../lib/lists.ts';
import { hasEnded, isRejected, orderState } from '../../../platform/dialect/orders.ts';
import { correctionState, followBlocks, problemBlocks } from '../blocks/guide.ts';
import { actions, type Block, button, rich, say } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import type { ViewStep } from '../flow-state.ts';
import { IDS } from '../ids.ts';
import { MAX_ORDERS, type OrderView } from '../people/memory.ts';
import { SLACK_ACTOR } from '../types.ts';
import { failureOf } from './engine.ts';
import { correctForm, guideTool, showGuide, tellGuide } from './guide-views.ts';

/** Reads an order, shows its state, and updates the view when the order changes. */
export async function followOrder(
  slack: SlackContext,
  guide: Guide,
  orderId: string,
  step: ViewStep,
  problem?: string,
): Promise<void> {
  const { roles } = slack;
  const end = orderEnd(guide);
  if (!end) return;
  const member = await roles.admit(step.origin, 'viewer');
  if ('refused' in member)
    return void (await tellGuide(slack, step, guide, { at: end.title }, say('⛔ ', ...member.refused)));
  let order: OrderShown = { orderId, status: '', message: '' };
  let trouble = problem;
  try {
    order = await readOrder(slack, end, orderId, member.actor);
  } catch (error) {
    trouble = failureOf(slack, error).words;
  }
  const shown = { ...step, guide, actor: member.actor };
  const views = keepView(slack, orderId, shown);
  if (!(await showOrder(slack, order, shown, trouble))) views.delete(step.viewId);
}

/** Remembers a view, to be updated when the order changes. Returns those of the order. */
function keepView({ memory }: SlackContext, orderId: string, view: OrderView): BoundedMap<string, OrderView> {
  const views = memory.orderViews.get(orderId) ?? new BoundedMap<string, OrderView>(MAX_ORDERS);
  views.set(view.viewId, view);
  memory.orderViews.set(orderId, views);
  return views;
}

/** The order as the platform has it now. */
async function readOrder(
  slack: SlackContext,
  { follow }: OrderEnd,
  orderId: string,
  actor: Actor,
): Promise<OrderShown> {
  const read = await slack.gate.perform(follow.operation, { [follow.field]: orderId }, actor);
  const value = read.kind === 'done' ? read.value : {};
  const first = (names: readonly string[]) => names.map((name) => textOf(value[name])).find((one) => one !== '') ?? '';
  const rows = value[follow.numbers.list];
  const numbers = (Array.isArray(rows) ? rows : [])
    .map((row) => textOf(recordOf(row)[follow.numbers.member]))
    .filter((number) => number !== '');
  return { orderId, status: first(follow.status), message: first(follow.message), numbers };
}

/** An order for this number that has not ended, so that it is continued instead of placed again. */
export async function openOrder(slack: SlackContext, guide: Guide, phone: string): Promise<Block[]> {
  const end = orderEnd(guide);
  if (!end || phone === '') return [];
  const { gate } = slack;
  const places = guide.steps.find(({ name }) => name === end.step)?.run?.operation;
  for (const { operation, state, result } of await gate.actions.about(phone, 20)) {
    const orderId = textOf(result?.[end.key]);
    if (operation !== places || !['done', 'partly'].includes(state) || orderId === '') continue;
    const status = (await gate.history(SLACK_ACTOR).order(orderId))?.status ?? orderState(result);
    if (hasEnded(status)) continue;
    return [
      say('⚠️ An order for this number already exists: ', rich.code(orderId), ` (${status}).`),
      actions('guide', button(IDS.orderLook, 'Open the order', `${guide.name}|${orderId}`, { style: 'primary' })),
    ];
  }
  return [];
}

/** False if the view was closed. */
async function showOrder(slack: SlackContext, order: OrderShown, view: OrderView, problem?: string): Promise<boolean> {
  const { guide, actor } = view;
  const end = orderEnd(guide);
  if (!end) return false;
  const allowed = (operation: string) => {
    const tool = slack.tools.find(({ id }) => id === operation);
    return tool !== undefined && hasRole(actor, neededRole(tool).ask);
  };
  const blocks = followBlocks(guide, order, {
    correct: allowed(end.correct.operation),
    stop: allowed(end.stop.operation),
  });
  return tellGuide(slack, view, guide, { at: end.title }, ...problemBlocks(problem), ...blocks);
}

/** Updates the views that show this order. */
export async function orderChanged(slack: SlackContext, order: OrderShown): Promise<void> {
  const { orderViews } = slack.memory;
  const views = orderViews.get(order.orderId);
  if (!views) return;
  await Promise.all(
    [...views].map(async ([viewId, view]) => {
      if (view.isForm && !hasEnded(order.status)) return;
      if (!(await showOrder(slack, order, view).catch(() => false))) views.delete(viewId);
    }),
  );
  if (views.size === 0) orderViews.delete(order.orderId);
}

/** Shows the form that corrects an order, with what was sent before. An order that has ended is shown instead. */
export async function correctOrder(slack: SlackContext, guide: Guide, given: Fields, step: ViewStep): Promise<void> {
  const end = orderEnd(guide);
  if (!end) return;
  const orderId = textOf(given[end.key]);
  const tool = guideTool(slack, end.correct.operation);
  const member = await slack.roles.admit(step.origin, neededRole(tool).ask);
  if ('refused' in member)
    return void (await tellGuide(slack, step, guide, { at: end.title }, say('⛔ ', ...member.refused)));
  const order = await orderNow(slack, end, orderId, member.actor);
  if (hasEnded(order.status)) return followOrder(slack, guide, orderId, step);
  const sent = await earlierInput(slack, tool, orderId);
  const refused = isRejected(order.status) ? order.message : undefined;
  const corrected = correctionState({ end, tool }, { orderId, phone: order.numbers?.[0], refused }, sent);
  const form = correctForm(slack, { guide, end }, { ...sent, ...given }, { ...step.state, ...corrected });
  keepView(slack, orderId, { ...step, guide, actor: member.actor, isForm: true });
  await showGuide(slack, step, form);
}

/** True if the platform, or its last report, says that the order can no longer be corrected. */
export async function isOver(slack: SlackContext, end: OrderEnd, orderId: string, actor: Actor): Promise<boolean> {
  return hasEnded((await orderNow(slack, end, orderId, actor)).status);
}

/** The order as the platform has it, otherwise as it was last reported. */
async function orderNow(slack: SlackContext, end: OrderEnd, orderId: string, actor: Actor): Promise<OrderShown> {
  try {
    return await readOrder(slack, end, orderId, actor);
  } catch (error) {
    const { message } = asSwitchboardError(error);
    slack.log('info', { order: orderId, error: message }, 'an order could not be read before its correction');
    const report = await slack.gate.history(SLACK_ACTOR).order(orderId);
    return { orderId, status: report?.status ?? '', message: report?.message ?? '' };
  }
}

/** The input that was sent for this order before, without secrets, so that a correction starts from its values. */
async function earlierInput({ gate }: SlackContext, tool: Tool, id: string): Promise<Fields> {
  const old: Fields = {};
  for (const { state, shown, result } of await gate.actions.about(id, 10)) {
    const isAboutIt = Object.values(shown).includes(id) || (result !== undefined && Object.values(result).includes(id));
    if (!isAboutIt || (state !== 'done' && state !== 'partly')) continue;
    for (const name of Object.keys(tool.input.shape)) if (name in shown && !(name in old)) old[name] = shown[name];
  }
  return old;
}
