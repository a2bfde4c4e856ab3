import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { createMemoryWindow } from '../../src/platform/window.ts';
import { SharedWindow } from '../../src/store/budget/shared-window.ts';
import { openStore } from '../../src/store/open.ts';
import type { Database } from '../../src/store/types.ts';
import { storeUnavailable } from '../../src/store/unavailable.ts';
import type { Ask, Full, LaneState, Window } from '../../src/store/window.ts';
import { FakeClock, START } from '../support/clock.ts';
import { describeEngines, makeStore, type TestStore } from '../support/stores.ts';
import { until } from '../support/until.ts';

const ASK: Ask = { lane: 'shared', level: 0, limit: 3, holdMs: 90_000, calls: 1 };

/** Takes a place, and waits for the store where the window has to ask it. */
async function take(window: Window, over: Partial<Ask> = {}): Promise<{ id: string } | Full> {
  for (;;) {
    const taken = window.take({ ...ASK, ...over });
    if (!('leasing' in taken)) return taken;
    const full = await taken.leasing;
    if (full) return full;
  }
}

async function takeId(window: Window, over: Partial<Ask> = {}): Promise<string> {
  const taken = await take(window, over);
  if (!('id' in taken)) throw new Error(`no place; the next is free at ${taken.freeAt}`);
  return taken.id;
}

/** How many places it gives at once. */
async function takeMany(window: Window, over: Partial<Ask> = {}): Promise<number> {
  for (let n = 0; ; n += 1) if (!('id' in (await take(window, over)))) return n;
}

/** A database that can be made to fail. */
function interruptible(database: Database): Database & { isAway: boolean } {
  const reach = () => {
    if (made.isAway) throw storeUnavailable(new Error('the test stopped it'));
    return database;
  };
  const made: Database & { isAway: boolean } = {
    isAway: false,
    engine: database.engine,
    ready: () => database.ready(),
    run: async (sql, ...values) => reach().run(sql, ...values),
    get: async (sql, ...values) => reach().get(sql, ...values),
    all: async (sql, ...values) => reach().all(sql, ...values),
    transaction: async (work) => reach().transaction(work),
    onOtherWrites: (listener) => database.onOtherWrites(listener),
  };
  return made;
}

/** Behaviour that both kinds of window have. */
function windowTests(make: (clock: Clock) => Promise<Window>): void {
  it('gives no more places than the limit, and says when the next falls free', async () => {
    const window = await make(new FakeClock());
    expect(await takeMany(window)).toBe(3);
    const full = await take(window);
    expect('freeAt' in full && full.freeAt).toBeGreaterThanOrEqual(START + 90_000);
    expect('freeAt' in full && full.freeAt).toBeLessThanOrEqual(START + 91_000);
    expect(await window.held('shared')).toBe(3);
    expect(await window.held('other')).toBe(0);
  });

  it('counts lanes apart', async () => {
    const window = await make(new FakeClock());
    await takeId(window, { lane: 'provision', limit: 1 });
    await takeId(window, { lane: 'portin', limit: 1 });
    expect(await take(window, { lane: 'provision', limit: 1 })).toHaveProperty('freeAt');
  });

  it('frees a place at the moment its release names, and not before', async () => {
    const clock = new FakeClock();
    const window = await make(clock);
    window.release(await takeId(window, { limit: 1 }), START + 60_000);
    clock.advance(59_999);
    expect(await take(window, { limit: 1 })).toEqual({ freeAt: START + 60_000 });
    clock.advance(1);
    await takeId(window, { limit: 1 });
  });

  it('waits for more than one place after the limit was lowered', async () => {
    const clock = new FakeClock();
    const window = await make(clock);
    const [first, second] = [await takeId(window, { limit: 2 }), await takeId(window, { limit: 2 })];
    window.release(first, START + 1000);
    window.release(second, START + 2000);
    expect(await take(window, { limit: 2 })).toEqual({ freeAt: START + 1000 });
    expect(await take(window, { limit: 1 })).toEqual({ freeAt: START + 2000 });
  });

  it('frees what a lost release left, when its hold is over', async () => {
    const clock = new FakeClock();
    const window = await make(clock);
    await takeId(window, { limit: 1 });
    clock.advance(91_000);
    await takeId(window, { limit: 1 });
    expect(await window.held('shared')).toBe(1);
  });
}

describe('a window in memory', () => windowTests(async (clock) => createMemoryWindow(clock)));

