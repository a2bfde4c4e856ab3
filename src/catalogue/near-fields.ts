import { nearestOf } from '../lib/nearest.ts';

/* The fields that a wrong name may mean. */

/** Words that people and the platform use for one thing. */
const SAME: readonly (readonly string[])[] = [
  ['voice', 'call', 'calls'],
  ['message', 'messages', 'sms', 'text', 'texts', 'mms'],
  ['cost', 'price', 'amount', 'fee'],
  ['package', 'plan'],
  ['subscriber', 'customer', 'user', 'person', 'holder'],
  ['iccid', 'sim', 'serial', 'esim'],
  ['number', 'numbers', 'phone', 'line', 'tnid', 'msisdn'],
  ['status', 'state'],
  ['limit', 'cap', 'quota'],
  ['url', 'uri', 'link', 'callback'],
  ['frequency', 'billing', 'period'],
  ['zip', 'postal', 'postcode', 'zipcode'],
  ['date', 'day', 'when'],
  ['event', 'events'],
  ['cnam', 'caller'],
  ['block', 'blocked'],
  ['allow', 'allowed'],
];
const MEANING: ReadonlyMap<string, string> = new Map(
  SAME.flatMap((words) => words.map((word) => [word, words[0] ?? word])),
);
/** Words that many names have, and that tell no field from another. */
const COMMON = /^(?:id|ids|value|enabled|enable|is|has|of|the|in|at|to|a|new|with|for|set|type)$/;
const MOST = 3;

/** The kind of a line has two names, of which neither is like the other. */
const KINDS = [/^number_?type$/i, /classification$/i];

/** The fields that the name may mean, the likeliest first; empty if none is similar. */
export function nearFields(name: string, fields: readonly { name: string; label?: string }[]): string[] {
  const names = fields.map((field) => field.name);
  const similarTo = nearestOf(names);
  // A slip of one name means no other.
  const slip = similarTo(name, Math.max(1, Math.floor(name.length / 4)));
  if (slip !== undefined) return [slip];
  const kind = KINDS.some((one) => one.test(name)) && names.find((field) => KINDS.some((one) => one.test(field)));
  if (kind) return [kind];
  // "RouteEnabled" is most of "MessageRouteEnabled".
  const whole = names.filter((one) => name.length >= 4 && one.toLowerCase().includes(name.toLowerCase()));
  if (whole.length > 0 && whole.length <= MOST) return whole;
  const similar = name.length < 5 ? undefined : similarTo(name);
  const words = meaningsIn(name);
  const scored = fields
    .map((field) => {
      const [own, label] = [meaningsIn(field.name), meaningsIn(field.label ?? '')];
      const shared = [...words].filter((word) => own.has(word) || label.has(word)).length;
      return { name: field.name, score: shared === 0 ? 0 : shared / Math.max(words.size, own.size) };
    })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score);
  const [best] = scored;
  // Of fields that share as much, all may be meant.
  const shared = scored.filter(({ score }) => score === best?.score).map((one) => one.name);
  return [...new Set([...(similar === undefined ? [] : [similar]), ...shared])].slice(0, MOST);
}

/** Maximum number of fields in a sentence where no one is similar. */
const MOST_LISTED = 8;

/**
 * The suggestion for a name that is no field: the fields that may be meant, or some of those there are.
 *
 * @param shown the name of a field as the reader knows it, and whether it is to be typed
 */
export function insteadOf(
  name: string,
  fields: readonly { name: string; label?: string; required?: boolean }[],
  shown: (name: string, isTyped: boolean) => string = (one) => one,
): string {
  const near = nearFields(name, fields).map((one) => shown(one, true));
  const last = near.pop();
  if (last !== undefined) return `did you mean ${near.length > 0 ? `${near.join(', ')} or ` : ''}${last}?`;
  const sorted = [...fields].sort((one, other) => Number(other.required ?? false) - Number(one.required ?? false));
  const listed = sorted.slice(0, MOST_LISTED).map((field) => shown(field.name, false));
  const more = fields.length - listed.length;
  return `the fields are ${listed.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function meaningsIn(name: string): ReadonlySet<string> {
  const words = name
    .slice(0, 100)
    .replace(/([a-z])([A-Z0-9])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '' && !COMMON.test(word));
  return new Set(words.map((word) => MEANING.get(word) ?? word));
}
