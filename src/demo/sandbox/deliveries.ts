import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { type SandboxClock, SECOND } from './clock.ts';
import { isLoopback } from './http.ts';
import { isObject, type JsonObject } from './json.ts';
import type { DeliveryAttempt, DeliveryKind, PendingDelivery, Scalar, Stopped, Webhook } from './records.ts';
import { newId, type Store } from './store.ts';

/** Delays before the retries of a failed delivery (PLATFORM.md, Events). After the last one, it is given up. */
const RETRY_AFTER = [1, 2, 4, 8, 16].map((seconds) => seconds * SECOND);

/** Timeout for the answer of a receiver. */
const TIMEOUT = 10 * SECOND;

/**
 * A response that takes at most this time, in ms, does not delay the retry schedule, so that the schedule stays exact.
 */
const PROMPT = 250;

/** Number of attempts that `GET /sandbox/deliveries` shows. */
const KEPT_ATTEMPTS = 2000;

const NOT_LOOPBACK = 'not delivered: only loopback receivers are reached from the sandbox';

interface Target {
  url: string;
  method: string;
  authorization: string | null;
  xml: boolean;
}

/** The receiver's answer, or why there was none. */
type Outcome = { status: number } | { error: string };

function basic(username: Scalar | undefined, password: Scalar | undefined): string {
  return `Basic ${Buffer.from(`${username ?? ''}:${password ?? ''}`).toString('base64')}`;
}

