import { expect, it } from 'vitest';
import { fuzz, tableOf } from './run.ts';

/** A few thousand inputs, the same ones every time. `npm run fuzz` runs many more, with another seed each time. */
const SEED = 20_261_121;
const INPUTS = 6_000;

it(`reads ${INPUTS} generated texts without a fault (seed ${SEED})`, { timeout: 120_000 }, () => {
  const all = fuzz(SEED, INPUTS);
  process.stdout.write(`fuzz, seed ${SEED}\n${tableOf(all)}\n`);
  expect(all.flatMap(({ parser, failures }) => failures.map((why) => `${parser}: ${why}`))).toEqual([]);
});
