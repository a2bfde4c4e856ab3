import { randomBytes, randomUUID } from 'node:crypto';
import { eventOperations, subscribableEvents } from '../../tools/surfaces/events.ts';
import { errorWords } from '../language/outcome.ts';
import type { Seal } from '../ledger/seal.ts';
import type { Clock } from '../lib/clock.ts';
import { invalidInput } from '../lib/errors.ts';
import {
  defined,
  type Fields,
  hasCredentials,
  isSafeUrl,
  parseUrl,
  recordsIn,
  textOf,
  withoutTrailing,
} from '../lib/values.ts';
import { insert, update } from '../store/key-values.ts';
import type { Database, Store } from '../store/types.ts';
import type { Credentials } from './inbox.ts';

type BasicCredentials = Extract<Credentials, { username: string }>;

interface Registration {
  id: string;
  url: string;
  accountId?: string | undefined;
  webhookId: string | undefined;
  /** The base URL of its platform. */
  platform: string;
}

/** A registration with the credentials that its deliveries present. */
type HeldRegistration = Registration & { credentials: BasicCredentials };

interface Row {
  id: string;
  url: string;
  account: string | null;
  webhook: string | null;
  sealed: Uint8Array;
  platform: string;
}

/** Switchboard's registrations with the platform, in the inbox's part of the store. Their credentials are sealed. */
export class Registrations {
  readonly #seal: Seal;
  readonly #clock: Clock;
  readonly #db: Database;

  constructor(store: Pick<Store, 'database' | 'clock'>, seal: Seal) {
    this.#seal = seal;
    this.#clock = store.clock;
    this.#db = store.database('events');
  }

