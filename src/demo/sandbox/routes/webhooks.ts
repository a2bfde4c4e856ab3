import { notFound } from '../errors.ts';
import type { Webhook } from '../records.ts';
import { newId } from '../store.ts';
import { accountGiven, post, type Request } from '../world.ts';

/** PLATFORM.md, Events. */
export const CALL_EVENTS = [
  'Call_Completed',
  'Call_On_Hold',
  'Call_Recording',
  'Call_In_Progress',
  'Call_Ringing',
] as const;
const EVENTS: readonly string[] = ['Order_Update', 'New_Sms', ...CALL_EVENTS];

/** PLATFORM.md, Webhook: field lengths. */
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

/** The answer repeats what was sent, its secrets too: the platform calls only those of routes write-only. */
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
  const type = body.optionalChoice('AuthenticationType', ['None', 'Basic', 'Token']) ?? 'None';
  const secret = (name: string, wanted: boolean): string | null => {
    const value = body.filledText(name);
    if (wanted && value === null) throw body.wrong(name, `required when AuthenticationType is ${type}`);
    return value;
  };
  const hook: Webhook = {
    WebhookId: newId('WID'),
    DistributorId: distributor,
    WebhookUrl: body.optionalUrl('WebhookUrl') ?? '',
    // "typically POST or PUT", "e.g. json or xml" (PLATFORM.md, Webhook): other values are accepted and returned as sent.
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

/** Permanent. Stops all deliveries, including retries (PLATFORM.md, Webhook). */
function remove(request: Request) {
  const { body, store, distributor } = request;
  const id = body.text('WebhookId');
  const account = accountGiven(request);
  const hook = store.state.webhooks.find((row) => row.WebhookId === id && row.DistributorId === distributor);
  if (hook === undefined || (account !== null && hook.AccountId !== null && hook.AccountId !== account.AccountId))
    throw notFound(`Webhook ${id}`);
  store.state.webhooks = store.state.webhooks.filter((row) => row !== hook);
  return { WebhookId: id, WebhookStatus: 'Deleted' };
}

export const webhookRoutes = [post('/v1.0/webhook/create', create), post('/v1.0/webhook/delete', remove)];
