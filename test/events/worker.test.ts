import { describe, expect, it } from 'vitest';
import type { OrderState } from '../../src/events/feed.ts';
import { PARKED } from '../../src/events/inbox.ts';
import { SwitchboardError, Unavailable } from '../../src/lib/errors.ts';
import { FakeClock, order, sms, tempInbox, until, worker } from './support.ts';

/** A worker on a turned clock, whose order stands where the test puts it. */
function setUp() {
  const clock = new FakeClock();
  const inbox = tempInbox(clock);
  const platform: { now: OrderState; reads: number; fail?: Error | undefined } = {
    now: { status: 'Submitted', message: '' },
    reads: 0,
  };
  const made = worker({
    inbox,
    clock,
    readOrder: async () => {
      platform.reads += 1;
      if (platform.fail) throw platform.fail;
      return platform.now;
    },
  });
  const shown: string[] = [];
  made.on('order', ({ event, order: now, moved, late }) => {
    shown.push(
      `${event.status} → ${now.status}${now.message && ` (${now.message})`}${moved ? ' moved' : ''}${late ? ' late' : ''}`,
    );
  });
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
  it('are a hint: the order is read, and never goes back', async () => {
    const { made, shown, deliver } = setUp();
    made.start();
    await deliver('Submitted', at('Submitted'));
    await deliver('Complete', at('Complete'));
    await deliver('Scheduled');
    await deliver('Pending Carrier Approval', at('Pending Carrier Approval'));
    expect(shown).toEqual([
      'Submitted → Submitted moved',
      'Completed → Completed moved',
      'Scheduled → Completed late',
      'Pending Carrier Approval → Completed late',
    ]);
  });

  it('tell each step of an order that was rejected, corrected and rejected again', async () => {
    const { made, shown, deliver } = setUp();
    made.start();
    await deliver('Submitted', at('Submitted'));
    await deliver('Rejected', at('Rejected', 'wrong PIN'));
    await deliver('Rejected');
    await deliver('Submitted', at('Submitted'));
    await deliver('Rejected', at('Rejected', 'wrong name'));
    await deliver('Submitted');
    await deliver('Submitted', at('Submitted'));
    await deliver('Scheduled', at('Scheduled'));
    expect(shown).toEqual([
      'Submitted → Submitted moved',
      'Rejected → Rejected (wrong PIN) moved',
      'Submitted → Submitted moved',
      'Rejected → Rejected (wrong name) moved',
      'Submitted → Submitted moved',
      'Scheduled → Scheduled moved',
    ]);
  });

  it('wait a little for a reading that is behind, then believe it', async () => {
    const { clock, made, inbox, platform, shown, rest } = setUp();
    made.start();
    platform.now = at('Submitted');
    await inbox.receive(order('Scheduled'));
    await clock.pass(500, rest);
    expect(shown).toEqual([]);
    platform.now = at('Scheduled');
    await clock.pass(1000, rest);
    expect(shown).toEqual(['Scheduled → Scheduled moved']);
    await inbox.receive(order('Complete'));
    await clock.pass(10_000, rest);
    expect(shown.at(-1)).toBe('Completed → Scheduled late');
  });

  it('share one reading when they came together', async () => {
    const { clock, made, inbox, platform, shown, rest } = setUp();
    platform.now = at('Completed');
    for (const status of ['Submitted', 'Pending Carrier Approval', 'Scheduled', 'Complete'])
      await inbox.receive(order(status));
    await clock.pass(10, rest);
    made.start();
    await clock.pass(10, rest);
    expect(shown).toHaveLength(4);
    expect(platform.reads).toBe(1);
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
    expect(shown).toEqual(['Submitted → Submitted moved']);
  });
});

