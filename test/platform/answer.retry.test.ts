import { describe, expect, test } from 'vitest';
import { readRetryAfter, retryDelay } from '../../src/platform/answer.ts';
import { LONGEST_PAUSE_MS } from '../../src/platform/budget.ts';
import {
  CHANGE,
  call,
  drive,
  FakeClock,
  faceOf,
  makeClient,
  START,
  type Step,
  turn,
  until,
  upstream,
} from './support.ts';

/** Lets everything happen that can without time moving. */
async function settle(): Promise<void> {
  for (let n = 0; n < 5; n += 1) await turn();
}

async function ready() {
  const clock = new FakeClock();
  const up = await upstream(clock);
  const client = makeClient(clock, up.url);
  await client.token('/v1.0/thing', call(clock));
  return { clock, up, client };
}

describe('Retry-After', () => {
  const DAY_S = 86_400;
  test.each([
    ['0', 0],
    ['7', 7000],
    ['1.5', 1500],
    ['7200', 7_200_000],
    [String(31 * DAY_S), 31 * DAY_S * 1000],
    ['Mon, 02 Mar 2026 12:00:20 GMT', 20_000],
    ['Mon, 02 Mar 2026 11:00:00 GMT', 0],
  ])('%s', (header, ms) => {
    expect(readRetryAfter({ 'retry-after': header }, START)).toBe(ms);
    expect(readRetryAfter({ 'retry-after': [header, 'later'] }, START)).toBe(ms);
  });

  test.each([
    '',
    '-5',
    '0x10',
    'Infinity',
    'soon',
    'Mon, 99 Mar 2026 12:00:20 GMT',
    'Mon, 02 Mar 2026 12:00:20 PST',
    `7${' '.repeat(100)}x`,
  ])('cannot be read: %j', (header) => {
    expect(readRetryAfter({ 'retry-after': header }, START)).toBeUndefined();
    expect(retryDelay(0, undefined, 0)).toBe(1000);
  });

  test.each(['Fri, 31 Dec 9999 23:59:59 GMT', 'Tue, 02 Mar 2027 12:00:00 GMT', String(32 * DAY_S), '9'.repeat(9)])(
    'counts as 31 days: %s',
    (header) => {
      expect(readRetryAfter({ 'retry-after': header }, START)).toBe(31 * DAY_S * 1000);
    },
  );

  test('a date counts from the date of the answer, whatever the platform’s clock says', () => {
    const at = (date: string) => readRetryAfter({ 'retry-after': 'Mon, 02 Mar 2026 13:00:20 GMT', date }, START);
    expect(at('Mon, 02 Mar 2026 13:00:00 GMT')).toBe(20_000);
    expect(at('Mon, 02 Mar 2026 11:00:20 GMT')).toBe(7_200_000);
    expect(at('yesterday')).toBe(3_620_000);
  });

  test('a call waits 1, 2, 4 … 30 seconds before what is added, whatever the retry', () => {
    expect(Array.from({ length: 8 }, (_, n) => retryDelay(n, undefined, 0) / 1000)).toEqual([
      1, 2, 4, 8, 16, 30, 30, 30,
    ]);
    expect(retryDelay(2, 3000, 0)).toBe(4000);
    expect(retryDelay(0, 60_000, 1)).toBe(60_250);
  });
});

describe('a pause that a reader does not wait for', () => {
  const pause = (seconds: number): Step => ({ status: 429, headers: { 'retry-after': String(seconds) } });
  const patience = { priority: 'person', maxPauseMs: 30_000 } as const;

  test('ends the read at once and says when to try again; a change waits for it', async () => {
    const { clock, up, client } = await ready();
    up.script = [pause(120)];
    const asked = { code: 'rate_limited', outcome: 'not_done', retryAfterSeconds: 120 };
    const first = await faceOf(client.send(call(clock, patience)));
    expect(first).toMatchObject(asked);
    expect(first.message).toContain('Try again in 120 s.');
    expect(await faceOf(client.send(call(clock, patience)))).toMatchObject(asked);
    expect([up.hits.length, clock.now()]).toEqual([1, START]);
    const change = client.send(call(clock, { ...CHANGE, priority: 'person' }));
    expect(await drive(clock, change, 1000)).toEqual({ ok: true });
    expect((up.hits[1]?.at ?? 0) - START).toBeGreaterThanOrEqual(120_000);
  });

  test('is that of a token, which a change goes on waiting for', async () => {
    const clock = new FakeClock();
    const up = await upstream(clock);
    const client = makeClient(clock, up.url);
    up.tokenScript = [pause(120)];
    const change = client.send(call(clock, { ...CHANGE, priority: 'person' }));
    const read = faceOf(client.send(call(clock, { ...patience, ...CHANGE, read: true })));
    expect(await read).toMatchObject({ code: 'rate_limited', outcome: 'not_done', retryAfterSeconds: 120 });
    expect(clock.now()).toBe(START);
    expect(await drive(clock, change, 1000)).toEqual({ ok: true });
  });
});

