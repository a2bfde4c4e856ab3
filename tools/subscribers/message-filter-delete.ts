import { defineOperation } from '../../src/catalogue/operation.ts';
import { messageFilterId } from '../shared/fields.ts';
import { deletingFilter, MESSAGE_FILTER } from '../shared/filters.ts';

export default defineOperation({
  endpoint: 'POST /v1.0/subscribers/message-filter/delete',
  title: 'Delete a message filter',
  description:
    'Permanently deletes a message filter with its lists and rules. To pause it: subscribers_message_filter_update with FilterMode INACTIVE.',
  ...deletingFilter(MESSAGE_FILTER),
  removes: 'MessageFilterId',
  input: () => ({ MessageFilterId: messageFilterId }),
});
