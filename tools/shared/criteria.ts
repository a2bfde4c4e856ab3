import * as z from 'zod';
import { defined, type Fields, recordOf } from '../../src/lib/json.ts';
import { nearest } from '../../src/lib/nearest.ts';
import { searchForm } from '../../src/lib/text.ts';
import { isPlainValue } from '../../src/platform/dialect/plain-values.ts';
import { text } from './before.ts';
import { KIND_WORDS } from './choice-words.ts';
import { type Directory, idOf, phoneOf, same } from './directory.ts';
import { accountId, areaCode, choice, day, openChoice, out } from './fields.ts';
import { kindOf, productHas, stateOf } from './line.ts';
import { boughtOn, isUnread, type Line, type LineUses, NONE, namesMeant, usedBy } from './line-uses.ts';

/* Criteria, orders and totals of a search for numbers. */

const megabytesField = z.number('must be a number of MB, for example 500').min(0, 'must not be below 0').optional();

const named = z.string().trim().min(1, 'must not be empty').max(100);

const STATUSES = ['Active', 'Parked', 'Cancelled - Pending Delete', 'Cancelled'] as const;
const KINDS = ['mvno', 'iot', 'voip'] as const;

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
  Route: named.optional().describe('name or id; none'),
  Plan: named.optional().describe('name; none'),
  Data: z.boolean().optional().describe('adds data used and limits'),
  Full: z.boolean().optional().describe('adds routes and plan'),
  Sort: choice(['Number', 'Customer', 'Bought', 'Used']).optional(),
  Descending: z.boolean().optional(),
  CountBy: choice([
    'Customer',
    'Account',
    'Status',
    'Product',
    'AreaCode',
    'Month',
    'MessageRoute',
    'VoiceRoute',
    'Plan',
  ]).optional(),
} as const;

export type Criteria = z.output<z.ZodObject<typeof criteria>>;

/**
 * The criterion that was probably meant where nothing matched: `Status=Active` for `Status=Activ`, or for the search
 * text "active". Undefined if no value is similar, or if the values are right.
 *
 * @param words the search text; undefined without one
 * @param rows the numbers that were read, whose values count too
 */
export function meantCriterion(
  { Status, Product }: Criteria,
  words: string | undefined,
  rows: readonly Fields[],
): string | undefined {
  const lists = {
    Status: valuesOf(
      STATUSES,
      rows.map(({ Status: status }) => status),
    ),
    Product: valuesOf(
      KINDS,
      rows.flatMap((row) => [kindOf(row), row.ProductType]),
    ),
  };
  const given = { Status, Product };
  const meant = (Object.keys(lists) as (keyof typeof lists)[]).flatMap((name) => {
    const [value, word] = [given[name], words?.toLowerCase()];
    const near =
      value === undefined ? lists[name].find((one) => one.toLowerCase() === word) : similar(value, lists[name]);
    return near === undefined ? [] : [`${name}=${/\s/.test(near) ? `"${near}"` : near}`];
  });
  return meant.length === 0 ? undefined : meant.join(' ');
}

/**
 * The values that there are for a criterion whose value no record has. Undefined if the values are known and no line has
 * them, and then also if it is not clear which criterion excludes all lines.
 */
export function otherValues(
  { Status, Product, Route, Plan }: Criteria,
  rows: readonly Fields[],
  uses: LineUses,
): { name: string; values: readonly string[] } | undefined {
  const isId = (value: string) => /^[A-Za-z]{2,6}-/.test(value);
  const isNone = (value: string) => value.toLowerCase() === NONE || LACKS[value.toLowerCase()] !== undefined;
  const kinds = [...KINDS, ...Object.values(KIND_WORDS)];
  const isKnown = (value: string, known: readonly string[]) => known.some((one) => same(one, value));
  const states = rows.flatMap(({ Status: state }) => text(state) ?? []);
  if (
    Status !== undefined &&
    !ORPHAN.test(Status) &&
    !isKnown(Status, [...STATUSES, ...Object.keys(STATE_WORDS), ...states])
  )
    return { name: 'Status', values: valuesOf(STATUSES, states) };
  if (Product !== undefined && !rows.some((row) => hasProduct(row, Product)) && !isKnown(Product, kinds))
    return {
      name: 'Product',
      values: valuesOf(
        kinds,
        rows.map(({ ProductType }) => ProductType),
      ),
    };
  for (const [name, value, values] of [
    ['Route', Route, uses.routeNames()],
    ['Plan', Plan, uses.planNames()],
  ] as const)
    if (value !== undefined && !isId(value) && !isNone(value) && namesMeant(value, values).length === 0)
      return { name, values };
  return undefined;
}

