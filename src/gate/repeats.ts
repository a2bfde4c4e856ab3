import type { Tool } from '../catalogue/operation.ts';
import type { Actor } from '../lib/actor.ts';
import { SwitchboardError } from '../lib/errors.ts';
import type { Action, Ledger } from './ledger/ledger.ts';

/** What the ledger knows of the same call made before. */
export interface Earlier {
  /** The requester's own earlier call, found to be done: its result stands for the repeat. */
  done?: Action;
  /** For the person who is asked: an earlier call may have done the work already. */
  warning?: string;
  /** Ids of the earlier calls whose outcome is unknown, which the warning names. */
  doubted: readonly string[];
  /** Ids of every earlier call which the warning names. */
  warned: readonly string[];
}

/**
 * Looks for earlier calls with the very same input whose end is open, and reads what became of them. An earlier call
 * settles for its own requester only: whoever else repeats it is told of it and asked as for a new request.
 * A call that may be sent again needs no looking. Rejects with `not_confirmed` while the requester's own call runs in another process.
 */
export async function earlierAttempt(
  parts: {
    ledger: Pick<Ledger, 'unsettledTwins'>;
    /** The action as a reader sees it: one whose end could not be written yet is unknown. */
    current: (id: string) => Action | undefined;
    /** Calls under way in this process, by action id. */
    running: ReadonlyMap<string, Promise<unknown>>;
    reconcile: (id: string, actor: Actor) => Promise<Action | undefined>;
  },
  mayResend: boolean,
  digest: string,
  actor: Actor,
  alike: readonly Alike[] = [],
): Promise<Earlier> {
  if (mayResend) return { doubted: [], warned: [] };
  const doubted: string[] = [];
  const warnings: string[] = [];
  const warned: string[] = [];
  const twins = new Set<string>();
  const orders = new Set<unknown>();
  for (const twin of parts.ledger.unsettledTwins(digest)) {
    twins.add(twin.id);
    const own = twin.actorId === actor.id;
    if (own && twin.state !== 'unknown') await waitFor(twin, parts.running);
    const now = parts.current(twin.id) ?? twin;
    const settled = now.state === 'unknown' ? ((await parts.reconcile(twin.id, actor)) ?? now) : now;
    if (own && (settled.state === 'done' || settled.state === 'partly'))
      return { done: settled, doubted: [], warned: [] };
    if (settled.state === 'unknown') {
      doubted.push(settled.id);
      orders.add(orderOf(settled));
    }
    const warning = own ? ownWarning(settled) : othersWarning(settled);
    if (warning === undefined) continue;
    warnings.push(warning);
    warned.push(settled.id);
  }
  for (const { action, values } of alike) {
    // The stages of one cancellation are one piece of work.
    const order = orderOf(action);
    if (twins.has(action.id) || (order !== undefined && orders.has(order))) continue;
    orders.add(order);
    const now = (await parts.reconcile(action.id, actor)) ?? parts.current(action.id) ?? action;
    if (now.state !== 'unknown') continue;
    doubted.push(now.id);
    warned.push(now.id);
    warnings.push(overlapWarning(now, values, now.actorId === actor.id));
  }
  return warnings.length === 0 ? { doubted, warned } : { warning: warnings.join(' '), doubted, warned };
}

/** An earlier call of the same kind for some of the same numbers, whose outcome is unknown. */
export interface Alike {
  action: Action;
  /** The numbers that both name. */
  values: readonly string[];
}

/**
 * Earlier calls with an unknown outcome that this one overlaps: of the operations its definition lets through one at a
 * time, for one of the same values (phone numbers). Workflows come first, then the operations they sent.
 */
export function alikeCalls(
  parts: { ledger: Pick<Ledger, 'list'>; toolOf: (id: string) => Tool },
  tool: Tool,
  values: readonly string[],
): Alike[] {
  const { exclusive } = tool;
  if (exclusive === undefined || values.length === 0) return [];
  const rank = ({ operation }: Action) => (parts.toolOf(operation).kind === 'workflow' ? 0 : 1);
  return parts.ledger
    .list({ states: ['unknown'], limit: 1000 })
    .filter(({ operation }) => exclusive.with.includes(operation))
    .sort((one, other) => rank(one) - rank(other))
    .flatMap((action) => {
      const theirs = parts.toolOf(action.operation).exclusive?.values(action.shown, action.known) ?? [];
      const shared = values.filter((value) => theirs.includes(value));
      return shared.length === 0 ? [] : [{ action, values: shared }];
    });
}

/** The order a call is about: its own, or the one its request stage made. */
function orderOf({ shown, known }: Action): unknown {
  return shown.OrderId ?? known.OrderId;
}

function overlapWarning(action: Action, values: readonly string[], own: boolean): string {
  const named = values.slice(0, 3).join(', ') + (values.length > 3 ? ` and ${values.length - 3} more` : '');
  const what = action.consent?.title ?? action.operation;
  const who = own ? '' : `, asked by ${action.actorName},`;
  return `An earlier call for ${named} ("${what}", ${action.id})${who} was sent at ${when(action)} and its outcome is unknown: it may have been done already. Check before confirming.`;
}

/** Waits for the requester's own call, however it ends. */
async function waitFor(twin: Action, running: ReadonlyMap<string, Promise<unknown>>): Promise<void> {
  const under = running.get(twin.id);
  if (under === undefined) {
    throw new SwitchboardError({
      code: 'not_confirmed',
      message: `The same call is already running (${twin.id}); nothing was sent again. Follow it with confirmations_get.`,
      outcome: 'not_done',
    });
  }
  // Its end is read from the ledger; the first caller gets its error.
  await under.catch(() => undefined);
}

const when = (action: Action) => new Date(action.sentAt ?? action.createdAt).toISOString();

function ownWarning(action: Action): string | undefined {
  if (action.state !== 'unknown') return undefined;
  return `The same call was sent at ${when(action)} and its outcome is unknown: it may have been done already. Check before confirming.`;
}

function othersWarning(action: Action): string | undefined {
  const asked = `${action.actorName} made the same call at ${when(action)} (${action.id})`;
  switch (action.state) {
    case 'unknown':
      return `${asked}; its outcome is unknown: it may have been done already. Check before confirming.`;
    case 'confirmed':
    case 'in_flight':
      return `${asked}; it is running now. Confirming does it a second time.`;
    case 'done':
      return `${asked}; it was done. Confirming does it a second time.`;
    case 'partly':
      return `${asked}; it was partly done. Confirming does it a second time.`;
    default:
      return undefined;
  }
}
