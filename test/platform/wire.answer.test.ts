import { describe, expect, test } from 'vitest';
import { SwitchboardError } from '../../src/lib/errors.ts';
import { hider } from '../../src/lib/hide.ts';
import { LONGEST_PAUSE_MS } from '../../src/platform/budget.ts';
import { readRetryAfter, retryDelay } from '../../src/platform/wire.ts';
import { FakeClock, START } from '../support/clock.ts';
import { until } from '../support/until.ts';
import { drive, settle } from './driving.ts';
import {
  AGAIN,
  CHANGE,
  call,
  faceOf,
  held,
  makeClient,
  opened,
  READ,
  type Scripted,
  SECRET,
  type Step,
  upstream,
} from './support.ts';

// status, code, attempts and outcome for: a read, a change that may be sent again, one that may not.
const TABLE = [
  [400, 'bad_request', 1, 'not_done', 1, 'not_done', 1, 'not_done'],
  [401, 'unauthorized', 1, 'not_done', 1, 'not_done', 1, 'not_done'],
  [403, 'forbidden', 1, 'not_done', 1, 'not_done', 1, 'not_done'],
  [404, 'not_found', 1, 'not_done', 1, 'not_done', 1, 'not_done'],
  [405, 'method_not_allowed', 1, 'not_done', 1, 'not_done', 1, 'not_done'],
  [408, 'timeout', 5, 'not_done', 5, 'unknown', 1, 'unknown'],
  [413, 'bad_request', 1, 'not_done', 1, 'not_done', 1, 'not_done'],
  [429, 'rate_limited', 5, 'not_done', 5, 'not_done', 5, 'not_done'],
  [500, 'server_error', 5, 'not_done', 5, 'unknown', 1, 'unknown'],
  [502, 'server_error', 1, 'not_done', 1, 'unknown', 1, 'unknown'],
  [503, 'unavailable', 5, 'not_done', 5, 'not_done', 5, 'not_done'],
  [504, 'timeout', 5, 'not_done', 5, 'unknown', 1, 'unknown'],
  [302, 'server_error', 1, 'not_done', 1, 'unknown', 1, 'unknown'],
] as const;

describe('every status the platform documents', () => {
  const rows = TABLE.flatMap(([status, code, r, ro, a, ao, c, co]) => [
    { status, code, kind: 'read', what: READ, attempts: r, outcome: ro },
    { status, code, kind: 'resend: true', what: AGAIN, attempts: a, outcome: ao },
    { status, code, kind: 'resend: false', what: CHANGE, attempts: c, outcome: co },
  ]);
  test.each(rows)('$status, $kind: $attempts attempts, $outcome', async ({ status, code, what, attempts, outcome }) => {
    const { clock, up, client } = await opened();
    const answer = { status, body: { StatusCode: status, Message: 'Platform words' }, headers: { location: '/x' } };
    up.script = Array.from({ length: 9 }, () => answer);
    const face = await faceOf(drive(clock, client.send(call(clock, what))));
    expect(up.hits).toHaveLength(attempts);
    expect(face).toMatchObject({ code, status, outcome });
    expect(face.message).toContain('Platform words.');
    expect(face.message.includes('check before trying again')).toBe(outcome === 'unknown');
    expect(up.tokens).toHaveLength(1);
  });
});

test.each([200, 403, 404, 413, 503])(
  'a web page with status %i is one of another address, if the API sends none with it',
  async (status) => {
    const { clock, up, client } = await opened();
    up.script = Array.from({ length: 9 }, () => ({ status, text: '<!doctype html><p>Hello</p>' }));
    const { message } = await faceOf(drive(clock, client.send(call(clock, READ))));
    expect(/PLATFORM_BASE_URL is the address of the API/.test(message)).toBe(status < 413);
  },
);

test('an open outcome stays open: 500, then 400', async () => {
  const { clock, up, client } = await opened({}, [
    { status: 500 },
    { status: 400, body: { StatusCode: 400, Message: 'Email already exists' } },
  ]);
  const face = await faceOf(drive(clock, client.send(call(clock, AGAIN))));
  expect(up.hits).toHaveLength(2);
  expect(face).toMatchObject({ code: 'bad_request', outcome: 'unknown' });
});

