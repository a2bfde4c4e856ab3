import { randomBytes } from 'node:crypto';
import { errorWords } from '../language/failure.ts';
import { invalidInput } from '../lib/errors.ts';
import { isLoopback, parseUrl } from '../lib/http.ts';
import { type Fields, textOf } from '../lib/json.ts';
import { withoutTrailing } from '../lib/text.ts';
import type { BasicCredentials, HeldRegistration, Registrations } from './registrations.ts';
import {
  eventsMissing,
  type ReadOperations,
  type Registered,
  type RegisteredRoute,
  type RegisteredWebhook,
  readRegistered,
} from './registrations.ts';

/** The ids of the operations that read and change what the platform delivers to this server. */
interface SyncOperations extends ReadOperations {
  createWebhook: string;
  updateWebhook: string;
  deleteWebhook: string;
  updateMessageRoute: string;
}

export interface SyncRequest {
  /** PUBLIC_URL: `/events/…` is appended. */
  url: string;
  operations: SyncOperations;
  /** All events that the platform can deliver. */
  events: readonly string[];
  /** MRID ids of the routes to point at this server. Routes that already deliver here are updated too. */
  messageRoutes: readonly string[];
  credentials: BasicCredentials;
  /** The account whose events are delivered; undefined for all accounts. */
  accountId?: string | undefined;
  /** The account that the caller named. Webhooks are read and changed in it; a default account would hide the rest. */
  namedAccountId?: string | undefined;
  /** The webhooks and routes that the platform has now. */
  registered: Registered;
  /** Ids of the webhooks that this installation created, including those that now deliver elsewhere. */
  made: readonly string[];
}

export interface PlanStep {
  operation: string;
  input: Fields;
  why: string;
}

export interface Plan {
  steps: PlanStep[];
  /** The webhook that delivers here or will deliver here; undefined if it has to be created. */
  webhookId: string | undefined;
  /** Webhooks that are not touched. */
  foreign: readonly RegisteredWebhook[];
}

/** PLATFORM.md, Limits: webhook field lengths. */
const MAX_URL = 255;
const MAX_EVENTS = 255;

/** The URLs of this server to which the platform delivers. */
export function deliveryUrls(url: string): { webhook: string; messages: string; receipts: string } {
  const address = base(url);
  return {
    webhook: `${address}/events/platform`,
    messages: `${address}/events/messages`,
    receipts: `${address}/events/message-status`,
  };
}

/**
 * Plans the steps that make the platform deliver to this server. Only missing or different records are changed. A pure
 * function.
 */
export function planSync(request: SyncRequest): Plan {
  const { operations, accountId, namedAccountId, registered } = request;
  const own = ownWebhook(request);
  const wanted = webhookInput(request);
  const steps: PlanStep[] = [];
  if (own === undefined) {
    const why = `Have the platform deliver ${spaced(wanted.SubscribedEvents)} to ${wanted.WebhookUrl}.`;
    steps.push({ operation: operations.createWebhook, input: wanted, why });
  } else {
    const differences = webhookDifferences(own, wanted);
    if (differences.length > 0) {
      const why = `Change webhook ${own.id} (${differences.join('; ')}): have it deliver ${spaced(wanted.SubscribedEvents)} to ${wanted.WebhookUrl}.`;
      const { AccountId: _, ...fields } = wanted;
      const input = { WebhookId: own.id, ...fields, ...accountField(namedAccountId) };
      steps.push({ operation: operations.updateWebhook, input, why });
    }
  }
  for (const route of routesToSet(request)) steps.push(...routeSteps(request, route));
  const twins = registered.webhooks.filter(
    (one) => one !== own && isTwin(one, wanted.WebhookUrl, own?.accountId ?? accountId),
  );
  for (const twin of twins)
    steps.push({
      operation: operations.deleteWebhook,
      input: { WebhookId: twin.id, ...accountField(namedAccountId) },
      why: `Delete webhook ${twin.id}, which ${twin.isActive ? 'delivers to the same address a second time' : 'is inactive'}.`,
    });
  const foreign = registered.webhooks.filter((one) => one !== own && !twins.includes(one));
  return { steps, webhookId: own?.id, foreign };
}

/** The webhook that delivers here, otherwise one that this installation created and that delivers elsewhere. */
export function ownWebhook(request: Pick<SyncRequest, 'url' | 'registered' | 'accountId' | 'made'>) {
  const { webhook: address } = deliveryUrls(request.url);
  const { webhooks } = request.registered;
  const active = webhooks.filter((one) => one.isActive && isFor(one, request.accountId));
  return active.find((one) => one.url === address) ?? active.find((one) => request.made.includes(one.id));
}

