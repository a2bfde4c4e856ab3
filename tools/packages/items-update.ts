import * as z from 'zod';
import { defineOperation, target } from '../../src/catalogue/operation.ts';
import { decimal, itemType, packageId, packageItemId, seeded, someChange } from '../shared/fields.ts';
import { lookAtItem } from '../shared/named.ts';
import { billed, itemRecord, subscribedWords } from '../shared/plans.ts';

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
    'PLATFORM.md, Package: Price is sent as a decimal string; assumed: another price, billing or type needs an approver',
  input: () => ({
    PackageId: packageId,
    PackageItemId: packageItemId,
    Price: decimal.optional().describe('USD'),
    Monthly: z.boolean().optional(),
    Type: itemType.optional(),
  }),
  rules: (input) => someChange(input, ['PackageId', 'PackageItemId'], 'Price'),
  ordinary: {
    PackageId: target,
    PackageItemId: target,
  },
  raised: { Price: billed('another price'), Monthly: billed('another billing'), Type: billed('another type') },
  before: async (input, look) => {
    const { item, known, ...checked } = await lookAtItem(input, look);
    return { ...checked, known: { ...known, ...(item ? { Record: item } : {}) } };
  },
  consent: (input, { Name = input.PackageId, Product = `item ${input.PackageItemId}`, Subscribed, Who }, reasons) => ({
    title: `Change ${String(Product)} in a package`,
    consequence: `In package ${String(Name)}: ${reasons} ${subscribedWords(Subscribed, Who)} Whether people already subscribed are billed differently at once is not documented.`,
    undo: 'Another update can change it back. No refund of charges is documented.',
    confirm: 'Change this item',
  }),
  output: () => itemRecord,
  examples: [{ PackageId: seeded('PKID'), PackageItemId: seeded('PIID'), Price: '5.25' }],
});
