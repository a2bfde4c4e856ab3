import * as z from 'zod';
import {
  type Call,
  type Charge,
  defineWorkflow,
  type Happening,
  type LocalHistory,
} from '../../src/catalogue/operation.ts';
import { defined, type Fields, groupedBy, searchForm } from '../../src/lib/values.ts';
import { carrierReason } from '../../src/platform/dialect/verdict.ts';
import { asOrder, Directory, MOST_SEARCHED, phoneOf, same, withoutEmpty } from '../shared/directory.ts';
import * as field from '../shared/fields.ts';
import { out, sinceTime, withinKept } from '../shared/fields.ts';

const MOST = 200;
/** Largest number of a customer's numbers whose events are read. */
const MOST_NUMBERS = 100;
/** Largest number of charges that are listed one by one. */
const MOST_LISTED = 50;
const PARTS = ['orders', 'messages', 'calls', 'actions'] as const;
const CHARGES = 'charges';

/** The list of the answer for each kind of event, in the order of display. Those that need attention come first. */
const LISTS: Readonly<Record<Happening['kind'], { list: string; part: (typeof PARTS)[number] }>> = {
  order: { list: 'Orders', part: 'orders' },
  watch: { list: 'Alerts', part: 'orders' },
  message: { list: 'Messages', part: 'messages' },
  status: { list: 'Receipts', part: 'messages' },
  call: { list: 'Calls', part: 'calls' },
  unknown: { list: 'Other', part: 'orders' },
  action: { list: 'Actions', part: 'actions' },
};

const KINDS = Object.keys(LISTS) as Happening['kind'][];

const NOTHING = 'Nothing is recorded for this. Reads and work outside Switchboard are not recorded.';
const NOTHING_UNHEARD =
  'Nothing is recorded for this. Work outside Switchboard is not recorded, and nor are the platform’s events, until it is connected to them.';
const NOT_CHARGED =
  'No charge is recorded for this. Recurring charges, and what others did outside Switchboard, are never recorded.';
const UNHEARD =
  'Only changes made here are recorded now. Orders, messages and calls are recorded once the person who runs Switchboard connects it to the platform’s events.';

const charge = { Actions: out.plain, KnownUsd: out.plain, NotPriced: out.plain } as const;

