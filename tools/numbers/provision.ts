import * as z from 'zod';
import { type Call, defineOperation, type Finding, type Trace } from '../../src/catalogue/operation.ts';
import { AHEAD_MS } from '../../src/lib/clock.ts';
import { defined, type Fields, inQuotes, joined, recordsIn, type Words, words } from '../../src/lib/values.ts';
import { quoted } from '../../src/platform/dialect/phone.ts';
import { orderState } from '../../src/platform/dialect/verdict.ts';
import { accountName, accountWarning, lookAtHolder, text } from '../shared/before.ts';
import * as field from '../shared/fields.ts';
import { CHOICE_WORDS, KIND_WORDS, out, seeded } from '../shared/fields.ts';
import { kindOf } from '../shared/line.ts';

/** Accepted in any letter case and sent in lower case (PLATFORM.md, Number types). */
export const productType = field.choice(
  ['sms+data+voice', 'data-only', 'sms-only', 'sms+data'],
  CHOICE_WORDS.ProductType,
);
export const messageType = field.choice(['a2p', 'p2p'], CHOICE_WORDS.MessageType);

/** The message type that a kind of line carries alone (PLATFORM.md, Number types). */
export function carriedBy(kind: string): 'p2p' | 'a2p' | undefined {
  const only = { iot: 'p2p', voip: 'a2p' } as const;
  return (only as Readonly<Record<string, 'p2p' | 'a2p'>>)[kind.toLowerCase()];
}

/** The fields that switch a service on, each with its part in the name of a product. */
const SWITCHES = [
  ['MessageEnabled', 'sms'],
  ['VoiceEnabled', 'voice'],
  ['DataEnabled', 'data'],
] as const;

const DATA_LIMIT = ' Its data limit is at first that of the platform, which does not name it.';

