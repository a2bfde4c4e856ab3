import type { Call } from '../../src/catalogue/operation.ts';
import { type Fields, recordOf, searchForm } from '../../src/lib/values.ts';
import { text } from './before.ts';
import { isNotFound } from './port-ins.ts';

/*
 * Numbers and subscribers as far as one search has read them. Lists are read in parts of a fixed size, so that a search
 * takes a known number of requests.
 */

/** Largest number of pages, of 100 rows each, that one search reads of each list. */
export const PAGES = 4;
const ROWS = 100;
/** Largest number of subscribers that are read one by one because no list showed them. */
const SINGLE = 4;

/** The part of a list that one search reads: up to `PAGES` pages, each of them once. */
export class PagedList {
  readonly rows: Fields[] = [];
  /** Rows of the list before this part. */
  readonly before: number;
  /** Rows of the platform's whole list; undefined before the first page. */
  total: number | undefined;
  readonly #read: (page: number) => Promise<{ rows: Fields[]; total: number }>;
  #next: number;
  #whole: Promise<void> | undefined;

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

  /** Reads the first page of this part, then the others together. A second call reads nothing. */
  readAll(): Promise<void> {
    this.#whole ??= this.#more(1).then(() => {
      const left = Math.ceil(((this.total ?? 0) - this.before - this.rows.length) / ROWS);
      return this.#more(Math.min(Math.max(0, left), PAGES - 1));
    });
    return this.#whole;
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
      return { rows: listOf(answer.PhoneNumbers), total: Number(answer.TotalResults) };
    });
    this.subscribers = new PagedList(part, async (PageNumber) => {
      const answer = await call('distributor_subscribers_get', { PageNumber, TotalPerPage: ROWS });
      return { rows: listOf(answer.Subscribers), total: Number(answer.TotalSubscribers) };
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
      (answer) => (Array.isArray(answer.Results) ? listOf(answer.Results) : [answer]),
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

export function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(recordOf) : [];
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
