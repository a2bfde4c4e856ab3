import * as z from 'zod';
import { similarTexts } from '../../src/lib/nearest.ts';
import {
  defined,
  type Fields,
  groupedBy,
  plainForm,
  recordOf,
  recordsIn,
  scalarText,
  searchForm,
} from '../../src/lib/values.ts';
import { isPlainValue } from '../../src/platform/dialect/phone.ts';
import { text } from './before.ts';
import {
  boughtOn,
  type Directory,
  idOf,
  type Line,
  type LineUses,
  NONE,
  NOT_READ,
  namesMeant,
  phoneOf,
  same,
  usedBy,
} from './directory.ts';
import { accountId, areaCode, choice, day, KIND_WORDS, openChoice, out } from './fields.ts';
import { kindOf, productHas, stateOf } from './line.ts';

/* The criteria of a search for numbers, its order and its totals. */

const megabytesField = z.number('must be a number of MB, for example 500').min(0, 'must not be below 0').optional();
const named = z.string().trim().min(1, 'must not be empty').max(100).optional();

const STATUSES = ['Active', 'Parked', 'Cancelled - Pending Delete', 'Cancelled'] as const;

const PEOPLE = ['Customer', 'Account'] as const;
const LINES = ['Status', 'Product', 'AreaCode', 'MessageRoute', 'VoiceRoute', 'Plan'] as const;
const COUNTED = [...PEOPLE, ...LINES] as const;

/** The fields of a search besides its text. All of them must fit a number. */
export const criteria = {
  AccountId: accountId.optional(),
  AreaCode: areaCode.optional(),
  Status: openChoice(STATUSES, 100).optional(),
  Product: z.string().trim().min(1, 'must not be empty').max(50).optional().describe('mvno, iot, voip or data-only …'),
  BoughtFrom: day.optional().describe('YYYY-MM-DD'),
  BoughtTo: day.optional(),
  UsedFrom: megabytesField.describe('MB of data used'),
  UsedTo: megabytesField,
  Route: named.describe('name or id; none'),
  Plan: named.describe('name; none'),
  Data: z.boolean().optional().describe('adds data used and limits'),
  Full: z.boolean().optional().describe('adds routes and plan'),
  Sort: choice(['Number', 'Customer', 'Bought', 'Used']).optional(),
  Descending: z.boolean().optional(),
  CountBy: choice(COUNTED).optional(),
} as const;

export type Criteria = z.output<z.ZodObject<typeof criteria>>;

/** The records that a search needs besides the numbers. */
export function needsOf({ AccountId, UsedFrom, UsedTo, Route, Plan, Data, Full, Sort, CountBy }: Criteria) {
  return {
    usage:
      UsedFrom !== undefined || UsedTo !== undefined || Sort === 'Used' || (CountBy !== undefined && Data === true),
    holders: Sort === 'Customer' || CountBy === 'Customer' || CountBy === 'Account' || AccountId !== undefined,
    routes: Route !== undefined || Full === true || CountBy === 'MessageRoute' || CountBy === 'VoiceRoute',
    plans: Plan !== undefined || Full === true || CountBy === 'Plan',
  };
}

/** The values that there are for a criterion whose value no line has. Undefined if each one is known. */
export function otherValues(
  { Status, Product, Route, Plan }: Criteria,
  rows: readonly Fields[],
  uses: LineUses,
): { name: string; values: readonly string[] } | undefined {
  const states = valuesOf([...STATUSES, ...rows.map((row) => row.Status)]);
  const products = valuesOf([...Object.entries(KIND_WORDS).flat(), ...rows.map((row) => row.ProductType)]);
  const isUsed = (value: string, names: readonly string[]) =>
    value.toLowerCase() === NONE || /^[A-Za-z]{2,6}-/.test(value) || namesMeant(value, names).length > 0;
  const isKnown = (value: string, known: readonly string[]) => known.some((one) => same(one, value));
  if (Status !== undefined && !ORPHAN.test(Status) && !isKnown(Status, [...states, ...Object.keys(STATE_WORDS)]))
    return { name: 'Status', values: states };
  if (Product !== undefined && !rows.some((row) => hasProduct(row, Product)) && !isKnown(Product, products))
    return { name: 'Product', values: products };
  if (Route !== undefined && !isUsed(Route, uses.routeNames())) return { name: 'Route', values: uses.routeNames() };
  if (Plan !== undefined && !isUsed(Plan, uses.planNames())) return { name: 'Plan', values: uses.planNames() };
  return undefined;
}

/** Each value once. A text that may be a sentence of the platform is left out. */
function valuesOf(values: readonly unknown[]): string[] {
  return [...new Set(values.flatMap((value) => text(value)?.trim() ?? []))].filter(isPlainValue);
}

