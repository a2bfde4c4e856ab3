import { batchedBy } from '../catalogue/batch-rule.ts';
import { type Change, type ChangeRow, makesAnew } from '../catalogue/change.ts';
import { mayResend, type Raised, type Tool } from '../catalogue/operation.ts';
import { type Action, canonical, changeOf, type State } from '../ledger/action.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { type Digests, sharedTargets } from '../ledger/lookups.ts';
import { personOf } from '../lib/actor.ts';
import { type Clock, DAY_MS, POLL_MS, sleep, systemClock } from '../lib/clock.ts';
import { asSwitchboardError, type Failure, SwitchboardError } from '../lib/errors.ts';
import {
  defined,
  type Fields,
  joined,
  plainText,
  recordOf,
  sharedWith,
  textsIn,
  type Words,
  words,
} from '../lib/values.ts';
import { numberKey } from '../platform/dialect/number-lists.ts';
import { quoted } from '../platform/dialect/phone.ts';
import { readVerdict } from '../platform/dialect/verdict.ts';
import { traitsOf } from './approval.ts';
import type { BuiltJob } from './asking.ts';
import { type Built, isSameChange } from './change.ts';
import { END_TOLD, type GateParts, isEnded, isPaid, isRunning, RENEWED, type ToolIndex } from './confirmation.ts';
import type { ActionStates } from './decisions.ts';
import type { Reconciler } from './reconcile.ts';

/** Facts about a question, stored under `known.question` of its action. No secrets. */
export interface QuestionFacts {
  /** The customer concerned: name and account. */
  customer?: string;
  /** The customers of several lines, by phone number. */
  customers?: Readonly<Record<string, string>>;
  /** The reason why an approver is asked although the operation itself needs none. */
  raised?: Raised;
  /** Warnings: reads that failed, and fields that will be left out. */
  warnings: readonly string[];
  /** Paths of the secret fields that are sent; their values are never shown. */
  hidden: readonly string[];
  /** The members of the question that repeat text from outside, such as a customer's name. */
  outside: readonly ('summary' | 'consequence')[];
  /** Ids of earlier identical calls whose outcome was unknown when this was asked. The question warns about them. */
  doubted: readonly string[];
  /**
   * Ids of all earlier identical calls that the question warns about: with an unknown outcome, or by another person.
   */
  warned: readonly string[];
  /** Owner, state and account of the records that were read, by record. */
  rests: Readonly<Record<string, Fields>>;
  /** Fields of the input that the caller left out and that were filled in. */
  filled: readonly string[];
  /** Members of the caller's input that the records had already, so that they are not sent. */
  left: Fields;
  /** The reads that failed. */
  unread: readonly string[];
}

/** The facts of an action's question; empty for an action without a question. */
export function factsOf(action: Pick<Action, 'known'>): QuestionFacts {
  const stored = action.known.question;
  const facts = stored !== null && typeof stored === 'object' ? (stored as Partial<QuestionFacts>) : {};
  return {
    ...facts,
    warnings: facts.warnings ?? [],
    hidden: facts.hidden ?? [],
    outside: facts.outside ?? [],
    doubted: facts.doubted ?? [],
    warned: facts.warned ?? [],
    rests: facts.rests ?? {},
    filled: facts.filled ?? [],
    left: facts.left ?? {},
    unread: facts.unread ?? [],
  };
}

/** The caller's own input as a form shows it: without secrets and what was filled in, with what was left out. */
export function givenOf(input: Fields, { known }: Pick<Action, 'known'>): Fields {
  const { filled, left } = factsOf({ known });
  return { ...left, ...Object.fromEntries(Object.entries(input).filter(([name]) => !filled.includes(name))) };
}

/** The facts of an action, with those that a preparing step found again after the yes. */
export function knownOf({ known, notes }: Pick<Action, 'known' | 'notes'>): Fields {
  return { ...known, ...recordOf(notes[RENEWED]) };
}

/** The order a call is about: the one that its request stage created last, or the one in its input. */
export function orderOf(action: Pick<Action, 'shown' | 'known' | 'notes'>): unknown {
  return recordOf(action.notes[RENEWED]).OrderId ?? action.shown.OrderId ?? action.known.OrderId;
}

type Outcome = Pick<Action, 'state' | 'shown' | 'known'> & Partial<Pick<Action, 'result'>>;

/** The numbers that a partly done action did not do, with the reasons; empty for any other action. */
export function notDoneIn(
  tool: Pick<Tool, 'kind' | 'risk' | 'answer' | 'input'>,
  { state, shown: input, known, result: answer = {} }: Outcome,
): Map<string, Words> {
  if (state !== 'partly') return new Map();
  const { notDone } = readVerdict(tool, { answer, input, known });
  return new Map(notDone.map(({ what, why }) => [numberKey(plainText(what)), why]));
}

