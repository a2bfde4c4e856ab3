import { type Guide, type OrderEnd, orderEnd } from '../../../../tools/surfaces/guides/guide.ts';
import { neededRole } from '../../../catalogue/offered.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import type { Actor } from '../../../lib/actor.ts';
import { asSwitchboardError } from '../../../lib/errors.ts';
import { defined, type Fields, textOf } from '../../../lib/json.ts';
import { hasEnded, isRejected } from '../../../platform/dialect/orders.ts';
import type { OrderShown } from '../blocks/event.ts';
import { type GuideMeta, guideView } from '../blocks/guide.ts';
import { correctionMeta } from '../blocks/guide-correction.ts';
import { refusalMessage } from '../blocks/notices.ts';
import { say } from '../blocks/text.ts';
import type { SlackServices } from '../context.ts';
import { type Origin, SLACK_ACTOR } from '../types.ts';
import type { GuideOrders } from './guide-orders.ts';
import type { GuideViews, ViewStep } from './guide-views.ts';
import { Reply } from './reply.ts';

/**
 * The form that corrects an order. A button outside a guide opens it in a separate modal; in a guide it is the next
 * view.
 */
export class GuideCorrections {
  readonly #slack: SlackServices;
  readonly #views: GuideViews;
  readonly #orders: GuideOrders;

  constructor(slack: SlackServices, views: GuideViews, orders: GuideOrders) {
    this.#slack = slack;
    this.#views = views;
    this.#orders = orders;
  }

  /** Opens a modal for it. False if Slack did not open it. */
  async open(guide: Guide, input: Fields, origin: Origin): Promise<boolean> {
    const { web, log, roles } = this.#slack;
    const end = orderEnd(guide);
    if (!origin.triggerId || !end) return false;
    const tool = this.#views.toolOf(end.correct.operation);
    const refused = await roles.timelyRefusal(origin, neededRole(tool).ask);
    if (refused) {
      await new Reply(this.#slack, origin).add(refusalMessage(refused));
      return true;
    }
    const meta: GuideMeta = { t: '', g: guide.name, ...defined({ c: origin.channel || undefined }) };
    let viewId: string;
    try {
      viewId = await web.openView(
        origin.triggerId,
        guideView(guide, { at: end.title }, meta, say('⏳ Looking up the order…')),
      );
    } catch (error) {
      log('warn', { guide: guide.name, error: String(error) }, 'failed to open a correction');
      return false;
    }
    await this.show(guide, input, { viewId, turn: this.#views.nextTurn(viewId), origin, meta });
    return true;
  }

  /** Shows the form in an open view, with what was sent before. An order that has ended is shown instead. */
  async show(guide: Guide, given: Fields, step: ViewStep): Promise<void> {
    const end = orderEnd(guide);
    if (!end) return;
    const orderId = textOf(given[end.key]);
    this.#orders.leave(orderId, step.viewId);
    const tool = this.#views.toolOf(end.correct.operation);
    const member = await this.#slack.roles.admit(step.origin, neededRole(tool).ask);
    if ('refused' in member) {
      await this.#views.show(step, guideView(guide, { at: end.title }, step.meta, say('⛔ ', ...member.refused)));
      return;
    }
    const order = await this.#orderNow(end, orderId, member.actor);
    if (hasEnded(order.status)) return this.#orders.follow(guide, orderId, step);
    const sent = await earlierInput(this.#slack, tool, { [end.key]: orderId });
    const input = { ...sent, ...given };
    const meta = correctionMeta(
      { end, tool },
      { orderId, phone: order.numbers?.[0], refused: isRejected(order.status) ? order.message : undefined },
      sent,
    );
    await this.#views.show(step, this.#views.correctForm({ guide, end }, input, { ...step.meta, ...meta }));
  }

  /** The order as the platform has it, otherwise as it was last reported. */
  async #orderNow(end: OrderEnd, orderId: string, actor: Actor): Promise<OrderShown> {
    try {
      return await this.#orders.read(end, orderId, actor);
    } catch (error) {
      const { message } = asSwitchboardError(error);
      this.#slack.log('info', { order: orderId, error: message }, 'an order could not be read before its correction');
      const report = await this.#slack.gate.history(SLACK_ACTOR).order(orderId);
      return { orderId, status: report?.status ?? '', message: report?.message ?? '' };
    }
  }
}

/** What was sent for this order before, so that a correction starts from its own values. Without secrets. */
async function earlierInput({ gate }: SlackServices, tool: Tool, given: Fields): Promise<Fields> {
  const [id] = Object.values(given);
  if (typeof id !== 'string') return {};
  const old: Fields = {};
  for (const { state, shown, result } of await gate.actions.about(id, 10)) {
    const isAboutIt = Object.values(shown).includes(id) || (result !== undefined && Object.values(result).includes(id));
    if (!isAboutIt || (state !== 'done' && state !== 'partly')) continue;
    for (const name of Object.keys(tool.input.shape)) if (name in shown && !(name in old)) old[name] = shown[name];
  }
  return old;
}
