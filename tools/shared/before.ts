import type { Checked, Look, NamedId, RecordProblem } from '../../src/catalogue/operation.ts';
import {
  defined,
  type Fields,
  inQuotes,
  nameText,
  quote,
  recordOf,
  recordsBy,
  recordsIn,
  textOf,
  type Words,
  words,
} from '../../src/lib/values.ts';
import { bareNumberId, numberKey } from '../../src/platform/dialect/number-lists.ts';

/*
 * Reads before a person is asked: the account of a record, the customer, the state of a number. `look.read` never
 * rejects, so that a request can be made while the platform is down. The gate warns of records that could not be read,
 * and names the records whose ids a change has.
 */

/** Numbers and subscribers that are read one by one. A hundred in one call would use up the platform's budget. */
export const MOST = 3;
const MOST_SUBSCRIBERS = 10;
/** Pages of a list, of 100 rows each, in which others are looked up. */
const PAGES = 3;
export const ROWS = 100;

export const CANCELLED = 'cancelled';
export const PENDING_DELETE = 'cancelled - pending delete';

/** A number as it was read. `status`: in lower case; empty if the platform does not return it. */
export type NumberFound = { phone: string; record: Fields; status: string };
type NumbersLook = Checked & { numbers: NumberFound[] };

/** A number in E.164. The platform's lists may leave out the plus sign, and the country code of the US. */
export function inFull(number: string): string {
  const key = numberKey(number);
  return /^\d{11,15}$/.test(key) ? `+${key}` : number;
}

/** A non-empty text, or undefined. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** True for two ids that differ in letter case only. */
export function sameId(one: unknown, other: unknown): boolean {
  return textOf(one).toLowerCase() === textOf(other).toLowerCase();
}

/**
 * Reads the numbers of a call and their customers. The first numbers are read one by one, the others from the
 * inventory. A warning names numbers that were not found. Fills in the account if `input` has none and all numbers have
 * the same one.
 */
export async function lookAtNumbers(phones: readonly string[], input: Fields, look: Look): Promise<NumbersLook> {
  const distinct = [...new Set(phones)];
  const first = distinct.slice(0, MOST);
  const others = distinct.slice(MOST);
  const single = first.map(async (phone) => [phone, (await look.read('numbers_get', { PhoneNumber: phone })).found]);
  const listed = await pagesOf('numbers_inventory_get', 'PhoneNumbers', 'Number', others, look);
  const records = new Map([...(await Promise.all(single)), ...listed] as [string, Fields | undefined][]);
  const numbers = distinct.flatMap((phone): NumberFound[] => {
    const record = records.get(phone);
    return record ? [{ phone, record, status: textOf(record.Status).trim().toLowerCase() }] : [];
  });
  const missing = others.filter((phone) => !records.has(phone));
  const { customers, accounts } = await holdersOf(numbers, look);
  const [account, ...different] = [...new Set(accounts)];
  const isOne = numbers.length === distinct.length && different.length === 0;
  return {
    numbers,
    rests: Object.fromEntries(numbers.map(({ phone, record }) => [phone, ownersIn(record)])),
    warnings: missing.length === 0 ? [] : [`Not looked at before asking, customer unknown: ${missing.join(', ')}`],
    ...(isOne && account !== undefined && input.AccountId === undefined && { fill: { AccountId: account } }),
    ...(numbers.length > 0 && { customer: [...new Set(Object.values(customers))].join('; '), customers }),
  };
}

/** Subscriber and account of a number. Its state is part of the change where it matters. */
const ownersIn = (record: Fields) =>
  Object.fromEntries(['AssignedSubscriberId', 'AccountId'].map((name) => [name, text(record[name]) ?? null]));

/** Records of the first pages of a list, by `key`, until those that are wanted were found. */
async function pagesOf(
  operation: 'numbers_inventory_get' | 'distributor_subscribers_get',
  rows: string,
  key: string,
  wanted: readonly string[],
  look: Look,
): Promise<Map<string, Fields>> {
  const all: Fields[] = [];
  let found = recordsBy(key, all);
  const size = operation === 'numbers_inventory_get' ? 'TotalNumbersRequested' : 'TotalPerPage';
  for (let page = 1; page <= PAGES && wanted.some((one) => !found.has(one)); page += 1) {
    const records = recordsIn((await look.read(operation, { PageNumber: page, [size]: ROWS })).found?.[rows]);
    all.push(...records);
    found = recordsBy(key, all);
    if (records.length < ROWS) break;
  }
  return new Map([...found].filter(([one]) => wanted.includes(one)));
}

