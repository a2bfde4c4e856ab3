import { defineOperation, label, target } from '../../src/catalogue/operation.ts';
import { amount, productId, productType, seeded, someChange, text } from '../shared/fields.ts';
import { lookAtNamed } from '../shared/named.ts';
import { billed, billingFrequency, productRecord } from '../shared/plans.ts';

export default defineOperation({
  id: 'products_update',
  endpoint: 'POST /v1.0/products/update',
  title: 'Change a product',
  description: 'Changes a product in every package that contains it. Fields left out keep their values.',
  risk: 'write',
  resend: true,
  source: 'I',
  beyondSpecification: true,
  notes:
    'PLATFORM.md, Product: fields left out keep their values, and when a cost takes effect is not documented; assumed: another cost, billing or type needs an approver',
  input: () => ({
    ProductId: productId,
    SKU: text(100).optional().meta({ title: 'Stock code (SKU)' }),
    Description: text().optional(),
    Type: productType.optional(),
    SubType: text(50).optional(),
    Cost: amount.optional(),
    BillingFrequency: billingFrequency.optional(),
  }),
  current: {
    read: 'products_get',
    keys: ['ProductId'],
    input: ({ ProductId }) => (typeof ProductId === 'string' ? { ProductId } : undefined),
  },
  rules: (input) => someChange(input, ['ProductId'], 'Description'),
  ordinary: {
    ProductId: target,
    SKU: label,
    Description: label,
  },
  raised: {
    Cost: billed('another cost'),
    BillingFrequency: billed('billing'),
    Type: billed('type than now'),
    SubType: billed('type than now'),
  },
  before: async ({ ProductId }, look) => {
    const { record, name, warnings } = await lookAtNamed('product', ProductId, look);
    return { known: { Name: name, ...(record ? { Record: record } : {}) }, warnings };
  },
  consent: (input, { Name = input.ProductId }, reasons) => ({
    title: `Change product ${String(Name)}`,
    consequence: `${reasons} This holds for every package that contains the product. Whether people already subscribed are billed differently at once is not documented.`,
    undo: 'Another update can change it back. No refund of charges is documented.',
    confirm: 'Change this product',
  }),
  output: () => productRecord,
  examples: [{ ProductId: seeded('PRID', 2), Description: '5 GB of data a month' }],
});
