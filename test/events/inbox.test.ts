import { expect, it } from 'vitest';
import { backoff, type ClaimedEvent, type Inbox } from '../../src/events/inbox.ts';
import { HEADS, PARKED } from '../../src/events/inbox-schema.ts';
import { eventHealth, eventMetrics } from '../../src/events/metrics.ts';
import { renderMetrics } from '../../src/start/metrics.ts';
import type { Database, Engine } from '../../src/store/types.ts';
import { describeEngines } from '../support/stores.ts';
import { claimDue, engineInbox, FakeClock, order, sms } from './support.ts';

/** Sequences of events at random: some with every `npm test`, three times as many with `npm run chaos`. */
const SEEDS = process.env.CHAOS === 'full' ? { sqlite: 60, postgres: 18 } : { sqlite: 20, postgres: 6 };

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

  it('has an event in the store when it answers', async () => {
    const { inbox, another } = await engineInbox(engine);
    const other = await another();
    await Promise.all(Array.from({ length: 100 }, (_, n) => inbox.receive(sms(n))));
    expect((await other.counts()).open).toBe(100);
  });

  it('answers nobody before the commit', async () => {
    const { inbox } = await engineInbox(engine);
    await inbox.counts();
    let answered = false;
    const received = inbox.receive(sms(1)).then(() => {
      answered = true;
    });
    await Promise.resolve();
    expect(answered).toBe(false);
    expect((await inbox.counts()).open).toBe(0);
    await received;
    expect((await inbox.counts()).open).toBe(1);
  });

  it('answers what is waiting when it closes, and refuses what comes after', async () => {
    const { inbox } = await engineInbox(engine);
    const last = inbox.receive(sms(1));
    const closed = inbox.close();
    expect(await last).toBe('new');
    await expect(inbox.receive(sms(2))).rejects.toThrow('closed');
    await closed;
  });

  it('answers first, and then notifies those who wait for work', async () => {
    const { inbox } = await engineInbox(engine);
    const seen: string[] = [];
    inbox.onWork(() => seen.push('notified'));
    await Promise.all([1, 2, 3].map((n) => inbox.receive(sms(n)).then(() => seen.push(`answered ${n}`))));
    await inbox.settled();
    // There may be notifications without a write.
    const answers = ['answered 1', 'answered 2', 'answered 3'];
    expect(seen.filter((one) => one !== 'notified')).toEqual(answers);
    expect(seen.at(-1)).toBe('notified');
  });

  it('writes its figures once a second and counts what is not yet written', async () => {
    const clock = new FakeClock();
    const { inbox, another } = await engineInbox(engine, clock);
    const other = await another();
    const received = { what: 'received', label: 'message', count: 3 };
    for (const n of [1, 2, 3]) await inbox.receive(sms(n));
    await clock.pass(999, () => inbox.settled());
    expect([await inbox.tallies(), await other.tallies()]).toMatchObject([[received], []]);
    await clock.pass(1, () => inbox.settled());
    expect([await inbox.tallies(), await other.tallies()]).toMatchObject([[received], [received]]);
    expect(clock.pending).toBe(0);
    await inbox.receive(sms(4));
    await inbox.close();
    expect(await other.tallies()).toMatchObject([{ ...received, count: 4 }]);
  });

  it('doubles the wait up to five minutes and gives up after ten attempts', async () => {
    expect([1, 2, 3, 9, 10, 50].map(backoff)).toEqual([1000, 2000, 4000, 256_000, 300_000, 300_000]);
    const clock = new FakeClock();
    const { inbox } = await engineInbox(engine, clock);
    await inbox.receive(sms(1));
    for (let attempt = 1; attempt <= 9; attempt += 1) {
      const [claim] = await claimDue(inbox);
      expect(claim && (await inbox.retry(claim, 'no'))).toBe('failed');
      expect((await inbox.since(0))[0]).toMatchObject({ attempts: attempt, nextAt: clock.now() + backoff(attempt) });
      clock.advance(backoff(attempt));
    }
    const [claim] = await claimDue(inbox);
    expect(claim && (await inbox.retry(claim, 'still no'))).toBe('dead');
    expect(await inbox.dead()).toMatchObject([{ attempts: 10, reason: 'still no' }]);
    clock.advance(1e9);
    expect(await claimDue(inbox)).toEqual([]);
    expect(await inbox.receive(sms(1))).toBe('repeat');
    expect(await inbox.revive([claim?.id ?? 0])).toBe(1);
    expect(await claimDue(inbox)).toMatchObject([{ id: claim?.id, attempts: 0 }]);
  });

  it('does not count attempts while the other side is down, for three days', async () => {
    const clock = new FakeClock();
    const { inbox } = await engineInbox(engine, clock);
    await inbox.receive(sms(1));
    const attempt = async () => {
      const [claim] = await claimDue(inbox);
      return claim && (await inbox.retry(claim, 'down', { outage: true }));
    };
    for (let times = 1; times <= 20; times += 1) {
      expect(await attempt()).toBe('failed');
      clock.advance(300_000);
    }
    expect((await inbox.since(0))[0]).toMatchObject({ attempts: 0, waits: 20 });
    clock.advance(3 * 86_400_000);
    expect(await attempt()).toBe('dead');
  });

  it('lets only the first of a subject be claimed, and once', async () => {
    const clock = new FakeClock();
    const { inbox, another } = await engineInbox(engine, clock);
    const other = await another();
    for (const one of [order('Submitted'), order('Scheduled'), order('Submitted', 'JNUOID-2')])
      await inbox.receive(one);
    const claimed = await claimDue(inbox);
    expect(claimed.map(({ event }) => event.key)).toEqual([
      'order JNUOID-00000000-0000-4000-8000-000000000001 Submitted',
      'order JNUOID-2 Submitted',
    ]);
    expect(await claimDue(other)).toEqual([]);
    await inbox.retry(first(claimed), 'x');
    // The first one goes before the second also while it waits.
    expect(await claimDue(other)).toEqual([]);
    expect((await other.claim(8, 1000)).wakeAt).toBe(clock.now() + 1000);
  });

  it('lets the writes of a claim that has moved on do nothing', async () => {
    const clock = new FakeClock();
    const { inbox, another } = await engineInbox(engine, clock);
    const other = await another();
    await inbox.receive(order('Submitted'));
    const slept = first(await claimDue(inbox));
    clock.advance(slept.claimedUntil - clock.now());
    const mine = first(await claimDue(other));
    expect(mine).toMatchObject({ id: slept.id, claim: slept.claim + 1 });
    const before = await other.get(mine.id);
    expect(await inbox.renew([slept], 1000)).toEqual([]);
    expect(await inbox.handled(slept, 'slack')).toBe(false);
    expect(await inbox.done(slept, { status: 'Submitted', message: '' })).toBe(false);
    expect(await inbox.hold(slept, 'blocked', clock.now() + 1000)).toBe(false);
    expect(await inbox.retry(slept, 'failed')).toBeUndefined();
    expect(await other.get(mine.id)).toEqual(before);
    expect(await other.lastReport('order JNUOID-00000000-0000-4000-8000-000000000001')).toBeUndefined();
    expect(await other.done(mine)).toBe(true);
    expect((await inbox.get(mine.id))?.state).toBe('delivered');
  });

  it('gives claims back at once', async () => {
    const { inbox, another } = await engineInbox(engine, new FakeClock());
    const other = await another();
    await inbox.receive(sms(1));
    expect(await claimDue(inbox)).toHaveLength(1);
    await inbox.release();
    expect(await claimDue(other)).toHaveLength(1);
  });

  it('parks what waits behind another of its subject, and releases one when that is settled', async () => {
    const clock = new FakeClock();
    const { inbox } = await engineInbox(engine, clock);
    for (const n of [1, 2, 3, 4]) await inbox.receive(sms(n));
    const at = async () => (await inbox.since(0)).map((kept) => kept.nextAt - clock.now());
    const parked = PARKED - clock.now();
    expect(await at()).toEqual([0, parked, parked, parked]);
    await inbox.done(first(await claimDue(inbox)));
    expect(await at()).toEqual([0, 0, parked, parked]);
    const dead = first(await claimDue(inbox));
    await inbox.retry(dead, 'no', { last: true });
    expect(await inbox.revive()).toBe(1);
    // The revived one goes before those that came later, also before the one released meanwhile.
    for (const text of ['TMID-2', 'TMID-3', 'TMID-4']) {
      const [next, ...others] = await claimDue(inbox);
      expect([next?.event, others]).toMatchObject([{ messageId: text }, []]);
      if (next) await inbox.done(next);
    }
    expect(await inbox.claim(8, 1000)).toEqual({ events: [], wakeAt: undefined });
  });

  it('parks those that came together, also behind a repeat', async () => {
    const { inbox } = await engineInbox(engine, new FakeClock());
    await inbox.receive(sms(1));
    await inbox.done(first(await claimDue(inbox)));
    await Promise.all([1, 2, 3].map((n) => inbox.receive(sms(n))));
    for (const text of ['TMID-2', 'TMID-3']) {
      const [next, ...others] = await claimDue(inbox);
      expect([next?.event, others]).toMatchObject([{ messageId: text }, []]);
      if (next) await inbox.done(next);
    }
  });

  it('takes over what an earlier version has kept, or has settled without releasing the next', async () => {
    const clock = new FakeClock();
    const { inbox, another } = await engineInbox(engine, clock);
    for (const n of [1, 2, 3, 4]) await inbox.receive(sms(n));
    await inbox.database.run('UPDATE events SET next_at = ? WHERE id = 3', clock.now());
    await inbox.database.run(`UPDATE events SET state = 'delivered' WHERE id = 1`);
    const again = await another();
    await again.takeOver();
    for (const id of [2, 3, 4]) {
      const claimed = await claimDue(again);
      expect(claimed.map((kept) => kept.id)).toEqual([id]);
      await again.done(first(claimed));
    }
    expect((await again.counts()).open).toBe(0);
  });

  it('keeps the keys of what it forgets', async () => {
    const clock = new FakeClock();
    const { inbox } = await engineInbox(engine, clock);
    await inbox.receive(sms(1));
    await inbox.done(first(await claimDue(inbox)));
    expect(await inbox.since(0, 10, { about: ['+15550001111'] })).toHaveLength(1);
    expect(await inbox.erase(clock.now() + 1)).toBe(1);
    expect(await inbox.erase(clock.now() + 1)).toBe(0);
    expect(JSON.stringify(await inbox.since(0))).not.toContain('text 1');
    expect(await inbox.since(0, 10, { about: ['+15550001111'] })).toEqual([]);
    expect(await inbox.receive(sms(1))).toBe('repeat');
  });

  it('erases a long list in steps', async () => {
    const clock = new FakeClock();
    const { inbox } = await engineInbox(engine, clock);
    await Promise.all(Array.from({ length: 250 }, (_, n) => inbox.receive(sms(n, `+1555001${1000 + n}`))));
    await inbox.database.run(`UPDATE events SET state = 'delivered', settled_at = ?`, clock.now());
    expect(await inbox.erase(clock.now() + 1)).toBe(250);
    const left = await inbox.database.get<{ n: number }>('SELECT count(*) AS n FROM event_names');
    expect(left?.n).toBe(0);
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
    const claimed = (await claimDue(inbox)).find(({ event }) => event.kind === 'order');
    if (!claimed) throw new Error('the order is not due');
    await inbox.done(claimed, { status: 'Submitted', message: '', numbers: ['+12015550101'] });
    const [key] = await found(['+12015550101'], { kinds: ['order'] });
    expect(key).toContain('Submitted');
    // A later event of the order is found by them too, and no more by numbers it lost.
    await inbox.receive(order('Scheduled'));
    expect(await found(['+12015550101'], { kinds: ['order'] })).toHaveLength(2);
    await inbox.done(first(await claimDue(inbox)), { status: 'Scheduled', message: '', numbers: ['+12015550102'] });
    expect(await found(['+12015550101'], { kinds: ['order'] })).toEqual([]);
    expect(await found(['+12015550102'])).toHaveLength(2);
  });

  it('shows figures, refusals and dead letters', async () => {
    const clock = new FakeClock();
    const { inbox, another } = await engineInbox(engine, clock);
    inbox.refused('credentials');
    inbox.refused('credentials');
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
    await inbox.retry(first(await claimDue(inbox)), 'no channel', { last: true });
    expect(await eventHealth(inbox, clock)).toMatchObject({
      ok: false,
      line: expect.stringContaining('no channel'),
    });
    await inbox.close();
    expect(await (await another()).tallies()).toContainEqual(expect.objectContaining({ what: 'refused', count: 2 }));
  });

  it('keeps the order of each subject and leaves nothing behind, whatever happens', async () => {
    const reopened = { again: 0, revived: 0 };
    const seeds = SEEDS[engine];
    for (let seed = 1; seed <= seeds; seed += 1) await anything(engine, seed, reopened);
    expect(Math.min(reopened.again, reopened.revived)).toBeGreaterThan(engine === 'sqlite' ? seeds / 3 : 0);
  });
});

