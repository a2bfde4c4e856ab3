import { defineOperation } from '../../src/catalogue/operation.ts';
import { out, packageId } from '../shared/fields.ts';
import { itemRecord } from '../shared/plans.ts';

export default defineOperation({
  endpoint: 'GET /v1.0/packages/items',
  title: 'Products in a package',
  description: 'Lists the items of a package: product, price, billing.',
  notes: 'PLATFORM.md, Package: the answer is a bare array',
  input: () => ({ PackageId: packageId }),
  output: () => ({ Results: out.rows(itemRecord) }),
});
