import { expect } from 'vitest';
import { seeded } from '../../support/world.ts';
import { contains, has, number, one, type Rows } from './row.ts';

export const workflows: Rows = {
  numbers_lookup: {
    input: { PhoneNumber: seeded(1), Full: true },
    answers: (result) => {
      expect(result).toMatchObject({
        Number: { Number: seeded(1), Status: 'Active' },
        Subscriber: { Name: 'Ava Stone' },
        MessageRoute: { RouteName: 'Main SMS route' },
        VoiceRoute: { RouteName: 'Main SIP trunk' },
        DataLimits: { LimitValue: 20 },
        CallFilters: [],
      });
      expect(result).not.toHaveProperty('Missing');
    },
  },
  numbers_find: {
    input: { Query: 'Ben Reed' },
    answers: has({ Numbers: [{ Number: seeded(2), Status: 'Active', Account: 'Globex Family' }], Found: 1 }),
  },
  numbers_diagnose: {
    input: { PhoneNumber: seeded(7) },
    answers: has({ Findings: [{ Fix: { Tool: 'numbers_reactivate', Input: { PhoneNumber: seeded(7) } } }] }),
  },
  numbers_watch: {
    answers: (result) =>
      expect(result).toMatchObject({ PhoneNumber: seeded(3), Watched: true, Used: expect.any(String) }),
  },
  numbers_watches: {
    before: async (run) => {
      await run('numbers_watch', { PhoneNumber: seeded(5) });
      return {};
    },
    answers: contains(seeded(5)),
  },
  events_since: {
    before: async (run) => {
      await run('numbers_watch', { PhoneNumber: seeded(5) });
      return {};
    },
    input: { Since: '1h', Only: 'actions' },
    answers: (result) => expect(result.Actions.at(-1)).toMatchObject({ Operation: 'numbers_watch', State: 'done' }),
  },
  numbers_cancel: {
    input: one(4),
    answers: (result) => expect(result).toBeTypeOf('object'),
    changes: (after) => {
      expect(number(after, 4).Status).toBe('Cancelled - Pending Delete');
      // The request of the question was replaced by the one of the yes.
      expect(after.cancelOrders.at(-1).State).toBe('Complete');
    },
  },
};
