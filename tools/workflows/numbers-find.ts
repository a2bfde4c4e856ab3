import * as z from 'zod';
import { type Call, defineWorkflow } from '../../src/catalogue/operation.ts';
import { type Fields, recordOf } from '../../src/lib/json.ts';
import { text } from '../shared/before.ts';
import { accountId, out } from '../shared/fields.ts';
import { isNotFound } from '../shared/portins.ts';

/** Largest number of pages, of 100 rows each, that one search reads of each list. */
const PAGES = 4;
const ROWS = 100;
/** Largest number of records that are read one by one because no list showed them. */
const SINGLE = 4;
/** The same limit for a search that otherwise reads only the subscriber that names the numbers. */
const MOST_SINGLE = 7;
/** Largest number of rows in an answer. */
const MOST = 25;
/** Added to the page number for each further answer with matches of the same part of the lists. */
const ANSWER = 10_000;

/** The part of a list that one search reads: up to `PAGES` pages, each of them once. */
class PagedList {
  readonly rows: Fields[] = [];
  /** Rows of the list before this part. */
  readonly before: number;
  /** Rows of the platform's whole list; undefined before the first page. */
  total: number | undefined;
  readonly #read: (page: number) => Promise<{ rows: Fields[]; total: number }>;
  #next: number;

  /** @param part 1 for the first `PAGES` pages, 2 for the next ones, and so on */
  constructor(part: number, read: (page: number) => Promise<{ rows: Fields[]; total: number }>) {
    this.#read = read;
    this.#next = (part - 1) * PAGES + 1;
    this.before = (part - 1) * PAGES * ROWS;
  }

  /** True if the list has rows after this part. */
  get hasMore(): boolean {
    return this.total === undefined || this.before + this.rows.length < this.total;
  }

  /** Reads the first page of this part, then the others together. */
  async readAll(): Promise<void> {
    await this.#more(1);
    const left = Math.ceil(((this.total ?? 0) - this.before - this.rows.length) / ROWS);
    await this.#more(Math.min(Math.max(0, left), PAGES - 1));
  }

  async #more(pages: number): Promise<void> {
    const wanted = Array.from({ length: pages }, (_, i) => this.#next + i);
    this.#next += pages;
    for (const { rows, total } of await Promise.all(wanted.map((page) => this.#read(page)))) {
      this.rows.push(...rows);
      // If the platform returns no total, the rows read so far count as the whole list.
      this.total = Number.isFinite(total) ? total : this.before + this.rows.length;
    }
  }
}

const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(recordOf) : []);
const idOf = (value: unknown): string => (text(value) ?? '').replace(/^t?s(u)?id-/i, '').toLowerCase();
const same = (value: string | undefined, other: string | undefined) => value?.toLowerCase() === other?.toLowerCase();

/** Numbers and subscribers as far as one search has read them. */
class Directory {
  readonly numbers: PagedList;
  readonly subscribers: PagedList;
  readonly #call: Call;

  /** @param part part of the lists, from 1 */
  constructor(call: Call, part: number) {
    this.#call = call;
    this.numbers = new PagedList(part, async (PageNumber) => {
      const answer = await call('numbers_inventory_get', { PageNumber, TotalNumbersRequested: ROWS });
      return { rows: listOf(answer.PhoneNumbers), total: Number(answer.TotalResults) };
    });
    this.subscribers = new PagedList(part, async (PageNumber) => {
      const answer = await call('distributor_subscribers_get', { PageNumber, TotalPerPage: ROWS });
      return { rows: listOf(answer.Subscribers), total: Number(answer.TotalSubscribers) };
    });
  }

  async number(phone: string): Promise<Fields | undefined> {
    const known = this.numbers.rows.find((row) => phoneOf(row) === phone);
    return known ?? this.#single(this.numbers, 'numbers_get', { PhoneNumber: phone });
  }

  holder(id: unknown): Fields | undefined {
    return idOf(id) === '' ? undefined : this.subscribers.rows.find((row) => idOf(row.SubscriberId) === idOf(id));
  }

