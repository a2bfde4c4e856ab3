import type { Tool } from '../../catalogue/operation.ts';

/* The name of a new record behind "called": it is whole up to the next value, and in any case of letters. */

const STOPS = String.raw`to|for|at|with|without|which|that|on|from|in|into|by|via|using|type|costs?|costing|priced|pointing|(?:post|deliver|send|forward)(?:s|ing|ed)?(?=\s+(?:to|it|all|the|everything)\b)|https?:|please|pls|\$?\d+(?:[.,]\d+)?\s*(?:\$|usd|dollars?|bucks|a\s+month|monthly)`;
const CALLED = new RegExp(
  String.raw`\b(?:called|named)\s+["“'‘]?(?<name>[\p{L}\d][^,.;:!?"”\n]{0,60}?)["”'’]?(?=\s*(?:$|[,.;:!?"”\n])|\s+(?:and\s+)?(?:${STOPS})(?:\b|\s|/))`,
  'iu',
);
/** Operations that make a record which people name. Persons have names of their own. */
const MAKES = /^(?:message_routes|voice_routes|packages)_create$/;
const MOST_WORDS = 6;

/** The name that a sentence gives to a record which the operation makes. */
export function calledIn({ id }: Pick<Tool, 'id'>, said: string): string | undefined {
  const name = MAKES.test(id) ? CALLED.exec(said)?.groups?.name?.trim() : undefined;
  return name === undefined || name.split(/\s+/).length > MOST_WORDS ? undefined : name;
}
