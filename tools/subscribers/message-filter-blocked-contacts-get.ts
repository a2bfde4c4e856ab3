import { defineOperation } from '../../src/catalogue/operation.ts';
import { messageFilterId, out, seeded, subscriberId } from '../shared/fields.ts';

export default defineOperation({
  id: 'subscribers_message_filter_blocked_contacts_get',
  endpoint: 'GET /v1.0/subscribers/message-filter/blocked-contacts',
  title: 'Blocked message contacts',
  description: 'The block list of a message filter: contacts whose messages are dropped.',
  risk: 'read',
  batch: { not: 'one call takes many entries of one filter' },
  resend: true,
  source: 'I',
  beyondSpecification: true,
  notes: 'PLATFORM.md, Guardian filtering: the answer is a bare list of numbers',
  input: () => ({ SubscriberId: subscriberId, MessageFilterId: messageFilterId }),
  output: () => ({ Results: out.texts }),
  examples: [{ SubscriberId: seeded('TSUID'), MessageFilterId: seeded('MFID') }],
});
