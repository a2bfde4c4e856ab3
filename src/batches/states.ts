import type { Change, Consent, Risk, Tool } from '../catalogue/operation.ts';
import { BATCH_RUN, type RowFacts } from '../gate/frozen-batch.ts';
import { factsOf, notDoneIn } from '../gate/question.ts';
import type { Action, ActionsView } from '../ledger/ledger.ts';
import { type Actor, personOf, type Role } from '../lib/actor.ts';
import type { Failure } from '../lib/errors.ts';
import { defined, type Fields } from '../lib/json.ts';
import { plainText } from '../lib/words.ts';
import { numberKey } from '../platform/dialect/number-lists.ts';

/* The states of batches and of their rows. */

/** States that a batch does not leave. */
export const ENDED = ['done', 'partly', 'failed', 'stopped'] as const;

/** True for a state that a batch does not leave. */
export function hasEnded(state: string): boolean {
  return (ENDED as readonly string[]).includes(state);
}

export type BatchState = 'planning' | 'waiting' | 'running' | 'paused' | (typeof ENDED)[number];

/** Why a batch is paused, stopped or failed. */
export type PauseReason =
  /** `byTool`: an assistant's call, not a click. */
  | { why: 'person'; who: string; role?: Role; byTool?: true }
  /** Another batch is asked about in its place: without these rows, or with another list or other values. */
  | { why: 'replaced'; who: string; rows?: number | undefined; by: string }
  | { why: 'refused'; row: number; target: string }
  /** `now`: the outcome that was found later. */
  | { why: 'unknown'; row: number; target: string; action: string | undefined; now?: 'done' | 'failed' }
  | { why: 'often'; count: number }
  | { why: 'time' }
  /** `failure`: that of the first row. */
  | { why: 'nothing_ready'; row: number; target: string; failure: Failure | undefined }
  | { why: 'failure'; failure: Failure };

/** The findings of the plan, beside those of each row. Reads need no yes, so they have only risk and time. */
export interface Plan {
  risk: Risk;
  /** Expected time of the run. */
  minutes: number;
  consent?: Consent;
  /** The platform's statement without numbers. */
  statement?: string | undefined;
  /** SHA-256 over everything that the yes covers. */
  digest?: string;
  /** True if a person is asked at any level, because a person left out rows or rows were sent before. */
  asks?: true;
  /** Ids of the batches of the same requester that it takes the place of. */
  replaces?: readonly string[];
}

