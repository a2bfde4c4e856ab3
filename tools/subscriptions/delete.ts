import { defineOperation } from '../../src/catalogue/operation.ts';
import { lookAtSubscriber, text } from '../shared/before.ts';
import { out, seeded, subscriptionId } from '../shared/fields.ts';
import { lookAtNamed, numberNames, packageName, subscriptionName } from '../shared/named.ts';

export default defineOperation({
  id: 'subscriptions_delete',
  endpoint: 'POST /v1.0/subscriptions/delete',
  title: 'End a subscription',
  description:
    'Permanently ends a subscription: the number loses its package and services. Subscriber and number stay.',
  risk: 'destroy',
  batch: { row: 'SubscriptionId' },
  resend: true,
  source: 'I',
  beyondSpecification: true,
  notes: 'PLATFORM.md, Subscription',
  removes: 'SubscriptionId',
  input: () => ({ SubscriptionId: subscriptionId }),
  output: () => ({ SubscriptionId: out.text, SubscriptionStatus: out.text }),
  answer: { status: 'SubscriptionStatus' },
  before: async ({ SubscriptionId }, look) => {
    const { record, warnings } = await lookAtNamed('subscription', SubscriptionId, look);
    const holder = text(record?.SubscriberId);
    const held = text(record?.PackageId);
    const [customer, found, names] = await Promise.all([
      holder === undefined ? undefined : lookAtSubscriber(holder, look),
      held === undefined ? undefined : lookAtNamed('package', held, look),
      numberNames([text(record?.TNID)], look),
    ]);
    const called = text(found?.record?.PackageName);
    const TNID = names[String(record?.TNID)]?.name ?? record?.TNID ?? '';
    return {
      ...(customer?.customer === undefined ? {} : { customer: customer.customer }),
      names: {
        ...names,
        ...subscriptionName(SubscriptionId, record, names),
        ...(held !== undefined && called !== undefined && { [held]: { noun: 'package', name: called, leads: [] } }),
      },
      // The line is in the title. The change removes its package.
      ...(held !== undefined && { effects: [{ what: 'Package', before: held, removed: true as const }] }),
      known: { TNID, ...(found ? { Package: packageName(found) } : {}) },
      warnings: [...warnings, ...(customer?.warnings ?? []), ...(found?.warnings ?? [])],
    };
  },
  consent: ({ SubscriptionId }, { TNID = '', Package = '' }) => ({
    title: `End the subscription of ${TNID === '' ? SubscriptionId : String(TNID)}`,
    consequence: `${TNID === '' ? 'Its number' : `Number ${String(TNID)}`} loses ${Package === '' ? 'its package' : `package ${String(Package)}`} at once, with all services and features in it.`,
    undo: 'Permanent. The number can be subscribed again, which is billed anew.',
    confirm: 'End this subscription',
  }),
  examples: [{ SubscriptionId: seeded('SUB') }],
});
