import { randomUUID } from 'node:crypto';
import type { Seal } from '../ledger/seal.ts';
import type { Clock } from '../lib/clock.ts';
import { LOOK_MS } from '../lib/durations.ts';
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
