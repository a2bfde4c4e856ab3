import type { Tool } from '../../../catalogue/operation.ts';
import { inputLine, slackStyle } from '../../../language/help.ts';
import { plainText } from '../../../lib/words.ts';
import type { Reworder } from '../types.ts';

/** Replaces operation ids by the commands that people type: "numbers_portin_cancel" by "/numbers portin cancel". */
export function createReworder(tools: readonly Tool[], prefix?: string): Reworder {
  const style = slackStyle(prefix);
  const commands = new Map(
    tools.map((tool) => [tool.id, `${style.command(tool.group)} ${inputLine(tool, {})}`.trimEnd()]),
  );
  const reword = (text: string) => text.replace(/\b[a-z0-9]+(?:_[a-z0-9]+)+\b/g, (word) => commands.get(word) ?? word);
  // Only Switchboard's own text: a quote stays as it was written.
  return (text) => plainText(text, reword);
}
