import { defineOperation } from '../../src/catalogue/operation.ts';
import { packageId } from '../shared/fields.ts';
import { packageRecord } from '../shared/plans.ts';

export default defineOperation({
  endpoint: 'GET /v1.0/packages',
  title: 'Package details',
  description: 'One package by id: name, type, price, whether it is billed monthly.',
  notes: 'PLATFORM.md, Package',
  input: () => ({ PackageId: packageId }),
  output: () => packageRecord,
});
