import { describe, expect, test } from 'vitest';
import { readExpiry } from '../../src/platform/client.ts';
import { START } from '../support/clock.ts';
import { until } from '../support/until.ts';
import { drive } from './driving.ts';
import { CHANGE, call, faceOf, held, opened, platformTime, READ, SECRET, type Step, tokenAnswer } from './support.ts';

const jwt = (exp: number) => `h.${Buffer.from(JSON.stringify({ exp })).toString('base64url')}.s`;

describe('one token per URL', () => {
  test('20 first calls at once make one token request; another path makes another', async () => {
    const { clock, up, client } = await opened();
    await Promise.all(Array.from({ length: 20 }, () => client.send(call(clock))));
    expect(up.tokens).toHaveLength(1);
    expect(up.hits).toHaveLength(20);
    expect(JSON.parse(up.tokens[0]?.body ?? '')).toEqual({
      AccountKey: 'DID-key',
      AccountSecret: SECRET,
      ApiEndpoint: `${up.url}/v1.0/thing`,
    });
    await client.send(call(clock, { path: '/v1.0/other', input: { Q: 1 } }));
    await client.token(`${up.url}/v1.0/other?x=1`, call(clock));
    expect(up.tokens).toHaveLength(2);
    expect(await client.budget()).toEqual({ used: 23, limit: 120, waiting: 0 });
  });

  test.each([
    ['an hour', 3600, 3540],
    ['100 seconds', 100, 50],
  ])('%s: reused until the margin before its end', async (_name, seconds, usable) => {
    const { clock, up, client } = await opened();
    up.tokenScript = [{ body: tokenAnswer(1, START, seconds) }];
    await client.send(call(clock));
    clock.advance(usable * 1000 - 1);
    await client.send(call(clock));
    expect(up.tokens).toHaveLength(1);
    clock.advance(1);
    await client.send(call(clock));
    expect(up.tokens).toHaveLength(2);
  });

  test('the JWT’s own exp counts when it is sooner; an unreadable expiry is not assumed', async () => {
    const { clock, up, client } = await opened();
    up.tokenScript = [
      { body: { ...tokenAnswer(1, START), token: jwt(START / 1000 + 600) } },
      { body: { token: 'opaque', tokenExpiry: 'soon' } },
    ];
    await client.send(call(clock));
    clock.advance(540_000);
    for (let n = 2; n <= 4; n += 1) {
      await client.send(call(clock));
      expect(up.tokens).toHaveLength(Math.min(n, 3));
    }
  });

  test('a failed request is not kept; a caller that leaves does not end it for the others', async () => {
    const { clock, up, client } = await opened();
    const fetched = held(200, tokenAnswer(2, clock.now()));
    up.tokenScript = [{ status: 400, body: { StatusCode: 400, Message: 'No' } }, fetched.step];
    expect(await faceOf(client.send(call(clock, CHANGE)))).toMatchObject({ code: 'bad_request', outcome: 'not_done' });
    const leaver = new AbortController();
    const left = faceOf(client.send(call(clock, { signal: leaver.signal })));
    const late = faceOf(client.send(call(clock, { deadline: clock.now() + 1000 })));
    const stays = client.send(call(clock));
    await until(fetched.came);
    leaver.abort();
    expect(await left).toMatchObject({ code: 'timeout', outcome: 'not_done' });
    clock.advance(1000);
    expect(await late).toMatchObject({ code: 'timeout', outcome: 'not_done' });
    fetched.answer();
    expect(await stays).toEqual({ ok: true });
    expect(up.tokens).toHaveLength(2);
    expect(up.hits).toHaveLength(1);
  });

  test('wrong credentials: 401 at the token endpoint names the settings', async () => {
    const { clock, up, client } = await opened();
    up.tokenScript = [{ status: 401, body: { StatusCode: 401, Message: `Unknown ${SECRET}` } }];
    const face = await faceOf(client.send(call(clock, CHANGE)));
    expect(face).toMatchObject({ code: 'unauthorized', status: 401, outcome: 'not_done' });
    expect(face.message).toMatch(/PLATFORM_ACCOUNT_KEY and PLATFORM_ACCOUNT_SECRET/);
    expect(face.message).not.toContain(SECRET);
    expect([up.tokens.length, up.hits.length]).toEqual([1, 0]);
  });
});

