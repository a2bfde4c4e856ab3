import { expect, it } from 'vitest';
import { soak } from './soak.ts';

/** `npm run soak`: another hour each time, unless SOAK_SEED repeats one. */
const seed = Number(process.env.SOAK_SEED ?? Date.now() % 1_000_000);

it(`an hour of faults and kills, seed ${seed}`, { timeout: 1_800_000 }, async () => {
  const { figures, wrong } = await soak({ seed, minutes: 60 });
  console.log({ seed, ...figures });
  expect(wrong).toEqual([]);
});
