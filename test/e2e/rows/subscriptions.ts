import { expect } from 'vitest';
import { id, nobody, TSUID } from '../../support/world.ts';
import { added, bad, contains, type Rows } from './row.ts';

export const subscriptions: Rows = {
  subscriptions_create: {
    answers: contains('SUB-'),
    changes: (after, _result, before) =>
      expect(added(after, before, 'subscriptions')).toMatchObject({ SubscriberId: TSUID, TNID: id('NID', 1) }),
    refused: bad({ SubscriberId: TSUID, TNID: id('NID', 1), PackageId: nobody('PKID'), Type: 'Mvno' }),
  },
  subscriptions_features_get: {
    answers: contains('International Roaming'),
  },
  subscriptions_features_add: {
    answers: contains('FEID-'),
    changes: (after, _result, before) =>
      expect(added(after, before, 'features')).toMatchObject({ FeatureName: 'Roaming in Europe' }),
    refused: bad({ FeatureName: 'Europe', FeatureType: 'Roaming', FeatureDescription: 'x', AccountId: nobody('AID') }),
  },
  subscriptions_features_assignments_add: {
    changes: (after, _result, before) =>
      expect(added(after, before, 'featureAssignments')).toMatchObject({
        FeatureId: id('FEID', 1),
        SubscriptionId: id('SUB', 1),
      }),
    refused: bad({ FeatureId: nobody('FEID'), SubscriptionId: id('SUB', 1) }),
  },
};