describe('401 and 403', () => {
  test('a token that ends in flight: one new token, one re-send, also for what is never sent twice', async () => {
    const { clock, up, client } = await opened();
    await client.send(call(clock));
    up.script = [{ status: 401 }];
    expect(await client.send(call(clock, CHANGE))).toEqual({ ok: true });
    expect([up.tokens.length, up.hits.length]).toEqual([2, 3]);
    expect(up.hits[2]?.headers.authorization).toBe('Bearer opaque-token-2');
  });

  test('401 with a fresh token is final, and 401 after the one re-send too', async () => {
    const { clock, up, client } = await opened({}, [
      { status: 401 },
      { text: '{"Ok":1}' },
      { status: 401 },
      { status: 401 },
    ]);
    expect(await faceOf(client.send(call(clock)))).toMatchObject({ code: 'unauthorized', outcome: 'not_done' });
    expect([up.tokens.length, up.hits.length]).toEqual([1, 1]);
    await client.send(call(clock));
    expect(await faceOf(client.send(call(clock)))).toMatchObject({ code: 'unauthorized', outcome: 'not_done' });
    expect([up.tokens.length, up.hits.length]).toEqual([3, 4]);
  });

  test('403 is explained by the scope and not tried again', async () => {
    const { clock, up, client } = await opened({}, [{ status: 403 }]);
    const face = await faceOf(client.send(call(clock, CHANGE)));
    expect(face).toMatchObject({ code: 'forbidden', outcome: 'not_done' });
    expect(face.message).toContain(`The token was for ${up.url}/v1.0/thing`);
    expect(up.hits).toHaveLength(1);
  });
});

test.each([
  ['03/02/2026 01:00:00 PM', 'UTC', '2026-03-02T13:00:00Z'],
  ['03/02/2026 12:00:00 AM', 'UTC', '2026-03-02T00:00:00Z'],
  ['07/02/2026 12:00:00 PM', 'America/New_York', '2026-07-02T16:00:00Z'],
  ['11/01/2026 01:30:00 AM', 'America/New_York', '2026-11-01T05:30:00Z'],
  ['03/08/2026 02:30:00 AM', 'America/New_York', '2026-03-08T06:30:00Z'],
  ['01/02/2026 05:45:00 AM', 'Asia/Kathmandu', '2026-01-02T00:00:00Z'],
])('expiry %s in %s', (text, zone, iso) => {
  expect(readExpiry(text, zone)).toBe(Date.parse(iso));
});

const HOUR_MS = 3_600_000;
const answer = (n: number, more: object) => ({ ...tokenAnswer(n, START), ...more });

/** Token answers with an unusable expiry, each with its fault. `n` makes them differ. */
const READINGS: [string, string, (n: number) => Record<string, unknown>, RegExp][] = [
  ['past', 'UTC', (n) => tokenAnswer(n, START - HOUR_MS, 0), /reads as expired.*PLATFORM_TIME_ZONE/],
  ['past in the zone set', 'Asia/Tokyo', (n) => tokenAnswer(n, START, 3600), /8 h ago in Asia\/Tokyo/],
  ['past in the JWT', 'UTC', (n) => answer(n, { token: `${jwt(START / 1000 - 60)}${n}` }), /Check the clock/],
  ['not a date', 'UTC', (n) => answer(n, { tokenExpiry: 'soon' }), /cannot be read: tokenExpiry is "soon"/],
];

async function world(zone: string, answer: (n: number) => Record<string, unknown>) {
  const { clock, up, client } = await opened({
    timeZone: zone,
    log: (level, _fields, message) => level === 'warn' && message.includes('token') && warned.push(message),
  });
  const warned: string[] = [];
  up.tokenScript = Array.from({ length: 400 }, (_, n): Step => ({ body: answer(n + 1) }));
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
  const { clock, up, client } = await opened();
  await client.send(call(clock));
  up.tokenScript = Array.from({ length: 9 }, (_, n) => ({ body: tokenAnswer(n + 2, START, -60) }));
  up.script = [{ status: 401 }];
  expect(await client.send(call(clock))).toEqual({ ok: true });
  expect([up.tokens.length, up.hits.length]).toEqual([2, 3]);
});

test('tokens that end while their call waits for the budget are fetched again once, then used', async () => {
  const { clock, up, client } = await opened({ requestsPerMinute: 2 });
  const short: Step = (_req, res) => {
    const tokenExpiry = platformTime(clock.now() + 2000);
    res.end(JSON.stringify({ token: `short-${up.tokens.length}`, tokenExpiry }));
  };
  up.tokenScript = Array(40).fill(short);
  await client.send(call(clock, { path: '/v1.0/first' }));
  const before = up.tokens.length;
  const calls = Array.from({ length: 3 }, (_, n) => client.send(call(clock, { path: `/v1.0/waits-${n}` })));
  await drive(clock, Promise.all(calls), 1000);
  expect(up.hits).toHaveLength(4);
  expect(up.tokens.length - before).toBeLessThanOrEqual(6);
});
