import * as z from 'zod';
import { defineWorkflow, type WorkflowContext } from '../../src/catalogue/operation.ts';
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
import { text } from '../shared/before.ts';
import {
  boughtOn,
  Directory,
  idOf,
  type Line,
  LineUses,
  lineRow,
  lineRowOf,
  NONE,
  NOT_READ,
  namesMeant,
  numbersOnOrder,
  type PagedList,
  phoneOf,
  readData,
  same,
  usedBy,
} from '../shared/directory.ts';
import { accountId, areaCode, choice, day, KIND_WORDS, openChoice, out, page, rowsUpTo } from '../shared/fields.ts';
import { datesOf, kindOf, productHas, stateOf } from '../shared/line.ts';

/* The criteria of a search for numbers, its order and its totals. */

const megabytesField = z.number('must be a number of MB, for example 500').min(0, 'must not be below 0').optional();
const named = z.string().trim().min(1, 'must not be empty').max(100).optional();

const STATUSES = ['Active', 'Parked', 'Cancelled - Pending Delete', 'Cancelled'] as const;

const COUNTED = ['Customer', 'Account', 'Status', 'Product', 'AreaCode', 'MessageRoute', 'VoiceRoute', 'Plan'] as const;

/** The fields of a search besides its text. All of them must fit a number. */
const criteria = {
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

type Criteria = z.output<z.ZodObject<typeof criteria>>;

/** The records that a search needs besides the numbers. */
function needsOf({ AccountId, UsedFrom, UsedTo, Route, Plan, Data, Full, Sort, CountBy }: Criteria) {
  return {
    usage:
      UsedFrom !== undefined || UsedTo !== undefined || Sort === 'Used' || (CountBy !== undefined && Data === true),
    holders: Sort === 'Customer' || CountBy === 'Customer' || CountBy === 'Account' || AccountId !== undefined,
    routes: Route !== undefined || Full === true || CountBy === 'MessageRoute' || CountBy === 'VoiceRoute',
    plans: Plan !== undefined || Full === true || CountBy === 'Plan',
  };
}

/** The values that there are for a criterion whose value no line has. Undefined if each one is known. */
function otherValues({ Status, Product, Route, Plan }: Criteria, rows: readonly Fields[], uses: LineUses) {
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
function fits(row: Fields, wanted: Criteria, directory: Directory): boolean {
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
function fitsUses(row: Fields, { Route, Plan }: Criteria, uses: LineUses, directory: Directory): boolean | undefined {
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
function fitsUsage(line: Line, { UsedFrom = 0, UsedTo = Number.POSITIVE_INFINITY }: Criteria): boolean {
  if (UsedFrom === 0 && UsedTo === Number.POSITIVE_INFINITY) return true;
  const used = usedBy(line);
  return used !== undefined && used >= UsedFrom && used <= UsedTo;
}

/** The lines in the order asked for. Lines without the value come last. */
function sorted(lines: readonly Line[], { Sort, Descending }: Criteria, directory: Directory): readonly Line[] {
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
type Query =
  | { by: 'number'; phone: string }
  /** The ends of one or several numbers. */
  | { by: 'digits'; digits: readonly string[] }
  | { by: 'subscriber' | 'account'; id: string }
  | { by: 'orphan' }
  | { by: 'name'; words: readonly string[] };

function queryOf(given: string): Query {
  const term = plainForm(given).replace(/[,;\s]+$/, '');
  if (ORPHAN.test(term)) return { by: 'orphan' };
  if (/^t?suid-|^sid-/i.test(term)) return { by: 'subscriber', id: term };
  if (/^aid-/i.test(term)) return { by: 'account', id: term };
  const parts = /^(?!89)(?:\d{4}|\d{10})(?:\s+(?:\d{4}|\d{10}))+$/.test(term) ? /\s+/ : /\s*(?:[,;&]|\band\b)\s*/i;
  const several = term.split(parts).map(digitsOf);
  if (several.length > 1 && several.every((one) => /^\d{3,}$/.test(one))) return { by: 'digits', digits: several };
  const digits = digitsOf(term);
  if (/^\d+$/.test(digits)) {
    if (term.startsWith('+') && digits.length > 7) return { by: 'number', phone: `+${digits}` };
    if (digits.length === 10) return { by: 'number', phone: `+1${digits}` };
    if (/^1\d{10}$/.test(digits)) return { by: 'number', phone: `+${digits}` };
    return { by: 'digits', digits: [digits] };
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

function matches(query: Query, row: Fields, directory: Directory): boolean {
  switch (query.by) {
    case 'number':
      return phoneOf(row) === query.phone;
    case 'digits':
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
function isByCallerName({ words }: Query & { by: 'name' }, row: Fields, directory: Directory): boolean {
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
function similarTo(words: readonly string[], rows: readonly Fields[], directory: Directory): Fields[] {
  const named = rows.map((row) => ({ row, names: namesOf(row, directory) }));
  const all = named.flatMap(({ names }) => names);
  const similar = new Set(similarTexts(words.join(' '), all));
  return named.filter(({ names }) => names.some((name) => similar.has(name))).map(({ row }) => row);
}

/* The totals of a search for numbers: how lines are grouped, and each total in words. */

type CountBy = NonNullable<Criteria['CountBy']>;

/** The members of one total. */
const totalRow = {
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
function totalsOf(lines: readonly Line[], by: CountBy, directory: Directory, uses: LineUses): Fields[] {
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
function withoutLines(lines: readonly Line[], { AccountId }: Criteria, directory: Directory): Fields[] {
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
function totalsTitle(count: number, { CountBy = 'Customer' }: Counted, totals: unknown): string {
  const numbers = count === 1 ? '1 number' : `${count} numbers`;
  const [noun] = GROUPS[CountBy];
  const holders = recordsIn(totals).filter((row) => isName(scalarText(row[CountBy]))).length;
  if ((CountBy !== 'Customer' && CountBy !== 'Account') || holders === 0) return `${numbers} by ${noun}`;
  return `${holders} ${noun}${holders === 1 ? '' : 's'}, ${numbers}`;
}

/** "Ava Stone · ava@acme.example · Acme Mobile: 7 numbers (Active 5, Parked 2)". */
function totalSaid(total: Fields, { CountBy = 'Customer' }: Counted): string {
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

/* The search itself: what it reads, and its answer. */

/** Largest number of numbers that are read one by one, for a search of one subscriber's numbers. */
const MOST_SINGLE = 7;
/** Largest number of rows in an answer. */
const MOST = 25;
/** Largest number of numbers in an answer with nothing else; a batch takes as many. */
const MOST_BARE = 500;
/** Largest number of totals in an answer. */
const MOST_TOTALS = 100;
/** Most lines that one sentence names. */
const MOST_NAMED = 5;
/** The longest search: the last digits of as many lines as a batch has rows. */
const MOST_QUERY = 4_000;
/** Added to the page number for each further answer with matches of the same part of the lists. */
const ANSWER = 10_000;

/** One search: what it looks for, and the records that it has read. */
function searchFor(
  { Query, Page = 1, ...wanted }: Criteria & { Query?: string; Page?: number },
  context: WorkflowContext,
) {
  const { call, history } = context;
  const query = Query === undefined ? undefined : queryOf(Query);
  const needs = needsOf(wanted);
  const part = Page % ANSWER || ANSWER;
  return {
    ...{ query, wanted, needs, part, call, history },
    /** True if the records of all subscribers are compared. */
    byNames: query === undefined ? needs.holders : query.by === 'account' || query.by === 'name',
    directory: new Directory(call, part),
    uses: new LineUses(call),
  };
}
type Search = ReturnType<typeof searchFor>;

/** Reads the records that a search term needs: one record if the id is known, otherwise this part of the lists. */
async function readFor({ query, directory, byNames }: Search): Promise<void> {
  if (query?.by === 'number') {
    await directory.number(query.phone);
    return;
  }
  if (query?.by === 'subscriber') {
    const phones = (await directory.subscriber(query.id))?.PhoneNumbers;
    const list = Array.isArray(phones) ? phones.filter((phone) => typeof phone === 'string') : [];
    if (list.length > MOST_SINGLE) return directory.numbers.readAll();
    await Promise.all(list.map((phone) => directory.number(phone)));
    // The rows follow the order of the subscriber's record, not that of the answers.
    directory.numbers.rows.sort((a, b) => list.indexOf(phoneOf(a)) - list.indexOf(phoneOf(b)));
    return;
  }
  await Promise.all([directory.numbers.readAll(), byNames ? directory.subscribers.readAll() : undefined]);
}

/** The lines that fit the term and the criteria, in the order asked for. */
async function linesFor(search: Search) {
  const { query, wanted, needs, directory, uses, call, history } = search;
  await readFor(search);
  const rows = [...directory.numbers.rows, ...(query?.by === 'number' ? [] : unlisted(directory))];
  // A line without a subscriber is found by the name of its account too.
  if (query?.by === 'name') await directory.readAccounts(rows);
  const listed = rows.filter((row) => query === undefined || matches(query, row, directory));
  const isOrdered = listed.length === 0 && (isOfDigits(query) || query?.by === 'name');
  const exact = isOrdered ? (await numbersOnOrder(history)).filter((row) => matches(query, row, directory)) : listed;
  const similar = query?.by === 'name' && exact.length === 0 ? similarTo(query.words, rows, directory) : [];
  const matching = [...exact, ...similar];
  if (needs.holders || isOfDigits(query)) await directory.readHolders(matching);
  if (wanted.CountBy === 'Account') await directory.readAccounts(matching);
  const fitted = matching.filter((row) => fits(row, wanted, directory));
  await Promise.all([needs.routes && uses.readRoutes(fitted), needs.plans && uses.readPlans()]);
  const using = fitted.map((row) => ({ row, isMeant: fitsUses(row, wanted, uses, directory) }));
  const lines = using.filter(({ isMeant }) => isMeant === true).map(({ row }): Line => ({ row }));
  if (needs.usage) await readData(lines, 'usage', call);
  const fitting = lines.filter((line) => fitsUsage(line, wanted));
  return {
    lines: sorted(fitting, wanted, directory),
    areSimilar: similar.length > 0,
    matching: matching.length,
    /** Lines whose plan is not known, so that they may fit too. */
    unread: using.filter(({ isMeant }) => isMeant === undefined).map(({ row }) => phoneOf(row)),
  };
}

/** True for a term that names numbers by their digits. */
function isOfDigits(query: Query | undefined): query is Query & { by: 'number' | 'digits' } {
  return query?.by === 'number' || query?.by === 'digits';
}

/** Numbers that only the list of subscribers names, because the inventory pages that were read do not contain them. */
function unlisted(directory: Directory): Fields[] {
  const seen = new Set(directory.numbers.rows.map(phoneOf));
  return directory.subscribers.rows.flatMap(({ PhoneNumbers, SubscriberId }) =>
    (Array.isArray(PhoneNumbers) ? PhoneNumbers : [])
      .filter((phone): phone is string => typeof phone === 'string' && !seen.has(phone))
      .map((phone) => ({ Number: phone, AssignedSubscriberId: SubscriberId })),
  );
}

/** The lists that this search read only in part. */
function partsRead({ query, byNames, directory: { numbers, subscribers } }: Search) {
  // A number's record names its subscriber, and a subscriber's record names all its numbers, so no list is needed.
  if (query?.by === 'number' || query?.by === 'subscriber') return [];
  const lists: [string, PagedList][] = [
    ['numbers', numbers],
    ...(byNames ? [['subscribers', subscribers] as [string, PagedList]] : []),
  ];
  return lists.filter(([, list]) => list.hasMore || list.before > 0);
}

/** A text about the searched parts and how to search the rest. `parts` has at least one list. */
function unseenText(parts: ReturnType<typeof partsRead>, found: number, next: number | undefined): string {
  const read = parts
    .filter(([, list]) => list.rows.length > 0)
    .map(([name, { before, rows, total }]) => `${name} ${before + 1} to ${before + rows.length} of ${total}`);
  if (read.length === 0) return 'The lists end before this Page. Page=1 searches from the beginning.';
  const rest = next === undefined ? '' : `Page=${next} searches the next ones. `;
  return `${found === 0 ? 'No match: only' : 'Only'} ${read.join(' and ')} were searched. ${rest}A full number or a subscriber id is found at once.`;
}

export default defineWorkflow({
  id: 'numbers_find',
  group: 'numbers',
  title: 'Find numbers',
  description:
    'Numbers by last digits, name of subscriber, caller or account, id and criteria, in short rows. CountBy counts them (Customer: everybody, with e-mail and role). Unseen: what was not searched; Page searches on.',
  risk: 'read',
  input: () => ({
    Query: z
      .string()
      .trim()
      .min(2, 'give at least two characters: last digits, a name, or a TSUID- or AID- id')
      .max(MOST_QUERY)
      .refine((term) => term.length <= 100 || /^[\d\s,;]+$/.test(term), 'at most 100 characters')
      .meta({ kind: 'words' })
      .optional()
      .describe('0104, Ben Reed, TSUID-…, AID-…'),
    ...criteria,
    Rows: rowsUpTo(MOST),
    NumbersOnly: z.boolean().optional().describe('just the numbers, up to 500'),
    Page: page
      .max(1_000 * ANSWER)
      .optional()
      .describe("the answer's NextPage, to search on"),
  }),
  rules: ({ Page: _page, Rows: _rows, NumbersOnly: _bare, ...wanted }) => {
    if (Object.values(wanted).every((value) => value === undefined))
      return { field: 'Query', ofWhole: true, message: 'give last digits, a name or a criterion, for example 0104' };
    const { BoughtFrom = '', BoughtTo = BoughtFrom, UsedFrom = 0, UsedTo = UsedFrom } = wanted;
    return [
      ...(BoughtTo < BoughtFrom ? [{ field: 'BoughtTo', message: `${BoughtTo} is before BoughtFrom` }] : []),
      ...(UsedTo < UsedFrom ? [{ field: 'UsedTo', message: `${UsedTo} is less than UsedFrom` }] : []),
    ];
  },
  output: () => ({
    ...out.members('Found WithoutCriteria NextPage Similar'),
    Numbers: out.rows(lineRow),
    PhoneNumbers: out.texts,
    Totals: out.rows(totalRow),
    Unseen: out.own,
    Message: out.own,
    Hint: out.own,
    Choices: out.saids,
  }),
  /**
   * Two requests for a full number, otherwise at most eight for the lists, four for the data used by the matches, and
   * one for the limits of those shown; one more for names of accounts that no subscriber has, two for plans, and two
   * for routes (up to eight for routes of other accounts). Each page and record is read once.
   */
  run: async ({ Rows = MOST, NumbersOnly, ...asked }, context) => {
    const { Query, Page = 1 } = asked;
    const search = searchFor(defined(asked), context);
    const { query, wanted, part, directory, uses } = search;
    const { lines, areSimilar, matching, unread } = await linesFor(search);
    const parts = partsRead(search);
    const nextPart = parts.some(([, list]) => list.hasMore) ? part + 1 : undefined;
    const notSeen = [
      ...(parts.length === 0 ? [] : [unseenText(parts, lines.length, nextPart)]),
      ...(unread.length === 0 ? [] : [`${NOT_COMPARED}: ${namedText(unread)}.`]),
    ];
    const unseen = defined({ Unseen: notSeen.join(' ') || undefined });
    const isNone = lines.length === 0 && parts.length === 0;
    // The name is known where its numbers were found, and only the criteria leave none.
    const isKnown = isNone && matching > 0 && Query !== undefined;
    const fitsNot = `${matching} match “${Query}”, and none of them fits the criteria.`;
    const other = lines.length === 0 ? otherValues(wanted, directory.numbers.rows, uses) : undefined;
    const none = {
      ...(isNone && { Message: isKnown ? fitsNot : noMatchText(query, directory) }),
      ...(isKnown && { WithoutCriteria: matching }),
      ...(other && {
        Hint: `No line has this ${other.name}. Choices are those that there are.`,
        Choices: other.values,
      }),
    };
    if (wanted.CountBy !== undefined) {
      const { AccountId: _, CountBy, Data, Full, Sort, Descending, ...narrowing } = wanted;
      const isEverybody = query === undefined && Object.values(narrowing).every((value) => value === undefined);
      const totals = [
        ...totalsOf(lines, wanted.CountBy, directory, uses),
        ...(isEverybody && wanted.CountBy === 'Customer' ? withoutLines(lines, wanted, directory) : []),
      ];
      return {
        Totals: totals.slice(0, MOST_TOTALS),
        Found: lines.length,
        ...(totals.length > MOST_TOTALS
          ? { Message: `The first ${MOST_TOTALS} of ${totals.length} are shown.` }
          : none),
        ...unseen,
        ...defined({ NextPage: nextPart }),
      };
    }
    const most = NumbersOnly ? MOST_BARE : Rows;
    const skipped = Math.floor((Page - part) / ANSWER) * most;
    const shown = lines.slice(skipped, skipped + most);
    const next = lines.length > skipped + most ? Page + ANSWER : nextPart;
    // A page of another size would leave out matches.
    const size = NumbersOnly ? ' with NumbersOnly=true' : Rows === MOST ? '' : ` with Rows=${Rows}`;
    const [first, last] = [skipped + 1, skipped + shown.length];
    const which = first === 1 ? `The first ${last}` : `Matches ${first} to ${last}`;
    const further = ` Page=${next}${size} shows the next ones; more digits or words narrow the search.`;
    const left = `${which} of ${lines.length} are shown.${last < lines.length ? further : ''}`;
    return {
      ...(NumbersOnly
        ? { PhoneNumbers: shown.map(({ row }) => phoneOf(row)) }
        : { Numbers: await rowsOf(shown, search) }),
      Found: lines.length,
      ...(lines.length > most && { Message: last < first ? `There are only ${lines.length} matches.` : left }),
      ...none,
      ...(areSimilar && lines.length > 0 ? { Similar: true, Hint: SIMILAR } : callerNameHint(query, shown, directory)),
      ...unseen,
      ...defined({ NextPage: next }),
    };
  },
  ends: {
    input: (ends) => ({ Query: ends.join(', '), NumbersOnly: true }),
    numbers: ({ PhoneNumbers, Unseen, NextPage }) =>
      Array.isArray(PhoneNumbers) && Unseen === undefined && NextPage === undefined
        ? PhoneNumbers.filter((phone) => typeof phone === 'string')
        : undefined,
  },
  sentences: {
    of: 'Totals',
    title: (_count, input, { Found, Totals }) => totalsTitle(Number(Found), input, Totals),
    row: (total, input) => ({ says: totalSaid(total, input) }),
    remarks: ({ Unseen, Message, Hint }) => [Unseen, Message, Hint].flatMap((one) => text(one) ?? []),
  },
  examples: [{ Query: '0104' }, { Query: 'Ben Reed' }, { Status: 'Active', AreaCode: '201', CountBy: 'Customer' }],
});

/** The rows of an answer, with what they show besides the numbers' own records. */
async function rowsOf(lines: readonly Line[], search: Search): Promise<Fields[]> {
  const { query, wanted, needs, directory, uses, call, history } = search;
  const records = lines.map(({ row }) => row);
  await directory.readHolders(records);
  await directory.readAccounts(records);
  for (const line of lines) line.dates = await datesOf(line.row, history);
  if (wanted.Data) await Promise.all([readData(lines, 'usage', call), readData(lines, 'limits', call)]);
  // Every row of these searches is in the account, even if no record names it.
  const account = wanted.AccountId ?? (query?.by === 'account' ? query.id : undefined);
  const options = { account, ...(needs.routes && { routes: uses }), ...(needs.plans && { plans: uses }) };
  return lines.map((line) => lineRowOf(line, directory, options));
}

const NOT_COMPARED =
  'The platform lists the subscriptions of one account, so the plan of these lines could not be read, and they may fit too';
const SIMILAR = 'No name has exactly these words. These are spelled alike: check that they are meant.';

/** Names the lines whose customer is called otherwise. */
function callerNameHint(query: Query | undefined, lines: readonly Line[], directory: Directory): Fields {
  if (query?.by !== 'name') return {};
  const phones = lines.filter(({ row }) => isByCallerName(query, row, directory)).map(({ row }) => phoneOf(row));
  if (phones.length === 0) return {};
  return { Hint: `Only the caller name is so, not the customer: ${namedText(phones)}.` };
}

/** The first numbers, and how many more there are. */
function namedText(phones: readonly string[]): string {
  const more = phones.length > MOST_NAMED ? ` and ${phones.length - MOST_NAMED} more` : '';
  return `${phones.slice(0, MOST_NAMED).join(', ')}${more}`;
}

/** A text for a search without matches: the subscribers that it means, who have no number. */
function noMatchText(query: Query | undefined, directory: Directory): string {
  if (isOfDigits(query))
    return 'No number matches. One that is being ported in, and was ordered elsewhere, is not listed yet: numbers_order_get shows its order.';
  const holders = directory.subscribers.rows.flatMap(({ SubscriberId }) => {
    const isMeant = query !== undefined && matches(query, { AssignedSubscriberId: SubscriberId }, directory);
    return isMeant ? (text(SubscriberId) ?? []) : [];
  });
  return holders.length === 0
    ? 'No number matches.'
    : `Subscribers without a number in service: ${namedText(holders)}. One that is being ported in is found by its number: numbers_lookup.`;
}
