import * as z from 'zod';
import { defineOperation, type Harm, type Ordinary, target } from '../../src/catalogue/operation.ts';
import { decimal, itemType, packageId, productId, seeded } from '../shared/fields.ts';
import { lookAtNamed, packageName } from '../shared/named.ts';
import { itemRecord, subscribedWords, subscribersOf } from '../shared/plans.ts';

const onNobody: Ordinary = {
  words: 'if no active subscription is on the package',
  holds: (_value, { known }) => known.Subscribed === 0,
};
const added: Harm<unknown> = {
  what: 'an item of a package that has subscriptions',
  reason: 'Everyone on the package gets the product, at the price that is shown.',
};

export default defineOperation({
  id: 'packages_items_add',
  endpoint: 'POST /v1.0/packages/items/add',
  title: 'Add a product to a package',
  description:
    'Puts a product into a package; everyone subscribed to the package gains it. Undo: packages_items_delete with the PackageItemId returned.',
  risk: 'write',
  resend: false,
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
  ordinary: { PackageId: target, ProductId: onNobody, Price: onNobody, Monthly: onNobody, Type: onNobody },
  raised: {
    ProductId: added,
    Price: { what: added.what, reason: (price) => `Its price is ${price} USD.` },
    Monthly: { what: added.what, reason: (monthly) => (monthly ? 'It is billed every month.' : 'It is billed once.') },
    Type: added,
  },
  before: async ({ PackageId, ProductId }, look) => {
    const [found, product, { count, who, warnings }] = await Promise.all([
      lookAtNamed('package', PackageId, look),
      lookAtNamed('product', ProductId, look),
      subscribersOf([PackageId], look),
    ]);
    return {
      ...(who !== '' && { customer: who }),
      known: { Name: packageName(found), Product: product.name, Subscribed: count, Who: who },
      warnings: [...found.warnings, ...product.warnings, ...warnings],
    };
  },
  consent: ({ PackageId, ProductId }, { Name = PackageId, Product = ProductId, Subscribed, Who }, reasons) => ({
    title: `Add ${String(Product)} to a package`,
    consequence: `Package ${String(Name)}: ${subscribedWords(Subscribed, Who)} ${reasons} Whether they are billed for it at once is not documented.`,
    undo: 'The product can be taken out of the package again. No refund of charges is documented.',
    confirm: 'Add to this package',
  }),
  output: () => itemRecord,
  examples: [{ PackageId: seeded('PKID'), ProductId: seeded('PRID', 2), Price: '9.00', Monthly: true, Type: 'data' }],
});
