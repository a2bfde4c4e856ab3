import * as z from 'zod';
import { defineOperation } from '../../src/catalogue/operation.ts';
import { amount, openChoice, packageId, someChange, text } from '../shared/fields.ts';
import { lookAtNamed, packageName } from '../shared/named.ts';
import { differences, differenceWords, packageRecord, subscribedWords, subscribersOf } from '../shared/plans.ts';

/** What a package costs and is. Its name and description may change freely. */
const BILLED = ['Price', 'Monthly', 'Type'] as const;

export default defineOperation({
  id: 'packages_update',
  endpoint: 'POST /v1.0/packages/update',
  title: 'Change a package',
  description: 'Changes a package at once. Fields left out keep their values. Its products: packages_items_update.',
  risk: 'write',
  resend: true,
  source: 'I',
  beyondSpecification: true,
  notes:
    'PLATFORM.md, Package: items are not sent here, and whether running subscriptions pay a new price is not documented; assumed: SubscriberId is left out as in packages_create, another price, billing or type needs a person',
  input: z.strictObject({
    PackageId: packageId,
    PackageName: text().optional(),
    Description: text(1000).optional(),
    Type: openChoice(['sip', 'esim'], 50).optional(),
    Price: amount.optional(),
    Monthly: z.boolean().optional(),
  }),
  rules: (input) => someChange(input, ['PackageId'], 'PackageName'),
  raisedBy: 'another price, billing or type than now',
  raises: (input, { Package }) => {
    const changes = differences(input, Package, BILLED);
    return changes.length === 0
      ? undefined
      : { risk: 'destroy', reason: `What this package costs or gives changes: ${changes.join(', ')}.` };
  },
  before: async (input, look) => {
    const found = await lookAtNamed('package', input.PackageId, look);
    const known = { Name: packageName(found), ...(found.record ? { Package: found.record } : {}) };
    if (differences(input, found.record, BILLED).length === 0) return { known };
    const { count, warnings } = await subscribersOf(input.PackageId, look);
    return { known: { ...known, Subscribed: count }, warnings: [...found.warnings, ...warnings] };
  },
  consent: (input, { Name = input.PackageId, Package, Subscribed }) => ({
    title: `Change package ${String(Name)}`,
    consequence: `${differenceWords(input, Package, BILLED)} ${subscribedWords(Subscribed)} Whether they are billed differently at once is not documented; new ones are.`,
    undo: 'Another update can change it back. No refund of charges is documented.',
    confirm: 'Change this package',
  }),
  output: z.looseObject(packageRecord),
  examples: [{ PackageId: 'PKID-00000000-0000-4000-8000-000000000001', PackageName: 'Starter line' }],
});
