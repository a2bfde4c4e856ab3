import type { Guide } from '../../../../tools/surfaces/guides/guide.ts';
import type { Gate } from '../../../gate/gate.ts';
import { orderNow, outcomeOf } from '../../../language/outcome.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { type Actor, hasRole, personOf } from '../../../lib/actor.ts';
import { type Clock, DAY_MS } from '../../../lib/clock.ts';
import { REDRAW_MS } from '../../../lib/durations.ts';
import { defined } from '../../../lib/json.ts';
import { BoundedMap } from '../../../lib/lists.ts';
import type { Log } from '../../../lib/log.ts';
import { startedOrder } from '../../../platform/dialect/orders.ts';
import { levelOf } from '../../../store/key-values.ts';
import type { Jobs } from '../../../work/jobs.ts';
import type { Worker } from '../../../work/worker.ts';
import type { WebApi } from '../api/web.ts';
import { titleOf } from '../blocks/card.ts';
import { type HomeOrder, homeView } from '../blocks/home.ts';
import { header, say } from '../blocks/text.ts';
import type { Roles } from '../people/roles.ts';
import { elsewhereOf, isOwnQuestion, type Origin, type Posted, type Reworder } from '../types.ts';

/** The last report of an order, and its thread. */
export type OrderThread = Posted & { status: string; message: string; at: number };

/** A person whose App Home is kept up to date. */
interface Viewer {
  origin: Origin;
  decides: boolean;
  actorId: string;
}

/** Numbers that the title of an order names. */
const MAX_PHONES = 3;
const MAX_ORDERS = 10;
const MAX_LINKS = 500;
const MAX_PEOPLE = 200;
/** The kind of the job that publishes one person's Home. */
const PUBLISH = 'slack.home';

export interface HomeOptions {
  gate: Gate;
  web: WebApi;
  roles: Roles;
  jobs: Jobs;
  worker: Pick<Worker, 'on' | 'off' | 'look'>;
  clock: Clock;
  log: Log;
  reworded: Reworder;
  guides: readonly Guide[];
}

/** App Homes. Published when a person opens theirs, and from then on when something in it changes. */
export class Home {
  readonly #options: HomeOptions;
  readonly #viewers = new BoundedMap<string, Viewer>(MAX_PEOPLE);
  readonly #links = new BoundedMap<string, string>(MAX_LINKS);
  /** When a publication that has been added is due (epoch ms), by user. */
  readonly #due = new BoundedMap<string, number>(MAX_PEOPLE);
  readonly #unsubscribe: () => void;
  #threadOf: ((orderId: string) => Promise<OrderThread | undefined>) | undefined;

