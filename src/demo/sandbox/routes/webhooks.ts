import { badField, notFound } from '../errors.ts';
import type { Webhook } from '../records.ts';
import { newId } from '../store.ts';
import { accountGiven, get, post, queryText, type Request } from '../world.ts';

/** PLATFORM.md, Events. */
export const CALL_EVENTS = [
  'Call_Completed',
  'Call_On_Hold',
  'Call_Recording',
  'Call_In_Progress',
  'Call_Ringing',
] as const;
const EVENTS: readonly string[] = ['Order_Update', 'New_Sms', ...CALL_EVENTS];

/** Maximum lengths of fields (PLATFORM.md, Webhook). */
const LENGTHS = {
  AccountId: 100,
  WebhookUrl: 255,
  Method: 10,
  DataFormat: 50,
  AuthenticationType: 10,
  AuthenticationUsername: 255,
  AuthenticationPassword: 255,
  AuthenticationToken: 255,
  SubscribedEvents: 255,
} as const;

const TYPES = ['None', 'Basic', 'Token'] as const;

/** The fields that each authentication type needs (PLATFORM.md, Webhook). */
const NEEDED = {
  None: [],
  Basic: ['AuthenticationUsername', 'AuthenticationPassword'],
  Token: ['AuthenticationToken'],
} as const;

/**
 * Returns a webhook as it was sent, with its secrets, because the platform calls only the secrets of routes write-only.
 */
function view({ DistributorId: _, ...shown }: Webhook) {
  return shown;
}

function events(request: Request): string {
  const { body } = request;
  const text = body.text('SubscribedEvents');
  const names = text.split(',').map((name) => name.trim());
  for (const name of names)
    if (!EVENTS.some((event) => event.toLowerCase() === name.toLowerCase()))
      throw body.wrong('SubscribedEvents', `holds ${JSON.stringify(name)}; known are ${EVENTS.join(', ')}`);
  return text;
}

function method(request: Request): string {
  const sent = request.body.filledText('Method') ?? 'POST';
  if (!/^[A-Za-z]+$/.test(sent)) throw request.body.wrong('Method', 'must be an HTTP method');
  return sent;
}

/** Without AccountId, a webhook covers every account of its distributor. */
function create(request: Request) {
  const { body, store, distributor } = request;
  for (const [name, max] of Object.entries(LENGTHS)) body.optionalText(name, max);
  body.text('WebhookUrl');
  const type = body.optionalChoice('AuthenticationType', TYPES) ?? 'None';
  const secret = (name: string, wanted: boolean): string | null => {
    const value = body.filledText(name);
    if (wanted && value === null) throw body.wrong(name, `required when AuthenticationType is ${type}`);
    return value;
  };
  const hook: Webhook = {
    WebhookId: newId('WID'),
    DistributorId: distributor,
    WebhookUrl: body.optionalUrl('WebhookUrl') ?? '',
    // "typically POST or PUT", "e.g. json or xml" (PLATFORM.md, Webhook): other values are accepted and returned as
    // sent.
    Method: method(request),
    DataFormat: body.filledText('DataFormat') ?? 'json',
    AuthenticationType: type,
    AuthenticationUsername: secret('AuthenticationUsername', type === 'Basic'),
    AuthenticationPassword: secret('AuthenticationPassword', type === 'Basic'),
    AuthenticationToken: secret('AuthenticationToken', type === 'Token'),
    SubscribedEvents: events(request),
    Active: true,
    AccountId: accountGiven(request)?.AccountId ?? null,
  };
  store.state.webhooks.push(hook);
  return view(hook);
}

/** Returns the webhook that a request names. Throws 404 if it belongs to another account than the given one. */
function webhookOf({ store, distributor }: Request, id: string, accountId: string | null): Webhook {
  const hook = store.state.webhooks.find((row) => row.WebhookId === id && row.DistributorId === distributor);
  if (hook === undefined || (accountId !== null && hook.AccountId !== null && hook.AccountId !== accountId))
    throw notFound(`Webhook ${id}`);
  return hook;
}

function accountAsked(request: Request): string | null {
  const id = queryText(request, 'AccountId');
  if (id !== null && request.store.account(request.distributor, id) === undefined) throw notFound(`Account ${id}`);
  return id;
}

function read(request: Request) {
  const id = queryText(request, 'WebhookId');
  if (id === null) throw badField('WebhookId', 'required');
  return view(webhookOf(request, id, accountAsked(request)));
}

/**
 * Returns a bare array. With AccountId, it has the account's webhooks and those that cover every account. Without it,
 * all webhooks are listed.
 */
function list(request: Request) {
  const { store, distributor } = request;
  const account = accountAsked(request);
  return store.state.webhooks
    .filter((row) => row.DistributorId === distributor)
    .filter((row) => account === null || row.AccountId === null || row.AccountId === account)
    .map(view);
}

/** The members that null empties. Method and DataFormat are the platform's own then (PLATFORM.md, Webhook). */
const EMPTIED = {
  Method: 'POST',
  DataFormat: 'json',
  AuthenticationUsername: null,
  AuthenticationPassword: null,
  AuthenticationToken: null,
} as const;

/** Fields left out keep their values (PLATFORM.md, Webhook). */
function update(request: Request) {
  const { body } = request;
  const id = body.text('WebhookId');
  for (const [name, max] of Object.entries(LENGTHS)) body.optionalText(name, max);
  const type = body.optionalChoice('AuthenticationType', TYPES);
  const url = body.optionalUrl('WebhookUrl');
  const changes = {
    WebhookUrl: url,
    Method: body.given('Method') ? method(request) : null,
    DataFormat: body.filledText('DataFormat'),
    AuthenticationType: type,
    AuthenticationUsername: body.filledText('AuthenticationUsername'),
    AuthenticationPassword: body.filledText('AuthenticationPassword'),
    AuthenticationToken: body.filledText('AuthenticationToken'),
    SubscribedEvents: body.given('SubscribedEvents') ? events(request) : null,
  };
  const account = accountGiven(request);
  const hook = webhookOf(request, id, account?.AccountId ?? null);
  const emptied = Object.entries(EMPTIED).filter(([name]) => body.has(name) && !body.given(name));
  const given = Object.entries(changes).filter(([, value]) => value !== null);
  const next = { ...hook, ...Object.fromEntries([...given, ...emptied]) };
  for (const name of NEEDED[next.AuthenticationType])
    if (next[name] === null) throw body.wrong(name, `required when AuthenticationType is ${next.AuthenticationType}`);
  Object.assign(hook, next);
  return view(hook);
}

/** Deletes a webhook permanently, which stops all deliveries, including retries (PLATFORM.md, Webhook). */
function remove(request: Request) {
  const { body, store } = request;
  const id = body.text('WebhookId');
  const account = accountGiven(request);
  const hook = webhookOf(request, id, account?.AccountId ?? null);
  store.state.webhooks = store.state.webhooks.filter((row) => row !== hook);
  return { WebhookId: id, WebhookStatus: 'Deleted' };
}

export const webhookRoutes = [
  post('/v1.0/webhook/create', create),
  get('/v1.0/webhook', read),
  get('/v1.0/account/webhooks', list),
  post('/v1.0/webhook/update', update),
  post('/v1.0/webhook/delete', remove),
];
