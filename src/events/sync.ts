import { randomBytes } from 'node:crypto';
import { isLoopback } from '../lib/config.ts';
import { invalidInput } from '../lib/errors.ts';
import type { Fields } from '../lib/json.ts';
import { withoutTrailing } from '../lib/text.ts';
import type { BasicCredentials, Registration, Registrations } from './registrations.ts';

/** The ids of the operations that register this server. */
export interface SyncOperations {
  createWebhook: string;
  deleteWebhook: string;
  updateMessageRoute: string;
}

export interface SyncRequest {
  /** PUBLIC_URL: `/events/…` is appended. */
  url: string;
  operations: SyncOperations;
  /** Every event the platform can be subscribed to. */
  events: readonly string[];
  /** MRID ids of the routes to point at this server. */
  messageRoutes: readonly string[];
  credentials: BasicCredentials;
  accountId?: string | undefined;
  /** The webhook of the last sync; it is deleted once the new one exists. */
  replaces?: { webhookId: string; accountId?: string | undefined } | undefined;
  /** The parts of an earlier sync, by `partOf`; they are not registered again. */
  registered?: ReadonlySet<string> | undefined;
}

export interface PlanStep {
  operation: string;
  input: Fields;
  why: string;
}

/** PLATFORM.md, Limits: webhook field lengths. */
const MAX_URL = 255;
const MAX_EVENTS = 255;

/** The steps that make the platform deliver to this server; a pure function. */
export function planSync(request: SyncRequest): PlanStep[] {
  const address = base(request.url);
  const steps = [createWebhook(request, `${address}/events/platform`)];
  for (const route of new Set(request.messageRoutes)) steps.push(updateRoute(request, address, route));
  if (request.replaces) steps.push(deleteWebhook(request.operations.deleteWebhook, request.replaces));
  return steps.filter((step) => !request.registered?.has(partOf(step)));
}

/** Identifies what a step registers: the step without its credentials. */
export function partOf({ operation, input }: PlanStep): string {
  const named = Object.entries(input).filter(([name]) => !/(Username|Password|PasswordToken)$/.test(name));
  return JSON.stringify([operation, Object.fromEntries(named)]);
}

function createWebhook({ operations, credentials, events, accountId }: SyncRequest, url: string): PlanStep {
  const names = [...new Set(events)];
  if (names.length === 0) throw invalidInput('events', 'events: there is nothing to subscribe to.');
  if (names.join(',').length > MAX_EVENTS)
    throw invalidInput('events', `events: at most ${MAX_EVENTS} characters in all.`);
  if (url.length > MAX_URL)
    throw invalidInput('url', `url: too long; with /events/platform it may have ${MAX_URL} characters.`);
  return {
    operation: operations.createWebhook,
    input: {
      WebhookUrl: url,
      SubscribedEvents: names.join(','),
      Method: 'POST',
      DataFormat: 'json',
      AuthenticationType: 'Basic',
      AuthenticationUsername: credentials.username,
      AuthenticationPassword: credentials.password,
      ...accountField(accountId),
    },
    why: `Have the platform deliver ${names.join(', ')} to ${url}.`,
  };
}

function updateRoute({ operations, credentials, accountId }: SyncRequest, address: string, route: string): PlanStep {
  return {
    operation: operations.updateMessageRoute,
    input: {
      MessageRouteId: route,
      MessageUrl: `${address}/events/messages`,
      MessageUrlMethod: 'POST',
      MessageAuthenticationType: 'Basic',
      MessageUsername: credentials.username,
      MessagePasswordToken: credentials.password,
      CallbackMessageUrl: `${address}/events/message-status`,
      CallbackMessageUrlMethod: 'POST',
      CallbackMessageAuthenticationType: 'Basic',
      CallbackMessageUsername: credentials.username,
      CallbackMessagePasswordToken: credentials.password,
      ...accountField(accountId),
    },
    why: `Point message route ${route} at this server, for inbound messages and delivery receipts. Its present address is overwritten.`,
  };
}

function deleteWebhook(operation: string, { webhookId, accountId }: NonNullable<SyncRequest['replaces']>): PlanStep {
  return {
    operation,
    input: { WebhookId: webhookId, ...accountField(accountId) },
    why: `Delete webhook ${webhookId} of the last sync. The new one exists by then, and an event that both deliver counts once.`,
  };
}

function accountField(accountId: string | undefined): { AccountId?: string } {
  return accountId === undefined ? {} : { AccountId: accountId };
}