export default defineWorkflow({
  id: 'events_since',
  group: 'events',
  title: 'What happened since',
  description:
    'What happened since a time (default 24h, most 30d): orders, inbound messages, receipts, calls, alerts, who changed what here for whom, charges (Only charges: totals). Older: Until = the answer’s Since.',
  risk: 'read',
  needsHistory: true,
  input: () => ({
    Since: field.since.optional(),
    Until: field.moment.optional().describe('like Since'),
    PhoneNumber: field.e164.optional(),
    OrderId: field.orderId.optional(),
    SubscriberId: field.subscriberId.optional(),
    AccountId: field.accountId.optional(),
    By: z.string().trim().min(1).max(80).optional().describe('asker or decider'),
    Only: field.choice([...PARTS, CHARGES]).optional(),
    Rows: field.rowsUpTo(MOST),
  }),
  rules: (input, now) =>
    input.SubscriberId !== undefined && input.AccountId !== undefined
      ? { field: 'AccountId', message: 'give SubscriberId or AccountId, not both' }
      : withinKept(input, now),
  output: () => ({
    ...out.members('Since Until'),
    Orders: out.rows({
      OrderId: out.key('JNUOID', 'JNOID', 'TNOID'),
      ...out.members('At'),
      ...out.members('Status ErrorMessage', out.said),
      PhoneNumbers: out.texts,
      Why: out.own,
      Correct: out.owns,
    }),
    Messages: out.rows({
      MessageId: out.key('TMID'),
      ...out.members('At'),
      ...out.members('From Body', out.said),
      To: out.texts,
      Media: out.saids,
    }),
    Receipts: out.rows({ ...out.members('At MessageId'), To: out.texts, Status: out.said }),
    Other: out.rows({ At: out.plain, ...out.members('Event Fields', out.said) }),
    Calls: out.rows({ ...out.members('At CallId'), ...out.members('From To Event', out.said) }),
    Alerts: out.rows(out.members('At PhoneNumber Found')),
    Actions: out.rows({
      ...out.members('At MessageId'),
      ...out.members('Customer AskedBy Reason DecidedBy DecidedReason Delivery', out.said),
      ...out.members('State DecidedVia Operation Id', out.own),
      ...out.members('What Charged MaybeCharged', out.told),
      Changes: out.tolds,
      PhoneNumbers: out.texts,
    }),
    Charges: out.record({
      ...charge,
      ByCustomer: out.rows({ Customer: out.said, ...charge }),
      List: out.rows({ At: out.plain, ...out.members('Cost MaybeCost What', out.told), PhoneNumbers: out.texts }),
      Note: out.own,
    }),
    NotRead: out.own,
    More: out.plain,
    Message: out.own,
  }),
  /**
   * Makes no platform request, except to learn a customer's numbers: one for a subscriber, at most eight for an account.
   * Each order and call appears once, in its current state.
   */
  run: async (
    { Since, Until, PhoneNumber, OrderId, SubscriberId, AccountId, By, Only, Rows = MOST },
    { call, history },
  ) => {
    const now = history.now();
    const from = new Date(sinceTime(Since ?? '24h', now.getTime()));
    // Without Until, events of this millisecond are included. A given Until is excluded, so that pages do not overlap.
    const until = new Date(Until === undefined ? now.getTime() + 1 : sinceTime(Until, now.getTime()));
    const part = Only === CHARGES || By !== undefined ? 'actions' : Only;
    const kinds = KINDS.filter((kind) => part === undefined || LISTS[kind].part === part);
    const asksOrders = part === 'orders';
    const customer = await customerOf({ SubscriberId, AccountId }, call);
    const period = {
      since: from,
      until,
      // An order that was placed here is known before the platform reports it.
      kinds: asksOrders ? [...kinds, 'action' as const] : kinds,
      about: [PhoneNumber, OrderId].filter((one) => one !== undefined),
      of: PhoneNumber,
      limit: Only === CHARGES || By !== undefined || asksOrders ? MOST_SEARCHED : MOST,
    };
    const found = customer ? await happenedTo(customer.ids, period, history) : await history.happened(period);
    const isUnreported = found.list.every(({ kind }) => kind === 'action');
    const heard = asksOrders ? found.list.flatMap((entry) => asOrder(entry) ?? []) : found.list;
    const own = By === undefined ? heard : heard.filter(({ values }) => isBy(values, By));
    // With the newest entries come all that have the time of the oldest of them, so that no page splits those.
    const start = Only === CHARGES ? undefined : own.at(-Rows)?.at;
    const list = start === undefined ? own : own.filter(({ at }) => at >= start);
    const more = found.more || list.length < own.length;
    const charges = chargesOf(list, customer?.ids ?? (PhoneNumber === undefined ? undefined : [PhoneNumber]));
    const covered = {
      Since: (more && list[0]?.at) || from.toISOString(),
      Until: (Until === undefined ? now : until).toISOString(),
    };
    const left = defined({ More: more || undefined, NotRead: customer?.notRead });
    if (Only === CHARGES)
      return { ...covered, ...charges, ...left, ...('Charges' in charges ? {} : { Message: NOT_CHARGED }) };
    const lists = new Map(Object.values(LISTS).map(({ list: name }) => [name, new Map<string, Fields>()]));
    for (const { at, kind, values } of list) {
      const rows = lists.get(LISTS[kind].list) as Map<string, Fields>;
      const once = kind === 'action' ? undefined : (values.OrderId ?? values.CallId);
      const key = typeof once === 'string' ? once : String(rows.size);
      // A report may not name the numbers that are known from the order.
      const { PhoneNumbers } = (typeof once === 'string' && rows.get(key)) || {};
      // The row is deleted first, so that the latest one comes last.
      rows.delete(key);
      // A rejected order has the reason in plain words, and the fields of `numbers_portin_update` that correct it.
      const { Status, ErrorMessage: said } = values;
      const reason = Status === 'Rejected' && typeof said === 'string' ? carrierReason(said) : undefined;
      const row = withoutEmpty({ PhoneNumbers, ...withoutEmpty(values) });
      rows.set(key, { At: at, ...row, ...(reason && { Why: reason.words, Correct: reason.fields }) });
    }
    const asksEvents = kinds.some((kind) => kind !== 'action');
    const isUnheard = asksEvents && isUnreported && !(await history.isListening());
    const said = list.length > 0 ? (isUnheard ? UNHEARD : '') : isUnheard ? NOTHING_UNHEARD : NOTHING;
    joinReceipts(lists);
    return {
      ...covered,
      ...Object.fromEntries([...lists].flatMap(([name, rows]) => (rows.size > 0 ? [[name, [...rows.values()]]] : []))),
      ...charges,
      ...left,
      ...(said === '' ? {} : { Message: said }),
    };
  },
  examples: [{ Since: '8h' }, { Since: '2d', Only: 'orders' }],
});