/** True if a number fits, leaving out its data usage, its routes and its plan. */
export function fits(row: Fields, wanted: Criteria, directory: Directory): boolean {
  const { AccountId, AreaCode, Status, Product, BoughtFrom, BoughtTo } = wanted;
  const bought = boughtOn(row);
  const state = Status?.toLowerCase();
  return (
    (AccountId === undefined || same(directory.accountOf(row), AccountId)) &&
    (AreaCode === undefined || areaCodeOf(row) === AreaCode) &&
    (state === undefined ||
      (ORPHAN.test(state)
        ? text(row.AssignedSubscriberId) === undefined
        : stateOf(row) === (STATE_WORDS[state] ?? state))) &&
    (Product === undefined || hasProduct(row, Product)) &&
    (BoughtFrom === undefined || (bought !== undefined && bought >= BoughtFrom)) &&
    (BoughtTo === undefined || (bought !== undefined && bought <= BoughtTo))
  );
}

const ROUTES = [
  { member: 'MessageRouteId', service: 'sms' },
  { member: 'VoiceRouteId', service: 'voice' },
] as const;

/** True if the routes and the plan of a line fit; undefined if its plan could not be read. */
export function fitsUses(
  row: Fields,
  { Route, Plan }: Criteria,
  uses: LineUses,
  directory: Directory,
): boolean | undefined {
  const has = (wanted: string | undefined, names: readonly string[], own: readonly (string | undefined)[]) => {
    if (wanted === undefined) return true;
    const meant = [wanted, ...namesMeant(wanted, names)].map(searchForm);
    return own.some((one) => one !== undefined && meant.includes(searchForm(one)));
  };
  const routes = ROUTES.flatMap(({ member, service }) => {
    const name = uses.routeOf(row, member);
    // A line whose product has no calls needs no voice route.
    return name === NONE && productHas(row, service) === false ? [] : [text(row[member]), name];
  });
  if (!has(Route, uses.routeNames(), routes)) return false;
  const { Plan: plan, PackageId } = uses.planOf(row, directory);
  if (Plan !== undefined && plan?.startsWith(NOT_READ)) return undefined;
  return has(Plan, uses.planNames(), [plan, text(PackageId)]);
}

/** True if a line's data usage fits. A line whose usage is not known does not fit a limit. */
export function fitsUsage(line: Line, { UsedFrom = 0, UsedTo = Number.POSITIVE_INFINITY }: Criteria): boolean {
  if (UsedFrom === 0 && UsedTo === Number.POSITIVE_INFINITY) return true;
  const used = usedBy(line);
  return used !== undefined && used >= UsedFrom && used <= UsedTo;
}

/** The lines in the order asked for. Lines without the value come last. */
export function sorted(lines: readonly Line[], { Sort, Descending }: Criteria, directory: Directory): readonly Line[] {
  if (Sort === undefined) return lines;
  const valueIn = (line: Line): string | number | undefined => {
    if (Sort === 'Used') return usedBy(line);
    if (Sort === 'Bought') return boughtOn(line.row);
    return Sort === 'Number'
      ? phoneOf(line.row)
      : text(directory.holder(line.row.AssignedSubscriberId)?.Name)?.toLowerCase();
  };
  const direction = Descending ? -1 : 1;
  return lines
    .map((line) => ({ line, value: valueIn(line) }))
    .sort(({ value: a }, { value: b }) => {
      if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
      return a === b ? 0 : a < b ? -direction : direction;
    })
    .map(({ line }) => line);
}

/** The area code of a US or Canadian number. */
function areaCodeOf(row: Fields): string | undefined {
  return /^\+1(\d{3})\d{7}$/.exec(phoneOf(row))?.[1];
}

/** Names for numbers without a subscriber. */
const ORPHAN = /^(?:orphans?|\(?no subscriber\)?|without (?:a )?subscriber)$/i;

/** Other words of people for a state. */
const STATE_WORDS: Readonly<Record<string, string>> = {
  'on hold': 'parked',
  paused: 'parked',
  canceled: 'cancelled',
  'parked (on hold)': 'parked',
};

/** True if `wanted` is the kind of the line (mvno, mobile, "mobile (mvno)") or its product (data-only). */
function hasProduct(row: Fields, wanted: string): boolean {
  const kind = kindOf(row);
  const word = KIND_WORDS[kind];
  return [kind, text(row.ProductType), word, word && `${word} (${kind})`].some((part) => same(part, wanted));
}

/* The text of a search for numbers: what it may mean, and which numbers have it. */

/** The meaning of a search term. */
export type Query =
  | { by: 'number'; phone: string }
  | { by: 'digits'; digits: string }
  | { by: 'several'; digits: readonly string[] }
  | { by: 'subscriber' | 'account'; id: string }
  | { by: 'orphan' }
  | { by: 'name'; words: readonly string[] };

