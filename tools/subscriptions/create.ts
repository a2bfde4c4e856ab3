import * as z from 'zod';
import { defineOperation } from '../../src/catalogue/operation.ts';
import { subscriberOnly } from '../shared/before.ts';
import { choice, iccid, numberId, out, packageId, subscriberId } from '../shared/fields.ts';

export default defineOperation({
  id: 'subscriptions_create',
  endpoint: 'POST /v1.0/subscriptions',
  title: 'Subscribe a number to a package',
  description:
    'Subscribes a number to a package; its recurring charges start. One subscription per number. Type must match the kind of number. TNID is the number id (numbers_get), not the phone number.',
  risk: 'spend',
  resend: false,
  source: 'S',
  notes: 'PLATFORM.md, Subscription: one per number; only ICCID is optional; Type Voip, Mvno or Iot',
  input: z.strictObject({
    SubscriberId: subscriberId,
    TNID: numberId.meta({ title: 'Number id (TNID), not the phone number' }),
    PackageId: packageId,
    Type: choice(['Voip', 'Mvno', 'Iot']),
    ICCID: iccid.optional(),
  }),
  output: z.looseObject({
    SubscriptionId: out.text,
    SubscriberId: out.text,
    TNID: out.text,
    ICCID: out.text,
    PackageId: out.text,
    Type: out.text,
    Active: out.flag,
  }),
  before: subscriberOnly,
  consent: ({ TNID, PackageId, SubscriberId }) => ({
    title: `Subscribe number ${TNID} to a package`,
    consequence: `The charges of package ${PackageId}, one-time and recurring, start for subscriber ${SubscriberId}.`,
    undo: 'No refund of charges is documented; a subscription cannot be ended here.',
    cost: `The charges of package ${PackageId}`,
    confirm: 'Subscribe and bill',
  }),
  examples: [
    {
      SubscriberId: 'TSUID-00000000-0000-4000-8000-000000000001',
      TNID: 'NID-00000000-0000-4000-8000-000000000001',
      PackageId: 'PKID-00000000-0000-4000-8000-000000000001',
      Type: 'Mvno',
    },
  ],
});
