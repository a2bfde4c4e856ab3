import type { Guide } from '../../../../tools/surfaces/flows.ts';
import type { Gate } from '../../../gate/gate.ts';
import type { Action } from '../../../gate/ledger/ledger.ts';
import { outcomeOf } from '../../../language/outcome.ts';
import { hasRole } from '../../../lib/actor.ts';
import type { Clock } from '../../../lib/clock.ts';
import { confirmElsewhere, titleOf } from '../blocks/card.ts';
import { homeView } from '../blocks/home.ts';
import { type Block, header, say } from '../blocks/text.ts';
import type { Roles } from '../people/roles.ts';
import type { Reworder } from '../people/said.ts';
import { elsewhereOf, type Log, type Origin, type SlackConfig, type SlackGroup } from '../types.ts';
import type { Posted, Web } from './web.ts';

export type Home = ReturnType<typeof createHome>;

/** What was last told of an order, and where. */
export type OrderThreads = (orderId: string) => (Posted & { status: string; message: string; at: number }) | undefined;

const MAX_ORDERS = 10;
const MAX_LINKS = 500;
const DEBOUNCE_MS = 1_000;
const MAX_PEOPLE = 200;

/** The App Home of whoever opened it once: published then, and when something of theirs changes. */
export function createHome(options: {
  config: SlackConfig;
  gate: Gate;
  groups: Readonly<Record<string, SlackGroup>>;
  commands: readonly { command: string; description: string }[];
  web: Web;
  roles: Roles;
  clock: Clock;
  log: Log;
  reworded: Reworder;
  guides: readonly Guide[];
}) {
  const { gate, web, roles, clock, log } = options;
  const people = new Map<string, { origin: Origin; decides: boolean; actorId: string }>();
  const due = new Map<string, unknown>();
  const links = new Map<string, string>();
  let shown: OrderThreads | undefined;

  async function publish(origin: Origin): Promise<void> {
    const who = await roles.membership(origin);
    if ('refused' in who) {
      await web.publish(origin.userId, { type: 'home', blocks: [header('Switchboard'), say(...who.refused)] });
      return;
    }
    const { actor } = who;
    const withTool = (action: Action) => ({ action, tool: gate.tool(action.operation) });
    const decides = hasRole(actor, 'approver');
    if (people.has(origin.userId)) people.set(origin.userId, { origin, decides, actorId: actor.id });
    const waiting = decides
      ? gate.actions
          .list({ states: ['pending'], limit: 50 })
          .filter((action) => action.expiresAt > clock.now())
          .filter((action) => gate.refusal('confirm', action, actor, 'slack')?.why !== 'same_person')
          .map((action) => {
            return withTool(action);
          })
      : [];
    const view = homeView({
      waiting,
      mine: gate.actions.list({ actorId: actor.id, limit: 10 }).map(withTool),
      budget: gate.budget(),
      role: actor.role,
      commands: options.commands,
      orders: await ordersOf(actor.id),
      watched: gate.history(actor).watched(),
      guides: options.guides,
      now: clock.now(),
      reworded: options.reworded,
    });
    await web.publish(origin.userId, { ...view, blocks: (view.blocks as Block[]).map(undecided) });
  }

  /** Where a message stands does not change: asked for once. */
  async function linkTo(at: Posted): Promise<string | undefined> {
    const key = `${at.channel} ${at.ts}`;
    const known = links.get(key);
    if (known !== undefined) return known;
    const link = await web.permalink(at);
    if (link !== undefined) links.set(key, link);
    const [oldest] = links.keys();
    if (links.size > MAX_LINKS && oldest !== undefined) links.delete(oldest);
    return link;
  }

  /** Orders this person started, with what the platform last told of each. */
  async function ordersOf(actorId: string) {
    const found = new Map<string, Action>();
    for (const action of gate.actions.list({ actorId, states: ['done', 'partly'], limit: 100 })) {
      const id = action.result?.OrderId;
      // What started an order carries its id in the answer only; a correction names it.
      if (typeof id === 'string' && action.shown.OrderId === undefined && !found.has(id)) found.set(id, action);
    }
    const orders = await Promise.all(
      [...found].slice(0, MAX_ORDERS).map(async ([orderId, action]) => {
        const told = shown?.(orderId);
        const partly = action.state === 'partly' && outcomeOf(action, gate.tool(action.operation)).headline;
        const answered = partly || (action.result?.OrderStatus ?? action.result?.Status);
        const link = told && (await linkTo(told));
        return {
          orderId,
          title: titleOf(action, gate.tool(action.operation)),
          status: told?.status ?? (typeof answered === 'string' ? answered : ''),
          message: told?.message ?? '',
          at: told?.at ?? action.updatedAt,
          ...(link ? { link } : {}),
        };
      }),
    );
    // What has no state is an order in name only, such as a cancellation's first stage.
    return orders.filter(({ status }) => status !== '');
  }

  /** A decision that is not Slack's to take becomes the way to where it is taken. */
  function undecided(block: Block): Block {
    const id = block.type === 'actions' ? /^home:(act_.+)$/.exec(String(block.block_id))?.[1] : undefined;
    const elsewhere = id && elsewhereOf(gate, id);
    return elsewhere ? confirmElsewhere(elsewhere) : block;
  }

  function soon(userId: string): void {
    const origin = people.get(userId)?.origin;
    if (!origin || due.has(userId)) return;
    const timer = clock.setTimeout(() => {
      due.delete(userId);
      publish(origin).catch((error: unknown) =>
        log('warn', { user: userId, error: String(error) }, 'an App Home could not be published'),
      );
    }, DEBOUNCE_MS);
    due.set(userId, timer);
  }

  // Whoever may decide sees every change, everybody else their own: Slack takes a hundred publications a minute.
  const stop = gate.onChange((action) => {
    for (const [userId, { decides, actorId }] of people) if (decides || actorId === action.actorId) soon(userId);
  });

  return {
    async opened(origin: Origin): Promise<void> {
      people.delete(origin.userId);
      people.set(origin.userId, { origin, decides: false, actorId: '' });
      if (people.size > MAX_PEOPLE) {
        const [oldest] = people.keys();
        if (oldest !== undefined) people.delete(oldest);
      }
      await publish(origin);
    },
    /** Where orders are told of: their state and thread, by id. */
    showOrders(threads: OrderThreads): void {
      shown = threads;
    },
    /** Something of this person's changed that is no action: an order of theirs has moved. */
    changed: soon,
    close(): void {
      stop();
      for (const timer of due.values()) clock.clearTimeout(timer);
      due.clear();
    },
  };
}