/** True if a webhook covers the account. A webhook without an account covers all accounts. */
function isFor({ accountId }: RegisteredWebhook, wanted: string | undefined): boolean {
  return wanted === undefined || accountId === '' || accountId.toLowerCase() === wanted.toLowerCase();
}

/** True if a webhook has this address and account. */
function isTwin({ url, accountId }: RegisteredWebhook, address: string, account = ''): boolean {
  return url === address && accountId.toLowerCase() === account.toLowerCase();
}

function webhookInput({ url, credentials, events, accountId }: SyncRequest) {
  const address = deliveryUrls(url).webhook;
  const names = [...new Set(events)];
  if (names.length === 0) throw invalidInput('events', 'events: there is nothing to subscribe to.');
  if (names.join(',').length > MAX_EVENTS)
    throw invalidInput('events', `events: at most ${MAX_EVENTS} characters in all.`);
  if (address.length > MAX_URL)
    throw invalidInput('url', `url: too long; with /events/platform it may have ${MAX_URL} characters.`);
  return {
    WebhookUrl: address,
    SubscribedEvents: names.join(','),
    Method: 'POST',
    DataFormat: 'json',
    AuthenticationType: 'Basic',
    AuthenticationUsername: credentials.username,
    AuthenticationPassword: credentials.password,
    ...accountField(accountId),
  };
}

/**
 * The differences between a webhook and the wanted one, in words. Its password cannot be read, so only the user name is
 * compared.
 */
function webhookDifferences(now: RegisteredWebhook, wanted: ReturnType<typeof webhookInput>): string[] {
  const missing = eventsMissing(wanted.SubscribedEvents.split(','), now.events);
  const sends = [now.method, now.format].filter((word) => !/^(post|json)$/i.test(word)).join(' ');
  const authenticated = /^basic$/i.test(now.authentication) && now.username === wanted.AuthenticationUsername;
  return [
    now.url === wanted.WebhookUrl ? '' : `it delivers to ${now.url}`,
    missing.length === 0 ? '' : `it does not deliver ${missing.join(', ')}`,
    sends === '' ? '' : `it sends ${sends}`,
    authenticated ? '' : 'it has other credentials',
  ].filter((difference) => difference !== '');
}

/** The routes that were named, and those that deliver here already. */
function routesToSet({ url, messageRoutes, registered }: SyncRequest): RegisteredRoute[] {
  const named = new Set(messageRoutes.map((id) => id.toLowerCase()));
  const { messages } = deliveryUrls(url);
  return registered.routes.filter(({ id, fields }) => named.has(id.toLowerCase()) || fields.MessageUrl === messages);
}

/** The step for a route, if it differs from the wanted one. */
function routeSteps(request: SyncRequest, { id, name, fields }: RegisteredRoute): PlanStep[] {
  const { operations, credentials, namedAccountId, url } = request;
  const { messages, receipts } = deliveryUrls(url);
  const target = {
    MessageUrl: messages,
    MessageUsername: credentials.username,
    CallbackMessageUrl: receipts,
    CallbackMessageUsername: credentials.username,
  };
  const way = {
    MessageUrlMethod: 'POST',
    MessageAuthenticationType: 'Basic',
    CallbackMessageUrlMethod: 'POST',
    CallbackMessageAuthenticationType: 'Basic',
  };
  const stands =
    Object.entries(target).every(([field, value]) => fields[field] === value) &&
    Object.entries(way).every(([field, value]) => textOf(fields[field]).toUpperCase() === value.toUpperCase());
  if (stands) return [];
  const now = textOf(fields.MessageUrl);
  const effect =
    now === messages
      ? 'It delivers here already, with other settings or credentials.'
      : `Its present address${now === '' ? '' : `, ${now},`} is overwritten.`;
  const called = name === '' ? id : `“${name}” (${id})`;
  return [
    {
      operation: operations.updateMessageRoute,
      input: {
        MessageRouteId: id,
        ...target,
        ...way,
        MessagePasswordToken: credentials.password,
        CallbackMessagePasswordToken: credentials.password,
        ...accountField(namedAccountId),
      },
      why: `Point message route ${called} at this server, for inbound messages and delivery receipts. ${effect}`,
    },
  ];
}

function spaced(events: string): string {
  return events.replaceAll(',', ', ');
}

function accountField(accountId: string | undefined): { AccountId?: string } {
  return accountId === undefined ? {} : { AccountId: accountId };
}

