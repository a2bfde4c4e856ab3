import { defineOperation } from '../../src/catalogue/operation.ts';
import { out } from '../shared/fields.ts';
import { activeFilter, subscriptionRecord } from '../shared/plans.ts';

export default defineOperation({
  endpoint: 'GET /v1.0/account/subscriptions',
  title: 'Subscriptions',
  description:
    'Lists all subscriptions: which number (TNID) and subscriber has which package. A long answer; of some numbers: numbers_lookup with Full.',
  notes: 'PLATFORM.md, Subscription',
  input: () => ({ Filter: activeFilter }),
  output: () => ({
    ...out.members('AccountId TotalSubscriptions Filter'),
    Results: out.rows(subscriptionRecord),
  }),
});
