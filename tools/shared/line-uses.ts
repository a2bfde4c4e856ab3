import type { Call } from '../../src/catalogue/operation.ts';
import { defined, type Fields, searchForm, textOf } from '../../src/lib/values.ts';
import { readDate } from '../../src/platform/dialect/dates.ts';
import { bareNumberId } from '../../src/platform/dialect/number-lists.ts';
import { readFlag } from '../../src/platform/dialect/readings.ts';
import { text } from './before.ts';
import { type Directory, listOf, phoneOf, same } from './directory.ts';
import { out } from './fields.ts';
import { CALL_FILTER, type FilterKind, MESSAGE_FILTER } from './filters.ts';
import { datesShape, hasData, isCancelled, kindOf, type LineDates, megabytes, offText, stateOf } from './line.ts';

/*
 * The routes and the plan that a line uses, by name. A line without one has "none", and one whose plan cannot be known
 * has a text that says why.
 */

export const NONE = 'none';
/** Before the plan of a line that could not be known. */
export const NOT_READ = 'not read';
const OTHER_ACCOUNT = 'not read: another account';
const NOT_LISTED = 'not read: the platform listed only a part of the subscriptions';
/** Largest number of routes of a kind that are read one by one, because the account's list does not have them. */
const SINGLE = 4;

/** The members of a row that name routes and plan. */
export const usesRow = {
  MessageRoute: out.said,
  VoiceRoute: out.said,
  MessageRouteId: out.text,
  VoiceRouteId: out.text,
  Plan: out.said,
  SubscriptionId: out.text,
  PackageId: out.text,
} as const;

const ROUTES = {
  MessageRouteId: { list: 'account_message_routes_get', one: 'message_routes_get', ids: ['MessageRouteId'] },
  VoiceRouteId: { list: 'account_voice_routes_get', one: 'voice_routes_get', ids: ['CallRouteID', 'CallRouteId'] },
} as const;
type RouteMember = keyof typeof ROUTES;