export function queryOf(given: string): Query {
  const term = plainForm(given).replace(/[,;\s]+$/, '');
  if (ORPHAN.test(term)) return { by: 'orphan' };
  if (/^t?suid-|^sid-/i.test(term)) return { by: 'subscriber', id: term };
  if (/^aid-/i.test(term)) return { by: 'account', id: term };
  const parts = /^(?!89)(?:\d{4}|\d{10})(?:\s+(?:\d{4}|\d{10}))+$/.test(term) ? /\s+/ : /\s*(?:[,;&]|\band\b)\s*/i;
  const several = term.split(parts).map(digitsOf);
  if (several.length > 1 && several.every((one) => /^\d{3,}$/.test(one))) return { by: 'several', digits: several };
  const digits = digitsOf(term);
  if (/^\d+$/.test(digits)) {
    if (term.startsWith('+') && digits.length > 7) return { by: 'number', phone: `+${digits}` };
    if (digits.length === 10) return { by: 'number', phone: `+1${digits}` };
    if (/^1\d{10}$/.test(digits)) return { by: 'number', phone: `+${digits}` };
    return { by: 'digits', digits };
  }
  return { by: 'name', words: searchForm(term).split(/\s+/) };
}

/** The digits of a number that is written in any way, or of its end. */
function digitsOf(term: string): string {
  return term.replace(/[\s().+-]/g, '').replace(/^[.…*x]+/i, '');
}

/** True if every word begins a word of the text. "reed" finds "Ben Reed", but "ed" does not. */
function namedLike(value: unknown, words: readonly string[]): boolean {
  const name = searchForm(text(value) ?? '');
  const own = [...name.split(/\s+/), ...name.split(/[^\p{L}\p{N}]+/u)];
  return words.every((word) => own.some((part) => part.startsWith(word)));
}

export function matches(query: Query, row: Fields, directory: Directory): boolean {
  switch (query.by) {
    case 'number':
      return phoneOf(row) === query.phone;
    case 'digits':
      return phoneOf(row).endsWith(query.digits);
    case 'several':
      return query.digits.some((digits) => phoneOf(row).endsWith(digits));
    case 'subscriber':
      return idOf(row.AssignedSubscriberId) === idOf(query.id);
    case 'account':
      return same(directory.accountOf(row), query.id);
    case 'orphan':
      return text(row.AssignedSubscriberId) === undefined;
    case 'name':
      return hasName(query, row, directory);
  }
}

/** True for a number that only its caller name brings up, which need not be the name of its customer. */
export function isByCallerName({ words }: Query & { by: 'name' }, row: Fields, directory: Directory): boolean {
  return !hasName({ words }, { ...row, Cnam: undefined }, directory);
}

/** True if a name of a number has all words. Digits among them may be the end of the number: "ava 0103". */
function hasName({ words }: { words: readonly string[] }, row: Fields, directory: Directory): boolean {
  const others = words.filter((word) => !/^\d{3,}$/.test(word) || !phoneOf(row).endsWith(word));
  return namesOf(row, directory).some(
    (name) => others.length > 0 && (namedLike(name, others) || namedLike(name, words)),
  );
}

/** The names by which people look for a number. */
function namesOf(row: Fields, directory: Directory): string[] {
  const holder = directory.holder(row.AssignedSubscriberId);
  const names = [row.Cnam, row.Customer, holder?.Name, holder?.Email, directory.accountNameOf(row)];
  return names.flatMap((name) => text(name) ?? []);
}

/** The numbers whose names are spelled like the term, where none has exactly its words. */
export function similarTo(words: readonly string[], rows: readonly Fields[], directory: Directory): Fields[] {
  const named = rows.map((row) => ({ row, names: namesOf(row, directory) }));
  const similar = new Set(
    similarTexts(
      words.join(' '),
      named.flatMap(({ names }) => names),
    ),
  );
  return named.filter(({ names }) => names.some((name) => similar.has(name))).map(({ row }) => row);
}

/* The totals of a search for numbers: how lines are grouped, and each total in words. */

type CountBy = NonNullable<Criteria['CountBy']>;

/** The members of one total. */
export const totalRow = {
  ...out.members('SubscriberId Role RouteId PackageId Status Kind Product AreaCode Numbers States UsedMb'),
  ...out.members('Customer Email Account MessageRoute VoiceRoute Plan', out.said),
} as const;

const NOBODY = '(no subscriber)';
const UNREAD = '(not read)';
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
      return SubscriberId === undefined ? { Customer: NOBODY } : { Customer: UNREAD, SubscriberId };
    },
  ],
  Account: [
    'account',
    (row, directory) => ({ Account: directory.accountNameOf(row) ?? directory.accountOf(row) ?? UNREAD }),
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
  return [...groupedBy(lines, ({ row }) => JSON.stringify(GROUPS[by][1](row, directory, uses)))]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([named, own]) => {
      const used = own.map(usedBy).filter((one) => one !== undefined);
      const states = [...groupedBy(own, ({ row }) => text(row.Status) ?? NOT_SAID)];
      return {
        ...(JSON.parse(named) as Fields),
        Numbers: own.length,
        ...(by !== 'Status' && { States: states.map(([state, { length }]) => `${state} ${length}`).join(', ') }),
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