export default defineOperation({
  endpoint: 'POST /v1.0/numbers/provision',
  title: 'New line',
  description:
    'Buys a new number in an AreaCode or ZipCode. Billed at once, not refunded. Without AssignedSubscriberId nobody holds it until numbers_update.',
  risk: 'spend',
  batch: {
    not: 'each purchase is confirmed by itself. Call it once for each number, the next one after the first is done',
  },
  defaultAccount: true,
  source: 'S+I',
  notes:
    'PLATFORM.md, Provision; PLATFORM.md, Limits: one a second; assumed: a purchase is not refunded, an order answered as Rejected was not placed',
  lane: 'provision',
  input: () => ({
    MessageRouteId: field.messageRouteId,
    NumberType: field.choice(['mvno', 'iot', 'voip'], KIND_WORDS),
    MessageType: messageType.describe('data SIM (iot): only p2p; internet phone (voip): only a2p'),
    ProductType: productType,
    MessageEnabled: z.boolean(),
    VoiceEnabled: z.boolean(),
    DataEnabled: z.boolean().optional(),
    VoiceRouteId: field.voiceRouteId.optional(),
    AreaCode: field.areaCode.optional(),
    ZipCode: field.zipCode.optional().describe('tried when the area code has none'),
    NGP: field.text(20).optional().describe('from numbers_availability').meta({ title: 'Number area (NGP)' }),
    ICCID: field.iccid.optional().describe('physical SIM; may be bound later'),
    AssignedSubscriberId: field.subscriberId.optional(),
    AccountId: field.accountId.optional(),
  }),
  rules: ({ NumberType: kind = '', MessageType, VoiceEnabled, VoiceRouteId }) => {
    const only = carriedBy(kind);
    const isOther = only !== undefined && MessageType !== undefined && MessageType !== only;
    const message = `such a line (${KIND_WORDS[kind]}) carries messages ${only && CHOICE_WORDS.MessageType[only]} only: use MessageType=${only}, or NumberType=mvno`;
    const noRoute = 'is needed when VoiceEnabled is true; account_voice_routes_get lists the routes';
    return [
      ...(isOther ? [{ field: 'MessageType', message }] : []),
      ...(VoiceEnabled && VoiceRouteId === undefined ? [{ field: 'VoiceRouteId', message: noRoute }] : []),
    ];
  },
  output: () => ({
    ...out.members('PhoneNumberId PhoneNumberAssigned OrderId OrderStatus OrderDate QRCode ICCID SubscriberId'),
    ...out.members('ErrorMessage'),
  }),
  answer: {
    status: 'OrderStatus',
    refusedStates: ['Cancelled', 'Canceled'],
    aside: ['PhoneNumberId', 'OrderDate'],
  },
  before: async (input, look) => {
    const { MessageRouteId, VoiceRouteId: CallRouteID } = input;
    const [checked, message, voice] = await Promise.all([
      lookAtHolder(input, look),
      look.read('message_routes_get', { MessageRouteId }),
      CallRouteID === undefined ? undefined : look.read('voice_routes_get', { CallRouteID }),
    ]);
    const accounts = [...new Set([message, voice].flatMap((route) => text(route?.found?.AccountId) ?? []))];
    const account = input.AccountId ?? text(checked.fill?.AccountId);
    const foreign = await Promise.all(accounts.map((id) => accountWarning('order', account, id, look, 'route')));
    const names = await Promise.all(accounts.map(async (id) => inQuotes(await accountName(id, look))));
    return {
      ...checked,
      warnings: [...(checked.warnings ?? []), ...foreign.flat()],
      known: { Routes: names.length === 0 ? '' : ` Its routes belong to ${names.join(' and ')}.` },
    };
  },
  consent: (input, { Routes = '' }) => ({
    title: `New line (${KIND_WORDS[input.NumberType]})${input.AreaCode ? ` in area code ${input.AreaCode}` : ''}`,
    consequence: `Billed at once.${String(Routes)}${input.ProductType.includes('data') ? DATA_LIMIT : ''}`,
    undo: 'It is not refunded; the number can be cancelled afterwards.',
    cost: "The distributor's rate for a number, one-time and recurring",
    confirm: 'Buy this line',
  }),
  // The title has the kind of line and the area code.
  effects: ({ NumberType, ProductType, ICCID, ...flags }) => [
    {
      ...{ what: 'Service', member: 'ProductType', after: ProductType },
      tells: [
        'NumberType',
        'AreaCode',
        ...SWITCHES.filter(([flag, on]) => ProductType.includes(on) === (flags[flag] ?? true)).map(([flag]) => flag),
      ],
    },
    ...(ICCID === undefined && NumberType !== 'voip' ? [{ what: 'SIM', after: 'eSIM' }] : []),
  ],
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

/*
 * Finds a purchase whose answer was lost. The platform returns no reference of the request, so a number counts as bought by
 * it only if type, product, message route, account, area and time all match, no other call may have bought it, and no
 * second number matches. A person decides about everything else.
 */

/** Rows per page (PLATFORM.md, Limits). */
const PAGE = 100;
/** An inventory with more pages is not searched, because that would use up the request budget. */
const MAX_PAGES = 30;
/** Largest number of orders that are read one by one. */
const MAX_ORDERS = 10;

type Fit = 'ours' | 'maybe' | 'not_ours';

/** Reconciles `numbers_provision` by reading the inventory and the orders of numbers that the call may have bought. */
async function findPurchase(input: Fields, trace: Trace): Promise<Finding> {
  const inventory = await readInventory(trace.call);
  const unknown = (saw: Words): Finding => ({ outcome: 'unknown', saw });
  if (typeof inventory === 'string') return unknown(inventory);
  const possible = inventory.filter(
    (row) => alike(input, row) !== 'not_ours' && inTime(row.OriginalDatePurchased, trace) !== 'not_ours',
  );
  const claimed = await trace.claimed(possible.flatMap(namesOf));
  const likely = possible.filter((row) => !namesOf(row).some((name) => claimed.has(name)));
  const read = `numbers_inventory_get lists ${inventory.length} numbers`;
  if (likely.length > MAX_ORDERS)
    return unknown(
      words`${read}, of which ${likely.length} of this kind were bought about then: ${named(likely.slice(0, 5))} …`,
    );
  const dated = await Promise.all(
    likely.map(async (row) => {
      // Only order ids in the platform's usual form can be read. Other rows use the day of purchase.
      if (typeof row.OrderId !== 'string' || !/^JN(UO|O)ID-/i.test(row.OrderId)) return row;
      const order = await trace.call('numbers_order_get', { OrderId: row.OrderId });
      return { ...row, OrderDate: order.OrderDate, ...defined({ OrderStatus: orderState(order) || undefined }) };
    }),
  );
  const judged = dated
    .map((row) => ({ row, fit: worse(alike(input, row), inTime(row.OrderDate ?? row.OriginalDatePurchased, trace)) }))
    .filter(({ fit }) => fit !== 'not_ours');
  if (judged.length === 0)
    return { outcome: 'not_done', saw: `${read}, none of this kind ordered since ${trace.sentAt.toISOString()}` };

  const candidates = judged.map(({ row }) => row);
  const [only] = judged;
  const saw = words`numbers_inventory_get lists`;
  if (judged.length > 1 || only === undefined)
    return unknown(words`${saw} several that may be it: ${named(candidates)}`);
  if (only.fit === 'maybe')
    return unknown(words`${saw} one that may be it, but not everything that identifies it: ${named(candidates)}`);
  if (trace.open.some((other) => other === undefined || alike(other, only.row) !== 'not_ours'))
    return unknown(words`${saw} ${named(candidates)}, and another call whose outcome is open may have bought it`);
  const { Number: PhoneNumberAssigned, Tnid: PhoneNumberId, OrderId, OrderStatus } = only.row;
  const result = { PhoneNumberAssigned, PhoneNumberId, OrderId, ...defined({ OrderStatus }) };
  return { outcome: 'done', result, saw: words`${saw} ${named(candidates)}` };
}

/** The number and the order in the result of a purchase. */
function namesOf({ Number: number, OrderId: order }: Fields): string[] {
  return [number, order].filter((name) => typeof name === 'string').filter((name) => name !== '');
}

/** All rows in any state, or a sentence that says why they cannot be searched. */
async function readInventory(call: Call): Promise<Fields[] | string> {
  const rows: Fields[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const answer = await call('numbers_inventory_get', { PageNumber: page, TotalNumbersRequested: PAGE });
    const found = recordsIn(answer.PhoneNumbers);
    rows.push(...found);
    const total = Number(answer.TotalResults ?? Number.NaN);
    if (found.length === 0 || (Number.isNaN(total) ? found.length < PAGE : rows.length >= total)) return rows;
  }
  return `the inventory has more than ${MAX_PAGES * PAGE} numbers and was not searched`;
}

/** Compares a row with the request. */
function alike(input: Fields, row: Fields): Fit {
  return [
    // Every purchase has them, so a row without one is a `maybe`.
    fits(input.NumberType, kindOf(row), 'maybe'),
    fits(input.ProductType, row.ProductType, 'maybe'),
    fits(input.MessageRouteId, row.MessageRouteId, 'maybe'),
    // Not every row shows these.
    ...['MessageType', 'VoiceRouteId', 'AccountId'].map((field) => fits(input[field], row[field], 'ours')),
    fits(input.ICCID, row.Iccid, 'ours'),
    // A number that was bought without a subscriber may have one by now.
    fits(subscriberOf(input), subscriberOf(row), 'maybe'),
    areaFits(input, row),
  ].reduce(worse, 'ours');
}

function worse(one: Fit, other: Fit): Fit {
  const order: readonly Fit[] = ['ours', 'maybe', 'not_ours'];
  return order[Math.max(order.indexOf(one), order.indexOf(other))] ?? 'not_ours';
}

const textOf = (value: unknown) => (typeof value === 'string' ? value.trim().toLowerCase() : '');

/** Rows may show a subscriber as `SID-`. */
const subscriberOf = ({ AssignedSubscriberId: id }: Fields) => textOf(id).replace(/^t?s(u)?id-/, '');

/** Compares one member. `absent`: where either of them does not have it. */
function fits(wanted: unknown, found: unknown, absent: Fit): Fit {
  if (textOf(wanted) === textOf(found)) return 'ours';
  return textOf(wanted) === '' || textOf(found) === '' ? absent : 'not_ours';
}

/** The area code is tried before the ZIP code (PLATFORM.md, Availability): with both, either may have been taken. */
function areaFits(input: Fields, row: Fields): Fit {
  if (textOf(input.AreaCode) === '') return 'ours';
  if (String(row.Number).startsWith(`+1${String(input.AreaCode)}`)) return 'ours';
  return textOf(input.ZipCode) === '' ? 'not_ours' : 'maybe';
}

/**
 * Compares the date of purchase with the time in which the platform may have worked on the call. A date without a time
 * is not certain.
 */
function inTime(date: unknown, trace: Trace): Fit {
  const span = trace.date(date);
  if (span === undefined) return 'maybe';
  const from = trace.sentAt.getTime() - AHEAD_MS;
  const until = trace.workedUntil.getTime() + AHEAD_MS;
  if (span.until < from || span.from > until) return 'not_ours';
  return span.from >= from && span.until <= until ? 'ours' : 'maybe';
}

function named(rows: readonly Fields[]): Words {
  const all = rows.map((row) => {
    const bought = row.OrderDate ?? row.OriginalDatePurchased;
    const order = row.OrderId ? words`order ${quoted(row.OrderId)}` : 'no order';
    return words`${quoted(row.Number)} (${order}${bought ? words`, bought ${quoted(bought)}` : ''})`;
  });
  return joined(all, ', ');
}