describe('connections', () => {
  const KINDS = [
    { kind: 'read', what: READ, attempts: 5, outcome: 'not_done' },
    { kind: 'resend: true', what: AGAIN, attempts: 5, outcome: 'unknown' },
    { kind: 'resend: false', what: CHANGE, attempts: 1, outcome: 'unknown' },
  ];

  const FAULTS = KINDS.flatMap((kind) => [
    { ...kind, step: 'cut', code: 'network' } as const,
    { ...kind, step: 'hang', code: 'timeout' } as const,
  ]);
  test.each(FAULTS)('$step, $kind: $attempts attempts, $outcome', async ({ what, attempts, outcome, step, code }) => {
    const { clock, up, client } = await opened({ timeoutMs: 5000 });
    await client.token('/v1.0/thing', call(clock));
    up.script = Array.from({ length: 9 }, () => step);
    const face = await faceOf(drive(clock, client.send(call(clock, what)), 500));
    expect(up.hits).toHaveLength(attempts);
    expect(face).toMatchObject({ code, outcome });
    expect(clock.pending).toBe(0);
  });

  test('refused: retried even for what must not be sent twice, and not done', async () => {
    const { clock, up, client } = await opened({ log: (_level, fields) => logged.push(fields) });
    const logged: Array<Record<string, unknown>> = [];
    await client.token('/v1.0/thing', call(clock));
    await up.stop();
    const face = await faceOf(drive(clock, client.send(call(clock, CHANGE))));
    expect(face).toMatchObject({ code: 'network', outcome: 'not_done' });
    expect(face.message).toContain('ECONNREFUSED');
    expect(face.message).toContain('it is the sandbox');
    expect(logged.filter((fields) => fields.path === '/v1.0/thing')).toHaveLength(5);
    expect(up.hits).toHaveLength(0);
  });

  test('refused, and back before the retries are over: sent once, over a connection of its own', async () => {
    const { clock, up, client } = await opened();
    let retried = 0;
    await client.token('/v1.0/thing', call(clock));
    await up.stop();
    const sent = client.send(call(clock, { ...CHANGE, onWait: (why) => (retried += why === 'retry' ? 1 : 0) }));
    await until(() => retried === 1);
    await up.restart();
    expect(await drive(clock, sent)).toEqual({ ok: true });
    expect(up.hits).toHaveLength(1);
    expect(up.hits[0]?.headers.connection).toBe('close');
  });
});

describe('an answer without a body', () => {
  const texts = ['', 'null', ' \n', '""'].map((text): Scripted => ({ text }));
  const empty = [...texts, { status: 204, text: '' }];

  test.each([...empty, { text: '{}' }])('is no answer to a read: %j', async (step) => {
    const { clock, up, client } = await opened({}, [step]);
    const face = await faceOf(client.send(call(clock, READ)));
    expect(face).toMatchObject({ code: 'server_error', outcome: 'not_done', status: step.status ?? 200 });
    expect(face.message).toContain('The platform sent no answer.');
    expect(up.hits).toHaveLength(1);
  });

  test.each(empty)('of a change is left to its verdict: %j', async (step) => {
    const { clock, client } = await opened({}, [step]);
    expect(await client.send(call(clock, CHANGE))).toEqual(step.text === '""' ? { Result: '' } : {});
  });
});