describeEngines('a window over processes', (engine) => {
  let clock: FakeClock;
  let stores: TestStore;
  const opened: SharedWindow[] = [];
  beforeEach(async () => {
    clock = new FakeClock();
    stores = await makeStore(engine, clock);
  });
  afterEach(async () => {
    for (const window of opened.splice(0)) await window.close();
    await stores.remove();
  });

  /** Another process. */
  async function open(over: { clock?: Clock; database?: Database } = {}): Promise<SharedWindow> {
    const own = over.clock ?? clock;
    const database = over.database ?? (await stores.open(own)).database('budget');
    const window = new SharedWindow({ clock: own, log: () => undefined, ...over, database });
    opened.push(window);
    return window;
  }

  const rows = () =>
    stores.store.database('budget').all<{ id: string; at: number }>('SELECT id, free_at AS at FROM places');

  windowTests(async (own) => {
    await stores.remove();
    stores = await makeStore(engine, own);
    return await open({ clock: own });
  });

  it('keeps one limit over two processes', async () => {
    const both = [await open(), await open()] as const;
    let taken = 0;
    for (let n = 0; n < 130; n += 1) if ('id' in (await take(both[n % 2 === 0 ? 0 : 1], { limit: 100 }))) taken += 1;
    expect(taken).toBe(100);
    expect(await both[0].held('shared')).toBe(100);
    expect(await both[1].held('shared')).toBe(100);
  });

  it('leases a sixteenth of what is free, uses it without a write, and gives the rest back after a second', async () => {
    const window = await open();
    await takeId(window, { limit: 120 });
    expect(await rows()).toHaveLength(7);
    expect(await window.held('shared')).toBe(1);
    for (let n = 0; n < 6; n += 1) expect(window.take({ ...ASK, limit: 120 })).toHaveProperty('id');
    const more = window.take({ ...ASK, limit: 120 });
    if (!('leasing' in more)) throw new Error('there was a place left of the first lease');
    // The lease is in the process only once it was answered.
    await more.leasing;
    expect(await rows()).toHaveLength(14);
    clock.advance(1000);
    expect(
      await until(
        async () => (await rows()).length,
        (n) => n === 7,
      ),
    ).toBe(7);
  });

  it('uses a lease for its own level and more urgent ones, not for a less urgent one', async () => {
    const window = await open();
    await takeId(window, { level: 2, limit: 64 });
    expect(window.take({ ...ASK, level: 0, limit: 64 })).toHaveProperty('id');
    expect(window.take({ ...ASK, level: 3, limit: 64 })).toHaveProperty('leasing');
  });

  it.each([
    ['was suspended for a second and more', (wall: number) => ({ wall: wall + 5000, ran: 10 })],
    ['had its clock set back', (wall: number) => ({ wall: wall - 60_000, ran: 10 })],
    ['had its clock set back by as much as it slept', (wall: number) => ({ wall, ran: 1500 })],
    ['was suspended for half a second', (wall: number) => ({ wall: wall + 500, ran: 10 })],
  ])('does not use a lease after the machine %s', async (_name, moved) => {
    const at = { wall: START, ran: 0 };
    const own: Clock = {
      now: () => at.wall,
      monotonic: () => at.ran,
      setTimeout: () => undefined,
      clearTimeout: () => undefined,
    };
    const window = await open({ clock: own });
    await takeId(window, { limit: 64 });
    expect(window.take({ ...ASK, limit: 64 })).toHaveProperty('id');
    Object.assign(at, moved(START));
    expect(window.take({ ...ASK, limit: 64 })).toHaveProperty('leasing');
  });

  it('leaves places to more urgent calls that wait in another process, and forgets them after two seconds', async () => {
    const [calm, urgent] = [await open(), await open()];
    const used: string[] = [];
    for (let n = 0; n < 20; n += 1) used.push(await takeId(calm, { level: 4, limit: 20 }));
    expect(await take(urgent, { level: 2, limit: 20, calls: 3 })).toHaveProperty('freeAt');
    for (const id of used.slice(0, 5)) calm.release(id, clock.now());
    expect(await takeMany(calm, { level: 4, limit: 20 })).toBe(2);
    expect(await takeMany(urgent, { level: 2, limit: 20 })).toBe(3);
    for (const id of used.slice(5, 8)) calm.release(id, clock.now());
    expect(await take(urgent, { level: 2, limit: 17, calls: 3 })).toHaveProperty('freeAt');
    expect(await takeMany(calm, { level: 4, limit: 20 })).toBe(0);
    clock.advance(2001);
    expect(await takeMany(calm, { level: 4, limit: 20 })).toBe(3);
  });

  it('has equal parts for processes that wait with calls of one level', async () => {
    const windows = [await open(), await open(), await open()] as const;
    for (let n = 0; n < 30; n += 1) windows[0].release(await takeId(windows[0], { limit: 30 }), START + 60_000);
    clock.advance(59_000);
    for (const window of windows) expect(await take(window, { limit: 30, calls: 50 })).toHaveProperty('freeAt');
    clock.advance(1000);
    const taken = [];
    for (const window of windows) taken.push(await takeMany(window, { limit: 30, calls: 50 }));
    expect(taken).toEqual([10, 10, 10]);
  });

  it('a 429 pauses the lane in every process, and one process probes after it', async () => {
    const [one, two, three] = [await open(), await open(), await open()];
    const heard: LaneState[] = [];
    for (const window of [one, two, three]) await takeId(window, { limit: 100 });
    let isThreeTold = false;
    two.onState('shared', (state) => heard.push(state));
    three.onState('shared', (state) => {
      isThreeTold ||= state.isDoubtful;
    });
    one.pause('shared', START + 60_000);
    // SQLite looks for other processes' writes four times a second.
    await until(() => {
      clock.advance(1);
      return isThreeTold && heard.some((state) => state.isDoubtful);
    });
    expect(heard.at(-1)?.pausedUntil).toBeGreaterThanOrEqual(START + 60_000);
    const paused = await take(three, { limit: 100 });
    expect('freeAt' in paused && paused.freeAt).toBeGreaterThanOrEqual(START + 60_000);
    clock.advance(START + 60_001 - clock.now());
    await takeId(three, { limit: 100 });
    expect(await take(three, { limit: 100 })).toHaveProperty('freeAt');
    expect(await take(two, { limit: 100 })).toHaveProperty('freeAt');
    // It got no answer: the next one probes, and that is answered.
    three.probed('shared', false);
    await until(async () => 'id' in (await take(two, { limit: 100 })));
    expect(await take(one, { limit: 100 })).toHaveProperty('freeAt');
    two.probed('shared', true);
    expect(await takeMany(two, { limit: 20 })).toBeGreaterThan(1);
  });

  it('while the store is away, a process uses its part of what others did not hold, and writes it when it is back', async () => {
    const database = interruptible((await stores.open()).database('budget'));
    const [window, other] = [await open({ database }), await open()];
    for (let n = 0; n < 40; n += 1) await takeId(other, { limit: 40 });
    await takeId(window, { limit: 100 });
    // Both have said that they are alive.
    await until(async () => (await stores.store.database('budget').all('SELECT id FROM processes')).length === 2);
    clock.advance(2000);
    await window.held('shared');
    database.isAway = true;
    // (100 - 40) / 2, one of which it held before.
    expect(await takeMany(window, { limit: 100 })).toBe(29);
    expect(await other.held('shared')).toBeLessThan(50);
    expect(await window.held('shared')).toBe(70);
    database.isAway = false;
    clock.advance(1000);
    await until(async () => (await other.held('shared')) === 70);
    let more = 0;
    await until(async () => {
      more += await takeMany(window, { limit: 100 });
      return more > 0;
    });
    expect(more).toBe(30);
  });

  it('a process that never reached the store takes nothing', async () => {
    const database = interruptible((await stores.open()).database('budget'));
    database.isAway = true;
    expect(await take(await open({ database }))).toHaveProperty('freeAt');
  });

  it('a closed window leaves its used places, and no process and no lease', async () => {
    const window = await open();
    const id = await takeId(window, { limit: 100 });
    window.release(id, START + 60_000);
    await window.close();
    expect(await rows()).toEqual([{ id, at: START + 60_000 }]);
    expect(await stores.store.database('budget').all('SELECT id FROM processes')).toEqual([]);
  });

  test.runIf(engine === 'postgres')(
    'processes whose clocks differ by a minute agree when a place is free',
    async () => {
      const shifted = (ms: number): Clock => ({ ...systemClock, now: () => Date.now() + ms });
      const process = async (own: Clock) => {
        const store = await openStore({ url: stores.url, file: () => '', clock: own, log: () => undefined });
        return { window: await open({ clock: own, database: store.database('budget') }), store, now: () => own.now() };
      };
      const [behind, right] = [await process(shifted(-60_000)), await process(systemClock)];
      const id = await takeId(behind.window, { limit: 1 });
      const dueMs = 4_000;
      behind.window.release(id, behind.now() + dueMs);
      const begun = performance.now();
      await behind.window.held('shared');
      const full = await take(right.window, { limit: 1 });
      const left = 'freeAt' in full ? full.freeAt - right.now() : 0;
      // A clock that was not corrected would be a minute off; a query on a busy machine, a moment.
      expect(Math.abs(left - (dueMs - (performance.now() - begun)))).toBeLessThan(2_000);
      await until(async () => 'id' in (await take(right.window, { limit: 1 })));
      expect(performance.now() - begun).toBeGreaterThanOrEqual(dueMs - 1);
      for (const { window, store } of [behind, right]) {
        await window.close();
        await store.close();
      }
    },
  );
});
