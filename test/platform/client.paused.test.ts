import { describe, expect, test } from 'vitest';
import type { NextAttempt } from '../../src/platform/wire.ts';
import { drive } from './driving.ts';
import { AGAIN, CHANGE, call, opened, READ, type Step } from './support.ts';

/* A change is asked before each attempt whether it may begin, and is told whether the attempt follows a pause. */

const PAUSE: Step = { status: 429, headers: { 'retry-after': '25' } };

async function ready(requestsPerMinute = 120) {
  const { clock, up, client } = await opened({ requestsPerMinute });
  await client.token('/v1.0/thing', call(clock));
  const asked: boolean[] = [];
  const mayBegin = async ({ paused }: NextAttempt) => {
    asked.push(paused);
    return true;
  };
  return { clock, up, client, asked, mayBegin };
}

describe('an attempt follows a pause', () => {
  test.each<[string, Step[], object, boolean[]]>([
    ['after a 429', [PAUSE], CHANGE, [false, true]],
    ['after a 503', [{ status: 503 }], CHANGE, [false, true]],
    ['after each of several', [PAUSE, { status: 503 }], CHANGE, [false, true, true]],
    ['not after a 401, which is repeated at once', [{ status: 401 }], CHANGE, [false, false]],
    ['not after a 500, because the work may have been done', [{ status: 500 }], AGAIN, [false, false]],
    ['nor once an earlier attempt was so', [{ status: 500 }, PAUSE], AGAIN, [false, false, false]],
  ])('%s', async (_when, script, kind, expected) => {
    const { clock, up, client, asked, mayBegin } = await ready();
    up.script = script;
    expect(await drive(clock, client.send(call(clock, { ...kind, mayBegin })), 1000)).toEqual({ ok: true });
    expect(asked).toEqual(expected);
  });

  test('after more than five seconds of waiting for the budget, not after fewer', async () => {
    for (const [used, expected] of [
      [2_000, true],
      [57_000, false],
    ] as const) {
      const { clock, client, asked, mayBegin } = await ready(2);
      // The token and this read use the window up.
      await client.send(call(clock));
      clock.advance(used);
      expect(await drive(clock, client.send(call(clock, { ...CHANGE, mayBegin })), 500)).toEqual({ ok: true });
      expect(asked).toEqual([expected]);
    }
  });
});

test('while the caller reads again the place is held, and its reads go on although the limit is in doubt', async () => {
  const { clock, up, client } = await ready();
  up.script = [PAUSE];
  let used = 0;
  const mayBegin = async ({ paused, keep }: NextAttempt) => {
    if (!paused) return true;
    keep();
    used = (await client.budget()).used;
    await client.send(call(clock, { ...READ, priority: 'confirmed' }));
    expect((await client.budget()).used).toBe(used + 1);
    return true;
  };
  const sent = client.send(call(clock, { ...CHANGE, mayBegin }));
  expect(await drive(clock, sent, 1000)).toEqual({ ok: true });
  expect(up.hits.map(({ method }) => method)).toEqual(['POST', 'GET', 'POST']);
  expect(used).toBeGreaterThan(0);
});
