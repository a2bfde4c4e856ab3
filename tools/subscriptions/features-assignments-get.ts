import { defineOperation } from '../../src/catalogue/operation.ts';
import { featureId, out } from '../shared/fields.ts';
import { assignmentRecord } from '../shared/plans.ts';

export default defineOperation({
  endpoint: 'GET /v1.0/subscriptions/features/assignments',
  title: 'Lines with a feature',
  description: 'Lists the subscriptions that have a feature, with the FAID ids of the assignments.',
  notes: 'PLATFORM.md, Feature: the answer is a bare array',
  input: () => ({ FeatureId: featureId }),
  output: () => ({ Results: out.rows(assignmentRecord) }),
});
