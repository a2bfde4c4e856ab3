import type { Change } from '../catalogue/change.ts';
import type { Tool } from '../catalogue/operation.ts';
import { type Action, changeOf } from '../ledger/action.ts';
import { plainText } from '../lib/words.ts';
import { numberKey } from '../platform/dialect/number-lists.ts';
import { readVerdict } from '../platform/dialect/verdict.ts';

/**
 * What an action changed: its change without the numbers for which it was not done. Undefined for an action without a
 * change.
 */
export function changeDone(
  tool: Pick<Tool, 'kind' | 'risk' | 'answer' | 'input'> | undefined,
  action: Pick<Action, 'state' | 'shown' | 'known'> & Partial<Pick<Action, 'result'>>,
): Change | undefined {
  const change = changeOf(action);
  if (change === undefined || tool === undefined || action.state !== 'partly') return change;
  const { shown: input, known, result: answer = {} } = action;
  const { notDone } = readVerdict(tool, { answer, input, known });
  const left = new Set(notDone.map(({ what }) => numberKey(plainText(what))).filter((key) => key !== ''));
  return { ...change, rows: change.rows.filter(({ of }) => !left.has(numberKey(of))) };
}
