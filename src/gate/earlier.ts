import { batchedBy, makesAnew } from '../catalogue/change.ts';
import { mayResend } from '../catalogue/operation.ts';
import type { Action } from '../ledger/action.ts';
import type { Digests, Repeat } from '../ledger/lookups.ts';
import { personOf } from '../lib/actor.ts';
import { DAY_MS, POLL_MS, sleep, systemClock } from '../lib/clock.ts';
import { SwitchboardError } from '../lib/errors.ts';
import { traitsOf } from './approval.ts';
import type { BuiltJob, Preparation } from './asking.ts';
import type { GateParts } from './confirmation.ts';
import { END_TOLD, isEnded, isRunning } from './confirmation.ts';
import type { ActionStates } from './decisions.ts';
import type { Earlier } from './question.ts';
import { orderOf, sentAt, someOf } from './question.ts';
import type { Reconciler } from './reconcile.ts';

/** The parts of the gate that earlier calls are found with. */
type EarlierParts = GateParts & { states: ActionStates; reconciler: Reconciler; preparation: Preparation };

/**
 * Finds the calls that are the same as this one, and says what they mean for it. Those that have no known end are resolved
 * first; the requester's own call that still runs is waited for. The result of an earlier call is returned to its own
 * requester only: any other requester gets a warning and a new question. So does the requester if an approver decides, or if
 * the surface warns of own calls. A waiting question of another requester is a warning, and with `again` a call that was done
 * is one too. So is a call for some of the same targets of a list, and one of unknown outcome that this call excludes. Calls
 * that may be sent again are repeated unless they were made in parallel.
 *
 * @param since epoch ms: the requester's own call that ended at this time or later was made in parallel
 */
export async function earlierCalls(
  parts: EarlierParts,
  job: BuiltJob,
  digests: Digests,
  since: number,
): Promise<Earlier> {
  const { ledger, clock, states, reconciler, preparation, tools } = parts;
  const { tool, input, given, actor, replaces, built, again = false } = job;
  const isOnce = !mayResend(tool, input);
  const isAnew = makesAnew(built.change);
  const doubted: string[] = [];
  const warnings: string[] = [];
  const warned: string[] = [];
  const found = new Set<string>();
  const sent = new Set<string>();
  const waiting = new Set<string>();
  const orders = new Set<unknown>();
  let same: Action | undefined;
  // A requester who still believes an outcome to be unknown would repeat the work.
  let untold: Action | undefined;
  let isDoubted = false;
  const latest = async (action: Action) => {
    const now = (await states.current(action.id)) ?? action;
    return now.state === 'unknown' ? ((await reconciler.reconcile(now.id, actor)) ?? now) : now;
  };
  const warn = (action: Action, values?: readonly string[]) => {
    const warning = warningOf(action, action.actorId === actor.id, values);
    if (warning === undefined) return;
    warnings.push(warning);
    if (action.state !== 'pending') warned.push(action.id);
    if (action.state !== 'unknown') return;
    doubted.push(action.id);
    orders.add(orderOf(action));
  };
  const list = isOnce ? batchedBy(tool)?.list : undefined;
  const repeated = { operation: tool.id, list, digests, given, sent: input };
  for (const { action, values } of await ledger.open.repeats(repeated, Math.min(since, clock.now() - DAY_MS))) {
    found.add(action.id);
    if (action.id === replaces) continue;
    const own = action.actorId === actor.id;
    const isWhole = values === undefined;
    if (action.state === 'pending') {
      if (isWhole) waiting.add(action.id);
      if (isWhole && action.person === personOf(actor)) same = same === undefined || own ? action : same;
      else if (isOnce && isAnew) warn(action, values);
      continue;
    }
    if (!isOnce && (!own || again || action.state === 'unknown')) continue;
    sent.add(action.id);
    const wasOpen = !isEnded(action);
    if (isWhole && own && isRunning(action)) await waitFor(action, parts, job);
    const now = wasOpen ? await latest(action) : action;
    if (isWhole && own && !again && isEnded(now)) {
      if (wasOpen || (now.finishedAt ?? 0) >= since) return told(now, parts);
      const asksForEnd = isOnce && traitsOf(actor.surface).asksForEnd;
      if (asksForEnd && now.wasUnknown && now.notes[END_TOLD] === undefined) untold ??= now;
    }
    if (isWhole && now.state === 'unknown') isDoubted = true;
    const isUnknownToDecider = !own || built.change.level === 'approver' || traitsOf(actor.surface).warnsOfOwn === true;
    const isTold = isAnew && (!isWhole || isUnknownToDecider);
    if (isOnce && (isTold || (isWhole ? wasOpen : now.state === 'unknown'))) warn(now, values);
  }
  if (untold && !isDoubted) return told(untold, parts);
  // Workflows come first, then the operations they sent.
  const isStep = ({ action }: Repeat) => tools.get(action.operation).kind === 'operation';
  const beside = await preparation.unknownBeside(job);
  for (const { action, values } of beside.sort((one, other) => Number(isStep(one)) - Number(isStep(other)))) {
    // The stages of one cancellation belong to the same order and are reported once.
    const order = orderOf(action);
    if (found.has(action.id) || (order !== undefined && orders.has(order))) continue;
    orders.add(order);
    const now = await latest(action);
    if (now.state === 'unknown') warn(now, values);
  }
  return { same, doubted, warned, sent, waiting, ...(warnings.length > 0 && { warning: warnings.join(' ') }) };
}

