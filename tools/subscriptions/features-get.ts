import { defineOperation } from '../../src/catalogue/operation.ts';
import { featureId, out } from '../shared/fields.ts';

export const featureRecord = {
  FeatureId: out.key('FEID'),
  ...out.members('AccountId FeatureName FeatureType FeatureDescription Active'),
} as const;

export default defineOperation({
  endpoint: 'GET /v1.0/subscriptions/features',
  title: 'Feature details',
  description: 'One feature (an add-on such as roaming) by its id: name, type, whether it is active.',
  source: 'S',
  notes: 'PLATFORM.md, Feature',
  input: () => ({ FeatureId: featureId }),
  output: () => featureRecord,
});
