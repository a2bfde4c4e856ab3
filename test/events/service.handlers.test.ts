import { describe, expect, it } from 'vitest';
import type { OrderState } from '../../src/events/inbox.ts';
import type { EventFeed } from '../../src/events/service.ts';
import { SwitchboardError } from '../../src/lib/errors.ts';
import { FakeClock, order, sms, tempInbox, worker } from './support.ts';

/** A worker on a clock of the test, and an order whose state the test sets. */
function setUp(feed: Partial<EventFeed> = {}) {
  const clock = new FakeClock();
  const inbox = tempInbox(clock);
  const platform: { now: OrderState; reads: number; fail?: Error | undefined } = {
    now: { status: 'Submitted', message: '' },
    reads: 0,
  };
  const shown: string[] = [];
  const readOrder = async () => {
    platform.reads += 1;
    if (platform.fail) throw platform.fail;
    return platform.now;
  };
  const showOrder = async ({ status, message }: OrderState) =>
    void shown.push(`${status}${message && ` (${message})`}`);
  const made = worker({ inbox, clock, readOrder }, { order: showOrder, ...feed });
  const rest = () => made.idle();
  const deliver = async (status: string, now: OrderState | undefined = undefined) => {
    if (now) platform.now = now;
    await inbox.receive(order(status));
    await clock.pass(10_000, rest);
  };
  return { clock, inbox, platform, made, shown, rest, deliver };
}
const at = (status: string, message = ''): OrderState => ({ status, message });

describe('order updates', () => {
  it('are a hint: the order is read and shown as it is', async () => {
    const { made, shown, deliver } = setUp();
    made.start();
    await deliver('Submitted', at('Submitted'));
    await deliver('Complete', at('Complete'));
    await deliver('Scheduled');
    expect(shown).toEqual(['Submitted', 'Completed', 'Completed']);
  });

  it('tell each step of an order that was rejected, corrected and rejected again', async () => {
    const { made, shown, deliver } = setUp();
    made.start();
    await deliver('Submitted', at('Submitted'));
    await deliver('Rejected', at('Rejected', 'wrong PIN'));
    await deliver('Rejected');
    await deliver('Submitted', at('Submitted'));
    await deliver('Rejected', at('Rejected', 'wrong name'));
    await deliver('Submitted', at('Submitted'));
    await deliver('Scheduled', at('Scheduled'));
    expect(shown).toEqual([
      'Submitted',
      'Rejected (wrong PIN)',
      'Submitted',
      'Rejected (wrong name)',
      'Submitted',
      'Scheduled',
    ]);
  });

  it('wait for the platform when it cannot be read, without an end after ten attempts', async () => {
    const { clock, made, inbox, platform, shown, rest } = setUp();
    made.start();
    platform.fail = new SwitchboardError({ code: 'unavailable', message: 'down', outcome: 'not_done' });
    await inbox.receive(order('Submitted'));
    await clock.pass(3_600_000, rest);
    expect(await inbox.counts()).toMatchObject({ open: 1, dead: 0 });
    platform.fail = undefined;
    await clock.pass(300_000, rest);
    expect(shown).toEqual(['Submitted']);
  });
});

it('an event that fails is dead after ten attempts, and the next of its subject goes on', async () => {
  const at: number[] = [];
  const { clock, inbox, made, rest } = setUp({
    message: async ({ messageId }) => {
      if (messageId !== 'TMID-1') return;
      at.push((clock.now() - begun) / 1000);
      throw new Error('no such channel');
    },
  });
  const begun = clock.now();
  made.start();
  await inbox.receive(sms(1));
  await inbox.receive(sms(2));
  await clock.pass(400_000, rest);
  expect((await inbox.counts()).open).toBe(2);
  await clock.pass(200_000, rest);
  expect(at).toEqual([0, 1, 3, 7, 15, 31, 63, 127, 255, 511]);
  expect(await inbox.dead()).toMatchObject([
    { lastError: 'no such channel', stored: { event: { messageId: 'TMID-1' } } },
  ]);
  expect(await inbox.counts()).toMatchObject({ open: 0, dead: 1 });
  expect(inbox.counters.all()).toContainEqual({ what: 'died', label: 'message', count: 1 });
  // A repeat of a dead event is not shown, and not a second dead event.
  expect(await inbox.receive(sms(1))).toBe('repeat');
  expect(await inbox.counts()).toMatchObject({ open: 0, dead: 1 });
});
