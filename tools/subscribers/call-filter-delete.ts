import { defineOperation } from '../../src/catalogue/operation.ts';
import { callFilterId, out } from '../shared/fields.ts';
import { CALL_FILTER, deletionConsent, lookAtFilter } from '../shared/filters.ts';

export default defineOperation({
  endpoint: 'POST /v1.0/subscribers/call-filter/delete',
  title: 'Delete a call filter',
  description: 'Permanently deletes a call filter with its lists and rules.',
  risk: 'destroy',
  resend: true,
  source: 'I',
  notes: 'PLATFORM.md, Guardian filtering',
  removes: 'CallFilterId',
  input: () => ({ CallFilterId: callFilterId }),
  before: (input, look) => lookAtFilter(CALL_FILTER, 'CallFilterId', input, look),
  consent: ({ CallFilterId }) => deletionConsent(CALL_FILTER, CallFilterId),
  output: () => ({ FilterId: out.text, Status: out.text, DateDeleted: out.text }),
});
