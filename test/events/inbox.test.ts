import { expect, it } from 'vitest';
import { describeEngines } from '../support/stores.ts';
import { claimDue, engineInbox, FakeClock, order, settle, sms, until, worker } from './support.ts';

describeEngines('the inbox', (engine) => {
  it('counts every event once, over restarts', async () => {
    const { inbox, another } = await engineInbox(engine);
    const twice = await Promise.all([1, 2].map(() => inbox.receive(order('Submitted'))));
    expect(twice).toEqual(['new', 'repeat']);
    expect(await inbox.receive(order('Complete'))).toBe('new');
    const again = await another();
    expect(await again.receive(order('Completed'))).toBe('repeat');
    expect(await again.counts()).toMatchObject({ open: 2, dead: 0 });
  });

  it('keeps the keys of what it forgets', async () => {
    const clock = new FakeClock();
    const { inbox } = await engineInbox(engine, clock);
    await inbox.receive(sms(1));
    const [job] = await claimDue(inbox);
    if (job) await settle(inbox, job);
    expect(await inbox.since(0, 10, { about: ['+15550001111'] })).toHaveLength(1);
    expect(await inbox.erase(clock.now() + 1)).toBe(1);
    expect(JSON.stringify(await inbox.since(0))).not.toContain('text 1');
    expect(await inbox.since(0, 10, { about: ['+15550001111'] })).toEqual([]);
    expect(await inbox.receive(sms(1))).toBe('repeat');
  });

  it('finds events by what they are about, and an order by the numbers that it was read with', async () => {
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
    expect(await found(['+12015550101'], { kinds: ['order'] })).toHaveLength(1);
  });
});

const EVENTS = process.env.CHAOS === 'full' ? 2_000 : 500;
const SUBJECTS = 97;
const phone = (n: number) => `+1555000${1000 + (n % SUBJECTS)}`;

describeEngines('several processes on one inbox', (engine) => {
  it.each([3])('call each handler once for each of 2,000 events, in order: %i', { timeout: 120_000 }, async (count) => {
    const { inbox, another } = await engineInbox(engine);
    const processes = [inbox];
    while (processes.length < count) processes.push(await another());
    const shown: { by: number; n: number }[] = [];
    const receipts: Promise<string>[] = [];
    for (const [by, one] of processes.entries()) {
      const message = async ({ messageId }: { messageId: string }) =>
        void shown.push({ by, n: Number(messageId.slice(5)) });
      worker({ inbox: one, parallel: 16 }, { message }).start();
    }
    // Each event comes to two processes; a conversation always to the same ones, so that its order is known.
    for (let n = 0; n < EVENTS; n += 1) {
      const first = n % SUBJECTS;
      const event = sms(n, phone(n));
      receipts.push((processes[first % count] ?? inbox).receive(event));
      if (n % 10 === 0) receipts.push((processes[(first + 1) % count] ?? inbox).receive(event));
      if (n % 100 === 99) await Promise.all(receipts);
    }
    const answers = await Promise.all(receipts);
    expect(answers.filter((answer) => answer === 'new')).toHaveLength(EVENTS);
    await until(async () => (await inbox.counts()).open === 0, Boolean, 100_000);
    expect(shown).toHaveLength(EVENTS);
    expect(new Set(shown.map(({ n }) => n)).size).toBe(EVENTS);
    for (let subject = 0; subject < SUBJECTS; subject += 1) {
      const own = shown.filter(({ n }) => n % SUBJECTS === subject).map(({ n }) => n);
      // Every tenth may have come to the other process first.
      const sure = own.filter((n) => n % 10 !== 0);
      expect(sure).toEqual([...sure].sort((a, b) => a - b));
    }
    expect(new Set(shown.map(({ by }) => by)).size).toBe(count);
  });
});
