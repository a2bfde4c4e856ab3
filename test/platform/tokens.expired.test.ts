import { describe, expect, test } from 'vitest';
import {
  CHANGE,
  call,
  drive,
  FakeClock,
  faceOf,
  makeClient,
  platformTime,
  READ,
  START,
  type Step,
  tokenAnswer,
  upstream,
} from './support.ts';

const HOUR_MS = 3_600_000;
const jwt = (exp: number) => `h.${Buffer.from(JSON.stringify({ exp })).toString('base64url')}.s`;

/** Token answers with an unusable expiry, each with its fault. `n` makes them differ. */
const READINGS: [string, string, (n: number) => Record<string, unknown>, RegExp][] = [
  ['past', 'UTC', (n) => tokenAnswer(n, START - HOUR_MS, 0), /reads as expired.*PLATFORM_TIME_ZONE/],
  ['past in the zone set', 'Asia/Tokyo', (n) => tokenAnswer(n, START, 3600), /8 h ago in Asia\/Tokyo/],
  ['now', 'UTC', (n) => tokenAnswer(n, START, 0), /reads as expired/],
  [
    'past in the JWT',
    'UTC',
    (n) => ({ ...tokenAnswer(n, START), token: `${jwt(START / 1000 - 60)}${n}` }),
    /Check the clock/,
  ],
  [
    'not a date',
    'UTC',
    (n) => ({ ...tokenAnswer(n, START), tokenExpiry: 'soon' }),
    /cannot be read: tokenExpiry is "soon"/,
  ],
];

async function world(zone: string, answer: (n: number) => Record<string, unknown>) {
  const clock = new FakeClock();
  const up = await upstream(clock);
  const warned: string[] = [];
  up.tokenScript = Array.from({ length: 400 }, (_, n): Step => ({ body: answer(n + 1) }));
  const client = makeClient(clock, up.url, {
    timeZone: zone,
    log: (level, _fields, message) => level === 'warn' && message.includes('token') && warned.push(message),
  });
  return { clock, up, client, warned };
}

describe.each(READINGS)('a token whose expiry is %s (zone %s)', (_name, zone, answer, warning) => {
  test('one read sends one token request, uses the token, and says so once', async () => {
    const { clock, up, client, warned } = await world(zone, answer);
    expect(await client.send(call(clock, READ))).toEqual({ ok: true });
    expect([up.tokens.length, up.hits.length]).toEqual([1, 1]);
    expect(up.hits[0]?.headers.authorization).toBe(`Bearer ${answer(1).token}`);
    await client.send(call(clock, { ...READ, path: '/v1.0/other' }));
    expect(up.tokens).toHaveLength(2);
    expect(warned).toEqual([expect.stringMatching(warning)]);
    expect(warned[0]).not.toContain(String(answer(1).token));
  });

  test('calls that wait for it at the same time share it; a later call fetches its own', async () => {
    const { clock, up, client } = await world(zone, answer);
    await Promise.all(Array.from({ length: 20 }, () => client.send(call(clock))));
    expect([up.tokens.length, up.hits.length]).toEqual([1, 20]);
    await client.send(call(clock, CHANGE));
    expect([up.tokens.length, up.hits.length]).toEqual([2, 21]);
  });

  test('refused with 401 when it is new: no second request for a token', async () => {
    const { clock, up, client } = await world(zone, answer);
    up.script = Array.from({ length: 9 }, () => ({ status: 401 }));
    expect(await faceOf(client.send(call(clock)))).toMatchObject({ code: 'unauthorized', outcome: 'not_done' });
    expect([up.tokens.length, up.hits.length]).toEqual([1, 1]);
  });

  test('refused with 401 at a retry: one more request for a token, and no further', async () => {
    const { clock, up, client } = await world(zone, answer);
    up.script = [{ status: 503 }, ...Array.from({ length: 9 }, () => ({ status: 401 }))];
    expect(await faceOf(drive(clock, client.send(call(clock))))).toMatchObject({ code: 'unauthorized' });
    expect([up.tokens.length, up.hits.length]).toEqual([2, 3]);
  });
});

test('a held token refused with 401, replaced by one that reads as expired: one request for a token', async () => {
  const clock = new FakeClock();
  const up = await upstream(clock);
  const client = makeClient(clock, up.url);
  await client.send(call(clock));
  up.tokenScript = Array.from({ length: 9 }, (_, n) => ({ body: tokenAnswer(n + 2, START, -60) }));
  up.script = [{ status: 401 }];
  expect(await client.send(call(clock))).toEqual({ ok: true });
  expect([up.tokens.length, up.hits.length]).toEqual([2, 3]);
});

test('tokens that end while their call waits for the budget are fetched again once, then used', async () => {
  const clock = new FakeClock();
  const up = await upstream(clock);
  const client = makeClient(clock, up.url, { requestsPerMinute: 2 });
  up.tokenScript = Array.from(
    { length: 40 },
    (_, n): Step =>
      (_req, res) => {
        res.end(JSON.stringify({ token: `short-${n}`, tokenExpiry: platformTime(clock.now() + 2000) }));
      },
  );
  await client.send(call(clock, { path: '/v1.0/first' }));
  const before = up.tokens.length;
  const calls = Array.from({ length: 3 }, (_, n) => client.send(call(clock, { path: `/v1.0/waits-${n}` })));
  await drive(clock, Promise.all(calls), 1000);
  expect(up.hits).toHaveLength(4);
  expect(up.tokens.length - before).toBeLessThanOrEqual(6);
});
