import { defined, type Fields, recordOf, recordsIn, scalarText } from '../../src/lib/values.ts';
import { text } from './before.ts';
import { type Directory, idOf, type Line, type LineUses, same, usedBy } from './directory.ts';
import { out } from './fields.ts';
import { kindOf } from './line.ts';
import { areaCodeOf, type Criteria } from './search.ts';

/* The totals of a search for numbers: how lines are grouped, and each total in words. */

type CountBy = NonNullable<Criteria['CountBy']>;

/** The members of one total. */
export const totalRow = {
  ...out.members('SubscriberId Role RouteId PackageId Status Kind Product AreaCode Numbers States UsedMb'),
  Customer: out.said,
  Email: out.said,
  Account: out.said,
  MessageRoute: out.said,
  VoiceRoute: out.said,
  Plan: out.said,
} as const;

const NOBODY = '(no subscriber)';
const NOT_READ = '(not read)';
const NOT_SAID = '(not in the record)';

/** The members that all lines of a group share, which name the group. */
type GroupOf = (row: Fields, directory: Directory, uses: LineUses) => Fields;

const byRoute =
  (member: 'MessageRoute' | 'VoiceRoute'): GroupOf =>
  (row, _directory, uses) =>
    defined({ [member]: uses.routeOf(row, `${member}Id`), RouteId: text(row[`${member}Id`]) });

const GROUPS: Readonly<Record<CountBy, readonly [noun: string, of: GroupOf]>> = {
  Customer: [
    'customer',
    (row, directory) => {
      const holder = directory.holder(row.AssignedSubscriberId);
      if (holder !== undefined) return personOf(holder);
      const SubscriberId = text(row.AssignedSubscriberId);
      return SubscriberId === undefined ? { Customer: NOBODY } : { Customer: NOT_READ, SubscriberId };
    },
  ],
  Account: [
    'account',
    (row, directory) => ({ Account: directory.accountNameOf(row) ?? directory.accountOf(row) ?? NOT_READ }),
  ],
  Status: ['state', (row) => ({ Status: text(row.Status) ?? NOT_SAID })],
  Product: ['product', (row) => ({ Kind: kindOf(row) || NOT_SAID, Product: text(row.ProductType) ?? NOT_SAID })],
  AreaCode: ['area code', (row) => ({ AreaCode: areaCodeOf(row) ?? NOT_SAID })],
  MessageRoute: ['message route', byRoute('MessageRoute')],
  VoiceRoute: ['voice route', byRoute('VoiceRoute')],
  Plan: [
    'plan',
    (row, directory, uses) => {
      const { Plan, PackageId } = uses.planOf(row, directory);
      return defined({ Plan, PackageId });
    },
  ],
};

/** The numbers of each customer, account, state …, the largest count first. */
export function totalsOf(lines: readonly Line[], by: CountBy, directory: Directory, uses: LineUses): Fields[] {
  const groups = new Map<string, { named: Fields; lines: Line[] }>();
  for (const line of lines) {
    const named = GROUPS[by][1](line.row, directory, uses);
    const key = JSON.stringify(named);
    const group = groups.get(key) ?? { named, lines: [] };
    group.lines.push(line);
    groups.set(key, group);
  }
  return [...groups.values()]
    .sort((a, b) => b.lines.length - a.lines.length)
    .map(({ named, lines: own }) => {
      const used = own.map(usedBy).filter((one) => one !== undefined);
      const states = new Map<string, number>();
      for (const { row } of own) {
        const state = text(row.Status) ?? NOT_SAID;
        states.set(state, (states.get(state) ?? 0) + 1);
      }
      return {
        ...named,
        Numbers: own.length,
        ...(by !== 'Status' && { States: [...states].map(([state, count]) => `${state} ${count}`).join(', ') }),
        ...(used.length > 0 && { UsedMb: Number(used.reduce((sum, one) => sum + one, 0).toFixed(2)) }),
      };
    });
}

/** A subscriber as a total names it. */
function personOf({ SubscriberId, Name, Email, Role, Account }: Fields): Fields {
  return defined({
    Customer: text(Name) ?? '(no name)',
    SubscriberId: text(SubscriberId),
    Email: text(Email),
    Role: text(Role),
    Account: text(recordOf(Account).CompanyName),
  });
}

/** The subscribers who hold none of the lines, as totals of a count by customer. */
export function withoutLines(lines: readonly Line[], { AccountId }: Criteria, directory: Directory): Fields[] {
  const holding = new Set(lines.map(({ row }) => idOf(row.AssignedSubscriberId)));
  return directory.subscribers.rows
    .filter(({ SubscriberId }) => !holding.has(idOf(SubscriberId)))
    .filter(({ Account }) => AccountId === undefined || same(text(recordOf(Account).AccountId), AccountId))
    .map((holder) => ({ ...personOf(holder), Numbers: 0 }));
}

type Counted = Criteria & { Query?: string | undefined };

/** True for the name of a group: "(no subscriber)" and "not read: another account" are none. */
const isName = (name: string) => name !== '' && !/^\(|^not read/.test(name);

/** "2 customers, 9 numbers", "9 numbers by state". */
export function totalsTitle(count: number, { CountBy = 'Customer' }: Counted, totals: unknown): string {
  const numbers = count === 1 ? '1 number' : `${count} numbers`;
  const [noun] = GROUPS[CountBy];
  const holders = recordsIn(totals).filter((row) => isName(scalarText(row[CountBy]))).length;
  if ((CountBy !== 'Customer' && CountBy !== 'Account') || holders === 0) return `${numbers} by ${noun}`;
  return `${holders} ${noun}${holders === 1 ? '' : 's'}, ${numbers}`;
}

/** "Ava Stone · ava@acme.example · Acme Mobile: 7 numbers (Active 5, Parked 2)". */
export function totalSaid(total: Fields, { CountBy = 'Customer' }: Counted): string {
  const { Numbers, States, UsedMb, Email, Role, Account, Kind } = total;
  const name = scalarText(total[CountBy]);
  // A subscriber is what most are, so that only another role says something.
  const role = /^subscriber$/i.test(scalarText(Role)) ? '' : Role;
  const more = CountBy === 'Customer' ? [Email, role, Account] : CountBy === 'Product' ? [Kind] : [];
  const called = name === 'none' ? `no ${GROUPS[CountBy][0]}` : name.replace(/^\((.*)\)$/, '$1');
  const who = [called, ...more.map(scalarText)].filter((part) => part !== '');
  const states = text(States) === undefined ? '' : ` (${text(States)})`;
  const used = typeof UsedMb === 'number' ? `, ${UsedMb} MB used` : '';
  return `${who.join(' · ')}: ${Number(Numbers) === 1 ? '1 number' : `${Number(Numbers)} numbers`}${states}${used}`;
}
