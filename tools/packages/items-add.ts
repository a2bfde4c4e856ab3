import * as z from 'zod';
import { asks, defineOperation, type Ordinary } from '../../src/catalogue/operation.ts';
import { decimal, itemType, packageId, productId, seeded } from '../shared/fields.ts';
import { billedLater, itemRecord, lookAtSubscribed, NO_REFUND } from '../shared/plans.ts';

const onNobody: Ordinary = {
  words: 'if no active subscription is on the package',
  holds: (_value, { known }) => known.Subscribed === 0,
};

export default defineOperation({
  endpoint: 'POST /v1.0/packages/items/add',
  title: 'Add a package item',
  description: 'Puts a product into a package; everyone subscribed to the package gains it.',
  adds: true,
  source: 'S',
  notes:
    'PLATFORM.md, Package: Price is sent as a decimal string and returned as a number; assumed: an item of a package that has subscriptions needs an approver',
  input: () => ({
    PackageId: packageId,
    ProductId: productId,
    Price: decimal.optional().describe('decimal string, USD'),
    Monthly: z.boolean().optional(),
    Type: itemType.optional(),
  }),
  keys: ['PackageId'],
  ordinary: { ProductId: onNobody, Price: onNobody, Monthly: onNobody, Type: onNobody },
  raised: { 'an item of a package that has subscriptions': ['ProductId', 'Price', 'Monthly', 'Type'] },
  before: ({ PackageId }, look) => lookAtSubscribed([PackageId], look),
  consent: asks('Add', 'product', 'ProductId', {
    hazard: billedLater,
    undo: `It can be taken out of the package again. ${NO_REFUND}`,
  }),
  output: () => itemRecord,
  examples: [{ PackageId: seeded('PKID'), ProductId: seeded('PRID', 2), Price: '9.00', Monthly: true, Type: 'data' }],
});