function first<T>([one]: readonly T[]): T {
  if (one === undefined) throw new Error('nothing is due');
  return one;
}

/** A hundred steps of two processes, and then everything is handled. */
async function anything(engine: Engine, seed: number, reopened: { again: number; revived: number }): Promise<void> {
  const statuses = ['Submitted', 'Rejected', 'Scheduled', 'Completed', 'Cancelled', 'Pending Carrier Approval'];
  const pick = dice(seed);
  const clock = new FakeClock();
  const { inbox, another } = await engineInbox(engine, clock);
  const processes = [inbox, await another()];
  const taken: { by: Inbox; claim: ClaimedEvent }[] = [];
  for (let step = 0; step < 100; step += 1) {
    const by = processes[pick(2)] ?? inbox;
    const what = pick(10);
    if (what < 4) await by.receive(order(statuses[pick(6)] ?? '', `JNUOID-${pick(2)}`));
    else if (what === 4) for (const claim of await claimDue(by)) taken.push({ by, claim });
    else if (what === 5) clock.advance(pick(600_000));
    else if (what === 6) reopened.revived += await by.revive();
    else {
      const [one] = taken.splice(pick(taken.length), 1);
      if (!one) continue;
      if (what === 7) await one.by.retry(one.claim, 'no', { outage: pick(4) === 0, last: pick(4) === 0 });
      else await one.by.done(one.claim, { status: statuses[pick(6)] ?? '', message: '' });
    }
    const wrong = await parkedHeads(inbox.database);
    expect(wrong, `seed ${seed}, step ${step}`).toEqual([]);
  }
  reopened.again += (await inbox.since(0, 1000)).filter((kept) => kept.again).length;
  clock.advance(1_000_000);
  const last = new Map<string, number>();
  for (let turn = 0; ; turn += 1) {
    const by = processes[turn % 2] ?? inbox;
    const { events, wakeAt } = await by.claim(1, 1000);
    for (const claim of events) {
      expect(claim.id, `seed ${seed}`).toBeGreaterThan(last.get(claim.event.subject) ?? 0);
      last.set(claim.event.subject, claim.id);
      expect(await by.done(claim)).toBe(true);
    }
    if (events.length === 0 && wakeAt === undefined) break;
    if (events.length === 0 && wakeAt !== undefined) clock.advance(Math.max(1, wakeAt - clock.now()));
  }
  expect((await inbox.counts()).open, `seed ${seed}`).toBe(0);
}

/** The first open events of their subjects that nothing would ever release. */
function parkedHeads(database: Database): Promise<unknown[]> {
  return database.all(`SELECT e.id ${HEADS} AND e.next_at = ${PARKED}`);
}

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