function base(url: string): string {
  if (!URL.canParse(url))
    throw invalidInput('url', `url: ${url} is not a URL; for example https://switchboard.example.com`);
  const parsed = new URL(url);
  const secure = parsed.protocol === 'https:' || (parsed.protocol === 'http:' && isLoopback(parsed.hostname));
  if (!secure)
    throw invalidInput('url', 'url: the platform delivers to https:// only (http:// on loopback, for the sandbox).');
  if (parsed.username !== '' || parsed.search !== '' || parsed.hash !== '')
    throw invalidInput('url', 'url: give it without credentials, query and fragment.');
  return `${parsed.origin}${withoutTrailing(parsed.pathname, '/')}`;
}

/** The plan as a person reads it before agreeing, without secrets. */
function showPlan(steps: readonly PlanStep[]): string[] {
  if (steps.length === 0)
    return [
      'Nothing to do: everything is registered already. --force registers it again, for example after the webhook was deleted at the platform.',
    ];
  return steps.map((step, index) => `${index + 1}. ${step.why} (${step.operation})`);
}

export interface SyncOptions extends Omit<SyncRequest, 'credentials' | 'replaces' | 'registered'> {
  registrations: Registrations;
  /** Base URL of the platform. A registration with another platform does not count. */
  platform: string;
  /** Registers everything again, even if it is registered already. */
  force?: boolean;
  show: (lines: readonly string[]) => void;
  /** Asks the person; false ends the sync before anything is created. */
  ask: () => Promise<boolean>;
  /** Performs an operation through the gate. The caller sees to the confirmation it needs. */
  perform: (operation: string, input: Fields) => Promise<Fields>;
}

export interface SyncOutcome {
  kind: 'done' | 'declined' | 'failed';
  webhookId?: string;
  done: string[];
  /** What was not done, and why. */
  failed: { why: string; reason: string }[];
}

/**
 * Shows the plan, asks, and carries it out. New credentials are sealed before the platform learns them, so that its first
 * delivery is accepted. Old ones are dropped only when nothing uses them any more.
 */
export async function runSync(options: SyncOptions): Promise<SyncOutcome> {
  const { registrations, url, accountId, platform } = options;
  const before = await registrationAt(registrations, platform);
  const current = options.force || before === undefined ? undefined : await currentOf(before, options);
  const credentials = current?.credentials ?? newCredentials();
  const steps = planSync({
    ...options,
    credentials,
    registered: current?.parts,
    replaces: current === undefined ? webhookOf(before) : undefined,
  });
  options.show(showPlan(steps));
  const outcome: SyncOutcome = { kind: 'done', done: [], failed: [] };
  if (current !== undefined && before?.webhookId !== undefined) outcome.webhookId = before.webhookId;
  if (steps.length === 0) return outcome;
  if (!(await options.ask())) return { kind: 'declined', done: [], failed: [] };

  const id = current?.id ?? (await registrations.add({ url, accountId, platform, credentials }));
  for (const step of steps) {
    const creates = step.operation === options.operations.createWebhook;
    const deletes = step.operation === options.operations.deleteWebhook;
    try {
      const result = await options.perform(step.operation, step.input);
      outcome.done.push(step.why);
      if (creates) {
        outcome.webhookId = webhookIdOf(result);
        await registrations.created(id, outcome.webhookId);
      }
      if (!deletes) await registrations.addPart(id, partOf(step));
    } catch (error) {
      outcome.kind = 'failed';
      outcome.failed.push({ why: step.why, reason: error instanceof Error ? error.message : String(error) });
      // Without the new webhook nothing else is changed. Its credentials stay: it may exist if the outcome is unknown.
      if (creates) return outcome;
      if (deletes && before) await registrations.orphaned(before.id);
    }
  }
  // If a step failed, routes may still use the old credentials, so they stay.
  if (outcome.kind === 'done') await registrations.keepOnly(id);
  return outcome;
}

/** The latest registration at this platform. One of an earlier version does not say at which platform it was made. */
async function registrationAt(registrations: Registrations, platform: string): Promise<Registration | undefined> {
  const latest = await registrations.current();
  return latest?.platform === undefined || latest.platform === platform ? latest : undefined;
}

/** The earlier registration, if its webhook is the one that is wanted now; undefined if it has to be replaced. */
async function currentOf(before: Registration, options: SyncOptions) {
  const parts = new Set(before.parts);
  const credentials = await options.registrations.credentials(before.id);
  if (credentials === undefined) return undefined;
  const [webhook] = planSync({ ...options, credentials, messageRoutes: [] });
  return webhook !== undefined && parts.has(partOf(webhook)) ? { id: before.id, parts, credentials } : undefined;
}

function webhookOf(registration: Registration | undefined): SyncRequest['replaces'] {
  if (registration?.webhookId === undefined) return undefined;
  return { webhookId: registration.webhookId, accountId: registration.accountId };
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
