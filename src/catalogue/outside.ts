import type { Fields } from '../lib/json.ts';
import { mapLeaves, type Part, partsOf } from '../lib/leaves.ts';
import { isPlainValue } from '../platform/dialect/plain-values.ts';
import { markedNames, markedPaths } from './json-schema.ts';
import type { Tool } from './operation.ts';

const cache = new WeakMap<Tool, Declared>();

/** Members whose name marks them as free text, independent of their value: a subscriber may be called "Active". */
const FREE_TEXT =
  /(?:name|message|body|description|text|note|notes|reason|statement|comment|subject|cnam|label|title)$/i;
/** A member's name as the platform writes it. Any other name came from outside and is not repeated in a mark. */
const MEMBER = /^[A-Za-z][A-Za-z0-9_]{0,39}$/;
/** The gate writes `Warning` (a platform's own one is `PlatformWarning`). It quotes the texts of others. */
const QUOTE = /[“”]/;
/** Maximum number of paths: more than any answer of the catalogue has. */
const MAX_PATHS = 80;

/** The declarations of a definition about the texts of its answer. */
interface Declared {
  /** The members that hold text from outside, by name (`out.said` of tools/shared/fields.ts). */
  outside: ReadonlySet<string>;
  /** The members that the definition writes itself, by path (`out.own`). */
  own: ReadonlySet<string>;
}

const NOTHING: Declared = { outside: new Set(), own: new Set() };

function declaredIn(tool: Tool): Declared {
  const declared = cache.get(tool) ?? {
    outside: new Set(markedNames(tool.output, 'output', 'outside')),
    own: new Set(markedPaths(tool.output, 'own')),
  };
  cache.set(tool, declared);
  return declared;
}

/**
 * Paths of the members of an answer whose text may have been written outside (`Results[].RouteName`), each once. The
 * rule also covers members the platform adds: a text is from outside unless its value is plain (plain-values.ts), and
 * always if its member is declared so or holds free text by its name. The sentences that a definition writes itself are
 * not marked, so that an assistant may act on them. `under`: the path of the value itself, '' for a whole answer.
 */
export function outsideIn(tool: Tool | undefined, value: unknown, under = ''): string[] {
  const { outside, own } = tool ? declaredIn(tool) : NOTHING;
  const prefix = under === '' ? '' : `${under}.`;
  const found = new Set<string>();
  for (const part of partsOf(value)) {
    // A member's name can be a sentence as well as its value.
    if (typeof part.key === 'string' && part.around && !MEMBER.test(part.key)) found.add(markOf(part, under));
    const { value: text, name } = part;
    if (typeof text !== 'string' || text === '') continue;
    if (!outside.has(name) && !FREE_TEXT.test(name) && isPlainValue(text)) continue;
    const path = markOf(part, under);
    const member = path.slice(prefix.length);
    if (!own.has(member) && (member !== 'Warning' || QUOTE.test(text))) found.add(path);
  }
  const paths = [...found];
  if (paths.length <= MAX_PATHS) return paths;
  return [...paths.slice(0, MAX_PATHS), `every other text (${paths.length - MAX_PATHS} more members)`];
}

/** The path of a part in a mark: `Results[].RouteName`. */
function markOf({ key, around }: Part, under: string): string {
  if (around === undefined) return under;
  const path = markOf(around, under);
  if (typeof key === 'number') return `${path}[]`;
  return `${path}${path === '' ? '' : '.'}${MEMBER.test(key) ? key : '*'}`;
}

/**
 * An answer of the platform without the members that only the definition writes, so that the platform cannot imitate
 * them.
 */
export function withoutOwn(tool: Tool, answer: Fields): Fields {
  const names = new Set([...declaredIn(tool).own].map((path) => path.split(/[.[]/)[0]));
  return Object.fromEntries(Object.entries(answer).filter(([name]) => !names.has(name)));
}

/** A copy of records in which every text that may be a sentence is empty. */
export function withoutTexts<T>(records: T): T {
  return mapLeaves(records, {
    leaf: ({ value }) => (typeof value !== 'string' || isPlainValue(value) ? value : ''),
  }) as T;
}
