import type { Call, Happening, LocalHistory, Look, WorkflowContext } from '../../src/catalogue/operation.ts';
import { DAY_MS } from '../../src/lib/clock.ts';
import { changed, SwitchboardError } from '../../src/lib/errors.ts';
import { defined, type Fields, joined, recordOf, recordsIn, searchForm, textOf } from '../../src/lib/values.ts';
import { bareNumberId } from '../../src/platform/dialect/number-lists.ts';
import { dayText, readDate, readFlag } from '../../src/platform/dialect/readings.ts';
import { carrierReason, hasEnded, isRejected, orderRank, orderState } from '../../src/platform/dialect/verdict.ts';
import { CALL_FILTER, MESSAGE_FILTER, type Traffic } from '../surfaces/guard.ts';
import { text } from './before.ts';
import { out } from './fields.ts';
import {
  datesShape,
  hasData,
  isCancelled,
  keptAbout,
  kindOf,
  type LineDates,
  megabytes,
  offText,
  stateOf,
} from './line.ts';

/*
 * Numbers and subscribers as far as one search has read them. Lists are read in parts of a fixed size, so that a search
 * takes a known number of requests.
 */

/** Largest number of pages, of 100 rows each, that one search reads of each list. */
export const PAGES = 4;
const ROWS = 100;
/** Largest number of records of a kind that are read one by one because no list showed them. */
const SINGLE = 4;

/** The part of a list that one search reads: up to `PAGES` pages, each of them once. */
export class PagedList {
  readonly rows: Fields[] = [];
  /** Rows of the list before this part. */
  readonly before: number;
  /** Rows of the platform's whole list; undefined before the first page. */
  total: number | undefined;
  readonly #read: (page: number) => Promise<{ rows: Fields[]; total: number }>;
  readonly #first: number;
  #whole: Promise<void> | undefined;

  /** @param part 1 for the first `PAGES` pages, 2 for the next ones, and so on */
  constructor(part: number, read: (page: number) => Promise<{ rows: Fields[]; total: number }>) {
    this.#read = read;
    this.#first = (part - 1) * PAGES + 1;
    this.before = (part - 1) * PAGES * ROWS;
  }

  /** True if the list has rows after this part. */
  get hasMore(): boolean {
    return this.total === undefined || this.before + this.rows.length < this.total;
  }

  /** Reads the first page of this part, then the others together. A second call reads nothing. */
  readAll(): Promise<void> {
    this.#whole ??= this.#more(0, 1).then(() => {
      const left = Math.ceil(((this.total ?? 0) - this.before - this.rows.length) / ROWS);
      return this.#more(1, Math.min(left, PAGES - 1));
    });
    return this.#whole;
  }

  async #more(from: number, pages: number): Promise<void> {
    const wanted = Array.from({ length: Math.max(0, pages) }, (_, at) => this.#read(this.#first + from + at));
    for (const { rows, total } of await Promise.all(wanted)) {
      this.rows.push(...rows);
      // If the platform returns no total, the rows read so far count as the whole list.
      this.total = Number.isFinite(total) ? total : this.before + this.rows.length;
    }
  }
}

/** Numbers and subscribers of the distributor. Each page and record is read once. */
export class Directory {
  readonly numbers: PagedList;
  readonly subscribers: PagedList;
  readonly #call: Call;
  #accounts: Promise<Fields[]> | undefined;
  readonly #accountNames = new Map<string, string>();

  /** @param part part of the lists, from 1 */
  constructor(call: Call, part = 1) {
    this.#call = call;
    this.numbers = new PagedList(part, async (PageNumber) => {
      const answer = await call('numbers_inventory_get', { PageNumber, TotalNumbersRequested: ROWS });
      return { rows: recordsIn(answer.PhoneNumbers), total: Number(answer.TotalResults) };
    });
    this.subscribers = new PagedList(part, async (PageNumber) => {
      const answer = await call('distributor_subscribers_get', { PageNumber, TotalPerPage: ROWS });
      return { rows: recordsIn(answer.Subscribers), total: Number(answer.TotalSubscribers) };
    });
  }

