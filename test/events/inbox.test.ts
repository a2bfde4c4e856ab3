import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { backoff, openInbox } from '../../src/events/inbox.ts';
import { eventHealth, eventMetrics } from '../../src/events/metrics.ts';
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
    expect(await inbox.revive(id)).toBe(1);
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
    expect(await inbox.forget(Date.now() + 1)).toBe(1);
    expect(await inbox.forget(Date.now() + 1)).toBe(0);
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
    const text = eventMetrics(inbox, clock);
    for (const line of [
      'switchboard_events_received_total{kind="message"} 1',
      'switchboard_events_repeated_total{kind="message"} 1',
      'switchboard_events_refused_total{reason="credentials"} 2',
      'switchboard_events_open 1',
      'switchboard_events_oldest_seconds 60',
      'switchboard_events_dead 0',
    ])
      expect(text.split('\n')).toContain(line);
    expect(eventHealth(inbox, clock)).toEqual({ ok: true, line: 'events: 1 waiting, the oldest for 1 min' });
    const id = inbox.due(clock.now())[0]?.id ?? 0;
    for (let attempt = 0; attempt < 10; attempt += 1) await inbox.retry(id, 'no channel');
    expect(eventHealth(inbox, clock)).toMatchObject({ ok: false, line: expect.stringContaining('no channel') });
    inbox.close();
    expect(tempInbox(clock, inbox.path).tallies()).toContainEqual(
      expect.objectContaining({ what: 'refused', count: 2 }),
    );
  });
});
