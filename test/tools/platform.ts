import { scripted } from '../support/scripted.ts';
import { openWorld } from '../support/world.ts';

/** A number of a large distributor, by its position in the inventory. */
const phoneAt = (n: number) => `+1201${String(n).padStart(7, '0')}`;
/** Data used by a number, in MB: 0 to 999. */
const usedBy = (phone: string) => (Number(phone.slice(5)) * 37) % 1000;
const subscriberId = (n: number) => `TSUID-${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`;

/**
 * A platform with this many numbers and subscribers, which pages as the real one does, and an MCP client in front of it.
 * Number n belongs to subscriber n modulo their count.
 */
export async function platform({ numbers, subscribers }: { numbers: number; subscribers: number }) {
  const number = (n: number) => ({
    Number: phoneAt(n),
    Status: n % 7 === 0 ? 'Parked' : 'Active',
    AssignedSubscriberId: subscriberId(n % subscribers),
    OriginalDatePurchased: `2026-${String((n % 12) + 1).padStart(2, '0')}-15T08:00:00Z`,
    NumberType: 'mvno',
    ProductType: n % 5 === 0 ? 'sms-only' : 'sms+data+voice',
  });
  const subscriber = (n: number) => ({
    SubscriberId: subscriberId(n),
    Name: `Person ${n} Stone`,
    PhoneNumbers: Array.from({ length: Math.ceil((numbers - n) / subscribers) }, (_, i) =>
      phoneAt(n + i * subscribers),
    ),
    Account: null,
  });
  const pageOf = <T>(total: number, query: URLSearchParams, rowsIn: string, row: (n: number) => T): T[] => {
    const rows = Number(query.get(rowsIn) ?? 100);
    const from = (Number(query.get('PageNumber') ?? 1) - 1) * rows;
    return Array.from({ length: Math.max(0, Math.min(rows, total - from)) }, (_, i) => row(from + i));
  };
  const platform = await scripted();
  const listed = ({ PhoneNumbers }: Record<string, unknown>) =>
    (PhoneNumbers as { Number: string }[]).map((row) => row.Number);
  platform.answer('/v1.0/numbers/inventory', (_, query) => ({
    TotalResults: numbers,
    PhoneNumbers: pageOf(numbers, query, 'TotalNumbersRequested', number),
  }));
  platform.answer('/v1.0/distributor/subscribers', (_, query) => ({
    TotalSubscribers: subscribers,
    Subscribers: pageOf(subscribers, query, 'TotalPerPage', subscriber),
  }));
  platform.answer('/v1.0/numbers', (_, query) => number(Number(query.get('PhoneNumber')?.slice(5))));
  platform.answer('/v1.0/numbers/data-usage/info', (sent) => ({
    PhoneNumbers: listed(sent).map((row) => ({ Number: row, Used: `${usedBy(row)} MB`, Remaining: '50 MB' })),
  }));
  platform.answer('/v1.0/numbers/data-usage/settings', (sent) => ({
    PhoneNumbers: listed(sent).map((row) => ({ Number: row, NotifyValue: 500, LimitValue: 1000 })),
  }));
  platform.answer('/v1.0/subscribers/get', (_, query) => subscriber(Number(query.get('SubscriberId')?.slice(6, 14))));
  const world = await openWorld({ PLATFORM_BASE_URL: platform.url });
  return {
    client: await world.client(),
    /** Returns the requests since the last call of this function. */
    requests: () => platform.requests.splice(0),
  };
}
