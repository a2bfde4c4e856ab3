import type { Guide } from '../../../../tools/surfaces/guides/guide.ts';
import { changeOfOrder } from '../../../cards/order.ts';
import { listed } from '../../../cards/outcome.ts';
import { outcomeOf } from '../../../language/outcome.ts';
import { nationalIn } from '../../../language/show.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { type Actor, hasRole, personOf } from '../../../lib/actor.ts';
import { DAY_MS, REDRAW_MS } from '../../../lib/clock.ts';
import { BoundedMap, defined } from '../../../lib/values.ts';
import { startedOrder } from '../../../platform/dialect/orders.ts';
import { levelOf } from '../../../store/key-values.ts';
import { titleOf } from '../blocks/card.ts';
import { type HomeOrder, homeView } from '../blocks/home.ts';
import { header, say } from '../blocks/text.ts';
import { elsewhereOf, isOwnQuestion, type Origin, type Posted } from '../types.ts';
import type { Services } from './messages.ts';

/** The last report of an order, and its thread. */
export type OrderThread = Posted & { status: string; message: string; at: number };

/** A person whose App Home is kept up to date. */
interface Viewer {
  origin: Origin;
  decides: boolean;
  actorId: string;
  /** When a publication that has been added is due (epoch ms). */
  due: number;
}

const MAX_ORDERS = 10;
const MAX_PEOPLE = 200;
/** The kind of the job that publishes one person's Home. */
const PUBLISH = 'slack.home';

/** App Homes. Published when a person opens theirs, and from then on when something in it changes. */
export class Home {
  readonly #services: Services;
  readonly #guides: readonly Guide[];
  readonly #viewers = new BoundedMap<string, Viewer>(MAX_PEOPLE);
  readonly #unsubscribe: () => void;
  #threadOf: ((action: Action) => Promise<OrderThread | undefined>) | undefined;

