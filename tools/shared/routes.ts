import type { Checked, Look } from '../../src/catalogue/operation.ts';
import { defined, type Fields, recordsIn, textOf } from '../../src/lib/values.ts';
import { lookAtPerson, ofAccount, ROWS, sameId, text } from './before.ts';
import { isCancelled } from './line.ts';

/* The lines and customers that a change of a route concerns, although its input names the route alone. */

/** Lines that a question names with their customers. The others are counted. */
const MOST_NAMED = 20;
const NOT_LISTED = 'The platform does not list which numbers are on it.';
/** Customers that are read. */
const MOST_READ = 3;

/**
 * The check before a change of a route: its record, and the lines and first customers on it, as far as the first rows of
 * the inventory have them. Without any, the customer is the route's account.
 *
 * @param read the operation that reads the route, and its input
 * @param member the member with the route in the record of a number
 */
export async function lookAtRoute(
  [operation, input]: readonly [string, Fields],
  member: 'MessageRouteId' | 'VoiceRouteId',
  look: Look,
): Promise<Checked> {
  const [{ found: record }, { found }] = await Promise.all([
    look.read(operation, input),
    look.read('numbers_inventory_get', { TotalNumbersRequested: ROWS }),
  ]);
  const account = await ofAccount(record, look);
  if (found === undefined) return { ...account, known: defined({ Record: record }) };
  const rows = recordsIn(found.PhoneNumbers);
  const [id] = Object.values(input);
  // In one order: the platform may list them in another one at the yes.
  const on = rows
    .filter((row) => text(row.Number) && sameId(row[member], id) && !isCancelled(row))
    .sort((one, other) => (textOf(one.Number) < textOf(other.Number) ? -1 : 1));
  const lines = on.map((row) => [row.Number, row.AssignedSubscriberId].map(textOf).join(' ').trim());
  const holders = [...new Set(on.flatMap((row) => text(row.AssignedSubscriberId) ?? []))];
  const people = await Promise.all(
    holders.slice(0, MOST_READ).map(async (holder) => [holder, (await lookAtPerson(holder, look)).customer] as const),
  );
  const names = new Map(people.filter((entry): entry is [string, string] => entry[1] !== undefined));
  const customers = on.flatMap((row): [string, string][] => {
    const name = names.get(textOf(row.AssignedSubscriberId));
    return name === undefined ? [] : [[textOf(row.Number), name]];
  });
  const nameOf = new Map(customers);
  const named = on.slice(0, MOST_NAMED).map(({ Number: phone }) => {
    const name = nameOf.get(textOf(phone));
    return `${textOf(phone)}${name === undefined ? '' : ` (${name})`}`;
  });
  const others = holders.length - names.size;
  const more = others === 0 ? '' : `; and ${others} more ${others === 1 ? 'customer' : 'customers'}`;
  // A full page without a total may be a part of the list.
  const total = Number(found.TotalResults ?? (rows.length < ROWS ? rows.length : Number.NaN));
  // Without the total: a number that is no line of the route changes nothing in the question.
  const seen = total <= rows.length ? '' : ` (of the first ${rows.length})`;
  // An answer may have no list, and a list may leave out the routes of its numbers.
  const isSaid = rows.some((row) => member in row) || (Array.isArray(found.PhoneNumbers) && total === 0);
  const count = on.length === 0 ? 'No number is' : on.length === 1 ? '1 number is' : `${on.length} numbers are`;
  const list = `${named.join(', ')}${on.length > named.length ? ` and ${on.length - named.length} more` : ''}`;
  return {
    ...account,
    ...(names.size > 0 && {
      customer: `${[...new Set(names.values())].join('; ')}${more}`,
      customers: Object.fromEntries(customers),
    }),
    // The question names the first of them.
    rests: { [textOf(id)]: { 'changed part of the list of lines': lines } },
    known: {
      ...defined({ Record: record }),
      Numbers: isSaid ? `${count} on it${seen}${on.length === 0 ? '' : `: ${list}`}.` : NOT_LISTED,
    },
  };
}

/** The hazard of a change of a route: the numbers on it, for all of which it takes effect. */
export function onRoute(_input: Fields, { Numbers = '' }: Fields): string {
  return `${String(Numbers)} Takes effect at once for every number on this route.`.trim();
}