  /** The record of a number; undefined if the platform does not have it. */
  async number(phone: string): Promise<Fields | undefined> {
    const known = this.numbers.rows.find((row) => phoneOf(row) === phone);
    return known ?? this.#single(this.numbers, 'numbers_get', { PhoneNumber: phone });
  }

  /** The subscriber with this id, if a record that was read has it. */
  holder(id: unknown): Fields | undefined {
    return idOf(id) === '' ? undefined : this.subscribers.rows.find((row) => idOf(row.SubscriberId) === idOf(id));
  }

  async subscriber(id: string): Promise<Fields | undefined> {
    return this.holder(id) ?? this.#single(this.subscribers, 'subscribers_get', { SubscriberId: id });
  }

  /** Reads the subscribers of these numbers: up to four one by one, more from the list. */
  async readHolders(rows: readonly Fields[]): Promise<void> {
    const ids = [...new Set(rows.map((row) => text(row.AssignedSubscriberId)))].filter((id) => id !== undefined);
    const unread = ids.filter((id) => this.holder(id) === undefined);
    if (unread.length > SINGLE) await this.subscribers.readAll();
    else await Promise.all(unread.map((id) => this.subscriber(id)));
  }

  /** The id of the account that a number belongs to, from its own record or from its subscriber's. */
  accountOf(row: Fields): string | undefined {
    return text(row.AccountId) ?? text(recordOf(this.holder(row.AssignedSubscriberId)?.Account).AccountId);
  }

  /** The name of the account that a number belongs to, as far as the records that were read name it. */
  accountNameOf(row: Fields): string | undefined {
    const own = recordOf(this.holder(row.AssignedSubscriberId)?.Account);
    return text(own.CompanyName) ?? this.#accountNames.get(this.accountOf(row)?.toLowerCase() ?? '');
  }

  /**
   * Learns the names of the accounts of these numbers: from the subscribers that were read, or from the list of accounts
   * with one request. A name that cannot be read is missing, because a number is found without it too.
   */
  async readAccounts(rows: readonly Fields[]): Promise<void> {
    for (const { Account } of this.subscribers.rows) this.#name(recordOf(Account), 'CompanyName');
    const isNamed = (row: Fields) => this.accountOf(row) === undefined || this.accountNameOf(row) !== undefined;
    if (rows.every(isNamed)) return;
    this.#accounts ??= this.#call('distributor_accounts_get', {}).then(
      // The answer is one record where there is one account.
      (answer) => (Array.isArray(answer.Results) ? recordsIn(answer.Results) : [answer]),
      () => [],
    );
    for (const account of await this.#accounts) this.#name(account, 'AccountName');
  }

  #name(account: Fields, member: string): void {
    const [id, name] = [text(account.AccountId), text(account[member])];
    if (id !== undefined && name !== undefined) this.#accountNames.set(id.toLowerCase(), name);
  }

  /** One record, kept for this search; undefined if the platform does not have it. */
  async #single(list: PagedList, operation: string, input: Fields): Promise<Fields | undefined> {
    try {
      const found = await this.#call(operation, input);
      list.rows.push(found);
      if (list.total !== undefined) list.total += 1;
      return found;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
}

/** An id of a subscriber without its prefix, because all prefixes mean the same record. */
export function idOf(value: unknown): string {
  return (text(value) ?? '').replace(/^t?s(u)?id-/i, '').toLowerCase();
}

/** True for texts that differ in letter case, or in how their letters are composed, only. */
export function same(value: string | undefined, other: string | undefined): boolean {
  return (value && searchForm(value)) === (other && searchForm(other));
}

export function phoneOf(row: Fields): string {
  return text(row.Number) ?? '';
}

/** A record without the members that say nothing. */
export function withoutEmpty(record: Fields): Fields {
  const says = (value: unknown) =>
    !['', null, undefined].includes(value as '') && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(record).filter(([name, value]) => says(value) && name !== 'Successful'));
}

