import type { Consent, Risk, Tool } from '../catalogue/operation.ts';
import type { RowFacts } from '../gate/frozen-batch.ts';
import { factsOf, notDoneIn } from '../gate/question.ts';
import type { Action, ActionsView } from '../ledger/ledger.ts';
import type { Actor, Role } from '../lib/actor.ts';
import type { Failure } from '../lib/errors.ts';
import { defined, type Fields } from '../lib/json.ts';
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
  state: BatchState;
  reason: PauseReason | undefined;
  plan: Plan | undefined;
  createdAt: number;
  startedAt: number | undefined;
  resumedAt: number | undefined;
}

/** A row as it is stored. What became of it once it was sent is in its action. */
export interface StoredRow {
  n: number;
  line: number;
  target: string;
  said: Fields;
  /** Number of times that it was read, or sent, in vain. */
  tries: number;
  /** Why it was left out, or why a read failed. */
  failure: Failure | undefined;
  /** What the plan found. Reads have no plan. */
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
      failure: { code: 'refused', outcome: 'not_done', message: why || 'The platform refused it.' },
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
