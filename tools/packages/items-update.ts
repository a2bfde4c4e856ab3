import * as z from 'zod';
import { defineOperation } from '../../src/catalogue/operation.ts';
import { decimal, itemType, packageId, packageItemId, someChange } from '../shared/fields.ts';
import { lookAtItem } from '../shared/named.ts';
import { differences, differenceWords, itemRecord } from '../shared/plans.ts';

const BILLED = ['Price', 'Monthly', 'Type'] as const;

export default defineOperation({
  id: 'packages_items_update',
  endpoint: 'POST /v1.0/packages/items/update',
  title: 'Change a product in a package',
  description: 'Changes price, billing or type of one item of a package; the product itself stays as it is.',
  risk: 'write',
  resend: true,
  source: 'I',
  beyondSpecification: true,
  notes:
    'PLATFORM.md, Package: Price is sent as a decimal string; assumed: another price, billing or type needs a person',
  input: z.strictObject({
    PackageId: packageId,
    PackageItemId: packageItemId,
    Price: decimal.optional(),
    Monthly: z.boolean().optional(),
    Type: itemType.optional(),
  }),
  rules: (input) => someChange(input, ['PackageId', 'PackageItemId'], 'Price'),
  raisedBy: 'another value than now',
  raises: (input, { Item }) => {
    const changes = differences(input, Item, BILLED);
    return changes.length === 0
      ? undefined
      : { risk: 'destroy', reason: `What this package costs or gives changes: ${changes.join(', ')}.` };
  },
  before: async (input, look) => {
    const { item, known, warnings } = await lookAtItem(input, look);
    return { known: { ...known, ...(item ? { Item: item } : {}) }, warnings };
  },
  consent: (input, { Name = input.PackageId, Item, Product = `item ${input.PackageItemId}` }) => ({
    title: `Change ${String(Product)} in a package`,
    consequence: `In package ${String(Name)}: ${differenceWords(input, Item, BILLED)} Whether people already subscribed are billed differently at once is not documented.`,
    undo: 'Another update can change it back. No refund of charges is documented.',
    confirm: 'Change this item',
  }),
  output: z.looseObject(itemRecord),
  examples: [
    {
      PackageId: 'PKID-00000000-0000-4000-8000-000000000001',
      PackageItemId: 'PIID-00000000-0000-4000-8000-000000000001',
      Price: '5.25',
    },
  ],
});