  constructor(services: Services, guides: readonly Guide[]) {
    this.#services = services;
    this.#guides = guides;
    // People who may decide see every change, others only their own. Slack accepts a hundred publications a minute.
    this.#unsubscribe = services.gate.onChange((action) => {
      for (const [userId, { decides, actorId }] of this.#viewers.entries())
        if (decides || actorId === action.actorId) void this.changed(userId);
    });
  }

  /** Publishes the Homes that have changed. */
  start(): void {
    this.#services.worker.on(PUBLISH, async ({ payload }) => {
      const { userId = '', teamId = '' } = payload as Partial<Origin>;
      await this.#publish({ userId, teamId }).catch((error: unknown) => this.#failed(userId, error));
      return undefined;
    });
  }

  /** A person opened their Home. */
  async opened(origin: Origin): Promise<void> {
    this.#viewers.set(origin.userId, { origin, decides: false, actorId: '', due: 0 });
    await this.#publish(origin);
  }

  /** Sets the source of the last report and the thread of the order that an action placed. */
  showOrders(threadOf: (action: Action) => Promise<OrderThread | undefined>): void {
    this.#threadOf = threadOf;
  }

  /** Publishes a person's Home soon, if they have opened it. */
  async changed(userId: string): Promise<void> {
    const { clock, jobs, worker } = this.#services;
    const viewer = this.#viewers.get(userId);
    if (viewer === undefined || viewer.due > clock.now()) return;
    const runAt = clock.now() + REDRAW_MS;
    viewer.due = runAt;
    const { teamId } = viewer.origin;
    try {
      await jobs.add({ kind: PUBLISH, key: `${PUBLISH} ${userId}`, payload: { userId, teamId }, runAt });
      worker.look();
    } catch (error) {
      this.#failed(userId, error);
    }
  }

  #failed(user: string, error: unknown): void {
    this.#services.log(levelOf(error, 'warn'), { user, error: String(error) }, 'failed to publish an App Home');
  }

  async close(): Promise<void> {
    this.#unsubscribe();
    await this.#services.worker.off([PUBLISH]);
  }

  async #publish(origin: Origin): Promise<void> {
    const { gate, web, roles, clock, reworded } = this.#services;
    const membership = await roles.membership(origin);
    if ('refused' in membership) {
      await web.publish(origin.userId, { type: 'home', blocks: [header('Switchboard'), say(...membership.refused)] });
      return;
    }
    const { actor, zone } = membership;
    const decides = hasRole(actor, 'operator');
    const viewer = this.#viewers.get(origin.userId);
    if (viewer) Object.assign(viewer, { origin, decides, actorId: actor.id });
    const waiting = decides ? await this.waitingFor(actor) : [];
    const own = await gate.actions.list({ actorId: actor.id, states: ['pending'], limit: 50, whole: true });
    const isAsked = ({ id, expiresAt }: Action) => expiresAt > clock.now() && !waiting.some((one) => one.id === id);
    const view = homeView({
      person: personOf(actor),
      role: actor.role,
      waiting: await listed(gate, waiting),
      asked: await listed(gate, own.filter(isAsked)),
      decided: hasRole(actor, 'approver') ? await listed(gate, await this.#decidedToday(zone)) : undefined,
      mine: await listed(gate, await gate.actions.list({ actorId: actor.id, limit: 10, whole: true })),
      orders: await this.#ordersOf(actor.id),
      guides: decides ? this.#guides : [],
      elsewhere: (id) => elsewhereOf(gate, id),
      reworded,
    });
    await web.publish(origin.userId, view);
  }

  /** What people decided today, in the time zone of the reader. */
  async #decidedToday(zone: string | undefined): Promise<Action[]> {
    const { gate, clock } = this.#services;
    const dayOf = (at: number) => new Date(at).toLocaleDateString('en-US', { timeZone: zone ?? gate.timeZone });
    const today = dayOf(clock.now());
    const updated = await gate.actions.list({ since: clock.now() - DAY_MS, limit: 100, whole: true });
    return updated.filter(
      ({ decidedPerson, decidedAt }) =>
        decidedPerson !== undefined && decidedAt !== undefined && dayOf(decidedAt) === today,
    );
  }

  /**
   * Actions that this person can decide, the one that has waited longest first. The own change of another person in Slack
   * is asked of that person alone.
   */
  async waitingFor(actor: Actor): Promise<Action[]> {
    const { gate, clock } = this.#services;
    const pending = await gate.actions.list({ states: ['pending'], limit: 50, oldestFirst: true });
    return pending.filter((action) => {
      const isAskedOf = action.person === personOf(actor) || !isOwnQuestion(action);
      const why = gate.refusal('confirm', action, actor, 'slack')?.why ?? '';
      return action.expiresAt > clock.now() && isAskedOf && !['same_person', 'role'].includes(why);
    });
  }

  /** Orders that this person started, with the last report of each. Those of a batch are one. */
  async #ordersOf(actorId: string): Promise<HomeOrder[]> {
    const started = new Map<string, Action>();
    const done = await this.#services.gate.actions.list({ actorId, states: ['done', 'partly'], limit: 100 });
    for (const action of done) {
      const id = startedOrder(action);
      const key = action.batch ?? id;
      if (id !== undefined && key !== undefined && !started.has(key)) started.set(key, action);
    }
    const newest = [...started.values()].slice(0, MAX_ORDERS);
    const orders = await Promise.all(newest.map((action) => this.#homeOrder(action)));
    // Without a state it is not tracked as an order, such as the first stage of a cancellation.
    return orders.filter(({ status }) => status !== '');
  }

  async #homeOrder(action: Action): Promise<HomeOrder> {
    const { gate, web } = this.#services;
    const { whole, status } = await changeOfOrder(gate, action);
    const report = await this.#threadOf?.(action);
    const tool = gate.tool(whole.operation);
    const isPartly = action.state === 'partly' && action.batch === undefined;
    return {
      title: nationalIn(titleOf(whole, tool)),
      status: isPartly ? outcomeOf(action, tool).headline : status,
      message: report?.message ?? '',
      at: report?.at ?? action.updatedAt,
      ...defined({ link: report && (await web.permalink(report)) }),
    };
  }
}
