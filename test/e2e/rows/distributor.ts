import { has, invalid, type Rows } from './row.ts';

export const distributor: Rows = {
  distributor_subscribers_get: {
    answers: has({ TotalSubscribers: 2, Subscribers: [{ Name: 'Ava Stone' }, { Name: 'Ben Reed' }] }),
    refused: invalid({ PageNumber: 0 }, 'PageNumber'),
  },
};
