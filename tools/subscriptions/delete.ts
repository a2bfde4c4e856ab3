import { asks, defineOperation } from '../../src/catalogue/operation.ts';
import { removal, subscriptionId } from '../shared/fields.ts';
import { lookAtSubscription } from '../shared/plans.ts';

export default defineOperation({
  endpoint: 'POST /v1.0/subscriptions/delete',
  title: 'End a subscription',
  description:
    'Permanently ends a subscription: the number loses its package and services. Subscriber and number stay.',
  batch: { row: 'SubscriptionId' },
  notes: 'PLATFORM.md, Subscription',
  ...removal('SubscriptionId', subscriptionId),
  before: async ({ SubscriptionId }, look) => {
    const { record, ...checked } = await lookAtSubscription(SubscriptionId, [], look);
    const held = record?.PackageId;
    return { ...checked, ...(held !== undefined && { effects: [{ what: 'Package', before: held, removed: true }] }) };
  },
  consent: asks('End', 'subscription', 'SubscriptionId', {
    hazard: 'The number loses its package at once, with all services and features in it.',
    undo: 'Permanent. The number can be subscribed again, which is billed anew.',
  }),
});
