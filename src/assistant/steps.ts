import { fieldsOf } from '../catalogue/fields.ts';
import type { Tool } from '../catalogue/operation.ts';
import type { Fields } from '../lib/json.ts';
import { isPlainValue } from '../platform/dialect/plain-values.ts';

/** First words of titles, as they run and as they have ended. */
const VERBS: Readonly<Record<string, readonly [string, string]>> = {
  Allow: ['Allowing', 'Allowed'],
  Block: ['Blocking', 'Blocked'],
  Cancel: ['Cancelling', 'Cancelled'],
  Change: ['Changing', 'Changed'],
  Check: ['Checking', 'Checked'],
  Correct: ['Correcting', 'Corrected'],
  Create: ['Creating', 'Created'],
  Find: ['Finding', 'Found'],
  Look: ['Looking', 'Looked'],
  Set: ['Setting', 'Set'],
  Unblock: ['Unblocking', 'Unblocked'],
  Watch: ['Watching', 'Watched'],
};
const MAX_SUBJECT = 40;

/** The title of a call while it runs: "Looking a number up: +12015550101". */
export function runningTitle(tool: Tool, input: Fields): string {
  const [first = '', ...rest] = tool.title.split(' ');
  const verb = VERBS[first];
  if (verb) return withSubject([verb[0], ...rest].join(' '), tool, input);
  return withSubject(
    tool.risk === 'read' ? `Reading: ${lower(tool.title)}` : `Working on: ${lower(tool.title)}`,
    tool,
    input,
  );
}

/** The title of a call that was done. */
export function doneTitle(tool: Tool, input: Fields): string {
  const [first = '', ...rest] = tool.title.split(' ');
  const verb = VERBS[first];
  if (verb) return withSubject([verb[1], ...rest].join(' '), tool, input);
  return withSubject(tool.risk === 'read' ? `Read: ${lower(tool.title)}` : `Done: ${lower(tool.title)}`, tool, input);
}

/** The operation's title with the number or id that the call is about. */
export function subjectTitle(tool: Tool, input: Fields): string {
  return withSubject(tool.title, tool, input);
}

/** Adds the first number or id of the input, if it has the form of one. Other text may come from anybody. */
function withSubject(title: string, tool: Tool, input: Fields): string {
  for (const { name, kind } of fieldsOf(tool)) {
    if (kind !== 'phone' && kind !== 'id' && kind !== 'list') continue;
    const value = Array.isArray(input[name]) ? input[name][0] : input[name];
    if (typeof value === 'string' && value.length <= MAX_SUBJECT && isPlainValue(value)) return `${title}: ${value}`;
  }
  return title;
}

function lower(title: string): string {
  return /^[A-Z][a-z]/.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title;
}