describe('answers', () => {
  test.each([
    ['an object', '{"a":1}', { a: 1 }],
    ['a bare array', '[1,2]', { Results: [1, 2] }],
    ['an empty envelope', '{"Successful":true,"Data":null}', {}],
    ['an ICCID as a number', '{"n":[8901240397190195850]}', { n: ['8901240397190195850'] }],
    ['a negative one', '{"n":[-9007199254740993]}', { n: ['-9007199254740993'] }],
    ['numbers that keep their value', '{"a":9007199254740991,"b":1.25e3}', { a: 9007199254740991, b: 1250 }],
    ['digits in a text', '{"c":"\\"12345678901234567890"}', { c: '"12345678901234567890' }],
    ['an envelope', '{"Successful":true,"Data":{"x":1}}', { x: 1 }],
    ['an envelope with a list', '{"Successful":true,"Data":[1],"Message":null}', { Results: [1] }],
    ['no envelope', '{"Successful":true,"Data":1,"Other":2}', { Successful: true, Data: 1, Other: 2 }],
    ['a dangerous key', '{"a":{"__proto__":{"x":1},"b":2}}', { a: { b: 2 } }],
    ['the same, hidden', '{"a":{"\\u005f_proto__":{"x":1},"b":2}}', { a: { b: 2 } }],
  ])('%s', async (_name, text, expected) => {
    const { clock, client } = await opened({}, [{ text }]);
    const answer = await client.send(call(clock));
    expect(answer).toEqual(expected);
    expect(JSON.stringify(answer)).toBe(JSON.stringify(expected));
  });

  test.each([
    ['no JSON', 'hello <b>'],
    ['half JSON', '{"a":'],
    ['more than 8 MiB', JSON.stringify('x'.repeat(8 * 1024 * 1024 + 1))],
  ])('200 with %s', async (_name, text) => {
    const { clock, up, client } = await opened({}, [{ text }, { text }]);
    expect(await faceOf(client.send(call(clock, CHANGE)))).toMatchObject({ code: 'server_error', outcome: 'unknown' });
    expect(await faceOf(client.send(call(clock, READ)))).toMatchObject({ code: 'server_error', outcome: 'not_done' });
    expect(up.hits).toHaveLength(2);
  });
});

describe('what the platform said', () => {
  const SAID = 'The platform said: “Number not found!” Nothing was done.';
  test.each([
    ['Number not found!\nTransactionLogId: 7f3a-11', SAID, { transactionLogId: '7f3a-11' }],
    ['AccountId is required.\r\ntransactionlogid abc', 'is required', { transactionLogId: 'abc', field: 'AccountId' }],
    ['{"StatusMessage":"Errors: The PhoneNumber field is required."}', 'Errors', { field: 'PhoneNumber' }],
    ['{"StatusCode":400,"Message":"Field \'Iccid\' is not valid"}', 'Field', { field: 'Iccid' }],
    ['"Just text"', '“Just text.” Nothing was done. Correct', {}],
    ['<html><body>Bad</body></html>', 'The platform refused the request (HTTP 400).', {}],
    ['', 'The platform refused the request (HTTP 400).', {}],
    ['a\u0000b\u202ec\n\n d', 'a b c d.', {}],
  ])('%j', async (text, words, more) => {
    const { clock, up, client } = await opened({}, [{ status: 400, text, headers: { 'content-type': 'text/plain' } }]);
    const face = await faceOf(client.send(call(clock, CHANGE)));
    expect(face).toMatchObject({ code: 'bad_request', outcome: 'not_done', ...more });
    expect(face.message).toContain(words);
    expect(face.message).not.toMatch(/transactionlogid/i);
    expect(up.hits).toHaveLength(1);
  });

  test('long texts are cut, secrets are taken out of message and detail', async () => {
    const { clock, up, client } = await opened();
    const redact = (said: string, token = '') => hider([SECRET, token, 'pin-12345'])(said);
    const text = `${SECRET} opaque-token-1 pin-12345 ${'y'.repeat(3000)}`;
    up.script = [{ status: 400, text }];
    const error: unknown = await client.send(call(clock, { ...CHANGE, redact })).catch((reason: unknown) => reason);
    if (!(error instanceof SwitchboardError)) throw new Error('it did not fail');
    const shown = `${JSON.stringify(error)} ${error.message} ${error.detail}`;
    expect(shown).toContain('«redacted» «redacted» «redacted» yyy');
    for (const secret of [SECRET, 'opaque-token-1', 'pin-12345']) expect(shown).not.toContain(secret);
    expect(error.message.length).toBeLessThan(700);
    expect(up.hits).toHaveLength(1);
  });
});

test('a GET carries its query, a POST its JSON; undefined members are left out', async () => {
  const clock = new FakeClock();
  const up = await upstream(clock);
  const client = makeClient(clock, `${up.url}/`);
  await client.send(call(clock, { input: { PhoneNumber: '+12015550101', Paged: true, N: 2, Left: undefined } }));
  await client.send(call(clock, { ...CHANGE, input: { A: 1, Left: undefined } }));
  expect(up.hits[0]?.url).toBe('/v1.0/thing?PhoneNumber=%2B12015550101&Paged=true&N=2');
  expect(up.hits[1]).toMatchObject({ body: '{"A":1}' });
  expect(up.hits[1]?.headers).toMatchObject({ 'content-type': 'application/json', accept: 'application/json' });
  expect(up.hits[1]?.headers['user-agent']).toMatch(/^switchboard\/\d/);
});

