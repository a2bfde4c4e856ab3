import * as z from 'zod';
import { defineOperation } from '../../src/catalogue/operation.ts';
import { amount, productId, productType, someChange, text } from '../shared/fields.ts';
import { lookAtNamed } from '../shared/named.ts';
import { billingFrequency, differences, differenceWords, productRecord } from '../shared/plans.ts';

/** What a product costs and is. Its stock code and description may change freely. */
const BILLED = ['Cost', 'BillingFrequency', 'Type', 'SubType'] as const;

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
    'PLATFORM.md, Product: fields left out keep their values, and when a cost takes effect is not documented; assumed: another cost, billing or type needs a person',
  input: z.strictObject({
    ProductId: productId,
    SKU: text(100).optional().meta({ title: 'Stock code (SKU)' }),
    Description: text().optional(),
    Type: productType.optional(),
    SubType: text(50).optional(),
    Cost: amount.optional(),
    BillingFrequency: billingFrequency.optional(),
  }),
  rules: (input) => someChange(input, ['ProductId'], 'Description'),
  raisedBy: 'another cost, billing or type than now',
  raises: (input, { Product }) => {
    const changes = differences(input, Product, BILLED);
    return changes.length === 0
      ? undefined
      : { risk: 'destroy', reason: `What the packages with this product cost or give changes: ${changes.join(', ')}.` };
  },
  before: async ({ ProductId }, look) => {
    const { record, name, warnings } = await lookAtNamed('product', ProductId, look);
    return { known: { Name: name, ...(record ? { Product: record } : {}) }, warnings };
  },
  consent: (input, { Name = input.ProductId, Product }) => ({
    title: `Change product ${String(Name)}`,
    consequence: `${differenceWords(input, Product, BILLED)} This holds for every package that contains the product. Whether people already subscribed are billed differently at once is not documented.`,
    undo: 'Another update can change it back. No refund of charges is documented.',
    confirm: 'Change this product',
  }),
  output: z.looseObject(productRecord),
  examples: [{ ProductId: 'PRID-00000000-0000-4000-8000-000000000002', Description: '5 GB of data a month' }],
});