/** The known values and those of the records. A text that may be a sentence of the platform is left out. */
function valuesOf(known: readonly string[], read: readonly unknown[]): string[] {
  const texts = read.map((value) => (text(value) ?? '').trim()).filter((value) => value !== '' && isPlainValue(value));
  return [...new Set([...known, ...texts])];
}

/** The value that is similar to the word, or begins with it; undefined if the word is one of the values. */
function similar(word: string, values: readonly string[]): string | undefined {
  const lower = word.toLowerCase();
  if (values.some((value) => value.toLowerCase() === lower)) return undefined;
  return nearest(word, values) ?? values.find((value) => value.toLowerCase().split(/\W+/).includes(lower));
}

/** True if the search needs the data used by every match. */
export function needsUsage({ UsedFrom, UsedTo, Sort, CountBy, Data }: Criteria): boolean {
  return UsedFrom !== undefined || UsedTo !== undefined || Sort === 'Used' || (CountBy !== undefined && Data === true);
}

/** True if the search needs the subscriber of every number. */
export function needsHolders({ Sort, CountBy, AccountId }: Criteria): boolean {
  return Sort === 'Customer' || CountBy === 'Customer' || CountBy === 'Account' || AccountId !== undefined;
}

/** True if the search needs the names of routes. */
export function needsRoutes({ Route, Full, CountBy }: Criteria): boolean {
  return Route !== undefined || Full === true || CountBy === 'MessageRoute' || CountBy === 'VoiceRoute';
}

/** True if the search needs the plans of the lines. */
export function needsPlans({ Plan, Full, CountBy }: Criteria): boolean {
  return Plan !== undefined || Full === true || CountBy === 'Plan';
}

/** The routes and plans that the criteria name, in lower case: names, an id, or "none". */
export interface UsesMeant {
  /** The member with the route that a line must lack, also if its product needs none. */
  lacks?: 'MessageRouteId' | 'VoiceRouteId';
  routes: ReadonlySet<string> | undefined;
  plans: ReadonlySet<string> | undefined;
}

/** The routes and plans that the criteria mean, once their names are read. */
export function usesMeant({ Route, Plan }: Criteria, uses: LineUses): UsesMeant {
  const meant = (wanted: string | undefined, names: readonly string[]) =>
    wanted === undefined ? undefined : new Set([wanted, ...namesMeant(wanted, names)].map(searchForm));
  const lacks = Route === undefined ? undefined : LACKS[Route.toLowerCase()];
  return {
    ...(lacks !== undefined && { lacks }),
    routes: lacks === undefined ? meant(Route, uses.routeNames()) : undefined,
    plans: meant(Plan, uses.planNames()),
  };
}

/** True if the routes and the plan of a line fit; undefined if its plan could not be read. */
export function fitsUses(
  row: Fields,
  { lacks, routes, plans }: UsesMeant,
  uses: LineUses,
  directory: Directory,
): boolean | undefined {
  const own = ROUTES.flatMap(({ member, service }) => {
    const name = uses.routeOf(row, member);
    // A line whose product has no calls needs no voice route.
    return name === NONE && productHas(row, service) === false ? [] : [text(row[member]), name];
  });
  const has = (meant: ReadonlySet<string> | undefined, names: readonly (string | undefined)[]) =>
    meant === undefined || names.some((name) => name !== undefined && meant.has(searchForm(name)));
  if (!has(routes, own) || (lacks !== undefined && uses.routeOf(row, lacks) !== NONE)) return false;
  const { Plan: plan, PackageId } = uses.planOf(row, directory);
  return plans !== undefined && isUnread(plan) ? undefined : has(plans, [plan, text(PackageId)]);
}