async function ready() {
  const { clock, up, client } = await opened();
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

  const dates = ['Mon, 99 Mar 2026 12:00:20 GMT', 'Mon, 02 Mar 2026 12:00:20 PST'];
  test.each(['', '-5', '0x10', 'Infinity', 'soon', ...dates, `7${' '.repeat(100)}x`])(
    'cannot be read: %j',
    (header) => {
      expect(readRetryAfter({ 'retry-after': header }, START)).toBeUndefined();
      expect(retryDelay(0, undefined, 0)).toBe(1000);
    },
  );

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

describe('a Retry-After of two hours', () => {
  const hours: Step = { status: 429, headers: { 'retry-after': '7200' } };

  test('ends its own call at once and names the two hours', async () => {
    const { clock, up, client } = await ready();
    up.script = [hours];
    const face = await faceOf(client.send(call(clock)));
    expect(face).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 7200, outcome: 'not_done' });
    expect([up.hits.length, clock.now()]).toEqual([1, START]);
  });

  test('reaches calls that were waiting for the budget already', async () => {
    const { clock, up, client } = await opened({ requestsPerMinute: 2 });
    await client.token('/v1.0/thing', call(clock));
    const refusal = held(429, '', { 'retry-after': '7200' });
    up.script = [refusal.step];
    const first = faceOf(client.send(call(clock)));
    await until(refusal.came);
    const short = faceOf(client.send(call(clock, { deadline: clock.now() + 90_000 })));
    const patient = client.send(call(clock));
    await until(async () => (await client.budget()).waiting === 2);
    refusal.answer();
    expect(await first).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 7200 });
    expect(await short).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 120 });
    expect(clock.now()).toBe(START);
    expect(await drive(clock, patient, 1000)).toEqual({ ok: true });
    const waited = (up.hits[1]?.at ?? 0) - START;
    expect([waited >= LONGEST_PAUSE_MS, waited < LONGEST_PAUSE_MS + 5000]).toEqual([true, true]);
  });

  test('after two minutes one request probes, the others wait for its answer', async () => {
    const { clock, up, client } = await ready();
    up.script = [hours];
    await faceOf(client.send(call(clock)));
    const probe = held(429, '', { 'retry-after': '7200' });
    up.script = [probe.step];
    const all = Array.from({ length: 8 }, () => client.send(call(clock)).catch((error: unknown) => error));
    const person = client.send(call(clock, { priority: 'person', input: { p: 1 } })).catch((error: unknown) => error);
    clock.advance(LONGEST_PAUSE_MS - 1);
    await settle();
    expect(up.hits).toHaveLength(1);
    clock.advance(1);
    await until(probe.came);
    await settle();
    expect(up.hits).toHaveLength(2);
    expect(up.hits[1]?.url).toContain('p=1');
    expect((await client.budget()).waiting).toBe(8);
    // Still shut: one more request two minutes later, and no other.
    probe.answer();
    expect(await person).toMatchObject({ face: { code: 'rate_limited', retryAfterSeconds: 7200 } });
    clock.advance(LONGEST_PAUSE_MS - 1);
    await settle();
    expect(up.hits).toHaveLength(2);
    // Open: the probe's answer lets the others go.
    await drive(clock, Promise.all(all), 1);
    expect(up.hits).toHaveLength(10);
    const gap = (up.hits[2]?.at ?? 0) - (up.hits[1]?.at ?? 0);
    expect([gap >= LONGEST_PAUSE_MS, gap < LONGEST_PAUSE_MS + 1000]).toEqual([true, true]);
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
  await faceOf(client.send(call(clock, { deadline: clock.now() + 30_000 })));
  const probe = faceOf(client.send(call(clock, { priority: 'person', signal: leaver.signal })));
  const second = held();
  up.script.push(second.step);
  const others = Array.from({ length: 3 }, () => client.send(call(clock)));
  clock.advance(60_000);
  await until(() => up.hits.length === 2);
  leaver.abort();
  expect(await probe).toMatchObject({ code: 'timeout', outcome: 'not_done' });
  await until(second.came);
  await settle();
  expect(up.hits).toHaveLength(3);
  second.answer();
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
