import { randomUUID } from 'node:crypto';
import { eventOperations } from '../../tools/surfaces/events.ts';
import type { Seal } from '../ledger/seal.ts';
import type { Clock } from '../lib/clock.ts';
import { LOOK_MS } from '../lib/durations.ts';
import { type Fields, recordsIn, textOf } from '../lib/json.ts';
import { insert, update } from '../store/key-values.ts';
import type { Database } from '../store/types.ts';
import type { Credentials } from './http.ts';

export interface BasicCredentials {
  username: string;
  password: string;
}

export interface Registration {
  id: string;
  url: string;
  accountId?: string | undefined;
  webhookId: string | undefined;
}

/** A registration with the base URL of its platform, and the credentials that its deliveries present. */
export interface HeldRegistration extends Registration {
  platform: string;
  credentials: BasicCredentials;
}

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
  #cached: { at: number; credentials: Credentials[] } | undefined;

  constructor(options: { database: Database; seal: Seal; clock: Clock }) {
    this.#seal = options.seal;
    this.#clock = options.clock;
    this.#db = options.database;
  }

  /** Stores the credentials of a registration before the platform receives them. Resolves to its id. */
  async add({ url, accountId, platform, credentials }: Omit<HeldRegistration, 'id' | 'webhookId'>): Promise<string> {
    const id = `reg_${randomUUID()}`;
    const [sealed, created_at] = [this.#seal.seal(credentials, id), this.#clock.now()];
    await insert(this.#db, 'registrations', [{ id, url, account: accountId ?? null, platform, sealed, created_at }]);
    this.#cached = undefined;
    return id;
  }

  /** Records that the platform has created the webhook, which delivers to `url`. */
  async registered(id: string, webhook: string, url: string): Promise<void> {
    await update(this.#db, 'registrations', { webhook, url }, 'id = ?', id);
  }

  /** All registrations with their credentials, the latest first. */
  async held(): Promise<HeldRegistration[]> {
    const rows = await this.#db.all<Row>('SELECT * FROM registrations ORDER BY created_at DESC');
    return rows.map((row) => {
      const credentials = this.#seal.open(row.sealed, row.id) as BasicCredentials;
      return { ...fromRow(row), platform: row.platform, credentials };
    });
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
    if (this.#cached === undefined || now - this.#cached.at >= LOOK_MS)
      this.#cached = { at: now, credentials: (await this.held()).map(({ credentials }) => credentials) };
    return this.#cached.credentials;
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

function fromRow({ id, url, account, webhook }: Row): Registration {
  return { id, url, accountId: account ?? undefined, webhookId: webhook ?? undefined };
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

/** The webhooks and message routes at the platform. Routes have their fields by the platform's names. */
export interface Registered {
  webhooks: readonly RegisteredWebhook[];
  routes: readonly Fields[];
}

interface ReadRegistered {
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
  const { accountId, namedAccountId, messageRoutes, read } = options;
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
  return { webhooks: recordsIn(hooks.Results).map(webhookOf), routes: [...routes, ...others] };
}

function webhookOf(row: Fields): RegisteredWebhook {
  return {
    id: textOf(row.WebhookId),
    accountId: textOf(row.AccountId),
    url: textOf(row.WebhookUrl),
    events: textOf(row.SubscribedEvents)
      .split(',')
      .map((name) => name.trim()),
    method: textOf(row.Method),
    format: textOf(row.DataFormat),
    authentication: textOf(row.AuthenticationType),
    username: textOf(row.AuthenticationUsername),
    // Booleans may arrive as strings. An omitted one counts as true.
    isActive: String(row.Active).toLowerCase() !== 'false',
  };
}

/** The events of `wanted` that a list does not have. The letter case does not matter (the interface writes New_SMS too). */
export function eventsMissing(wanted: readonly string[], events: readonly string[]): string[] {
  const has = new Set(events.map((name) => name.toLowerCase()));
  return wanted.filter((name) => !has.has(name.toLowerCase()));
}
