import type { Tool } from '../catalogue/operation.ts';
import type { Action, Digests, Ledger } from '../ledger/ledger.ts';
import { type Actor, personOf } from '../lib/actor.ts';
import { type Clock, DAY_MS, sleep, systemClock } from '../lib/clock.ts';
import { POLL_MS } from '../lib/durations.ts';
import { SwitchboardError } from '../lib/errors.ts';
import { sharedWith } from '../lib/lists.ts';
import { END_TOLD, isEnded, isRunning } from './confirmation.ts';
import { orderOf } from './question.ts';
import type { Reconciler } from './reconcile.ts';
import type { ActionStates } from './states.ts';
import { traitsOf } from './surfaces.ts';
import type { ToolIndex } from './tool-index.ts';

/** Earlier calls with the same input, from the ledger. */
export interface Earlier {
  /** The requester's own earlier call if it was done. Its result is returned for the repeat. */
  done?: Action;
  /** Warns the person who confirms that an earlier call may have done the work already. */
  warning?: string;
  /** Ids of the earlier calls whose outcome is unknown, which the warning names. */
  doubted: readonly string[];
  /** Ids of all earlier calls that the warning names. */
  warned: readonly string[];
}

/**
 * Finds earlier calls with the same input. Those that have no known end are resolved first. The result of such a call is
 * returned to its own requester only: any other requester gets a warning and a new question. A question of somebody else
 * that waits is a warning, and with `again` a call that was done is one too. Calls that may be sent again are not
 * checked. The requester's own call that still runs is waited for.
 */
export async function earlierAttempt(
  parts: {
    ledger: Pick<Ledger, 'open' | 'notes'>;
    clock: Clock;
    states: ActionStates;
    reconciler: Reconciler;
  },
  call: {
    mayResend: boolean;
    digests: Digests;
    again: boolean;
    alike: readonly Alike[];
    /** True if no record would show that the same call was done meanwhile (`makesAnew`). */
    makesAnew: boolean;
    /** Id of the waiting question that this call replaces. */
    replaces?: string | undefined;
    /** Epoch ms. */
    deadline: number;
    signal?: AbortSignal | undefined;
  },
  actor: Actor,
): Promise<Earlier> {
  if (call.mayResend) return { doubted: [], warned: [] };
  const doubted: string[] = [];
  const warnings: string[] = [];
  const warned: string[] = [];
  const twins = new Set<string>();
  const orders = new Set<unknown>();
  for (const twin of await parts.ledger.open.unsettledTwins(call.digests)) {
    twins.add(twin.id);
    const own = twin.actorId === actor.id;
    if (own && twin.state !== 'unknown') await waitFor(twin, parts, call);
    const now = (await parts.states.current(twin.id)) ?? twin;
    const settled = now.state === 'unknown' ? ((await parts.reconciler.reconcile(twin.id, actor)) ?? now) : now;
    if (own && !call.again && isEnded(settled))
      return { done: await told(settled, parts.ledger), doubted: [], warned: [] };
    if (settled.state === 'unknown') {
      doubted.push(settled.id);
      orders.add(orderOf(settled));
    }
    const warning = twinWarning(settled, own);
    if (warning === undefined) continue;
    warnings.push(warning);
    warned.push(settled.id);
  }
  const settledSince = call.again ? undefined : await endNotTold(parts, call.digests, actor);
  if (settledSince && doubted.length === 0)
    return { done: await told(settledSince, parts.ledger), doubted: [], warned: [] };
  const pending = call.makesAnew ? await parts.ledger.open.pendingTwins(call.digests) : [];
  const waiting = pending.filter(({ id, person }) => person !== personOf(actor) && id !== call.replaces);
  warnings.push(...waiting.map(waitingWarning));
  for (const { action, values } of call.alike) {
    // The stages of one cancellation belong to the same order and are reported once.
    const order = orderOf(action);
    if (twins.has(action.id) || (order !== undefined && orders.has(order))) continue;
    orders.add(order);
    const now =
      (await parts.reconciler.reconcile(action.id, actor)) ?? (await parts.states.current(action.id)) ?? action;
    if (now.state !== 'unknown') continue;
    doubted.push(now.id);
    warned.push(now.id);
    warnings.push(overlapWarning(now, values, now.actorId === actor.id));
  }
  const found = { doubted, warned };
  return warnings.length === 0 ? found : { warning: warnings.join(' '), ...found };
}

/**
 * The same call of this requester, whose outcome was unknown and was settled within a day, unless the requester has
 * learned its end. A requester who still believes the outcome to be unknown would repeat the work.
 */
