import { defineOperation, label, target } from '../../src/catalogue/operation.ts';
import { amount, productId, productType, seeded, someChange, text } from '../shared/fields.ts';
import { lookAtNamed } from '../shared/named.ts';
import {
  billed,
  billingFrequency,
  packagesWith,
  productRecord,
  subscribedWords,
  subscribersOf,
} from '../shared/plans.ts';

/** The members that decide what people pay or get. */
const BILLED = ['Cost', 'BillingFrequency', 'Type', 'SubType'] as const;

/** Packages that a question names. The others are counted. */
const MOST_NAMED = 5;

function packagesText(names: readonly string[]): string {
  if (names.length === 0) return 'No package that was read contains it.';
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
  return `It is in ${names.slice(0, MOST_NAMED).join(', ')}${more}.`;
}

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
    Cost: amount.optional().describe('USD'),
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
    BillingFrequency: billed('another billing'),
    Type: billed('another type'),
    SubType: billed('another type'),
  },
  before: async (input, look) => {
    const { record, name, warnings } = await lookAtNamed('product', input.ProductId, look);
    const known = { Name: name, ...(record ? { Record: record } : {}) };
    // A name or a stock code does not concern subscribers.
    if (BILLED.every((member) => input[member] === undefined)) return { known, warnings };
    const holding = await packagesWith(input.ProductId, look);
    const ids = holding.packages.map(({ id }) => id);
    const on = ids.length === 0 ? { count: 0, who: '', warnings: [] } : await subscribersOf(ids, look);
    return {
      ...(on.who !== '' && { customer: on.who }),
      known: {
        ...known,
        Packages: packagesText(holding.packages.map((one) => one.name)),
        ...(ids.length > 0 && { Subscribed: subscribedWords(on.count, on.who, ids.length === 1 ? 'it' : 'them') }),
      },
      warnings: [...warnings, ...holding.warnings, ...on.warnings],
    };
  },
  consent: (input, { Name = input.ProductId, Packages = '', Subscribed = '' }, reasons) => ({
    title: `Change product ${String(Name)}`,
    consequence: [
      reasons,
      'This holds for every package that contains the product.',
      String(Packages),
      String(Subscribed),
      'Whether people already subscribed are billed differently at once is not documented.',
    ]
      .filter((text) => text !== '')
      .join(' '),
    undo: 'Another update can change it back. No refund of charges is documented.',
    confirm: 'Change this product',
  }),
  output: () => productRecord,
  examples: [{ ProductId: seeded('PRID', 2), Description: '5 GB of data a month' }],
});
