import type { SandboxClock } from './clock.ts';
import type { Deliveries } from './deliveries.ts';
import { badReference, notFound } from './errors.ts';
import type { Fields } from './fields.ts';
import type { JsonObject } from './json.ts';
import type { Account, NumberRecord, Subscriber } from './records.ts';
import type { Store } from './store.ts';

/** State that every route works on. */
export interface World {
  readonly store: Store;
  readonly clock: SandboxClock;
  readonly deliveries: Deliveries;
}

/** One authorised request. */
export interface Request extends World {
  readonly distributor: string;
  readonly body: Fields;
  readonly query: URLSearchParams;
  /** Numbers that the carrier refuses in this request (`POST /sandbox/faults` with `refuse`). */
  readonly refused: ReadonlySet<string>;
}

export type Result = Readonly<JsonObject> | readonly unknown[];

export interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Synchronous, so that a request changes all of its records or, if it throws, none. */
  handle(request: Request): Result;
}

export function get(path: string, handle: Route['handle']): Route {
  return { method: 'GET', path, handle };
}

export function post(path: string, handle: Route['handle']): Route {
  return { method: 'POST', path, handle };
}

/** Message for a number that is refused through `POST /sandbox/faults`. */
export const CARRIER_REFUSES = 'The carrier refused the change';

/** Returns a query value. A leading `+` that arrived as a space is restored. */
export function queryText(request: Request, name: string): string | null {
  const value = request.query.get(name)?.replace(/^ /, '+').trim();
  return value === undefined || value === '' ? null : value;
}

/**
 * Returns the account that a body names, or null. Throws `Invalid AccountId` for an unknown one (PLATFORM.md, Errors).
 */
export function accountGiven(request: Request, name = 'AccountId'): Account | null {
  const id = request.body.filledText(name);
  if (id === null) return null;
  const account = request.store.account(request.distributor, id);
  if (account === undefined) throw badReference('AccountId');
  return account;
}

/** Returns the subscriber that a body refers to, or null. Throws 400 with the field's name for an unknown one. */
export function subscriberGiven(request: Request, name = 'AssignedSubscriberId'): Subscriber | null {
  const id = request.body.filledText(name);
  if (id === null) return null;
  const subscriber = request.store.subscriber(request.distributor, id);
  if (subscriber === undefined) throw badReference(name);
  return subscriber;
}

/**
 * Returns the number acted on. Throws 404 if it does not exist or belongs to a different account (PLATFORM.md, Errors).
 */
export function ownNumber(request: Request, e164: string, accountId: string | null = null): NumberRecord {
  const number = request.store.number(request.distributor, e164);
  if (number === undefined || (accountId !== null && number.AccountId !== accountId)) throw notFound(`Number ${e164}`);
  return number;
}

/** Returns the route ids that a body gives for a number, checked against the distributor's routes. */
export function routesGiven(request: Request): { messageRoute: string | null; voiceRoute: string | null } {
  const messageRoute = request.body.filledText('MessageRouteId');
  const voiceRoute = request.body.filledText('VoiceRouteId');
  if (messageRoute !== null && request.store.messageRoute(request.distributor, messageRoute) === undefined)
    throw badReference('MessageRouteId');
  if (voiceRoute !== null && request.store.voiceRoute(request.distributor, voiceRoute) === undefined)
    throw badReference('VoiceRouteId');
  return { messageRoute, voiceRoute };
}
