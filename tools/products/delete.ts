import { defineOperation } from '../../src/catalogue/operation.ts';
import { out, productId, seeded } from '../shared/fields.ts';
import { lookAtNamed } from '../shared/named.ts';

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
    const { name, warnings } = await lookAtNamed('product', ProductId, look);
    return { known: { Name: name }, warnings };
  },
  consent: ({ ProductId }, { Name = ProductId }) => ({
    title: `Delete product ${String(Name)}`,
    consequence: 'The product is removed from the catalogue and can no longer be added to packages.',
    undo: 'Permanent. A new product can be created, under a new id.',
    confirm: 'Delete this product',
  }),
  examples: [{ ProductId: seeded('PRID', 2) }],
});
