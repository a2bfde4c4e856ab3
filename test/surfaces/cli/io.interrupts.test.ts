import { expect, it } from 'vitest';
import { makeFolder } from '../../support/folder.ts';
import { openLateSandbox } from '../../support/late-platform.ts';
import { onSandbox } from '../../support/on-sandbox.ts';
import { startCli } from '../../support/process.ts';
import { A1, seeded } from '../../support/seed.ts';
import { until } from '../../support/until.ts';

const CALL = ['call', 'numbers_reactivate', `PhoneNumber=${seeded(7)}`, `AccountId=${A1}`, '--yes'];

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s waits for a request that is under way', async (signal) => {
  const folder = makeFolder();
  const platform = await openLateSandbox();
  platform.next('/v1.0/numbers/reactivate', 'held');
  const running = startCli(CALL, folder, onSandbox(platform.url));
  await until(() => platform.waiting() === 0, 'the request');
  running.child.kill(signal);
  await platform.release();
  expect(await running.ended).toBe(0);
  expect(JSON.parse(running.out())).toMatchObject({ Successful: true });
});
