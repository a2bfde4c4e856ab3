import { batchedBy } from '../../../catalogue/batch-rule.ts';
import { fieldsOf, soleMember } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import type { Fields } from '../../../lib/json.ts';
import { jsonText } from '../../../lib/text.ts';
import type { Facts } from '../facts/facts.ts';
import { answer, flagged, type GuidedAnswer } from './answer.ts';
import { takesNumbers } from './fill.ts';

/* Several lines or customers in one request: all of them in a list that an operation takes, or one call for each. */

/** The numbers, last digits and names that a request is about, if they are several of one list. */
export function severalOf({ mentions, isOneList, rest, volumes }: Facts, people: readonly string[]): string[] {
  // "5 GB for Ava and 3 GB for Ben" asks for two things.
  if (
    !isOneList ||
    new Set(volumes.map(({ part, mb }) => `${part} ${mb}`)).size > new Set(volumes.map(({ part }) => part)).size
  )
    return [];
  const numbers = mentions.map(({ text }) => text);
  // A person beside several numbers owns them or gets them, unless the person is one of the list.
  const names = numbers.length === 0 || people.some((name) => isListed(rest, name)) ? people : [];
  const all = [...new Set([...numbers, ...names])];
  return all.length > 1 ? all : [];
}

/** After a name that begins a report: "park 0103 and Ben called". */
const NO_REPORT = String.raw`(?!\s+(?:is|was|has|had|will|can|would|should|lost|said|says|wants|needs|asks|calls|\p{L}{2,}ed)\b)`;
const AND = String.raw`\s*(?:,\s*)?(?:and|&)\s*(?:also\s+)?`;

/** True for a name in a list with a number: "Ben and 0101". "0103, Ben's old number" is no list. */
function isListed(rest: string, name: string): boolean {
  const plain = `${name.replace(/[^\p{L}\p{M} ]/gu, '.')}(?:['’]s)?(?:\\s+(?:line|number|phone))?`;
  const number = String.raw`(?:number|[#…*]*\d{4})`;
  return [
    `\\b${plain}${AND}${number}\\b`,
    `${number}${AND}${plain}(?![\\p{L}'’])${NO_REPORT}`,
    `\\b${plain}\\s*,\\s*(?:[^,.;!?]+,\\s*)*?${number}${AND}`,
    `${number}\\s*,\\s*${plain}(?:\\s*,|${AND})(?![^,.;!?]*\\b(?:is|was|has|had|said|called)\\b)`,
  ].some((pattern) => new RegExp(pattern, 'iu').test(rest));
}

/** The input with all of them in the operation's list of numbers, where one of them is a name. */
export function withAll(tool: Tool, all: readonly string[], input: Fields): Fields {
  const list = fieldsOf(tool).find((field) => field.required && field.kind !== 'phone' && takesNumbers(field));
  const has = list === undefined ? '' : jsonText(input[list.name] ?? []);
  if (!list || all.length === 0 || all.every((one) => has.includes(one))) return input;
  const member = soleMember(list)?.name ?? 'Number';
  return { ...input, [list.name]: all.map((one) => (list.kind === 'rows' ? { [member]: one } : one)) };
}

/**
 * The lines or customers that need one call each, for an operation that can run over a list. Undefined if one
 * call takes all of them.
 */
export function eachOf(
  tool: Tool,
  all: readonly string[],
  input: Fields,
): { field: string; input: Fields } | undefined {
  const rule = batchedBy(tool);
  if (all.length < 2 || rule === undefined || rule.list !== undefined) return undefined;
  const row = fieldsOf(tool).find(({ name, required }) => name === rule.row && required);
  if (!row || all.every((one) => jsonText(input).includes(one))) return undefined;
  const names = new Set(all);
  const shared = Object.entries(input).filter(
    ([name, value]) => name !== row.name && value !== undefined && !names.has(String(value)),
  );
  return { field: row.name, input: Object.fromEntries(shared) };
}

/** The offer of a change of each of several records. */
export function forEach(
  tool: Tool,
  given: { field: string; input: Fields; all: readonly string[]; remarks: string; isLater: boolean },
): GuidedAnswer {
  const remarks = `; for each of ${given.all.join(', ')}${given.remarks}`;
  return {
    ...answer('form', { tool, input: given.input, understood: `${tool.title}${remarks}` }),
    ...{ each: { field: given.field, texts: given.all }, remarks },
    ...flagged({ isReady: false, isLater: given.isLater }),
  };
}
