import { defineOperation } from '../../src/catalogue/operation.ts';
import { featureId, out, seeded } from '../shared/fields.ts';
import { lookAtNamed } from '../shared/named.ts';

export default defineOperation({
  id: 'subscriptions_features_delete',
  endpoint: 'POST /v1.0/subscriptions/features/delete',
  title: 'Delete a feature',
  description: 'Permanently deletes a feature: every subscription that has it loses it at once.',
  risk: 'destroy',
  resend: true,
  source: 'I',
  beyondSpecification: true,
  notes: 'PLATFORM.md, Feature: its assignments go with it',
  removes: 'FeatureId',
  input: () => ({ FeatureId: featureId }),
  output: () => ({ FeatureId: out.text, FeatureStatus: out.text }),
  answer: { status: 'FeatureStatus' },
  before: async ({ FeatureId }, look) => {
    const [{ record: _record, name, warnings, ...feature }, assigned] = await Promise.all([
      lookAtNamed('feature', FeatureId, look),
      look.read('subscriptions_features_assignments_get', { FeatureId }),
    ]);
    const rows = assigned.found?.Results;
    return {
      ...feature,
      known: { Name: name, ...(Array.isArray(rows) ? { Assigned: rows.length } : {}) },
      warnings: [
        ...warnings,
        ...(assigned.found === undefined
          ? [`Which subscriptions have the feature could not be read before asking: ${assigned.why}`]
          : []),
      ],
    };
  },
  consent: ({ FeatureId }, { Name = FeatureId, Assigned }) => ({
    title: `Delete feature ${String(Name)}`,
    consequence:
      Assigned === 0
        ? 'No subscription has it. It can no longer be assigned.'
        : `${typeof Assigned !== 'number' ? 'Every subscription that has it loses' : Assigned === 1 ? 'The 1 subscription that has it loses' : `The ${Assigned} subscriptions that have it lose`} it at once.`,
    undo: 'Permanent. A new feature can be created and assigned to each subscription again.',
    confirm: 'Delete this feature',
  }),
  examples: [{ FeatureId: seeded('FEID') }],
});
