/** The members of an operation that a batch of it needs. */
export interface Batched {
  /** The field that identifies a row. With `list`, a member of the list's entries. */
  row: string;
  /** The field whose entries are the rows, if one request takes several rows. */
  list?: string;
  /** Maximum number of rows in one request; 1 without `list`. */
  most?: number;
}

/** How an operation runs over a list of rows, or the reason why it does not. */
export type BatchRule = Batched | { not: string };

/** The rule of an operation that can run as a batch; undefined for any other. */
export function batchedBy(tool: { batch?: BatchRule }): Batched | undefined {
  return tool.batch !== undefined && 'row' in tool.batch ? tool.batch : undefined;
}
