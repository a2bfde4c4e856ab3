import type { Fields } from '../lib/values.ts';

/** The members of an operation that a batch of it needs. */
export interface Batched {
  /** The field that identifies a row. With `list`, a member of the list's entries. */
  row: string;
  /** The field whose entries are the rows, if one request takes several rows. */
  list?: string;
  /** Maximum number of rows in one request; 1 without `list`. */
  most?: number;
  /** True if the rows are numbers of other people, which the call reaches and does not change. */
  reaches?: true;
  /** Other fields that name targets. */
  also?: readonly string[];
  /** The operation that reads the record of a row, if the checks of the operation do not. `by`: its field. */
  reads?: { operation: string; by: string };
  /** Members of a read's result, by path, that assistants get for each row. The table for people has all of them. */
  brief?: readonly string[];
}

/** A list operation whose rows show the same record as a read, so that one request answers many such reads. */
export interface ListedIn {
  operation: string;
  /** The only field of a read that the list can answer. */
  by: string;
  /** The member of a row with the value of `by`. */
  key: string;
  /** The member of the list's answer that has the rows. */
  rows: string;
  /** The member of the list's answer with the number of all rows. */
  total: string;
  /** Members that must read the same in a row as in the record. Otherwise the list is not used. */
  same: readonly string[];
  /** Rows on a full page. */
  size: number;
  /** The input for a page, from 1. */
  page: (n: number) => Fields;
}

/** The rule by which an operation runs over a list of rows, or the reason why it does not. */
export type BatchRule = Batched | { not: string };

/** The rule of an operation that can run as a batch; undefined for any other. */
export function batchedBy(tool: { batch?: BatchRule }): Batched | undefined {
  return tool.batch !== undefined && 'row' in tool.batch ? tool.batch : undefined;
}

/** The fields that are different in each row, so that rows cannot share them. */
export function targetFields({ row, list, also = [] }: Batched): string[] {
  return [list ?? row, ...also];
}
