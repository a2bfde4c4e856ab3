import { asks, defineOperation } from '../../src/catalogue/operation.ts';
import { joined, quote, textOf, words } from '../../src/lib/values.ts';
import { productId, removal, seeded } from '../shared/fields.ts';
import { isActive, packagesWith } from '../shared/plans.ts';

/** Packages that a refusal names. The others are counted. */
const MOST_NAMED = 5;

export default defineOperation({
  endpoint: 'POST /v1.0/products/delete',
  title: 'Delete a product',
  description: 'Permanently deletes a product. Refused while an active package contains it (packages_items_delete).',
  source: 'S',
  notes: 'PLATFORM.md, Product: one in an active package cannot be deleted',
  ...removal('ProductId', productId),
  before: async ({ ProductId }, look) => {
    const { packages, warnings } = await packagesWith(ProductId, look);
    const active = packages.filter(({ record }) => isActive(record));
    const named = active
      .slice(0, MOST_NAMED)
      .map(({ id, record }) => words`${quote(textOf(record.PackageName) || id)}`);
    const more = active.length > MOST_NAMED ? ` and ${active.length - MOST_NAMED} more` : '';
    const message = words`it is in the active ${active.length === 1 ? 'package' : 'packages'} ${joined(named, ', ')}${more}, and the platform deletes no product that an active package contains. Take it out of each first (packages_items_delete)`;
    return { warnings, ...(active.length > 0 && { problem: { field: 'ProductId', message } }) };
  },
  consent: asks('Delete', 'product', 'ProductId', { hazard: 'It can no longer be added to packages.' }),
  examples: [{ ProductId: seeded('PRID', 2) }],
});
