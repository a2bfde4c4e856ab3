import type { Change, Consent, Risk, Tool } from '../catalogue/operation.ts';
import { BATCH_RUN, type Previewed, type RowFacts } from '../gate/confirmation.ts';
import { factsOf, notDoneIn } from '../gate/question.ts';
import { changeOf } from '../ledger/action.ts';
import type { Action, ActionsView } from '../ledger/ledger.ts';
import { reportOf, standingOf } from '../ledger/lookups.ts';
import type { Actor } from '../lib/actor.ts';
import type { Clock } from '../lib/clock.ts';
import type { Failure } from '../lib/errors.ts';
import { defined, type Fields, lowerFirst, plainText, quote, type Words, words } from '../lib/values.ts';
import { numberKey } from '../platform/dialect/number-lists.ts';
import { orderState } from '../platform/dialect/verdict.ts';

/* The states of batches and of their rows. */

/** States that a batch does not leave. */
export const ENDED = ['done', 'partly', 'failed', 'stopped'] as const;

/** `planned`: its rows were read, and its writer reads the plan before anybody is asked. */
export type BatchState = 'planning' | 'planned' | 'waiting' | 'running' | (typeof ENDED)[number];

/** The states that readers see. `declined` and `expired`: the question about it ended without a yes. */
type ShownState = BatchState | 'declined' | 'expired';

/** True for a state that a batch does not leave. */
export function hasEnded(state: string): boolean {
  return (ENDED as readonly string[]).includes(state);
}

/** True for the state of a batch that sends nothing more: it has ended, or got no yes. */
export function isOver(state: ShownState): boolean {
  return hasEnded(state) || state === 'declined' || state === 'expired';
}

/** Why a batch was stopped or failed. */
export type StopReason =
  | { why: 'person'; who: string }
  /** Another batch is asked about in its place: without some rows, or with other values. `by`: its id, if it is known. */
  | { why: 'replaced'; by?: string }
  | { why: 'refused'; row: number; target: string }
  | { why: 'unknown'; row: number; target: string; action: string | undefined }
  | { why: 'often'; count: number }
  /** `failure`: that of the first row. */
  | { why: 'nothing_ready'; row: number; target: string; failure: Failure | undefined }
  | { why: 'failure'; failure: Failure };

/** The findings of the plan, beside those of each row. Reads need no yes, so they have only risk and time. */
export interface Plan {
  risk: Risk;
  /** Expected time of the run. */
  minutes: number;
  consent?: Consent;
  /** Cautions about some rows or all. */
  warnings?: readonly string[];
  /** The platform's statement without numbers. */
  statement?: string | undefined;
  /** SHA-256 over everything that the yes covers. */
  digest?: string;
  /** True if a person is asked at any level: some of the rows were sent before, or it takes the place of a question. */
  asks?: boolean;
}

export interface Batch {
  id: string;
  operation: string;
  actor: Actor;
  shared: Fields;
  /** Stored with the question, for the surface that shows its card. */
  notes: Fields | undefined;
  requestReason: string | undefined;
  /** True if its writer reads the plan before anybody is asked. */
  isHeld: boolean;
  state: BatchState;
  reason: StopReason | undefined;
  plan: Plan | undefined;
  createdAt: number;
  startedAt: number | undefined;
  updatedAt: number;
}

/** A row as it is stored. Its outcome after sending is in its action. */
export interface StoredRow {
  n: number;
  line: number;
  target: string;
  said: Fields;
  /** Number of times that it was read, or sent, in vain. */
  tries: number;
  /** Why it was left out, or why a read failed. */
  failure: Failure | undefined;
  /** The result of the plan. Reads have no plan. */
  asked: RowFacts | undefined;
  /** The action that sent it. */
  action: string | undefined;
  /** The answer of a read. */
  result: Fields | undefined;
  /** Time when it ended without an action (epoch ms); undefined if the plan left it out. */
  at: number | undefined;
}

/** The outcome of a row. `planning`: not read yet. `waiting`: ready, not sent. `running`: sent, no answer yet. */
export type Outcome = 'planning' | 'waiting' | 'left_out' | 'running' | 'done' | 'partly' | 'failed' | 'unknown';

export const EFFECTS = ['customer', 'cost', 'consequence'] as const;
export type EffectName = (typeof EFFECTS)[number];

/** A row with its outcome. Result, failure and time are those of its action, if it has one. */
export interface BatchRow extends StoredRow {
  outcome: Outcome;
  /** The words of `standingOf` for its action, unless they are only "Done". */
  stands?: string | undefined;
  /** The later day on which what was done takes effect, in words. */
  scheduled?: string | undefined;
  /** The effects as the question states them. */
  effects: Partial<Record<EffectName, string>>;
}

/** The outcomes of rows whose action did nothing, or may have done something. */
const ENDS: Partial<Record<Action['state'], Outcome>> = { failed: 'failed', unknown: 'unknown' };