function escapeXml(text: string): string {
  return text.replace(/[<>&'"]/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** Converts fields to XML elements (DataFormat xml). Each entry of a list becomes an `Item`. */
export function toXml(name: string, value: unknown): string {
  const inner = Array.isArray(value)
    ? value.map((item) => toXml('Item', item)).join('')
    : isObject(value)
      ? Object.entries(value)
          .map(([field, part]) => toXml(field, part))
          .join('')
      : value === null || value === undefined
        ? ''
        : escapeXml(String(value));
  return `<${name}>${inner}</${name}>`;
}

/** Sends webhook events and the messages, statuses and voice events of routes, and retries what failed. */
export class Deliveries {
  readonly #store: Store;
  readonly #clock: SandboxClock;
  readonly #running = new Map<string, Promise<void>>();
  readonly #aborts = new Set<() => void>();
  #epoch = 0;
  /** Called after each attempt, to schedule the next retry and write the file. */
  onSettled: () => void = () => undefined;

  constructor(store: Store, clock: SandboxClock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Fires an event to the webhooks that subscribe to it, of the account or of its whole distributor. */
  fire(event: string, accountId: string, payload: JsonObject): void {
    const distributor = this.#store.distributorOf(accountId);
    for (const hook of this.#store.state.webhooks) {
      const covers = hook.DistributorId === distributor && (hook.AccountId === null || hook.AccountId === accountId);
      if (covers && hook.Active && subscribes(hook, event)) this.#enqueue('webhook', event, hook.WebhookId, payload);
    }
  }

  /** Delivers to a route: an inbound message, a message's status, or a call event. */
  toRoute(kind: Exclude<DeliveryKind, 'webhook'>, event: string, routeId: string | null, payload: JsonObject) {
    if (routeId !== null && this.#target(kind, routeId, payload) !== null) this.#enqueue(kind, event, routeId, payload);
  }

  /** Records a delivery that a guardian filter stopped. It is not sent. */
  stop(kind: DeliveryKind, event: string, stoppedBy: Stopped, payload: JsonObject): void {
    const error = `not delivered: stopped by filter ${stoppedBy.FilterId} (${stoppedBy.Rule})`;
    const at = this.#clock.iso();
    const body = JSON.stringify(payload);
    this.#record({ id: newId('DLV'), kind, event, url: '', attempt: 0, at, body, error, stoppedBy });
  }

  #enqueue(kind: DeliveryKind, event: string, target: string, payload: JsonObject): void {
    const now = this.#clock.now();
    const pending = { id: newId('DLV'), kind, event, target, payload, attempt: 0, dueAt: now };
    this.#store.state.pendingDeliveries.push(pending);
    this.#start(pending);
  }

  /** Returns the time at which the next retry is due; null if none is waiting. */
  nextDue(): number | null {
    const waiting = this.#store.state.pendingDeliveries.filter((p) => !this.#running.has(p.id)).map((p) => p.dueAt);
    return waiting.length === 0 ? null : Math.min(...waiting);
  }

  startDue(now: number): void {
    for (const pending of [...this.#store.state.pendingDeliveries])
      if (pending.dueAt <= now && !this.#running.has(pending.id)) this.#start(pending);
  }

  /** Waits until no attempt is in progress. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  /**
   * Waits as `settled` does, but with a time limit, because a receiver may be slow or may itself wait for the caller.
   */
  async settledWithin(ms: number): Promise<void> {
    const { real } = this.#clock;
    await new Promise<void>((resolve) => {
      const timer = real.setTimeout(resolve, ms);
      void this.settled().finally(() => {
        real.clearTimeout(timer);
        resolve();
      });
    });
  }

  /** Aborts all attempts, for reset and close. Pending deliveries stay in the records. */
  async abandon(): Promise<void> {
    this.#epoch += 1;
    const running = [...this.#running.values()];
    this.#running.clear();
    for (const abort of [...this.#aborts]) abort();
    await Promise.all(running);
  }

  #start(pending: PendingDelivery): void {
    const epoch = this.#epoch;
    const run = this.#attempt(pending, epoch).finally(() => {
      if (epoch !== this.#epoch) return;
      this.#running.delete(pending.id);
      this.onSettled();
    });
    this.#running.set(pending.id, run);
  }

  async #attempt(pending: PendingDelivery, epoch: number): Promise<void> {
    const target = this.#target(pending.kind, pending.target, pending.payload);
    if (target === null) {
      this.#drop(pending);
      return;
    }
    const body = target.xml
      ? `<?xml version="1.0" encoding="UTF-8"?>${toXml(pending.event, pending.payload)}`
      : JSON.stringify(pending.payload);
    const record: DeliveryAttempt = {
      id: pending.id,
      kind: pending.kind,
      event: pending.event,
      url: target.url,
      attempt: pending.attempt + 1,
      at: this.#clock.iso(),
      body,
    };
    const outcome = isLoopback(new URL(target.url).hostname)
      ? await this.#transmit(target, pending, body).catch((error: Error) => ({ error: error.message }))
      : { error: NOT_LOOPBACK };
    if (epoch !== this.#epoch) return;
    this.#record({ ...record, ...outcome });
    const delivered = 'status' in outcome && outcome.status >= 200 && outcome.status < 300;
    const again = RETRY_AFTER[pending.attempt];
    if (delivered || again === undefined || ('error' in outcome && outcome.error === NOT_LOOPBACK)) {
      this.#drop(pending);
      return;
    }
    pending.attempt += 1;
    pending.dueAt = Math.max(pending.dueAt, this.#clock.now() - PROMPT) + again;
  }

  #record(attempt: DeliveryAttempt): void {
    const { deliveries } = this.#store.state;
    deliveries.push(attempt);
    if (deliveries.length > KEPT_ATTEMPTS) deliveries.splice(0, deliveries.length - KEPT_ATTEMPTS);
  }

  #drop(pending: PendingDelivery): void {
    const { state } = this.#store;
    state.pendingDeliveries = state.pendingDeliveries.filter((other) => other.id !== pending.id);
  }

  /**
   * Returns the receiver and credentials of a delivery as they are now; null for a deleted webhook or a switched-off
   * route.
   */
  #target(kind: DeliveryKind, id: string, payload: JsonObject): Target | null {
    if (kind === 'webhook') {
      const hook = this.#store.state.webhooks.find((row) => row.WebhookId === id);
      return hook === undefined ? null : hookTarget(hook);
    }
    if (kind === 'voice') {
      const route = this.#store.state.voiceRoutes.find((row) => row.CallRouteId === id);
      return route === undefined || route.fields.RouteEnabled === false
        ? null
        : routeTarget(route.fields, 'CallbackVoiceUrl', 'Voice', payload);
    }
    const route = this.#store.state.messageRoutes.find((row) => row.MessageRouteId === id);
    if (route === undefined || (kind === 'message' && route.fields.MessageRouteEnabled === false)) return null;
    return kind === 'message'
      ? routeTarget(route.fields, 'MessageUrl', 'Message', payload)
      : routeTarget(route.fields, 'CallbackMessageUrl', 'CallbackMessage', payload);
  }

  /**
   * Sends one HTTP request without following redirects. Rejects if the request cannot be made, for example if a token
   * has characters that are not allowed in a header.
   */
  #transmit(target: Target, pending: PendingDelivery, body: string): Promise<Outcome> {
    return new Promise((resolve) => {
      const { real } = this.#clock;
      const withBody = target.method !== 'GET';
      const request = (target.url.startsWith('https:') ? httpsRequest : httpRequest)(target.url, {
        method: target.method,
        agent: false,
        headers: {
          'X-Event': pending.event,
          'X-Delivery-Id': pending.id,
          'User-Agent': 'platform-sandbox',
          ...(withBody && {
            'Content-Type': target.xml ? 'application/xml; charset=utf-8' : 'application/json; charset=utf-8',
            'Content-Length': String(Buffer.byteLength(body)),
          }),
          ...(target.authorization !== null && { Authorization: target.authorization }),
        },
      });
      const finish = (outcome: Outcome) => {
        real.clearTimeout(timer);
        this.#aborts.delete(abort);
        resolve(outcome);
      };
      const giveUp = (error: string) => {
        finish({ error });
        request.destroy();
      };
      const abort = () => giveUp('the sandbox stopped');
      const timer = real.setTimeout(() => giveUp(`no answer within ${TIMEOUT / SECOND} s`), TIMEOUT);
      this.#aborts.add(abort);
      request.on('response', (response) => {
        response.on('error', () => undefined);
        response.on('close', () => finish({ status: response.statusCode ?? 0 }));
        response.resume();
      });
      request.on('error', (error) => finish({ error: error.message === '' ? 'connection failed' : error.message }));
      request.end(withBody ? body : undefined);
    });
  }
}

function subscribes(hook: Webhook, event: string): boolean {
  return hook.SubscribedEvents.split(',').some((name) => name.trim().toLowerCase() === event.toLowerCase());
}

function hookTarget(hook: Webhook): Target {
  const authorization =
    hook.AuthenticationType === 'Basic'
      ? basic(hook.AuthenticationUsername, hook.AuthenticationPassword)
      : hook.AuthenticationType === 'Token'
        ? `Bearer ${hook.AuthenticationToken ?? ''}`
        : null;
  return {
    url: hook.WebhookUrl,
    method: hook.Method.toUpperCase(),
    authorization,
    xml: hook.DataFormat.toLowerCase() === 'xml',
  };
}

/**
 * Returns the receiver that a route's fields name. The fields share one naming: `MessageUrl`, `MessageUrlMethod`,
 * `MessageAuthenticationType`, …
 */
function routeTarget(
  fields: Readonly<Record<string, Scalar>>,
  urlField: string,
  prefix: string,
  payload: JsonObject,
): Target | null {
  const address = fields[urlField];
  if (typeof address !== 'string' || address === '') return null;
  const method = String(fields[`${urlField}Method`] ?? 'POST').toUpperCase();
  const type = fields[`${prefix}AuthenticationType`];
  const secret = fields[`${prefix}PasswordToken`];
  const authorization =
    type === 'Basic'
      ? basic(fields[`${prefix}Username`], secret)
      : type === 'Bearer'
        ? `Bearer ${String(secret ?? '')}`
        : null;
  const url = new URL(address);
  if (method === 'GET')
    for (const [name, value] of Object.entries(payload))
      url.searchParams.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  return { url: url.href, method, authorization, xml: false };
}
