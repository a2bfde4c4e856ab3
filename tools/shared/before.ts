import type { Checked, Look, RecordProblem } from '../../src/catalogue/operation.ts';
import { defined, type Fields, recordOf } from '../../src/lib/json.ts';
import { nameText } from '../../src/lib/text.ts';
import { quote, type Words, words } from '../../src/lib/words.ts';

/*
 * Reads before a person is asked: the account of a record, the customer, the state of a number. They use `look.read`,
 * which never rejects, so that a request can be made while the platform is down. Warnings tell the person who confirms
 * which records could not be read.
 */

/** Numbers that are read one by one. A hundred in one call would use up the platform's 120 requests a minute. */
const MOST = 3;
/** Pages of the inventory, of 100 rows each, in which the other numbers of a call are looked up. */
const PAGES = 3;
const ROWS = 100;
/** Subscribers who are read one by one. More are read from the list. */
const MOST_SUBSCRIBERS = 10;

export const CANCELLED = 'cancelled';
export const PENDING_DELETE = 'cancelled - pending delete';
/** The platform's "Cancelled - Pending Delete", as a change shows it. */
export const CANCELLED_WORDS = 'Cancelled - Pending Delete (can be brought back for 30 days)';

export interface NumberFound {
  phone: string;
  record: Fields;
  /** In lower case; empty if the platform does not return it. */
  status: string;
}

export interface NumbersLook extends Checked {
  numbers: NumberFound[];
}

/**
 * Reads the numbers of a call and their customers. The first numbers are read one by one, the others from the
 * inventory. A warning names numbers that were not found. Fills in the account if `input` has none and all numbers have
 * the same one.
 */
export async function lookAtNumbers(phones: readonly string[], input: Fields, look: Look): Promise<NumbersLook> {
  const distinct = [...new Set(phones)];
  const first = distinct.slice(0, MOST);
  const warnings: string[] = [];
  const answers = await Promise.all(first.map((PhoneNumber) => look.read('numbers_get', { PhoneNumber })));
  const numbers = first.flatMap((phone, i): NumberFound[] => {
    const answer = answers[i];
    if (answer?.found) return [{ phone, record: answer.found, status: statusOf(answer.found) }];
    warnings.push(`${phone} could not be read before asking: ${answer?.why ?? 'no answer'}`);
    return [];
  });
  const others = await fromInventory(distinct.slice(MOST), look);
  numbers.push(...others.numbers);
  warnings.push(...others.warnings);
  const holders = await holdersOf(numbers, look);
  warnings.push(...holders.warnings);
  const accounts = new Set(numbers.map((number, i) => text(number.record.AccountId) ?? holders.accounts[i]));
  const [account] = accounts;
  const rests = Object.fromEntries(numbers.map(({ phone, record }) => [phone, standingOf(record)]));
  const all = numbers.length === distinct.length && accounts.size === 1;
  return {
    numbers,
    rests,
    warnings,
    ...(all && account !== undefined && input.AccountId === undefined ? { fill: { AccountId: account } } : {}),
    ...(holders.customer === '' ? {} : { customer: holders.customer, customers: holders.customers }),
  };
}

/** Looks numbers up in the first pages of the inventory. */
async function fromInventory(
  phones: readonly string[],
  look: Look,
): Promise<{ numbers: NumberFound[]; warnings: string[] }> {
  const rows = new Map<string, Fields>();
  const isMissing = (phone: string) => !rows.has(phone);
  let why = '';
  for (let page = 1; page <= PAGES && phones.some(isMissing); page += 1) {
    const query = { PageNumber: page, TotalNumbersRequested: ROWS };
    const answer = await look.read('numbers_inventory_get', query);
    if (answer.found === undefined) {
      why = `: ${answer.why}`;
      break;
    }
    const found = Array.isArray(answer.found.PhoneNumbers) ? answer.found.PhoneNumbers.map(recordOf) : [];
    for (const row of found) rows.set(text(row.Number) ?? '', row);
    if (found.length < ROWS) break;
  }
  const missing = phones.filter(isMissing);
  return {
    numbers: phones.flatMap((phone) => {
      const record = rows.get(phone);
      return record === undefined ? [] : [{ phone, record, status: statusOf(record) }];
    }),
    warnings:
      missing.length === 0 ? [] : [`Not looked at before asking, customer unknown: ${missing.join(', ')}${why}`],
  };
}

