import { defineOperation } from '../../src/catalogue/operation.ts';
import { out, packageId, packageItemId, seeded } from '../shared/fields.ts';
import { lookAtItem } from '../shared/named.ts';
import { subscribedWords } from '../shared/plans.ts';

export default defineOperation({
  id: 'packages_items_delete',
  endpoint: 'POST /v1.0/packages/items/delete',
  title: 'Remove a product from a package',
  description:
    'Permanently removes an item from a package: everyone subscribed to the package loses that product at once. The product itself stays.',
  risk: 'destroy',
  resend: true,
  source: 'S+I',
  notes: 'PLATFORM.md, Package',
  keys: ['PackageId'],
  removes: 'PackageItemId',
  input: () => ({ PackageId: packageId, PackageItemId: packageItemId }),
  output: () => ({ PackageItemId: out.text, PackageId: out.text, PackageItemStatus: out.text }),
  answer: { status: 'PackageItemStatus' },
  before: async (input, look) => {
    const { item: _item, ...checked } = await lookAtItem(input, look);
    return checked;
  },
  consent: (
    { PackageId, PackageItemId },
    { Name = PackageId, Product = `item ${PackageItemId}`, Subscribed, Who },
  ) => ({
    title: `Remove ${String(Product)} from a package`,
    consequence: `Everyone subscribed to package ${String(Name)} loses this product at once. ${subscribedWords(Subscribed, Who)}`,
    undo: 'Permanent. The product can be added to the package again, as a new item.',
    confirm: 'Remove this item',
  }),
  examples: [{ PackageId: seeded('PKID'), PackageItemId: seeded('PIID') }],
});
