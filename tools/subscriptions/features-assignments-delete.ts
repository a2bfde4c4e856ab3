import { asks, defineOperation } from '../../src/catalogue/operation.ts';
import { removal } from '../shared/fields.ts';
import { featureAssignmentId } from '../shared/plans.ts';

export default defineOperation({
  endpoint: 'POST /v1.0/subscriptions/features/assignments/delete',
  title: 'Take a feature away',
  description:
    'One subscription loses a feature at once; the feature stays. FAID ids: subscriptions_features_assignments_get.',
  notes: 'PLATFORM.md, Feature',
  ...removal('FeatureAssignmentId', featureAssignmentId),
  // The platform cannot return a single assignment, so neither the feature nor the subscription can be named.
  consent: asks('Remove', 'feature assignment', 'FeatureAssignmentId', {
    hazard: 'Its subscription loses the feature at once. The platform does not say which it is.',
    undo: 'The feature can be assigned again; its charges then start anew.',
  }),
});
