import { type Fields, recordOf, textOf } from '../lib/json.ts';

/** The ids of the operations that read webhooks and message routes. */
export interface ReadOperations {
  listWebhooks: string;
  listMessageRoutes: string;
  readMessageRoute: string;
}

/** A webhook at the platform, without its secrets. Texts are empty where the platform returned none. */
export interface RegisteredWebhook {
  id: string;
  accountId: string;
  url: string;
  events: readonly string[];
  method: string;
  format: string;
  authentication: string;
  username: string;
  isActive: boolean;
}

/** A message route at the platform, with its fields by the platform's names. */
export interface RegisteredRoute {
  id: string;
  name: string;
  fields: Fields;
}

export interface Registered {
  webhooks: readonly RegisteredWebhook[];
  routes: readonly RegisteredRoute[];
}

export interface ReadRegistered {
  operations: ReadOperations;
  /** The account whose routes are read. The platform lists the routes of one account at a time. */
  accountId?: string | undefined;
  /** The account whose webhooks are read; undefined for all of them. */
  namedAccountId?: string | undefined;
  /** MRID ids of routes that are read also if the account's list does not have them. */
  messageRoutes: readonly string[];
  /** Performs a read. Rejects if the platform does not answer it. */
  read: (operation: string, input: Fields) => Promise<Fields>;
}

/** Reads the webhooks and message routes of an account: two requests, and one for each further route. */
export async function readRegistered(options: ReadRegistered): Promise<Registered> {
  const { operations, accountId, namedAccountId, messageRoutes, read } = options;
  const inAccount = (id: string | undefined) => (id === undefined ? {} : { AccountId: id });
  const [hooks, listed] = await Promise.all([
    read(operations.listWebhooks, inAccount(namedAccountId)),
    read(operations.listMessageRoutes, inAccount(accountId)),
  ]);
  const routes = rowsOf(listed).map(routeOf);
  const known = new Set(routes.map(({ id }) => id.toLowerCase()));
  const further = [...new Set(messageRoutes)].filter((id) => !known.has(id.toLowerCase()));
  const others = await Promise.all(further.map((id) => read(operations.readMessageRoute, { MessageRouteId: id })));
  return { webhooks: rowsOf(hooks).map(webhookOf), routes: [...routes, ...others.map(routeOf)] };
}

function rowsOf(answer: Fields): Fields[] {
  return Array.isArray(answer.Results) ? answer.Results.map(recordOf) : [];
}

function webhookOf(row: Fields): RegisteredWebhook {
  return {
    id: textOf(row.WebhookId),
    accountId: textOf(row.AccountId),
    url: textOf(row.WebhookUrl),
    events: eventsIn(textOf(row.SubscribedEvents)),
    method: textOf(row.Method),
    format: textOf(row.DataFormat),
    authentication: textOf(row.AuthenticationType),
    username: textOf(row.AuthenticationUsername),
    // Booleans may arrive as strings. An omitted one counts as true.
    isActive: String(row.Active).toLowerCase() !== 'false',
  };
}

function routeOf(row: Fields): RegisteredRoute {
  return { id: textOf(row.MessageRouteId), name: textOf(row.RouteName), fields: row };
}

/** The names in a comma-separated list of events. */
function eventsIn(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** The events of `wanted` that a list does not have. The letter case does not matter (the interface writes New_SMS too). */
export function eventsMissing(wanted: readonly string[], events: readonly string[]): string[] {
  const has = new Set(events.map((name) => name.toLowerCase()));
  return wanted.filter((name) => !has.has(name.toLowerCase()));
}
