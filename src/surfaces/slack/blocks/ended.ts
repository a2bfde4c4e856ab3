import type { BatchView } from '../../../batches/batches.ts';
import { batchEnd } from '../../../cards/batch.ts';
import { endedText } from '../../../cards/outcome.ts';
import { questionTitle } from '../../../cards/question.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import type { Action } from '../../../ledger/ledger.ts';
import type { Reworder } from '../types.ts';
import { elementsOf, mrkdwnOf } from './render.ts';
import { escaped, type Message, rich, say } from './text.ts';

/**
 * Answers a press on a question that has ended, with the decider, the time and the outcome.
 *
 * @param lost what the press did not do: "Your edit was not sent."
 * @param batch the batch that the question was about
 */
export function endedNotice(
  action: Action,
  tool: Tool | undefined,
  reworded: Reworder,
  lost = '',
  batch?: BatchView,
): Message {
  const title = questionTitle(tool, action);
  const text = endedText(action, tool, batch && batchEnd(batch, 'slack'));
  const mark = lost === '' ? 'ℹ️ ' : `ℹ️ ${lost} `;
  return {
    text: escaped(mark + title) + mrkdwnOf(text),
    blocks: [say(mark, rich.bold(title), ...elementsOf(text, reworded))],
  };
}
