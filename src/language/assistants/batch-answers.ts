import type { BatchView, RowsPage } from '../../batches/batches.ts';
import { batchedBy } from '../../catalogue/batch.ts';
import { outsideIn } from '../../catalogue/outside.ts';
import type { Gate } from '../../gate/gate.ts';
import type { Fields } from '../../lib/json.ts';
import { batchData, rowData } from '../batch.ts';
import type { ToolResult } from './content.ts';
import { markOutside, success } from './results.ts';

/** The result about a batch, with a page of its rows if there is one. Texts of others are marked. */
export function batchAnswer(view: BatchView, gate: Gate, shown?: RowsPage): ToolResult {
  const batch = batchData(view, 'assistant');
  if (shown === undefined) return success({ batch });
  const { page, pages, differs } = shown;
  const tool = gate.tool(view.operation);
  const brief = tool && batchedBy(tool)?.brief;
  const rows = shown.rows.map((row) => rowData(row, differs, { ...view, brief }));
  const bare = rows.map(({ result: _result, ...row }) => row);
  const ofResults = rows.flatMap(({ result }) => outsideIn(tool, result, 'rows[].result'));
  const marks = [...outsideIn(undefined, { rows: bare }), ...ofResults];
  return markOutside([...new Set(marks)], success({ batch, rows, page, pages }));
}

/** The result about a batch that waits for a person. `waiting`: the result of its question. */
export function waitingBatchAnswer(view: BatchView, waiting: ToolResult): ToolResult {
  const { confirmation } = waiting.structuredContent ?? {};
  const value: Fields = {
    batch: batchData(view, 'assistant'),
    ...(confirmation !== undefined && { confirmation }),
  };
  return { ...waiting, structuredContent: value, content: [...success(value).content, ...waiting.content.slice(1)] };
}