interface Holders {
  warnings: string[];
  customer: string;
  /** The customer of each number, by phone number. */
  customers: Readonly<Record<string, string>>;
  /** The account of each number's subscriber. */
  accounts: readonly (string | undefined)[];
}

/** "Acme Mobile"; "account AID-…" if the account cannot be read. */
export async function accountName(id: string, look: Look): Promise<string> {
  const { found } = await look.read('account_get', { AccountId: id }, 'name');
  const name = text(found?.AccountName);
  return name === undefined ? `account ${id}` : nameText(name);
}

/** The people and accounts behind numbers; each subscriber is read once. */
async function holdersOf(numbers: readonly NumberFound[], look: Look): Promise<Holders> {
  const warnings: string[] = [];
  const ids = numbers.map(({ record }) => text(record.AssignedSubscriberId));
  const distinct = [...new Set(ids.filter((id) => id !== undefined))];
  const read = distinct.length > MOST_SUBSCRIBERS ? await fromSubscribers(distinct, look) : new Map<string, Checked>();
  const others = distinct.filter((id) => !read.has(id)).slice(0, MOST_SUBSCRIBERS);
  const single = await Promise.all(others.map(async (id) => [id, await lookAtSubscriber(id, look)] as const));
  for (const [id, found] of single) read.set(id, found);
  for (const found of read.values()) warnings.push(...(found.warnings ?? []));
  const orphaned = numbers.filter((_, i) => ids[i] === undefined).map(({ record }) => text(record.AccountId));
  const accounts = [...new Set(orphaned.filter((id) => id !== undefined))].slice(0, MOST_SUBSCRIBERS);
  const called = new Map(await Promise.all(accounts.map(async (id) => [id, await accountName(id, look)] as const)));
  const names = numbers.map(({ record }, i) => {
    const id = ids[i];
    const account = text(record.AccountId);
    if (id !== undefined) return read.get(id)?.customer ?? id;
    return account === undefined ? 'no subscriber' : `no subscriber · ${called.get(account) ?? `account ${account}`}`;
  });
  return {
    warnings,
    customer: [...new Set(names)].join('; '),
    customers: Object.fromEntries(numbers.map(({ phone }, i) => [phone, names[i] ?? ''])),
    accounts: ids.map((id) => (id === undefined ? undefined : text(read.get(id)?.fill?.AccountId))),
  };
}

/** Subscribers whose names a question about many people has. */
const MOST_SAID = 3;

/**
 * The first of many people in words: "Ava Stone · Acme Mobile, Ben Ito · Globex Family and 4 more". At most three
 * requests. Empty if none could be read.
 */
export async function peopleText(ids: readonly (string | undefined)[], look: Look): Promise<string> {
  const distinct = [...new Set(ids.filter((id) => id !== undefined))];
  const found = await Promise.all(distinct.slice(0, MOST_SAID).map((id) => lookAtSubscriber(id, look)));
  const names = found.flatMap(({ customer }) => customer ?? []);
  const more = distinct.length - names.length;
  return names.length === 0 || more === 0 ? names.join(', ') : `${names.join(', ')} and ${more} more`;
}

/** Names many subscribers from the first pages of the list, as `lookAtSubscriber` names one. */
async function fromSubscribers(ids: readonly string[], look: Look): Promise<Map<string, Checked>> {
  const found = new Map<string, Checked>();
  for (let page = 1; page <= PAGES && ids.some((id) => !found.has(id)); page += 1) {
    const answer = await look.read('distributor_subscribers_get', { PageNumber: page, TotalPerPage: ROWS });
    const rows = Array.isArray(answer.found?.Subscribers) ? answer.found.Subscribers.map(recordOf) : [];
    for (const row of rows) {
      const id = text(row.SubscriberId);
      if (id !== undefined) found.set(id, customerIn(row, id));
    }
    if (rows.length < ROWS) break;
  }
  return found;
}

/** A subscriber's record as a customer. */
function customerIn(record: Fields, id: string): Checked {
  const account = recordOf(record.Account);
  const names = [text(record.Name) ?? id, text(account.CompanyName) ?? text(account.AccountId)];
  return {
    customer: names.flatMap((name) => (name === undefined ? [] : [nameText(name)])).join(' · '),
    ...(text(account.AccountId) === undefined ? {} : { fill: { AccountId: account.AccountId } }),
  };
}

/**
 * Reads one subscriber as a customer ("Ava Stone · Acme Mobile") with one request. `fill` has the account. Without the
 * record there is no customer, because the id is only the caller's claim.
 */
