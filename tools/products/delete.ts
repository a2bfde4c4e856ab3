import { defineOperation } from '../../src/catalogue/operation.ts';
import { joined, quote, words } from '../../src/lib/words.ts';
import { out, productId, seeded } from '../shared/fields.ts';
import { lookAtNamed } from '../shared/named.ts';
import { packagesWith } from '../shared/plans.ts';

/** Packages that a refusal names. The others are counted. */
const MOST_NAMED = 5;

export default defineOperation({
  id: 'products_delete',
  endpoint: 'POST /v1.0/products/delete',
  title: 'Delete a product',
  description:
    'Permanently deletes a product. Refused while an active package contains it: remove it from all packages first (packages_items_delete).',
  risk: 'destroy',
  resend: true,
  source: 'S',
  notes: 'PLATFORM.md, Product: one in an active package cannot be deleted',
  removes: 'ProductId',
  input: () => ({ ProductId: productId }),
  output: () => ({ ProductId: out.text, ProductStatus: out.text }),
  answer: { status: 'ProductStatus' },
  before: async ({ ProductId }, look) => {
    const [{ name, warnings }, holding] = await Promise.all([
      lookAtNamed('product', ProductId, look),
      packagesWith(ProductId, look),
    ]);
    const active = holding.packages.filter(({ isActive }) => isActive).map(({ called }) => quote(called));
    const named = joined(
      active.slice(0, MOST_NAMED).map((name) => words`${name}`),
      ', ',
    );
    const more = active.length > MOST_NAMED ? ` and ${active.length - MOST_NAMED} more` : '';
    const message = words`it is in the active ${active.length === 1 ? 'package' : 'packages'} ${named}${more}, and the platform deletes no product that an active package contains. Take it out of each first (packages_items_delete)`;
    return {
      ...(active.length > 0 && { problem: { field: 'ProductId', message } }),
      known: { Name: name },
      warnings: [...warnings, ...holding.warnings],
    };
  },
  consent: ({ ProductId }, { Name = ProductId }) => ({
    title: `Delete product ${String(Name)}`,
    consequence: 'The product is removed from the catalogue and can no longer be added to packages.',
    undo: 'Permanent. A new product can be created, under a new id.',
    confirm: 'Delete this product',
  }),
  examples: [{ ProductId: seeded('PRID', 2) }],
});