function base(url: string): string {
  const parsed = parseUrl(url);
  if (parsed === undefined)
    throw invalidInput('url', `url: ${url} is not a URL; for example https://switchboard.example.com`);
  const secure = parsed.protocol === 'https:' || (parsed.protocol === 'http:' && isLoopback(parsed.hostname));
  if (!secure)
    throw invalidInput('url', 'url: the platform delivers to https:// only (http:// on loopback, for the sandbox).');
  if (parsed.username !== '' || parsed.search !== '' || parsed.hash !== '')
    throw invalidInput('url', 'url: give it without credentials, query and fragment.');
  return `${parsed.origin}${withoutTrailing(parsed.pathname, '/')}`;
}

/** Largest number of foreign webhooks that the plan names. */
const NAMED = 3;

/** The plan as a person reads it before agreeing, without secrets. */
function showPlan({ steps, foreign }: Plan): string[] {
  const lines =
    steps.length === 0
      ? ['Nothing to do: the platform delivers here already. --force sets everything again, with new credentials.']
      : steps.map((step, index) => `${index + 1}. ${step.why} (${step.operation})`);
  if (foreign.length === 0) return lines;
  const named = foreign.slice(0, NAMED).map(({ id, url }) => `${id} (${url})`);
  const more = foreign.length > NAMED ? ` and ${foreign.length - NAMED} more` : '';
  return [...lines, `Left as they are, because they deliver elsewhere: ${named.join(', ')}${more}.`];
}

export interface SyncOptions extends Omit<SyncRequest, 'credentials' | 'registered' | 'made'> {
  /** Sets everything again, with new credentials. */
  force?: boolean;
  registrations: Registrations;
  /** Base URL of the platform. Credentials made for another platform are not given to this one. */
  platform: string;
  show: (lines: readonly string[]) => void;
  /** Shows the change of each step and asks the person once. False ends the sync before anything is created. */
  ask: (steps: readonly PlanStep[]) => Promise<boolean>;
  /** Performs a read through the gate. */
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

/**
 * Reads the registered webhooks and routes, shows the plan, asks, and carries it out. New credentials are stored before
 * the platform receives them, so that its first delivery is accepted. Old ones are dropped only when all steps are
 * done.
 *
 * @throws SwitchboardError if the webhooks or a route cannot be read; nothing was changed then
 */
export async function runSync(options: SyncOptions): Promise<SyncOutcome> {
  const { registrations, url, accountId, platform } = options;
  // A wrong URL is reported before anything is read.
  deliveryUrls(url);
  const [held, registered] = await Promise.all([registrations.held(), readRegistered(options)]);
  const made = held.flatMap(({ webhookId }) => (webhookId === undefined ? [] : [webhookId]));
  const request = { ...options, registered, made };
  const current = options.force ? undefined : currentOf(held, platform, ownWebhook(request));
  const credentials = current?.credentials ?? newCredentials();
  const plan = planSync({ ...request, credentials });
  options.show(showPlan(plan));
  const outcome: SyncOutcome = { kind: 'done', done: [], failed: [] };
  if (plan.webhookId !== undefined) outcome.webhookId = plan.webhookId;
  if (plan.steps.length === 0) return outcome;
  if (!(await options.ask(plan.steps))) return { kind: 'declined', done: [], failed: [] };

  const id = current?.id ?? (await registrations.add({ url, accountId, platform, credentials }));
  for (const step of plan.steps) {
    const creates = step.operation === options.operations.createWebhook;
    try {
      const result = await options.perform(step.operation, step.input);
      outcome.done.push(step.why);
      if (creates) outcome.webhookId = webhookIdOf(result);
    } catch (error) {
      outcome.kind = 'failed';
      outcome.failed.push({ why: step.why, reason: errorWords(error) });
      // Without the webhook nothing else is changed. Its credentials stay: it may exist if the outcome is unknown.
      if (creates || step.operation === options.operations.updateWebhook) return outcome;
    }
  }
  if (outcome.webhookId !== undefined) await registrations.registered(id, outcome.webhookId, url);
  // If a step failed, routes may still use the old credentials, so they stay.
  if (outcome.kind === 'done') await registrations.keepOnly(id);
  return outcome;
}

/**
 * The registration whose credentials the webhook has. If it has other credentials, the latest registration at this
 * platform.
 */
function currentOf(held: readonly HeldRegistration[], platform: string, webhook: RegisteredWebhook | undefined) {
  return (
    held.find(({ credentials }) => credentials.username === webhook?.username) ??
    held.find((one) => one.platform === platform)
  );
}

function newCredentials(): BasicCredentials {
  return {
    username: `switchboard-${randomBytes(4).toString('hex')}`,
    password: randomBytes(24).toString('base64url'),
  };
}

function webhookIdOf({ WebhookId }: Fields): string {
  if (typeof WebhookId !== 'string' || WebhookId === '') throw new Error('the platform returned no WebhookId');
  return WebhookId;
}
