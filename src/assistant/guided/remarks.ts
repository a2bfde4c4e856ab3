import { fieldsOf } from '../../catalogue/fields.ts';
import type { Tool } from '../../catalogue/operation.ts';
import type { Fields } from '../../lib/json.ts';
import { jsonText } from '../../lib/text.ts';
import type { Facts } from './facts.ts';

/* Remarks on the parts of a sentence that an operation has no field for. */

/** A day that is still to come, for an operation that takes none: it would take effect at once. Empty if there is none. */
export function laterText(tool: Tool, { days }: Facts, now: number): string {
  const start = days.find(({ isEnd }) => !isEnd)?.iso;
  const takesDay = fieldsOf(tool).some(({ kind }) => kind === 'date' || kind === 'us-date');
  if (start === undefined || takesDay || start <= new Date(now).toISOString().slice(0, 10)) return '';
  return `; it takes effect at once and cannot be scheduled for ${start}`;
}

/**
 * Lists the other parts of a sentence that were not filled in. Empty if there are none.
 *
 * @param taken all that was filled in, or is looked for
 * @param person the name of a person in the sentence
 */
export function remarksOn(facts: Facts, taken: Fields, person?: string): string {
  return `${moreText(facts)}${endsText(facts)}${leftText(facts, taken, person)}`;
}

/** An amount that a sentence adds to a limit. Limits are set as a whole. */
function moreText({ volumes }: Facts): string {
  if (volumes.some(({ isUnclear }) => isUnclear)) return '; a limit is set as a whole: give the new value';
  const more = volumes.find(({ isMore }) => isMore);
  return more ? `; a limit is set as a whole: add ${more.mb} MB to the present one` : '';
}

/** A day up to which something holds, which no operation takes. The person has to end it. */
function endsText({ days }: Facts): string {
  const end = days.find(({ isEnd }) => isEnd);
  return end ? `; it does not end by itself on ${end.iso}: ask for that too` : '';
}

/** Numbers, addresses and texts that the operation takes no value from. */
function leftText({ mentions, email, message, speed }: Facts, taken: Fields, person: string | undefined): string {
  const text = jsonText(taken);
  const has = (value: string) => text.includes(jsonText(value).slice(1, -1));
  const left = [
    ...mentions.map((mention) => mention.text).filter((value) => !has(value)),
    // A person beside a number is whom the number belongs to.
    ...[mentions.length > 0 ? undefined : person, email, speed].filter((value) => value !== undefined && !has(value)),
    ...(message !== undefined && !has(message) ? ['the text'] : []),
  ];
  return left.length === 0 ? '' : `; not filled in: ${left.join(', ')}`;
}
