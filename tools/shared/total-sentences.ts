import { DAY_MS } from '../../src/lib/clock.ts';
import { type Fields, scalarText } from '../../src/lib/json.ts';
import { text } from './before.ts';
import { type Criteria, NOBODY } from './criteria.ts';

/* The totals of a search in sentences, each with the search for the numbers that it counts. */

const NOUNS: Readonly<Record<NonNullable<Criteria['CountBy']>, string>> = {
  Customer: 'customer',
  Account: 'account',
  Status: 'state',
  Product: 'product',
  AreaCode: 'area code',
  Month: 'month of purchase',
  MessageRoute: 'message route',
  VoiceRoute: 'voice route',
  Plan: 'plan',
};

export type Counted = Criteria & { Query?: string | undefined };

/** "2 customers, 9 numbers", "9 numbers by state". Rows of numbers without a customer or account are none of them. */
export function totalsTitle(count: number, { CountBy = 'Customer' }: Counted, totals: unknown): string {
  const numbers = count === 1 ? '1 number' : `${count} numbers`;
  const rows = Array.isArray(totals) ? (totals as Fields[]) : [];
  const holders = rows.filter((row) => !/^\(|^not read|^none$/.test(scalarText(row[CountBy]))).length;
  if ((CountBy !== 'Customer' && CountBy !== 'Account') || holders === 0) return `${numbers} by ${NOUNS[CountBy]}`;
  return `${holders} ${NOUNS[CountBy]}${holders === 1 ? '' : 's'}, ${numbers}`;
}

/** "Ava Stone · ava@acme.example · Acme Mobile: 7 numbers (Active 5, Parked 2)". */
export function totalSaid(total: Fields, { CountBy = 'Customer' }: Counted): string {
  const { Numbers, States, UsedMb, Email, Role, Account, Kind } = total;
  const named = CountBy === 'Customer' ? [Email, role(Role), Account] : CountBy === 'Product' ? [Kind] : [];
  const who = [nameIn(total, CountBy), ...named.map(scalarText)].filter((part) => part !== '');
  const count = Number(Numbers) === 1 ? '1 number' : `${Number(Numbers)} numbers`;
  const states = text(States) === undefined ? '' : ` (${text(States)})`;
  const used = typeof UsedMb === 'number' ? `, ${UsedMb} MB used` : '';
  return `${who.join(' · ')}: ${count}${states}${used}`;
}

/** A subscriber is what most are, so that only another role says something. */
function role(given: unknown): string {
  const name = scalarText(given);
  return /^subscriber$/i.test(name) ? '' : name;
}

function nameIn(total: Fields, by: NonNullable<Criteria['CountBy']>): string {
  const name = scalarText(total[by]);
  if (name === 'none') return `no ${NOUNS[by]}`;
  // "(no subscriber)", "not read: another account"
  return name.replace(/^\((.*)\)$/, '$1').replace(/^(not read): (.*)$/, '$1 ($2)');
}

/** The search for the numbers of a total; undefined if no criterion means exactly these. */
export function searchOf(total: Fields, { CountBy = 'Customer', Query, ...wanted }: Counted): Fields | undefined {
  const name = scalarText(total[CountBy]);
  const isKnown = name !== '' && !name.startsWith('(') && !name.startsWith('not read');
  if (Number(total.Numbers) === 0 || (!isKnown && CountBy !== 'Customer')) return undefined;
  const own = criterionOf(total, CountBy, name);
  if (own === undefined) return undefined;
  return { ...wanted, ...(Query === undefined ? {} : { Query }), ...own };
}

function criterionOf(total: Fields, by: NonNullable<Criteria['CountBy']>, name: string): Fields | undefined {
  switch (by) {
    case 'Customer':
      if (name === NOBODY) return { Query: 'orphan' };
      return text(total.SubscriberId) === undefined ? undefined : { Query: total.SubscriberId };
    case 'Account':
      return { Query: name };
    case 'MessageRoute':
    case 'VoiceRoute':
      // "None" would mean lines without either route.
      return text(total.RouteId) === undefined ? undefined : { Route: total.RouteId };
    case 'Plan':
      return { Plan: name };
    case 'Status':
    case 'Product':
    case 'AreaCode':
      return { [by]: name };
    case 'Month': {
      const end = new Date(`${name}-28T00:00:00Z`).getTime() + 4 * DAY_MS;
      const next = new Date(end);
      next.setUTCDate(1);
      return { BoughtFrom: `${name}-01`, BoughtTo: new Date(next.getTime() - DAY_MS).toISOString().slice(0, 10) };
    }
  }
}
