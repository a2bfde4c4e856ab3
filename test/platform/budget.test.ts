import { describe, expect, test } from 'vitest';
import type { Request } from '../../src/platform/wire.ts';
import { START } from '../support/clock.ts';
import { makeStore } from '../support/stores.ts';
import { until } from '../support/until.ts';
import { drive, longestBlock, StillClock, settle, turn } from './driving.ts';
import { CHANGE, call, faceOf, type Hit, held, makeClient, opened, upstream } from './support.ts';

/** The most that arrived in any period, its end included in no other. */
function most(hits: Hit[], periodMs: number): number {
  const times = hits.map((hit) => hit.at).sort((a, b) => a - b);
  return Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + periodMs).length));
}

async function usedUp(limit: number) {
  const { clock, up, client } = await opened({ requestsPerMinute: limit });
  // The token's request is one of them.
  await Promise.all(Array.from({ length: limit - 1 }, () => client.send(call(clock))));
  expect(await client.budget()).toEqual({ used: limit, limit, waiting: 0 });
  return { clock, up, client, sent: up.hits.length };
}

test('300 calls of all classes and several actors: in no 60 seconds do more than 120 arrive, token requests included', async () => {
  const { clock, up, client } = await opened();
  await client.token('/v1.0/thing', call(clock));
  const classes = ['background', 'assistant', 'person', 'confirmed'] as const;
  const sends = Array.from({ length: 300 }, (_, n) => ({ priority: classes[n % 4] ?? 'person', actor: `a${n % 12}` }));
  const calls = Promise.all(sends.map((who) => client.send(call(clock, who))));
  await drive(clock, calls, 250, () => up.hits.length);
  expect(up.hits).toHaveLength(300);
  expect(up.tokens).toHaveLength(1);
  const all = most([...up.hits, ...up.tokens], 60_000);
  expect(all).toBeLessThanOrEqual(120);
  expect(all).toBeGreaterThan(113);
});

describe('the queue', () => {
  test('a person’s lookup goes before those who waited longer', async () => {
    const { clock, up, client, sent } = await usedUp(3);
    const path = (n: string) => ({ path: '/v1.0/thing', input: { n } });
    const waits: number[] = [];
    const queue = (n: string, priority: Request['priority']) =>
      client.send(call(clock, { ...path(n), priority, onWait: (_why, seconds) => waits.push(seconds) }));
    const all = [queue('b1', 'background'), queue('b2', 'background'), queue('a1', 'assistant')];
    await until(async () => (await client.budget()).waiting === 3);
    await settle();
    all.push(queue('p1', 'person'));
    await drive(clock, Promise.all(all), 500);
    expect(up.hits.slice(sent).map((hit) => hit.url.split('=')[1])).toEqual(['p1', 'a1', 'b1', 'b2']);
    expect(waits).toEqual([61, 61, 61, 61]);
  });

  test('a token that background work waits for moves forward when a person wants it too', async () => {
    const { clock, up, client } = await usedUp(2);
    const first = client.send(call(clock, { path: '/v1.0/a', priority: 'background' }));
    const second = client.send(call(clock, { path: '/v1.0/b', priority: 'assistant' }));
    await until(async () => (await client.budget()).waiting === 2);
    await settle();
    const third = client.send(call(clock, { path: '/v1.0/a', priority: 'person' }));
    await drive(clock, Promise.all([first, second, third]), 500);
    expect(up.tokens.map((hit) => JSON.parse(hit.body).ApiEndpoint.slice(-2))).toEqual(['ng', '/a', '/b']);
    expect(most([...up.hits, ...up.tokens], 60_000)).toBe(2);
  });

  test('deadline and abort while queued: told at once, nothing sent, the place is left to others', async () => {
    const { clock, up, client, sent } = await usedUp(2);
    const leaver = new AbortController();
    const late = faceOf(client.send(call(clock, { ...CHANGE, priority: 'person', deadline: clock.now() + 5000 })));
    const left = faceOf(client.send(call(clock, { ...CHANGE, priority: 'person', signal: leaver.signal })));
    const stays = client.send(call(clock, { priority: 'background' }));
    await until(async () => (await client.budget()).waiting === 3);
    leaver.abort();
    const message = 'Cancelled by the caller before it was sent. Nothing was done.';
    expect(await left).toEqual({ code: 'timeout', message, outcome: 'not_done' });
    clock.advance(5000);
    expect(await late).toMatchObject({ code: 'rate_limited', outcome: 'not_done', retryAfterSeconds: 56 });
    expect((await client.budget()).waiting).toBe(1);
    expect(await drive(clock, stays, 500)).toEqual({ ok: true });
    expect(up.hits).toHaveLength(sent + 1);
    expect(await client.budget()).toMatchObject({ used: 1, waiting: 0 });
  });

  test('close rejects those who wait, leaves no timer, and refuses what comes later', async () => {
    const { clock, up, client, sent } = await usedUp(2);
    const waits = faceOf(client.send(call(clock)));
    await until(async () => (await client.budget()).waiting === 1);
    await client.close();
    expect(await waits).toMatchObject({ code: 'network', outcome: 'not_done' });
    expect(await faceOf(client.send(call(clock)))).toMatchObject({ code: 'network', outcome: 'not_done' });
    expect(clock.pending).toBe(0);
    expect(up.hits).toHaveLength(sent);
  });
});

