import type { Queries } from '../store/types.ts';
import { addJob } from '../work/jobs.ts';
import type { StoredSecret } from './action.ts';
import type { HeldSecrets } from './held.ts';
import { LATER } from './later.ts';
import { LedgerPart } from './part.ts';

/** A stored secret without the secret itself. */
export type SecretRecord = Pick<StoredSecret, 'known' | 'expiresAt'>;

interface Row {
  sealed: Uint8Array;
  known: string;
  expires_at: number;
}

/** Secrets of answers that later operations send, sealed, by operation and key. */
export class Vault extends LedgerPart<{ held: HeldSecrets }> {
  /** The record of a stored secret; undefined if there is none, or it has expired. */
  async find(operation: string, key: string): Promise<SecretRecord | undefined> {
    const row = await this.parts.db.get<Omit<Row, 'sealed'>>(
      'SELECT known, expires_at FROM vault WHERE operation = ? AND key = ? AND expires_at > ?',
      operation,
      key,
      this.parts.clock.now(),
    );
    return row && { known: JSON.parse(row.known), expiresAt: row.expires_at };
  }

  async put(secret: StoredSecret): Promise<void> {
    this.parts.held.add(secret);
    await this.parts.db.transaction((queries) => this.store(queries, secret));
  }

  /** Stores a secret with these queries. The caller must have added it to `HeldSecrets`. */
  async store(queries: Queries, secret: StoredSecret): Promise<void> {
    const newer = 'sealed = excluded.sealed, known = excluded.known, expires_at = excluded.expires_at';
    await this.#insert(queries, secret, `UPDATE SET ${newer}`);
  }

  /** Stores a secret again whose call was never sent. A newer one under the same key stays. */
  async putBack(secret: StoredSecret): Promise<void> {
    if (secret.expiresAt <= this.parts.clock.now()) return;
    await this.parts.db.transaction((queries) => this.#insert(queries, secret, 'NOTHING'));
  }

  async #insert(
    queries: Queries,
    { operation, key, secret, known, expiresAt }: StoredSecret,
    onConflict: string,
  ): Promise<void> {
    await queries.run(
      `INSERT INTO vault (operation, key, sealed, known, expires_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (operation, key) DO ${onConflict}`,
      operation,
      key,
      this.parts.seal.seal(secret, `${operation}/${key}`),
      JSON.stringify(known),
      expiresAt,
    );
    const job = { kind: LATER.secrets, key: `${LATER.secrets} ${operation} ${key}`, runAt: expiresAt };
    await addJob(queries, job, this.parts.clock.now());
  }

  /** Takes a secret out, so that no second call can send it. Use `putBack` if the call was never sent. */
  async take(operation: string, key: string): Promise<StoredSecret | undefined> {
    const row = await this.parts.db.get<Row>(
      'DELETE FROM vault WHERE operation = ? AND key = ? RETURNING sealed, known, expires_at',
      operation,
      key,
    );
    if (!row || row.expires_at <= this.parts.clock.now()) return undefined;
    const secret = this.parts.seal.open(row.sealed, `${operation}/${key}`) as string | number;
    const taken = { operation, key, secret, known: JSON.parse(row.known), expiresAt: row.expires_at };
    this.parts.held.add(taken);
    return taken;
  }

  /** Deletes expired secrets. Reads first, so that nothing is written if there are none. */
  async dropExpired(): Promise<void> {
    const now = this.parts.clock.now();
    if (await this.parts.db.get('SELECT 1 FROM vault WHERE expires_at <= ? LIMIT 1', now))
      await this.parts.db.run('DELETE FROM vault WHERE expires_at <= ?', now);
  }
}
