import type { Checked, Look, Problem } from '../../src/catalogue/operation.ts';
import { defined, type Fields } from '../../src/lib/json.ts';

/*
 * Reads before a person is asked: the account of a record, the customer, the state of a number. They use `look.read`,
 * which never rejects, so that a request can be made while the platform is down. The person who confirms is told what
 * could not be read.
 */

/** Numbers read before one question. A hundred numbers in one call would use up the platform's 120 requests a minute. */
const MOST = 3;

export const CANCELLED = 'cancelled';
export const PENDING_DELETE = 'cancelled - pending delete';

interface NumberFound {
  phone: string;
  record: Fields;
  /** In lower case; empty if the platform does not return it. */
  status: string;
}

export interface NumbersLook extends Checked {
  numbers: NumberFound[];
}

/**
 * Reads the first numbers of a call and their customers, with at most two requests per number. Fills in the account if
 * `input` has none and all numbers have the same one.
 */
export async function lookAtNumbers(phones: readonly string[], input: Fields, look: Look): Promise<NumbersLook> {
  const first = [...new Set(phones)].slice(0, MOST);
  const warnings: string[] = [];
  const answers = await Promise.all(first.map((PhoneNumber) => look.read('numbers_get', { PhoneNumber })));
  const numbers = first.flatMap((phone, i): NumberFound[] => {
    const answer = answers[i];
    if (answer?.found) return [{ phone, record: answer.found, status: statusOf(answer.found) }];
    warnings.push(`${phone} could not be read before asking: ${answer?.why ?? 'no answer'}`);
    return [];
  });
  if (first.length < new Set(phones).size) {
    warnings.push(`Only the first ${first.length} of ${phones.length} numbers were looked at before asking.`);
  }
  const holders = await holdersOf(numbers, look);
  warnings.push(...holders.warnings);
  const accounts = new Set(numbers.map((number, i) => text(number.record.AccountId) ?? holders.accounts[i]));
  const [account] = accounts;
  const rests = Object.fromEntries(numbers.map(({ phone, record }) => [phone, standingOf(record)]));
  const all = numbers.length === new Set(phones).size && accounts.size === 1;
  return {
    numbers,
    rests,
    warnings,
    ...(all && account !== undefined && input.AccountId === undefined ? { fill: { AccountId: account } } : {}),
    ...(holders.customer === '' ? {} : { customer: holders.customer }),
  };
}

/** The people and accounts behind numbers; each subscriber is read once. */
async function holdersOf(numbers: readonly NumberFound[], look: Look) {
  const warnings: string[] = [];
  const ids = numbers.map(({ record }) => text(record.AssignedSubscriberId));
  const distinct = [...new Set(ids.filter((id) => id !== undefined))];
  const read = new Map(await Promise.all(distinct.map(async (id) => [id, await lookAtSubscriber(id, look)] as const)));
  for (const found of read.values()) warnings.push(...(found.warnings ?? []));
  const names = numbers.map(({ record }, i) => {
    const id = ids[i];
    const account = text(record.AccountId);
    if (id === undefined) return account === undefined ? 'no subscriber' : `no subscriber · account ${account}`;
    return read.get(id)?.customer ?? id;
  });
  return {
    warnings,
    customer: [...new Set(names)].join('; '),
    accounts: ids.map((id) => (id === undefined ? undefined : text(read.get(id)?.fill?.AccountId))),
  };
}

/** One subscriber as a customer: "Ava Stone · Acme Mobile". `fill` holds the account. One request. */
export async function lookAtSubscriber(id: string, look: Look): Promise<Checked> {
  const { found, ...failed } = await look.read('subscribers_get', { SubscriberId: id });
  if (!found) {
    const why = 'why' in failed ? String(failed.why) : '';
    return { customer: id, warnings: [`Subscriber ${id} could not be read before asking: ${why}`] };
  }
  const account = (found.Account ?? {}) as Fields;
  const names = [text(found.Name) ?? id, text(account.CompanyName) ?? text(account.AccountId)];
  return {
    customer: names.filter((name) => name !== undefined).join(' · '),
    ...(text(account.AccountId) === undefined ? {} : { fill: { AccountId: account.AccountId } }),
  };
}

/** The check before a change of one subscriber. It only names the customer. */
export async function subscriberOnly({ SubscriberId }: { SubscriberId: string }, look: Look): Promise<Checked> {
  const { fill: _account, ...checked } = await lookAtSubscriber(SubscriberId, look);
  return checked;
}

/**
 * The check before a change that needs numbers in a certain state. `wrong` returns what is wrong with a number and how to
 * fix it, or undefined. A number without a state is accepted.
 */
export async function numbersIn(
  phones: readonly string[],
  field: string,
  input: Fields,
  look: Look,
  wrong: (number: { phone: string; status: string; record: Fields }) => string | undefined,
): Promise<Checked> {
  const { numbers, ...checked } = await lookAtNumbers(phones, input, look);
  const problem = numbers.flatMap((number): Problem[] => {
    const message = wrong(number);
    return message === undefined ? [] : [{ field, message }];
  })[0];
  return { ...checked, ...defined({ problem }) };
}

/** Why a number is not in service (active or parked); undefined if it is. */
export function notInService({ phone, status }: { phone: string; status: string }): string | undefined {
  if (status === PENDING_DELETE) {
    return `${phone} is cancelled (Cancelled - Pending Delete). Bring it back with numbers_reactivate first, within 30 days of the cancellation, for 5 USD`;
  }
  if (status === CANCELLED) {
    return `${phone} is Cancelled and was permanently released. Get a new number with numbers_provision`;
  }
  return undefined;
}

/** State, owner and account of a record. A member that the platform does not return is left out. */
function standingOf({ Status, AssignedSubscriberId, AccountId }: Fields): Fields {
  return defined({
    Status: text(Status),
    AssignedSubscriberId: text(AssignedSubscriberId),
    AccountId: text(AccountId),
  });
}

/** A non-empty text, or undefined. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function statusOf(record: Fields): string {
  return (text(record.Status) ?? '').trim().toLowerCase();
}
