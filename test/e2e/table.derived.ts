import { expect } from 'vitest';
import { secretNames } from '../../src/catalogue/input.ts';
import type { Operation } from '../../src/catalogue/operation.ts';
import { createRedactor } from '../../src/platform/dialect/redact.ts';
import { tools } from '../../tools/index.ts';
import type { Json, World } from '../support/world.ts';

type Input = Record<string, unknown>;

const { isSecret } = createRedactor(secretNames(tools));
/** Members that differ in each answer of the platform, and the code that no assistant gets. */
const OTHERWISE = /^(RequestId|RequestDate|QrActivationLink|token)$/;

/** Members that say what is done; the record has what becomes of it. */
const ACTS = /^(StatusChange|EffectiveDate)$/;
const ID = /^[A-Z]+-[\da-f]{8}-/;

/** The first example of a tool. */
export function example(id: string): Input {
  const found = tools.find((tool) => tool.id === id)?.examples[0];
  if (found === undefined) throw new Error(`there is no tool ${id}`);
  return found;
}

/** The names and values in an input or an answer, at any depth. An entry of a list has the name of the list. */
function members(value: Json, name = ''): [name: string, value: unknown][] {
  if (value === null || value === undefined) return [];
  if (typeof value !== 'object') return [[name, value]];
  return Object.entries(value).flatMap(([key, one]) => members(one, Array.isArray(value) ? name : key));
}

/** Expects that the answer has no member with the name of a secret, and no secret of the input. */
export function expectNoSecrets(input: Input, result: Json): void {
  expect(members(result).filter(([name]) => isSecret(name))).toEqual([]);
  const secrets = members(input).flatMap(([name, value]) => (isSecret(name) ? [value] : []));
  expect(members(result).filter(([, value]) => secrets.includes(value))).toEqual([]);
}

/** Expects that a read answers all that the platform itself answers, without its secrets. */
export function expectRead({ sandbox }: World, { path, method }: Operation, input: Input, result: Json): void {
  const query = Object.fromEntries(members(input).map(([name, value]) => [name, String(value)]));
  const own = method === 'GET' ? sandbox.read(path, query) : sandbox.perform(path, input as Json);
  const open = JSON.parse(JSON.stringify(own), (name, value) =>
    isSecret(name) || OTHERWISE.test(name) ? undefined : value,
  );
  expect(Object.keys(open)).not.toEqual([]);
  expect(result).toMatchObject(open);
}

/**
 * Expects that the platform's records that differ hold every value that was given, or, after a removal, that no record
 * has its id any more; and that each id in the answer is that of a record.
 */
export function expectEffect({ id }: Operation, input: Input, result: Json, before: Json, after: Json): void {
  const given = members(input).filter(([name]) => !isSecret(name) && !ACTS.test(name));
  if (id.endsWith('_remove')) return;
  if (id.endsWith('_delete')) {
    const left = JSON.stringify(after);
    expect(members(input).filter(([, value]) => ID.test(String(value)) && !left.includes(String(value)))).toHaveLength(
      1,
    );
    return;
  }
  const lists = Object.entries<Json>(after).filter(([, list]) => Array.isArray(list));
  const differ = lists.flatMap(([name, list]) => {
    const old = new Set(before[name]?.map((one: Json) => JSON.stringify(one)));
    return list.map((one: Json) => JSON.stringify(one)).filter((one: string) => !old.has(one));
  });
  const changed = differ.join();
  const missing = given.filter(([name, value]) =>
    typeof value === 'boolean'
      ? !changed.includes(`"${name}":${value}`)
      : !changed.includes(String(Number(value) || value)),
  );
  expect(missing).toEqual([]);
  const made = members(result).filter(([name, value]) => name !== 'AggregatorId' && ID.test(String(value)));
  expect(made.filter(([, value]) => !JSON.stringify(after).includes(String(value)))).toEqual([]);
}
