import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Ledger, type NewAction } from '../../../src/gate/ledger/ledger.ts';
import { createSeal } from '../../../src/gate/ledger/seal.ts';
import { systemClock } from '../../../src/lib/clock.ts';

let folder: string;
let one: Ledger;
let other: Ledger;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchboard-ledger-'));
  const seal = createSeal(randomBytes(32));
  const open = (id: string, pid: number) =>
    new Ledger({ path: join(folder, 'ledger.db'), seal, clock: systemClock, owner: { id, pid, host: 'here' } });
  one = open('one', 1);
  other = open('other', 2);
});
afterEach(() => {
  one.close();
  other.close();
  rmSync(folder, { recursive: true, force: true });
});

const fresh = (): NewAction => ({
  operation: 'numbers_reactivate',
  actorId: 'test',
  actorName: 'test',
  surface: 'cli',
  state: 'pending',
  input: { PhoneNumber: '+12015550107' },
  shown: { PhoneNumber: '+12015550107' },
  known: {},
  consent: undefined,
  digest: 'digest',
  expiresAt: Date.now() + 60_000,
});

const by = (name: string) => ({ person: `token:${name}`, name, way: 'page' as const });

it('gives the right to send once, to one process', () => {
  const { action } = one.create(fresh());
  expect(one.claim(action.id)).toBe(false);
  expect([one.confirm(action.id, by('a')), other.confirm(action.id, by('b'))].filter(Boolean)).toHaveLength(1);
  expect([other.claim(action.id), one.claim(action.id), one.claim(action.id)]).toEqual([false, true, false]);
});

it('hands what a dead process left to one heir', () => {
  const { action } = one.create(fresh());
  one.confirm(action.id, by('a'));
  expect(other.orphans(60_000)).toEqual([]);
  expect(other.orphans(0).map(({ id }) => id)).toEqual([action.id]);
  expect(other.orphans(0)).toEqual([]);
  // Its former owner only slept: the right to send it is gone.
  expect(one.claim(action.id)).toBe(false);
  expect(other.claim(action.id)).toBe(true);
});

it('does not settle what is not in the state it was taken for', () => {
  const { action } = one.create(fresh());
  expect(one.settle(action.id, { from: ['in_flight'], state: 'done', result: {} })).toBe(false);
  expect(one.get(action.id)?.state).toBe('pending');
});

it('keeps a secret for one taking, sealed', () => {
  const { action } = one.create({ ...fresh(), state: 'in_flight' });
  const keep = { operation: 'op', key: 'K', secret: 'hush-hush', known: { a: 1 }, expiresAt: Date.now() + 60_000 };
  one.settle(action.id, { from: ['in_flight'], state: 'done', keep });
  expect(other.vault.find('op', 'K')?.known).toEqual({ a: 1 });
  expect(other.vault.take('op', 'K')?.secret).toBe('hush-hush');
  expect(one.vault.take('op', 'K')).toBeUndefined();
});
