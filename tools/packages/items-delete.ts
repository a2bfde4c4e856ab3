import { asks, defineOperation } from '../../src/catalogue/operation.ts';
import { packageId, packageItemId, removal } from '../shared/fields.ts';
import { lookAtItem, subscribedWords } from '../shared/plans.ts';

export default defineOperation({
  endpoint: 'POST /v1.0/packages/items/delete',
  title: 'Remove a package item',
  description:
    'Permanently removes an item from a package: everyone subscribed to the package loses that product at once.',
  source: 'S+I',
  notes: 'PLATFORM.md, Package',
  keys: ['PackageId'],
  ...removal('PackageItemId', packageItemId),
  input: () => ({ PackageId: packageId, PackageItemId: packageItemId }),
  before: lookAtItem,
  consent: asks('Remove', 'item', 'PackageItemId', {
    hazard: (_input, known) =>
      `Everyone on the package loses the product at once. ${subscribedWords(known, 'the package')}`,
    undo: 'Permanent. The product can be added to the package again, as a new item.',
  }),
});
