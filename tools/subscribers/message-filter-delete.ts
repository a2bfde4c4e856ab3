import { defineOperation } from '../../src/catalogue/operation.ts';
import { messageFilterId, out, seeded } from '../shared/fields.ts';
import { beforeDeletion, deletionConsent, MESSAGE_FILTER } from '../shared/filters.ts';

export default defineOperation({
  id: 'subscribers_message_filter_delete',
  endpoint: 'POST /v1.0/subscribers/message-filter/delete',
  title: 'Delete a message filter',
  description:
    'Permanently deletes a message filter with its lists and keyword rules: messages are no longer filtered. To pause it instead: subscribers_message_filter_update with FilterMode INACTIVE.',
  risk: 'destroy',
  resend: true,
  source: 'I',
  beyondSpecification: true,
  notes: 'PLATFORM.md, Guardian filtering',
  removes: 'MessageFilterId',
  input: () => ({ MessageFilterId: messageFilterId }),
  before: beforeDeletion(MESSAGE_FILTER, 'MessageFilterId'),
  consent: ({ MessageFilterId }, known) => deletionConsent(MESSAGE_FILTER, MessageFilterId, known),
  output: () => ({ FilterId: out.text, Status: out.text, DateDeleted: out.text }),
  examples: [{ MessageFilterId: seeded('MFID') }],
});
