import type { Tool } from '../catalogue/operation.ts';
import { BATCH_RUN } from '../gate/frozen-batch.ts';
import type { Action, ActionsView } from '../ledger/ledger.ts';
import { personOf } from '../lib/actor.ts';
import {
  type Batch,
  type BatchRow,
  type BatchState,
  type Counts,
  countsOf,
  type EffectName,
  hasEnded,
  type PauseReason,
  type Plan,
} from './states.ts';

/* A batch as readers see it: what is stored about it, its question and its rows. */

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
  decider: Pick<Action, 'state' | 'decidedPerson' | 'decidedBy' | 'yeses'> | undefined;
  plan: Plan | undefined;
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

/** The questions about a batch, the newest first. */
export async function questionsOf(actions: Pick<ActionsView, 'about'>, id: string): Promise<Action[]> {
  return (await actions.about(id)).filter(({ operation }) => operation === BATCH_RUN);
}

/** @param question the one that was decided, or the newest */
export function viewOf(tool: Tool, batch: Batch, question: Action | undefined, rows: readonly BatchRow[]): BatchView {
  const { id, operation, actor, plan, createdAt, startedAt, resumedAt } = batch;
  return {
    ...{ id, operation, plan, createdAt, startedAt, resumedAt },
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
