import { defineOperation, unused } from '../../src/catalogue/operation.ts';
import { accountId, openChoice, seeded, text } from '../shared/fields.ts';
import { featureRecord } from './features-get.ts';

export default defineOperation({
  id: 'subscriptions_features_add',
  endpoint: 'POST /v1.0/subscriptions/features/add',
  title: 'Create a feature',
  description:
    'Creates an add-on that subscriptions can be given, such as roaming. Costs nothing until assigned with subscriptions_features_assignments_add.',
  risk: 'write',
  resend: false,
  defaultAccount: true,
  source: 'S+I',
  notes: 'PLATFORM.md, Feature; assumed: FeatureName is required',
  input: () => ({
    FeatureName: text(),
    FeatureType: openChoice(['roaming'], 50).optional(),
    FeatureDescription: text(1000).optional(),
    AccountId: accountId.optional(),
  }),
  ordinary: { FeatureName: unused, FeatureType: unused, FeatureDescription: unused, AccountId: unused },
  consent: ({ FeatureName }) => ({
    title: `Create the feature ${FeatureName}`,
    consequence: 'Costs nothing until it is given to a subscription.',
    undo: 'It can be deleted.',
    confirm: 'Create this feature',
  }),
  output: () => featureRecord,
  examples: [
    {
      FeatureName: 'Roaming in Europe',
      FeatureType: 'roaming',
      FeatureDescription: 'Data and voice in Europe.',
      AccountId: seeded('AID'),
    },
  ],
});
