import { type Guide, type OrderEnd, orderEnd } from '../../../../tools/surfaces/guides/guide.ts';
import { neededRole } from '../../../catalogue/offered.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { type Actor, hasRole } from '../../../lib/actor.ts';
import { BoundedMap } from '../../../lib/bounded-map.ts';
import { asSwitchboardError } from '../../../lib/errors.ts';
import { type Fields, recordOf, textOf } from '../../../lib/json.ts';
import { hasEnded, isRejected, orderState } from '../../../platform/dialect/orders.ts';
import type { OrderShown } from '../blocks/event.ts';
import { correctionState, followBlocks, problemBlocks } from '../blocks/guide.ts';
import { actions, type Block, button, rich, say } from '../blocks/text.ts';
import type { SlackServices } from '../context.ts';
import { IDS } from '../ids.ts';
import { SLACK_ACTOR } from '../types.ts';
import { failureOf } from './engine.ts';
import type { GuideViews, ViewStep } from './guide-views.ts';

const MAX_SESSIONS = 200;

/** An open view that follows an order. */
interface OrderSession extends ViewStep {
  guide: Guide;
  end: OrderEnd;
  actor: Actor;
}

/** The end of a guide that is an order: views that show it, updated when it changes, and the form that corrects it. */
export class GuideOrders {
  readonly #slack: SlackServices;
  readonly #views: GuideViews;
  /** By order, then by view. */
  readonly #sessions = new BoundedMap<string, BoundedMap<string, OrderSession>>(MAX_SESSIONS);

  constructor(slack: SlackServices, views: GuideViews) {
    this.#slack = slack;
    this.#views = views;
  }

  /** Reads an order, shows its state, and updates the view when the order changes. */
  async follow(guide: Guide, orderId: string, step: ViewStep, problem?: string): Promise<void> {
    const { roles } = this.#slack;
    const end = orderEnd(guide);
    if (!end) return;
    const member = await roles.admit(step.origin, 'viewer');
    if ('refused' in member)
      return void (await this.#views.tell(step, guide, { at: end.title }, say('⛔ ', ...member.refused)));
    let order: OrderShown = { orderId, status: '', message: '' };
    let trouble = problem;
    try {
      order = await this.read(end, orderId, member.actor);
    } catch (error) {
      trouble = failureOf(this.#slack, error).words;
    }
    const { viewId } = step;
    const session: OrderSession = { ...step, guide, end, actor: member.actor };
    const sessions = this.#sessions.get(orderId) ?? new BoundedMap<string, OrderSession>(MAX_SESSIONS);
    sessions.set(viewId, session);
    this.#sessions.set(orderId, sessions);
    if (!(await this.#showOrder(order, session, trouble))) sessions.delete(viewId);
  }

  /** The order as the platform has it now. */
  async read({ follow }: OrderEnd, orderId: string, actor: Actor): Promise<OrderShown> {
    const read = await this.#slack.gate.perform(follow.operation, { [follow.field]: orderId }, actor);
    const value = read.kind === 'done' ? read.value : {};
    const first = (names: readonly string[]) =>
      names.map((name) => textOf(value[name])).find((one) => one !== '') ?? '';
    const rows = value[follow.numbers.list];
    const numbers = (Array.isArray(rows) ? rows : [])
      .map((row) => textOf(recordOf(row)[follow.numbers.member]))
      .filter((number) => number !== '');
    return { orderId, status: first(follow.status), message: first(follow.message), numbers };
  }

  /** An order for this number that has not ended, so that it is continued instead of placed again. */
  async openOrder(guide: Guide, phone: string): Promise<Block[]> {
    const end = orderEnd(guide);
    if (!end || phone === '') return [];
    const { gate } = this.#slack;
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

  #showOrder(order: OrderShown, session: OrderSession, problem?: string): Promise<boolean> {
    const { guide, end, actor } = session;
    const allowed = (operation: string) => {
      const tool = this.#slack.tools.find(({ id }) => id === operation);
      return tool !== undefined && hasRole(actor, neededRole(tool).ask);
    };
    const blocks = followBlocks({ guide, end }, order, {
      correct: allowed(end.correct.operation),
      stop: allowed(end.stop.operation),
    });
    return this.#views.tell(session, guide, { at: end.title }, ...problemBlocks(problem), ...blocks);
  }

  /** Updates the views that show this order. */
  async changed(order: OrderShown): Promise<void> {
    const sessions = this.#sessions.get(order.orderId);
    if (!sessions) return;
    await Promise.all(
      [...sessions].map(async ([viewId, session]) => {
        if (!(await this.#showOrder(order, session).catch(() => false))) sessions.delete(viewId);
      }),
    );
    if (sessions.size === 0) this.#sessions.delete(order.orderId);
  }

  /** Shows the form that corrects an order, with what was sent before. An order that has ended is shown instead. */
  async correct(guide: Guide, given: Fields, step: ViewStep): Promise<void> {
    const end = orderEnd(guide);
    if (!end) return;
    const orderId = textOf(given[end.key]);
    this.#sessions.get(orderId)?.delete(step.viewId);
    const tool = this.#views.toolOf(end.correct.operation);
    const member = await this.#slack.roles.admit(step.origin, neededRole(tool).ask);
    if ('refused' in member)
      return void (await this.#views.tell(step, guide, { at: end.title }, say('⛔ ', ...member.refused)));
    const order = await this.#orderNow(end, orderId, member.actor);
    if (hasEnded(order.status)) return this.follow(guide, orderId, step);
    const sent = await earlierInput(this.#slack, tool, orderId);
    const refused = isRejected(order.status) ? order.message : undefined;
    const corrected = correctionState({ end, tool }, { orderId, phone: order.numbers?.[0], refused }, sent);
    const form = this.#views.correctForm({ guide, end }, { ...sent, ...given }, { ...step.state, ...corrected });
    await this.#views.show(step, form);
  }

  /** The order as the platform has it, otherwise as it was last reported. */
  async #orderNow(end: OrderEnd, orderId: string, actor: Actor): Promise<OrderShown> {
    try {
      return await this.read(end, orderId, actor);
    } catch (error) {
      const { message } = asSwitchboardError(error);
      this.#slack.log('info', { order: orderId, error: message }, 'an order could not be read before its correction');
      const report = await this.#slack.gate.history(SLACK_ACTOR).order(orderId);
      return { orderId, status: report?.status ?? '', message: report?.message ?? '' };
    }
  }
}

/** What was sent for this order before, so that a correction starts from its own values. Without secrets. */
async function earlierInput({ gate }: SlackServices, tool: Tool, id: string): Promise<Fields> {
  const old: Fields = {};
  for (const { state, shown, result } of await gate.actions.about(id, 10)) {
    const isAboutIt = Object.values(shown).includes(id) || (result !== undefined && Object.values(result).includes(id));
    if (!isAboutIt || (state !== 'done' && state !== 'partly')) continue;
    for (const name of Object.keys(tool.input.shape)) if (name in shown && !(name in old)) old[name] = shown[name];
  }
  return old;
}
