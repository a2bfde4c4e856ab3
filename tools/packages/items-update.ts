import * as z from 'zod';
import { asks, defineOperation } from '../../src/catalogue/operation.ts';
import { decimal, itemType, packageId, packageItemId, seeded } from '../shared/fields.ts';
import { billedLater, itemRecord, lookAtItem, NO_REFUND } from '../shared/plans.ts';

export default defineOperation({
  endpoint: 'POST /v1.0/packages/items/update',
  title: 'Change a package item',
  description: 'Changes price, billing or type of one item of a package; the product itself stays as it is.',
  resend: true,
  notes:
    'PLATFORM.md, Package: Price is sent as a decimal string; assumed: another price, billing or type needs an approver',
  input: () => ({
    PackageId: packageId,
    PackageItemId: packageItemId,
    Price: decimal.optional().describe('USD'),
    Monthly: z.boolean().optional(),
    Type: itemType.optional(),
  }),
  keys: ['PackageId', 'PackageItemId'],
  ordinary: {},
  raised: { 'another price': ['Price'], 'another billing': ['Monthly'], 'another type': ['Type'] },
  before: lookAtItem,
  consent: asks('Change', 'item', 'PackageItemId', { hazard: billedLater, undo: NO_REFUND }),
  output: () => itemRecord,
  examples: [{ PackageId: seeded('PKID'), PackageItemId: seeded('PIID'), Price: '5.25' }],
});
