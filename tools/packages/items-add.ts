import * as z from 'zod';
import { defineOperation } from '../../src/catalogue/operation.ts';
import { decimal, itemType, packageId, productId } from '../shared/fields.ts';
import { itemRecord } from '../shared/plans.ts';

export default defineOperation({
  id: 'packages_items_add',
  endpoint: 'POST /v1.0/packages/items/add',
  title: 'Add a product to a package',
  description:
    'Puts a product into a package; everyone subscribed to the package gains it. Undo: packages_items_delete with the PackageItemId returned.',
  risk: 'write',
  resend: false,
  source: 'S',
  notes: 'PLATFORM.md, Package: Price is sent as a decimal string and returned as a number',
  input: z.strictObject({
    PackageId: packageId,
    ProductId: productId,
    Price: decimal.optional().describe('decimal string, USD'),
    Monthly: z.boolean().optional(),
    Type: itemType.optional(),
  }),
  output: z.looseObject(itemRecord),
  examples: [
    {
      PackageId: 'PKID-00000000-0000-4000-8000-000000000001',
      ProductId: 'PRID-00000000-0000-4000-8000-000000000002',
      Price: '9.00',
      Monthly: true,
      Type: 'data',
    },
  ],
});
