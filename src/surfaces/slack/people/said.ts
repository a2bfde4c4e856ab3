import type { Tool } from '../../../catalogue/operation.ts';
import { inputLine, slackStyle } from '../../../language/help.ts';

/** Puts sentences made for every surface into words that can be typed here. */
export type Reworder = (text: string) => string;

/** Operation ids become the commands people type: "numbers_portin_cancel" is "/numbers portin cancel". */
export function createSaid(tools: readonly Tool[], prefix?: string): Reworder {
  const style = slackStyle(prefix);
  const commands = new Map(
    tools.map((tool) => [tool.id, `${style.command(tool.group)} ${inputLine(tool, {})}`.trimEnd()]),
  );
  return (text) =>
    text
      // What follows an action elsewhere is the card here.
      .replace(/ ?Follow it with confirmations_get(, id \S+?)?\.(?=\s|$)/g, ' Its card follows it.')
      .replace(/\b[a-z0-9]+(?:_[a-z0-9]+)+\b/g, (word) => commands.get(word) ?? word);
}
