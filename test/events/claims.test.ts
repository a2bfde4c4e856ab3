import { expect, it } from 'vitest';
import { LEASE_MS, Running } from '../../src/events/running.ts';
import { PROBE_MS } from '../../src/events/worker.ts';
import { Blocked } from '../../src/lib/errors.ts';
import { describeEngines } from '../support/stores.ts';
import { claimDue, engineInbox, FakeClock, sms, until, worker } from './support.ts';

const EVENTS = process.env.CHAOS === 'full' ? 2_000 : 500;
const SUBJECTS = 97;

const phone = (n: number) => `+1555000${1000 + (n % SUBJECTS)}`;

describeEngines('several processes on one inbox', (engine) => {
  it.each([2, 4])(
    'call each handler once for each of 2,000 events, in order: %i',
    { timeout: 120_000 },
    async (count) => {
      const { inbox, another } = await engineInbox(engine);
      const processes = [inbox];
      while (processes.length < count) processes.push(await another());
      const shown: { by: number; n: number }[] = [];
      const receipts: Promise<string>[] = [];
      for (const [by, one] of processes.entries()) {
        const made = worker({ inbox: one, parallel: 16 });
        made.on('message', ({ event }) => void shown.push({ by, n: Number(event.messageId.slice(5)) }));
        made.start();
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
    },
  );

  it('handle no two events of one conversation at the same time', async () => {
    const { inbox, another } = await engineInbox(engine);
    const processes = [inbox, await another(), await another()];
    let running = 0;
    let most = 0;
    let shown = 0;
    for (const one of processes) {
      const made = worker({ inbox: one });
      made.on('message', async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        shown += 1;
      });
      made.start();
    }
    // Every process receives events of the same conversation at the same time.
    for (let batch = 0; batch < 20; batch += 1)
      await Promise.all(processes.map((one, by) => one.receive(sms(batch * 10 + by))));
    await until(async () => (await inbox.counts()).open === 0, Boolean, 100_000);
    expect({ shown, most }).toEqual({ shown: 60, most: 1 });
  });

  it('try one event together while none can be shown, and then show all in order', async () => {
    const clock = new FakeClock();
    const { inbox, another } = await engineInbox(engine, clock);
    const processes = [inbox, await another()];
    const tried: number[] = [];
    const shown: number[] = [];
    let isBlocked = true;
    const workers = processes.map((one) => {
      const made = worker({ inbox: one, clock });
      made.on('message', ({ event }) => {
        const n = Number(event.messageId.slice(5));
        if (isBlocked) {
          tried.push(n);
          throw new Blocked('not in the channel');
        }
        shown.push(n);
      });
      return made;
    });
    /** One attempt a probe; two processes that ask in the same moment may both make it. */
    const triedOnlyTheFirst = (probes: number) => {
      expect(new Set(tried)).toEqual(new Set([0]));
      expect(tried.length).toBeGreaterThanOrEqual(probes);
      expect(tried.length).toBeLessThanOrEqual(probes * processes.length);
    };
    await inbox.receive(sms(0, phone(0)));
    const rest = async () => {
      for (let round = 0; round < 3; round += 1) for (const made of workers) await made.idle();
    };
    for (const made of workers) made.start();
    await rest();
    triedOnlyTheFirst(1);
    for (let n = 1; n < 20; n += 1) {
      await inbox.receive(sms(n, phone(n)));
      clock.advance(1);
    }
    await rest();
    triedOnlyTheFirst(1);
    for (let probe = 2; probe <= 4; probe += 1) {
      // Processes that ask in the same moment may get in each other's way, and ask again.
      await clock.pass(PROBE_MS, rest);
      triedOnlyTheFirst(probe);
    }
    isBlocked = false;
    await clock.pass(PROBE_MS, rest);
    await clock.pass(10_000, rest);
    expect(shown).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });

  it('take over from one that was killed when its lease is over', async () => {
    const clock = new FakeClock();
    const { inbox, another } = await engineInbox(engine, clock);
    await inbox.receive(sms(1));
    const [killed] = await claimDue(inbox);
    const made = worker({ inbox: await another(), clock });
    let calls = 0;
    made.on('message', () => {
      calls += 1;
    });
    made.start();
    await made.idle();
    const left = (killed?.claimedUntil ?? 0) - clock.now();
    await clock.pass(left - 1, () => made.idle());
    expect(calls).toBe(0);
    await clock.pass(1, () => made.idle());
    expect(calls).toBe(1);
  });

  it('let the right of one that slept past its lease end before it shows anything', async () => {
    const clock = new FakeClock();
    const { inbox, another } = await engineInbox(engine, clock);
    await inbox.receive(sms(1));
    const [claimed] = await claimDue(inbox);
    if (!claimed) throw new Error('nothing is due');
    const sleeper = new Running({ claimed, inbox, clock });
    await sleeper.check();
    // As long as nobody else has the event, it may go on.
    clock.advance(60_000);
    await sleeper.check();
    clock.advance(60_000);
    expect(await claimDue(await another())).toHaveLength(1);
    await expect(sleeper.check()).rejects.toThrow('another process has taken over');
    expect(sleeper.signal.aborted).toBe(true);
    await expect(sleeper.check()).rejects.toThrow('another process has taken over');
  });

  it('renew their claims while handlers run', async () => {
    const clock = new FakeClock();
    const { inbox, another } = await engineInbox(engine, clock);
    const other = await another();
    const made = worker({ inbox, clock });
    let end: (() => void) | undefined;
    made.on('message', () => new Promise<void>((resolve) => (end = resolve)));
    made.start();
    await inbox.receive(sms(1));
    await until(() => end !== undefined);
    const claimedUntil = async () =>
      (await inbox.database.get<{ at: number }>('SELECT claimed_until AS at FROM events'))?.at;
    for (let renewal = 0; renewal < 9; renewal += 1) {
      clock.advance(LEASE_MS / 3);
      await until(async () => (await claimedUntil()) === clock.now() + LEASE_MS);
      expect(await claimDue(other)).toEqual([]);
      // Its timer is set anew once the renewal has been answered.
      await until(() => clock.pending > 1);
    }
    end?.();
    await until(async () => (await other.counts()).open === 0);
  });
});
