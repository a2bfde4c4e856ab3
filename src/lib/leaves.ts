import type { Fields } from './json.ts';

/* Looks through a JSON value of any shape. Every search in a value is a filter over its parts. */

/** A value inside another one, or the outermost value itself. */
export interface Part {
  value: unknown;
  /** The name of its member, or its index in a list; '' for the outermost value. */
  key: string | number;
  /** The name of its member; for an entry of a list, that of the list. */
  name: string;
  /** The list or record that holds it; undefined for the outermost value. */
  around: Part | undefined;
  /** The number of lists and records around it. */
  depth: number;
}

/** Deeper than any JSON that is read (`MAX_JSON_DEPTH`): only an object that contains itself is. */
const MAX_DEPTH = 5_000;

const outermost = (value: unknown): Part => ({ value, key: '', name: '', around: undefined, depth: 0 });

/**
 * Every part of a value in order, each before those in it. It needs no stack, however deep the value is.
 *
 * @param into false for a part whose own parts are left out
 * @throws RangeError for an object that contains itself
 */
export function partsOf(value: unknown, into?: (part: Part) => boolean): Part[] {
  const found: Part[] = [];
  const open = [outermost(value)];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    found.push(part);
    const { value: inner, name } = part;
    if (typeof inner !== 'object' || inner === null || into?.(part) === false) continue;
    const depth = part.depth + 1;
    if (depth > MAX_DEPTH) throw new RangeError('nested too deeply');
    if (Array.isArray(inner))
      for (let key = inner.length - 1; key >= 0; key -= 1)
        open.push({ value: inner[key], key, name, around: part, depth });
    else {
      const keys = Object.keys(inner);
      for (let at = keys.length - 1; at >= 0; at -= 1) {
        const key = keys[at] as string;
        open.push({ value: (inner as Fields)[key], key, name: key, around: part, depth });
      }
    }
  }
  return found;
}

/** The parts that hold no others: texts, numbers, flags and nulls. */
export function leaves(value: unknown, into?: (part: Part) => boolean): Part[] {
  return partsOf(value, into).filter((part) => typeof part.value !== 'object' || part.value === null);
}

/** The texts of a value. */
export function textsIn(value: unknown): (Part & { value: string })[] {
  return partsOf(value).filter((part): part is Part & { value: string } => typeof part.value === 'string');
}

/** The replacements in a copy, for the parts of a value. */
export interface Changes {
  /** In place of a text, a number, a flag or null. */
  leaf?: (part: Part) => unknown;
  /** In place of a member's name; undefined leaves the member out. */
  member?: (part: Part) => string | undefined;
  /** Members that are added to a record. */
  added?: (record: Part) => Readonly<Record<string, unknown>> | undefined;
}

/** A copy of a value with other leaves and members. */
export function mapLeaves(value: unknown, changes: Changes): unknown {
  return mapPart(outermost(value), changes);
}

function mapPart(around: Part, changes: Changes): unknown {
  const { value, name } = around;
  const depth = around.depth + 1;
  if (typeof value !== 'object' || value === null) return changes.leaf ? changes.leaf(around) : value;
  if (Array.isArray(value))
    return value.map((one: unknown, key) => mapPart({ value: one, key, name, around, depth }, changes));
  const members: [string, unknown][] = [];
  for (const [key, one] of Object.entries(value)) {
    const part = { value: one, key, name: key, around, depth };
    const written = changes.member ? changes.member(part) : key;
    if (written !== undefined) members.push([written, mapPart(part, changes)]);
  }
  members.push(...Object.entries(changes.added?.(around) ?? {}));
  // Without assignments, because assigning a member called __proto__ would set the prototype.
  return Object.fromEntries(members);
}

/** The innermost record around a part; undefined if it is in no record. */
export function recordAround({ around }: Part): Fields | undefined {
  let at = around;
  while (Array.isArray(at?.value)) at = at.around;
  return at?.value as Fields | undefined;
}

/** The path of a part: `Numbers.0.ICCID`. `isNamed`: without the indexes of lists. */
export function pathOf(part: Part, isNamed = false): string {
  const keys: (string | number)[] = [];
  for (let at: Part | undefined = part; at?.around !== undefined; at = at.around)
    if (!isNamed || typeof at.key === 'string') keys.unshift(at.key);
  return keys.join('.');
}
