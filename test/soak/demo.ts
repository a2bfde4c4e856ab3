import { expect, it } from 'vitest';
import { growthOfDemo } from './demo-memory.ts';

it('the demo grows by less than 40 MB over 1,000 commands', { timeout: 600_000 }, async () => {
  expect(await growthOfDemo({ warmUp: 500, commands: 1_000 })).toBeLessThan(40);
});
