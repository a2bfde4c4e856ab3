import type { Clock } from '../../lib/clock.ts';
import type { Fields } from '../../lib/json.ts';
import type { Database } from '../../store/database.ts';
import type { Seal } from './seal.ts';

/** A secret of an answer, stored for one later call (an AuthCode). */
export interface StoredSecret {
  /** The operation whose answer held it. */
  operation: string;
  key: string;
  secret: string | number;
  /** What may be shown of that answer. */
  known: Fields;
  /** Epoch ms. */
  expiresAt: number;
}

/** A stored secret without the secret itself. */
export type SecretRecord = Pick<StoredSecret, 'known' | 'expiresAt'>;

interface Row {
  sealed: Uint8Array;
  known: string;
  expires_at: number;
}

/** Secrets of answers that later operations send, sealed, by operation and key. */
export class Vault {
  readonly #db: Database;
  readonly #seal: Seal;
  readonly #clock: Clock;
  /** Called after a secret was stored. */
  readonly #changed: () => void;

  constructor(parts: { db: Database; seal: Seal; clock: Clock; changed: () => void }) {
    this.#db = parts.db;
    this.#seal = parts.seal;
    this.#clock = parts.clock;
    this.#changed = parts.changed;
  }

  /** The record of a stored secret; undefined if there is none, or it has expired. */
  find(operation: string, key: string): SecretRecord | undefined {
    const row = this.#db.get<Omit<Row, 'sealed'>>(
      'SELECT known, expires_at FROM vault WHERE operation = ? AND key = ? AND expires_at > ?',
      operation,
      key,
      this.#clock.now(),
    );
    return row && { known: JSON.parse(row.known), expiresAt: row.expires_at };
  }

  put({ operation, key, secret, known, expiresAt }: StoredSecret): void {
    this.#db.run(
      'INSERT OR REPLACE INTO vault (operation, key, sealed, known, expires_at) VALUES (?, ?, ?, ?, ?)',
      operation,
      key,
      this.#seal.seal(secret, `${operation}/${key}`),
      JSON.stringify(known),
      expiresAt,
    );
    this.#changed();
  }

  /** Takes a secret out, so that no second call can send it. Use `putBack` if the call was never sent. */
  take(operation: string, key: string): StoredSecret | undefined {
    return this.#db.transaction(() => {
      const row = this.#db.get<Row>(
        'SELECT sealed, known, expires_at FROM vault WHERE operation = ? AND key = ?',
        operation,
        key,
      );
      this.#db.run('DELETE FROM vault WHERE operation = ? AND key = ?', operation, key);
      if (!row || row.expires_at <= this.#clock.now()) return undefined;
      const secret = this.#seal.open(row.sealed, `${operation}/${key}`) as string | number;
      return { operation, key, secret, known: JSON.parse(row.known), expiresAt: row.expires_at };
    });
  }

  /** Stores a secret again whose call was never sent. A newer one under the same key stays. */
  putBack(secret: StoredSecret): void {
    this.#db.transaction(() => {
      const newer = this.#db.get('SELECT 1 FROM vault WHERE operation = ? AND key = ?', secret.operation, secret.key);
      if (newer === undefined && secret.expiresAt > this.#clock.now()) this.put(secret);
    });
  }

  dropExpired(): void {
    this.#db.run('DELETE FROM vault WHERE expires_at <= ?', this.#clock.now());
  }
}