/**
 * Returns the change of an action without the numbers for which it was not done. Undefined for an action without a
 * change.
 */
export function changeDone(tool: Parameters<typeof notDoneIn>[0] | undefined, action: Outcome): Change | undefined {
  const change = changeOf(action);
  if (change === undefined || tool === undefined) return change;
  const left = notDoneIn(tool, action);
  return { ...change, rows: change.rows.filter(({ of }) => numberKey(of) === '' || !left.has(numberKey(of))) };
}

/*
 * Compares the records that a question was based on with the same records read later. A confirmation holds only for the
 * records as the person saw them.
 */

/** What was asked: facts and words of a question. */
export type Asked = Pick<Action, 'known' | 'consent'>;

/** A difference. `what` completes the sentence "… since this was asked". */
interface Difference {
  what: Words;
  /** The error of a read that worked when the question was asked. */
  unread?: Failure;
}

/** The first difference between a question and the same call built again; undefined if the question would be the same. */
export function differenceOf(tool: Tool, asked: Asked, now: Built): Difference | undefined {
  const { checked } = now;
  const facts = factsOf(asked);
  const lost = checked.unread.find(({ read }) => !facts.unread.includes(read));
  if (lost) return { what: 'could not be read again', unread: asSwitchboardError(lost.error).face };
  if (checked.problem) return { what: checked.problem.message };
  const changed = Object.entries(facts.rests).flatMap(([record, values]) =>
    changesOf(record, values, checked.rests?.[record]),
  );
  if (changed.length > 0) return { what: joined(changed, '; ') };
  // If a read failed when the question was asked, its result now can only add to the question.
  if (checked.unread.length < facts.unread.length) return undefined;
  const before = changeOf(asked);
  if (before === undefined || !isSameChange(before, now.change))
    return {
      what: before === undefined ? 'the question does not say what changes' : rowDifference(before, now.change),
    };
  const reads = consentDifference(tool, asked, now);
  return reads === undefined ? undefined : { what: reads };
}

/** The first difference between two changes, in words. */
function rowDifference(asked: Change, now: Change): Words {
  const keyOf = ({ of, what }: ChangeRow) => `${of} ${what}`;
  const whose = (of: string) => {
    const named = now.names[of];
    return named === undefined || of.startsWith('+') ? worded(of) : words`the ${named.noun} ${quoted(named.name)}`;
  };
  const rows = new Map(now.rows.map((row) => [keyOf(row), row]));
  for (const row of asked.rows) {
    const next = rows.get(keyOf(row));
    if (next === undefined) return words`the ${row.what} of ${whose(row.of)} has changed`;
    if (!same(row.before, next.before))
      return words`the ${row.what} of ${whose(row.of)} was ${worded(row.before)} and is ${worded(next.before)} now`;
    if (!same(row.after, next.after))
      return words`the ${row.what} of ${whose(row.of)} would become ${worded(next.after)} now`;
  }
  const known = new Set(asked.rows.map(keyOf));
  const more = now.rows.find((row) => !known.has(keyOf(row)));
  if (more) return words`the ${more.what} of ${whose(more.of)} is ${worded(more.before)} now`;
  // The lines on a route, for example, are not part of its record.
  const linesOnly = (one: Change, other: Change) =>
    Object.keys(one.names).filter((id) => id.startsWith('+') && other.names[id] === undefined);
  const [added, gone] = [linesOnly(now, asked), linesOnly(asked, now)];
  if (added.length > 0 && gone.length === 0) return words`it concerns ${added.join(', ')} too now`;
  if (gone.length > 0 && added.length === 0) return words`it does not concern ${gone.join(', ')} any more`;
  if (!same(asked.concerns, now.concerns))
    return words`the customer was ${worded(asked.concerns.join('; '))} and is ${worded(now.concerns.join('; '))} now`;
  const kept = now.keeps.find((value) => !asked.keeps.some((other) => same(value, other)));
  if (kept) return words`the ${kept.what} of ${whose(kept.of)} is ${worded(kept.value)} now`;
  const lead = now.leads.find((one) => !asked.leads.some((other) => same(one, other)));
  if (lead) return words`${lead.what} ${quoted(lead.to)} now`;
  const renamed = Object.entries(now.names).find(([id, one]) => !same(one, asked.names[id]));
  if (renamed)
    return words`the ${renamed[1].noun} ${quoted(renamed[1].name)} leads elsewhere, or has another name, now`;
  if (!same(asked.leads, now.leads) || !same(asked.names, now.names)) return 'where it leads has changed';
  return 'what would be sent has changed';
}

