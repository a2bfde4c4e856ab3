import type { Checked, Look } from '../../src/catalogue/operation.ts';
import { defined, type Fields, recordOf } from '../../src/lib/json.ts';
import { lookAtSubscriber, text } from './before.ts';
import { isCancelled } from './line.ts';
import { lookAtNamed, type NamedRecord, ROWS } from './named.ts';

/* The lines and customers that a change of a route concerns, although its input names the route alone. */

/** Lines that a question names with their customers. The others are counted. */
const MOST_NAMED = 20;
/** Customers that are read. */
const MOST_READ = 3;

type RouteMember = 'MessageRouteId' | 'VoiceRouteId';

/** The numbers that use a route. */
interface OnRoute {
  /** "4 numbers are on it: +12015550101 (Ava Stone · Acme Mobile), …". Empty if they could not be read. */
  words: string;
  /** The customers of these numbers. Undefined if there is none, or none could be read. */
  customer?: string;
  /** The customers by phone number. */
  customers: Readonly<Record<string, string>>;
  warnings: string[];
}

/**
 * The numbers that use a route, and their first customers. It takes one request and one for each customer who is named, so
 * only the first rows of a long inventory are searched.
 */
async function numbersOn(field: RouteMember, id: string, look: Look): Promise<OnRoute> {
  const { found, ...failed } = await look.read('numbers_inventory_get', { TotalNumbersRequested: ROWS });
  if (found === undefined) {
    const why = 'why' in failed ? failed.why : '';
    const warnings = [`Which numbers use the route could not be read before asking: ${why}`];
    return { words: '', customers: {}, warnings };
  }
  const rows = Array.isArray(found.PhoneNumbers) ? found.PhoneNumbers.map(recordOf) : [];
  const on = rows.filter(
    (row) =>
      text(row.Number) !== undefined && text(row[field])?.toLowerCase() === id.toLowerCase() && !isCancelled(row),
  );
  const total = Number(found.TotalResults);
  const seen = total > rows.length ? ` (of the first ${rows.length} of ${total})` : '';
  if (on.length === 0) return { words: `No number is on it${seen}.`, customers: {}, warnings: [] };
  const holders = [...new Set(on.flatMap((row) => text(row.AssignedSubscriberId) ?? []))];
  const read = await Promise.all(
    holders
      .slice(0, MOST_READ)
      .map(async (holder) => [holder, (await lookAtSubscriber(holder, look)).customer] as const),
  );
  const names = new Map(read.flatMap(([holder, name]) => (name === undefined ? [] : [[holder, name] as const])));
  const nameOf = (row: Fields) => names.get(text(row.AssignedSubscriberId) ?? '');
  const named = on.slice(0, MOST_NAMED).map((row) => {
    const name = nameOf(row);
    return `${text(row.Number)}${name === undefined ? '' : ` (${name})`}`;
  });
  const lines = named.join(', ') + (on.length > named.length ? ` and ${on.length - named.length} more` : '');
  const others = holders.length - names.size;
  const people = [...new Set(names.values())].join('; ');
  return {
    words: `${on.length === 1 ? '1 number is' : `${on.length} numbers are`} on it${seen}: ${lines}.`,
    ...(names.size > 0 && {
      customer: others === 0 ? people : `${people}; and ${others} more ${others === 1 ? 'customer' : 'customers'}`,
    }),
    customers: Object.fromEntries(
      on.flatMap((row): [string, string][] => {
        const name = nameOf(row);
        return name === undefined ? [] : [[text(row.Number) ?? '', name]];
      }),
    ),
    warnings: [],
  };
}

const MEMBERS = { 'message route': 'MessageRouteId', 'voice route': 'VoiceRouteId' } as const;

/** A route with the lines and customers on it. Without any, the customer is the route's account. */
export async function lookAtRoute(
  kind: 'message route' | 'voice route',
  id: string,
  look: Look,
): Promise<Pick<NamedRecord, 'record' | 'name'> & { numbers: string } & Checked> {
  const [route, { words, customer = route.customer, customers, warnings }] = await Promise.all([
    lookAtNamed(kind, id, look),
    numbersOn(MEMBERS[kind], id, look),
  ]);
  return {
    record: route.record,
    name: route.name,
    numbers: words,
    ...defined({ customer }),
    ...(Object.keys(customers).length > 0 && { customers }),
    warnings: [...route.warnings, ...warnings],
  };
}

/** The check before a route is deleted, whose id is the field `field`: its name, and the numbers that use it. */
export function beforeRouteDeletion(kind: 'message route' | 'voice route', field: string) {
  return async (input: Readonly<Fields>, look: Look): Promise<Checked> => {
    const { record: _record, name, numbers, ...checked } = await lookAtRoute(kind, String(input[field]), look);
    return { ...checked, known: { Name: name, Numbers: numbers } };
  };
}
