import { afterEach, beforeEach, expect, it } from 'vitest';
import { MINUTE_MS } from '../../src/lib/clock.ts';
import { describeEngines, makeStore, type TestStore } from '../support/stores.ts';
import { call, drive, FakeClock, makeClient, turn, type Upstream, unlessAway, upstream, watched } from './support.ts';

const LIMIT = 12;
const AHEAD = 5 * MINUTE_MS;
const BACK = -10 * MINUTE_MS;

describeEngines('the budget when the system clock is set', (engine) => {
  let clock: FakeClock;
  let stores: TestStore;
  let up: Upstream;
  let times: number[];
  beforeEach(async () => {
    clock = new FakeClock();
    stores = await makeStore(engine, clock);
    up = await upstream(clock);
    times = [];
  });
  afterEach(async () => {
    await stores.remove();
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

  async function settle(): Promise<void> {
    for (let n = 0; n < 5; n += 1) await turn();
  }

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

  it.each([
    ['forward', AHEAD],
    ['back', BACK],
  ] as const)(
    'a process that starts while the database is away, after it was set %s, counts what it sent alone',
    async (_what, step) => {
      const limit = 42;
      const one = await process(async () => ({ ...(await shared()), requestsPerMinute: limit }));
      await drive(clock, one.sent(limit / 2), 100, () => times.length);
      clock.step(step);
      let isAway = true;
      const two = await process(async () => {
        const { database } = await shared();
        return { database: unlessAway(database, () => isAway), requestsPerMinute: limit };
      });
      // A seventh of the window, with the request for a token.
      await drive(clock, two.sent(limit / 7 - 1), 100, () => times.length);
      isAway = false;
      const begun = clock.monotonic();
      // The other processes count the requests that this one sent alone once it has registered with them, which its
      // first request does.
      await drive(clock, two.sent(1), 100, () => times.length);
      const more = Promise.all([one.sent(limit), two.sent(limit - 1)]);
      await settle();
      await drive(clock, more, 500, () => times.length);
      expect(most()).toBeLessThanOrEqual(limit);
      expect(clock.monotonic() - begun).toBeLessThan(2.5 * MINUTE_MS);
    },
  );

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

  it('a process that starts an hour later, after a restart of the machine, has the whole window', async () => {
    const one = await process();
    await drive(clock, one.sent(LIMIT - 2), 100, () => times.length);
    await one.client.close();
    // The monotonic clock of a machine that was restarted begins again.
    const restarted = new FakeClock(1000);
    restarted.step(clock.now() + 60 * MINUTE_MS - restarted.now());
    clock = restarted;
    const two = await process(async () => ({ database: watched((await stores.open(clock)).database('budget')) }));
    times = [];
    await drive(clock, two.sent(LIMIT - 2), 100, () => times.length);
    expect(clock.monotonic()).toBeLessThan(5000);
  });
});
