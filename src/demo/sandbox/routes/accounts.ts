import { ApiError, badField, badReference, notFound } from '../errors.ts';
import { type Account, type Scalar, STATUS, type Subscriber } from '../records.ts';
import { sharesOfPage } from '../stock.ts';
import { newId } from '../store.ts';
import { accountGiven, get, post, queryText, type Request } from '../world.ts';

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
  return {
    AccountId: account.AccountId,
    AccountName: account.AccountName,
    AccountAdmin: account.AccountAdmin,
    TotalSubscribers: 0,
    BillingAddress: account.BillingAddress,
    MailingAddress: account.MailingAddress,
  };
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

/** Email is unique across the whole platform, so across distributors too (PLATFORM.md, Subscriber). */
function createSubscriber(request: Request) {
  const { body, store } = request;
  const name = body.text('Name');
  const email = body.email('Email');
  const numbers = body.phones('PhoneNumbers');
  const role = body.choice('Role', ['Subscriber', 'Manager', 'Account Admin']);
  body.text('Password');
  body.text('AccountId');
  const account = accountGiven(request);
  if (account === null) throw badReference('AccountId');
  if (store.state.subscribers.some((row) => row.Email.toLowerCase() === email.toLowerCase()))
    throw new ApiError(400, 'Email already exists');
  // Every number is bound to one subscriber (PLATFORM.md, Organisation): only a free one can be given.
  const given = numbers.map((number) => {
    const row = store.number(request.distributor, number);
    if (row === undefined || row.AccountId !== account.AccountId || row.Status === STATUS.cancelled)
      throw badReference('PhoneNumbers');
    if (row.AssignedSubscriberId !== null)
      throw badField('PhoneNumbers', `holds ${number}, which is assigned to another subscriber`);
    return row;
  });
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

/** A subscriber named in the query. */
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

/** Subscribers of every account, 10 a page unless asked for more (the interface's default). */
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

/** PLATFORM.md, Workgroups: the activity named by WorkgroupActivityId; fields left out stay. */
function updateActivity(request: Request) {
  const { body, store, distributor } = request;
  const id = body.text('WorkgroupActivityId');
  const own = store.state.workgroups.filter((row) => store.owns(distributor, row));
  const group = own.find((row) => row.Activities.some((activity) => activity.WorkgroupActivityId === id));
  const activity = group?.Activities.find((row) => row.WorkgroupActivityId === id);
  if (group === undefined || activity === undefined) throw notFound(`Workgroup activity ${id}`);
  for (const name of ['WorkgroupId', 'ReferenceWorkgroupId']) {
    const given = body.filledText(name);
    if (given !== null && !own.some((row) => row.WorkgroupId === given)) throw badReference(name);
  }
  const parent = body.filledText('WorkgroupId');
  if (parent !== null && parent !== group.WorkgroupId) throw badReference('WorkgroupId');
  const phone = body.optionalPhone('PhoneNumber');
  const changes: Record<string, Scalar> = {
    DigitOrder: body.optionalInteger('DigitOrder'),
    PhoneNumber: phone,
    Type: body.optionalChoice('Type', ['User', 'Workgroup']),
    ReferenceWorkgroupId: body.filledText('ReferenceWorkgroupId'),
    ReferenceUserId: body.filledText('ReferenceUserId'),
    SmsNotification: body.optionalFlag('SmsNotification'),
    EmailNotification: body.optionalFlag('EmailNotification'),
  };
  const given = Object.entries(changes).filter(([, value]) => value !== null);
  activity.fields = { ...activity.fields, ...Object.fromEntries(given) };
  return { WorkgroupActivityStatus: 'Updated', WorkgroupActivityId: id };
}

export const accountRoutes = [
  post('/v1.0/account/create', createAccount),
  post('/v1.0/subscribers/create', createSubscriber),
  get('/v1.0/subscribers/get', getSubscriber),
  get('/v1.0/distributor/subscribers', listSubscribers),
  post('/v1.0/workgroups/activity/update', updateActivity),
];
