import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/lib/clock.ts';
import { loadConfig } from '../../src/lib/config.ts';
import { openRuntime } from '../../src/start/runtime.ts';
import { ORDER_1, order, scratch, sms, tempInbox, until, worker } from './support.ts';

const SOON_MS = 2_000;

it('is handled at once by the process that leads, whichever process received it', async () => {
  const path = join(scratch(), 'events.db');
  const open = () => tempInbox(systemClock, path);
  const leader = open();
  const handled: string[] = [];
  const leading = worker({ inbox: leader });
  leading.on('message', ({ event }) => void handled.push(event.messageId));
  leading.start();
  await leader.receive(sms(1));
  await until(() => handled.length === 1);
  // Nothing of its own is left that would have it look again.
  await until(async () => (await leader.counts()).open === 0);
  await leading.idle();
  const receiver = open();
  const beside = worker({ inbox: receiver });
  beside.on('message', ({ event }) => void handled.push(event.messageId));
  beside.start();
  await receiver.receive(sms(2));
  // Without a word from the other process, it would take the end of the lead: 15 seconds.
  await until(() => handled.length === 2, Boolean, SOON_MS);
  expect(handled).toEqual(['TMID-1', 'TMID-2']);
});

it('is told to the listeners of another process within a moment', async () => {
  const folder = scratch();
  const open = async () => {
    const config = loadConfig({
      PLATFORM_BASE_URL: 'http://127.0.0.1:9',
      PLATFORM_ACCOUNT_KEY: 'DID-sandbox',
      PLATFORM_ACCOUNT_SECRET: 'sandbox-secret',
      DATA_DIR: folder,
      LOG_LEVEL: 'silent',
    });
    const runtime = await openRuntime(config, { pageUrl: () => undefined });
    onTestFinished(() => runtime.close());
    return runtime;
  };
  const listening = await open();
  const told: string[] = [];
  listening.changes.listen((uri) => told.push(uri));
  listening.follow();
  const receiving = await open();
  const begun = performance.now();
  for (let n = 1; n <= 3; n += 1) {
    await receiving.inbox().receive(order(['Submitted', 'Pending Carrier Approval', 'Scheduled'][n - 1] ?? ''));
    await until(() => told.length === n, Boolean, SOON_MS);
  }
  // Three looks of the slow follower would take up to six seconds.
  expect(performance.now() - begun).toBeLessThan(SOON_MS);
  expect(told[0]).toContain(ORDER_1);
});
