import { defineOperation } from '../../src/catalogue/operation.ts';
import { CALL_FILTER, deletingFilter } from '../shared/filters.ts';

export default defineOperation({
  title: 'Delete a call filter',
  description: 'Permanently deletes a call filter with its lists and rules.',
  ...deletingFilter(CALL_FILTER),
});
