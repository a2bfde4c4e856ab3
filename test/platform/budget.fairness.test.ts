import { beforeEach, describe, expect, test } from 'vitest';
import { sharesOf } from '../../src/platform/budget.ts';
import type { Client } from '../../src/platform/client.ts';
import type { Request } from '../../src/platform/wire.ts';
import { FakeClock, START } from '../support/clock.ts';
import { describeEngines, makeStore, type TestStore } from '../support/stores.ts';
import { turn, watched } from './driving.ts';
import { CHANGE, call, makeClient, type Upstream, upstream } from './support.ts';

type Who = Pick<Request, 'priority' | 'actor'>;
let clock: FakeClock;
let up: Upstream;
let client: Client;

beforeEach(async () => {
  clock = new FakeClock();
  up = await upstream(clock);
  client = makeClient(clock, up.url);
  await client.token('/v1.0/thing', { ...call(clock), priority: 'background', actor: 'warm-up' });
});

/** Lets everything happen that can without time moving. */
async function quiet(): Promise<void> {
  for (let still = 0, seen = -1; still < 6; ) {
    await turn();
    still = up.hits.length === seen ? still + 1 : 0;
    seen = up.hits.length;
  }
}

/** Sends `count` lookups at once and lets them run until no more can go. */
async function flood(count: number, who: Who, of = client): Promise<{ ended: Promise<unknown> }> {
  const all = Array.from({ length: count }, () => of.send(call(clock, who)).catch((error: unknown) => error));
  await quiet();
  return { ended: Promise.all(all) };
}

/** Lets `seconds` of the fake clock pass. */
async function pass(seconds: number): Promise<void> {
  for (let n = 0; n < seconds; n += 1) {
    clock.advance(1000);
    await turn();
    if (clock.now() % 60_000 < 5000) await quiet();
  }
}

/** Seconds of the fake clock until a call is answered. */
async function waited(who: Who, over: Partial<Request> = {}, of = client): Promise<number> {
  const from = clock.now();
  let answered: number | undefined;
  const sent = of.send(call(clock, { ...who, ...over })).then(() => {
    answered = clock.now();
  });
  await quiet();
  for (let n = 0; n < 200 && answered === undefined; n += 1) {
    clock.advance(1000);
    const { length } = up.hits;
    await turn();
    if (up.hits.length > length) await quiet();
  }
  await sent;
  return ((answered ?? Number.NaN) - from) / 1000;
}

const AGENT: Who = { priority: 'assistant', actor: 'mcp:http:agent' };
const VIEWER: Who = { priority: 'person', actor: 'slack:T1/U_VIEWER' };
const ANA: Who = { priority: 'person', actor: 'slack:T1/U_ANA' };
const YES: Who = { priority: 'confirmed', actor: 'slack:T1/U_LEE' };
const OTHER_AGENT: Who = { priority: 'assistant', actor: 'mcp:http:other' };
const WATCH: Who = { priority: 'background', actor: 'watch' };

describe('seconds a call waits beside a flood; without shares and turns each waits 58 to 61', () => {
  const YES_ANEW = { ...CHANGE, path: '/v1.0/other' };
  test.each<
    [count: number, lookups: string, by: Who, call: string, who: Who, seconds: number, over?: Partial<Request>]
  >([
    [130, 'an assistant', AGENT, 'a person', ANA, 0],
    [150, 'a viewer', VIEWER, 'a yes', YES, 0, CHANGE],
    [150, 'a viewer', VIEWER, 'a yes that needs a token too', YES, 0, YES_ANEW],
    [150, 'a viewer', VIEWER, 'the same viewer', VIEWER, 61],
    [130, 'background work', WATCH, 'an assistant', AGENT, 0],
    [130, 'an assistant', AGENT, 'background work', WATCH, 61],
  ])('beside %i reads of %s (%o), %s (%o) waits %i s', async (count, _of, by, _call, who, seconds, over) => {
    const all = await flood(count, by);
    const took = await waited(who, over);
    expect(took).toBeGreaterThanOrEqual(seconds);
    expect(took).toBeLessThanOrEqual(seconds + 2);
    expect(up.hits.length).toBeGreaterThan(70);
    await client.close();
    await all.ended;
  });
});

test('in one class, actors take turns: 60 queued calls of one delay another by one call', async () => {
  const greedy = await flood(170, VIEWER);
  const others = ['ana', 'bo', 'cy'].flatMap((actor) =>
    Array.from({ length: 6 }, () => client.send(call(clock, { priority: 'person', actor, input: { actor } }))),
  );
  await pass(70);
  await Promise.all([...others, greedy.ended]);
  const urls = up.hits.map((hit) => hit.url);
  const lastOfOthers = urls.findLastIndex((url) => url.includes('actor='));
  expect(urls.slice(lastOfOthers).length).toBeGreaterThan(40);
});

test('shares by class; small limits keep nothing back, and no class has more than the one before it', () => {
  expect(sharesOf(120).map(({ limit }) => limit)).toEqual([120, 114, 100, 100, 88]);
  expect(sharesOf(120)[3]?.ownLimit).toBe(60);
  expect(sharesOf(1).map(({ limit }) => limit)).toEqual([1, 1, 1, 1, 1]);
  expect(sharesOf(5).map(({ limit }) => limit)).toEqual([5, 5, 5, 5, 5]);
  for (let limit = 1; limit <= 1000; limit += 1) {
    const limits = sharesOf(limit).map((share) => share.limit);
    for (let level = 1; level < limits.length; level += 1) {
      expect(limits[level]).toBeLessThanOrEqual(limits[level - 1] ?? 0);
      expect(limits[level]).toBeGreaterThanOrEqual(1);
    }
  }
});

describeEngines('over processes that share a window', (engine) => {
  let stores: TestStore;
  beforeEach(async () => {
    stores = await makeStore(engine, clock);
  });
  const process = async () =>
    makeClient(clock, up.url, { database: watched((await stores.open()).database('budget')) });

  test('an assistant of one leaves the people’s share to people of another, and 120 is the most of any 60 s', async () => {
    const [one, two] = [await process(), await process()];
    await one.token('/v1.0/thing', call(clock, { priority: 'background' }));
    await two.token('/v1.0/thing', call(clock, { priority: 'background' }));
    const all = [await flood(150, AGENT, one), await flood(150, OTHER_AGENT, two)];
    expect(await waited(ANA, {}, two)).toBe(0);
    expect(await waited(YES, CHANGE, one)).toBe(0);
    all.push(await flood(40, VIEWER, one), await flood(20, YES, two));
    await pass(250);
    await Promise.all(all.map((each) => each.ended));
    // The first token request is left out, because its client has a separate window.
    const times = [...up.hits, ...up.tokens.slice(1)].map((hit) => hit.at).sort((a, b) => a - b);
    const counts = times.map((from) => times.filter((at) => at >= from && at < from + 60_000).length);
    expect(Math.max(...counts)).toBeLessThanOrEqual(120);
    expect(times.length).toBe(150 + 150 + 2 + 60 + 2);
    expect(times.at(-1)).toBeGreaterThan(START + 120_000);
  });
});
