import { createHash } from 'node:crypto';
import { batchedBy } from '../catalogue/change.ts';
import { fieldsOf } from '../catalogue/fields.ts';
import type { Consent, Tool } from '../catalogue/operation.ts';
import { type Action, canonical } from '../ledger/action.ts';
import type { Failure } from '../lib/errors.ts';
import { type Fields, recordOf, recordsIn } from '../lib/values.ts';

/** The operation of the question about a batch. No surface offers it, because only a planned batch can be asked about. */
export const BATCH_RUN = 'batches_run';

/** The operation that an action performs; for the question about a batch, that of its rows. */
export function operationOf({ operation, shown }: Pick<Action, 'operation' | 'shown'>): string {
  return operation === BATCH_RUN ? String(shown.Operation) : operation;
}

/** The inputs of an action; for the question about a batch, one for each of its rows. */
export function inputsOf({ operation, shown }: Pick<Action, 'operation' | 'shown'>): Fields[] {
  if (operation !== BATCH_RUN) return [shown];
  return recordsIn(shown.Rows).map((row) => ({ ...recordOf(shown.Fields), ...row }));
}

/** A confirmed batch may send rows for this long. */
export const RUN_MS = 12 * 60 * 60_000;

/** The findings of a row's check, in the form in which a question stores them. */
export interface RowFacts {
  shown: Fields;
  known: Fields;
  consent: Consent | undefined;
}

/** A row as the person confirms it. */
export interface FrozenRow {
  n: number;
  /** The fields of this row. */
  said: Fields;
  asked: RowFacts;
}

/** Everything that the yes for a batch covers. */
export interface FrozenBatch {
  id: string;
  operation: string;
  /** The fields that all rows share. */
  shared: Fields;
  /** The platform's statement that the person saw, without phone numbers. */
  statement: string | undefined;
  rows: readonly FrozenRow[];
}

/** SHA-256 over the operation, the shared fields, and every row with what was read about it. */
export function batchDigest({ id, operation, shared, statement, rows }: FrozenBatch): string {
  return createHash('sha256').update(canonical({ id, operation, shared, statement, rows })).digest('hex');
}

/** The input of one request for these rows. Their own values for fields of the request must be the same. */
export function inputOfRows(tool: Tool, shared: Fields, rows: readonly Fields[]): Fields {
  const list = batchedBy(tool)?.list;
  const [first = {}] = rows;
  if (list === undefined) return { ...shared, ...first };
  const own = ownFields(tool, first);
  const entries = rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !(name in own))));
  return { ...shared, ...own, [list]: entries };
}

/** The values of a row for fields that a request with a list has once for all its rows. */
export function ownFields(tool: Tool, row: Fields): Fields {
  const list = batchedBy(tool)?.list;
  const entry = fieldsOf(tool).find(({ name }) => name === list)?.fields ?? [];
  const isOwn = (name: string) => name in tool.input.shape && !entry.some((field) => field.name === name);
  return list === undefined ? {} : Object.fromEntries(Object.entries(row).filter(([name]) => isOwn(name)));
}

/** A statement of the platform without the numbers that it names, for comparing it between rows. */
export function statementWithoutNumbers(statement: unknown): string | undefined {
  if (typeof statement !== 'string' || statement.trim() === '') return undefined;
  return statement.replace(/\+?\d{7,15}(,\s*\+?\d{7,15})*/g, '…').trim();
}

/** The result of reading a row: its facts in the question, or the reason why it cannot be sent. */
export type RowCheck = { asked: RowFacts } | { failure: Failure };

/** True for a row that is left out because its record has the values already. */
export function isAlready({ failure }: { failure: Failure | undefined }): boolean {
  return failure?.code === 'invalid_input' && failure.effect === 'nothing_changed';
}

/**
 * The results for the rows of one request. A row that is not left out was sent, or waits because it could not be read.
 */
export interface RowsSent {
  leftOut: { n: number; failure: Failure }[];
  /** False if nothing was sent. */
  sent: boolean;
}
