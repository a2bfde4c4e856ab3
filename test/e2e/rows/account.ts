import { expect } from 'vitest';
import { CRID, id } from '../../support/world.ts';
import { added, contains, has, invalid, matches, type Rows } from './row.ts';

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
    refused: invalid({ Filter: 'some' }, 'Filter'),
  },
};
