import type { BatchView, RowsPage } from '../../batches/batches.ts';
import { batchedBy } from '../../catalogue/batch-rule.ts';
import { outsideIn } from '../../catalogue/outside.ts';
import type { Gate } from '../../gate/gate.ts';
import { defined, type Fields } from '../../lib/json.ts';
import { batchData, rowData } from '../batch-words.ts';
import { isQuoting } from '../failure.ts';
import type { ToolResult } from './content.ts';
import { addRepeat, markOutside, success } from './results.ts';

/** The result about a batch, with a page of its rows if there is one. Texts of others are marked. */
export function batchAnswer(view: BatchView, gate: Gate, shown?: RowsPage): ToolResult {
  const batch = batchData(view, 'assistant');
  if (shown === undefined) return markOutside(outsideInBatch(view), success({ batch }));
  const { page, pages, differs } = shown;
  const tool = gate.tool(view.operation);
  const brief = tool && batchedBy(tool)?.brief;
  const rows = shown.rows.map((row) => rowData(row, differs, { ...view, brief }));
  // The state and the ids of a row are Switchboard's own words.
  const bare = rows.map(({ result: _result, status: _status, actionId: _actionId, ...row }) => row);
  const ofResults = rows.flatMap(({ result }) => outsideIn(tool, result, 'rows[].result'));
  const marks = [...outsideInBatch(view), ...outsideIn(undefined, { rows: bare }), ...ofResults];
  return markOutside([...new Set(marks)], success({ batch, rows, page, pages }));
}

/** Says that the same list was asked for before: it waits for a yes, or has gone on since. */
export function addBatchRepeat(result: ToolResult, { id, state }: BatchView, requestedAt: string): void {
  if (state === 'waiting') addRepeat(result, { id, isRepeat: true, requestedAt });
  else
    result.content.push({
      type: 'text',
      text: `The same list was asked for at ${requestedAt} (${id}): it is ${state}, and was not made a second time.`,
    });
}

/** The result about a batch that waits for a person. `waiting`: the result of its question. */
export function waitingBatchAnswer(view: BatchView, waiting: ToolResult): ToolResult {
  const { confirmation } = waiting.structuredContent ?? {};
  const value: Fields = {
    batch: batchData(view, 'assistant'),
    ...(confirmation !== undefined && { confirmation }),
  };
  const content = [...success(value).content, ...waiting.content.slice(1)];
  const earlier = waiting._meta?.['switchboard/outside'];
  const answer = markOutside(outsideInBatch(view), { ...waiting, structuredContent: value, content });
  const marks = [...(Array.isArray(earlier) ? earlier : []), ...outsideInBatch(view)];
  return marks.length === 0 ? answer : { ...answer, _meta: { ...answer._meta, 'switchboard/outside': marks } };
}

/** The members of a batch that may repeat text from outside: a cost names packages, and a failure quotes the platform. */
function outsideInBatch({ plan, reason }: BatchView): string[] {
  const failure = reason !== undefined && 'failure' in reason ? reason.failure : undefined;
  const isQuoted = failure !== undefined && isQuoting(failure);
  return [
    ...outsideIn(undefined, defined({ cost: plan?.consent?.cost }), 'batch'),
    ...(isQuoted ? ['batch.summary'] : []),
  ];
}
