import { markedNames } from './marked.ts';
import type { Tool } from './operation.ts';

/** The names of all fields the catalogue marks secret, and of the secrets operations keep. */
export function secretNames(tools: readonly Tool[]): Set<string> {
  const stored = tools.flatMap((tool) => (tool.kind === 'operation' && tool.keeps ? [tool.keeps.secret] : []));
  return new Set([...tools.flatMap((tool) => markedNames(tool.input, 'input', 'secret')), ...stored]);
}
