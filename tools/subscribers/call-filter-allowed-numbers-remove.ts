import { defineOperation } from '../../src/catalogue/operation.ts';
import { callFilterId, e164List, out, seeded, subscriberId } from '../shared/fields.ts';
import { beforeRemoval, CALL_FILTER, disallowConsent, duringUpdate, listEffects } from '../shared/filters.ts';

export default defineOperation({
  id: 'subscribers_call_filter_allowed_numbers_remove',
  endpoint: 'POST /v1.0/subscribers/call-filter/allowed-numbers/remove',
  title: 'Take callers off the allow list',
  description:
    'Takes numbers off the allow list of a call filter: in WHITELIST mode they no longer get through. It does not block them.',
  risk: 'destroy',
  batch: { not: 'one call takes many entries of one filter' },
  resend: true,
  source: 'I',
  beyondSpecification: true,
  notes: 'PLATFORM.md, Guardian filtering; assumed: lists have at most 100 entries',
  input: () => ({ SubscriberId: subscriberId, CallFilterId: callFilterId, Numbers: e164List }),
  before: beforeRemoval(CALL_FILTER, 'allowed', { id: 'CallFilterId', numbers: 'Numbers' }),
  keys: ['SubscriberId', 'CallFilterId', 'Numbers'],
  effects: listEffects(CALL_FILTER, { list: 'allowed', how: 'taken', field: 'Numbers' }),
  exclusive: duringUpdate,
  consent: ({ Numbers, CallFilterId }, known) =>
    disallowConsent(CALL_FILTER, { id: CallFilterId, numbers: Numbers }, known),
  output: () => ({ FilterId: out.text, SubscriberId: out.text, AllowedNumbers: out.texts }),
  examples: [{ SubscriberId: seeded('TSUID'), CallFilterId: seeded('CFID'), Numbers: ['+12015550199'] }],
});