/** The customer and the account of each number; each subscriber and account is read once. */
async function holdersOf(numbers: readonly NumberFound[], look: Look) {
  const ids = [...new Set(numbers.flatMap(({ record }) => text(record.AssignedSubscriberId) ?? []))];
  const isMany = ids.length > MOST_SUBSCRIBERS;
  const listed = isMany
    ? await pagesOf('distributor_subscribers_get', 'Subscribers', 'SubscriberId', ids, look)
    : new Map<string, Fields>();
  const single = ids.filter((id) => !listed.has(id)).slice(0, MOST_SUBSCRIBERS);
  const people = new Map([...listed].map(([id, record]) => [id, personIn(record)]));
  for (const [id, person] of await Promise.all(single.map(async (id) => [id, await lookAtPerson(id, look)] as const)))
    people.set(id, person);
  const each = await Promise.all(
    numbers.map(async ({ phone, record }) => {
      const [id, account] = [text(record.AssignedSubscriberId), text(record.AccountId)];
      const person = people.get(id ?? '');
      const nobody = account === undefined ? 'no subscriber' : `no subscriber · ${await accountName(account, look)}`;
      return { phone, name: id === undefined ? nobody : (person?.customer ?? id), account: account ?? person?.account };
    }),
  );
  return {
    customers: Object.fromEntries(each.map(({ phone, name }) => [phone, name])),
    accounts: each.map(({ account }) => account),
  };
}

/** A subscriber as a question names them: "Ava Stone · Acme Mobile", with the id of their account. */
function personIn(record: Fields): { customer?: string; account?: string; record?: Fields } {
  const { AccountId, CompanyName } = recordOf(record.Account);
  const names = [text(record.Name) ?? text(record.SubscriberId), text(CompanyName) ?? text(AccountId)];
  return {
    customer: names.flatMap((name) => (name === undefined ? [] : [nameText(name)])).join(' · '),
    ...defined({ account: text(AccountId) }),
    record,
  };
}

/** Reads one subscriber. Without the record there is no customer, because the id is only the caller's claim. */
export async function lookAtPerson(id: string | undefined, look: Look): Promise<ReturnType<typeof personIn>> {
  if (id === undefined) return {};
  const { found } = await look.read('subscribers_get', { SubscriberId: id });
  return found === undefined ? {} : personIn(found);
}

/** The check before a change of one subscriber, which only names the customer. */
export async function subscriberOnly({ SubscriberId }: { SubscriberId: string }, look: Look): Promise<Checked> {
  return defined({ customer: (await lookAtPerson(SubscriberId, look)).customer });
}

/**
 * The check before a call for a new line: the customer and the account, which are the subscriber's if there is one.
 */
export async function lookAtHolder(
  { AssignedSubscriberId, AccountId }: { AssignedSubscriberId?: string | undefined; AccountId?: string | undefined },
  look: Look,
): Promise<Checked> {
  if (AssignedSubscriberId === undefined) {
    const account = await lookAtAccount(AccountId, look);
    return { customer: ['no subscriber yet', ...(account === undefined ? [] : [account])].join(' · ') };
  }
  const { customer, account } = await lookAtPerson(AssignedSubscriberId, look);
  return {
    ...defined({ customer }),
    ...(AccountId === undefined && account !== undefined && { fill: { AccountId: account } }),
    warnings: await accountWarning('order', AccountId, account, look),
  };
}

/** The name of an account that a call names; undefined if it names none, or its record could not be read. */
export async function lookAtAccount(id: string | undefined, look: Look, purpose?: 'name'): Promise<string | undefined> {
  const { found } = id === undefined ? {} : await look.read('account_get', { AccountId: id }, purpose);
  const name = text(found?.AccountName);
  return name && nameText(name);
}

/** "Acme Mobile"; "account AID-…" if the account cannot be read. */
export async function accountName(id: string, look: Look): Promise<string> {
  return (await lookAtAccount(id, look, 'name')) ?? `account ${id}`;
}

/** The name of a record's account, as the customer of a change; empty if the record has none. */
export async function ofAccount(record: Fields | undefined, look: Look): Promise<Checked> {
  const id = text(record?.AccountId);
  return id === undefined ? {} : { customer: await accountName(id, look) };
}

/** A warning if what a line is to get is not of its account. `noun`: the line, in the sentence. `what`: what it gets. */
export async function accountWarning(
  noun: string,
  one: string | undefined,
  other: string | undefined,
  look: Look,
  what = 'subscriber',
): Promise<string[]> {
  if (one === undefined || other === undefined || sameId(one, other)) return [];
  const [whose, whom] = await Promise.all([accountName(one, look), accountName(other, look)]);
  return [`The ${what} belongs to ${inQuotes(whom)}, the ${noun} to ${inQuotes(whose)}: the platform may refuse this.`];
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
  wrong: (number: NumberFound) => Words | undefined = (number) => {
    const why = notInService(number);
    return why && (look.isRow || phones.length > 1) ? adviseFor(look, `${number.phone} is cancelled`) : why;
  },
): Promise<NumbersLook> {
  const looked = await lookAtNumbers(phones, input, look);
  const message = looked.numbers.map(wrong).find((one) => one !== undefined);
  const state: RecordProblem | undefined = message === undefined ? undefined : { field, message };
  return { ...looked, ...defined({ problem: state ?? (await otherAccount(looked.numbers, input, look)) }) };
}

