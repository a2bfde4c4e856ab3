import { type Guide, type OrderEnd, orderEnd } from '../../../../tools/surfaces/guides/guide.ts';
import { neededRole } from '../../../catalogue/offered.ts';
import { failureWords } from '../../../language/failure.ts';
import { type Actor, hasRole } from '../../../lib/actor.ts';
import { BoundedMap } from '../../../lib/bounded-map.ts';
import { asSwitchboardError } from '../../../lib/errors.ts';
import { recordOf, textOf } from '../../../lib/json.ts';
import { hasEnded, orderState } from '../../../platform/dialect/orders.ts';
import type { OrderShown } from '../blocks/event.ts';
import { followBlocks, problemBlocks } from '../blocks/guide.ts';
import { actions, type Block, button, rich, say } from '../blocks/text.ts';
import type { SlackServices } from '../context.ts';
import { IDS } from '../ids.ts';
import { SLACK_ACTOR } from '../types.ts';
import type { GuideViews, ViewStep } from './guide-views.ts';

const MAX_SESSIONS = 200;

/** An open view that follows an order. */
interface OrderSession extends ViewStep {
  guide: Guide;
  end: OrderEnd;
  actor: Actor;
}

/** The end of a guide that is an order: views that show it, updated when it changes. */
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
    const { roles, reworded } = this.#slack;
    const end = orderEnd(guide);
    if (!end) return;
    const member = await roles.admit(step.origin, 'viewer');
    if ('refused' in member) {
      await this.#views.show(
        step,
        this.#views.plainView(guide, { at: end.title }, step.meta, say('⛔ ', ...member.refused)),
      );
      return;
    }
    let order: OrderShown = { orderId, status: '', message: '' };
    let trouble = problem;
    try {
      order = await this.read(end, orderId, member.actor);
    } catch (error) {
      trouble = reworded(failureWords(asSwitchboardError(error).face, 'slack'));
    }
    const { viewId, turn, origin, meta } = step;
    const session: OrderSession = { guide, end, viewId, turn, origin, meta, actor: member.actor };
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
    const { guide, end, meta, actor } = session;
    const allowed = (operation: string) => {
      const tool = this.#slack.tools.find(({ id }) => id === operation);
      return tool !== undefined && hasRole(actor, neededRole(tool).ask);
    };
    const blocks = followBlocks({ guide, end }, order, {
      correct: allowed(end.correct.operation),
      stop: allowed(end.stop.operation),
    });
    const view = this.#views.plainView(guide, { at: end.title }, meta, ...problemBlocks(problem), ...blocks);
    return this.#views.show(session, view);
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

  /** Stops updates of this view, which moves to another step. */
  leave(orderId: string, viewId: string): void {
    this.#sessions.get(orderId)?.delete(viewId);
  }
}
