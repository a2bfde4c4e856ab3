import { markedNames } from './marked.ts';
import type { Tool } from './operation.ts';
import { isPlainValue } from './plain-values.ts';

const cache = new WeakMap<Tool, ReadonlySet<string>>();

/** Members that hold free text by their name, whatever stands in them: a subscriber may be called "Active". */
const FREE_TEXT =
  /(?:name|message|body|description|text|note|notes|reason|statement|comment|subject|cnam|label|title)$/i;
/** A member's name as the platform writes them. What is none came from outside itself, and is not repeated in a mark. */
const MEMBER = /^[A-Za-z][A-Za-z0-9_]{0,39}$/;
/** More paths than any answer of the catalogue has. */
const MAX_PATHS = 60;

/** The members of an answer that are declared to hold text from outside, by name (`out.said` of tools/fields.ts). */
function outsideNames(tool: Tool): ReadonlySet<string> {
  const names = cache.get(tool) ?? new Set(markedNames(tool.output, 'output', 'outside'));
  cache.set(tool, names);
  return names;
}

/**
 * Which members of this answer hold text that somebody outside may have written, by path (`Results[].RouteName`), each
 * once. The rule is complete, so that it also covers members the platform adds: a text is from outside unless its value
 * is plain (catalogue/plain-values.ts), and always where its member is declared so or free text by its name.
 * `under`: the path of the value itself, '' for a whole answer.
 */
export function outsideIn(tool: Tool | undefined, value: unknown, under = ''): string[] {
  const declared = tool ? outsideNames(tool) : new Set<string>();
  const found = new Set<string>();
  const walk = (part: unknown, name: string, path: string): void => {
    if (typeof part === 'string') {
      if (part !== '' && (declared.has(name) || FREE_TEXT.test(name) || !isPlainValue(part))) found.add(path);
    } else if (Array.isArray(part)) for (const member of part) walk(member, name, `${path}[]`);
    else if (part !== null && typeof part === 'object') {
      for (const [key, member] of Object.entries(part)) {
        const at = `${path}${path === '' ? '' : '.'}${MEMBER.test(key) ? key : '*'}`;
        // A member's name can be a sentence as well as its value.
        if (!MEMBER.test(key)) found.add(at);
        walk(member, key, at);
      }
    }
  };
  walk(value, '', under);
  const paths = [...found];
  if (paths.length <= MAX_PATHS) return paths;
  return [...paths.slice(0, MAX_PATHS), `every other text (${paths.length - MAX_PATHS} more members)`];
}
