import { defineOperation } from '../../src/catalogue/operation.ts';
import { accountId, e164, out, subscriberId } from '../shared/fields.ts';
import { filterSentences } from '../shared/filter-rules.ts';
import { callFilterRecord } from './call-filter-create.ts';

export default defineOperation({
  id: 'subscribers_call_filter_get',
  endpoint: 'GET /v1.0/subscribers/call-filter',
  title: 'Call filters',
  description:
    'Lists call filters with their lists, of a subscriber or a number; all of them without either. FilterId is the CallFilterId that adding and removing numbers need.',
  risk: 'read',
  resend: true,
  source: 'S+I',
  notes: 'PLATFORM.md, Guardian filtering: filter ids arrive as FilterId and are sent as CallFilterId',
  input: () => ({
    SubscriberId: subscriberId.optional(),
    Phone: e164.optional(),
    AccountId: accountId.optional(),
  }),
  output: () => ({ Results: out.rows(callFilterRecord) }),
  sentences: filterSentences('calls', {
    id: 'CallFilterId',
    block: 'subscribers_call_filter_blocked_numbers_add',
    unblock: 'subscribers_call_filter_blocked_numbers_remove',
  }),
  examples: [{ Phone: '+12015550101' }],
});
