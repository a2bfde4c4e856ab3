import * as z from 'zod';
import { asks, defineOperation } from '../../src/catalogue/operation.ts';
import { amount, decimal, itemType, openChoice, productId, text } from '../shared/fields.ts';
import { packageRecord } from '../shared/plans.ts';

export default defineOperation({
  id: 'packages_create',
  endpoint: 'POST /v1.0/packages',
  title: 'Create a package',
  description: 'Creates a bundle of products at a price; nothing is billed until subscriptions_create.',
  source: 'S',
  notes:
    'PLATFORM.md, Package: an item Price is a decimal string, the package Price a number; assumed: at most 100 items',
  input: () => ({
    PackageName: text(),
    Type: openChoice(['sip', 'esim'], 50),
    Price: amount.describe('USD'),
    Monthly: z.boolean(),
    Description: text(1000).optional(),
    PackageItems: z
      .array(
        z.strictObject({
          ProductId: productId,
          Price: decimal.optional().describe('decimal string, USD'),
          Monthly: z.boolean().optional(),
          Type: itemType.optional(),
        }),
      )
      .max(100, 'at most 100 items')
      .optional(),
  }),
  ordinary: 'new',
  consent: asks('Create', 'package', 'PackageName', { hazard: 'Nothing is billed until a line is subscribed to it.' }),
  output: () => packageRecord,
  examples: [{ PackageName: 'Family line', Type: 'esim', Price: 20, Monthly: true }],
});