test('lanes of their own 429 pauses its lane for everyone until Retry-After, and no other lane', async () => {
  const { clock, up, client } = await opened();
  await client.token('/v1.0/thing', call(clock));
  await client.token('/v1.0/numbers/portin', call(clock));
  up.script = [{ status: 429, headers: { 'retry-after': '7' } }];
  const waits: string[] = [];
  const first = client.send(call(clock, { ...CHANGE, onWait: (why) => waits.push(why) }));
  await until(() => waits.at(-1) === 'rate_limit');
  const second = client.send(call(clock));
  await until(async () => (await client.budget()).waiting === 1);
  const face = await faceOf(client.send(call(clock, { deadline: clock.now() + 3000 })));
  expect(face).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 7, outcome: 'not_done' });
  await client.send(call(clock, { ...CHANGE, path: '/v1.0/numbers/portin', lane: 'portin' }));
  clock.advance(6999);
  await settle();
  expect(up.hits).toHaveLength(2);
  clock.advance(1);
  await drive(clock, Promise.all([first, second]), 1);
  expect(up.hits).toHaveLength(4);
  expect(up.hits[2]?.at).toBeGreaterThanOrEqual(START + 7000);
  expect(up.hits[2]?.at).toBeLessThan(START + 7500);
});

test('retries the caller’s abort ends a read that was sent, and not a change', async () => {
  const { clock, up, client } = await opened();
  const leaver = new AbortController();
  const late = held();
  up.script = ['hang', late.step];
  const read = faceOf(client.send(call(clock, { signal: leaver.signal })));
  await until(() => up.hits.length === 1);
  const change = client.send(call(clock, { ...CHANGE, signal: leaver.signal }));
  await until(late.came);
  leaver.abort();
  expect(await read).toMatchObject({ code: 'timeout', outcome: 'not_done' });
  late.answer();
  expect(await change).toEqual({ ok: true });
  expect(up.hits).toHaveLength(2);
});

/** The number of calls that all callers of a process may have in flight. */
const COUNT = 1_000;

/**
 * One call's part of a batch, in ms of processor time. The queue's own part is far less: most of it is the garbage of the
 * tests that the process ran before.
 */
const GENEROUS_MS = 2;

test.each(['memory', 'the database'])(
  '1,000 calls queue, leave and are cancelled in constant time each, in %s',
  async (kind) => {
    const clock = new StillClock();
    const opened = kind === 'the database' ? await makeStore('sqlite', clock) : undefined;
    const up = await upstream(clock);
    const client = makeClient(clock, up.url, opened ? { database: opened.store.database('budget') } : {});
    await client.token('/v1.0/thing', call(clock));
    const leavers = Array.from({ length: COUNT }, () => new AbortController());
    let ended = 0;
    let told = 0;
    const end = () => {
      ended += 1;
    };
    const queueing = await longestBlock(
      () => {
        for (const [n, { signal }] of leavers.entries()) {
          const onWait = () => {
            told += 1;
          };
          client.send(call(clock, { signal, onWait, actor: `a${n % 50}` })).then(end, end);
        }
      },
      () => ended > 90,
    );
    // Assistants have 100 places; one went to the token.
    await until(() => ended === 99);
    expect((await client.budget()).waiting).toBe(COUNT - 99);
    expect(told).toBe(COUNT - 99);
    expect(queueing).toBeLessThan(COUNT * GENEROUS_MS);

    // In the next minute, sending takes no longer because of the requests that still wait.
    const sent = ended;
    const leaving = await longestBlock(
      () => clock.advance(61_000),
      () => ended > sent + 90,
    );
    expect(leaving).toBeLessThan(1000);

    // They leave from the last to the first, so that a search from the start would find each one last.
    const cancelling = await longestBlock(
      () => {
        for (const leaver of leavers.reverse()) leaver.abort();
      },
      async () => (await client.budget()).waiting === 0,
    );
    expect(cancelling).toBeLessThan(COUNT * GENEROUS_MS);
    await until(() => ended === COUNT);
    await turn();
    await client.close();
  },
);
