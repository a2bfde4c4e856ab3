import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../support/ending.ts';
import { openWorld } from '../support/world.ts';

const TOKEN = { successful: true, token: 'a-token', tokenExpiry: '12/31/2099 11:59:59 PM' };

/** A number of a large distributor, by its position in the inventory. */
const phoneAt = (n: number) => `+1201${String(n).padStart(7, '0')}`;
/** Data used by a number, in MB: 0 to 999. */
const usedBy = (phone: string) => (Number(phone.slice(5)) * 37) % 1000;
const subscriberId = (n: number) => `TSUID-${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`;

/**
 * A platform with this many numbers and subscribers, which pages as the real one does, and an MCP client in front of it.
 * Number n belongs to subscriber n modulo their count. `requests`: paths and queries that were asked, tokens left out.
 */
export async function platform(size: { numbers: number; subscribers: number; accountId?: string }) {
  const { numbers, subscribers, accountId } = size;
  const asked: string[] = [];
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
    Account: accountId === undefined ? null : { AccountId: accountId, CompanyName: null },
  });
  const pageOf = <T>(total: number, query: URLSearchParams, rowsIn: string, row: (n: number) => T): T[] => {
    const rows = Number(query.get(rowsIn) ?? 100);
    const from = (Number(query.get('PageNumber') ?? 1) - 1) * rows;
    return Array.from({ length: Math.max(0, Math.min(rows, total - from)) }, (_, i) => row(from + i));
  };
  const answer = (path: string, query: URLSearchParams, rows: string[]): object | undefined => {
    const phone = query.get('PhoneNumber')?.replace(/^ /, '+');
    switch (path) {
      case '/v1.0/oauth2/tokens':
        return TOKEN;
      case '/v1.0/numbers/inventory':
        return { TotalResults: numbers, PhoneNumbers: pageOf(numbers, query, 'TotalNumbersRequested', number) };
      case '/v1.0/distributor/subscribers':
        return { TotalSubscribers: subscribers, Subscribers: pageOf(subscribers, query, 'TotalPerPage', subscriber) };
      case '/v1.0/numbers':
        return phone === undefined ? undefined : number(Number(phone.slice(5)));
      case '/v1.0/numbers/data-usage/info':
        return { PhoneNumbers: rows.map((row) => ({ Number: row, Used: `${usedBy(row)} MB`, Remaining: '50 MB' })) };
      case '/v1.0/numbers/data-usage/settings':
        return { PhoneNumbers: rows.map((row) => ({ Number: row, NotifyValue: 500, LimitValue: 1000 })) };
      case '/v1.0/subscribers/get':
        return subscriber(Number(query.get('SubscriberId')?.slice(6, 14)));
      default:
        return undefined;
    }
  };
  const server = createServer((request, response) => {
    const { pathname, search, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname !== '/v1.0/oauth2/tokens') asked.push(pathname + search);
    void text(request).then((body) => {
      const listed = body.includes('PhoneNumbers') ? JSON.parse(body).PhoneNumbers : [];
      const numbers = listed.map((row: { Number: string }) => row.Number);
      const found = answer(pathname, searchParams, numbers);
      response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(found ?? { StatusCode: 404, Message: 'Not found' }));
    });
  });
  const world = await openWorld({ PLATFORM_BASE_URL: await listen(server) });
  return {
    client: await world.client(),
    /** Returns the requests since the last call of this function. */
    requests: () => asked.splice(0),
  };
}
