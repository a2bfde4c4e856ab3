import { defineOperation } from '../../src/catalogue/operation.ts';
import { defined } from '../../src/lib/values.ts';
import { lookAtLine, lookAtPerson, namedLine, text } from '../shared/before.ts';
import { choice, iccid, KIND_WORDS, numberId, packageId, seeded, subscriberId } from '../shared/fields.ts';
import { NO_REFUND, packageText, subscriptionOf, subscriptionRecord, unfitSubscription } from '../shared/plans.ts';

export default defineOperation({
  id: 'subscriptions_create',
  endpoint: 'POST /v1.0/subscriptions',
  title: 'Subscribe a number',
  description:
    'Subscribes a number to a package; its recurring charges start. One subscription a number. TNID is the number id (numbers_get), not the phone number.',
  risk: 'spend',
  batch: { row: 'TNID' },
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
    const [{ customer }, { found: record }, existing, { line, problem, warnings }] = await Promise.all([
      lookAtPerson(input.SubscriberId, look),
      look.read('packages_get', { PackageId: input.PackageId }),
      subscriptionOf(input.TNID, look),
      lookAtLine(input.TNID, look),
    ]);
    const message = `${text(line?.Number) ?? input.TNID} has the subscription ${existing} already, and a number has one at most. Move it with subscriptions_update, or end it first with subscriptions_delete`;
    const taken = existing ? { field: 'TNID', message } : undefined;
    return {
      ...defined({ problem: taken ?? problem ?? (await unfitSubscription(line, input, look)), customer }),
      names: namedLine(input.TNID, line),
      known: { Package: packageText(record, input.PackageId) },
      effects: [
        {
          ...{ what: 'Package', member: 'PackageId', after: input.PackageId },
          ...(existing === '' ? { empty: true } : { unread: true }),
        },
      ],
      warnings,
    };
  },
  consent: ({ TNID, PackageId }, { Package = PackageId }) => ({
    title: `Subscribe number ${TNID} to package ${PackageId}`,
    consequence: '',
    undo: `The subscription can be ended. ${NO_REFUND}`,
    cost: `${String(Package)}, one-time and recurring charges`,
    confirm: 'Subscribe and bill',
  }),
  examples: [{ SubscriberId: seeded('TSUID'), TNID: seeded('NID'), PackageId: seeded('PKID'), Type: 'Mvno' }],
});