/** Routes and plans as far as one search has read them. Each list is read once. */
export class LineUses {
  readonly #call: Call;
  readonly #routes = new Map<string, string>();
  #plans:
    | { account: string | undefined; isWhole: boolean; byNumber: Map<string, Fields>; names: readonly string[] }
    | undefined;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Reads the names of the routes of these numbers. At most ten requests, and usually two. */
  async readRoutes(rows: readonly Fields[]): Promise<void> {
    await Promise.all((['MessageRouteId', 'VoiceRouteId'] as const).map((member) => this.#readRoutes(member, rows)));
  }

  async #readRoutes(member: RouteMember, rows: readonly Fields[]): Promise<void> {
    const { list, one, ids } = ROUTES[member];
    const unread = () =>
      [...new Set(rows.flatMap((row) => text(row[member]) ?? []))].filter((id) => !this.#routes.has(id.toLowerCase()));
    if (unread().length === 0) return;
    const add = (route: Fields) => {
      const id = ids.map((name) => text(route[name])).find((value) => value !== undefined);
      const name = text(route.RouteName);
      if (id !== undefined && name !== undefined) this.#routes.set(id.toLowerCase(), name);
    };
    listOf((await this.#call(list, {})).Results).forEach(add);
    // A route of another account is in no list.
    const single = unread().slice(0, SINGLE);
    (await Promise.all(single.map((id) => this.#call(one, { [ids[0]]: id })))).forEach(add);
  }

  /** Reads the active subscriptions with the names of their packages. Two requests. */
  async readPlans(): Promise<void> {
    if (this.#plans !== undefined) return;
    const [subscriptions, packages] = await Promise.all([
      this.#call('account_subscriptions_get', { Filter: 'Active' }),
      this.#call('account_packages_get', {}),
    ]);
    const names = new Map(listOf(packages.Results).map((row) => [text(row.PackageId), row.PackageName]));
    const rows = listOf(subscriptions.Results);
    const byNumber = new Map(
      rows.map(({ TNID, SubscriptionId, PackageId }) => [
        bareNumberId(textOf(TNID)),
        { Plan: text(names.get(text(PackageId))) ?? text(PackageId) ?? '(no name)', SubscriptionId, PackageId },
      ]),
    );
    const isWhole = !(Number(subscriptions.TotalSubscriptions) > rows.length);
    const called = [...names.values()].flatMap((name) => text(name) ?? []);
    this.#plans = { account: text(subscriptions.AccountId), isWhole, byNumber, names: called };
  }

  /** The names of the routes that were read. */
  routeNames(): string[] {
    return [...new Set(this.#routes.values())];
  }

  /** The names of the plans that were read. */
  planNames(): readonly string[] {
    return this.#plans?.names ?? [];
  }

  /** The name of the route of a line, or its id if the name was not read; "none" for a line without one. */
  routeOf(row: Fields, member: RouteMember): string {
    const id = text(row[member]);
    if (id !== undefined) return this.#routes.get(id.toLowerCase()) ?? id;
    // Nothing else is known about a number that only its subscriber's record names.
    return text(row.Status) === undefined ? NOT_READ : NONE;
  }

  /** The plan of a line with its ids. Empty if the plans were not read. */
  planOf(row: Fields, directory: Directory): Fields & { Plan?: string } {
    if (this.#plans === undefined) return {};
    const { account, isWhole, byNumber } = this.#plans;
    const found = byNumber.get(bareNumberId(textOf(row.TNID ?? row.Tnid ?? row.PhoneNumberId)));
    if (found !== undefined) return found;
    if (text(row.Status) === undefined) return { Plan: NOT_READ };
    // The list has the subscriptions of one account.
    const own = directory.accountOf(row);
    if (account !== undefined && own !== undefined && !same(account, own)) return { Plan: OTHER_ACCOUNT };
    return { Plan: isWhole ? NONE : NOT_LISTED };
  }
}

/**
 * The names of routes or plans that a text means: the one that is called so, or else all that have its words. Names that
 * are only spelled alike are not among them.
 */
export function namesMeant(wanted: string, names: readonly string[]): string[] {
  const bare = (name: string) => searchForm(name).replace(/\s+(?:route|trunk|plan|package)$/, '');
  const exact = names.filter((name) => bare(name) === bare(wanted));
  if (exact.length > 0) return exact;
  const words = bare(wanted).split(/\s+/);
  return names.filter((name) => {
    const own = searchForm(name).split(/[^\p{L}\p{N}]+/u);
    return words.every((word) => own.some((part) => part.startsWith(word)));
  });
}

/* Short rows about numbers, for searches and for lookups of several numbers. */

/** Largest number of numbers in one request for data usage. */
const MOST = 100;

/** The members of a row. */
export const lineRow = {
  Number: out.text,
  Status: out.text,
  Customer: out.said,
  SubscriberId: out.key('TSUID'),
  Account: out.said,
  CallerName: out.said,
  Kind: out.text,
  Product: out.text,
  BoughtOn: out.text,
  Trouble: out.own,
  ...datesShape,
  Used: out.text,
  Remaining: out.text,
  CurrentBehavior: out.text,
  NotifyValue: out.number,
  ThrottleValue: out.number,
  ThrottleSpeed: out.number,
  LimitValue: out.number,
  Limits: out.own,
  Filters: out.own,
  ...usesRow,
} as const;

/** A number, and what was read about it. */
export interface Line {
  row: Fields;
  usage?: Fields | undefined;
  limits?: Fields | undefined;
  dates?: LineDates | undefined;
  filters?: Filters | undefined;
}

/** Guardian filtering of a line: the subscriber's switches, and the filters of this number. */
interface Filters {
  features: Fields;
  calls: readonly Fields[];
  messages: readonly Fields[];
}

/** The day on which a number was bought, as YYYY-MM-DD in UTC; undefined if its record does not say. */
export function boughtOn(row: Fields): string | undefined {
  const at = readDate(row.OriginalDatePurchased, 'UTC')?.from;
  return at === undefined ? undefined : new Date(at).toISOString().slice(0, 10);
}

/** Data used in MB; undefined if it is not known. */
export function usedBy({ usage }: Line): number | undefined {
  return megabytes(usage?.Used);
}

const DATA_READS = { usage: 'numbers_data_usage_info', limits: 'numbers_data_usage_settings' } as const;

/** Reads the data used by these lines, or their data limits, 100 in a request. A line without data is left out. */
export async function readData(lines: readonly Line[], part: 'usage' | 'limits', call: Call): Promise<void> {
  const wanted = lines.filter((line) => line[part] === undefined && hasData(line.row) && !isCancelled(line.row));
  const starts = Array.from({ length: Math.ceil(wanted.length / MOST) }, (_, i) => i * MOST);
  await Promise.all(
    starts.map(async (start) => {
      const batch = wanted.slice(start, start + MOST);
      const answer = await call(DATA_READS[part], { PhoneNumbers: batch.map(({ row }) => ({ Number: phoneOf(row) })) });
      const found = new Map(listOf(answer.PhoneNumbers).map((row) => [phoneOf(row), row]));
      for (const line of batch) line[part] = found.get(phoneOf(line.row));
    }),
  );
}

/** Reads guardian filtering of these lines: three requests for each of their subscribers. */
export async function readFilters(lines: readonly Line[], call: Call): Promise<void> {
  await Promise.all(
    [...new Set(lines.flatMap(({ row }) => text(row.AssignedSubscriberId) ?? []))].map(async (SubscriberId) => {
      const [features, calls, messages] = await Promise.all([
        call('subscribers_guardian_features_get', { SubscriberId }),
        call('subscribers_call_filter_get', { SubscriberId }),
        call('subscribers_message_filter_get', { SubscriberId }),
      ]);
      for (const line of lines.filter(({ row }) => row.AssignedSubscriberId === SubscriberId)) {
        const own = ({ Results }: Fields) => listOf(Results).filter(({ Phone }) => Phone === phoneOf(line.row));
        line.filters = { features, calls: own(calls), messages: own(messages) };
      }
    }),
  );
}

/** "messages: 1 filter, guardian filtering on; calls: no filter, guardian filtering off". */
export function filtersText({ features, calls, messages }: Filters): string {
  const says = ({ name, feature }: FilterKind, { length }: readonly Fields[]) => {
    const count = length === 0 ? 'no filter' : `${length} filter${length === 1 ? '' : 's'}`;
    return `${name}: ${count}, guardian filtering ${readFlag(features[feature]) === true ? 'on' : 'off'}`;
  };
  return `${says(MESSAGE_FILTER, messages)}; ${says(CALL_FILTER, calls)}`;
}

/** Data used, without what is left for a line that cannot use it. */
export function usageShown(row: Fields, { Used, Remaining, CurrentBehavior }: Fields = {}): Fields {
  return isCancelled(row) || stateOf(row) === 'parked' ? { Used } : { Used, Remaining, CurrentBehavior };
}

/**
 * A line as a row of an answer. Members that are not known are left out.
 *
 * @param more `account`: id of the account if no record names it. `routes` and `plans`: further columns.
 */
export function lineRowOf(
  { row, usage, limits, dates, filters }: Line,
  directory: Directory,
  more: { account?: string | undefined; routes?: LineUses; plans?: LineUses } = {},
): Fields {
  const holder = directory.holder(row.AssignedSubscriberId);
  return defined({
    Number: phoneOf(row),
    Status: text(row.Status),
    Customer: text(holder?.Name) ?? text(row.Customer),
    SubscriberId: text(holder?.SubscriberId) ?? text(row.AssignedSubscriberId),
    Account: directory.accountNameOf(row) ?? directory.accountOf(row) ?? more.account,
    CallerName: text(row.Cnam),
    Kind: kindOf(row) === '' ? undefined : kindOf(row),
    Product: text(row.ProductType),
    BoughtOn: boughtOn(row),
    Trouble: offText(row),
    ...dates,
    ...usageShown(row, usage),
    ...(limits && limitsOf(limits)),
    Filters: filters && filtersText(filters),
    ...(more.routes && {
      MessageRoute: more.routes.routeOf(row, 'MessageRouteId'),
      VoiceRoute: more.routes.routeOf(row, 'VoiceRouteId'),
      MessageRouteId: text(row.MessageRouteId),
      VoiceRouteId: text(row.VoiceRouteId),
    }),
    ...more.plans?.planOf(row, directory),
  });
}

const LIMITS = ['NotifyValue', 'ThrottleValue', 'ThrottleSpeed', 'LimitValue'] as const;

/** The limits that a line has, or a text that it has none. */
function limitsOf(limits: Fields): Fields {
  const set = LIMITS.filter((name) => limits[name] !== undefined && limits[name] !== null && limits[name] !== '');
  return set.length === 0 ? { Limits: NONE } : Object.fromEntries(set.map((name) => [name, limits[name]]));
}
