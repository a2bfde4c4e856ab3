import { expect, it } from 'vitest';
import type { Gate } from '../../src/gate/gate.ts';
import { RecordSearch } from '../../src/language/records.ts';
import type { Actor } from '../../src/lib/actor.ts';
import { tools } from '../../tools/index.ts';

const approver: Actor = { id: 'bob', name: 'Bob', role: 'approver', surface: 'page', priority: 'person' };

const LISTS: Readonly<Record<string, object>> = {
  account_workgroups_get: { Workgroups: [{ WorkgroupId: 'WID-1', Name: 'Heber Office', Type: 'IVR' }] },
  distributor_subscribers_get: { Subscribers: [{ SubscriberId: 'TSUID-1', Name: 'Ava Stone' }], TotalSubscribers: 1 },
  distributor_accounts_get: { Results: [{ AccountId: 'AID-1', AccountName: 'Acme Mobile' }] },
};

it.each([
  ['heber office', 'workgroup', 'WID-1'],
  ['acme', 'workgroup', undefined],
  ['ava', 'workgroup', undefined],
  ['heber office', undefined, undefined],
  ['acme', undefined, 'AID-1'],
])('finds the record of a kind that a name means: %s as %s', async (name, noun, id) => {
  const gate = { perform: async (operation: string) => ({ kind: 'done', value: LISTS[operation] ?? {} }) };
  const search = new RecordSearch(gate as unknown as Pick<Gate, 'perform'>, tools, Date.now);
  expect((await search.accountNamed(name, approver, noun))?.value).toBe(id);
});
