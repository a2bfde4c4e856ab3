import { fieldsOf } from '../../catalogue/fields.ts';
import type { Tool } from '../../catalogue/operation.ts';
import type { Fields } from '../../lib/json.ts';
import { jsonText } from '../../lib/text.ts';
import { holdsFor } from './doubt.ts';
import type { Facts, Volume } from './facts.ts';
import { takesVolume } from './fill.ts';
import type { Time } from './times.ts';

/* Remarks on the parts of a sentence that an operation has no field for. */

/** What a sentence says about its change: the times beside it, and the names in it. */
export interface Said {
  facts: Facts;
  /** The times that are about the change. */
  times: readonly Time[];
  people: readonly string[];
}

/** A time that is still to come, for an operation that takes effect at once. Empty if there is none. */
export function laterText(tool: Tool, { times }: Pick<Said, 'times'>, now: number): string {
  if (takesDay(tool)) return '';
  const today = new Date(now).toISOString().slice(0, 10);
  const later = times.find(({ kind, day }) => kind === 'later' || (day && !day.isEnd && day.iso > today));
  if (later === undefined) return '';
  return `; it takes effect at once and cannot be scheduled for ${later.day?.iso ?? quoted(later.text)}`;
}

/**
 * Lists the other parts of a sentence that were not filled in. Empty if there are none.
 *
 * @param taken all that was filled in, or is looked for
 */
export function remarksOn(tool: Tool, said: Said, taken: Fields): string {
  return `${moreText(said.facts)}${endsText(tool, said)}${leftText(tool, said, taken)}${leftOutText(said.facts)}`;
}

/** What the sentence itself says is not to be done. */
function leftOutText({ leftOut }: Facts): string {
  return leftOut.length === 0 ? '' : `; left out, as you say: ${leftOut.map(quoted).join(', ')}`;
}

/** An amount that a sentence adds to a limit. Limits are set as a whole. */
function moreText({ volumes }: Facts): string {
  const unitless = volumes.find((volume) => volume.unitless !== undefined)?.unitless;
  if (unitless !== undefined) return `; say MB or GB: ${unitless} has no unit`;
  if (volumes.some(({ isUnclear }) => isUnclear)) return '; a limit is set as a whole: give the new value';
  const more = volumes.find(({ isMore }) => isMore);
  return more ? `; a limit is set as a whole: add ${more.mb} MB to the present one` : '';
}

/** A time up to which something holds, which no operation takes. The person has to end it. */
function endsText(tool: Tool, { times }: Said): string {
  const end = times.find(({ day }) => day?.isEnd)?.day;
  if (end) return `; it does not end by itself on ${end.iso}: ask for that too`;
  const span = holdsFor(tool) ? times.find(({ kind }) => kind === 'end') : undefined;
  return span ? `; it does not end by itself (${quoted(span.text)}): ask for that too` : '';
}

/** Numbers, names, times, amounts, addresses and texts that the operation takes no value from. */
function leftText(tool: Tool, { facts, times, people }: Said, taken: Fields): string {
  const { mentions, email, message, speed, volumes } = facts;
  const text = jsonText(taken);
  const has = (value: string) => text.includes(jsonText(value).slice(1, -1));
  // A person beside a number is whom the number belongs to.
  const isBeside = mentions.length > 0 && people.length < 2 && !isListed(facts.rest, people[0]);
  const names = isBeside ? [] : people;
  const left = [
    ...mentions.map((mention) => mention.text).filter((value) => !has(value)),
    ...[...names, email, speed].filter((value) => value !== undefined && !has(value)),
    ...volumes.filter((volume) => !takesVolume(tool) || isSecond(volume, volumes)).map((volume) => volume.text),
    ...(message !== undefined && !has(message) ? ['the text'] : []),
    ...timesLeft(tool, times).map(quoted),
  ];
  return left.length === 0 ? '' : `; not filled in: ${left.join(', ')}`;
}

/** True for a name that is one of a list with a number: "Ben and 0101". */
function isListed(rest: string, name: string | undefined): boolean {
  if (name === undefined) return false;
  const plain = name.replace(/[^\p{L}\p{M} ]/gu, '.');
  return new RegExp(`\\b${plain}\\s+and\\s+(?:number|[#…*\\d])|(?:number|\\d)\\s+and\\s+${plain}\\b`, 'iu').test(rest);
}

/** True for an amount of which an earlier one is filled in: "5 gb for Ava and 3 gb for Ben". */
function isSecond(volume: Volume, volumes: readonly Volume[]): boolean {
  const first = volumes.find(({ part, isMore, isUnclear }) => part === volume.part && !isMore && isUnclear !== true);
  return (
    first !== undefined && first !== volume && !volume.isMore && volume.isUnclear !== true && first.mb !== volume.mb
  );
}

/** The times that neither a field nor another remark has. */
function timesLeft(tool: Tool, times: readonly Time[]): string[] {
  const starts = times.filter(({ day }) => day && !day.isEnd);
  return times.flatMap(({ kind, text, day }) => {
    if (day) return !day.isEnd && takesDay(tool) && day !== starts[0]?.day ? [text] : [];
    const isTold = kind === 'end' ? holdsFor(tool) : kind === 'later' && !takesDay(tool);
    return isTold ? [] : [text];
  });
}

function takesDay(tool: Tool): boolean {
  return fieldsOf(tool).some(({ kind }) => kind === 'date' || kind === 'us-date');
}

function quoted(text: string): string {
  return `“${text}”`;
}
