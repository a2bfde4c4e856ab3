import { defineOperation } from '../../src/catalogue/operation.ts';
import { featureId, subscriptionId } from '../shared/fields.ts';
import { assignmentRecord, lookAtSubscription, NO_REFUND } from '../shared/plans.ts';

export default defineOperation({
  endpoint: 'POST /v1.0/subscriptions/features/assignments/add',
  title: 'Give a feature',
  description:
    'Turns a feature on for one subscription; its charges start. Features are in no list: FeatureId is from subscriptions_features_add or a person.',
  risk: 'spend',
  batch: { row: 'SubscriptionId' },
  adds: true,
  source: 'S+I',
  notes: 'PLATFORM.md, Feature',
  input: () => ({ FeatureId: featureId, SubscriptionId: subscriptionId }),
  output: () => assignmentRecord,
  before: async ({ SubscriptionId }, look) => {
    const { record, ...checked } = await lookAtSubscription(SubscriptionId, [], look);
    return { ...checked, rests: { [SubscriptionId]: { SubscriberId: record?.SubscriberId } } };
  },
  consent: ({ FeatureId, SubscriptionId }) => ({
    title: `Give subscription ${SubscriptionId} the feature ${FeatureId}`,
    consequence: '',
    undo: `The feature can be taken away again. ${NO_REFUND}`,
    cost: `The charges of feature ${FeatureId}`,
    confirm: 'Assign and bill',
  }),
});
