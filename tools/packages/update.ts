import * as z from 'zod';
import { defineOperation, label, target } from '../../src/catalogue/operation.ts';
import { amount, openChoice, packageId, seeded, someChange, text } from '../shared/fields.ts';
import { lookAtNamed, packageName } from '../shared/named.ts';
import { billed, packageRecord, subscribedWords, subscribersOf } from '../shared/plans.ts';

export default defineOperation({
  id: 'packages_update',
  endpoint: 'POST /v1.0/packages/update',
  title: 'Change a package',
  description:
    'Changes a package at once. Fields left out keep their values; null clears Description. Its products: packages_items_update.',
  risk: 'write',
  resend: true,
  source: 'I',
  beyondSpecification: true,
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
  current: {
    read: 'packages_get',
    keys: ['PackageId'],
    input: ({ PackageId }) => (typeof PackageId === 'string' ? { PackageId } : undefined),
    replaces: true,
  },
  rules: (input) => someChange(input, ['PackageId'], 'PackageName'),
  ordinary: {
    PackageId: target,
    PackageName: label,
    Description: label,
  },
  raised: { Price: billed('another price'), Monthly: billed('another billing'), Type: billed('another type') },
  before: async (input, look) => {
    const found = await lookAtNamed('package', input.PackageId, look);
    const known = { Name: packageName(found), ...(found.record ? { Record: found.record } : {}) };
    const { count, who, warnings } = await subscribersOf([input.PackageId], look);
    return {
      ...(who !== '' && { customer: who }),
      known: { ...known, Subscribed: count, Who: who },
      warnings: [...found.warnings, ...warnings],
    };
  },
  consent: (input, { Name = input.PackageId, Subscribed, Who }, reasons) => ({
    title: `Change package ${String(Name)}`,
    consequence: `${reasons} ${subscribedWords(Subscribed, Who)} Whether they are billed differently at once is not documented; new ones are.`,
    undo: 'Another update can change it back. No refund of charges is documented.',
    confirm: 'Change this package',
  }),
  output: () => packageRecord,
  examples: [{ PackageId: seeded('PKID'), PackageName: 'Starter line' }],
});
