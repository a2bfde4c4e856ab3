import { beforeEach, expect, it } from 'vitest';
import type { BatchState } from '../../src/batches/states.ts';
import { BatchStore, type NewBatch } from '../../src/batches/store.ts';
import { createSeal } from '../../src/ledger/seal.ts';
import type { Actor } from '../../src/lib/actor.ts';
import { type Clock, DAY_MS, systemClock } from '../../src/lib/clock.ts';
import type { Store } from '../../src/store/types.ts';
import { describeEngines, makeStore, type TestStore } from '../support/stores.ts';

const KEPT_MS = 365 * DAY_MS;
const actor: Actor = { id: 'ana', name: 'ana', role: 'operator', surface: 'cli', priority: 'person' };
const batch: NewBatch = {
  operation: 'numbers_status',
  actor,
  shared: {},
  notes: undefined,
  rows: [{ line: 1, target: '+12015550101', said: {}, failure: undefined }],
};

describeEngines('batches', (engine) => {
  let now: number;
  let data: TestStore;
  let store: Store;
  let batches: BatchStore;
  /** Ids of the batches so far, so that none counts as a repeat. */
  let all: string[] = [];

  beforeEach(async () => {
    now = Date.parse('2026-01-01T00:00:00Z');
    const clock: Clock = { ...systemClock, now: () => now };
    data = await makeStore(engine, clock);
    store = data.store;
    const seal = createSeal(new Uint8Array(32));
    batches = new BatchStore({ db: store.database('ledger'), clock, seal, owner: 'one' });
  });

  async function batchIn(state: BatchState): Promise<string> {
    const { id } = await batches.createOnce(batch, all);
    all = [...all, id];
    if (state !== 'planning') expect(await batches.move(id, ['planning'], state)).toBe(true);
    return id;
  }

  const left = async () =>
    (await store.database('ledger').all<{ state: string }>('SELECT state FROM batches ORDER BY state')).map(
      ({ state }) => state,
    );

  it('of more than a year are deleted with their rows, and those that nobody confirmed a day later', async () => {
    for (const state of ['done', 'waiting', 'planned', 'running', 'planning'] as const) await batchIn(state);
    now += KEPT_MS - 1;
    await batches.deleteOld(KEPT_MS);
    expect(await left()).toHaveLength(5);
    now += 2;
    await batches.deleteOld(KEPT_MS);
    expect(await left()).toEqual(['planned', 'planning', 'running', 'waiting']);
    now += DAY_MS;
    await batches.deleteOld(KEPT_MS);
    expect(await left()).toEqual(['running']);
    const rows = await store.database('ledger').get<{ n: number }>('SELECT count(*) AS n FROM batch_rows');
    expect(rows?.n).toBe(1);
  });

  it('have rows that a late planner does not change once they are planned', async () => {
    const id = await batchIn('planning');
    const planned = (phone: string) => ({ asked: { shown: { Number: phone }, known: {}, consent: undefined } });
    await batches.found(id, 1, planned('+12015550101'));
    await batches.found(id, 1, planned('+12015550102'));
    expect((await batches.rows(id))[0]?.asked?.shown).toEqual({ Number: '+12015550101' });
  });

  it('of more than a year are deleted in several steps if there are many', async () => {
    for (let count = 0; count < 101; count += 1) await batchIn('stopped');
    now += KEPT_MS + 1;
    await batches.deleteOld(KEPT_MS);
    expect(await left()).toEqual([]);
  });
});