/** The lack of one kind of route, as a route of a search names it. */
const LACKS: Readonly<Record<string, 'MessageRouteId' | 'VoiceRouteId'>> = {
  'no message route': 'MessageRouteId',
  'no voice route': 'VoiceRouteId',
};

const ROUTES = [
  { member: 'MessageRouteId', service: 'sms' },
  { member: 'VoiceRouteId', service: 'voice' },
] as const;

/** True if a number fits, leaving out its data usage, its routes and its plan. */
export function fits(row: Fields, wanted: Criteria, directory: Directory): boolean {
  const { AccountId, AreaCode, Status, Product, BoughtFrom, BoughtTo } = wanted;
  const bought = boughtOn(row);
  return (
    (AccountId === undefined || same(directory.accountOf(row), AccountId)) &&
    (AreaCode === undefined || areaCodeOf(row) === AreaCode) &&
    (Status === undefined || hasState(row, Status)) &&
    (Product === undefined || hasProduct(row, Product)) &&
    (BoughtFrom === undefined || (bought !== undefined && bought >= BoughtFrom)) &&
    (BoughtTo === undefined || (bought !== undefined && bought <= BoughtTo))
  );
}

/** True if a line's data usage fits. A line whose usage is not known does not fit a limit. */
export function fitsUsage(line: Line, { UsedFrom, UsedTo }: Criteria): boolean {
  if (UsedFrom === undefined && UsedTo === undefined) return true;
  const used = usedBy(line);
  return used !== undefined && used >= (UsedFrom ?? 0) && used <= (UsedTo ?? Number.POSITIVE_INFINITY);
}

/** The lines in the order asked for. Lines without the value come last. */
export function sorted(lines: readonly Line[], { Sort, Descending }: Criteria, directory: Directory): Line[] {
  if (Sort === undefined) return [...lines];
  const valueIn = (line: Line): string | number | undefined => {
    if (Sort === 'Used') return usedBy(line);
    if (Sort === 'Bought') return boughtOn(line.row);
    return Sort === 'Number' ? phoneOf(line.row) : customerOf(line.row, directory)?.toLowerCase();
  };
  const keyed = lines.map((line) => ({ line, value: valueIn(line) }));
  const direction = Descending ? -1 : 1;
  return keyed
    .sort(({ value: a }, { value: b }) => {
      if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
      return a === b ? 0 : a < b ? -direction : direction;
    })
    .map(({ line }) => line);
}

/** The members of one total. */
export const totalRow = {
  Customer: out.said,
  SubscriberId: out.text,
  Email: out.said,
  Role: out.text,
  Account: out.said,
  MessageRoute: out.said,
  VoiceRoute: out.said,
  RouteId: out.text,
  Plan: out.said,
  PackageId: out.text,
  Status: out.text,
  Kind: out.text,
  Product: out.text,
  AreaCode: out.text,
  Month: out.text,
  Numbers: out.number,
  States: out.text,
  UsedMb: out.number,
} as const;

/** The numbers of each customer, account, state …, the largest count first. */
export function totalsOf(
  lines: readonly Line[],
  by: NonNullable<Criteria['CountBy']>,
  directory: Directory,
  uses: LineUses,
): Fields[] {
  const groups = new Map<string, { named: Fields; lines: Line[] }>();
  for (const line of lines) {
    const named = groupOf(line.row, by, directory, uses);
    const key = JSON.stringify(named);
    const group = groups.get(key) ?? { named, lines: [] };
    group.lines.push(line);
    groups.set(key, group);
  }
  return [...groups.values()]
    .sort((a, b) => b.lines.length - a.lines.length)
    .map(({ named, lines: own }) => ({
      ...named,
      Numbers: own.length,
      ...(by === 'Status' || own.length === 0 ? {} : { States: statesOf(own) }),
      ...usedIn(own),
    }));
}

