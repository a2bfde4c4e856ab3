import { defineOperation } from '../../src/catalogue/operation.ts';
import { lookAtSubscriber, text } from '../shared/before.ts';
import { featureId, seeded, subscriptionId } from '../shared/fields.ts';
import { lookAtNamed, numberNames, subscriptionName } from '../shared/named.ts';
import { assignmentRecord } from '../shared/plans.ts';

export default defineOperation({
  id: 'subscriptions_features_assignments_add',
  endpoint: 'POST /v1.0/subscriptions/features/assignments/add',
  title: 'Give a subscription a feature',
  description:
    "Turns an existing feature on for one subscription; the feature's charges start. No list of features exists: the FeatureId is from subscriptions_features_add or a person.",
  risk: 'spend',
  batch: { row: 'SubscriptionId' },
  resend: false,
  adds: true,
  source: 'S+I',
  notes: 'PLATFORM.md, Feature',
  input: () => ({ FeatureId: featureId, SubscriptionId: subscriptionId }),
  output: () => assignmentRecord,
  before: async ({ FeatureId, SubscriptionId }, look) => {
    const [feature, subscription] = await Promise.all([
      lookAtNamed('feature', FeatureId, look),
      lookAtNamed('subscription', SubscriptionId, look),
    ]);
    const id = text(subscription.record?.SubscriberId);
    const [holder, numbers] = await Promise.all([
      id === undefined ? undefined : lookAtSubscriber(id, look),
      numberNames([text(subscription.record?.TNID)], look),
    ]);
    return {
      ...(holder?.customer === undefined ? {} : { customer: holder.customer }),
      names: subscriptionName(SubscriptionId, subscription.record, numbers),
      known: { Name: feature.name },
      rests: { [SubscriptionId]: { SubscriberId: id } },
      warnings: [...feature.warnings, ...subscription.warnings, ...(holder?.warnings ?? [])],
    };
  },
  consent: ({ FeatureId, SubscriptionId }, { Name = FeatureId }) => ({
    title: `Assign feature ${String(Name)}`,
    consequence: `The feature is turned on for subscription ${SubscriptionId}, and its charges start.`,
    undo: 'The feature can be taken away again. No refund of charges is documented.',
    cost: `The charges of feature ${String(Name)}`,
    confirm: 'Assign and bill',
  }),
  examples: [{ FeatureId: seeded('FEID'), SubscriptionId: seeded('SUB') }],
});
