import { defineOperation } from '../../src/catalogue/operation.ts';
import { accountId, subscriberId } from '../shared/fields.ts';
import { guardianFlags } from './guardian-features-set.ts';

export default defineOperation({
  endpoint: 'GET /v1.0/subscribers/guardian-features',
  title: 'State of filtering',
  description: 'Whether guardian filtering of calls and of messages is on for a subscriber.',
  batch: { row: 'SubscriberId' },
  source: 'S',
  notes: 'PLATFORM.md, Guardian filtering',
  input: () => ({ SubscriberId: subscriberId, AccountId: accountId.optional() }),
  output: () => guardianFlags,
});
