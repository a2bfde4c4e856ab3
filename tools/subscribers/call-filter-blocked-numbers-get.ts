import { defineOperation } from '../../src/catalogue/operation.ts';
import { callFilterId, out, seeded, subscriberId } from '../shared/fields.ts';

export default defineOperation({
  id: 'subscribers_call_filter_blocked_numbers_get',
  endpoint: 'GET /v1.0/subscribers/call-filter/blocked-numbers',
  title: 'Blocked callers',
  description: 'The block list of a call filter. Calls from these numbers are dropped.',
  risk: 'read',
  batch: { not: 'one call takes many entries of one filter' },
  resend: true,
  source: 'I',
  beyondSpecification: true,
  notes: 'PLATFORM.md, Guardian filtering: the answer is a bare list of numbers',
  input: () => ({ SubscriberId: subscriberId, CallFilterId: callFilterId }),
  output: () => ({ Results: out.texts }),
  examples: [{ SubscriberId: seeded('TSUID'), CallFilterId: seeded('CFID') }],
});
