import { defined, type Fields } from '../../src/lib/json.ts';
import { missingFrom } from '../../src/lib/lists.ts';
import { readFlag, readTexts } from '../../src/platform/dialect/readings.ts';
import type { Traffic } from '../surfaces/guard.ts';
import { listNumbers } from './fields.ts';

/*
 * Sentences about the callers whom a filter lets through, and about effects of a change that cannot be made good later
 * (PLATFORM.md, Guardian filtering).
 */

/** One of the two kinds of filters. */
export interface FilterKind {
  /** "message filter" in a sentence. */
  noun: string;
  /** "messages" in a sentence. */
  traffic: Traffic['name'];
  /** "message" in a sentence. */
  unit: string;
  /** A sentence about what was blocked until a change is corrected. */
  lost: string;
  /** A sentence about the other kind of traffic, which the filter leaves alone. */
  others: string;
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

/**
 * A filter as it is after a change: the record, with the members that the change sets. A new filter covers the directions
 * that it names.
 */
export function filterAfter(record: Fields | undefined, input: Readonly<Fields>): Fields {
  return { ...(record ?? { ApplyToInbound: false, ApplyToOutbound: false }), ...defined(input) };
}

/** The traffic that a filter stops something of: "incoming messages"; undefined if it is paused, only reports, or covers none. */
function covered(kind: FilterKind, filter: Readonly<Fields>): { unit: string; traffic: string } | undefined {
  const { FilterMode: mode, ApplyToInbound, ApplyToOutbound } = filter;
  const [isIn, isOut] = [readFlag(ApplyToInbound) !== false, readFlag(ApplyToOutbound) !== false];
  if (mode === 'INACTIVE' || mode === 'MONITOR_ONLY' || !(isIn || isOut)) return undefined;
  const direction = isIn && isOut ? '' : isIn ? 'incoming ' : 'outgoing ';
  return { unit: direction + kind.unit, traffic: direction + kind.traffic };
}

/** True for a filter that stops everybody who is not on its allow list. Levels are not enforced for calls. */
export function stopsUnknown(kind: FilterKind, filter: Readonly<Fields>): boolean {
  const { FilterMode: mode, BlockUnknownNumbers } = filter;
  const isChild = mode === 'CHILD' && kind.unit === 'message';
  return (
    covered(kind, filter) !== undefined && (mode === 'WHITELIST' || isChild || readFlag(BlockUnknownNumbers) === true)
  );
}

/** True for a filter that stops everybody. */
export function stopsEverybody(kind: FilterKind, filter: Readonly<Fields>): boolean {
  return stopsUnknown(kind, filter) && passing(kind, filter).length === 0;
}

/** The numbers on the allow list that are not blocked: a blocked number is stopped first. */
function passing(kind: FilterKind, filter: Readonly<Fields>): string[] {
  return missingFrom(readTexts(filter[kind.allowed]) ?? [], readTexts(filter[kind.blocked]) ?? []);
}

/**
 * Says who gets through a filter; undefined if it depends on more than its lists, or if the filter stops nothing now.
 */
export function reachText(kind: FilterKind, filter: Readonly<Fields>): string | undefined {
  const { FilterMode: mode } = filter;
  const its = covered(kind, filter);
  if (mode === undefined || its === undefined) return undefined;
  const said = (text: string) => (its.traffic === kind.traffic ? capital(text) : `For ${its.traffic}, ${text}`);
  if (stopsUnknown(kind, filter)) {
    const numbers = passing(kind, filter);
    return numbers.length === 0
      ? `No number is allowed, so no ${its.unit} gets through.`
      : said(`only the allowed numbers get through: ${listed(numbers)}.`);
  }
  if (mode !== 'BLACKLIST') return undefined;
  const blocked = readTexts(filter[kind.blocked]) ?? [];
  const isRuled = Object.keys(kind.flags).some((name) => name.startsWith('Block') && readFlag(filter[name]) === true);
  if (isRuled && blocked.length === 0) return 'No number is blocked; what its other rules stop stays stopped.';
  const stopped = `the blocked numbers${isRuled ? ', and what its other rules stop,' : ''}`;
  return blocked.length === 0
    ? said('everyone gets through: no number is blocked.')
    : said(`everyone but ${stopped} gets through: ${listed(blocked)}.`);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function listed(phones: readonly string[]): string {
  return listNumbers(phones.map((phone) => ({ Number: phone })));
}

/**
 * The sentence about who gets through after a change, if it differs from the one before, or if numbers leave the block
 * list of a filter that still stops them.
 */
export function reachChange(kind: FilterKind, before: Fields | undefined, after: Readonly<Fields>): string {
  const now = reachText(kind, after);
  if (now === undefined) return '';
  if (before === undefined || now !== reachText(kind, before)) return now;
  const unblocks =
    missingFrom(readTexts(before[kind.blocked]) ?? [], readTexts(after[kind.blocked]) ?? []).length > 0 ||
    (readFlag(before.BlockUnknownNumbers) === true && readFlag(after.BlockUnknownNumbers) === false);
  return unblocks && stopsUnknown(kind, after) ? `The filter still stops everybody else. ${now}` : '';
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

/** Says what a later correction cannot make good. `back` says how the change is corrected. */
export function undoText(kind: FilterKind, back: string, { blocks, lets }: Moves): string {
  return [
    back,
    ...(lets ? ['What came through in the meantime is not taken back.'] : []),
    ...(blocks ? [kind.lost] : []),
  ].join(' ');
}