  constructor(options: HomeOptions) {
    this.#options = options;
    // People who may decide see every change, others only their own. Slack accepts a hundred publications a minute.
    this.#unsubscribe = options.gate.onChange((action) => {
      for (const [userId, { decides, actorId }] of this.#viewers.entries())
        if (decides || actorId === action.actorId) void this.changed(userId);
    });
  }

  /** Publishes the Homes that have changed. */
  start(): void {
    const { worker, log } = this.#options;
    worker.on(PUBLISH, async ({ payload }) => {
      const { userId = '', teamId = '' } = payload as Partial<Origin>;
      await this.#publish({ userId, teamId }).catch((error: unknown) =>
        log(levelOf(error, 'warn'), { user: userId, error: String(error) }, 'failed to publish an App Home'),
      );
      return undefined;
    });
  }

  /** A person opened their Home. */
  async opened(origin: Origin): Promise<void> {
    this.#viewers.set(origin.userId, { origin, decides: false, actorId: '' });
    await this.#publish(origin);
  }

  /** Sets the source of an order's last report and thread, by order id. */
  showOrders(threadOf: (orderId: string) => Promise<OrderThread | undefined>): void {
    this.#threadOf = threadOf;
  }

  /** Publishes a person's Home soon, if they have opened it. */
  async changed(userId: string): Promise<void> {
    const { clock, jobs, worker, log } = this.#options;
    const teamId = this.#viewers.get(userId)?.origin.teamId;
    if (teamId === undefined || (this.#due.get(userId) ?? 0) > clock.now()) return;
    const runAt = clock.now() + REDRAW_MS;
    this.#due.set(userId, runAt);
    try {
      await jobs.add({ kind: PUBLISH, key: `${PUBLISH} ${userId}`, payload: { userId, teamId }, runAt });
      worker.look();
    } catch (error) {
      log(levelOf(error, 'warn'), { user: userId, error: String(error) }, 'failed to update an App Home');
    }
  }

  async close(): Promise<void> {
    this.#unsubscribe();
    await this.#options.worker.off([PUBLISH]);
  }

  async #publish(origin: Origin): Promise<void> {
    const { gate, web, roles, clock } = this.#options;
    const membership = await roles.membership(origin);
    if ('refused' in membership) {
      await web.publish(origin.userId, { type: 'home', blocks: [header('Switchboard'), say(...membership.refused)] });
      return;
    }
    const { actor } = membership;
    const decides = hasRole(actor, 'operator');
    if (this.#viewers.has(origin.userId)) this.#viewers.set(origin.userId, { origin, decides, actorId: actor.id });
    const withTools = (all: readonly Action[]) => all.map((action) => ({ action, tool: gate.tool(action.operation) }));
    const waiting = decides ? await this.waitingFor(actor) : [];
    const own = await gate.actions.list({ actorId: actor.id, states: ['pending'], limit: 50, whole: true });
    const asked = own.filter(
      ({ id, expiresAt }) => expiresAt > clock.now() && !waiting.some((action) => action.id === id),
    );
    const view = homeView({
      person: personOf(actor),
      role: actor.role,
      waiting: withTools(waiting),
      asked: withTools(asked),
      decided: hasRole(actor, 'approver') ? withTools(await this.#decidedToday(membership.zone)) : undefined,
      mine: withTools(await gate.actions.list({ actorId: actor.id, limit: 10, whole: true })),
      orders: await this.ordersOf(actor.id),
      watched: await gate.history(actor).watched(),
      guides: decides ? this.#options.guides : [],
      elsewhere: (id) => elsewhereOf(gate, id),
      reworded: this.#options.reworded,
    });
    await web.publish(origin.userId, view);
  }

  /** What people decided today, in the time zone of the reader. */
  async #decidedToday(zone: string | undefined): Promise<Action[]> {
    const { gate, clock } = this.#options;
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
    const { gate, clock } = this.#options;
    const pending = await gate.actions.list({ states: ['pending'], limit: 50, oldestFirst: true });
    return pending
      .filter((action) => action.expiresAt > clock.now())
      .filter((action) => action.person === personOf(actor) || !isOwnQuestion(action))
      .filter(
        (action) => !['same_person', 'role'].includes(gate.refusal('confirm', action, actor, 'slack')?.why ?? ''),
      );
  }

  /** Orders that this person started, with the last report of each. */
  async ordersOf(actorId: string): Promise<HomeOrder[]> {
    const started = new Map<string, Action>();
    const done = await this.#options.gate.actions.list({ actorId, states: ['done', 'partly'], limit: 100 });
    for (const action of done) {
      const id = startedOrder(action);
      if (id !== undefined && !started.has(id)) started.set(id, action);
    }
    const orders = await Promise.all(
      [...started].slice(0, MAX_ORDERS).map(([orderId, action]) => this.#homeOrder(orderId, action)),
    );
    // Without a state it is not tracked as an order, such as the first stage of a cancellation.
    return orders.filter(({ status }) => status !== '');
  }

  async #homeOrder(orderId: string, action: Action): Promise<HomeOrder> {
    const tool = this.#options.gate.tool(action.operation);
    const report = await this.#threadOf?.(orderId);
    const { status, stands } = orderNow(action, tool, report?.status);
    const answered = action.state === 'partly' ? outcomeOf(action, tool).headline : status;
    const link = report && (await this.#linkTo(report));
    return {
      orderId,
      title: orderTitle(action, titleOf(action, tool)),
      status: stands ?? report?.status ?? answered ?? '',
      message: report?.message ?? '',
      at: report?.at ?? action.updatedAt,
      ...defined({ link: link || undefined }),
    };
  }

  /** Links do not change, so each is requested once. */
  async #linkTo(at: Posted): Promise<string | undefined> {
    const key = `${at.channel} ${at.ts}`;
    const known = this.#links.get(key);
    if (known !== undefined) return known;
    const link = await this.#options.web.permalink(at);
    if (link !== undefined) this.#links.set(key, link);
    return link;
  }
}

/** The title of an order. A row of a batch has no question that names its numbers. */
function orderTitle({ consent, shown }: Action, title: string): string {
  const phones = consent ? [] : [...new Set(JSON.stringify(shown).match(/\+\d{7,15}/g))];
  if (phones.length === 0) return title;
  const more = phones.length > MAX_PHONES ? ` and ${phones.length - MAX_PHONES} more` : '';
  return `${title}: ${phones.slice(0, MAX_PHONES).join(', ')}${more}`;
}
