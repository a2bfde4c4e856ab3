import { endedText } from '../../../cards/outcome.ts';
import { questionTitle } from '../../../cards/question.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import type { Action } from '../../../ledger/ledger.ts';
import type { Reworder } from '../types.ts';
import { elementsOf, mrkdwnOf } from './render.ts';
import { escaped, type Message, rich, say } from './text.ts';

/**
 * Answers a press on a question that has ended: who decided, when, and what came of it.
 *
 * @param more.lost what the press did not do: "Your edit was not sent."
 * @param more.now the state of a batch
 */
export function endedNotice(
  action: Action,
  tool: Tool | undefined,
  reworded: Reworder,
  { lost = '', now }: { lost?: string; now?: string | undefined } = {},
): Message {
  const title = questionTitle(tool, action);
  const text = endedText(action, tool, now);
  const before = lost === '' ? '' : `${lost} `;
  return {
    text: escaped(`ℹ️ ${before}${title}`) + mrkdwnOf(text),
    blocks: [say(`ℹ️ ${before}`, rich.bold(title), ...elementsOf(text, reworded))],
  };
}
