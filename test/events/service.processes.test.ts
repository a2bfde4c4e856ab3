import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { loadConfig } from '../../src/lib/config.ts';
import { openRuntime } from '../../src/start/runtime.ts';
import { onSandbox } from '../support/on-sandbox.ts';
import { ORDER_1, order, scratch, sms, tempInbox, until, worker } from './support.ts';

const HOUR_MS = 3_600_000;

/**
 * A clock on which no timer of a second or more fires, so that an event in time proves another cause than such a timer.
 */
const impatient: Clock = {
  ...systemClock,
  setTimeout: (run, ms) => (ms < 1_000 ? systemClock.setTimeout(run, ms) : undefined),
};

it('is handled at once and once, whichever process received it', async () => {
  const path = join(scratch(), 'switchboard.db');
  const open = () => tempInbox(systemClock, path);
  const leader = open();
  const handled: string[] = [];
  const message = async ({ messageId }: { messageId: string }) => void handled.push(messageId);
  const leading = worker({ inbox: leader, clock: impatient }, { message });
  leading.start();
  await leader.receive(sms(1));
  await until(() => handled.length === 1);
  // The leader has no work left that would make it look again.
  await until(async () => (await leader.counts()).open === 0);
  await leading.idle();
  const receiver = open();
  await receiver.receive(sms(2));
  // The process that received it handles nothing; without a word from it, the other one would not look again.
  await until(() => handled.length === 2);
  const beside = worker({ inbox: receiver, clock: impatient }, { message });
  beside.start();
  await receiver.receive(sms(3));
  await until(async () => (await leader.counts()).open === 0);
  expect(handled).toEqual(['TMID-1', 'TMID-2', 'TMID-3']);
});

it('is told to the listeners of another process at once', async () => {
  // The slow follower never polls, so it can only have heard of the event from the other process.
  const { setInterval } = globalThis;
  const slow = vi.spyOn(globalThis, 'setInterval').mockImplementation((run, ms) => {
    return setInterval(run, ms !== undefined && ms >= 1_000 ? HOUR_MS : ms);
  });
  onTestFinished(() => slow.mockRestore());
  const folder = scratch();
  const open = async () => {
    const config = loadConfig({
      ...onSandbox('http://127.0.0.1:9'),
      DATA_DIR: folder,
      LOG_LEVEL: 'silent',
    });
    const runtime = await openRuntime(config, {});
    onTestFinished(() => runtime.close());
    return runtime;
  };
  const listening = await open();
  const told: string[] = [];
  listening.changes.listen((uri) => told.push(uri));
  listening.follow();
  const receiving = await open();
  for (let n = 1; n <= 3; n += 1) {
    await receiving.inbox().receive(order(['Submitted', 'Pending Carrier Approval', 'Scheduled'][n - 1] ?? ''));
    await until(() => told.length === n);
  }
  expect(told[0]).toContain(ORDER_1);
});
