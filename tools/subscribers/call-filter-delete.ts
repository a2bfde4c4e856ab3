import { defineOperation } from '../../src/catalogue/operation.ts';
import { callFilterId, out, seeded } from '../shared/fields.ts';
import { beforeDeletion, CALL_FILTER, deletionConsent } from '../shared/filters.ts';

export default defineOperation({
  id: 'subscribers_call_filter_delete',
  endpoint: 'POST /v1.0/subscribers/call-filter/delete',
  title: 'Delete a call filter',
  description:
    'Permanently deletes a call filter with its lists and keyword rules: the calls of its number are no longer filtered.',
  risk: 'destroy',
  resend: true,
  source: 'I',
  beyondSpecification: true,
  notes: 'PLATFORM.md, Guardian filtering',
  removes: 'CallFilterId',
  input: () => ({ CallFilterId: callFilterId }),
  before: beforeDeletion(CALL_FILTER, 'CallFilterId'),
  consent: ({ CallFilterId }, known) => deletionConsent(CALL_FILTER, CallFilterId, known),
  output: () => ({ FilterId: out.text, Status: out.text, DateDeleted: out.text }),
  examples: [{ CallFilterId: seeded('CFID') }],
});
