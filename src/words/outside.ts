import type { Tool } from '../operation.ts';
import { markedNames } from './marked.ts';

const cache = new WeakMap<Tool, ReadonlySet<string>>();

/** The members of an answer that hold text from outside, by name. */
function outsideNames(tool: Tool): ReadonlySet<string> {
  const names = cache.get(tool) ?? new Set(markedNames(tool.output, 'output', 'outside'));
  cache.set(tool, names);
  return names;
}

/** Which of those stand in this answer with something in them, each name once. */
export function outsideIn(tool: Tool, value: Record<string, unknown>): string[] {
  const names = outsideNames(tool);
  const found = new Set<string>();
  const walk = (part: unknown, name: string): void => {
    if (typeof part === 'string') {
      if (part !== '' && names.has(name)) found.add(name);
    } else if (Array.isArray(part)) for (const member of part) walk(member, name);
    else if (part !== null && typeof part === 'object')
      for (const [key, member] of Object.entries(part)) walk(member, key);
  };
  if (names.size > 0) walk(value, '');
  return [...found];
}
