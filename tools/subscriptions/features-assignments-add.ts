import * as z from 'zod';
import { defineOperation } from '../../src/catalogue/operation.ts';
import { featureId, out, subscriptionId } from '../shared/fields.ts';

export default defineOperation({
  id: 'subscriptions_features_assignments_add',
  endpoint: 'POST /v1.0/subscriptions/features/assignments/add',
  title: 'Give a subscription a feature',
  description:
    "Turns an existing feature on for one subscription; the feature's charges start. Needs a FeatureId (subscriptions_features_add) and a SubscriptionId. Cannot be taken back here.",
  risk: 'spend',
  resend: false,
  source: 'S+I',
  notes: 'PLATFORM.md, Feature',
  input: z.strictObject({ FeatureId: featureId, SubscriptionId: subscriptionId }),
  output: z.looseObject({
    FeatureAssignmentId: out.text,
    FeatureId: out.text,
    SubscriptionId: out.text,
    Active: out.flag,
  }),
  consent: ({ FeatureId, SubscriptionId }) => ({
    title: `Assign feature ${FeatureId}`,
    consequence: `The feature is turned on for subscription ${SubscriptionId}, and its charges start.`,
    undo: 'No refund of charges is documented; an assignment cannot be removed here.',
    cost: `The charges of feature ${FeatureId}`,
    confirm: 'Assign and bill',
  }),
  examples: [
    {
      FeatureId: 'FEID-00000000-0000-4000-8000-000000000001',
      SubscriptionId: 'SUB-00000000-0000-4000-8000-000000000001',
    },
  ],
});
