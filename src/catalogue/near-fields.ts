import { nearestOf } from '../lib/nearest.ts';

/* The fields that a wrong name may mean. */

/** Words that many names have, and that tell no field from another. */
const COMMON = /^(?:id|ids|value|enabled|enable|is|has|of|the|in|at|to|a|new|with|for|set|type)$/;
const MOST = 3;

interface Named {
  name: string;
  label?: string;
  required?: boolean;
}

/** The fields that the name may mean, the likeliest first; empty if none is similar. */
export function nearFields(name: string, fields: readonly Named[]): string[] {
  const similarTo = nearestOf(fields.map((field) => field.name));
  // A slip of one name means no other.
  const slip = similarTo(name, Math.max(1, Math.floor(name.length / 4)));
  if (slip !== undefined) return [slip];
  const words = wordsIn(name);
  const scored = fields
    .map((field) => {
      const own = wordsIn(`${field.name} ${field.label ?? ''}`);
      return { name: field.name, score: words.filter((word) => own.includes(word)).length / Math.max(1, own.length) };
    })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score);
  const similar = name.length < 5 ? undefined : similarTo(name);
  return [...new Set([...(similar ? [similar] : []), ...scored.map((one) => one.name)])].slice(0, MOST);
}

function wordsIn(name: string): string[] {
  const words = name
    .slice(0, 100)
    .replace(/([a-z])([A-Z0-9])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
  return [...new Set(words.filter((word) => word !== '' && !COMMON.test(word)))];
}

/** Maximum number of fields in a sentence where no one is similar. */
const MOST_LISTED = 8;

/**
 * The suggestion for a name that is no field: the fields that may be meant, or some of those there are.
 *
 * @param shown the name of a field as it is typed
 */
export function insteadOf(
  name: string,
  fields: readonly Named[],
  shown: (name: string) => string = (one) => one,
): string {
  const near = nearFields(name, fields).map((one) => shown(one));
  if (near.length > 0) return `did you mean ${near.join(' or ')}?`;
  const sorted = [...fields].sort((one, other) => Number(other.required ?? false) - Number(one.required ?? false));
  const listed = sorted.slice(0, MOST_LISTED).map((field) => shown(field.name));
  const more = fields.length - listed.length;
  return `the fields are ${listed.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
