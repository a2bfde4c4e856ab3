import { asks, defineOperation } from '../../src/catalogue/operation.ts';
import { packageId, removal } from '../shared/fields.ts';
import { lookAtSubscribed } from '../shared/plans.ts';

export default defineOperation({
  endpoint: 'POST /v1.0/packages/delete',
  title: 'Delete a package',
  description:
    'Permanently deletes a package; its products stay. Refused while active subscriptions are on it: end them first with subscriptions_delete.',
  notes: 'PLATFORM.md, Package: refused while active subscriptions exist',
  ...removal('PackageId', packageId),
  before: async ({ PackageId }, look) => {
    const { count = 0, ...checked } = await lookAtSubscribed([PackageId], look);
    const message = `${count === 1 ? '1 active subscription is' : `${count} active subscriptions are`} on this package. account_subscriptions_get lists them; first move each to another package (subscriptions_update) or end it (subscriptions_delete)`;
    return { ...checked, ...(count > 0 && { problem: { field: 'PackageId', message } }) };
  },
  consent: asks('Delete', 'package', 'PackageId', { hazard: 'Its products stay; its list of them is lost.' }),
});
