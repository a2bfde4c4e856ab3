import { expect, it } from 'vitest';
import { describeEngines } from '../support/stores.ts';
import { engineInbox, sms, until, worker } from './support.ts';

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