/** Reads parts of an answer. One that cannot be read is undefined, and `missing` says why. */
export function partReader() {
  const missing: string[] = [];
  const part = async <T>(name: string, reading: Promise<T> | undefined): Promise<T | undefined> => {
    try {
      return await reading;
    } catch (error) {
      missing.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  };
  return { missing, part };
}

/*
 * The routes and the plan that a line uses, by name. A line without one has "none", and one whose plan cannot be known
 * has a text that says why.
 */

export const NONE = 'none';
/** Before the plan of a line that could not be known. */
export const NOT_READ = 'not read';
const OTHER_ACCOUNT = 'not read: another account';
const NOT_LISTED = 'not read: the platform listed only a part of the subscriptions';

/** The members of a row that name routes and plan. */
const usesRow = {
  ...out.members('MessageRouteId VoiceRouteId SubscriptionId PackageId'),
  ...out.members('MessageRoute VoiceRoute Plan', out.said),
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
    recordsIn((await this.#call(list, {})).Results).forEach(add);
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
    const names = new Map(recordsIn(packages.Results).map((row) => [text(row.PackageId), row.PackageName]));
    const rows = recordsIn(subscriptions.Results);
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
  ...out.members('Number Status CallerName Kind Product BoughtOn'),
  Customer: out.said,
  SubscriberId: out.key('TSUID'),
  Account: out.said,
  Trouble: out.own,
  ...datesShape,
  ...out.members('Used Remaining CurrentBehavior NotifyValue ThrottleValue ThrottleSpeed LimitValue'),
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
      const found = new Map(recordsIn(answer.PhoneNumbers).map((row) => [phoneOf(row), row]));
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
        const own = ({ Results }: Fields) => recordsIn(Results).filter(({ Phone }) => Phone === phoneOf(line.row));
        line.filters = { features, calls: own(calls), messages: own(messages) };
      }
    }),
  );
}

