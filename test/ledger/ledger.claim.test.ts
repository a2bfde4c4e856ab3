import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FACES } from '../../src/gate/confirmation.ts';
import { Ledger, type NewAction } from '../../src/ledger/ledger.ts';
import { LATER } from '../../src/ledger/rows.ts';
import { createSeal } from '../../src/ledger/seal.ts';
import { Jobs } from '../../src/work/jobs.ts';
import { SILENCE } from '../support/later.ts';
import { newAction } from '../support/new-action.ts';
import { describeEngines, makeStore, type TestStore } from '../support/stores.ts';

const fresh = (): NewAction => newAction({ expiresAt: Date.now() + 60_000 });

const end = { from: ['in_flight' as const], fenced: true, state: 'done' as const, result: {} };

const by = (name: string) => ({ person: `token:${name}`, name, way: 'page' as const });

describeEngines('the ledger of two processes', (engine) => {
  let data: TestStore;
  let one: Ledger;
  let other: Ledger;
  const heirs = new Map<string, Jobs>();

  beforeEach(async () => {
    data = await makeStore(engine);
    const seal = createSeal(randomBytes(32));
    const open = async (owner: string) => {
      const store = await data.open();
      const database = store.database('ledger');
      heirs.set(owner, new Jobs({ database, clock: store.clock, owner }));
      return new Ledger({ db: database, seal, clock: store.clock, owner });
    };
    one = await open('one');
    other = await open('other');
  });
  afterEach(async () => {
    await one.close();
    await other.close();
  });

  /** Claims what a dead process has left to send. */
  const due = async (owner: string) => (await heirs.get(owner)?.claim({ [LATER.send]: 10 })) ?? [];

  it('gives the right to send once, to one process', async () => {
    const action = await one.create(fresh());
    expect(await one.claim(action.id)).toBeUndefined();
    const confirmed = await Promise.all([one.confirm(action.id, by('a')), other.confirm(action.id, by('b'))]);
    expect(confirmed.filter(Boolean)).toHaveLength(1);
    const claims = await Promise.all([other, one, one].map((ledger) => ledger.claim(action.id)));
    expect(claims.filter(Boolean)).toHaveLength(1);
  });

  it('asks once however many processes are asked at once', async () => {
    const created = await Promise.allSettled([one, other, one, other].map((ledger) => ledger.create(fresh())));
    expect(created.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('hands what a dead process left to one heir', async () => {
    const action = await one.create(fresh());
    await one.confirm(action.id, by('a'));
    const takeOver = () => other.takeOver(action.id, FACES.interrupted, false);
    expect(await due('other')).toEqual([]);
    expect(await takeOver()).toBeUndefined();
    await data.store.database('ledger').run(SILENCE);
    expect(await due('other')).toHaveLength(1);
    expect(await due('one')).toEqual([]);
    expect(await takeOver()).toMatchObject({ id: action.id, state: 'confirmed', owner: 'other' });
    // Its former owner only slept: the right to send it is gone.
    expect(await one.claim(action.id)).toBeUndefined();
    expect(await other.claim(action.id)).toMatchObject({ state: 'in_flight' });
    // Nor can it end it.
    expect(await one.settle(action.id, end)).toBeUndefined();
    expect(await other.settle(action.id, end)).toMatchObject({ state: 'done' });
  });

  it('does not let a process end what was taken over from it', async () => {
    const action = await one.create({ ...fresh(), state: 'in_flight' });
    expect(await one.claimedUntil(action.id)).toBeGreaterThan(Date.now());
    await data.store.database('ledger').run(SILENCE);
    expect(await due('other')).toHaveLength(1);
    // The claim is gone as soon as the other process looks at the action.
    expect(await one.claimedUntil(action.id)).toBeUndefined();
    expect(await other.takeOver(action.id, FACES.interrupted, false)).toMatchObject({ state: 'unknown' });
    expect(await one.claimedUntil(action.id)).toBeUndefined();
    expect(await one.settle(action.id, end)).toBeUndefined();
  });

  it('extends its claim while nobody else looks, and gets a new one if it was late itself', async () => {
    const action = await one.create({ ...fresh(), state: 'in_flight' });
    await data.store.database('ledger').run(SILENCE);
    expect(await one.claimedUntil(action.id)).toBeGreaterThan(Date.now());
    await data.store.database('ledger').run(SILENCE);
    expect(await due('one')).toHaveLength(1);
    expect(await one.takeOver(action.id, FACES.interrupted, true)).toBeUndefined();
    expect((await one.get(action.id))?.state).toBe('in_flight');
    expect(await due('other')).toEqual([]);
    expect(await one.claimedUntil(action.id)).toBeGreaterThan(Date.now());
  });

  it('keeps a secret for one taking, sealed, and redacts it in both processes', async () => {
    const action = await one.create({ ...fresh(), state: 'in_flight' });
    const keep = { operation: 'op', key: 'K', secret: 'hush-hush', known: { a: 1 }, expiresAt: Date.now() + 60_000 };
    await one.settle(action.id, { from: ['in_flight'], state: 'done', keep });
    expect(one.secrets()).toEqual(['hush-hush']);
    expect((await other.vault.find('op', 'K'))?.known).toEqual({ a: 1 });
    const taken = await Promise.all([one, other].map((ledger) => ledger.vault.take('op', 'K')));
    expect(taken.filter(Boolean)).toMatchObject([{ secret: 'hush-hush' }]);
    await other.ready();
    await one.vault.put({ ...keep, secret: 'other-secret' });
    await other.confirm('act_none', by('a'));
    expect(other.secrets()).toContain('other-secret');
  });
});