export interface Batch {
  id: string;
  operation: string;
  actor: Actor;
  shared: Fields;
  /** Stored with the question, for the surface that shows its card. */
  notes: Fields | undefined;
  requestReason: string | undefined;
  state: BatchState;
  reason: PauseReason | undefined;
  plan: Plan | undefined;
  createdAt: number;
  startedAt: number | undefined;
  resumedAt: number | undefined;
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

/**
 * The outcome of a row. `planning`: not read yet. `waiting`: ready, not sent. `running`: sent, no answer yet.
 */
export type Outcome = 'planning' | 'waiting' | 'left_out' | 'running' | 'done' | 'failed' | 'unknown';

/** The effects of one row, as the question states them. */
interface RowEffects {
  customer?: string;
  cost?: string;
  consequence?: string;
}

export type EffectName = keyof RowEffects;

const EFFECTS: readonly EffectName[] = ['customer', 'cost', 'consequence'];

/** A row with its outcome. Result, failure and time are those of its action, if it has one. */
export interface BatchRow extends StoredRow {
  outcome: Outcome;
  effects: RowEffects;
  /** The change of a row that is done, if the batch needed no confirmation. */
  changed?: Change | undefined;
}

/** The rows of a batch with their outcomes. The ledger's actions are the truth about those that were sent. */
export async function rowsOf(
  { store, actions }: { store: { rows(id: string): Promise<StoredRow[]> }; actions: Pick<ActionsView, 'ofBatch'> },
  tool: Tool,
  id: string,
): Promise<BatchRow[]> {
  const [rows, sent] = [await store.rows(id), await actions.ofBatch(id)];
  const byId = new Map(sent.map((action) => [action.id, action]));
  const refused = new Map(sent.map((action) => [action.id, notDoneIn(tool, action)]));
  return rows.map((row) => {
    const effects = defined({
      customer: customerOf(row),
      cost: row.asked?.consent?.cost,
      consequence: row.asked?.consent?.consequence,
    });
    if (row.action === undefined) return { ...row, effects, outcome: unsentOutcome(tool, row) };
    const action = byId.get(row.action);
    if (action === undefined) return { ...row, effects, outcome: 'unknown' };
    const { result, error: failure, finishedAt: at } = action;
    const why = refused.get(action.id)?.get(numberKey(row.target));
    const ended = { ...row, effects, result, failure, at };
    if (why === undefined) return { ...ended, outcome: SENT[action.state] ?? 'running' };
    return {
      ...ended,
      outcome: 'failed',
      failure: {
        code: 'refused',
        outcome: 'not_done',
        message: plainText(why) === '' ? 'The platform refused it.' : why,
      },
    };
  });
}

const SENT: Partial<Record<Action['state'], Outcome>> = {
  done: 'done',
  partly: 'done',
  failed: 'failed',
  unknown: 'unknown',
};

function unsentOutcome(tool: Tool, { failure, result, asked, at }: StoredRow): Outcome {
  const isRead = tool.risk === 'read';
  if (failure !== undefined) return isRead && at !== undefined ? 'failed' : 'left_out';
  if (result !== undefined) return 'done';
  return isRead || asked !== undefined ? 'waiting' : 'planning';
}

/** The customer of a row, if its record names one. */
export function customerOf({ asked }: Pick<StoredRow, 'asked'>): string | undefined {
  return asked && factsOf(asked).customer;
}

/** The effects in which the rows of a plan differ. */
export function differingIn(rows: readonly Pick<BatchRow, 'effects' | 'outcome'>[]): EffectName[] {
  const planned = rows.filter(({ outcome, effects }) => outcome !== 'left_out' || Object.keys(effects).length > 0);
  return EFFECTS.filter((name) => new Set(planned.map(({ effects }) => effects[name])).size > 1);
}

/** The effects that at least one row has. */
export function effectsIn(rows: readonly Pick<BatchRow, 'effects'>[]): EffectName[] {
  return EFFECTS.filter((name) => rows.some(({ effects }) => effects[name] !== undefined));
}

/** Numbers of rows by outcome. */
export type Counts = Record<Outcome, number>;

export function countsOf(rows: readonly Pick<BatchRow, 'outcome'>[]): Counts {
  const counts: Counts = { planning: 0, waiting: 0, left_out: 0, running: 0, done: 0, failed: 0, unknown: 0 };
  for (const { outcome } of rows) counts[outcome] += 1;
  return counts;
}

/** A refusal among the first rows of the list pauses at once. */
const FIRST = 5;
/** Later, this many refusals one after another. */
const IN_A_ROW = 3;
/** Or this share of all planned rows. */
const SHARE = 0.05;

/**
 * The reason to pause a batch; undefined to go on. Only ends after `since` (epoch ms) count, so that a person who
 * resumes a batch has accepted the earlier ones.
 */
export function pauseReason(risk: Risk, rows: readonly BatchRow[], since: number): PauseReason | undefined {
  const ended = rows
    .filter(({ outcome }) => outcome === 'done' || outcome === 'failed' || outcome === 'unknown')
    .sort((one, other) => (one.at ?? 0) - (other.at ?? 0) || one.n - other.n);
  const isNew = ({ at }: BatchRow) => (at ?? 0) >= since;
  const unknown = ended.find((row) => row.outcome === 'unknown' && isNew(row));
  if (unknown) return { why: 'unknown', row: unknown.n, target: unknown.target, action: unknown.action };
  if (risk !== 'spend' && risk !== 'destroy') return undefined;
  const planned = rows
    .filter(({ outcome, at }) => outcome !== 'left_out' || at !== undefined)
    .sort((one, other) => one.n - other.n);
  const early = planned.slice(0, FIRST).find((row) => row.outcome === 'failed' && isNew(row));
  if (early) return { why: 'refused', row: early.n, target: early.target };
  const fresh = ended.filter(isNew);
  const refused = fresh.filter(({ outcome }) => outcome === 'failed').length;
  let streak = 0;
  for (const { outcome } of fresh) {
    streak = outcome === 'failed' ? streak + 1 : 0;
    if (streak >= IN_A_ROW) return { why: 'often', count: refused };
  }
  return refused > 0 && refused >= planned.length * SHARE ? { why: 'often', count: refused } : undefined;
}

/* A batch as readers see it: its stored state, its question and its rows. */

export const PAGE_ROWS = 100;

export interface BatchView {
  id: string;
  operation: string;
  title: string;
  /** `declined` and `expired`: the question about it ended without a yes. */
  state: BatchState | 'declined' | 'expired';
  reason: PauseReason | undefined;
  actorId: string;
  requester: { person: string; actorName: string; surface: string };
  decider: Pick<Action, 'state' | 'decidedPerson' | 'decidedBy' | 'decidedVia'> | undefined;
  /** The changes of its rows that are done, if it needed no confirmation. */
  changed?: Pick<Change, 'rows' | 'names'> | undefined;
  /** The changes of its rows that are still to be sent, if it needed no confirmation. */
  changing?: Pick<Change, 'rows' | 'names'> | undefined;
  plan: Plan | undefined;
  /** The planned cost; once it has ended, the cost of what was done. */
  cost?: string | undefined;
  counts: Counts;
  total: number;
  /** Number of rows that can be asked for again once the batch has ended. */
  notDone: number;
  /** The question that waits for a person, or was answered. */
  confirmation: string | undefined;
  /** Epoch ms. */
  createdAt: number;
  startedAt: number | undefined;
  /** The last time that a person resumed it. */
  resumedAt: number | undefined;
  endedAt: number | undefined;
}

/** One page of the rows of a batch. */
export interface RowsPage {
  rows: BatchRow[];
  page: number;
  pages: number;
  /** The effects in which the rows of the batch, on all pages, differ. */
  differs: EffectName[];
}

/** True for the state of a batch that sends nothing more: it has ended, or got no yes. */
export function isOver(state: BatchView['state']): boolean {
  return hasEnded(state) || state === 'declined' || state === 'expired';
}

/** True for a row that is not done, or will not be. */
export function isException({ outcome }: BatchRow): boolean {
  return outcome === 'left_out' || outcome === 'failed' || outcome === 'unknown';
}

/** True for a row that was refused, not sent, or left out during the run because its record had changed. */
export function isNotDone({ outcome, at }: BatchRow): boolean {
  return outcome === 'failed' || outcome === 'waiting' || (outcome === 'left_out' && at !== undefined);
}

/** Why a person left a row out of a batch. */
export function leftOutBy(name: string): Failure {
  return { code: 'not_confirmed', reason: 'declined', outcome: 'not_done', message: `it was left out by ${name}.` };
}

/** True for a row that a person left out. */
export function wasLeftOut({ failure }: Pick<StoredRow, 'failure'>): boolean {
  return failure?.code === 'not_confirmed' && failure.reason === 'declined';
}

/** The questions about a batch, the newest first. */
export async function questionsOf(actions: Pick<ActionsView, 'about'>, id: string): Promise<Action[]> {
  return (await actions.about(id)).filter(({ operation }) => operation === BATCH_RUN);
}

/** @param question the one that was decided, or the newest */
export function viewOf(tool: Tool, batch: Batch, question: Action | undefined, rows: readonly BatchRow[]): BatchView {
  const { id, operation, actor, plan, createdAt, startedAt, resumedAt, updatedAt } = batch;
  return {
    ...{ id, operation, plan, createdAt, startedAt, resumedAt },
    endedAt: hasEnded(batch.state) ? updatedAt : undefined,
    title: plan?.consent?.title ?? tool.title,
    ...stateOf(batch, question, rows),
    actorId: actor.id,
    requester: { person: personOf(actor), actorName: actor.name, surface: actor.surface },
    decider: question,
    counts: countsOf(rows),
    total: rows.length,
    notDone: rows.filter(isNotDone).length,
    confirmation: question?.id,
  };
}

function stateOf(
  { state, reason }: Batch,
  question: Action | undefined,
  rows: readonly BatchRow[],
): Pick<BatchView, 'state' | 'reason'> {
  if (state !== 'waiting' || question === undefined) return { state, reason: reason && withFound(reason, rows) };
  if (question.state === 'declined' || question.state === 'expired') return { state: question.state, reason };
  if (question.state === 'failed' && question.error)
    return { state: 'failed', reason: { why: 'failure', failure: question.error } };
  return { state, reason };
}

/** Adds the outcome that was found for the row that a batch was paused for. */
function withFound(reason: PauseReason, rows: readonly BatchRow[]): PauseReason {
  if (reason.why !== 'unknown') return reason;
  const outcome = rows.find(({ n }) => n === reason.row)?.outcome;
  return outcome === 'done' || outcome === 'failed' ? { ...reason, now: outcome } : reason;
}
