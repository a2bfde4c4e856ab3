import type { Change, Consent, Level, Risk } from '../catalogue/operation.ts';
import type { RowFacts } from '../gate/batch.ts';
import type { Actor, Role } from '../lib/actor.ts';
import type { Failure } from '../lib/errors.ts';
import type { Fields } from '../lib/json.ts';

/** A turn of a handler starts no further requests after this time. The job runs again at once if rows are left. */
export const TURN_MS = 20_000;

export type BatchState = 'planning' | 'waiting' | 'running' | 'paused' | 'done' | 'partly' | 'failed' | 'stopped';

/** Why a batch is paused, stopped or failed. */
export type PauseReason =
  /** `byTool`: an assistant's call, not a click. */
  | { why: 'person'; who: string; role?: Role; byTool?: true }
  /** Rows were left out, and the others are asked about in another batch. */
  | { why: 'replaced'; who: string; rows: number; by: string }
  | { why: 'refused'; row: number; target: string }
  /** `now`: the outcome that was found later. */
  | { why: 'unknown'; row: number; target: string; action: string | undefined; now?: 'done' | 'failed' }
  | { why: 'often'; count: number }
  | { why: 'time' }
  /** `failure`: that of the first row. */
  | { why: 'nothing_ready'; row: number; target: string; failure: Failure | undefined }
  | { why: 'failure'; failure: Failure };

/** A list that is part of the question. */
export interface PlanList {
  label: string;
  value: string;
}

/** The findings of the plan. */
export interface Plan {
  risk: Risk;
  /** The highest level of a row. */
  level: Level;
  /** The changes of all rows, and the names of the records in them. */
  changes: Pick<Change, 'rows' | 'keeps' | 'names' | 'concerns'>;
  /** Undefined for reads, which need no yes. */
  consent: Consent | undefined;
  /** The customers with the number of their rows. Empty if none is known. */
  customers: string;
  /** Effects, costs and customers that the question only counts. */
  lists: PlanList[];
  /** The platform's statement without numbers. */
  statement: string | undefined;
  /** Phone numbers for which only one call may be open. */
  exclusive: string[];
  /** Expected time of the run. */
  minutes: number;
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
  digest: string | undefined;
  createdAt: number;
  startedAt: number | undefined;
  resumedAt: number | undefined;
  endedAt: number | undefined;
  updatedAt: number;
}

/** `new`: not read yet. `sent`: an action of the ledger has it. `done` and `failed`: a read that has ended. */
export type RowState = 'new' | 'ready' | 'left_out' | 'sent' | 'done' | 'failed';

export interface BatchRow {
  n: number;
  line: number;
  target: string;
  said: Fields;
  state: RowState;
  tries: number;
  failure: Failure | undefined;
  asked: RowFacts | undefined;
  action: string | undefined;
  result: Fields | undefined;
  /** Epoch ms. */
  at: number | undefined;
}