/** "messages: 1 filter, guardian filtering on; calls: no filter, guardian filtering off". */
export function filtersText({ features, calls, messages }: Filters): string {
  const says = ({ name, feature }: Traffic, { length }: readonly Fields[]) => {
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
  // A done call is named by how it stands: "done (order submitted)", "order rejected".
  const isDone = /^(?:done|partly|order )/.test(String(State));
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
  for (const { values } of list.flatMap((entry) => asOrder(entry) ?? [])) {
    const before = orders.get(String(values.OrderId));
    const named = Array.isArray(values.PhoneNumbers)
      ? values.PhoneNumbers.filter((one) => typeof one === 'string')
      : [];
    // A report may name no number, and then they are those of the entries before it.
    const PhoneNumbers = named.length > 0 ? named : (before?.PhoneNumbers ?? []);
    orders.set(String(values.OrderId), { ...before, ...values, PhoneNumbers });
  }
  const open = [...orders.values()].filter(({ Status }) => !hasEnded(String(Status)));
  const rows = open.flatMap(({ PhoneNumbers, Customer }) =>
    (PhoneNumbers as string[]).map((phone) => ({ Number: phone, Customer, Status: 'On order' })),
  );
  return [...new Map(rows.map((row) => [row.Number, row])).values()];
}

/** True for a Saturday or Sunday: a day (YYYY-MM-DD) or its beginning in UTC. */
function isWeekend(day: string | number): boolean {
  return [0, 6].includes(new Date(day).getUTCDay());
}

/** Business days from today to the given day; today and weekends do not count (PLATFORM.md, Port-in). */
function businessDaysUntil(isoDay: string, now: Date): number {
  const [today, target] = [Date.parse(now.toISOString().slice(0, 10)), Date.parse(isoDay)];
  let days = 0;
  for (let day = today + DAY_MS; day <= target; day += DAY_MS) if (!isWeekend(day)) days += 1;
  return days;
}

/** The platform's names for landline numbers. */
const WIRELINE = /land ?line|wire ?line|fixed/i;
/** The members in which an eligibility check and an order name the kind of line. */
const KINDS = ['NumberType', 'LineType', 'Classification', 'TargetPortinClassification'];

/** True if a record says that its number is a landline; undefined if it does not name the kind of line. */
export function isWireline(record: Fields | undefined): boolean | undefined {
  const kinds = KINDS.map((name) => text(record?.[name])).filter((kind) => kind !== undefined);
  return kinds.length === 0 ? undefined : kinds.some((kind) => WIRELINE.test(kind));
}

/**
 * True if an order ports a landline, by the order or else by an eligibility check of its number. Undefined if neither
 * names the kind of line. At most one request.
 */
export async function portsWireline(order: Fields | undefined, look: Look): Promise<boolean | undefined> {
  if (isWireline(order)) return true;
  const [row] = Array.isArray(order?.PhoneNumbersOrdered) ? order.PhoneNumbersOrdered : [];
  const phone = text(typeof row === 'string' ? row : recordOf(row).Number);
  if (phone === undefined) return undefined;
  const asked = { PhoneNumber: phone, TargetClassification: 'Landline' };
  return isWireline((await look.read('numbers_portin_eligibility', asked)).found);
}

/** True for a business day at most one day outside the window, which may be inside it by the platform's clock. */
export function isNearWindow(date: string | undefined, now: Date): boolean {
  if (date === undefined) return false;
  const days = businessDaysUntil(date, now);
  return !isWeekend(date) && days >= 4 && days <= 11;
}

/** The problem with the port-in date of a wireline number (PLATFORM.md, Port-in); undefined if it may be accepted. */
export function wirelineDateProblem(date: string | undefined, now: Date) {
  const window = 'a landline needs a business day 5 to 10 business days ahead (today and weekends do not count)';
  if (date === undefined) return { field: 'PortInDate', message: `${window}. Give PortInDate` };
  const days = businessDaysUntil(date, now);
  const weekend = isWeekend(date);
  if (!weekend && days >= 5 && days <= 10) return undefined;
  const why = weekend ? 'on a weekend' : `${days} business days away`;
  return { field: 'PortInDate', message: `${dayText(date)} is ${why}; ${window}. Pick another day` };
}

/** A port-in that has not ended. */
export type OpenPortIn = NonNullable<Awaited<ReturnType<typeof openPortIn>>>;

/**
 * The record of a number, or the open port-in of one that the platform does not have yet.
 *
 * @throws the platform's error if there is neither, with a hint about a port-in that no report named
 */
export async function numberOrPortIn(phone: string, context: Pick<WorkflowContext, 'call' | 'history'>) {
  try {
    return { number: { Number: phone, ...(await context.call('numbers_get', { PhoneNumber: phone })) } };
  } catch (error) {
    const order = isNotFound(error) ? await openPortIn(phone, context) : undefined;
    if (order !== undefined) return { number: {}, order };
    if (!isNotFound(error)) throw error;
    const hint =
      'A number that is being ported in appears when its order completes: numbers_order_get shows the order.';
    throw changed(error, { next: joined([error.face.next, hint]) });
  }
}

/** True for the error of a number that the platform does not have. */
function isNotFound(error: unknown): error is SwitchboardError {
  return error instanceof SwitchboardError && error.face.code === 'not_found';
}

/**
 * The open port-in of a number. Its order is found by received reports and by the orders placed through Switchboard in
 * the last 30 days, and is then read. One platform request, or none if nothing names the number. Undefined if there is
 * no open order.
 */
export async function openPortIn(phone: string, { call, history }: Pick<WorkflowContext, 'call' | 'history'>) {
  const { list } = await history.happened({ ...keptAbout(phone, history), kinds: ['order', 'action'] });
  const orderId = list.map((entry) => text(asOrder(entry)?.values.OrderId)).findLast((id) => id !== undefined);
  if (orderId === undefined) return undefined;
  const order = await call('numbers_order_get', { OrderId: orderId });
  const status = orderState(order);
  if (hasEnded(status)) return undefined;
  // The carrier's own words; empty if it gave none.
  const message = text(order.ErrorMessage) ?? text(order.OrderStatusMessage) ?? '';
  // In Switchboard's words. An unknown state is not quoted, because it is text from outside.
  const words = orderRank(status) === undefined ? 'in a state that is not known here' : status;
  return { orderId, status, words, rejected: isRejected(status), message, reason: carrierReason(message) };
}

/** The field with the account at the losing carrier. */
export const CARRIER_ACCOUNT = 'CurrentAccountNumber';

/** The last four characters of an account at a carrier: "…2222". Undefined if there is none. */
export function maskedAccount(value: unknown): string | undefined {
  const account = text(value);
  return account && (account.length > 6 ? `…${account.slice(-4)}` : '…');
}