/**
 * The ids under which a customer's events are recorded: their own, and their numbers. Undefined if no customer is given.
 *
 * @throws SwitchboardError `not_found` for a subscriber that does not exist
 */
async function customerOf(given: { SubscriberId?: string | undefined; AccountId?: string | undefined }, call: Call) {
  const { SubscriberId, AccountId } = given;
  const own = SubscriberId ?? AccountId;
  if (own === undefined) return undefined;
  const { phones, unread } = await (SubscriberId === undefined ? numbersOf(own, call) : numbersHeld(own, call));
  const left = phones.length - MOST_NUMBERS;
  const notRead = [...unread, ...(left > 0 ? [`Events of ${left} more numbers of this customer were not read.`] : [])];
  return { ids: [own, ...phones.slice(0, MOST_NUMBERS)], notRead: notRead.join(' ') || undefined };
}

async function numbersHeld(SubscriberId: string, call: Call): Promise<Awaited<ReturnType<typeof numbersOf>>> {
  const { PhoneNumbers } = await call('subscribers_get', { SubscriberId });
  return { phones: Array.isArray(PhoneNumbers) ? PhoneNumbers.map(String) : [], unread: [] };
}

/** The numbers of an account, and which parts of the lists were not searched. */
async function numbersOf(account: string, call: Call) {
  const directory = new Directory(call);
  const { numbers, subscribers } = directory;
  await Promise.all([numbers.readAll(), subscribers.readAll()]);
  const unread = Object.entries({ numbers, subscribers })
    .filter(([, list]) => list.hasMore)
    .map(([name, { rows, total }]) => `Only ${name} 1 to ${rows.length} of ${total} were searched for the account.`);
  return { phones: numbers.rows.filter((row) => same(directory.accountOf(row), account)).map(phoneOf), unread };
}

type Period = Parameters<LocalHistory['happened']>[0];

/** Entries about any of these ids, each once, oldest first. */
async function happenedTo(ids: readonly string[], period: Period, history: LocalHistory) {
  const found = await Promise.all(ids.map((id) => history.happened({ ...period, about: [...period.about, id] })));
  // A page that left out older entries of one number begins where its list begins.
  const begins = found.flatMap(({ list: [first], more }) => (more && first ? first.at : []));
  const start = begins.sort().at(-1) ?? '';
  const all = new Map(found.flatMap(({ list }) => list.map((entry) => [JSON.stringify(entry), entry])));
  const sorted = [...all.values()].filter(({ at }) => at >= start).sort((a, b) => (a.at < b.at ? -1 : 1));
  const omitted = sorted.at(-period.limit - 1);
  // Entries with the same time as an omitted one go to the next page with it.
  const list = omitted === undefined ? sorted : sorted.filter(({ at }) => at > omitted.at);
  return { list, more: omitted !== undefined || found.some(({ more }) => more) };
}

interface Billed {
  /** The entry that it is part of. */
  entry: Happening;
  customer: string;
  charges: readonly Charge[];
}

/** "15 USD"; prices that are not known are named. */
function costText(charges: readonly Charge[] = []): string {
  const costs = charges.map(({ cost }) => cost);
  const amounts = costs.flatMap(amountOf);
  if (costs.length > amounts.length) return [...new Set(costs)].join('; ');
  return amounts.length === 0 ? '' : `${sum(amounts)} USD`;
}

