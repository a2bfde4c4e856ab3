import type { Tool } from '../../../catalogue/operation.ts';
import { inputLine, slackStyle } from '../../../language/help.ts';
import type { Reworder } from '../types.ts';

/** Replaces operation ids by the commands that people type: "numbers_portin_cancel" by "/numbers portin cancel". */
export function createReworder(tools: readonly Tool[], prefix?: string): Reworder {
  const style = slackStyle(prefix);
  const commands = new Map(
    tools.map((tool) => [tool.id, `${style.command(tool.group)} ${inputLine(tool, {})}`.trimEnd()]),
  );
  return (text) =>
    text
      // Other surfaces poll confirmations_get; in Slack the card is updated.
      .replace(/ ?Follow it with confirmations_get(, id \S+?)?\.(?=\s|$)/g, ' Its card shows the outcome.')
      .replace(/\b[a-z0-9]+(?:_[a-z0-9]+)+\b/g, (word) => commands.get(word) ?? word);
}
