import { defineOperation } from '../../src/catalogue/operation.ts';
import { accountId, e164, out, subscriberId } from '../shared/fields.ts';
import { callFilterRecord } from './call-filter-create.ts';

export default defineOperation({
  endpoint: 'GET /v1.0/subscribers/call-filter',
  title: 'Call filters',
  description:
    'Lists call filters with their lists, of a subscriber, a number or all. FilterId is the CallFilterId of its lists.',
  source: 'S+I',
  notes: 'PLATFORM.md, Guardian filtering: filter ids arrive as FilterId and are sent as CallFilterId',
  input: () => ({
    SubscriberId: subscriberId.optional(),
    Phone: e164.optional(),
    AccountId: accountId.optional(),
  }),
  output: () => ({ Results: out.rows(callFilterRecord) }),
  examples: [{ Phone: '+12015550101' }],
});
