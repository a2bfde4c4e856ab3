import { asks, defineOperation, label } from '../../src/catalogue/operation.ts';
import type { Fields } from '../../src/lib/values.ts';
import { readTexts } from '../../src/platform/dialect/readings.ts';
import { amount, productId, productType, seeded, text } from '../shared/fields.ts';
import * as plans from '../shared/plans.ts';

/** The members that decide what people pay or get. */
const BILLED = ['Cost', 'BillingFrequency', 'Type', 'SubType'] as const;

/** Packages that a question names. The others are counted. */
const MOST_NAMED = 5;

/** The packages that contain a product, and who is subscribed to them. */
function packagesOf(_input: Fields, known: Fields): string {
  const names = readTexts(known.Packages);
  if (names === undefined) return '';
  if (names.length === 0) return 'No package that was read contains it.';
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
  return `It is in ${names.slice(0, MOST_NAMED).join(', ')}${more}. ${plans.subscribedWords(known, 'them')} When their charges change is not confirmed by the platform.`;
}

export default defineOperation({
  endpoint: 'POST /v1.0/products/update',
  title: 'Change a product',
  description: 'Changes a product in every package that contains it.',
  notes:
    'PLATFORM.md, Product: fields left out keep their values, and when a cost takes effect is not documented; assumed: another cost, billing or type needs an approver',
  input: () => ({
    ProductId: productId,
    SKU: text(100).optional().meta({ title: 'Stock code (SKU)' }),
    Description: text().optional(),
    Type: productType.optional(),
    SubType: text(50).optional(),
    Cost: amount.optional().describe('USD'),
    BillingFrequency: plans.billingFrequency.optional(),
  }),
  keys: ['ProductId'],
  current: { read: 'products_get' },
  ordinary: { SKU: label, Description: label },
  raised: { 'another cost': ['Cost'], 'another billing': ['BillingFrequency'], 'another type': ['Type', 'SubType'] },
  before: async (input, look) => {
    // A name or a stock code does not concern subscribers.
    if (BILLED.every((member) => input[member] === undefined)) return {};
    const { packages, warnings } = await plans.packagesWith(input.ProductId, look);
    const ids = packages.map(({ id }) => id);
    const { count: _count, ...subscribed } = await plans.lookAtSubscribed(ids, look);
    return {
      ...subscribed,
      known: { ...subscribed.known, Packages: packages.map(({ id, record }) => plans.packageText(record, id)) },
      warnings: [...warnings, ...(subscribed.warnings ?? [])],
    };
  },
  consent: asks('Change', 'product', 'ProductId', { hazard: packagesOf, undo: plans.NO_REFUND }),
  output: () => plans.productRecord,
  examples: [{ ProductId: seeded('PRID', 2), Description: '5 GB of data a month' }],
});