/** The amount of a cost in USD; nothing for a price that the platform does not state. */
function amountOf(cost: string): number[] {
  return /^\d+(\.\d+)? USD$/.test(cost) ? [Number.parseFloat(cost)] : [];
}

function sum(amounts: readonly number[]): number {
  return Number(amounts.reduce((total, one) => total + one, 0).toFixed(6));
}

/**
 * The actions that were billed, counted, in all and by customer.
 *
 * @param ids the numbers and ids of the customer whose charges are asked for
 */
function chargesOf(list: readonly Happening[], ids: readonly string[] | undefined): Fields {
  const billed = list.flatMap((entry): Billed[] => {
    const own = (entry.charges ?? []).filter(
      ({ payers }) =>
        ids === undefined || payers === undefined || payers.some((id) => ids.some((one) => same(one, id))),
    );
    const byCustomer = groupedBy(own, ({ customer = '(not known)' }) => customer);
    return [...byCustomer].map(([customer, charges]) => ({ entry, customer, charges }));
  });
  if (billed.length === 0) return {};
  const left = billed.length - MOST_LISTED;
  return {
    Charges: {
      ...sumOf(billed),
      ByCustomer: [...groupedBy(billed, ({ customer }) => customer)].map(([Customer, own]) => ({
        Customer,
        ...sumOf(own),
      })),
      List: billed.slice(-MOST_LISTED).map(({ entry: { at, values }, charges }) => {
        const [known, open] = [false, true].map((maybe) => charges.filter((one) => (one.maybe ?? false) === maybe));
        const { What, PhoneNumbers } = values;
        return withoutEmpty({ At: at, Cost: costText(known), MaybeCost: costText(open), What, PhoneNumbers });
      }),
      ...(left > 0 ? { NotListed: left } : {}),
      Note: 'Changes made here only. Recurring charges, and what others did outside Switchboard, are not in it.',
    },
  };
}

/** True for a change that this person asked for or decided about. */
function isBy({ AskedBy, DecidedBy }: Fields, name: string): boolean {
  const wordsOf = (text: unknown) => searchForm(String(text ?? '')).split(/[^\p{L}\p{M}\p{N}]+/u);
  const people = [wordsOf(AskedBy), wordsOf(DecidedBy)];
  // "Lees approvals" are those of Lee.
  return people.some((words) =>
    wordsOf(name).every((word) => words.includes(word) || words.includes(word.replace(/s$/, ''))),
  );
}

/** Prices that the platform does not state are counted apart. */
function sumOf(billed: readonly Billed[]) {
  const costs = billed.flatMap(({ charges }) => charges.map(({ cost }) => cost));
  const known = costs.flatMap(amountOf);
  return {
    Actions: new Set(billed.map(({ entry }) => entry)).size,
    KnownUsd: sum(known),
    NotPriced: costs.length - known.length,
  };
}

/**
 * Adds delivery receipts to the rows of the sends of this installation, by the id of the message. If the outcome of a
 * send was unknown, the ledger has settled it by the receipt's sender, text and recipients
 * (`tools/message/outbound.ts`), and the row says so.
 */
function joinReceipts(lists: Map<string, Map<string, Fields>>): void {
  const receipts = lists.get('Receipts');
  for (const [key, { Settled, ...row }] of lists.get('Actions') ?? []) {
    if (row.MessageId === undefined) continue;
    const own = [...(receipts ?? [])].filter(([, receipt]) => receipt.MessageId === row.MessageId);
    for (const [place] of own) receipts?.delete(place);
    // The last state of each recipient, oldest receipt first: `Delivered`, or `Delivered to +1…, Failed to +1…`.
    const states = new Map(own.map(([, { To, Status }]) => [String(To), String(Status)]));
    const [only, ...others] = new Set(states.values());
    const each = others.length === 0 ? only : [...states].map(([to, status]) => `${status} to ${to}`).join(', ');
    const state = own.length === 0 ? Settled : each;
    const Delivery =
      Settled === undefined ? state : `${state} (its outcome was unknown until the delivery receipt came)`;
    lists.get('Actions')?.set(key, { ...row, ...(Delivery === undefined ? {} : { Delivery }) });
  }
}
