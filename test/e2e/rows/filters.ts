import { expect } from 'vitest';
import { type Json, seeded, TSUID } from '../../support/world.ts';
import { has, type Rows, type Run } from './row.ts';

const SOMEBODY = '+12015550199';

const callFilter = async (run: Run, more: Record<string, unknown> = {}) =>
  (
    await run('subscribers_call_filter_create', {
      SubscriberId: TSUID,
      Phone: seeded(1),
      FilterMode: 'BLACKLIST',
      BlockedNumbers: [SOMEBODY],
      AllowedNumbers: [SOMEBODY],
      ...more,
    })
  ).FilterId;
const messageFilter = async (run: Run, more: Record<string, unknown> = {}) =>
  (
    await run('subscribers_message_filter_create', {
      SubscriberId: TSUID,
      Phone: seeded(1),
      FilterMode: 'ADOLESCENT',
      BlockLinks: true,
      BlockedContacts: [SOMEBODY],
      AllowedContacts: [SOMEBODY],
      ...more,
    })
  ).FilterId;
const CallFilterId = async (run: Run) => ({ CallFilterId: await callFilter(run) });
const MessageFilterId = async (run: Run) => ({ MessageFilterId: await messageFilter(run) });

const onlyFilter = (list: string, part: object) => (after: Json) => {
  expect(after[list]).toHaveLength(1);
  expect(after[list][0]).toMatchObject(part);
};

/** Reading back, changing and removing call filters and message filters. */
export const filters: Rows = {
  subscribers_call_filter_allowed_numbers_get: {
    before: CallFilterId,
    answers: has({ Results: [SOMEBODY] }),
  },
  subscribers_call_filter_blocked_numbers_get: {
    before: CallFilterId,
    answers: has({ Results: [SOMEBODY] }),
  },
  subscribers_message_filter_allowed_contacts_get: {
    before: MessageFilterId,
    answers: has({ Results: [SOMEBODY] }),
  },
  subscribers_message_filter_blocked_contacts_get: {
    before: MessageFilterId,
    answers: has({ Results: [SOMEBODY] }),
  },
  subscribers_call_filter_update: {
    before: async (run) => ({ FilterId: await callFilter(run) }),
    answers: has({ ApplyToInbound: true, BlockedNumbers: [SOMEBODY] }),
    changes: onlyFilter('callFilters', { Blocked: [SOMEBODY], fields: { ApplyToInbound: true } }),
  },
  subscribers_message_filter_update: {
    before: async (run) => ({ FilterId: await messageFilter(run) }),
    answers: has({ ApplyToInbound: true, BlockLinks: true }),
    changes: onlyFilter('messageFilters', { FilterMode: 'ADOLESCENT', fields: { ApplyToInbound: true } }),
  },
  subscribers_call_filter_delete: {
    before: CallFilterId,
    answers: has({ Status: 'Deleted' }),
    changes: (after) => expect(after.callFilters).toEqual([]),
  },
  subscribers_message_filter_delete: {
    before: MessageFilterId,
    answers: has({ Status: 'Deleted' }),
    changes: (after) => expect(after.messageFilters).toEqual([]),
  },
  subscribers_call_filter_allowed_numbers_remove: {
    before: CallFilterId,
    answers: has({ AllowedNumbers: [] }),
    changes: onlyFilter('callFilters', { Allowed: [], Blocked: [SOMEBODY] }),
  },
  subscribers_message_filter_allowed_contacts_remove: {
    before: MessageFilterId,
    answers: has({ AllowedContacts: [] }),
    changes: onlyFilter('messageFilters', { Allowed: [], Blocked: [SOMEBODY] }),
  },
  subscribers_message_filter_blocked_contacts_remove: {
    before: MessageFilterId,
    answers: has({ BlockedContacts: [] }),
    changes: onlyFilter('messageFilters', { Allowed: [SOMEBODY], Blocked: [] }),
  },
};
