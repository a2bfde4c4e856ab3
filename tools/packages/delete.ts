import { defineOperation } from '../../src/catalogue/operation.ts';
import { words } from '../../src/lib/words.ts';
import { quoted } from '../../src/platform/dialect/plain-values.ts';
import { out, packageId, seeded } from '../shared/fields.ts';
import { lookAtNamed, packageName } from '../shared/named.ts';
import { subscribersOf } from '../shared/plans.ts';

export default defineOperation({
  id: 'packages_delete',
  endpoint: 'POST /v1.0/packages/delete',
  title: 'Delete a package',
  description:
    'Permanently deletes a package; its products stay. Refused while active subscriptions are on it: end them first with subscriptions_delete.',
  risk: 'destroy',
  resend: true,
  source: 'I',
  beyondSpecification: true,
  notes: 'PLATFORM.md, Package: refused while active subscriptions exist',
  removes: 'PackageId',
  input: () => ({ PackageId: packageId }),
  output: () => ({ PackageId: out.text, PackageStatus: out.text }),
  answer: { status: 'PackageStatus' },
  before: async ({ PackageId }, look) => {
    const [found, on] = await Promise.all([lookAtNamed('package', PackageId, look), subscribersOf([PackageId], look)]);
    const { count } = on;
    return {
      known: { Name: packageName(found) },
      warnings: [...found.warnings, ...on.warnings],
      ...(count === undefined || count === 0
        ? {}
        : {
            problem: {
              field: 'PackageId',
              message: words`${count === 1 ? '1 active subscription is' : `${count} active subscriptions are`} on package ${quoted(found.record === undefined ? found.name : (found.record.PackageName ?? found.name))}. account_subscriptions_get lists them; first move each to another package (subscriptions_update) or end it (subscriptions_delete)`,
            },
          }),
    };
  },
  consent: ({ PackageId }, { Name = PackageId }) => ({
    title: `Delete package ${String(Name)}`,
    consequence: 'Nobody can be subscribed to it any more. Its list of products and prices is lost; the products stay.',
    undo: 'Permanent. A new package can be created, under a new id.',
    confirm: 'Delete this package',
  }),
  examples: [{ PackageId: seeded('PKID') }],
});
