import { randomUUID } from 'node:crypto';
import type { Seal } from '../gate/ledger/seal.ts';
import type { Clock } from '../lib/clock.ts';
import { addColumns, type Database, openDatabase } from '../store/database.ts';
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
  /** Base URL of the platform it was made at; unknown if an earlier version made it. */
  platform: string | undefined;
  /** What was registered with its credentials, by `partOf` in sync.ts. */
  parts: readonly string[];
  createdAt: number;
}

interface Row {
  id: string;
  url: string;
  account: string | null;
  webhook: string | null;
  sealed: Uint8Array;
  created_at: number;
  orphaned: number;
  platform: string | null;
  parts: string | null;
}

const SCHEMA = `CREATE TABLE IF NOT EXISTS registrations (
  id TEXT PRIMARY KEY, url TEXT NOT NULL, account TEXT, webhook TEXT, sealed BLOB NOT NULL, created_at INTEGER NOT NULL,
  orphaned INTEGER NOT NULL DEFAULT 0
);`;
const REREAD_MS = 2000;

/** Our registrations with the platform. Their credentials are sealed. The file may be the inbox's. */
export class Registrations {
  readonly #seal: Seal;
  readonly #clock: Clock;
  readonly #db: Database;
  #cached: { at: number; credentials: Credentials[] } | undefined;

  constructor(options: { path: string; seal: Seal; clock: Clock }) {
    this.#seal = options.seal;
    this.#clock = options.clock;
    this.#db = openDatabase(options.path, SCHEMA, { durable: true });
    addColumns(this.#db, 'registrations', { platform: 'TEXT', parts: 'TEXT' });
  }

  /** Keeps the credentials of a registration before the platform learns them. Returns its id. */
  add(registration: NewRegistration): string {
    const id = `reg_${randomUUID()}`;
    const { url, accountId = null, platform, credentials } = registration;
    this.#db.run(
      'INSERT INTO registrations (id, url, account, platform, sealed, created_at) VALUES (?, ?, ?, ?, ?, ?)',
      id,
      url,
      accountId,
      platform,
      this.#seal.seal(credentials, id),
      this.#clock.now(),
    );
    this.#cached = undefined;
    return id;
  }

  /** The platform has created its webhook. */
  created(id: string, webhookId: string): void {
    this.#db.run('UPDATE registrations SET webhook = ? WHERE id = ?', webhookId, id);
  }

  /** Something was registered with its credentials. */
  addPart(id: string, part: string): void {
    const row = this.#row(id);
    const parts = new Set([...(row ? fromRow(row).parts : []), part]);
    this.#db.run('UPDATE registrations SET parts = ? WHERE id = ?', JSON.stringify([...parts]), id);
  }

  /** The credentials that deliveries of this registration present. */
  credentials(id: string): BasicCredentials | undefined {
    const row = this.#row(id);
    return row && this.#open(row);
  }

  /** Its webhook could not be deleted and may still deliver, so its credentials stay. */
  orphaned(id: string): void {
    this.#db.run('UPDATE registrations SET orphaned = 1 WHERE id = ?', id);
  }

  /** Deletes all other registrations, except orphaned ones. */
  keepOnly(id: string): void {
    this.#db.run('DELETE FROM registrations WHERE id <> ? AND orphaned = 0', id);
    this.#cached = undefined;
  }

  /** The latest registration with a webhook. */
  current(): Registration | undefined {
    const row = this.#db.get<Row>(
      'SELECT * FROM registrations WHERE webhook IS NOT NULL ORDER BY created_at DESC, rowid DESC',
    );
    return row && fromRow(row);
  }

  /** Registrations whose webhook could not be deleted. */
  leftOver(): Registration[] {
    return this.#db.all<Row>('SELECT * FROM registrations WHERE orphaned = 1').map(fromRow);
  }

  /** The credentials that deliveries may present. Read again every two seconds: another process may have registered. */
  accepted(): readonly Credentials[] {
    const now = this.#clock.now();
    if (!this.#cached || now - this.#cached.at >= REREAD_MS) {
      const rows = this.#db.all<Row>('SELECT * FROM registrations');
      const credentials = rows.map((row) => this.#open(row));
      this.#cached = { at: now, credentials };
    }
    return this.#cached.credentials;
  }

  close(): void {
    this.#db.close();
  }

  #row(id: string): Row | undefined {
    return this.#db.get<Row>('SELECT * FROM registrations WHERE id = ?', id);
  }

  #open(row: Row): BasicCredentials {
    return this.#seal.open(row.sealed, row.id) as BasicCredentials;
  }
}

export function openRegistrations(options: { path: string; seal: Seal; clock: Clock }): Registrations {
  return new Registrations(options);
}

function fromRow(row: Row): Registration {
  return {
    id: row.id,
    url: row.url,
    accountId: row.account ?? undefined,
    webhookId: row.webhook ?? undefined,
    platform: row.platform ?? undefined,
    parts: row.parts === null ? [] : (JSON.parse(row.parts) as string[]),
    createdAt: row.created_at,
  };
}