export async function lookAtSubscriber(id: string, look: Look): Promise<Checked> {
  const { found, ...failed } = await look.read('subscribers_get', { SubscriberId: id });
  if (!found) {
    const why = 'why' in failed ? String(failed.why) : '';
    return { warnings: [`Subscriber ${id} could not be read before asking: ${why}`] };
  }
  return customerIn(found, id);
}

/** The customers of those of these numbers that are ours, by phone number. Nothing depends on them. */
export async function customersOf(phones: readonly string[], look: Look): Promise<Readonly<Record<string, string>>> {
  const read: Look['read'] = (operation, input) => look.read(operation, input, 'name');
  return (await lookAtNumbers(phones, {}, { ...look, read })).customers ?? {};
}

/**
 * A warning if a subscriber's account is not that of the line it is to get, with the names of both. `noun`: the line, in
 * the sentence.
 */
export async function accountWarning(
  noun: string,
  line: Fields | undefined,
  holder: Fields | undefined,
  look: Look,
): Promise<string[]> {
  const [one, other] = [text(line?.AccountId), text(holder?.AccountId)];
  if (one === undefined || other === undefined || one.toLowerCase() === other.toLowerCase()) return [];
  const [whose, whom] = await Promise.all([accountName(one, look), accountName(other, look)]);
  return [`The subscriber belongs to ${whom}, the ${noun} to ${whose}: the platform may refuse this.`];
}

/** The check before a change of one subscriber, which only names the customer. */
export async function subscriberOnly({ SubscriberId }: { SubscriberId: string }, look: Look): Promise<Checked> {
  const { fill: _account, ...checked } = await lookAtSubscriber(SubscriberId, look);
  return checked;
}

/**
 * The check before a change that needs numbers in a certain state. `wrong` returns the problem with a number and how to
 * fix it, or undefined. A number without a state is accepted.
 */
export async function numbersIn(
  phones: readonly string[],
  field: string,
  input: Fields,
  look: Look,
  wrong: (number: { phone: string; status: string; record: Fields }) => Words | undefined,
): Promise<NumbersLook> {
  const { numbers, ...checked } = await lookAtNumbers(phones, input, look);
  const states = numbers.flatMap((number): RecordProblem[] => {
    const message = wrong(number);
    return message === undefined ? [] : [{ field, message }];
  });
  const problem = states[0] ?? (await otherAccount(numbers, input, look));
  return { ...checked, numbers, ...defined({ problem }) };
}

/** The problem of an account that the caller names although a number belongs to another one. */
async function otherAccount(
  numbers: readonly NumberFound[],
  { AccountId }: Fields,
  look: Look,
): Promise<RecordProblem | undefined> {
  const named = text(AccountId)?.toLowerCase();
  for (const { phone, record } of numbers) {
    const account = text(record.AccountId);
    if (named === undefined || account === undefined || account.toLowerCase() === named) continue;
    const { found } = await look.read('account_get', { AccountId: account });
    const name = text(found?.AccountName);
    const whose = name === undefined ? `account ${account}` : words`${quote(name)} (${account})`;
    return { field: 'AccountId', message: words`${phone} belongs to ${whose}. Leave AccountId out, or give that one` };
  }
  return undefined;
}

/** The reason why a number is not in service (active or parked); undefined if it is. */
export function notInService({ phone, status }: { phone: string; status: string }): string | undefined {
  if (status === PENDING_DELETE) {
    return `${phone} is cancelled. Bring it back with numbers_reactivate first, within 30 days of the cancellation, for 5 USD`;
  }
  if (status === CANCELLED) {
    return `${phone} is Cancelled and was permanently released. Get a new number with numbers_provision`;
  }
  return undefined;
}

/** The state of each number, as its record writes it. */
export function statesOf(numbers: readonly NumberFound[]): Fields {
  return Object.fromEntries(
    numbers.flatMap(({ phone, record }) => (text(record.Status) ? [[phone, record.Status]] : [])),
  );
}

/** Owner and account of a record. The state of a number is part of the change where it matters. */
function standingOf({ AssignedSubscriberId, AccountId }: Fields): Fields {
  const orNull = (value: unknown) => text(value) ?? null;
  return {
    AssignedSubscriberId: orNull(AssignedSubscriberId),
    AccountId: orNull(AccountId),
  };
}

/** A non-empty text, or undefined. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function statusOf(record: Fields): string {
  return (text(record.Status) ?? '').trim().toLowerCase();
}
