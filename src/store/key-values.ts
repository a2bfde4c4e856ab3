import { randomUUID } from 'node:crypto';
import type { Clock } from '../lib/clock.ts';
import type { Database } from './types.ts';

/** Names the use of a value. Each kind has its own keys. */
export type ValueKind =
  | 'handled request'
  | 'sign-in link'
  | 'session'
  | 'page server'
  | 'outage'
  | 'batch card'
  | 'event message'
  | 'stream'
  | 'workflow step'
  | 'joined workflow step';

interface Row {
  key: string;
  value: string;
}

/** The expiry of a value that is kept until it is removed. */
export const NEVER = Number.MAX_SAFE_INTEGER;
/** Interval between deletions of expired values. */
const DELETE_EVERY_MS = 60_000;

/** Short values of one kind, shared by all processes, each until it expires or is removed. */
export class KeyValues {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #kind: ValueKind;
  #deletedAt = Number.NEGATIVE_INFINITY;

  constructor(options: { database: Database; clock: Clock; kind: ValueKind }) {
    this.#db = options.database;
    this.#clock = options.clock;
    this.#kind = options.kind;
  }

  /** Adds a value. False if there is one with this key, also if two processes ask at once. `until`: epoch ms. */
  async add(key: string, until: number, value = ''): Promise<boolean> {
    await this.#deleteExpired();
    const sql = 'INSERT INTO key_values (kind, key, value, expires_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING';
    return (await this.#db.run(sql, this.#kind, key, value, until)) === 1;
  }

  /** Adds several keys without a value. True if there was none of them. */
  async addAll(keys: readonly string[], until: number): Promise<boolean> {
    await this.#deleteExpired();
    const rows = keys.map(() => "(?, ?, '', ?)").join(', ');
    const sql = `INSERT INTO key_values (kind, key, value, expires_at) VALUES ${rows} ON CONFLICT DO NOTHING`;
    return (await this.#db.run(sql, ...keys.flatMap((key) => [this.#kind, key, until]))) === keys.length;
  }

  /** Adds a value if fewer than `limit` have not expired, also if several processes ask at once. `until`: epoch ms. */
  async addBelow(limit: number, until: number): Promise<boolean> {
    await this.#deleteExpired();
    return this.#db.transaction(async (tx) => {
      await tx.lock(this.#kind);
      const live = 'SELECT COUNT(*) AS n FROM key_values WHERE kind = ? AND expires_at > ?';
      const { n } = (await tx.get<{ n: number }>(live, this.#kind, this.#clock.now())) ?? { n: 0 };
      if (Number(n) >= limit) return false;
      const insert = "INSERT INTO key_values (kind, key, value, expires_at) VALUES (?, ?, '', ?)";
      await tx.run(insert, this.#kind, randomUUID(), until);
      return true;
    });
  }

  /** Removes a value. True once, for a value that has not expired. */
  async take(key: string): Promise<boolean> {
    const sql = 'DELETE FROM key_values WHERE kind = ? AND key = ? AND expires_at > ?';
    return (await this.#db.run(sql, this.#kind, key, this.#clock.now())) === 1;
  }

  /** Undefined if there is no such value, or it has expired. */
  async get(key: string): Promise<string | undefined> {
    const sql = 'SELECT value FROM key_values WHERE kind = ? AND key = ? AND expires_at > ?';
    return (await this.#db.get<{ value: string }>(sql, this.#kind, key, this.#clock.now()))?.value;
  }

  /** All values that have not expired. */
  all(): Promise<Row[]> {
    const sql = 'SELECT key, value FROM key_values WHERE kind = ? AND expires_at > ?';
    return this.#db.all<Row>(sql, this.#kind, this.#clock.now());
  }

  /**
   * Replaces the value of a key, while no other process does. `change` gets the value, and returns the new one, or
   * undefined to remove it. It may run more than once.
   */
  async change(key: string, until: number, change: (value: string | undefined) => string | undefined): Promise<void> {
    await this.#deleteExpired();
    await this.#db.transaction(async (tx) => {
      await tx.lock(`${this.#kind} ${key}`);
      const select = 'SELECT value FROM key_values WHERE kind = ? AND key = ? AND expires_at > ?';
      const row = await tx.get<{ value: string }>(select, this.#kind, key, this.#clock.now());
      const value = change(row?.value);
      if (value === row?.value) return;
      await tx.run('DELETE FROM key_values WHERE kind = ? AND key = ?', this.#kind, key);
      if (value === undefined) return;
      const insert = 'INSERT INTO key_values (kind, key, value, expires_at) VALUES (?, ?, ?, ?)';
      await tx.run(insert, this.#kind, key, value, until);
    });
  }

  async #deleteExpired(): Promise<void> {
    const now = this.#clock.now();
    if (now - this.#deletedAt <= DELETE_EVERY_MS) return;
    this.#deletedAt = now;
    await this.#db.run('DELETE FROM key_values WHERE kind = ? AND expires_at <= ?', this.#kind, now);
  }
}