/** The problem of an account that the caller names although a number belongs to another one. */
async function otherAccount(numbers: readonly NumberFound[], { AccountId }: Fields, look: Look) {
  const other = numbers.find(({ record }) => text(record.AccountId) && !sameId(record.AccountId, AccountId));
  if (AccountId === undefined || other === undefined) return undefined;
  const id = textOf(other.record.AccountId);
  const name = text((await look.read('account_get', { AccountId: id })).found?.AccountName);
  const whose = name === undefined ? `account ${id}` : words`${quote(name)} (${id})`;
  const message = words`${other.phone} belongs to ${whose}. Leave AccountId out, or give that one`;
  return { field: 'AccountId', message };
}

/**
 * What is wrong with a number of a list, with advice. A row of a batch is left out by itself, and a number alone has no
 * others, so they need none.
 */
export function adviseFor({ isRow }: { isRow?: boolean | undefined }, wrong: string, advice = 'Leave it out'): string {
  return isRow ? wrong : `${wrong}. ${advice}`;
}

/** The reason why a number is not in service (active or parked); undefined if it is. */
export function notInService({ phone, status }: NumberFound): string | undefined {
  if (status === PENDING_DELETE)
    return `${phone} is cancelled. Bring it back with numbers_reactivate first, within 30 days of the cancellation, for 5 USD`;
  return status === CANCELLED
    ? `${phone} is Cancelled and was permanently released. Get a new number with numbers_provision`
    : undefined;
}

/** The state of each number, as its record writes it. */
export function statesOf(numbers: readonly NumberFound[]): Fields {
  return Object.fromEntries(
    numbers.flatMap(({ phone, record }) => (text(record.Status) ? [[phone, record.Status]] : [])),
  );
}

/** The state of a number before a change, as far as its record was read and has one. `states`: from `statesOf`. */
export function stateBefore(states: unknown, phone: string): { before: unknown } | { unread: true } {
  const before = recordOf(states)[phone];
  return before === undefined ? { unread: true } : { before };
}

/**
 * The number with this id (TNID), from the first rows of the inventory with one request. `problem`: the whole inventory
 * lacks the id. `warnings`: only a part of it was read.
 */
export async function lookAtLine(
  tnid: string,
  look: Look,
): Promise<{ line?: Fields; problem?: RecordProblem; warnings: string[] }> {
  const { found } = await look.read('numbers_inventory_get', { TotalNumbersRequested: ROWS });
  if (found === undefined) return { warnings: [] };
  const rows = recordsIn(found.PhoneNumbers);
  const line = rows.find((row) => bareNumberId(textOf(row.Tnid)) === bareNumberId(tnid));
  if (line !== undefined) return { line, warnings: [] };
  return rows.length >= Number(found.TotalResults ?? Number.NaN)
    ? { problem: { field: 'TNID', message: `no number has the id ${tnid}`, code: 'not_found' }, warnings: [] }
    : { warnings: [`The number ${tnid} was not checked: the part of the inventory that was read does not have it.`] };
}

/** The name of a number's id for the question; empty if its line was not found. */
export function namedLine(tnid: string, line: Fields | undefined): Record<string, NamedId> {
  const name = text(line?.Number);
  return name === undefined ? {} : { [tnid]: { noun: 'number', name, leads: [] } };
}

/** The name of a record that is known by the numbers it is of, such as an order. Empty if they are not known. */
export function namedOf(noun: string, id: string, phones: readonly (string | undefined)[]): Record<string, NamedId> {
  const [first, ...more] = phones.filter((phone) => phone !== undefined);
  const name = more.length === 0 ? first : `${first} and ${more.length} more`;
  return name === undefined ? {} : { [id]: { noun, name, isOf: true, leads: [] } };
}

/** The problem of a line that another subscriber holds, with the name of that one. */
export async function otherHolder(line: Fields, SubscriberId: string | undefined, look: Look) {
  const holder = text(line.AssignedSubscriberId);
  if (SubscriberId === undefined || holder === undefined || sameId(holder, SubscriberId)) return undefined;
  const { customer = holder } = await lookAtPerson(holder, look);
  const message = words`${textOf(line.Number)} belongs to ${quote(customer)}, not to this subscriber. Give the subscriber of the number`;
  return { field: 'SubscriberId', message };
}

/** The check of a line that a record of a subscriber is to cover: it must be nobody else's. */
export async function lookAtOwnLine(
  phone: string,
  SubscriberId: string,
  look: Look,
): Promise<Pick<Checked, 'problem' | 'rests' | 'warnings'>> {
  const line = await look.read('numbers_get', { PhoneNumber: phone });
  if (line.found === undefined) return {};
  const holder = text(line.found.AssignedSubscriberId) ?? null;
  return {
    ...defined({ problem: await otherHolder(line.found, SubscriberId, look) }),
    warnings: holder === null ? [`${phone} has no subscriber, so it is not a line of this one.`] : [],
    rests: { [phone]: { AssignedSubscriberId: holder } },
  };
}
