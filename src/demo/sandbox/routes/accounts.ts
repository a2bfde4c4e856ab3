import { ApiError, badField, badReference, notFound } from '../errors.ts';
import { isObject } from '../json.ts';
import { type Account, type Address, STATUS, type Subscriber } from '../records.ts';
import { sharesOfPage } from '../stock.ts';
import { newId } from '../store.ts';
import { accountGiven, get, post, queryText, type Request } from '../world.ts';

const ROLES = ['Subscriber', 'Manager', 'Account Admin'];

function createAccount(request: Request) {
  const { body, store, distributor } = request;
  const account: Account = {
    AccountId: newId('AID'),
    DistributorId: distributor,
    AccountName: body.text('AccountName'),
    AccountAdmin: body.given('AccountAdmin') ? body.email('AccountAdmin') : null,
    BillingAddress: body.optionalAddress('BillingAddress'),
    MailingAddress: body.optionalAddress('MailingAddress'),
  };
  store.state.accounts.push(account);
  return accountView(request, account);
}

function accountView({ store }: Request, row: Account) {
  return {
    AccountId: row.AccountId,
    AccountName: row.AccountName,
    AccountAdmin: row.AccountAdmin,
    TotalSubscribers: store.state.subscribers.filter(({ AccountId }) => AccountId === row.AccountId).length,
    BillingAddress: row.BillingAddress,
    MailingAddress: row.MailingAddress,
  };
}

function getAccount(request: Request) {
  const id = queryText(request, 'AccountId');
  if (id === null) throw badField('AccountId', 'required');
  const account = request.store.account(request.distributor, id);
  if (account === undefined) throw notFound(`Account ${id}`);
  return accountView(request, account);
}

/** Returns a bare array (PLATFORM.md, Account). */
function listAccounts(request: Request) {
  return request.store.accountsOf(request.distributor).map((row) => accountView(request, row));
}

/** Merges the fields of an address that were sent into the current address. */
function mergedAddress({ body }: Request, name: 'BillingAddress' | 'MailingAddress', now: Address | null) {
  const given = body.optionalAddress(name);
  if (given === null) return now;
  const sent = body.raw(name);
  const changes = Object.entries(given).filter(([field]) => isObject(sent) && field in sent);
  return { ...(now ?? given), ...Object.fromEntries(changes) };
}

/** AccountId names the account. Fields left out keep their values (PLATFORM.md, Account). */
function updateAccount(request: Request) {
  const { body, store, distributor } = request;
  const id = body.filledText('AccountId');
  const own = store.accountsOf(distributor);
  if (id === null && own.length !== 1)
    throw badField('AccountId', 'is required for distributors with multiple accounts.');
  const account = id === null ? own[0] : store.account(distributor, id);
  if (account === undefined) throw notFound(`Account ${id}`);
  const changes = {
    AccountName: body.has('AccountName') ? body.text('AccountName') : account.AccountName,
    BillingAddress: mergedAddress(request, 'BillingAddress', account.BillingAddress),
    MailingAddress: mergedAddress(request, 'MailingAddress', account.MailingAddress),
  };
  return accountView(request, Object.assign(account, changes));
}

function subscriberView(request: Request, row: Subscriber) {
  const account = request.store.account(request.distributor, row.AccountId);
  return {
    SubscriberId: row.SubscriberId,
    Name: row.Name,
    Email: row.Email,
    PhoneNumbers: request.store.numbersOf(row.SubscriberId),
    Role: row.Role,
    Account: { AccountId: row.AccountId, CompanyName: account?.AccountName ?? null },
  };
}

/**
 * Returns the records of numbers for a subscriber. Every number is bound to one subscriber (PLATFORM.md, Organisation),
 * so each must be free or belong to `holder` already.
 */