async function endNotTold(
  { ledger, clock }: { ledger: Pick<Ledger, 'open'>; clock: Clock },
  digests: Digests,
  actor: Actor,
): Promise<Action | undefined> {
  if (!traitsOf(actor.surface).asksForEnd) return undefined;
  const found = await ledger.open.doneAfterUnknown(digests, actor.id, clock.now() - DAY_MS);
  return found.find(({ notes }) => notes[END_TOLD] === undefined);
}

/** Notes that the requester learns the end of this action. */
async function told(action: Action, { notes }: Pick<Ledger, 'notes'>): Promise<Action> {
  await notes.remember(action.id, { [END_TOLD]: true });
  return action;
}

/** An earlier call of the same kind for some of the same numbers, whose outcome is unknown. */
export interface Alike {
  action: Action;
  /** The numbers that both calls name. */
  values: readonly string[];
}

/**
 * Earlier calls with an unknown outcome that overlap with this one: calls of the operations that it excludes, for one
 * of the same values (phone numbers). Workflows come first, then the operations they sent.
 */
export async function alikeCalls(
  parts: { ledger: Pick<Ledger, 'open'>; tools: ToolIndex },
  tool: Tool,
  values: readonly string[],
): Promise<Alike[]> {
  const { exclusive } = tool;
  if (exclusive === undefined || values.length === 0) return [];
  const rank = ({ operation }: Action) => (parts.tools.get(operation).kind === 'workflow' ? 0 : 1);
  const unknown = await parts.ledger.open.holding(values, ['unknown']);
  return unknown
    .filter(({ operation }) => exclusive.with.includes(operation))
    .sort((one, other) => rank(one) - rank(other))
    .flatMap((action) => {
      const theirs = parts.tools.get(action.operation).exclusive?.values(action.shown, action.known) ?? [];
      const shared = sharedWith(values, theirs);
      return shared.length === 0 ? [] : [{ action, values: shared }];
    });
}

function overlapWarning(action: Action, values: readonly string[], own: boolean): string {
  const named = values.slice(0, 3).join(', ') + (values.length > 3 ? ` and ${values.length - 3} more` : '');
  const what = action.consent?.title ?? action.operation;
  const who = own ? '' : `, asked by ${action.actorName},`;
  return `An earlier call for ${named} ("${what}", ${action.id})${who} was sent at ${when(action)} and its outcome is unknown: it may have been done already. Check before confirming.`;
}

/**
 * Waits until the requester's own call ends, successfully or not, in this process or another. Its end is read from the
 * ledger afterwards: the first caller gets the error. Rejects with the outcome `unknown` if it has not ended in time.
 */
export async function waitFor(
  twin: Action,
  { states, clock }: { states: ActionStates; clock: Clock },
  { deadline, signal }: { deadline: number; signal?: AbortSignal | undefined },
): Promise<void> {
  const call = states.running.get(twin.id);
  if (call !== undefined) return call.then(ignored, ignored);
  while (clock.now() < deadline && !signal?.aborted) {
    const now = await states.current(twin.id);
    if (now === undefined || !isRunning(now)) return;
    await sleep(systemClock, POLL_MS, [signal]);
  }
  throw new SwitchboardError({
    code: 'timeout',
    message: 'The same call is running and has not ended yet.',
    effect: 'nothing_more_sent',
    follow: twin.id,
    outcome: 'unknown',
  });
}

const ignored = () => undefined;

const when = (action: Action) => new Date(action.sentAt ?? action.createdAt).toISOString();

function waitingWarning({ actorName, id, createdAt }: Action): string {
  return `${actorName} asked for the same call at ${new Date(createdAt).toISOString()} (${id}); it still waits for a person. Once one of the two is sent, a yes to the other sends nothing.`;
}

function twinWarning(action: Action, own: boolean): string | undefined {
  const asked = own
    ? `The same call was sent at ${when(action)}`
    : `${action.actorName} made the same call at ${when(action)} (${action.id})`;
  switch (action.state) {
    case 'unknown':
      return `${asked}${own ? ' and' : ';'} its outcome is unknown: it may have been done already. Check before confirming.`;
    case 'confirmed':
    case 'in_flight':
      return own ? undefined : `${asked}; it is running now. Confirming does it a second time.`;
    case 'done':
      return `${asked}; it was done. Confirming does it a second time.`;
    case 'partly':
      return `${asked}; it was partly done. Confirming does it a second time.`;
    default:
      return undefined;
  }
}
