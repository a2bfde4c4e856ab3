import { expect, it } from 'vitest';
import { soak } from './soak.ts';

it('ledger, platform, audit trail and Slack agree after ten minutes of faults and kills', {
  timeout: 120_000,
}, async () => {
  const { figures, wrong } = await soak({ seed: 7, minutes: 10 });
  console.log(figures);
  expect(wrong).toEqual([]);
  expect(figures.kills).toBeGreaterThan(0);
  expect(figures.faults).toBeGreaterThan(3);
  expect(figures['clicked in Slack']).toBeGreaterThan(2);
  expect(figures.slackFaults).toBeGreaterThan(2);
});
