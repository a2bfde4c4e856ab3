import { fieldsOf } from '../catalogue/fields.ts';
import type { Tool } from '../catalogue/operation.ts';
import { phonesIn } from '../platform/dialect/phone.ts';

/** The short lookup command of a group and the tool behind it. */
export interface Lookup {
  tool: Tool;
  /** The field for the number. */
  field: string;
  /** The command: the group's name in the singular. */
  word: string;
  /** Finds numbers by last digits or a name, which are this field's. */
  find: { tool: Tool; field: string } | undefined;
}

export function lookups(
  tools: readonly Tool[],
  groups: Readonly<Record<string, { lookup?: string; find?: string }>>,
): Lookup[] {
  return Object.entries(groups).flatMap(([group, { lookup, find }]) => {
    const found = withMainField(tools, lookup);
    return found ? [{ ...found, word: group.replace(/s$/, ''), find: withMainField(tools, find) }] : [];
  });
}

function withMainField(tools: readonly Tool[], id: string | undefined): { tool: Tool; field: string } | undefined {
  const tool = tools.find((candidate) => candidate.id === id);
  const fields = tool === undefined ? [] : fieldsOf(tool);
  const field = fields.find(({ required }) => required) ?? fields[0];
  return tool && field ? { tool, field: field.name } : undefined;
}

/**
 * Finds the lookup that a person's text asks for: one number, or a search term for `find` (last digits, a name of up to
 * four words, an id of a subscriber or an account). Undefined if it is neither.
 */
export function wantedIn(text: string): { number: string } | { query: string } | undefined {
  const asked = unquoted(text);
  const [number, ...others] = phonesIn(asked);
  if (number !== undefined) return others.length === 0 ? { number } : undefined;
  const digits = asked.replace(/[\s().-]/g, '');
  if (/^(\+|…|\.{2,3}|\*|x+)?\d{3,10}$/i.test(digits)) return { query: asked };
  if (/^(T?SUID|AID)-[\w-]+$/i.test(asked)) return { query: asked };
  const words = asked.split(/\s+/);
  if (words.length > 4 || asked.length > 60) return undefined;
  return words.every((word) => /^[\p{L}][\p{L}\p{M}'’.-]*$/u.test(word)) && asked.length > 1
    ? { query: asked }
    : undefined;
}

/** A text without the quotation marks around all of it, as they are typed around a name. */
export function unquoted(text: string): string {
  return text.trim().replace(/^["“”„]([^"“”„]*)["“”]$/, (_, inner: string) => inner.trim());
}
