import { expect, it } from 'vitest';
import type { Client } from '../../src/platform/client.ts';
import type { Database } from '../../src/store/types.ts';
import { START } from '../support/clock.ts';
import { describeEngines } from '../support/stores.ts';
import { until } from '../support/until.ts';
import { drive, settle, turn, unlessAway, watched } from './driving.ts';
import { call, clock, held, makeClient, stores, up, useProcesses } from './support.ts';

describeEngines('the budget of several processes', (engine) => {
  useProcesses(engine);

  async function process(limit = 120, over: (database: Database) => Database = (database) => database) {
    const database = over(watched((await stores.open()).database('budget')));
    const client = makeClient(clock, up.url, { database, requestsPerMinute: limit });
    await client.token('/v1.0/thing', call(clock));
    return client;
  }

  const sent = (client: Client, count: number) =>
    Array.from({ length: count }, () => client.send(call(clock)).catch((error: unknown) => error));

  it('a process with a short timeout counts requests of one with a long timeout that are not answered yet', async () => {
    const open = async (timeoutMs: number) => {
      const database = watched((await stores.open()).database('budget'));
      return makeClient(clock, up.url, { database, requestsPerMinute: 12, timeoutMs });
    };
    const [slow, quick] = [await open(600_000), await open(1_000)];
    const slowly = Array.from({ length: 12 }, () => held());
    up.script = slowly.map(({ step }) => step);
    const [confirmed, lasting] = [{ priority: 'confirmed', resend: false }, clock.now() + 7_200_000] as const;
    const waiting = Array.from({ length: 11 }, () => slow.send(call(clock, { ...confirmed, deadline: lasting })));
    await until(async () => {
      await turn();
      return up.hits.length === 11;
    });
    up.script = [];
    const more = Array.from({ length: 11 }, () => quick.send(call(clock, { ...confirmed, deadline: lasting })));
    for (let seconds = 0; seconds < 30; seconds += 1) {
      clock.advance(1000);
      await turn();
    }
    expect(up.hits).toHaveLength(11);
    for (const { answer } of slowly) answer();
    await drive(clock, Promise.all([...waiting, ...more]), 1000);
    expect(up.hits).toHaveLength(22);
  });

  it('a process that was suspended before it sent takes another place', async () => {
    const [one, two] = [await process(12), await process(12)];
    clock.advance(61_000);
    const confirmed = { ...call(clock), priority: 'confirmed' } as const;
    const all = Array.from({ length: 12 }, () => confirmed);
    let suspended = false;
    const mayBegin = async () => {
      if (!suspended) {
        suspended = true;
        clock.advance(120_000);
        await Promise.all(all.map((request) => two.send(request)));
      }
      return true;
    };
    const late = one.send({ ...confirmed, mayBegin });
    await until(async () => {
      await turn();
      return up.hits.length >= 12;
    });
    await settle();
    expect(up.hits).toHaveLength(12);
    await drive(clock, late, 1000);
    expect(up.hits).toHaveLength(13);
  });

  it('a read is answered while the database is away, within the process’s part', async () => {
    let isAway = false;
    const client = await process(16, (database) => unlessAway(database, () => isAway));
    await process(16);
    clock.advance(5_000);
    await settle();
    await client.send(call(clock));
    isAway = true;
    const all = Promise.all(sent(client, 10));
    await settle();
    // The assistants' part of 16 is 15, a quarter of it for each process; this one has used two places before.
    expect(up.hits.length).toBeGreaterThanOrEqual(2);
    expect(up.hits.length).toBeLessThanOrEqual(3);
    isAway = false;
    await drive(clock, all, 1000);
    expect(up.hits).toHaveLength(11);
  });

  it('a busy process, an idle one and five that start while the database is away keep one limit', async () => {
    const LIMIT = 24;
    let isAway = false;
    const open = async () => unlessAway(watched((await stores.open()).database('budget')), () => isAway);
    const clientOf = async () => makeClient(clock, up.url, { database: await open(), requestsPerMinute: LIMIT });
    const confirmed = (client: Client, count: number) =>
      Array.from({ length: count }, () => client.send(call(clock, { priority: 'confirmed' })).catch(() => undefined));
    const [busy, idle] = [await clientOf(), await clientOf()];
    await Promise.all(confirmed(idle, 1));
    clock.advance(150_000);
    const before = up.hits.length + up.tokens.length;
    await Promise.all(confirmed(busy, 1));
    isAway = true;
    const late = await Promise.all(Array.from({ length: 5 }, clientOf));
    for (const client of [busy, idle, ...late]) confirmed(client, LIMIT);
    await settle();
    const sentNow = up.hits.length + up.tokens.length - before;
    expect(sentNow).toBeLessThanOrEqual(LIMIT);
    // Each of them sends.
    expect(sentNow).toBeGreaterThanOrEqual(LIMIT - 4);
  });

  it('places that another process took before the database was lost stay its own', async () => {
    let isAway = false;
    const [one, other] = [await process(24, (db) => unlessAway(db, () => isAway)), await process(24)];
    // What a process sent long ago counts for nothing.
    await Promise.all(sent(one, 12));
    clock.advance(120_000);
    await settle();
    await Promise.all(sent(other, 14));
    await one.send(call(clock));
    isAway = true;
    const before = up.hits.length;
    void sent(one, 10);
    await settle();
    expect(up.hits.length - before).toBeLessThanOrEqual(1);
  });

  it('places that were taken while the database was away count as soon as it is back', async () => {
    let isAway: boolean | 'at the commit' = false;
    const client = await process(24, (db) => unlessAway(db, () => isAway));
    isAway = true;
    await Promise.all(sent(client, 8));
    isAway = 'at the commit';
    void sent(client, 30);
    await settle();
    isAway = false;
    clock.advance(1_000);
    await settle();
    expect(up.hits.length).toBeLessThanOrEqual(24);
  });

  it('released places are written together, and at the end of a process at once', async () => {
    let transactions = 0;
    const counted = (database: Database): Database => ({
      ...database,
      transaction: (work) => {
        transactions += 1;
        return database.transaction(work);
      },
    });
    const first = await stores.open();
    const limits = { requestsPerMinute: 11 };
    const client = makeClient(clock, up.url, { database: counted(watched(first.database('budget'))), ...limits });
    await client.token('/v1.0/thing', call(clock));
    await Promise.all(sent(client, 9));
    // One for each place, the token's included, and one for what was released since the token came.
    expect(transactions).toBeLessThanOrEqual(12);
    await client.close();
    await first.close();
    clock.advance(59_000);
    const database = watched((await stores.open()).database('budget'));
    const calls = Promise.all(sent(makeClient(clock, up.url, { database, ...limits }), 5));
    await settle();
    expect(up.hits).toHaveLength(9);
    // A place whose release was not written would be held for the request's ten seconds more.
    await drive(clock, calls, 1000);
    expect(up.hits).toHaveLength(14);
    expect(clock.now() - START).toBeLessThan(63_000);
  });
});
