import { asks, defineOperation } from '../../src/catalogue/operation.ts';
import { recordsIn } from '../../src/lib/values.ts';
import { MOST, ofAccount, text } from '../shared/before.ts';
import { featureId, removal } from '../shared/fields.ts';
import { lookAtSubscription } from '../shared/plans.ts';

export default defineOperation({
  endpoint: 'POST /v1.0/subscriptions/features/delete',
  title: 'Delete a feature',
  description: 'Permanently deletes a feature: every subscription that has it loses it at once.',
  notes: 'PLATFORM.md, Feature: its assignments go with it',
  ...removal('FeatureId', featureId),
  before: async ({ FeatureId }, look) => {
    const [feature, assigned] = await Promise.all([
      look.read('subscriptions_features_get', { FeatureId }),
      look.read('subscriptions_features_assignments_get', { FeatureId }),
    ]);
    const rows = assigned.found?.Results;
    // In one order: the platform may list them in another one at the yes.
    const ids = recordsIn(rows)
      .flatMap((row) => text(row.SubscriptionId) ?? [])
      .sort();
    const held = await Promise.all(ids.slice(0, MOST).map((id) => lookAtSubscription(id, [], look)));
    const names = [...new Set(held.flatMap(({ customer }) => customer ?? []))].join('; ');
    const more = ids.length > MOST ? ` and ${ids.length - MOST} more` : '';
    return {
      ...(await ofAccount(feature.found, look)),
      ...(names !== '' && { customer: `${names}${more}` }),
      known: { Assigned: Array.isArray(rows) ? rows.length : '' },
      rests: { [FeatureId]: { Subscriptions: ids.join(', ') } },
    };
  },
  consent: asks('Delete', 'feature', 'FeatureId', {
    hazard: (_input, { Assigned }) =>
      Assigned === 0
        ? 'No subscription has it.'
        : `Every subscription that has it loses it at once${typeof Assigned === 'number' ? `: ${Assigned}` : ''}.`,
  }),
});