/** The reason of a row that was done in part. */
const ONLY_PART: Failure = { code: 'refused', outcome: 'unknown', message: 'The platform did only a part of it.' };

export interface RowSources {
  store: { rows(id: string): Promise<StoredRow[]> };
  gate: { actions: Pick<ActionsView, 'ofBatch'> };
  clock: Clock;
}

/** The rows of a batch with their outcomes. The ledger's actions are the truth about those that were sent. */
export async function rowsOf({ store, gate, clock }: RowSources, tool: Tool, id: string): Promise<BatchRow[]> {
  const [rows, sent] = [await store.rows(id), await gate.actions.ofBatch(id)];
  const byId = new Map(sent.map((action) => [action.id, { action, notDone: notDoneIn(tool, action) }]));
  return rows.map((row) => {
    const { cost, consequence } = row.asked?.consent ?? {};
    const own = { ...row, effects: defined({ customer: customerOf(row), cost, consequence }) };
    if (row.action === undefined) return { ...own, outcome: unsentOutcome(tool, row) };
    const found = byId.get(row.action);
    if (found === undefined) return { ...own, outcome: 'unknown' };
    const { result, error: failure, finishedAt: at, state } = found.action;
    const why = found.notDone.get(numberKey(row.target));
    const notDone = (message: Words): BatchRow => {
      const reason: Failure = { code: 'refused', outcome: 'not_done', message };
      return { ...own, result, at, outcome: 'failed', failure: reason };
    };
    if (why !== undefined) return notDone(plainText(why) === '' ? 'The platform refused it.' : why);
    if (state !== 'done' && state !== 'partly')
      return { ...own, result, failure, at, outcome: ENDS[state] ?? 'running' };
    const { how, headline, day } = standingOf(found.action, tool, clock.now());
    if (how === 'failed')
      return notDone(words`The platform reported its order as ${quote(orderState(reportOf(found.action)))}.`);
    // An answer about several rows names those for which it was not done.
    if (how === 'partly' || (state === 'partly' && found.notDone.size === 0))
      return { ...own, result, at, outcome: 'partly', failure: ONLY_PART };
    const stands = headline === 'Done' ? undefined : lowerFirst(headline);
    return { ...own, result, at, outcome: 'done', ...defined({ stands, scheduled: day }) };
  });
}

function unsentOutcome({ risk }: Tool, { failure, result, asked, at }: StoredRow): Outcome {
  if (failure !== undefined) return risk === 'read' && at !== undefined ? 'failed' : 'left_out';
  if (result !== undefined) return 'done';
  return risk === 'read' || asked !== undefined ? 'waiting' : 'planning';
}

/** The customer of a row, if its record names one. */
export function customerOf({ asked }: Pick<StoredRow, 'asked'>): string | undefined {
  return asked && factsOf(asked).customer;
}

const OUTCOMES: Readonly<Record<Outcome, string>> = {
  planning: 'not read yet',
  waiting: 'ready',
  left_out: 'left out',
  running: 'running',
  done: 'done',
  partly: 'partly done',
  failed: 'failed',
  unknown: 'unknown',
};

/** The outcome of a row of a batch in this state, in words. */
export function outcomeText({ outcome, stands }: BatchRow, state: ShownState): string {
  return stands ?? (outcome === 'waiting' && isOver(state) ? 'not sent' : OUTCOMES[outcome]);
}

/** The change of a done row whose day has come. */
export function changeDoneIn({ outcome, asked, scheduled }: BatchRow): Change | undefined {
  return outcome === 'done' && scheduled === undefined && asked ? changeOf(asked) : undefined;
}

/** True for a row that is not done, or will not be. */
export function isException({ outcome }: BatchRow): boolean {
  return outcome === 'left_out' || outcome === 'partly' || outcome === 'failed' || outcome === 'unknown';
}

/** True for a row that was refused, not sent, or left out during the run because its record had changed. */
export function isNotDone({ outcome, at }: BatchRow): boolean {
  return outcome === 'failed' || outcome === 'waiting' || (outcome === 'left_out' && at !== undefined);
}

/** The effects in which the rows of a plan differ. */
export function differingIn(rows: readonly BatchRow[]): EffectName[] {
  const planned = rows.filter(({ outcome, effects }) => outcome !== 'left_out' || Object.keys(effects).length > 0);
  return EFFECTS.filter((name) => new Set(planned.map(({ effects }) => effects[name])).size > 1);
}

/** Numbers of rows by outcome. */
export type Counts = Record<Outcome, number>;

export function countsOf(rows: readonly Pick<BatchRow, 'outcome'>[]): Counts {
  const counts = Object.fromEntries(Object.keys(OUTCOMES).map((outcome) => [outcome, 0])) as Counts;
  for (const { outcome } of rows) counts[outcome] += 1;
  return counts;
}

