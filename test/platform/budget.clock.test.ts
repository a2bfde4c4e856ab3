import { beforeEach, expect, it } from 'vitest';
import { MINUTE_MS, systemClock } from '../../src/lib/clock.ts';
import { createClient } from '../../src/platform/client.ts';
import { PostgresStore } from '../../src/store/postgres.ts';
import { atEnd } from '../support/ending.ts';
import { scripted } from '../support/scripted.ts';
import { describeEngines, describeWithPostgres, makeSchema } from '../support/stores.ts';
import { drive, settle, watched } from './driving.ts';
import { call, clock, makeClient, stores, up, useProcesses } from './support.ts';

const LIMIT = 12;
const AHEAD = 5 * MINUTE_MS;
const BACK = -10 * MINUTE_MS;

describeEngines('the budget when the system clock is set', (engine) => {
  useProcesses(engine);
  let times: number[];
  beforeEach(() => {
    times = [];
  });

  const alone = () => ({});
  const shared = async () => ({ database: watched((await stores.open()).database('budget')) });

  /** A client that notes when each of its requests is sent, by the clock that is never set. */
  async function process(options: () => object | Promise<object> = shared) {
    const client = makeClient(clock, up.url, { requestsPerMinute: LIMIT, ...(await options()) });
    const mayWrite = () => {
      times.push(clock.monotonic());
      return true;
    };
    const send = () =>
      client.send(call(clock, { priority: 'confirmed', mayWrite, deadline: clock.now() + 600 * MINUTE_MS }));
    return { client, sent: (count: number) => Promise.all(Array.from({ length: count }, send)) };
  }

  /** The most requests in any minute. Each client has asked for a token, too. */
  const most = () => Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + MINUTE_MS).length));

  it.each([
    ['a process alone, set forward', alone, AHEAD],
    ['a process alone, set back', alone, BACK],
    ['a process of several, set forward', shared, AHEAD],
    ['a process of several, set back', shared, BACK],
  ] as const)('%s: sends as many as before, no more and no fewer', async (_what, options, step) => {
    const one = await process(options);
    const first = one.sent(LIMIT - 1);
    await settle();
    await drive(clock, first, 100, () => times.length);
    clock.advance(2000);
    clock.step(step);
    const more = one.sent(2 * LIMIT);
    await settle();
    clock.advance(10_000);
    await settle();
    expect(times).toHaveLength(LIMIT - 1);
    const begun = clock.monotonic();
    await drive(clock, more, 500, () => times.length);
    expect(most()).toBe(LIMIT);
    // Two further minutes hold all that wait.
    expect(clock.monotonic() - begun).toBeLessThan(2.5 * MINUTE_MS);
  });

  it.each([
    ['forward', AHEAD],
    ['back', BACK],
  ] as const)('a process that starts after it was set %s counts what others sent before', async (_what, step) => {
    const one = await process();
    await drive(clock, one.sent(LIMIT - 2), 100, () => times.length);
    await one.client.close();
    clock.advance(5000);
    clock.step(step);
    const two = await process();
    const more = two.sent(LIMIT);
    await settle();
    const begun = clock.monotonic();
    await drive(clock, more, 500, () => times.length);
    expect(most()).toBeLessThanOrEqual(LIMIT);
    expect(clock.monotonic() - begun).toBeLessThan(2.5 * MINUTE_MS);
  });

  it('two processes whose clocks are set apart keep one limit', async () => {
    const [one, two] = [await process(), await process()];
    await drive(clock, one.sent(LIMIT / 2), 100, () => times.length);
    clock.step(AHEAD);
    await drive(clock, two.sent(LIMIT / 2 - 3), 100, () => times.length);
    clock.step(BACK);
    const more = Promise.all([one.sent(LIMIT), two.sent(LIMIT)]);
    await settle();
    await drive(clock, more, 500, () => times.length);
    expect(most()).toBeLessThanOrEqual(LIMIT);
  });
});

describeWithPostgres('the budget by the time of the database', () => {
  it.each([
    ['forward', AHEAD],
    ['back', BACK],
  ] as const)('is kept when the clock of one machine is set %s', async (_what, step) => {
    const schema = await makeSchema();
    atEnd(schema.drop);
    const platform = await scripted();
    platform.answer('/v1.0/thing', {});
    let stepped = 0;
    const machine = (clock = systemClock) => {
      const store = new PostgresStore({ url: schema.url, clock });
      const account = { baseUrl: platform.url, accountKey: 'DID-key', accountSecret: 'secret', timeZone: 'UTC' };
      const limits = { requestsPerMinute: LIMIT, timeoutMs: 5_000, jitter: 0 };
      const client = createClient({ ...account, ...limits, clock: store.clock, database: store.database('budget') });
      atEnd(async () => {
        await client.close();
        await store.close();
      });
      const read = { method: 'GET', path: '/v1.0/thing', input: {}, read: true, resend: true } as const;
      const send = () => client.send({ ...read, priority: 'confirmed', deadline: store.clock.now() + 1_000 });
      return (count: number) => Promise.allSettled(Array.from({ length: count }, send));
    };
    const [one, other] = [machine({ ...systemClock, now: () => Date.now() + stepped }), machine()];
    await one(LIMIT / 2);
    await other(2);
    stepped = step;
    await one(LIMIT);
    await other(LIMIT);
    // Each of the two has asked for a token.
    expect(platform.requests).toHaveLength(LIMIT - 2);
  });
});
