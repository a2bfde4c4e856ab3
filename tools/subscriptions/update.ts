import { asks, defineOperation } from '../../src/catalogue/operation.ts';
import { defined, plainText } from '../../src/lib/values.ts';
import { lookAtLine, text } from '../shared/before.ts';
import {
  choice,
  iccid,
  KIND_WORDS,
  numberId,
  packageId,
  seeded,
  subscriberId,
  subscriptionId,
} from '../shared/fields.ts';
import { lookAtSubscription, NO_REFUND, packageText, subscriptionRecord, unfitSubscription } from '../shared/plans.ts';

const changes = asks('Change', 'subscription', 'SubscriptionId', { undo: NO_REFUND });

export default defineOperation({
  endpoint: 'POST /v1.0/subscriptions/update',
  title: 'Change a subscription',
  description: 'Moves a subscription to another package, subscriber, number or SIM at once.',
  batch: { row: 'SubscriptionId' },
  // A package may be billed each time that it is set.
  once: ['PackageId'],
  notes: 'PLATFORM.md, Subscription; assumed: null empties ICCID, every change needs an approver',
  input: () => ({
    SubscriptionId: subscriptionId,
    PackageId: packageId.optional(),
    SubscriberId: subscriberId.optional(),
    TNID: numberId.optional().meta({ title: 'Number' }),
    ICCID: iccid.nullish(),
    Type: choice(['Voip', 'Mvno', 'Iot'], KIND_WORDS).optional(),
  }),
  keys: ['SubscriptionId'],
  current: {
    read: 'subscriptions_get',
    replaces: true,
    // The SIM is the one of the number.
    derivedFrom: { ICCID: 'TNID' },
  },
  ordinary: {},
  raised: { 'every change': ['others'] },
  hazards: {
    PackageId: 'The new charges start, and what only the old package has is lost.',
    TNID: 'The present number is left without a subscription.',
  },
  before: async (input, look) => {
    const { SubscriptionId, PackageId, SubscriberId, TNID, Type } = input;
    const { record = {}, ...checked } = await lookAtSubscription(SubscriptionId, [TNID], look);
    const tnid = TNID ?? text(record.TNID);
    const isMoved = SubscriberId !== undefined || TNID !== undefined || Type !== undefined;
    const at = isMoved && tnid !== undefined ? await lookAtLine(tnid, look) : undefined;
    const then = { SubscriberId: SubscriberId ?? text(record.SubscriberId), Type: Type ?? text(record.Type) };
    const unfit = await unfitSubscription(at?.line, then, look);
    const wanted = PackageId === undefined ? undefined : await look.read('packages_get', { PackageId });
    return {
      ...checked,
      ...(TNID !== undefined && defined({ problem: at?.problem })),
      known: defined({ Package: wanted && packageText(wanted.found, PackageId ?? '') }),
      warnings: [
        ...(at?.warnings ?? []),
        // No problem: a subscription may move to its next subscriber before the line does.
        ...(unfit ? [`The platform may refuse this: ${unfit.field} ${plainText(unfit.message)}.`] : []),
      ],
    };
  },
  consent: (input, known, reasons) => ({
    ...changes(input, known, reasons),
    ...(input.PackageId !== undefined && {
      cost: `The charges of package ${String(known.Package ?? input.PackageId)}`,
    }),
  }),
  output: () => subscriptionRecord,
  examples: [{ SubscriptionId: seeded('SUB'), PackageId: seeded('PKID') }],
});