/** The end of the requester's own call, which is its answer. Notes that the requester has learned it. */
async function told(done: Action, { ledger }: Pick<GateParts, 'ledger'>): Promise<Earlier> {
  if (done.wasUnknown) await ledger.notes.remember(done.id, { [END_TOLD]: true });
  return { done, doubted: [], warned: [], sent: new Set(), waiting: new Set() };
}

/**
 * Waits until the requester's own call ends, successfully or not, in this process or another. Its end is read from the
 * ledger afterwards: the first caller gets the error. Rejects with the outcome `unknown` if it has not ended in time.
 */
async function waitFor(twin: Action, { states, clock }: EarlierParts, { deadline, signal }: BuiltJob): Promise<void> {
  const call = states.running.get(twin.id);
  if (call !== undefined) return void (await call.catch(() => undefined));
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

/**
 * What an earlier call means for a new one: who made it, when, and how it ended; undefined for one that did nothing.
 *
 * @param values the targets that both calls have, if not all of them
 */
function warningOf(action: Action, own: boolean, values?: readonly string[]): string | undefined {
  const { actorName, id, state, consent, operation } = action;
  const [asked, sent] = [action.createdAt, sentAt(action)].map((at) => new Date(at).toISOString());
  const some = values === undefined ? '' : ` for ${someOf(values)}`;
  const made =
    own && !some ? `The same call was sent at ${sent}` : `${actorName} made the same call${some} at ${sent} (${id})`;
  const doubt = 'its outcome is unknown: it may have been done already. Check before confirming.';
  const end = (how: string) => `${made}; it ${how}. Confirming does it a second time.`;
  switch (state) {
    case 'pending':
      return `${actorName} asked for the same call${some} at ${asked} (${id}); it still waits for a person. Once one of the two is sent, a yes to the other sends nothing.`;
    case 'unknown':
      if (!some) return `${made}${own ? ' and' : ';'} ${doubt}`;
      return `An earlier call${some} ("${consent?.title ?? operation}", ${id})${own ? '' : `, asked by ${actorName},`} was sent at ${sent} and ${doubt}`;
    case 'confirmed':
    case 'in_flight':
      return end('is running now');
    case 'done':
      return end('was done');
    case 'partly':
      return end('was partly done');
    default:
      return undefined;
  }
}
