import { expect } from 'vitest';
import type { Json } from '../../support/world.ts';
import { has, type Rows } from './row.ts';

export const distributor: Rows = {
  distributor_subscribers_get: {
    answers: has({ TotalSubscribers: 2, Subscribers: [{ Name: 'Ava Stone' }, { Name: 'Ben Reed' }] }),
  },
  distributor_accounts_get: {
    answers: (result) =>
      expect(result.Results.map((row: Json) => row.AccountName)).toEqual(['Acme Mobile', 'Globex Family']),
  },
};
