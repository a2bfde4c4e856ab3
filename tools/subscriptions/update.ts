import { type Checked, defineOperation, type Look, target } from '../../src/catalogue/operation.ts';
import { defined } from '../../src/lib/json.ts';
import { inQuotes } from '../../src/lib/text.ts';
import { plainText } from '../../src/lib/words.ts';
import { lookAtSubscriber, text } from '../shared/before.ts';
import { KIND_WORDS } from '../shared/choice-words.ts';
import {
  choice,
  iccid,
  numberId,
  packageId,
  seeded,
  someChange,
  subscriberId,
  subscriptionId,
} from '../shared/fields.ts';
import {
  lookAtLine,
  lookAtNamed,
  numberNames,
  packageName,
  subscriptionName,
  unfitSubscription,
} from '../shared/named.ts';
import { subscriptionRecord } from '../shared/plans.ts';

interface Change {
  SubscriberId?: string | undefined;
  TNID?: string | undefined;
  ICCID?: string | null | undefined;
  PackageId?: string | undefined;
  Type?: string | undefined;
}

/** Reads the subscription, its customer, and the names of the records to which it moves. At most five requests. */
async function lookAtChange(input: Change & { SubscriptionId: string }, look: Look): Promise<Checked> {
  const { record, warnings } = await lookAtNamed('subscription', input.SubscriptionId, look);
  const subscriber = (id: string | undefined) => (id === undefined ? undefined : lookAtSubscriber(id, look));
  const bundle = (id: string | undefined) => (id === undefined ? undefined : lookAtNamed('package', id, look));
  const [holder, next, held, wanted, names] = await Promise.all([
    subscriber(text(record?.SubscriberId)),
    subscriber(input.SubscriberId),
    bundle(input.PackageId === undefined ? undefined : text(record?.PackageId)),
    bundle(input.PackageId),
    numberNames([text(record?.TNID), input.TNID], look),
  ]);
  const tnid = input.TNID ?? text(record?.TNID);
  const isMoved = input.SubscriberId !== undefined || input.TNID !== undefined || input.Type !== undefined;
  const at = isMoved && tnid !== undefined ? await lookAtLine('TNID', tnid, look) : undefined;
  const line = at?.line;
  const then = {
    SubscriberId: input.SubscriberId ?? text(record?.SubscriberId),
    Type: input.Type ?? text(record?.Type),
  };
  const unfit = await unfitSubscription(line, then, look);
  const phoneOf = (id: unknown) => names[String(id)]?.name ?? id;
  return {
    ...(input.TNID === undefined ? {} : defined({ problem: at?.problem })),
    ...(holder?.customer === undefined ? {} : { customer: holder.customer }),
    names: { ...names, ...subscriptionName(input.SubscriptionId, record, names) },
    known: {
      ...(record?.TNID === undefined ? {} : { TNID: phoneOf(record.TNID) }),
      ...(input.TNID === undefined ? {} : { NewTNID: phoneOf(input.TNID) }),
      ...(next?.customer === undefined ? {} : { NewSubscriber: inQuotes(next.customer) }),
      ...(held ? { OldPackage: packageName(held) } : {}),
      ...(wanted ? { NewPackage: packageName(wanted) } : {}),
    },
    warnings: [
      warnings,
      holder?.warnings ?? [],
      next?.warnings ?? [],
      held?.warnings ?? [],
      wanted?.warnings ?? [],
      at?.warnings ?? [],
      // No problem: a subscription may move to its next subscriber before the line does.
      unfit ? [`The platform may refuse this: ${unfit.field} ${plainText(unfit.message)}.`] : [],
    ].flat(),
  };
}

export default defineOperation({
  id: 'subscriptions_update',
  endpoint: 'POST /v1.0/subscriptions/update',
  title: 'Change a subscription',
  description:
    'Moves a subscription to another package, subscriber, number or SIM at once. Fields left out keep their values; null clears ICCID.',
  risk: 'write',
  batch: { row: 'SubscriptionId' },
  resend: true,
  source: 'I',
  beyondSpecification: true,
  notes: 'PLATFORM.md, Subscription; assumed: null empties ICCID, every change needs an approver',
  input: () => ({
    SubscriptionId: subscriptionId,
    PackageId: packageId.optional(),
    SubscriberId: subscriberId.optional(),
    TNID: numberId.optional().meta({ title: 'Number' }),
    ICCID: iccid.nullish(),
    Type: choice(['Voip', 'Mvno', 'Iot'], KIND_WORDS).optional(),
  }),
  current: {
    read: 'subscriptions_get',
    keys: ['SubscriptionId'],
    input: ({ SubscriptionId }) => (typeof SubscriptionId === 'string' ? { SubscriptionId } : undefined),
    replaces: true,
    // The SIM is the one of the number.
    derivedFrom: { ICCID: 'TNID' },
  },
  rules: (input) => someChange(input, ['SubscriptionId'], 'PackageId'),
  ordinary: { SubscriptionId: target },
  raised: {
    PackageId: {
      what: 'every change',
      reason: (id, { known: { NewPackage = id, OldPackage } }) =>
        `It moves${OldPackage === undefined ? '' : ` from package ${String(OldPackage)}`} to package ${String(NewPackage)}: the new charges start, and what only the old package has is lost.`,
    },
    SubscriberId: {
      what: 'every change',
      reason: (id, { known: { NewSubscriber = id } }) => `It goes to subscriber ${String(NewSubscriber)}.`,
    },
    TNID: {
      what: 'every change',
      reason: (id, { known: { TNID, NewTNID = id } }) =>
        `Number ${String(NewTNID)} gets it; ${TNID === undefined ? 'the present number' : `number ${String(TNID)}`} is left without a subscription.`,
    },
    ICCID: {
      what: 'every change',
      reason: (iccid) => (iccid === null ? 'It is left without a SIM.' : `It moves to the SIM ${iccid}.`),
    },
    Type: { what: 'every change', reason: (type) => `Its type becomes ${type}.` },
  },
  before: lookAtChange,
  consent: (input, known, reasons) => ({
    title: `Change subscription ${input.SubscriptionId}`,
    consequence: reasons,
    undo: 'Another update can change it back. No refund of charges is documented.',
    confirm: 'Change this subscription',
    ...(input.PackageId === undefined
      ? {}
      : { cost: `The charges of package ${String(known.NewPackage ?? input.PackageId)}` }),
  }),
  output: () => subscriptionRecord,
  examples: [{ SubscriptionId: seeded('SUB'), PackageId: seeded('PKID') }],
});
