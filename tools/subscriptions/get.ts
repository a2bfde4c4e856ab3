import { defineOperation } from '../../src/catalogue/operation.ts';
import { subscriptionId } from '../shared/fields.ts';
import { subscriptionRecord } from '../shared/plans.ts';

export default defineOperation({
  endpoint: 'GET /v1.0/subscriptions',
  title: 'Subscription details',
  description: 'One subscription by id: subscriber, number (TNID), SIM, package.',
  batch: { row: 'SubscriptionId' },
  notes: 'PLATFORM.md, Subscription',
  input: () => ({ SubscriptionId: subscriptionId }),
  output: () => subscriptionRecord,
});