/** A refusal among the first rows of the list stops a batch at once. */
const FIRST = 5;
/** Later, this many refusals one after another. */
const IN_A_ROW = 3;
/** Or this share of all planned rows. */
const SHARE = 0.05;

/** The codes of failures without an answer: reading found the row not done, also after its process was killed. */
const UNANSWERED: readonly string[] = ['network', 'timeout'];

/** The reason to stop a batch because of refusals; undefined to go on. `rows`: in the order of the list. */
export function stopReason(risk: Risk, rows: readonly BatchRow[]): StopReason | undefined {
  if (risk !== 'spend' && risk !== 'destroy') return undefined;
  const isRefused = ({ outcome, failure }: BatchRow) =>
    outcome === 'failed' && !UNANSWERED.includes(failure?.code ?? '');
  const planned = rows.filter(({ outcome, at }) => outcome !== 'left_out' || at !== undefined);
  const early = planned.slice(0, FIRST).find(isRefused);
  if (early) return { why: 'refused', row: early.n, target: early.target };
  const ended = rows
    .filter((row) => row.outcome === 'done' || row.outcome === 'unknown' || isRefused(row))
    .sort((one, other) => (one.at ?? 0) - (other.at ?? 0))
    .map(isRefused);
  const count = ended.filter(Boolean).length;
  const isRow = ended.some((_, at) => ended.slice(at, at + IN_A_ROW).filter(Boolean).length === IN_A_ROW);
  return isRow || (count > 0 && count >= planned.length * SHARE) ? { why: 'often', count } : undefined;
}

/** A batch as readers see it: its stored state, its question and its rows. */
export interface BatchView extends Pick<Batch, 'id' | 'operation' | 'reason' | 'plan' | 'createdAt' | 'startedAt'> {
  title: string;
  state: ShownState;
  actorId: string;
  requester: { person: string; actorName: string; surface: string };
  decider: Pick<Action, 'state' | 'person' | 'decidedPerson' | 'decidedBy' | 'decidedVia'> | undefined;
  /** The changes of its done rows. */
  changed: Pick<Change, 'rows' | 'names'> | undefined;
  /** The planned cost; once it has ended, the cost of what was done. */
  cost: string | undefined;
  counts: Counts;
  /** Number of the done rows that take effect on a later day. */
  scheduled: number;
  /** The texts of done rows that are more than "Done" (`stands`), each with the number of its rows. */
  standing: readonly (readonly [text: string, count: number])[];
  total: number;
  /** Number of rows that can be asked for again once the batch has ended. */
  notDone: number;
  /** The question about a planned batch as it would be asked now. */
  asked: Previewed | undefined;
  /** The question that waits for a person, or was answered. */
  confirmation: string | undefined;
  /** Epoch ms. */
  endedAt: number | undefined;
}

/** Questions about batches that name one of them. */
const MOST_NAMING = 50;

/** The question about a batch: the one that was decided, otherwise the newest. */
export async function questionOf(actions: Pick<ActionsView, 'about'>, id: string): Promise<Action | undefined> {
  const named = await actions.about(id, MOST_NAMING, { operation: BATCH_RUN });
  // A row of another batch, such as a message, may name this one.
  const asked = named.filter(({ shown }) => shown.Batch === id);
  return asked.find(({ decidedAt }) => decidedAt !== undefined) ?? asked[0];
}

/** The end of a batch whose rows have all ended. Rows that the plan left out do not count. */
export function endOf(rows: readonly BatchRow[]): 'done' | 'partly' | 'failed' {
  const counts = countsOf(rows.filter(({ outcome, at }) => outcome !== 'left_out' || at !== undefined));
  if (counts.partly + counts.failed + counts.unknown + counts.left_out === 0) return 'done';
  return counts.done + counts.partly + counts.unknown === 0 ? 'failed' : 'partly';
}

/** The state of a batch now: the end of a row may become known, or change with its order, after that of its batch. */
export function stateNow({ state, reason }: Pick<Batch, 'state' | 'reason'>, rows: readonly BatchRow[]): BatchState {
  const isRun = (state === 'done' || state === 'partly' || state === 'failed') && reason === undefined;
  return isRun ? endOf(rows) : state;
}

/** The state of a batch with that of its question, and the reason of it. */
export function shownState(batch: Batch, question: Action | undefined): Pick<BatchView, 'state' | 'reason'> {
  const { state, reason, isHeld } = batch;
  // The writer asked for approval, but the question could not be stored, so no approver has seen it.
  if (question === undefined) return { state: state === 'waiting' && isHeld ? 'planned' : state, reason };
  if (state !== 'waiting') return { state, reason };
  const { state: asked, error: failure, decidedVia } = question;
  if (decidedVia === 'replaced') return { state: 'stopped', reason: { why: 'replaced' } };
  if (asked === 'declined' || asked === 'expired') return { state: asked, reason };
  return asked === 'failed' && failure ? { state: 'failed', reason: { why: 'failure', failure } } : { state, reason };
}
