import * as z from 'zod';
import { defineOperation, type Problem } from '../../src/catalogue/operation.ts';
import { listOf } from '../../src/lib/lists.ts';
import { accountWarning, lookAtSubscriber } from '../shared/before.ts';
import {
  accountId,
  areaCode,
  choice,
  iccid,
  messageRouteId,
  out,
  seeded,
  subscriberId,
  voiceRouteId,
  zipCode,
} from '../shared/fields.ts';
import { lookAtAccount } from '../shared/named.ts';
import { findPurchase } from '../shared/purchases.ts';

/** Accepted in any letter case and sent in lower case (PLATFORM.md, Number types). */
export const productType = choice(['sms+data+voice', 'data-only', 'sms-only', 'sms+data']);
export const messageType = choice(['a2p', 'p2p']);

/** iot is p2p only, voip is a2p only (PLATFORM.md, Number types). */
function messageTypeFits(input: { NumberType?: string; MessageType?: string | undefined }): Problem | undefined {
  if (input.NumberType === 'iot' && input.MessageType === 'a2p') {
    return {
      field: 'MessageType',
      message: 'an iot number carries p2p only: use MessageType=p2p, or NumberType=mvno for a2p',
    };
  }
  if (input.NumberType === 'voip' && input.MessageType === 'p2p') {
    return {
      field: 'MessageType',
      message: 'a voip number carries a2p only: use MessageType=a2p, or NumberType=mvno for p2p',
    };
  }
  return undefined;
}

const VOICE_ROUTE_NEEDED: Problem = {
  field: 'VoiceRouteId',
  message: 'is needed when VoiceEnabled is true; account_voice_routes_get lists the routes',
};

export default defineOperation({
  id: 'numbers_provision',
  endpoint: 'POST /v1.0/numbers/provision',
  title: 'Provision a number',
  description:
    'Buys a new number in an AreaCode or ZipCode and assigns its routes. Billed at once, not refunded. Needs an existing MessageRouteId, and a VoiceRouteId when VoiceEnabled. Without AssignedSubscriberId it is an orphan until numbers_update.',
  risk: 'spend',
  batch: {
    not: 'each purchase is confirmed by itself. Call it once for each number, the next one after the first is done',
  },
  resend: false,
  defaultAccount: true,
  source: 'S+I',
  notes:
    'PLATFORM.md, Provision; PLATFORM.md, Limits: one a second; assumed: a purchase is not refunded, an order answered as Rejected was not placed',
  lane: 'provision',
  input: () => ({
    MessageRouteId: messageRouteId,
    NumberType: choice(['mvno', 'iot', 'voip']),
    MessageType: messageType.describe('iot: only p2p. voip: only a2p. mvno: both'),
    ProductType: productType,
    MessageEnabled: z.boolean(),
    VoiceEnabled: z.boolean(),
    DataEnabled: z.boolean().optional(),
    VoiceRouteId: voiceRouteId.optional(),
    AreaCode: areaCode.optional(),
    ZipCode: zipCode.optional().describe('tried when the area code has none'),
    NGP: z.string().trim().min(1).max(20).optional().describe('from numbers_availability'),
    ICCID: iccid.optional().describe('physical SIM; may be bound later'),
    AssignedSubscriberId: subscriberId.optional(),
    AccountId: accountId.optional(),
  }),
  rules: (input) => [
    ...listOf(messageTypeFits(input)),
    ...(input.VoiceEnabled && input.VoiceRouteId === undefined ? [VOICE_ROUTE_NEEDED] : []),
  ],
  output: () => ({
    PhoneNumberId: out.text,
    PhoneNumberAssigned: out.text,
    OrderId: out.text,
    OrderStatus: out.text,
    OrderDate: out.text,
    QRCode: out.text,
    ICCID: out.text,
    SubscriberId: out.text,
    ErrorMessage: out.said,
  }),
  answer: { status: 'OrderStatus', refusedStates: ['Cancelled', 'Canceled'] },
  before: async (input, look) => {
    if (input.AssignedSubscriberId === undefined) {
      return { customer: await lookAtAccount(input.AccountId, look) };
    }
    const checked = await lookAtSubscriber(input.AssignedSubscriberId, look);
    const { fill, ...rest } = checked;
    const warnings = [...(rest.warnings ?? []), ...accountWarning('order', input, fill)];
    return { ...rest, warnings, ...(input.AccountId === undefined && fill ? { fill } : {}) };
  },
  consent: (input) => ({
    title: `Provision ${input.NumberType === 'voip' ? 'a' : 'an'} ${input.NumberType} number${input.AreaCode ? ` in area code ${input.AreaCode}` : ''}`,
    consequence: `${input.ProductType.startsWith('sms') ? 'An' : 'A'} ${input.ProductType} number is bought and billed at the distributor's rate.`,
    undo: 'No refund is documented; the number can be cancelled afterwards.',
    cost: "The distributor's rate for a number, one-time and recurring",
    confirm: 'Provision and bill',
  }),
  reconcile: findPurchase,
  examples: [
    {
      MessageRouteId: seeded('MRID'),
      NumberType: 'mvno',
      MessageType: 'a2p',
      ProductType: 'sms+data+voice',
      MessageEnabled: true,
      VoiceEnabled: true,
      VoiceRouteId: seeded('CRID'),
      AreaCode: '201',
      AssignedSubscriberId: seeded('TSUID'),
    },
  ],
});
