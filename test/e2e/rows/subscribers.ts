import { expect } from 'vitest';
import { seeded, TSUID } from '../../support/world.ts';
import { filters } from './filters.ts';
import { added, contains, has, matches, type Rows, type Run } from './row.ts';

const CALL_FILTER = {
  SubscriberId: TSUID,
  Phone: seeded(1),
  FilterMode: 'BLACKLIST',
  BlockedNumbers: ['+12015550198'],
};
const MESSAGE_FILTER = { SubscriberId: TSUID, Phone: seeded(1), FilterMode: 'ADOLESCENT', BlockLinks: true };
const callFilter = async (run: Run) => ({
  CallFilterId: (await run('subscribers_call_filter_create', CALL_FILTER)).FilterId,
});
const messageFilter = async (run: Run) => ({
  MessageFilterId: (await run('subscribers_message_filter_create', MESSAGE_FILTER)).FilterId,
});

export const subscribers: Rows = {
  subscribers_create: {
    answers: matches('SubscriberId', /^TSUID-/),
    changes: (after, result, before) =>
      expect(added(after, before, 'subscribers')).toMatchObject({
        SubscriberId: result.SubscriberId,
        Name: 'Dana Fox',
      }),
  },
  subscribers_get: {
    answers: contains('Ava Stone'),
  },
  subscribers_guardian_features_set: {
    changes: (after) =>
      expect(after.subscribers[0]).toMatchObject({
        EnableIntelligentGuardianCalls: true,
        EnableIntelligentGuardianMessages: true,
      }),
  },
  subscribers_guardian_features_get: {
    answers: has({ EnableIntelligentGuardianCalls: false }),
  },
  subscribers_call_filter_create: {
    input: CALL_FILTER,
    answers: (result) => expect(result.FilterId).toBeTruthy(),
    changes: (after, result, before) =>
      expect(added(after, before, 'callFilters')).toMatchObject({
        FilterId: result.FilterId,
        Blocked: ['+12015550198'],
      }),
  },
  subscribers_call_filter_get: {
    before: async (run) => {
      await callFilter(run);
      return {};
    },
    answers: contains('+12015550198'),
  },
  subscribers_call_filter_allowed_numbers_add: {
    before: callFilter,
    changes: (after) => expect(after.callFilters[0].Allowed).toEqual(['+12015550199']),
  },
  subscribers_call_filter_blocked_numbers_add: {
    before: callFilter,
    changes: (after) => expect(after.callFilters[0].Blocked).toEqual(['+12015550198', '+12015550199']),
  },
  subscribers_call_filter_blocked_numbers_remove: {
    input: { SubscriberId: TSUID, Numbers: ['+12015550198'] },
    before: callFilter,
    changes: (after) => expect(after.callFilters[0].Blocked).toEqual([]),
  },
  subscribers_message_filter_create: {
    input: MESSAGE_FILTER,
    answers: (result) => expect(result.FilterId).toBeTruthy(),
    changes: (after, result, before) =>
      expect(added(after, before, 'messageFilters')).toMatchObject({
        FilterId: result.FilterId,
        FilterMode: 'ADOLESCENT',
      }),
  },
  subscribers_message_filter_allowed_contacts_add: {
    before: messageFilter,
    changes: (after) => expect(after.messageFilters[0].Allowed).toEqual(['+12015550199']),
  },
  subscribers_message_filter_blocked_contacts_add: {
    before: messageFilter,
    changes: (after) => expect(after.messageFilters[0].Blocked).toEqual(['+12015550199']),
  },
  subscribers_message_filter_get: {
    before: async (run) => {
      await messageFilter(run);
      return {};
    },
    answers: has({ Results: [{ SubscriberId: TSUID, FilterMode: 'ADOLESCENT', BlockLinks: true }] }),
    changes: (after) => expect(after.messageFilters).toHaveLength(1),
  },
  subscribers_update: {
    answers: has({ SubscriberId: TSUID, Name: 'Ava Stone-Reed', Role: 'Subscriber' }),
    changes: (after) => expect(after.subscribers[0].Name).toBe('Ava Stone-Reed'),
  },
  ...filters,
};
