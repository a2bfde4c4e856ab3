import { expect, it } from 'vitest';
import { parsers } from './parsers.ts';
import { fuzz, pump, tableOf } from './run.ts';

/** `npm run fuzz` is this (FUZZ_SEED and FUZZ_INPUTS for another run); the seed is the time, and is printed so that a run can be repeated. */
const given = (name: string): number | undefined => {
  const value = process.env[name];
  return value === undefined ? undefined : Number(value);
};
const seed = given('FUZZ_SEED') ?? Date.now() % 1_000_000_000;
const inputs = given('FUZZ_INPUTS') ?? 120_000;

it('reads generated texts without a fault', { timeout: 3_600_000 }, () => {
  process.stdout.write(`fuzz: ${inputs} inputs, seed ${seed} (again with FUZZ_SEED=${seed} npm run fuzz)\n`);
  const random = fuzz(seed, inputs);
  process.stdout.write(`at random\n${tableOf(random)}\n`);
  const pumped = parsers.map((parser) => pump(parser).figures);
  process.stdout.write(`pumped to 64 KiB\n${tableOf(pumped)}\n`);
  const failures = [...random, ...pumped].flatMap(({ parser, failures }) => failures.map((why) => `${parser}: ${why}`));
  expect(failures).toEqual([]);
});
