import { asks, defineOperation } from '../../src/catalogue/operation.ts';
import { accountId, openChoice, seeded, text } from '../shared/fields.ts';
import { featureRecord } from './features-get.ts';

export default defineOperation({
  endpoint: 'POST /v1.0/subscriptions/features/add',
  title: 'Create a feature',
  description: 'Creates an add-on such as roaming. Costs nothing until subscriptions_features_assignments_add.',
  defaultAccount: true,
  source: 'S+I',
  notes: 'PLATFORM.md, Feature; assumed: FeatureName is required',
  input: () => ({
    FeatureName: text(),
    FeatureType: openChoice(['roaming'], 50).optional(),
    FeatureDescription: text(1000).optional(),
    AccountId: accountId.optional(),
  }),
  ordinary: 'new',
  consent: asks('Create', 'feature', 'FeatureName', {
    hazard: 'Costs nothing until it is given to a subscription.',
    undo: 'It can be deleted, and not changed here.',
  }),
  output: () => featureRecord,
  examples: [{ FeatureName: 'Roaming in Europe', FeatureType: 'roaming', AccountId: seeded('AID') }],
});