  /** Stores the credentials of a registration before the platform receives them. Resolves to its id. */
  async add({ url, accountId, platform, credentials }: Omit<HeldRegistration, 'id' | 'webhookId'>): Promise<string> {
    const id = `reg_${randomUUID()}`;
    const [sealed, created_at] = [this.#seal.seal(credentials, id), this.#clock.now()];
    await insert(this.#db, 'registrations', [{ id, url, account: accountId ?? null, platform, sealed, created_at }]);
    return id;
  }

  /** Records that the platform has created the webhook, which delivers to `url`. */
  async registered(id: string, webhook: string, url: string): Promise<void> {
    await update(this.#db, 'registrations', { webhook, url }, 'id = ?', id);
  }

  /** All registrations with their credentials, the latest first. */
  async held(): Promise<HeldRegistration[]> {
    const rows = await this.#db.all<Row>('SELECT * FROM registrations ORDER BY created_at DESC');
    return rows.map((row) => ({
      ...fromRow(row),
      credentials: this.#seal.open(row.sealed, row.id) as BasicCredentials,
    }));
  }

  /** Deletes all other registrations. */
  async keepOnly(id: string): Promise<void> {
    await this.#db.run('DELETE FROM registrations WHERE id <> ?', id);
  }

  /** The credentials that deliveries may present. */
  async accepted(): Promise<readonly Credentials[]> {
    return (await this.held()).map(({ credentials }) => credentials);
  }
}

/** The latest registration with a webhook at a platform. */
export async function latestRegistration(
  db: Pick<Database, 'get'>,
  platform: string,
): Promise<Registration | undefined> {
  const row = await db.get<Row>(
    'SELECT * FROM registrations WHERE webhook IS NOT NULL AND platform = ? ORDER BY created_at DESC LIMIT 1',
    platform,
  );
  return row && fromRow(row);
}

function fromRow({ id, url, account, webhook, platform }: Row): Registration {
  return { id, url, accountId: account ?? undefined, webhookId: webhook ?? undefined, platform };
}

/** The webhooks and message routes at the platform, with the platform's names. */
interface Registered {
  webhooks: readonly Fields[];
  routes: readonly Fields[];
}

/** Reads the webhooks and message routes of an account: two requests, and one for each further route. */
export async function readRegistered({
  accountId,
  namedAccountId,
  messageRoutes,
  read,
}: Pick<SyncOptions, 'accountId' | 'namedAccountId' | 'messageRoutes' | 'read'>): Promise<Registered> {
  const { listWebhooks, listMessageRoutes, readMessageRoute } = eventOperations.sync;
  const inAccount = (id: string | undefined) => (id === undefined ? {} : { AccountId: id });
  const [hooks, listed] = await Promise.all([
    read(listWebhooks, inAccount(namedAccountId)),
    read(listMessageRoutes, inAccount(accountId)),
  ]);
  const routes = recordsIn(listed.Results);
  const known = new Set(routes.map(({ MessageRouteId }) => textOf(MessageRouteId).toLowerCase()));
  const further = [...new Set(messageRoutes)].filter((id) => !known.has(id.toLowerCase()));
  const others = await Promise.all(further.map((id) => read(readMessageRoute, { MessageRouteId: id })));
  return { webhooks: recordsIn(hooks.Results), routes: [...routes, ...others] };
}

/** The events that a webhook does not deliver. The letter case does not matter (the interface writes New_SMS too). */
export function eventsMissing({ SubscribedEvents }: Fields): string[] {
  const names = textOf(SubscribedEvents).toLowerCase().split(',');
  const has = new Set(names.map((name) => name.trim()));
  return subscribableEvents.filter((name) => !has.has(name.toLowerCase()));
}

export interface SyncRequest {
  /** PUBLIC_URL: `/events/…` is appended. */
  url: string;
  /** MRID ids of the routes to point at this server. Routes that already deliver here are updated too. */
  messageRoutes: readonly string[];
  credentials: BasicCredentials;
  /** The account whose events are delivered and whose routes are read, one account at a time; undefined for all. */
  accountId?: string | undefined;
  /** The account that the caller named. Webhooks are read and changed in it; a default account would hide the rest. */
  namedAccountId?: string | undefined;
  /** The webhooks and routes that the platform has now. */
  registered: Registered;
  /** Ids of the webhooks that this installation created, including those that now deliver elsewhere. */
  made: readonly string[];
}

interface PlanStep {
  operation: string;
  input: Fields;
  why: string;
}

/** The URLs of this server to which the platform delivers. */
export function deliveryUrls(url: string): { webhook: string; messages: string; receipts: string } {
  const parsed = parseUrl(url);
  if (!parsed || !isSafeUrl(url) || hasCredentials(url) || parsed.search !== '' || parsed.hash !== '')
    throw invalidInput(
      'url',
      'url: give an https:// address without credentials, query and fragment, for example https://switchboard.example.com (http:// on loopback only, for the sandbox).',
    );
  const address = `${parsed.origin}${withoutTrailing(parsed.pathname, '/')}/events`;
  return { webhook: `${address}/platform`, messages: `${address}/messages`, receipts: `${address}/message-status` };
}

/**
 * Plans the steps that make the platform deliver to this server. Only missing or different records are changed. A pure
 * function.
 */
export function planSync(request: SyncRequest): PlanStep[] {
  const { credentials, url, accountId, namedAccountId, messageRoutes, registered } = request;
  const { createWebhook, updateWebhook, updateMessageRoute } = eventOperations.sync;
  const { webhook: WebhookUrl, messages, receipts } = deliveryUrls(url);
  const wanted = {
    WebhookUrl,
    SubscribedEvents: subscribableEvents.join(','),
    Method: 'POST',
    DataFormat: 'json',
    AuthenticationType: 'Basic',
    AuthenticationUsername: credentials.username,
    AuthenticationPassword: credentials.password,
  };
  const delivers = `deliver ${subscribableEvents.join(', ')} to ${WebhookUrl}`;
  const named = defined({ AccountId: namedAccountId });
  const steps: PlanStep[] = [];
  const own = ownWebhook(request);
  const differences = own === undefined ? [] : differencesOf(own, WebhookUrl, credentials.username);
  if (own === undefined)
    steps.push({
      operation: createWebhook,
      input: { ...wanted, ...defined({ AccountId: accountId }) },
      why: `Have the platform ${delivers}.`,
    });
  else if (differences.length > 0)
    steps.push({
      operation: updateWebhook,
      input: { WebhookId: own.WebhookId, ...wanted, ...named },
      why: `Change webhook ${own.WebhookId} (${differences.join('; ')}): have it ${delivers}.`,
    });
  const routeTarget = {
    MessageUrl: messages,
    MessageUsername: credentials.username,
    CallbackMessageUrl: receipts,
    CallbackMessageUsername: credentials.username,
  };
  const routeWay = {
    MessageUrlMethod: 'POST',
    MessageAuthenticationType: 'Basic',
    CallbackMessageUrlMethod: 'POST',
    CallbackMessageAuthenticationType: 'Basic',
  };
  const ids = new Set(messageRoutes.map((id) => id.toLowerCase()));
  for (const route of registered.routes) {
    const [id, name, now] = [textOf(route.MessageRouteId), textOf(route.RouteName), textOf(route.MessageUrl)];
    const isAsWanted =
      Object.entries(routeTarget).every(([field, value]) => route[field] === value) &&
      Object.entries(routeWay).every(([field, value]) => textOf(route[field]).toUpperCase() === value.toUpperCase());
    if (isAsWanted || !(ids.has(id.toLowerCase()) || now === messages)) continue;
    const called = name === '' ? id : `“${name}” (${id})`;
    const effect =
      now === messages
        ? 'It delivers here already, with other settings or credentials.'
        : `Its present address${now === '' ? '' : `, ${now},`} is overwritten.`;
    const passwords = {
      MessagePasswordToken: credentials.password,
      CallbackMessagePasswordToken: credentials.password,
    };
    steps.push({
      operation: updateMessageRoute,
      input: { MessageRouteId: id, ...routeTarget, ...routeWay, ...passwords, ...named },
      why: `Point message route ${called} at this server, for inbound messages and delivery receipts. ${effect}`,
    });
  }
  return steps;
}

/** The webhook that delivers here, otherwise one that this installation created and that delivers elsewhere. */
export function ownWebhook({
  url,
  registered,
  accountId = '',
  made,
}: Pick<SyncRequest, 'url' | 'registered' | 'accountId' | 'made'>): Fields | undefined {
  const { webhook: address } = deliveryUrls(url);
  // A webhook without an account covers all accounts. Booleans may arrive as strings, and an omitted one counts as true.
  const isOurs = (account: string) => accountId === '' || ['', accountId.toLowerCase()].includes(account.toLowerCase());
  const active = registered.webhooks.filter(
    ({ Active, AccountId }) => String(Active).toLowerCase() !== 'false' && isOurs(textOf(AccountId)),
  );
  return (
    active.find(({ WebhookUrl }) => WebhookUrl === address) ??
    active.find(({ WebhookId }) => made.includes(textOf(WebhookId)))
  );
}

/** The differences between a webhook and the wanted one. Its password cannot be read, so the user name is compared. */
function differencesOf(now: Fields, url: string, username: string): string[] {
  const missing = eventsMissing(now);
  const sends = [now.Method, now.DataFormat].map(textOf).filter((word) => !/^(post|json|)$/i.test(word));
  const isBasic = /^basic$/i.test(textOf(now.AuthenticationType));
  return [
    now.WebhookUrl === url ? '' : `it delivers to ${textOf(now.WebhookUrl)}`,
    missing.length === 0 ? '' : `it does not deliver ${missing.join(', ')}`,
    sends.length === 0 ? '' : `it sends ${sends.join(' ')}`,
    isBasic && now.AuthenticationUsername === username ? '' : 'it has other credentials',
  ].filter((difference) => difference !== '');
}

interface SyncOptions extends Omit<SyncRequest, 'credentials' | 'registered' | 'made'> {
  /** Sets everything again, with new credentials. */
  force?: boolean;
  registrations: Registrations;
  /** Base URL of the platform. Credentials made for another platform are not given to this one. */
  platform: string;
  /** Shows the plan as a person reads it before agreeing, without secrets. */
  show: (lines: readonly string[]) => void;
  /** Shows the change of each step and asks the person once. False ends the sync before anything is created. */
  ask: (steps: readonly PlanStep[]) => Promise<boolean>;
  /** Performs a read. Rejects if the platform does not answer it. */
  read: (operation: string, input: Fields) => Promise<Fields>;
  /** Performs an operation through the gate. The caller provides the confirmation that it needs. */
  perform: (operation: string, input: Fields) => Promise<Fields>;
}

export interface SyncOutcome {
  kind: 'done' | 'declined' | 'failed';
  webhookId?: string;
  done: string[];
  /** The steps that failed, with their reasons. */
  failed: { why: string; reason: string }[];
}

const NOTHING =
  'Nothing to do: the platform delivers here already. --force sets everything again, with new credentials.';

/**
 * Reads the registered webhooks and routes, shows the plan, asks, and carries it out. New credentials are stored before
 * the platform receives them, so that its first delivery is accepted. Old ones are dropped only when all steps are
 * done.
 *
 * @throws SwitchboardError if the webhooks or a route cannot be read; nothing was changed then
 */
export async function runSync(options: SyncOptions): Promise<SyncOutcome> {
  const { registrations, url, accountId, platform } = options;
  const { createWebhook, updateWebhook } = eventOperations.sync;
  // A wrong URL is reported before anything is read.
  deliveryUrls(url);
  const [held, registered] = await Promise.all([registrations.held(), readRegistered(options)]);
  const made = held.flatMap(({ webhookId }) => webhookId ?? []);
  const own = ownWebhook({ ...options, registered, made });
  const current = options.force
    ? undefined
    : (held.find(({ credentials }) => credentials.username === own?.AuthenticationUsername) ??
      held.find((one) => one.platform === platform));
  const credentials = current?.credentials ?? {
    username: `switchboard-${randomBytes(4).toString('hex')}`,
    password: randomBytes(24).toString('base64url'),
  };
  const steps = planSync({ ...options, registered, made, credentials });
  const lines = steps.map(({ why, operation }, index) => `${index + 1}. ${why} (${operation})`);
  options.show(steps.length === 0 ? [NOTHING] : lines);
  const outcome: SyncOutcome = { kind: 'done', ...(own && { webhookId: textOf(own.WebhookId) }), done: [], failed: [] };
  if (steps.length === 0) return outcome;
  if (!(await options.ask(steps))) return { kind: 'declined', done: [], failed: [] };

  const id = current?.id ?? (await registrations.add({ url, accountId, platform, credentials }));
  for (const { operation, input, why } of steps) {
    try {
      const { WebhookId } = await options.perform(operation, input);
      outcome.done.push(why);
      if (operation !== createWebhook) continue;
      if (textOf(WebhookId) === '') throw new Error('the platform returned no WebhookId');
      outcome.webhookId = textOf(WebhookId);
    } catch (error) {
      outcome.kind = 'failed';
      outcome.failed.push({ why, reason: errorWords(error) });
      // Without the webhook nothing else is changed. Its credentials stay: it may exist if the outcome is unknown.
      if (operation === createWebhook || operation === updateWebhook) return outcome;
    }
  }
  if (outcome.webhookId !== undefined) await registrations.registered(id, outcome.webhookId, url);
  // If a step failed, routes may still use the old credentials, so they stay.
  if (outcome.kind === 'done') await registrations.keepOnly(id);
  return outcome;
}
