import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { scratch, sms, tempInbox, until, worker } from './support.ts';

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