/** The members that all numbers of a group share, which name the group. */
function groupOf(row: Fields, by: NonNullable<Criteria['CountBy']>, directory: Directory, uses: LineUses): Fields {
  const holder = directory.holder(row.AssignedSubscriberId);
  switch (by) {
    case 'Customer': {
      const SubscriberId = text(holder?.SubscriberId) ?? text(row.AssignedSubscriberId);
      if (SubscriberId === undefined) return { Customer: NOBODY };
      return holder === undefined ? { Customer: NOT_READ, SubscriberId } : personOf(holder);
    }
    case 'Account':
      return { Account: directory.accountNameOf(row) ?? directory.accountOf(row) ?? NOT_READ };
    case 'MessageRoute':
      return defined({ MessageRoute: uses.routeOf(row, 'MessageRouteId'), RouteId: text(row.MessageRouteId) });
    case 'VoiceRoute':
      return defined({ VoiceRoute: uses.routeOf(row, 'VoiceRouteId'), RouteId: text(row.VoiceRouteId) });
    case 'Plan': {
      const { Plan, PackageId } = uses.planOf(row, directory);
      return defined({ Plan, PackageId });
    }
    case 'Month':
      return { Month: boughtOn(row)?.slice(0, 7) ?? NOT_SAID };
    case 'Status':
      return { Status: text(row.Status) ?? NOT_SAID };
    case 'Product':
      return { Kind: kindOf(row) || NOT_SAID, Product: text(row.ProductType) ?? NOT_SAID };
    case 'AreaCode':
      return { AreaCode: areaCodeOf(row) ?? NOT_SAID };
  }
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

/** Names the lines that no subscriber holds. */
export const NOBODY = '(no subscriber)';
const NOT_READ = '(not read)';
const NOT_SAID = '(not in the record)';

/** "Active 5, Parked 2". */
function statesOf(lines: readonly Line[]): string {
  const counts = new Map<string, number>();
  for (const { row } of lines) {
    const state = text(row.Status) ?? NOT_SAID;
    counts.set(state, (counts.get(state) ?? 0) + 1);
  }
  return [...counts].map(([state, count]) => `${state} ${count}`).join(', ');
}

function usedIn(lines: readonly Line[]): Fields {
  const used = lines.map(usedBy).filter((one) => one !== undefined);
  return used.length === 0 ? {} : { UsedMb: Number(used.reduce((sum, one) => sum + one, 0).toFixed(2)) };
}

function customerOf(row: Fields, directory: Directory): string | undefined {
  return text(directory.holder(row.AssignedSubscriberId)?.Name);
}

/** The area code of a US or Canadian number. */
function areaCodeOf(row: Fields): string | undefined {
  return /^\+1(\d{3})\d{7}$/.exec(phoneOf(row))?.[1];
}

/** Names for numbers without a subscriber. The totals by customer use them too. */
export const ORPHAN = /^(?:orphans?|\(?no subscriber\)?|without (?:a )?subscriber)$/i;

/** Other words of people for a state. */
const STATE_WORDS: Readonly<Record<string, string>> = {
  'on hold': 'parked',
  paused: 'parked',
  canceled: 'cancelled',
  'parked (on hold)': 'parked',
};

function hasState(row: Fields, wanted: string): boolean {
  if (ORPHAN.test(wanted)) return text(row.AssignedSubscriberId) === undefined;
  const state = wanted.toLowerCase();
  return stateOf(row) === (STATE_WORDS[state] ?? state);
}

/** True if `wanted` is the kind of the line (mvno, mobile, "mobile (mvno)") or its product (data-only). */
function hasProduct(row: Fields, wanted: string): boolean {
  const kind = kindOf(row);
  const word = KIND_WORDS[kind];
  const own = [kind, text(row.ProductType), word, word && `${word} (${kind})`];
  return own.some((part) => same(part, wanted));
}
