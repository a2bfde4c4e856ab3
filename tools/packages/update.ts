import * as z from 'zod';
import { asks, defineOperation, label } from '../../src/catalogue/operation.ts';
import { amount, openChoice, packageId, seeded, text } from '../shared/fields.ts';
import { billedLater, lookAtSubscribed, NO_REFUND, packageRecord } from '../shared/plans.ts';

export default defineOperation({
  endpoint: 'POST /v1.0/packages/update',
  title: 'Change a package',
  description: 'Changes a package at once. Its products: packages_items_update.',
  notes:
    'PLATFORM.md, Package: items are not sent here, and whether running subscriptions pay a new price is not documented; assumed: null empties Description, SubscriberId is left out as in packages_create, another price, billing or type needs an approver',
  input: () => ({
    PackageId: packageId,
    PackageName: text().optional(),
    Description: text(1000).nullish(),
    Type: openChoice(['sip', 'esim'], 50).optional(),
    Price: amount.optional().describe('USD'),
    Monthly: z.boolean().optional(),
  }),
  keys: ['PackageId'],
  current: { read: 'packages_get', replaces: true },
  ordinary: { PackageName: label, Description: label },
  raised: { 'another price': ['Price'], 'another billing': ['Monthly'], 'another type': ['Type'] },
  before: ({ PackageId }, look) => lookAtSubscribed([PackageId], look),
  consent: asks('Change', 'package', 'PackageId', { hazard: billedLater, undo: NO_REFUND }),
  output: () => packageRecord,
  examples: [{ PackageId: seeded('PKID'), PackageName: 'Starter line' }],
});
