import { expect, it } from 'vitest';
import { growthOfDemo } from './demo-memory.ts';

it('the demo grows by less than 80 MB over 150 commands', async () => {
  expect(await growthOfDemo({ warmUp: 100, commands: 150 })).toBeLessThan(80);
});
