import type { Field } from './field-types.ts';
import { fieldsOf } from './fields.ts';
import { isChange, type Tool } from './operation.ts';

/* Changes whose caller names the day on which they take effect, and the answer for one that takes effect at once. */

const WORDS = new Set(['date', 'day', 'time', 'when', 'schedule', 'scheduled', 'delay', 'later', 'until', 'after']);
/** These name a time at the end of a name only: "SendAt". */
const LAST = new Set(['at', 'on']);
/** A name with one of these is about something else: "DateOfBirth", "TimeZone", "ExpiryDate". */
const OTHER = new Set(['birth', 'zone', 'expiry', 'expiration', 'expires', 'format']);

/** True for the name of a field in which a caller would name the day or time of a change. */
function namesDay(name: string): boolean {
  const words = name
    .slice(0, 100)
    .replace(/([a-z])([A-Z0-9])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
  if (words.some((word) => OTHER.has(word))) return false;
  return words.some((word) => WORDS.has(word)) || (words.length > 1 && LAST.has(words.at(-1) ?? ''));
}

/** The field for the day on which a change takes effect, at any depth. */
function dayField(fields: readonly Field[]): string | undefined {
  for (const { name, kind, fields: members = [] } of fields) {
    const found = kind === 'date' || kind === 'us-date' ? name : dayField(members);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Says of a change without a day that it cannot be scheduled, and which changes can, as the end of a sentence that names
 * it. Undefined if the unknown name means no day, or the change takes one.
 *
 * @param tools the operations that the caller may use instead
 * @param called the name of an operation as the reader knows it
 */
export function notScheduled(
  tool: Tool,
  name: string,
  { tools, called = ({ id }) => id }: { tools: readonly Tool[]; called?: (tool: Tool) => string },
): string | undefined {
  if (!isChange(tool) || !namesDay(name) || dayField(fieldsOf(tool)) !== undefined) return undefined;
  const changes = tools.filter(isChange).flatMap((other) => {
    const field = dayField(fieldsOf(other));
    return field === undefined ? [] : [`${called(other)} (${field})`];
  });
  const last = changes.pop();
  const which = changes.length === 0 ? last : `${changes.join(', ')} and ${last}`;
  const instead = last === undefined ? '' : ` A day is taken by ${which}.`;
  return `which cannot be scheduled: it takes effect once it is confirmed.${instead}`;
}
