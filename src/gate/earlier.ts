import { batchedBy, makesAnew } from '../catalogue/change.ts';
import { mayResend, type Tool } from '../catalogue/operation.ts';
import { type Action, type Digests, type Ledger, sharedTargets } from '../ledger/ledger.ts';
import { personOf } from '../lib/actor.ts';
import { type Clock, DAY_MS, POLL_MS, sleep, systemClock } from '../lib/clock.ts';
import { SwitchboardError } from '../lib/errors.ts';
import { sharedWith, textsIn } from '../lib/values.ts';
import { END_TOLD, type GateParts, isEnded, isRunning } from './confirmation.ts';
import type { BuiltJob } from './prepare.ts';
import { type Earlier, orderOf, sentAt } from './question.ts';
import type { Reconciler } from './reconcile.ts';
import type { ActionStates } from './states.ts';
import { traitsOf } from './surfaces.ts';
import type { ToolIndex } from './tool-index.ts';

/**
 * Finds the calls that are the same as this one, and says what they mean for it. Those that have no known end are resolved
 * first; the requester's own call that still runs is waited for. The result of an earlier call is returned to its own
 * requester only: any other requester gets a warning and a new question. A question of somebody else that waits is a
 * warning, and with `again` a call that was done is one too. So is a call for some of the same targets of a list. Calls that
 * may be sent again are repeated unless they were made in parallel.
 *
 * @param since epoch ms: the requester's own call that ended at this time or later was made in parallel
 * @param alike calls of unknown outcome for some of the same numbers
 */
export async function earlierCalls(
  parts: GateParts & { states: ActionStates; reconciler: Reconciler },
  job: BuiltJob,
  { digests, since, alike }: { digests: Digests; since: number; alike: readonly Alike[] },
): Promise<Earlier> {
  const { ledger, clock, states, reconciler } = parts;
  const { tool, input, actor, replaces, built, again = false } = job;
  const isOnce = !mayResend(tool, input);
  const isAnew = makesAnew(built.change);
  const doubted: string[] = [];
  const warnings: string[] = [];
  const warned: string[] = [];
  const twins = new Set<string>();
  const orders = new Set<unknown>();
  let same: Action | undefined;
  // A requester who still believes an outcome to be unknown would repeat the work.
  let untold: Action | undefined;
  for (const call of await ledger.open.same(digests, Math.min(since, clock.now() - DAY_MS))) {
    twins.add(call.id);
    const own = call.actorId === actor.id;
    if (call.state === 'pending') {
      if (call.id === replaces) continue;
      if (call.person === personOf(actor)) same = same === undefined || own ? call : same;
      else if (isOnce && isAnew) warnings.push(waitingWarning(call));
      continue;
    }
    if (!isOnce && (!own || again || call.state === 'unknown')) continue;
    const wasOpen = !isEnded(call);
    if (own && isRunning(call)) await waitFor(call, parts, job);
    const now = wasOpen ? ((await states.current(call.id)) ?? call) : call;
    const settled = now.state === 'unknown' ? ((await reconciler.reconcile(now.id, actor)) ?? now) : now;
    if (own && !again && isEnded(settled)) {
      if (wasOpen || (settled.finishedAt ?? 0) >= since) return told(settled, parts);
      const asksForEnd = isOnce && traitsOf(actor.surface).asksForEnd;
      if (asksForEnd && settled.wasUnknown && settled.notes[END_TOLD] === undefined) untold ??= settled;
    }
    if (!isOnce || (!wasOpen && (own || !isAnew))) continue;
    if (settled.state === 'unknown') {
      doubted.push(settled.id);
      orders.add(orderOf(settled));
    }
    const warning = twinWarning(settled, own);
    if (warning === undefined) continue;
    warnings.push(warning);
    warned.push(settled.id);
  }
  if (untold && doubted.length === 0) return told(untold, parts);
  for (const { action, values } of isOnce ? await sharingCalls(parts, job, twins) : []) {
    twins.add(action.id);
    const own = action.actorId === actor.id;
    if (action.state === 'unknown') {
      doubted.push(action.id);
      orders.add(orderOf(action));
      warnings.push(overlapWarning(action, values, own));
    } else if (!isAnew) continue;
    else if (action.state === 'pending') warnings.push(waitingWarning(action, values));
    else warnings.push(`${namedCall(action, values)}; it ${isEnded(action) ? 'was done' : 'is running now'}. ${TWICE}`);
    if (action.state !== 'pending') warned.push(action.id);
  }
  for (const { action, values } of isOnce ? alike : []) {
    // The stages of one cancellation belong to the same order and are reported once.
    const order = orderOf(action);
    if (twins.has(action.id) || (order !== undefined && orders.has(order))) continue;
    orders.add(order);
    const now = (await reconciler.reconcile(action.id, actor)) ?? (await states.current(action.id)) ?? action;
    if (now.state !== 'unknown') continue;
    doubted.push(now.id);
    warned.push(now.id);
    warnings.push(overlapWarning(now, values, now.actorId === actor.id));
  }
  return { same, doubted, warned, ...(warnings.length > 0 && { warning: warnings.join(' ') }) };
}

