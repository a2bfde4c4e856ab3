import { expect, it } from 'vitest';
import { eventHealth, eventMetrics } from '../../src/events/metrics.ts';
import { renderMetrics } from '../../src/start/metrics.ts';
import { describeEngines } from '../support/stores.ts';
import { claimDue, engineInbox, FakeClock, order, settle, sms } from './support.ts';

describeEngines('the inbox', (engine) => {
  it('counts every event once, over restarts', async () => {
    const { inbox, another } = await engineInbox(engine);
    expect(await Promise.all([inbox.receive(order('Submitted')), inbox.receive(order('Submitted'))])).toEqual([
      'new',
      'repeat',
    ]);
    expect(await inbox.receive(order('Complete'))).toBe('new');
    await inbox.close();
    const again = await another();
    expect(await again.receive(order('Completed'))).toBe('repeat');
    expect(await again.counts()).toMatchObject({ open: 2, dead: 0 });
    expect((await again.since(0)).map((kept) => kept.repeats)).toEqual([1, 1]);
  });

  it('stores once what two processes receive at the same time', async () => {
    const { inbox, another } = await engineInbox(engine);
    const other = await another();
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => [inbox.receive(sms(n)), other.receive(sms(n))]).flat(),
    );
    expect(answers.filter((answer) => answer === 'new')).toHaveLength(100);
    expect(await inbox.counts()).toMatchObject({ open: 100 });
  });

  it('answers what is waiting when it closes, and refuses what comes after', async () => {
    const { inbox } = await engineInbox(engine);
    const last = inbox.receive(sms(1));
    const closed = inbox.close();
    expect(await last).toBe('new');
    await expect(inbox.receive(sms(2))).rejects.toThrow('closed');
    await closed;
  });

  it('shows a repeated update again only if the last report of its order is of another state', async () => {
    const { inbox } = await engineInbox(engine, new FakeClock());
    const report = (status: string) => ({ status, message: '' });
    const open = async () => (await inbox.counts()).open;
    await inbox.receive(order('Submitted'));
    await inbox.receive(order('Rejected'));
    // It waits for the job before it, so a repeat adds nothing.
    await inbox.receive(order('Rejected'));
    expect(await open()).toBe(2);
    await settle(inbox, first(await claimDue(inbox)), report('Submitted'));
    await inbox.receive(order('Submitted'));
    expect(await open()).toBe(1);
    await inbox.jobs.bury(first(await claimDue(inbox)), 'no');
    await inbox.receive(order('Rejected'));
    // The dead job is replaced by an open one.
    expect(await inbox.counts()).toMatchObject({ open: 1, dead: 0 });
    await settle(inbox, first(await claimDue(inbox)), report('Rejected'));
    await inbox.receive(order('Submitted'));
    expect(await claimDue(inbox)).toMatchObject([{ payload: { again: true } }]);
  });

  it('keeps the keys of what it forgets', async () => {
    const clock = new FakeClock();
    const { inbox } = await engineInbox(engine, clock);
    await inbox.receive(sms(1));
    await settle(inbox, first(await claimDue(inbox)));
    expect(await inbox.since(0, 10, { about: ['+15550001111'] })).toHaveLength(1);
    expect(await inbox.erase(clock.now() + 1)).toBe(1);
    expect(await inbox.erase(clock.now() + 1)).toBe(0);
    expect(JSON.stringify(await inbox.since(0))).not.toContain('text 1');
    expect(await inbox.since(0, 10, { about: ['+15550001111'] })).toEqual([]);
    expect(await inbox.receive(sms(1))).toBe('repeat');
  });

  it('finds events by what they are about, and an order by the numbers of its last report', async () => {
    const clock = new FakeClock();
    const { inbox } = await engineInbox(engine, clock);
    await inbox.receive(sms(1));
    clock.advance(10);
    await inbox.receive(sms(2, '+15550002222'));
    clock.advance(10);
    await inbox.receive(order('Submitted'));
    const found = async (about: string[], filter = {}) =>
      (await inbox.since(0, 10, { about, ...filter })).map(({ event }) => event.key);
    expect(await found(['+15550001111'])).toEqual(['message TMID-1']);
    expect(await found(['+12015550101'])).toEqual(['message TMID-1', 'message TMID-2']);
    expect(await found(['+12015550101', '+15550002222'])).toEqual(['message TMID-2']);
    expect(await found(['+12015550101'], { kinds: ['order'] })).toEqual([]);
    expect(await found(['+12015550101'], { until: clock.now() - 15 })).toEqual(['message TMID-1']);
    const claimed = (await claimDue(inbox)).find(({ subject }) => subject.startsWith('order '));
    if (!claimed) throw new Error('the order is not due');
    await settle(inbox, claimed, { status: 'Submitted', message: '', numbers: ['+12015550101'] });
    const [key] = await found(['+12015550101'], { kinds: ['order'] });
    expect(key).toContain('Submitted');
    // A later event of the order is found by them too, and no more by numbers it lost.
    await inbox.receive(order('Scheduled'));
    expect(await found(['+12015550101'], { kinds: ['order'] })).toHaveLength(2);
    await settle(inbox, first(await claimDue(inbox)), { status: 'Scheduled', message: '', numbers: ['+12015550102'] });
    expect(await found(['+12015550101'], { kinds: ['order'] })).toEqual([]);
    expect(await found(['+12015550102'])).toHaveLength(2);
  });

  it('shows figures, refusals and dead letters', async () => {
    const clock = new FakeClock();
    const { inbox } = await engineInbox(engine, clock);
    inbox.counters.count('refused', 'credentials');
    inbox.counters.count('refused', 'credentials');
    await inbox.receive(sms(1));
    await inbox.receive(sms(1));
    await clock.pass(60_000, async () => undefined);
    const text = await renderMetrics(await eventMetrics(inbox, clock));
    for (const line of [
      'switchboard_events_received_total{kind="message"} 1',
      'switchboard_events_repeated_total{kind="message"} 1',
      'switchboard_events_refused_total{reason="credentials"} 2',
      'switchboard_events_open 1',
      'switchboard_events_oldest_seconds 60',
      'switchboard_events_dead 0',
    ])
      expect(text.split('\n')).toContain(line);
    expect(await eventHealth(inbox, clock)).toEqual({ ok: true, line: '1 waiting, the oldest for 1 min' });
    await inbox.jobs.bury(first(await claimDue(inbox)), 'no channel');
    expect(await eventHealth(inbox, clock)).toMatchObject({
      ok: false,
      line: expect.stringContaining('no channel'),
    });
  });
});

function first<T>([one]: readonly T[]): T {
  if (one === undefined) throw new Error('nothing is due');
  return one;
}
