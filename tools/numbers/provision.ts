import * as z from 'zod';
import { defineOperation } from '../../src/operation.ts';
import {
  accountId,
  areaCode,
  choice,
  iccid,
  messageRouteId,
  out,
  subscriberId,
  voiceRouteId,
  zipCode,
} from '../fields.ts';

/** platform.md lists the first two, the interface the others; lower case is sent (gaps.md, ProductType values). */
export const productType = choice(['sms+data+voice', 'data-only', 'sms-only', 'sms+data']);
export const messageType = choice(['a2p', 'p2p']);

/** iot is p2p only, voip is a2p only (platform.md, Enumerations and named conditions). */
export function messageTypeFits(input: { NumberType: string; MessageType?: string | undefined }) {
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

/** True when a purchase date, of which the platform may show the day only, surely lies before a moment. */
function boughtBefore(date: unknown, moment: Date): boolean {
  const day = Date.parse(String(date));
  return !Number.isNaN(day) && day < moment.getTime() - 2 * 86_400_000;
}

export default defineOperation({
  id: 'numbers_provision',
  endpoint: 'POST /v1.0/numbers/provision',
  title: 'Provision a number',
  description:
    'Buys a new number in an AreaCode or ZipCode and puts it on its routes. Billed at once. Needs an existing MessageRouteId, and a VoiceRouteId when VoiceEnabled. Without AssignedSubscriberId it is an orphan until numbers_update.',
  risk: 'spend',
  resend: false,
  source: 'S+I',
  notes:
    'platform.md, Numbers: provision rules; Limits: one a second; gaps.md, Provision; assumed: a purchase is not refunded, an order answered as Rejected was not placed',
  lane: 'provision',
  input: z.strictObject({
    MessageRouteId: messageRouteId,
    NumberType: choice(['mvno', 'iot', 'voip']),
    MessageType: messageType,
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
  rules: (input) =>
    messageTypeFits(input) ??
    (input.VoiceEnabled && input.VoiceRouteId === undefined
      ? {
          field: 'VoiceRouteId',
          message: 'is needed when VoiceEnabled is true; account_voice_routes_get lists the routes',
        }
      : undefined),
  output: z.looseObject({
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
  answer: { status: 'OrderStatus', refusedStates: ['Rejected'] },
  consent: (input) => ({
    title: `Provision a ${input.NumberType} number${input.AreaCode ? ` in area code ${input.AreaCode}` : ''}`,
    consequence: `A ${input.ProductType} number is bought and billed at the distributor's rate.`,
    undo: 'No refund is documented; the number can be cancelled afterwards.',
    confirm: 'Provision and bill',
  }),
  // A number bought by a lost answer stands in the inventory with an order no known action claims, made after we sent.
  reconcile: async (input, { call, sentAt, claimedOrders }) => {
    const inventory = await call('numbers_inventory_get', { Filter: 'Active', TotalNumbersRequested: 100 });
    const rows = Array.isArray(inventory.PhoneNumbers) ? (inventory.PhoneNumbers as Record<string, unknown>[]) : [];
    if (Number(inventory.TotalResults ?? rows.length) > rows.length) return 'unknown';
    const fits = rows.filter(
      (row) =>
        typeof row.OrderId === 'string' &&
        !claimedOrders.has(row.OrderId) &&
        !boughtBefore(row.OriginalDatePurchased, sentAt) &&
        (input.ICCID === undefined || row.Iccid === input.ICCID) &&
        (input.AssignedSubscriberId === undefined || row.AssignedSubscriberId === input.AssignedSubscriberId),
    );
    if (fits.length > 10) return 'unknown';
    for (const row of fits) {
      const order = await call('numbers_order_get', { OrderId: row.OrderId });
      if (Date.parse(String(order.OrderDate)) < sentAt.getTime() - 60_000) continue;
      return fits.length > 1
        ? 'unknown'
        : {
            done: {
              PhoneNumberAssigned: row.Number,
              PhoneNumberId: row.Tnid,
              OrderId: row.OrderId,
              OrderStatus: order.OrderStatus,
            },
          };
    }
    return 'not_done';
  },
  examples: [
    {
      MessageRouteId: 'MRID-00000000-0000-4000-8000-000000000001',
      NumberType: 'mvno',
      MessageType: 'a2p',
      ProductType: 'sms+data+voice',
      MessageEnabled: true,
      VoiceEnabled: true,
      VoiceRouteId: 'CRID-00000000-0000-4000-8000-000000000001',
      AreaCode: '201',
      AssignedSubscriberId: 'TSUID-00000000-0000-4000-8000-000000000001',
    },
  ],
});
