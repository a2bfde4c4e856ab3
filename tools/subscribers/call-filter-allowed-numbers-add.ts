import { defineOperation, target } from '../../src/catalogue/operation.ts';
import { callFilterId, e164List, out, seeded, subscriberId } from '../shared/fields.ts';
import { additionConsent, beforeAddition, CALL_FILTER, duringUpdate, listEffects } from '../shared/filters.ts';

export default defineOperation({
  id: 'subscribers_call_filter_allowed_numbers_add',
  endpoint: 'POST /v1.0/subscribers/call-filter/allowed-numbers/add',
  title: 'Allow callers',
  description:
    'Adds numbers to the allow list of a call filter; the list decides who gets through in WHITELIST mode and with BlockUnknownNumbers. Returns the whole list. CallFilterId: subscribers_call_filter_get.',
  risk: 'write',
  batch: { not: 'one call takes many entries of one filter' },
  resend: true,
  source: 'S+I',
  notes: 'PLATFORM.md, Guardian filtering; assumed: lists have at most 100 entries',
  input: () => ({ SubscriberId: subscriberId, CallFilterId: callFilterId, Numbers: e164List }),
  ordinary: {
    SubscriberId: target,
    CallFilterId: target,
    Numbers: target,
  },
  before: beforeAddition(CALL_FILTER, 'CallFilterId', 'allowed'),
  effects: listEffects(CALL_FILTER, { list: 'allowed', how: 'added', field: 'Numbers' }),
  consent: ({ Numbers }, known) => additionConsent(CALL_FILTER, 'allowed', Numbers, known),
  exclusive: duringUpdate,
  output: () => ({ FilterId: out.text, SubscriberId: out.text, AllowedNumbers: out.texts }),
  examples: [{ SubscriberId: seeded('TSUID'), CallFilterId: seeded('CFID'), Numbers: ['+12015550199'] }],
});
