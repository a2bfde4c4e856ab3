import { expect } from 'vitest';
import { A1, type Json } from '../../support/world.ts';
import { has, invalid, type Rows } from './row.ts';

export const distributor: Rows = {
  distributor_subscribers_get: {
    answers: has({ TotalSubscribers: 2, Subscribers: [{ Name: 'Ava Stone' }, { Name: 'Ben Reed' }] }),
    refused: invalid({ PageNumber: 0 }, 'PageNumber'),
  },
  distributor_accounts_get: {
    answers: (result) =>
      expect(result.Results.map((row: Json) => row.AccountName)).toEqual(['Acme Mobile', 'Globex Family']),
    refused: invalid({ AccountId: A1 }, 'AccountId'),
  },
};