describe('handlers', () => {
  it('are tried again with backoff, and the event dies after ten attempts; the next of its subject goes on', async () => {
    const { clock, inbox, made, rest } = setUp();
    const at: number[] = [];
    const begun = clock.now();
    made.on('message', ({ event }) => {
      if (event.messageId !== 'TMID-1') return;
      at.push((clock.now() - begun) / 1000);
      throw new Error('no such channel');
    });
    made.start();
    await inbox.receive(sms(1));
    await inbox.receive(sms(2));
    await clock.pass(400_000, rest);
    expect((await inbox.counts()).open).toBe(2);
    await clock.pass(200_000, rest);
    expect(at).toEqual([0, 1, 3, 7, 15, 31, 63, 127, 255, 511]);
    expect(await inbox.dead()).toMatchObject([{ reason: 'no such channel', event: { messageId: 'TMID-1' } }]);
    expect(await inbox.counts()).toMatchObject({ open: 0, dead: 1 });
    expect(clock.pending).toBe(0);
  });

  it('that are down for an hour get everything once and in order', async () => {
    const { clock, inbox, made, rest } = setUp();
    const posted: string[] = [];
    let down = true;
    made.on('message', ({ event }) => {
      if (down) throw new Unavailable('Slack does not answer');
      posted.push(event.text);
    });
    made.start();
    for (let n = 1; n <= 20; n += 1) {
      await inbox.receive(sms(n, n % 2 ? '+15550001111' : '+15550002222'));
      await inbox.receive(sms(n, n % 2 ? '+15550001111' : '+15550002222'));
      await clock.pass(180_000, rest);
    }
    expect(posted).toEqual([]);
    down = false;
    await clock.pass(300_000, rest);
    expect(posted).toHaveLength(20);
    const numbers = posted.map((text) => Number(text.slice(5)));
    expect(numbers.filter((n) => n % 2 === 1)).toEqual([1, 3, 5, 7, 9, 11, 13, 15, 17, 19]);
    expect(numbers.filter((n) => n % 2 === 0)).toEqual([2, 4, 6, 8, 10, 12, 14, 16, 18, 20]);
    expect(await inbox.counts()).toMatchObject({ open: 0, dead: 0 });
  });

  it('that succeeded are not called again because another one failed', async () => {
    const { clock, inbox, made, rest } = setUp();
    const called: string[] = [];
    made.on('message', () => void called.push('mcp'), 'mcp');
    made.on(
      'message',
      () => {
        called.push('slack');
        if (called.length < 4) throw new Error('not yet');
      },
      'slack',
    );
    made.start();
    await inbox.receive(sms(1));
    await clock.pass(10_000, rest);
    expect(called).toEqual(['mcp', 'slack', 'slack', 'slack']);
    expect(() => made.on('message', () => undefined, 'mcp')).toThrow('already');
  });

  it('that hang are left and tried again', async () => {
    const { clock, inbox, made } = setUp();
    let calls = 0;
    made.on('message', ({ signal }) => {
      calls += 1;
      if (calls === 1)
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('left'))));
      return undefined;
    });
    made.start();
    await inbox.receive(sms(1));
    const settle = async () => {
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    };
    await clock.pass(200_000, settle);
    expect(calls).toBe(2);
    expect((await inbox.counts()).open).toBe(0);
  });

  it('are not called again because the disk failed after them', async () => {
    const clock = new FakeClock();
    const inbox = tempInbox(clock);
    let failures = 0;
    const write = inbox.done.bind(inbox);
    inbox.done = (...given) => {
      failures += 1;
      return failures <= 3 ? Promise.reject(new Error('disk full')) : write(...given);
    };
    const made = worker({ inbox, clock });
    let calls = 0;
    made.on('message', () => {
      calls += 1;
    });
    made.start();
    await inbox.receive(sms(1));
    await clock.pass(5000, async () => {
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    });
    expect({ calls, failures, open: (await inbox.counts()).open }).toEqual({ calls: 1, failures: 4, open: 0 });
  });

  it('get a long backlog of one conversation in order, of which only the first is looked at', async () => {
    const inbox = tempInbox(undefined, ':memory:');
    await Promise.all(Array.from({ length: 1500 }, (_, n) => inbox.receive(sms(n))));
    const looked = async () =>
      (await inbox.since(0, 5000)).filter((kept) => kept.state === 'new' && kept.nextAt < PARKED).length;
    expect(await looked()).toBe(1);
    const made = worker({ inbox });
    const shown: number[] = [];
    const most: number[] = [];
    made.on('message', async ({ event }) => {
      if (shown.push(Number(event.messageId.slice(5))) % 500 === 0) most.push(await looked());
    });
    made.start();
    await until(async () => (await inbox.counts()).open === 0, Boolean, 20_000);
    expect(shown).toEqual(Array.from({ length: 1500 }, (_, n) => n));
    expect(most).toEqual([1, 1, 1]);
  });

  it('sleep while nothing is due', async () => {
    const { clock, made, rest } = setUp();
    made.start();
    await clock.pass(86_400_000, rest);
    expect(clock.pending).toBe(0);
  });
});
