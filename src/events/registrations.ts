import { randomUUID } from 'node:crypto';
import type { Seal } from '../ledger/seal.ts';
import type { Clock } from '../lib/clock.ts';
import { LOOK_MS } from '../lib/durations.ts';
import { type Fields, recordOf, textOf } from '../lib/json.ts';
import type { Database } from '../store/types.ts';
import type { Credentials } from './http.ts';

export interface BasicCredentials {
  username: string;
  password: string;
}

export interface NewRegistration {
  url: string;
  accountId?: string | undefined;
  platform: string;
  credentials: BasicCredentials;
}

export interface Registration {
  id: string;
  url: string;
  accountId: string | undefined;
  webhookId: string | undefined;
  /** Base URL of the platform it was made at. */
  platform: string;
  createdAt: number;
}

/** A registration with the credentials that its deliveries present. */
export interface HeldRegistration extends Registration {
  credentials: BasicCredentials;
}

interface Row {
  id: string;
  url: string;
  account: string | null;
  webhook: string | null;
  sealed: Uint8Array;
  created_at: number;
  platform: string;
}

const BYTES = { sqlite: 'BLOB', postgres: 'BYTEA' } as const;

/** Switchboard's registrations with the platform, in the inbox's part of the store. Their credentials are sealed. */
export class Registrations {
  readonly #seal: Seal;
  readonly #clock: Clock;
  readonly #db: Database;
  #cached: { at: number; credentials: Credentials[] } | undefined;

  constructor(options: { database: Database; seal: Seal; clock: Clock }) {
    this.#seal = options.seal;
    this.#clock = options.clock;
    this.#db = options.database;
  }

  /** Stores the credentials of a registration before the platform receives them. Resolves to its id. */
  async add(registration: NewRegistration): Promise<string> {
    const id = `reg_${randomUUID()}`;
    const { url, accountId = null, platform, credentials } = registration;
    const now = this.#clock.now();
    await this.#db.run(
      // The time is later than that of any other registration, even within one millisecond.
      `INSERT INTO registrations (id, url, account, platform, sealed, created_at)
         SELECT ?, ?, CAST(? AS TEXT), ?, CAST(? AS ${BYTES[this.#db.engine]}),
           CASE WHEN max(created_at) >= ? THEN max(created_at) + 1 ELSE ? END FROM registrations`,
      id,
      url,
      accountId,
      platform,
      this.#seal.seal(credentials, id),
      now,
      now,
    );
    this.#cached = undefined;
    return id;
  }

  /** Records that the platform has created the webhook, which delivers to `url`. */
  async registered(id: string, webhookId: string, url: string): Promise<void> {
    await this.#db.run('UPDATE registrations SET webhook = ?, url = ? WHERE id = ?', webhookId, url, id);
  }

  /** All registrations with their credentials, the latest first. */
  async held(): Promise<HeldRegistration[]> {
    const rows = await this.#db.all<Row>('SELECT * FROM registrations ORDER BY created_at DESC');
    return rows.map((row) => ({ ...fromRow(row), credentials: this.#open(row) }));
  }

  /** Deletes all other registrations. */
  async keepOnly(id: string): Promise<void> {
    await this.#db.run('DELETE FROM registrations WHERE id <> ?', id);
    this.#cached = undefined;
  }

  /**
   * The credentials that deliveries may present. They are read again every two seconds, because another process may
   * have registered.
   */
  async accepted(): Promise<readonly Credentials[]> {
    const now = this.#clock.now();
    if (!this.#cached || now - this.#cached.at >= LOOK_MS) {
      const rows = await this.#db.all<Row>('SELECT * FROM registrations');
      const credentials = rows.map((row) => this.#open(row));
      this.#cached = { at: now, credentials };
      return credentials;
    }
    return this.#cached.credentials;
  }

  #open(row: Row): BasicCredentials {
    return this.#seal.open(row.sealed, row.id) as BasicCredentials;
  }
}

/** The latest registration with a webhook at a platform. */
export async function latestRegistration(
  db: Pick<Database, 'get'>,
  platform: string,
): Promise<Registration | undefined> {
  const row = await db.get<Row>(
    `SELECT * FROM registrations WHERE webhook IS NOT NULL AND platform = ?
       ORDER BY created_at DESC LIMIT 1`,
    platform,
  );
  return row && fromRow(row);
}

export function openRegistrations(options: { database: Database; seal: Seal; clock: Clock }): Registrations {
  return new Registrations(options);
}

function fromRow(row: Row): Registration {
  return {
    id: row.id,
    url: row.url,
    accountId: row.account ?? undefined,
    webhookId: row.webhook ?? undefined,
    platform: row.platform,
    createdAt: row.created_at,
  };
}

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

interface ReadRegistered {
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
