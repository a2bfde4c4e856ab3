import { defined, type Fields } from '../../src/lib/json.ts';
import { missingFrom } from '../../src/lib/lists.ts';
import { readFlag, readTexts } from '../../src/platform/dialect/readings.ts';
import { listNumbers } from './fields.ts';

/* Who gets through a filter, and what cannot be made good after a change of it (PLATFORM.md, Guardian filtering). */

/** One of the two kinds of filters. */
export interface FilterKind {
  /** "message filter" in a sentence. */
  noun: string;
  /** "messages" in a sentence. */
  traffic: string;
  /** "message" in a sentence. */
  unit: string;
  /** A sentence about what was blocked until a change is corrected. */
  lost: string;
  /** The operation that lists filters. */
  list: string;
  allowed: string;
  blocked: string;
  /** Modes from the weakest to the strictest. */
  modes: readonly string[];
  /** Protections, each with the words for switching it off. */
  flags: Readonly<Record<string, string>>;
  /** The fields that an update sends. Fields that the caller leaves out are filled in from the record. */
  settings: readonly string[];
}

/** A filter as it is after a change: the record, with the members that the change sets. */
export function filterAfter(record: Fields | undefined, input: Readonly<Fields>): Fields {
  return { ...record, ...defined(input) };
}

/** True for a filter that stops everybody who is not on its allow list. */
export function stopsUnknown({ FilterMode, BlockUnknownNumbers }: Readonly<Fields>): boolean {
  return FilterMode === 'WHITELIST' || readFlag(BlockUnknownNumbers) === true;
}

/** True for a filter that stops everybody. */
export function stopsEverybody(kind: FilterKind, filter: Readonly<Fields>): boolean {
  return stopsUnknown(filter) && passing(kind, filter).length === 0;
}

/** The numbers on the allow list that are not blocked: a blocked number is stopped first. */
function passing(kind: FilterKind, filter: Readonly<Fields>): string[] {
  return missingFrom(readTexts(filter[kind.allowed]) ?? [], readTexts(filter[kind.blocked]) ?? []);
}

/**
 * Who gets through a filter, in a sentence; undefined if it depends on more than its lists, or the filter is paused or
 * only reports.
 */
export function reachText(kind: FilterKind, filter: Readonly<Fields>): string | undefined {
  const { FilterMode: mode } = filter;
  if (mode === undefined || mode === 'INACTIVE' || mode === 'MONITOR_ONLY') return undefined;
  if (stopsUnknown(filter)) {
    const numbers = passing(kind, filter);
    return numbers.length === 0
      ? `No number is allowed, so no ${kind.unit} gets through.`
      : `Only the allowed numbers get through: ${listed(numbers)}.`;
  }
  if (mode !== 'BLACKLIST') return undefined;
  const blocked = readTexts(filter[kind.blocked]) ?? [];
  return blocked.length === 0
    ? 'Everyone gets through: no number is blocked.'
    : `Everyone but the blocked numbers gets through: ${listed(blocked)}.`;
}

function listed(phones: readonly string[]): string {
  return listNumbers(phones.map((phone) => ({ Number: phone })));
}

/** The sentence about who gets through after a change, if that is another one than before. */
export function reachChange(kind: FilterKind, before: Fields | undefined, after: Readonly<Fields>): string {
  const now = reachText(kind, after);
  return now === undefined || (before !== undefined && now === reachText(kind, before)) ? '' : now;
}

/** The directions in which a change of a filter moves it: it blocks more, or lets more through. */
export interface Moves {
  blocks: boolean;
  lets: boolean;
}

/** Compares two states of a filter. Without the record, both directions count. */
export function movesOf(kind: FilterKind, before: Fields | undefined, after: Readonly<Fields>): Moves {
  if (before === undefined) return { blocks: true, lets: true };
  const list = (name: string, of: Readonly<Fields>) => readTexts(of[name]) ?? [];
  const gone = (name: string) => missingFrom(list(name, before), list(name, after)).length > 0;
  const added = (name: string) => missingFrom(list(name, after), list(name, before)).length > 0;
  const strictness = (of: Readonly<Fields>) => kind.modes.indexOf(String(of.FilterMode));
  const flags = Object.keys(kind.flags).filter((name) => /^(ApplyTo|Block)/.test(name));
  const isOn = (name: string, of: Readonly<Fields>) => readFlag(of[name]) === true;
  const isMoved = after.Phone !== undefined && after.Phone !== before.Phone;
  const blocks =
    isMoved ||
    gone(kind.allowed) ||
    added(kind.blocked) ||
    strictness(after) > strictness(before) ||
    flags.some((name) => isOn(name, after) && !isOn(name, before));
  const lets =
    isMoved ||
    added(kind.allowed) ||
    gone(kind.blocked) ||
    strictness(after) < strictness(before) ||
    flags.some((name) => !isOn(name, after) && isOn(name, before));
  // Another change, such as that of a keyword rule, may do either.
  return blocks || lets ? { blocks, lets } : { blocks: true, lets: true };
}

/** What a later correction cannot make good. `back` says how the change is corrected. */
export function undoText(kind: FilterKind, back: string, { blocks, lets }: Moves): string {
  return [
    back,
    ...(lets ? ['What came through in the meantime is not taken back.'] : []),
    ...(blocks ? [kind.lost] : []),
  ].join(' ');
}
