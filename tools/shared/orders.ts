import type { Happening, LocalHistory } from '../../src/catalogue/operation.ts';
import type { Fields } from '../../src/lib/values.ts';
import { hasEnded } from '../../src/platform/dialect/orders.ts';
import { text } from './before.ts';
import { keptAbout } from './line.ts';

/*
 * Orders as far as they are known here, because the platform lists none: those that it reported, and those that were
 * placed through Switchboard.
 */

/** The states in which operations leave their orders. */
const STATES: Readonly<Record<string, string>> = {
  numbers_portin: 'Submitted',
  numbers_provision: 'Submitted',
  numbers_portin_cancel: 'Cancelled',
};
/** Entries that are searched for orders. */
export const MOST_SEARCHED = 2_000;

/** An entry as the state of an order: a report, or the call that placed or cancelled it. Undefined for other actions. */
export function asOrder(entry: Happening): Happening | undefined {
  if (entry.kind !== 'action') return entry;
  const { OrderId, Operation, State, PhoneNumbers, Customer } = entry.values;
  const Status = STATES[String(Operation)];
  const isDone = State === 'done' || State === 'partly';
  if (Status === undefined || !isDone || text(OrderId) === undefined) return undefined;
  return { at: entry.at, kind: 'order', values: { Status, PhoneNumbers, OrderId, Customer } };
}

/**
 * The numbers of orders that have not ended, which no list of the platform has, with the customer of those that were
 * placed here. No platform request.
 */
export async function numbersOnOrder(history: LocalHistory): Promise<Fields[]> {
  const period = { ...keptAbout(undefined, history), limit: MOST_SEARCHED };
  const { list } = await history.happened({ ...period, kinds: ['order', 'action'] });
  const orders = new Map<string, Fields>();
  for (const { values } of list.flatMap((entry) => asOrder(entry) ?? []))
    orders.set(String(values.OrderId), {
      ...orders.get(String(values.OrderId)),
      ...values,
      PhoneNumbers: numbersOf(values, orders),
    });
  const open = [...orders.values()].filter(({ Status }) => !hasEnded(String(Status)));
  const rows = open.flatMap(({ PhoneNumbers, Customer }) =>
    (PhoneNumbers as string[]).map((phone) => ({ Number: phone, Customer, Status: 'On order' })),
  );
  return [...new Map(rows.map((row) => [row.Number, row])).values()];
}

/** The numbers of an order. A report may name none, and then they are those of the entries before it. */
function numbersOf({ OrderId, PhoneNumbers }: Fields, before: ReadonlyMap<string, Fields>): string[] {
  const named = Array.isArray(PhoneNumbers) ? PhoneNumbers.filter((one) => typeof one === 'string') : [];
  return named.length > 0 ? named : ((before.get(String(OrderId))?.PhoneNumbers as string[] | undefined) ?? []);
}

/** The field with the account at the losing carrier. */
export const CARRIER_ACCOUNT = 'CurrentAccountNumber';

/** The last four characters of an account at a carrier: "…2222". Undefined if there is none. */
export function maskedAccount(value: unknown): string | undefined {
  const account = text(value);
  return account && (account.length > 6 ? `…${account.slice(-4)}` : '…');
}
