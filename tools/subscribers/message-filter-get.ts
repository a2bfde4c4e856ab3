import { defineOperation } from '../../src/catalogue/operation.ts';
import { accountId, e164, out, subscriberId } from '../shared/fields.ts';
import { messageFilterRecord } from './message-filter-create.ts';

export default defineOperation({
  endpoint: 'GET /v1.0/subscribers/message-filter',
  title: 'Message filters',
  description: 'Lists message filters of a subscriber or a number. FilterId is the MessageFilterId of the other calls.',
  notes: 'PLATFORM.md, Guardian filtering: filter ids arrive as FilterId and are sent as MessageFilterId',
  input: () => ({
    SubscriberId: subscriberId.optional(),
    Phone: e164.optional(),
    AccountId: accountId.optional(),
  }),
  output: () => ({ Results: out.rows(messageFilterRecord) }),
  examples: [{ Phone: '+12015550101' }],
});
