import { defineOperation } from '../../src/catalogue/operation.ts';
import { callFilterId } from '../shared/fields.ts';
import { CALL_FILTER, deletingFilter } from '../shared/filters.ts';

export default defineOperation({
  endpoint: 'POST /v1.0/subscribers/call-filter/delete',
  title: 'Delete a call filter',
  description: 'Permanently deletes a call filter with its lists and rules.',
  ...deletingFilter(CALL_FILTER),
  removes: 'CallFilterId',
  input: () => ({ CallFilterId: callFilterId }),
});
