import { expect } from 'vitest';
import { A1, CRID, id } from '../../support/world.ts';
import { added, contains, has, matches, type Rows } from './row.ts';

export const account: Rows = {
  account_create: {
    answers: matches('AccountId', /^AID-/),
    changes: (after, result, before) =>
      expect(added(after, before, 'accounts')).toMatchObject({
        AccountId: result.AccountId,
        AccountName: 'Northwind Mobile',
      }),
  },
  account_voice_routes_get: {
    answers: contains(CRID),
  },
  account_subscriptions_get: {
    answers: has({ TotalSubscriptions: 1, Results: [{ PackageId: id('PKID', 1), Active: true }] }),
  },
  account_get: { answers: has({ AccountId: A1, AccountName: 'Acme Mobile', TotalSubscribers: 1 }) },
  account_update: {
    answers: has({ AccountId: A1, BillingAddress: { Street1: '2 Main St', City: 'Heber', Zip: '84032' } }),
    changes: (after) => expect(after.accounts[0].BillingAddress).toMatchObject({ Street1: '2 Main St' }),
  },
  account_workgroups_get: {
    answers: (result) =>
      expect(result.Workgroups).toEqual([
        { WorkgroupId: id('WID', 1), Name: 'Front desk', Type: 'simultaneous', Active: true },
      ]),
  },
};
