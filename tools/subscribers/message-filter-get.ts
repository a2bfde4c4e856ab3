import { defineOperation } from '../../src/catalogue/operation.ts';
import { accountId, e164, out, subscriberId } from '../shared/fields.ts';
import { filterSentences } from '../shared/filter-rules.ts';
import { messageFilterRecord } from './message-filter-create.ts';

export default defineOperation({
  id: 'subscribers_message_filter_get',
  endpoint: 'GET /v1.0/subscribers/message-filter',
  title: 'Message filters',
  description: 'Lists message filters of a subscriber or a number. FilterId is the MessageFilterId of the other calls.',
  risk: 'read',
  resend: true,
  source: 'I',
  beyondSpecification: true,
  notes: 'PLATFORM.md, Guardian filtering: filter ids arrive as FilterId and are sent as MessageFilterId',
  input: () => ({
    SubscriberId: subscriberId.optional(),
    Phone: e164.optional(),
    AccountId: accountId.optional(),
  }),
  output: () => ({ Results: out.rows(messageFilterRecord) }),
  sentences: filterSentences('messages', {
    id: 'MessageFilterId',
    block: 'subscribers_message_filter_blocked_contacts_add',
    unblock: 'subscribers_message_filter_blocked_contacts_remove',
  }),
  examples: [{ Phone: '+12015550101' }],
});
