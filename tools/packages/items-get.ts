import { defineOperation } from '../../src/catalogue/operation.ts';
import { out, packageId, seeded } from '../shared/fields.ts';
import { itemRecord } from '../shared/plans.ts';

export default defineOperation({
  id: 'packages_items_get',
  endpoint: 'GET /v1.0/packages/items',
  title: 'Products in a package',
  description: 'Lists the items of a package: product, price, billing.',
  risk: 'read',
  resend: true,
  source: 'I',
  beyondSpecification: true,
  notes: 'PLATFORM.md, Package: the answer is a bare array',
  input: () => ({ PackageId: packageId }),
  output: () => ({ Results: out.rows(itemRecord) }),
  examples: [{ PackageId: seeded('PKID') }],
});