/**
 * Calls of the last day that say the same about some of the same targets of a list, as they are now. `except`: the calls
 * that are the same as a whole.
 */
async function sharingCalls(
  { ledger, clock, states, reconciler }: GateParts & { states: ActionStates; reconciler: Reconciler },
  { tool, input, given, actor, replaces }: BuiltJob,
  except: ReadonlySet<string>,
): Promise<Alike[]> {
  const list = batchedBy(tool)?.list;
  if (list === undefined) return [];
  const calls: Alike[] = [];
  const call = { operation: tool.id, list, given, sent: input };
  for (const { id } of await ledger.open.sharing(call, clock.now() - DAY_MS)) {
    const now = except.has(id) || id === replaces ? undefined : await states.current(id);
    const settled = now?.state === 'unknown' ? ((await reconciler.reconcile(id, actor)) ?? now) : now;
    if (settled === undefined || !(settled.state === 'pending' || isEnded(settled) || isOpen(settled))) continue;
    calls.push({
      action: settled,
      values: textsIn(sharedTargets(list, settled.shown, input)).map(({ value }) => value),
    });
  }
  return calls;
}

const isOpen = (action: Action) => isRunning(action) || action.state === 'unknown';

/** The end of the requester's own call, which is its answer. Notes that the requester has learned it. */
async function told(done: Action, { ledger }: Pick<GateParts, 'ledger'>): Promise<Earlier> {
  if (done.wasUnknown) await ledger.notes.remember(done.id, { [END_TOLD]: true });
  return { done, doubted: [], warned: [] };
}

/** An earlier call of the same kind for some of the same numbers. */
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

/** The first of some targets, and the number of the others. */
const someOf = (values: readonly string[]) =>
  values.slice(0, 3).join(', ') + (values.length > 3 ? ` and ${values.length - 3} more` : '');

function overlapWarning(action: Action, values: readonly string[], own: boolean): string {
  const what = action.consent?.title ?? action.operation;
  const who = own ? '' : `, asked by ${action.actorName},`;
  return `An earlier call for ${someOf(values)} ("${what}", ${action.id})${who} was sent at ${when(action)} and its outcome is unknown: it may have been done already. Check before confirming.`;
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

const when = (action: Action) => new Date(sentAt(action)).toISOString();

/** @param values the targets that both calls have, if not all of them */
function waitingWarning({ actorName, id, createdAt }: Action, values: readonly string[] = []): string {
  const some = values.length === 0 ? '' : ` for ${someOf(values)}`;
  return `${actorName} asked for the same call${some} at ${new Date(createdAt).toISOString()} (${id}); it still waits for a person. Once one of the two is sent, a yes to the other sends nothing.`;
}

const TWICE = 'Confirming does it a second time.';

/** Who made the same call and when. `values`: the targets that both calls have, if not all of them. */
function namedCall(action: Action, values: readonly string[] = []): string {
  const some = values.length === 0 ? '' : ` for ${someOf(values)}`;
  return `${action.actorName} made the same call${some} at ${when(action)} (${action.id})`;
}

function twinWarning(action: Action, own: boolean): string | undefined {
  const asked = own ? `The same call was sent at ${when(action)}` : namedCall(action);
  switch (action.state) {
    case 'unknown':
      return `${asked}${own ? ' and' : ';'} its outcome is unknown: it may have been done already. Check before confirming.`;
    case 'confirmed':
    case 'in_flight':
      return own ? undefined : `${asked}; it is running now. ${TWICE}`;
    case 'done':
      return `${asked}; it was done. ${TWICE}`;
    case 'partly':
      return `${asked}; it was partly done. ${TWICE}`;
    default:
      return undefined;
  }
}