function changesOf(record: string, before: Fields, now: Fields | undefined): Words[] {
  if (now === undefined) return [`${record} could not be found again`];
  return Object.entries(before)
    .filter(([name, value]) => !same(value, now[name]))
    .map(([name, value]) => words`the ${name} of ${record} was ${worded(value)} and is ${worded(now[name])} now`);
}

/**
 * How the question would read differently with the facts of now; undefined if it would not. Both are put into the words of
 * this program, so that a question which a version with other words has asked holds as long as its facts do.
 */
function consentDifference(tool: Tool, asked: Asked, { input, checked, raised }: Built): Words | undefined {
  if (asked.consent === undefined || tool.consent === undefined) return undefined;
  const before = tool.consent(input, asked.known, factsOf(asked).raised?.reason ?? '');
  const next = tool.consent(input, { ...asked.known, ...checked.known }, raised?.reason ?? '');
  if (same(before, next)) return undefined;
  if (!same(before.cost, next.cost)) return words`the cost was ${worded(before.cost)} and is ${worded(next.cost)} now`;
  if (before.title !== next.title) return words`it would be called ${worded(next.title)} now`;
  return before.consequence === next.consequence
    ? 'the question would read differently now'
    : words`it would mean now: ${worded(next.consequence)}`;
}

/** The failure of a confirmed call that was not sent because of this difference. */
export function differenceError({ what, unread }: Difference, asked: Pick<Action, 'consent'>): Failure {
  const charge = isPaid(asked) ? ({ charge: 'none' } as const) : {};
  const rest = { outcome: 'not_done', effect: 'nothing_sent', ...charge } as const;
  if (unread) {
    const { code, status, retryAfterSeconds } = unread;
    const message = words`What this rests on could not be read again before sending: ${unread.message}`;
    return { ...rest, code, message, next: 'Ask for it again.', ...defined({ status, retryAfterSeconds }) };
  }
  return {
    ...rest,
    code: 'not_confirmed',
    reason: 'changed',
    message: words`It was confirmed, but the record has changed since it was asked: ${what}.`,
    next: 'Ask for it again to see it as it is now.',
  };
}

function same(one: unknown, other: unknown): boolean {
  return canonical(one ?? null) === canonical(other ?? null);
}

function worded(value: unknown): Words {
  if (value === undefined || value === null || value === '') return 'not set';
  return words`${quoted(typeof value === 'object' ? JSON.stringify(value) : value)}`;
}

/* What other calls like it mean for a question. */

/** What is known of earlier calls like one that is about to be asked or sent. */
export interface Earlier {
  /** The question of the same requester about the same call, which waits. */
  same?: Action | undefined;
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
 * Why a question is not answered with a yes any more because of another one of the same call, which the person who
 * confirms was not told of: it was sent after the question was asked, or has an unknown outcome. Undefined if none stands
 * against it. A question that rests on a record shows what was done, and is compared when the change is built again.
 */
export function sentMeanwhile(asked: Action, twins: readonly Action[], tool: Tool): Failure | undefined {
  if (mayResend(tool, asked.shown)) return undefined;
  const { doubted } = factsOf(asked);
  const change = changeOf(asked);
  const isSent = (twin: Action) => twin.state !== 'unknown' && sentAt(twin) >= asked.createdAt;
  const twin =
    twins.find(({ id, state }) => state === 'unknown' && !doubted.includes(id)) ??
    (change && makesAnew(change) ? twins.find(isSent) : undefined);
  return twin && outdated(`After this was asked, the same call of ${twin.actorName} was`, twin);
}

/** Why a question is void that warns of an earlier call of unknown outcome, once that call was found done. */
export function foundDone(earlier: Action): Failure {
  const text = 'The question said that the outcome of an earlier call is unknown. It is known now: that call was';
  return outdated(text, earlier);
}

function outdated(text: string, twin: Action): Failure {
  const how: Partial<Record<State, string>> = {
    done: 'done',
    partly: 'partly done',
    unknown: 'sent, and its outcome is unknown',
  };
  return {
    code: 'not_confirmed',
    reason: 'changed',
    message: `${text} ${how[twin.state] ?? 'sent, and is running now'} (${twin.id}, sent at ${new Date(sentAt(twin)).toISOString()}).`,
    effect: 'nothing_more_sent',
    next:
      twin.state === 'unknown'
        ? 'It may have been done already: check, then ask again. The new question carries the warning.'
        : 'Ask for it again only if it is to be done a second time.',
    outcome: 'not_done',
  };
}

/** Epoch ms. A confirmed call is sent next. */
function sentAt({ sentAt: at, decidedAt, createdAt }: Action): number {
  return at ?? decidedAt ?? createdAt;
}

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
interface Alike {
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
async function waitFor(
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
