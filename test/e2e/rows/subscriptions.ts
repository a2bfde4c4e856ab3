import { expect } from 'vitest';
import { id, TSUID } from '../../support/world.ts';
import { added, contains, type Rows } from './row.ts';

export const subscriptions: Rows = {
  subscriptions_create: {
    answers: contains('SUB-'),
    changes: (after, _result, before) =>
      expect(added(after, before, 'subscriptions')).toMatchObject({ SubscriberId: TSUID, TNID: id('NID', 1) }),
  },
  subscriptions_features_get: {
    answers: contains('International Roaming'),
  },
  subscriptions_features_add: {
    answers: contains('FEID-'),
    changes: (after, _result, before) =>
      expect(added(after, before, 'features')).toMatchObject({ FeatureName: 'Roaming in Europe' }),
  },
  subscriptions_features_assignments_add: {
    changes: (after, _result, before) =>
      expect(added(after, before, 'featureAssignments')).toMatchObject({
        FeatureId: id('FEID', 1),
        SubscriptionId: id('SUB', 1),
      }),
  },
};
