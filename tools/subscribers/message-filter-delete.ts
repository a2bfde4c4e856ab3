import { defineOperation } from '../../src/catalogue/operation.ts';
import { deletingFilter, MESSAGE_FILTER } from '../shared/filters.ts';

export default defineOperation({
  title: 'Delete a message filter',
  description:
    'Permanently deletes a message filter with its lists and rules. To pause it: subscribers_message_filter_update with FilterMode INACTIVE.',
  ...deletingFilter(MESSAGE_FILTER),
});