  async subscriber(id: string): Promise<Fields | undefined> {
    return this.holder(id) ?? this.#single(this.subscribers, 'subscribers_get', { SubscriberId: id });
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

function phoneOf(row: Fields): string {
  return text(row.Number) ?? '';
}

/** The meaning of a search term. */
type Query =
  | { by: 'number'; phone: string }
  | { by: 'digits'; digits: string }
  | { by: 'subscriber' | 'account'; id: string }
  | { by: 'name'; words: readonly string[] };

function queryOf(term: string): Query {
  if (/^t?suid-|^sid-/i.test(term)) return { by: 'subscriber', id: term };
  if (/^aid-/i.test(term)) return { by: 'account', id: term };
  const digits = term.replace(/[\s().+-]/g, '').replace(/^[.…*x]+/i, '');
  if (/^\d+$/.test(digits)) {
    if (term.startsWith('+') && digits.length > 7) return { by: 'number', phone: `+${digits}` };
    if (digits.length === 10) return { by: 'number', phone: `+1${digits}` };
    if (/^1\d{10}$/.test(digits)) return { by: 'number', phone: `+${digits}` };
    return { by: 'digits', digits };
  }
  return { by: 'name', words: term.toLowerCase().split(/\s+/) };
}

/** True if every word begins a word of the text. "reed" finds "Ben Reed", but "ed" does not. */
function namedLike(value: unknown, words: readonly string[]): boolean {
  const name = (text(value) ?? '').toLowerCase();
  const own = [...name.split(/\s+/), ...name.split(/[^\p{L}\p{N}]+/u)];
  return words.every((word) => own.some((part) => part.startsWith(word)));
}

function matches(query: Query, row: Fields, holder: Fields | undefined): boolean {
  const account = recordOf(holder?.Account);
  switch (query.by) {
    case 'number':
      return phoneOf(row) === query.phone;
    case 'digits':
      return phoneOf(row).endsWith(query.digits);
    case 'subscriber':
      return idOf(row.AssignedSubscriberId) === idOf(query.id);
    case 'account':
      return same(text(row.AccountId) ?? text(account.AccountId), query.id);
    case 'name':
      return [row.Cnam, holder?.Name, holder?.Email, account.CompanyName].some((name) => namedLike(name, query.words));
  }
}

/** Reads the records of this search: one record if the id is known, otherwise this part of both lists. */
async function readFor(query: Query, directory: Directory): Promise<void> {
  if (query.by === 'number') {
    const found = await directory.number(query.phone);
    const id = text(found?.AssignedSubscriberId);
    if (id !== undefined) await directory.subscriber(id);
    return;
  }
  if (query.by === 'subscriber') {
    const phones = (await directory.subscriber(query.id))?.PhoneNumbers;
    const list = Array.isArray(phones) ? phones.filter((phone) => typeof phone === 'string') : [];
    if (list.length > MOST_SINGLE) return directory.numbers.readAll();
    await Promise.all(list.map((phone) => directory.number(phone)));
    // The rows follow the order of the subscriber's record, not that of the answers.
    directory.numbers.rows.sort((a, b) => list.indexOf(phoneOf(a)) - list.indexOf(phoneOf(b)));
    return;
  }
  if (query.by === 'digits') {
    await directory.numbers.readAll();
    const found = directory.numbers.rows.filter((row) => matches(query, row, undefined));
    const ids = [...new Set(found.map((row) => text(row.AssignedSubscriberId)))].filter((id) => id !== undefined);
    if (ids.length <= SINGLE) await Promise.all(ids.map((id) => directory.subscriber(id)));
    else await directory.subscribers.readAll();
    return;
  }
  await Promise.all([directory.numbers.readAll(), directory.subscribers.readAll()]);
}

/** Numbers that only the list of subscribers names, because the inventory pages that were read do not contain them. */
function unlisted(query: Query, directory: Directory): Fields[] {
  if (query.by === 'number') return [];
  const seen = new Set(directory.numbers.rows.map(phoneOf));
  return directory.subscribers.rows.flatMap((holder) => {
    const phones = Array.isArray(holder.PhoneNumbers) ? holder.PhoneNumbers : [];
    return phones
      .filter((phone): phone is string => typeof phone === 'string' && !seen.has(phone))
      .map((phone) => ({ Number: phone, AssignedSubscriberId: holder.SubscriberId }));
  });
}

/** The lists that this search read only in part. */
function partsRead(query: Query, { numbers, subscribers }: Directory): { name: string; list: PagedList }[] {
  // A number's record names its subscriber, and a subscriber's record names all its numbers, so no list is needed.
  if (query.by === 'number' || query.by === 'subscriber') return [];
  const isNameNeeded = query.by === 'account' || query.by === 'name';
  return [
    { name: 'numbers', list: numbers },
    ...(isNameNeeded ? [{ name: 'subscribers', list: subscribers }] : []),
  ].filter(({ list }) => list.hasMore || list.before > 0);
}

/** A text about the searched parts and how to search the rest. `parts` has at least one list. */
function unseenText(parts: ReturnType<typeof partsRead>, found: number, next: number | undefined): string {
  const read = parts
    .filter(({ list }) => list.rows.length > 0)
    .map(({ name, list: { before, rows, total } }) => `${name} ${before + 1} to ${before + rows.length} of ${total}`);
  if (read.length === 0) return 'The lists end before this Page. Page=1 searches from the beginning.';
  const rest = next === undefined ? '' : `Page=${next} searches the next ones. `;
  return `${found === 0 ? 'No match: only' : 'Only'} ${read.join(' and ')} were searched. ${rest}A full number or a subscriber id is found at once.`;
}

export default defineWorkflow({
  id: 'numbers_find',
  group: 'numbers',
  title: 'Find numbers',
  description:
    'Finds numbers by last digits, by the name of the subscriber, caller or account, or by subscriber or account id. Short rows: number, status, customer, account. At most 8 requests; Unseen says what was searched of a long list, and Page searches on.',
  risk: 'read',
  input: z.strictObject({
    Query: z
      .string()
      .trim()
      .min(2, 'give at least two characters: last digits, a name, or a TSUID- or AID- id')
      .max(100)
      .meta({ kind: 'words' })
      .describe('0104, Ben Reed, TSUID-…, AID-…'),
    AccountId: accountId.optional().describe('only in this account'),
    Page: z
      .int('must be a whole number')
      .min(1, 'pages start at 1')
      .max(1_000 * ANSWER)
      .optional()
      .describe("the answer's NextPage, to search on"),
  }),
  output: z.looseObject({
    Numbers: out.rows({
      Number: out.text,
      Status: out.text,
      Customer: out.said,
      SubscriberId: out.text,
      Account: out.said,
      CallerName: out.said,
    }),
    Found: out.number,
    Unseen: out.own,
    NextPage: out.number,
    Message: out.own,
  }),
  /** Two requests for a full number; at most eight otherwise. Each page and record is read once. */
  run: async ({ Query, AccountId, Page = 1 }, { call }) => {
    const query = queryOf(Query);
    const part = Page % ANSWER || ANSWER;
    const skipped = Math.floor((Page - part) / ANSWER) * MOST;
    const directory = new Directory(call, part);
    await readFor(query, directory);
    const rows = [...directory.numbers.rows, ...unlisted(query, directory)]
      .map((row) => ({ row, holder: directory.holder(row.AssignedSubscriberId) }))
      .filter(({ row, holder }) => matches(query, row, holder))
      .filter(({ row, holder }) => {
        if (AccountId === undefined) return true;
        return same(text(row.AccountId) ?? text(recordOf(holder?.Account).AccountId), AccountId);
      });
    const parts = partsRead(query, directory);
    const nextPart = parts.some(({ list }) => list.hasMore) ? part + 1 : undefined;
    const next = rows.length > skipped + MOST ? Page + ANSWER : nextPart;
    const shown = rows.slice(skipped, skipped + MOST);
    // Every row of these searches is in the account, even if no record names it.
    const account = AccountId ?? (query.by === 'account' ? query.id : undefined);
    return {
      Numbers: shown.map(({ row, holder }) => shortRow(row, holder, account)),
      Found: rows.length,
      ...(rows.length > MOST ? { Message: shownText(rows.length, skipped, next) } : {}),
      ...(rows.length === 0 && parts.length === 0 ? { Message: 'No number matches.' } : {}),
      ...(parts.length === 0 ? {} : { Unseen: unseenText(parts, rows.length, nextPart) }),
      ...(next === undefined ? {} : { NextPage: next }),
    };
  },
  examples: [{ Query: '0104' }, { Query: 'Ben Reed' }],
});

/** A text about the matches in an answer and the next page. */
function shownText(found: number, skipped: number, next: number | undefined): string {
  const last = Math.min(found, skipped + MOST);
  const which =
    skipped === 0
      ? `The first ${last} of ${found} are shown.`
      : last > skipped
        ? `Matches ${skipped + 1} to ${last} of ${found} are shown.`
        : `There are only ${found} matches.`;
  return last < found ? `${which} Page=${next} shows the next ones; more digits or words narrow the search.` : which;
}

function shortRow(row: Fields, holder: Fields | undefined, searched: string | undefined): Fields {
  const account = recordOf(holder?.Account);
  const shown = {
    Number: phoneOf(row),
    Status: text(row.Status),
    Customer: text(holder?.Name),
    SubscriberId: text(holder?.SubscriberId) ?? text(row.AssignedSubscriberId),
    Account: text(account.CompanyName) ?? text(account.AccountId) ?? text(row.AccountId) ?? searched,
    CallerName: text(row.Cnam),
  };
  return Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined));
}
