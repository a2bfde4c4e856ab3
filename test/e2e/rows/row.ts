import { expect } from 'vitest';
import { type Json, seeded } from '../../support/world.ts';

/** Runs an operation that a case needs first, past the gate. */
export type Run = (operation: string, input: Record<string, unknown>) => Promise<Json>;

/** The part of a case that cannot be derived from a tool's definition and its first example (table.derived.ts). */
export interface Row {
  /** The example, where left out. */
  input?: Record<string, unknown>;
  /** Creates the records that the call needs. Its answer is laid over the input. */
  before?: (run: Run) => Promise<Record<string, unknown>>;
  /** Checks the answer. If left out, the answer must say `Successful`. */
  answers?: (result: Json) => void;
  /** Checks the platform's state afterwards. A read changes nothing and leaves this out. */
  changes?: (after: Json, result: Json, before: Json) => void;
}

/** Rows by the id of their tool. */
export type Rows = Record<string, Row>;

/** A seeded number in the platform's state. */
export const number = (state: Json, n: number) => state.numbers.find((row: Json) => row.Number === seeded(n));
/** The input of a call about one seeded number. */
export const one = (n: number) => ({ PhoneNumbers: [{ Number: seeded(n) }] });

/** Checks for the content of an answer. */
export const contains = (text: string) => (result: Json) => expect(JSON.stringify(result)).toContain(text);
export const matches = (member: string, pattern: RegExp) => (result: Json) => expect(result[member]).toMatch(pattern);
export const has = (part: object) => (result: Json) => expect(result).toMatchObject(part);

/** The record that a call added to a list, which has no other new one. */
export const added = (after: Json, before: Json, list: string): Json => {
  expect(after[list].length).toBe(before[list].length + 1);
  return after[list].at(-1);
};
