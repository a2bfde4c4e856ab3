import type { Tool } from '../catalogue/operation.ts';

/** The words after the command: "numbers_portin_update" is "portin update" after "numbers". */
export function wordsOf(tool: Tool): string[] {
  const words = tool.id.split('_');
  return words[0] === tool.group ? words.slice(1) : words;
}

/** The whole name in words: "numbers portin update". */
export function commandOf(tool: Tool): string {
  return [tool.group, ...wordsOf(tool)].join(' ');
}
