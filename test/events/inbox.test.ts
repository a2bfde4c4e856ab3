import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { backoff, openInbox, PARKED, type StoredEvent } from '../../src/events/inbox.ts';
import { eventHealth, eventMetrics } from '../../src/events/metrics.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { renderMetrics } from '../../src/start/metrics.ts';
import { openDatabase } from '../../src/store/database.ts';
import { FakeClock, order, scratch, sms, tempInbox } from './support.ts';

describe('the inbox', () => {
  it('counts every event once, over restarts', async () => {
    const inbox = tempInbox();
    expect(await Promise.all([inbox.receive(order('Submitted')), inbox.receive(order('Submitted'))])).toEqual([
      'new',
      'repeat',
    ]);
    expect(await inbox.receive(order('Complete'))).toBe('new');
    inbox.close();
    const again = tempInbox(systemClock, inbox.path);
    expect(await again.receive(order('Completed'))).toBe('repeat');
    expect(again.counts()).toMatchObject({ open: 2, dead: 0 });
    expect(again.since(0).map((kept) => kept.repeats)).toEqual([1, 1]);
  });

  it('has an event on the disk when it answers, and shares one commit among those that came together', async () => {
    const inbox = tempInbox();
    const copies = scratch();
    // What lies in the files at the moment of the answer is what a dead process leaves behind.
    const answered = Promise.all(Array.from({ length: 100 }, (_, n) => inbox.receive(sms(n))));
    await answered;
    for (const suffix of ['', '-wal']) copyFileSync(inbox.path + suffix, join(copies, `copy.db${suffix}`));
    const copy = openInbox({ path: join(copies, 'copy.db'), clock: systemClock });
    expect(copy.counts().open).toBe(100);
    copy.close();
  });

  it('answers nobody before the commit', async () => {
    const inbox = tempInbox();
    let answered = false;
    void inbox.receive(sms(1)).then(() => {
      answered = true;
    });
    await Promise.resolve();
    expect(answered).toBe(false);
    expect(inbox.counts().open).toBe(0);
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    expect(answered).toBe(true);
    expect(inbox.counts().open).toBe(1);
  });

  it('answers what is waiting when it closes, and refuses what comes after', async () => {
    const inbox = tempInbox();
    const last = inbox.receive(sms(1));
    inbox.close();
    expect(await last).toBe('new');
    await expect(inbox.receive(sms(2))).rejects.toThrow('closed');
  });

  it('answers first, and then tells those who wait for work', async () => {
    const inbox = tempInbox();
    const order: string[] = [];
    inbox.onWork(() => order.push('told'));
    await Promise.all([1, 2, 3].map((n) => inbox.receive(sms(n)).then(() => order.push(`answered ${n}`))));
    await inbox.settled();
    expect(order).toEqual(['answered 1', 'answered 2', 'answered 3', 'told']);
    await inbox.receive(sms(4)).then(() => order.push('answered 4'));
    await inbox.settled();
    expect(order.slice(4)).toEqual(['answered 4', 'told']);
  });

  it('writes what was done with the next delivery, or soon without one, or when it closes', async () => {
    const inbox = tempInbox();
    // One conversation each, and close together, so that what is done about them waits.
    for (const n of [1, 2, 3]) await inbox.receive(sms(n, `+1555000000${n}`));
    const [first, second, third] = inbox.due(Date.now()).map((kept) => kept.id) as [number, number, number];

    const done = inbox.done(first);
    await inbox.receive(sms(4));
    expect(inbox.get(first)?.state).toBe('delivered');
    await done;

    await inbox.done(second);
    const copies = scratch();
    for (const suffix of ['', '-wal']) copyFileSync(inbox.path + suffix, join(copies, `copy.db${suffix}`));
    expect(tempInbox(systemClock, join(copies, 'copy.db')).get(second)?.state).toBe('delivered');

    await inbox.receive(sms(5));
    await inbox.receive(sms(6));
    const last = inbox.done(third);
    inbox.close();
    await last;
    expect(tempInbox(systemClock, inbox.path).get(third)?.state).toBe('delivered');
  });

  it('writes its figures once a second and counts what is not yet written', async () => {
    const clock = new FakeClock();
    const inbox = tempInbox(clock);
    const other = tempInbox(clock, inbox.path);
    const received = { what: 'received', label: 'message', count: 3 };
    for (const n of [1, 2, 3]) await inbox.receive(sms(n));
    await clock.pass(999, () => inbox.settled());
    expect([inbox.tallies(), other.tallies()]).toMatchObject([[received], []]);
    await clock.pass(1, () => inbox.settled());
    expect([inbox.tallies(), other.tallies()]).toMatchObject([[received], [received]]);
    expect(clock.pending).toBe(0);
    await inbox.receive(sms(4));
    inbox.close();
    expect(other.tallies()).toMatchObject([{ ...received, count: 4 }]);
  });

  it('doubles the wait up to five minutes and gives up after ten attempts', async () => {
    expect([1, 2, 3, 9, 10, 50].map(backoff)).toEqual([1000, 2000, 4000, 256_000, 300_000, 300_000]);
    const clock = new FakeClock();
    const inbox = tempInbox(clock);
    await inbox.receive(sms(1));
    const [kept] = inbox.due(clock.now());
    const id = kept?.id ?? 0;
    for (let attempt = 1; attempt <= 9; attempt += 1) expect(await inbox.retry(id, 'no')).toBe('failed');
    expect(inbox.get(id)).toMatchObject({ attempts: 9, nextAt: clock.now() + 256_000 });
    expect(await inbox.retry(id, 'still no')).toBe('dead');
    expect(inbox.dead()).toMatchObject([{ id, attempts: 10, reason: 'still no' }]);
    expect(inbox.due(clock.now() + 1e9)).toEqual([]);
    expect(await inbox.receive(sms(1))).toBe('repeat');
    expect(await inbox.revive([id])).toBe(1);
    expect(inbox.due(clock.now())).toMatchObject([{ id, attempts: 0 }]);
  });

  it('does not count attempts while the other side is down, for three days', async () => {
    const clock = new FakeClock();
    const inbox = tempInbox(clock);
    await inbox.receive(sms(1));
    const id = inbox.due(clock.now())[0]?.id ?? 0;
    for (let attempt = 1; attempt <= 50; attempt += 1)
      expect(await inbox.retry(id, 'down', { outage: true })).toBe('failed');
    expect(inbox.get(id)).toMatchObject({ attempts: 0, waits: 50, nextAt: clock.now() + 300_000 });
    await clock.pass(3 * 86_400_000, async () => undefined);
    expect(await inbox.retry(id, 'down', { outage: true })).toBe('dead');
  });

  it('lets only the first of a subject out', async () => {
    const clock = new FakeClock();
    const inbox = tempInbox(clock);
    for (const one of [order('Submitted'), order('Scheduled'), order('Submitted', 'JNUOID-2')])
      await inbox.receive(one);
    const heads = inbox.due(clock.now());
    expect(heads.map((kept) => kept.event.key)).toEqual([
      `order ${'JNUOID-00000000-0000-4000-8000-000000000001'} Submitted`,
      'order JNUOID-2 Submitted',
    ]);
    await inbox.retry(heads[0]?.id ?? 0, 'x');
    expect(inbox.due(clock.now()).map((kept) => kept.event.key)).toEqual(['order JNUOID-2 Submitted']);
    expect(inbox.nextDue([heads[1]?.id ?? 0])).toBe(clock.now() + 1000);
  });

  it('parks what waits behind another of its subject, and releases one when that is settled', async () => {
    const clock = new FakeClock();
    const inbox = tempInbox(clock);
    for (const n of [1, 2, 3, 4]) await inbox.receive(sms(n));
    const at = () => inbox.since(0).map((kept) => kept.nextAt - clock.now());
    const parked = PARKED - clock.now();
    expect(at()).toEqual([0, parked, parked, parked]);
    await inbox.done(1);
    expect(at()).toEqual([0, 0, parked, parked]);
    for (let attempt = 1; attempt <= 10; attempt += 1) await inbox.retry(2, 'no');
    expect(inbox.due(clock.now()).map((kept) => kept.id)).toEqual([3]);
    expect(await inbox.revive()).toBe(1);
    // The revived one goes before those that came later, also before the one released meanwhile.
    expect(inbox.due(clock.now()).map((kept) => kept.id)).toEqual([2]);
    await inbox.done(2);
    expect(inbox.due(clock.now()).map((kept) => kept.id)).toEqual([3]);
    await inbox.done(3);
    expect(inbox.due(clock.now()).map((kept) => kept.id)).toEqual([4]);
    await inbox.done(4);
    expect(inbox.nextDue()).toBeUndefined();
  });

  it('takes over what a process of an older version has kept, or has settled without releasing the next', async () => {
    const clock = new FakeClock();
    const inbox = tempInbox(clock);
    for (const n of [1, 2, 3, 4]) await inbox.receive(sms(n));
    inbox.close();
    const db = openDatabase(inbox.path, '', { durable: true });
    db.run(`UPDATE events SET next_at = ? WHERE id = 3`, clock.now());
    db.run(`UPDATE events SET state = 'delivered' WHERE id = 1`);
    db.close();
    const again = tempInbox(clock, inbox.path);
    for (const id of [2, 3, 4]) {
      expect(again.due(clock.now()).map((kept) => kept.id)).toEqual([id]);
      await again.done(id);
    }
    expect(again.counts().open).toBe(0);
  });

  it('keeps the order of each subject and leaves nothing behind, whatever happens', { timeout: 30_000 }, async () => {
    const statuses = ['Submitted', 'Rejected', 'Scheduled', 'Completed', 'Cancelled', 'Pending Carrier Approval'];
    const reopened = { again: 0, revived: 0 };
    for (let seed = 1; seed <= 40; seed += 1) {
      const pick = dice(seed);
      const clock = new FakeClock();
      const inbox = tempInbox(clock, ':memory:');
      // Taken, as by a worker that is at it while other things happen.
      const taken = new Set<number>();
      // With something that cannot wait, so that nothing waits.
      const at = async (what: Promise<unknown>) => void (await Promise.all([what, inbox.revive([-1])]));
      const fail = (id: number, times: number) =>
        at(Promise.all(Array.from({ length: times }, () => inbox.retry(id, 'no', { outage: pick(4) === 0 }))));
      const heads = () => {
        const open = inbox.since(0, 1000).filter(({ state }) => state === 'new' || state === 'failed');
        const first = new Map<string, StoredEvent>();
        for (const kept of open.sort((a, b) => a.id - b.id))
          if (!first.has(kept.event.subject)) first.set(kept.event.subject, kept);
        return [...first.values()].map((kept) => kept.id);
      };
      for (let step = 0; step < 100; step += 1) {
        const id = [...taken][pick(taken.size)] ?? 0;
        const what = pick(10);
        if (what < 4) await inbox.receive(order(statuses[pick(6)] ?? '', `JNUOID-${pick(2)}`));
        else if (what === 4) for (const kept of inbox.due(clock.now())) taken.add(kept.id);
        else if (what === 5) await clock.pass(pick(600_000), async () => undefined);
        else if (what === 6) reopened.revived += await inbox.revive(pick(2) ? undefined : [id]);
        else if (taken.delete(id)) {
          if (what === 7) await fail(id, 1 + pick(14));
          else await at(inbox.done(id, { status: statuses[pick(6)] ?? '', message: '' }));
        }
        const due = inbox.due(PARKED - 1, 100).map((kept) => kept.id);
        expect(
          due.sort((a, b) => a - b),
          `seed ${seed}, step ${step}`,
        ).toEqual(heads().sort((a, b) => a - b));
      }
      reopened.again += inbox.since(0, 1000).filter((kept) => kept.again).length;
      const last = new Map<string, number>();
      for (let next = inbox.nextDue(); next !== undefined; next = inbox.nextDue()) {
        await clock.pass(Math.max(0, next - clock.now()), async () => undefined);
        const [kept] = inbox.due(clock.now());
        if (!kept) throw new Error(`seed ${seed}: what is due cannot be had`);
        expect(kept.id).toBeGreaterThan(last.get(kept.event.subject) ?? 0);
        last.set(kept.event.subject, kept.id);
        await at(inbox.done(kept.id));
      }
      expect(inbox.counts().open, `seed ${seed}`).toBe(0);
      inbox.close();
    }
    expect(Math.min(reopened.again, reopened.revived)).toBeGreaterThan(15);
  });

  it('has one leader; one that is gone or silent is replaced', () => {
    const clock = new FakeClock();
    const path = join(scratch(), 'events.db');
    const a = openInbox({ path, clock, owner: { id: 'a', pid: 1, host: 'h' } });
    const b = openInbox({ path, clock, owner: { id: 'b', pid: 2, host: 'h' } });
    expect(a.lead(1000, () => false).mine).toBe(true);
    expect(b.lead(1000, () => false)).toEqual({ mine: false, until: clock.now() + 1000 });
    expect(b.lead(1000, () => true).mine).toBe(true);
    a.resign();
    expect(a.lead(1000, () => false).mine).toBe(false);
    b.resign();
    expect(a.lead(1000, () => false).mine).toBe(true);
    a.close();
    b.close();
  });

  it('keeps the keys of what it forgets', async () => {
    const inbox = tempInbox();
    await inbox.receive(sms(1));
    await inbox.done(inbox.due(Date.now())[0]?.id ?? 0);
    expect(await inbox.erase(Date.now() + 1)).toBe(1);
    expect(await inbox.erase(Date.now() + 1)).toBe(0);
    expect(JSON.stringify(inbox.since(0))).not.toContain('text 1');
    expect(await inbox.receive(sms(1))).toBe('repeat');
  });

  it('shows figures, refusals and dead letters', async () => {
    const clock = new FakeClock();
    const inbox = tempInbox(clock);
    inbox.refused('credentials');
    inbox.refused('credentials');
    await inbox.receive(sms(1));
    await inbox.receive(sms(1));
    await clock.pass(60_000, async () => undefined);
    const text = await renderMetrics(eventMetrics(inbox, clock));
    for (const line of [
      'switchboard_events_received_total{kind="message"} 1',
      'switchboard_events_repeated_total{kind="message"} 1',
      'switchboard_events_refused_total{reason="credentials"} 2',
      'switchboard_events_open 1',
      'switchboard_events_oldest_seconds 60',
      'switchboard_events_dead 0',
    ])
      expect(text.split('\n')).toContain(line);
    expect(eventHealth(inbox, clock)).toEqual({ ok: true, line: '1 waiting, the oldest for 1 min' });
    const id = inbox.due(clock.now())[0]?.id ?? 0;
    for (let attempt = 0; attempt < 10; attempt += 1) await inbox.retry(id, 'no channel');
    expect(eventHealth(inbox, clock)).toMatchObject({ ok: false, line: expect.stringContaining('no channel') });
    inbox.close();
    expect(tempInbox(clock, inbox.path).tallies()).toContainEqual(
      expect.objectContaining({ what: 'refused', count: 2 }),
    );
  });
});

/** The same numbers below `n` for the same seed (mulberry32). */
function dice(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % Math.max(n, 1);
  };
}