function freeNumbers(request: Request, numbers: readonly string[], accountId: string, holder: string | null) {
  return numbers.map((number) => {
    const row = request.store.number(request.distributor, number);
    if (row === undefined || row.AccountId !== accountId || row.Status === STATUS.cancelled)
      throw badReference('PhoneNumbers');
    if (row.AssignedSubscriberId !== null && row.AssignedSubscriberId !== holder)
      throw badField('PhoneNumbers', `holds ${number}, which is assigned to another subscriber`);
    return row;
  });
}

/** Email is unique across the whole platform, so across distributors too (PLATFORM.md, Subscriber). */
function createSubscriber(request: Request) {
  const { body, store } = request;
  const name = body.text('Name');
  const email = body.email('Email');
  const numbers = body.phones('PhoneNumbers');
  const role = body.choice('Role', ROLES);
  body.text('Password');
  body.text('AccountId');
  const account = accountGiven(request);
  if (account === null) throw badReference('AccountId');
  if (store.state.subscribers.some((row) => row.Email.toLowerCase() === email.toLowerCase()))
    throw new ApiError(400, 'Email already exists');
  const given = freeNumbers(request, numbers, account.AccountId, null);
  const subscriber: Subscriber = {
    SubscriberId: newId('TSUID'),
    AccountId: account.AccountId,
    Name: name,
    Email: email,
    Role: role,
    EnableIntelligentGuardianCalls: false,
    EnableIntelligentGuardianMessages: false,
  };
  store.state.subscribers.push(subscriber);
  for (const row of given) row.AssignedSubscriberId = subscriber.SubscriberId;
  return subscriberView(request, subscriber);
}

/** Returns the subscriber named in the query. */
export function subscriberAsked(request: Request): Subscriber {
  const id = queryText(request, 'SubscriberId');
  if (id === null) throw badField('SubscriberId', 'required');
  const subscriber = request.store.subscriber(request.distributor, id);
  if (subscriber === undefined) throw notFound(`Subscriber ${id}`);
  return subscriber;
}

function getSubscriber(request: Request) {
  return subscriberView(request, subscriberAsked(request));
}

/**
 * Fields left out keep their values. PhoneNumbers is the whole list, and a number that is not on it becomes free
 * (PLATFORM.md, Subscriber).
 */
function updateSubscriber(request: Request) {
  const { body, store, distributor } = request;
  const id = body.text('SubscriberId');
  const row = store.subscriber(distributor, id);
  if (row === undefined) throw notFound(`Subscriber ${id}`);
  const changes = {
    Name: body.has('Name') ? body.text('Name') : row.Name,
    Role: body.optionalChoice('Role', ROLES) ?? row.Role,
  };
  if (body.has('Password')) body.text('Password');
  if (body.given('PhoneNumbers')) {
    const numbers = freeNumbers(request, body.phones('PhoneNumbers'), row.AccountId, id);
    for (const number of store.state.numbers)
      if (number.AssignedSubscriberId === id) number.AssignedSubscriberId = null;
    for (const number of numbers) number.AssignedSubscriberId = id;
  }
  return subscriberView(request, Object.assign(row, changes));
}

/** Lists the subscribers of every account. The default page size of 10 is the interface's. */
function listSubscribers(request: Request) {
  const { store, distributor } = request;
  const page = sharesOfPage(queryText(request, 'PageNumber'), queryText(request, 'TotalPerPage') ?? '10');
  const rows = store.state.subscribers.filter((row) => store.owns(distributor, row));
  return {
    PageNumber: page.number,
    TotalSubscribers: rows.length,
    Subscribers: rows.slice(page.from, page.to).map((row) => subscriberView(request, row)),
  };
}

export const accountRoutes = [
  get('/v1.0/account', getAccount),
  post('/v1.0/account/create', createAccount),
  post('/v1.0/account/update', updateAccount),
  get('/v1.0/distributor/accounts', listAccounts),
  post('/v1.0/subscribers/create', createSubscriber),
  get('/v1.0/subscribers/get', getSubscriber),
  post('/v1.0/subscribers/update', updateSubscriber),
  get('/v1.0/distributor/subscribers', listSubscribers),
];
