import type { Guide } from '../../../../tools/surfaces/flows.ts';
import { neededRole } from '../../../catalogue/offered.ts';
import { failureWords } from '../../../language/failure.ts';
import { type Actor, hasRole } from '../../../lib/actor.ts';
import { BoundedMap } from '../../../lib/bounded-map.ts';
import { asSwitchboardError } from '../../../lib/errors.ts';
import { recordOf, textOf } from '../../../lib/json.ts';
import type { OrderShown } from '../blocks/event.ts';
import { followBlocks, guideView, problemBlocks } from '../blocks/guide.ts';
import { say } from '../blocks/text.ts';
import type { SlackServices } from '../context.ts';
import type { GuideViews, ViewSession, ViewStep } from './guide-views.ts';

const MAX_SESSIONS = 200;

/** The last step of a guide: views that show an order, updated when it changes. */
export class GuideOrders {
  readonly #slack: SlackServices;
  readonly #views: GuideViews;
  /** By order, then by view. */
  readonly #sessions = new BoundedMap<string, BoundedMap<string, ViewSession>>(MAX_SESSIONS);

  constructor(slack: SlackServices, views: GuideViews) {
    this.#slack = slack;
    this.#views = views;
  }

  /** Reads an order, shows its state, and updates the view when the order changes. */
  async follow(guide: Guide, orderId: string, step: ViewStep, problem?: string): Promise<void> {
    const { roles, reworded } = this.#slack;
    const member = await roles.admit(step.origin, 'viewer');
    if ('refused' in member) {
      await this.#views.show(step, guideView(guide, 'follow', step.meta, say('⛔ ', ...member.refused)));
      return;
    }
    let order: OrderShown = { orderId, status: '', message: '' };
    let trouble = problem;
    try {
      order = await this.read(guide, orderId, member.actor);
    } catch (error) {
      trouble = reworded(failureWords(asSwitchboardError(error).face, 'slack'));
    }
    const { viewId, turn, origin, meta } = step;
    const session: ViewSession = { guide, viewId, turn, origin, meta, input: {}, actor: member.actor };
    const sessions = this.#sessions.get(orderId) ?? new BoundedMap<string, ViewSession>(MAX_SESSIONS);
    sessions.set(viewId, session);
    this.#sessions.set(orderId, sessions);
    if (!(await this.#showOrder(order, session, trouble))) sessions.delete(viewId);
  }

  /** The order as the platform has it now. */
  async read({ follow }: Guide, orderId: string, actor: Actor): Promise<OrderShown> {
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

  #showOrder(order: OrderShown, session: ViewSession, problem?: string): Promise<boolean> {
    const { guide, meta, actor } = session;
    const allowed = (operation: string) => {
      const tool = this.#slack.tools.find(({ id }) => id === operation);
      return tool !== undefined && hasRole(actor, neededRole(tool).ask);
    };
    const blocks = followBlocks(guide, order, {
      correct: allowed(guide.correct.operation),
      stop: allowed(guide.stop.operation),
    });
    const view = guideView(guide, 'follow', { ...meta, t: '' }, ...problemBlocks(problem), ...blocks);
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
