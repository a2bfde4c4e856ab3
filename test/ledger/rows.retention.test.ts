import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { auditEntries } from '../../src/ledger/action.ts';
import { Ledger, type NewAction } from '../../src/ledger/ledger.ts';
import { createSeal } from '../../src/ledger/seal.ts';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import type { Store } from '../../src/store/types.ts';
import { newAction } from '../support/new-action.ts';
import { describeEngines, makeStore, type TestStore } from '../support/stores.ts';

const DAY_MS = 86_400_000;
const KEPT_MS = 365 * DAY_MS;

const fresh = (digits: number, state: NewAction['state'] = 'in_flight'): NewAction =>
  newAction({ state, shown: { PhoneNumber: `+1201555${digits}` }, given: { digits } });

describeEngines('a ledger of more than a year', (engine) => {
  let now: number;
  let data: TestStore;
  let store: Store;
  let ledger: Ledger;

  beforeEach(async () => {
    now = Date.parse('2026-01-01T00:00:00Z');
    const clock: Clock = { ...systemClock, now: () => now };
    data = await makeStore(engine, clock);
    store = data.store;
    ledger = new Ledger({ db: store.database('ledger'), seal: createSeal(randomBytes(32)), clock, owner: 'one' });
  });
  afterEach(() => ledger.close());

  async function done(digits: number): Promise<string> {
    const action = await ledger.create(fresh(digits));
    await ledger.settle(action.id, { from: ['in_flight'], state: 'done', result: { OrderId: `JNUOID-${digits}` } });
    return action.id;
  }

  it('deletes what ended longer ago, and nothing that is open', async () => {
    for (let digits = 1000; digits < 1250; digits += 1) await done(digits);
    const pending = await ledger.create(fresh(2000, 'pending'));
    const unknown = await ledger.create(fresh(2001));
    await ledger.settle(unknown.id, { from: ['in_flight'], state: 'unknown' });
    now += KEPT_MS - DAY_MS;
    const recent = await done(3000);
    expect(await ledger.deleteOld(KEPT_MS)).toBe(0);
    now += 2 * DAY_MS;
    expect(await ledger.deleteOld(KEPT_MS)).toBe(250);
    const left = await ledger.list({ limit: 500 });
    expect(left.map(({ id }) => id).sort()).toEqual([pending.id, unknown.id, recent].sort());
    expect(await ledger.about('+12015551000')).toEqual([]);
    expect(await ledger.about('JNUOID-3000')).toHaveLength(1);
    expect((await ledger.counts()).sort((a, b) => (a.state < b.state ? -1 : 1))).toEqual([
      { state: 'pending', n: 1 },
      { state: 'unknown', n: 1 },
    ]);
    const names = await store.database('ledger').get<{ n: number }>('SELECT count(*) AS n FROM action_names');
    expect(names?.n).toBe(4);
  });

  it('keeps the whole audit trail, and reads it page by page', async () => {
    for (let digits = 1000; digits < 1600; digits += 1) await done(digits);
    const first = now;
    now += 2 * KEPT_MS;
    await ledger.deleteOld(KEPT_MS);
    await done(9000);
    const read = async (from: number, until: number) => {
      const pages: number[] = [];
      for await (const lines of auditEntries(store.database('ledger'), { from, until })) pages.push(lines.length);
      return pages;
    };
    expect(await read(0, Number.MAX_SAFE_INTEGER)).toEqual([1000, 202]);
    expect(await read(first + 1, now)).toEqual([2]);
    expect(await read(0, first)).toEqual([1000, 200]);
  });
});
