import { asks, defineOperation } from '../../src/catalogue/operation.ts';
import { amount, productType, text } from '../shared/fields.ts';
import { billingFrequency, productRecord } from '../shared/plans.ts';

export default defineOperation({
  id: 'products_create',
  endpoint: 'POST /v1.0/products',
  title: 'Create a product',
  description: 'Adds a product; nothing is billed until a number is subscribed to a package that has it.',
  source: 'S',
  notes: 'PLATFORM.md, Product: MRC, NRC or usage-based; SubType is optional',
  input: () => ({
    SKU: text(100).meta({ title: 'Stock code (SKU)' }),
    Description: text(),
    Type: productType,
    Cost: amount.describe('wholesale, USD'),
    BillingFrequency: billingFrequency.describe('MRC (monthly), NRC (one-time) or usage-based'),
    SubType: text(50).optional(),
  }),
  ordinary: 'new',
  consent: asks('Create', 'product', 'Description', {
    hazard: 'Nothing is billed until a line is subscribed to a package that contains it.',
  }),
  output: () => productRecord,
  examples: [{ SKU: 'DATA-10', Description: '10 GB of data', Type: 'data', Cost: 8.5, BillingFrequency: 'MRC' }],
});
