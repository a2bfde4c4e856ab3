import type { BatchView } from '../../batches/batches.ts';
import { reasonOf } from '../../batches/csv.ts';
import type { BatchRow } from '../../batches/states.ts';
import { changedData } from '../../cards/batch.ts';
import { batchedBy } from '../../catalogue/batch-rule.ts';
import { outsideIn } from '../../catalogue/input.ts';
import type { Gate } from '../../gate/gate.ts';
import { defined, type Fields } from '../../lib/json.ts';
import { isPlainValue } from '../../platform/dialect/phone.ts';
import { batchData, outcomeText, type RowsPage, rowData } from '../batch-words.ts';
import { isQuoting } from '../outcome.ts';
import type { ToolResult } from './offer.ts';
import { addChanged, markOutside, success } from './results.ts';

/* The results of the tools for batches. */

/** Rows of a batch for an answer: one page of them, or those that were left out or not done. */
interface ShownRows {
  page?: RowsPage;
  left?: readonly BatchRow[];
}

/** The result about a batch, with rows of it. Texts of others are marked. */
export function batchAnswer(view: BatchView, gate: Gate, { page: shown, left = [] }: ShownRows = {}): ToolResult {
  const batch = batchData(view, 'assistant');
  if (shown === undefined) {
    const { data, outside } = exceptionData(left);
    const marks = [...outsideInBatch(view, 'batch.'), ...outside];
    const answer = markOutside(marks, success({ batch: { ...batch, ...data } }));
    addChanged(answer, view.changed);
    return answer;
  }
  const { page, pages, differs } = shown;
  const tool = gate.tool(view.operation);
  const brief = tool && batchedBy(tool)?.brief;
  const rows = shown.rows.map((row) => ({ ...rowData(row, differs, { ...view, brief }), ...changedData(view, row) }));
  // The state and the ids of a row are Switchboard's own words, and so is a reason without quotations.
  const bare = rows.map(({ result: _result, status: _status, actionId: _actionId, reason, ...row }, at) => {
    const failure = shown.rows[at]?.failure;
    return failure === undefined || isQuoting(failure) ? { ...row, ...defined({ reason }) } : row;
  });
  const ofResults = rows.flatMap(({ result }) => outsideIn(tool, result, 'rows[].result'));
  const marks = [...outsideInBatch(view, 'batch.'), ...outsideIn(undefined, { rows: bare }), ...ofResults];
  return markOutside([...new Set(marks)], success({ batch, rows, page, pages }));
}

/** Rows that were left out or not done, which an answer names without their page. */
const MOST_EXCEPTIONS = 5;

/** The first rows that were left out or not done, each with the reason, and the members of them with outside text. */
function exceptionData(left: readonly BatchRow[]): { data: Fields; outside: string[] } {
  const first = left.slice(0, MOST_EXCEPTIONS);
  if (first.length === 0) return { data: {}, outside: [] };
  const exceptions = first.map((row) =>
    defined({
      row: row.n,
      target: row.target || undefined,
      status: outcomeText(row),
      reason: reasonOf(row) || undefined,
    }),
  );
  const more = left.length - first.length;
  const isQuoted = first.some(({ failure }) => failure !== undefined && isQuoting(failure));
  const isOwn = first.every(({ target }) => isPlainValue(target));
  return {
    data: { exceptions, ...(more > 0 && { moreExceptions: more }) },
    outside: [...(isOwn ? [] : ['batch.exceptions[].target']), ...(isQuoted ? ['batch.exceptions[].reason'] : [])],
  };
}

/** The time at which a batch was asked for (ISO 8601). */
export function requestTime({ createdAt }: BatchView): string {
  return new Date(createdAt).toISOString();
}

/** Says that the same list was asked for before and has gone on since. The answer about one that waits says it itself. */
export function addBatchRepeat(result: ToolResult, view: BatchView): void {
  if (view.state === 'waiting') return;
  const text = `The same list was asked for at ${requestTime(view)} (${view.id}): it is ${view.state}, and was not made a second time.`;
  result.content.push({ type: 'text', text });
}

/** The result about a batch that waits for a person. `waiting`: the result of its question. `left`: its exceptions. */
export function waitingBatchAnswer(view: BatchView, waiting: ToolResult, left: readonly BatchRow[] = []): ToolResult {
  const { confirmation } = waiting.structuredContent ?? {};
  const { data, outside } = exceptionData(left);
  const value: Fields = {
    batch: { ...batchData(view, 'assistant'), ...data },
    ...(confirmation !== undefined && { confirmation }),
  };
  const content = [...success(value).content, ...waiting.content.slice(1)];
  const earlier = waiting._meta?.['switchboard/outside'];
  const own = [...outsideInBatch(view, 'batch.'), ...outside];
  const answer = markOutside(own, { ...waiting, structuredContent: value, content });
  const marks = [...(Array.isArray(earlier) ? earlier : []), ...own];
  return marks.length === 0 ? answer : { ...answer, _meta: { ...answer._meta, 'switchboard/outside': marks } };
}

/**
 * The members of a batch that may repeat text from outside: a cost names packages, and a failure quotes the platform.
 * `under`: the path of the batch itself.
 */
export function outsideInBatch({ cost, reason }: BatchView, under = ''): string[] {
  const failure = reason !== undefined && 'failure' in reason ? reason.failure : undefined;
  const isQuoted = failure !== undefined && isQuoting(failure);
  return [...outsideIn(undefined, defined({ cost })), ...(isQuoted ? ['summary'] : [])].map(
    (path) => `${under}${path}`,
  );
}
