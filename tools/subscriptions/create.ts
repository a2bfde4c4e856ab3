import { defineOperation } from '../../src/catalogue/operation.ts';
import { defined } from '../../src/lib/json.ts';
import { inQuotes } from '../../src/lib/text.ts';
import { subscriberOnly, text } from '../shared/before.ts';
import { KIND_WORDS } from '../shared/choice-words.ts';
import { choice, iccid, numberId, packageId, seeded, subscriberId } from '../shared/fields.ts';
import { lookAtLine, lookAtNamed, packageName, unfitSubscription } from '../shared/named.ts';
import { subscriptionOf, subscriptionRecord } from '../shared/plans.ts';

export default defineOperation({
  id: 'subscriptions_create',
  endpoint: 'POST /v1.0/subscriptions',
  title: 'Subscribe a number to a package',
  description:
    'Subscribes a number to a package; its recurring charges start. One subscription per number: this does not change its package. Type must match the kind of number. TNID is the number id (numbers_get), not the phone number.',
  risk: 'spend',
  batch: { row: 'TNID' },
  resend: false,
  source: 'S',
  notes: 'PLATFORM.md, Subscription: one per number; only ICCID is optional; Type Voip, Mvno or Iot',
  input: () => ({
    SubscriberId: subscriberId,
    TNID: numberId.meta({ title: 'Number' }),
    PackageId: packageId,
    Type: choice(['Voip', 'Mvno', 'Iot'], KIND_WORDS),
    ICCID: iccid.optional(),
  }),
  output: () => subscriptionRecord,
  before: async (input, look) => {
    const [subscriber, found, existing, { line, problem, warnings }] = await Promise.all([
      subscriberOnly(input, look),
      lookAtNamed('package', input.PackageId, look),
      subscriptionOf(input.TNID, look),
      lookAtLine('TNID', input.TNID, look),
    ]);
    const phone = text(line?.Number);
    const unfit = await unfitSubscription(line, input, look);
    const message = `${phone ?? input.TNID} has the subscription ${existing} already, and a number has one at most. Move it with subscriptions_update, or end it first with subscriptions_delete`;
    return {
      ...(existing ? { problem: { field: 'TNID', message } } : defined({ problem: problem ?? unfit })),
      ...subscriber,
      names: phone === undefined ? {} : { [input.TNID]: { noun: 'number', name: phone, leads: [] } },
      known: {
        Package: packageName(found),
        PackageName: found.name,
        ...defined({ Subscriber: subscriber.customer && inQuotes(subscriber.customer), Phone: phone }),
      },
      effects: [
        { what: 'Package', member: 'PackageId', after: input.PackageId, ...(existing === '' && { empty: true }) },
      ],
      // The number's id is what is sent. Its place in a long inventory moves when other numbers are bought.
      drifts: ['Phone'],
      warnings: [...(subscriber.warnings ?? []), ...found.warnings, ...warnings],
    };
  },
  consent: (
    { PackageId, SubscriberId },
    { Package = PackageId, PackageName = PackageId, Subscriber = SubscriberId, Phone },
  ) => {
    const number = String(Phone ?? `A number of ${String(Subscriber)}`);
    const billed = `The charges of package ${String(Package)}, one-time and recurring, start for subscriber ${String(Subscriber)}.`;
    return {
      title: `Subscribe ${String(Phone ?? `a number of ${String(Subscriber)}`)} to ${String(PackageName)}`,
      consequence: `${number} is on package ${String(PackageName)} at once. ${billed}`,
      undo: 'The subscription can be ended. No refund of charges is documented.',
      cost: `${String(Package)}, one-time and recurring charges`,
      billed,
      says: ['SubscriberId', 'Type'],
      confirm: 'Subscribe and bill',
    };
  },
  examples: [{ SubscriberId: seeded('TSUID'), TNID: seeded('NID'), PackageId: seeded('PKID'), Type: 'Mvno' }],
});
