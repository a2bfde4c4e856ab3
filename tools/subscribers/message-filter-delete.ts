import { defineOperation } from '../../src/catalogue/operation.ts';
import { messageFilterId, out } from '../shared/fields.ts';
import { deletionConsent, lookAtFilter, MESSAGE_FILTER } from '../shared/filters.ts';

export default defineOperation({
  endpoint: 'POST /v1.0/subscribers/message-filter/delete',
  title: 'Delete a message filter',
  description:
    'Permanently deletes a message filter with its lists and rules. To pause it: subscribers_message_filter_update with FilterMode INACTIVE.',
  risk: 'destroy',
  resend: true,
  source: 'I',
  notes: 'PLATFORM.md, Guardian filtering',
  removes: 'MessageFilterId',
  input: () => ({ MessageFilterId: messageFilterId }),
  before: (input, look) => lookAtFilter(MESSAGE_FILTER, 'MessageFilterId', input, look),
  consent: ({ MessageFilterId }) => deletionConsent(MESSAGE_FILTER, MessageFilterId),
  output: () => ({ FilterId: out.text, Status: out.text, DateDeleted: out.text }),
});