describe('a Retry-After of two hours', () => {
  const hours: Step = { status: 429, headers: { 'retry-after': '7200' } };

  test('ends its own call at once and names the two hours', async () => {
    const { clock, up, client } = await ready();
    up.script = [hours];
    expect(await faceOf(client.send(call(clock)))).toMatchObject({
      code: 'rate_limited',
      retryAfterSeconds: 7200,
      outcome: 'not_done',
    });
    expect([up.hits.length, clock.now()]).toEqual([1, START]);
  });

  test('reaches calls that were waiting for the budget already', async () => {
    const clock = new FakeClock();
    const up = await upstream(clock);
    const client = makeClient(clock, up.url, { requestsPerMinute: 2 });
    await client.token('/v1.0/thing', call(clock));
    let refuse: (() => void) | undefined;
    up.script = [
      (_req, res) => {
        refuse = () => res.writeHead(429, { 'retry-after': '7200' }).end();
      },
    ];
    const first = faceOf(client.send(call(clock)));
    await until(() => refuse !== undefined);
    const short = faceOf(client.send(call(clock, { deadline: clock.now() + 90_000 })));
    const patient = client.send(call(clock));
    await until(async () => (await client.budget()).waiting === 2);
    refuse?.();
    expect(await first).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 7200 });
    expect(await short).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 120 });
    expect(clock.now()).toBe(START);
    expect(await drive(clock, patient, 1000)).toEqual({ ok: true });
    expect((up.hits[1]?.at ?? 0) - START).toBeGreaterThanOrEqual(LONGEST_PAUSE_MS);
    expect((up.hits[1]?.at ?? 0) - START).toBeLessThan(LONGEST_PAUSE_MS + 5000);
  });

  test('after two minutes one request probes, the others wait for its answer', async () => {
    const { clock, up, client } = await ready();
    up.script = [hours];
    await faceOf(client.send(call(clock)));
    let answer: (() => void) | undefined;
    up.script = [
      (_req, res) => {
        answer = () => res.writeHead(429, { 'retry-after': '7200' }).end();
      },
    ];
    const all = Array.from({ length: 8 }, () => client.send(call(clock)).catch((error: unknown) => error));
    const person = client.send(call(clock, { priority: 'person', input: { p: 1 } })).catch((error: unknown) => error);
    clock.advance(LONGEST_PAUSE_MS - 1);
    await settle();
    expect(up.hits).toHaveLength(1);
    clock.advance(1);
    await until(() => answer !== undefined);
    await settle();
    expect(up.hits).toHaveLength(2);
    expect(up.hits[1]?.url).toContain('p=1');
    expect((await client.budget()).waiting).toBe(8);
    // Still shut: one more request two minutes later, and no other.
    answer?.();
    expect(await person).toMatchObject({ face: { code: 'rate_limited', retryAfterSeconds: 7200 } });
    clock.advance(LONGEST_PAUSE_MS - 1);
    await settle();
    expect(up.hits).toHaveLength(2);
    // Open: the probe's answer lets the others go.
    await drive(clock, Promise.all(all), 1);
    expect(up.hits).toHaveLength(10);
    const gap = (up.hits[2]?.at ?? 0) - (up.hits[1]?.at ?? 0);
    expect(gap).toBeGreaterThanOrEqual(LONGEST_PAUSE_MS);
    expect(gap).toBeLessThan(LONGEST_PAUSE_MS + 1000);
  });
});

test.each<[string, Step]>([
  ['cut', 'cut'],
  ['a 500', { status: 500 }],
  ['a 404', { status: 404 }],
])('a probe that ends with %s keeps nobody waiting', async (_name, step) => {
  const { clock, up, client } = await ready();
  up.script = [{ status: 429, headers: { 'retry-after': '60' } }, step];
  const limited = client.send(call(clock, CHANGE)).catch((error: unknown) => error);
  await until(() => up.hits.length === 1);
  await settle();
  const rest = Array.from({ length: 5 }, () => client.send(call(clock)).catch((error: unknown) => error));
  await drive(clock, Promise.all([limited, ...rest]), 500);
  expect(up.hits.length).toBeGreaterThanOrEqual(7);
  expect((await client.budget()).waiting).toBe(0);
});

test('a caller that leaves while it probes: the next one probes', async () => {
  const { clock, up, client } = await ready();
  up.script = [{ status: 429, headers: { 'retry-after': '60' } }, 'hang'];
  const leaver = new AbortController();
  const limited = faceOf(client.send(call(clock, { deadline: clock.now() + 30_000 })));
  await limited;
  const probe = faceOf(client.send(call(clock, { priority: 'person', signal: leaver.signal })));
  let answer: (() => void) | undefined;
  up.script.push((_req, res) => {
    answer = () => res.end('{"ok":true}');
  });
  const others = Array.from({ length: 3 }, () => client.send(call(clock)));
  clock.advance(60_000);
  await until(() => up.hits.length === 2);
  leaver.abort();
  expect(await probe).toMatchObject({ code: 'timeout', outcome: 'not_done' });
  await until(() => answer !== undefined);
  await settle();
  expect(up.hits).toHaveLength(3);
  answer?.();
  expect(await Promise.all(others)).toEqual(Array.from({ length: 3 }, () => ({ ok: true })));
});

test('a read that the platform does not answer fails within a minute, and a change is not shortened', async () => {
  const { clock, up, client } = await ready();
  up.script = Array.from({ length: 10 }, () => 'hang' as const);
  const began = clock.now();
  const read = await drive(clock, faceOf(client.send(call(clock))));
  expect(read).toMatchObject({ code: 'timeout', outcome: 'not_done' });
  expect([up.hits.length, clock.now() - began < 60_000]).toEqual([2, true]);
  const later = clock.now();
  const change = await drive(clock, faceOf(client.send(call(clock, { ...CHANGE, resend: true }))));
  expect(change).toMatchObject({ code: 'timeout', outcome: 'unknown' });
  expect(clock.now() - later).toBeGreaterThan(120_000);
});
