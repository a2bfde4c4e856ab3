import type { Queries } from '../store/types.ts';
import { addJob } from '../work/jobs.ts';
import type { StoredSecret } from './action.ts';
import { LATER } from './later.ts';
import { LedgerPart } from './part.ts';

/** A secret of the vault, and the time (epoch ms) when it expires. */
interface Stored {
  secret: string | number;
  expiresAt: number;
}

/** A secret, and the time (epoch ms) until which it is redacted. */
interface Held {
  text: string;
  until: number;
}

/**
 * The values of the vault's secrets, for redaction. The redactor cannot wait, so they are in memory. They are read when
 * the ledger opens, when another process has written, and before this process uses a secret. Secrets to be shown once
 * are PINs: they are too short to be removed from the answers of other calls (lib/redact.ts).
 */
export class HeldSecrets extends LedgerPart {
  #stored: readonly Held[] = [];
  /** Secrets that this process stores, or has taken out. */
  #own: readonly Held[] = [];
  #reading: Promise<void> = Promise.resolve();

  values(): readonly string[] {
    const now = this.parts.clock.now();
    return [...this.#stored, ...this.#own].filter(({ until }) => until > now).map(({ text }) => text);
  }

  /** Redacts a secret from now on, until it expires: before it is stored, and after it was taken out. */
  add({ secret, expiresAt }: Stored): void {
    const now = this.parts.clock.now();
    this.#own = [...this.#own.filter(({ until }) => until > now), { text: String(secret), until: expiresAt }];
  }

  /** Reads the ledger's secrets, after the readings that were asked for before. */
  refresh(): Promise<void> {
    const reading = this.#reading.catch(() => undefined).then(() => this.#read());
    this.#reading = reading;
    return reading;
  }

  async #read(): Promise<void> {
    const rows = await this.parts.db.all<{ operation: string; key: string; sealed: Uint8Array; expires_at: number }>(
      'SELECT operation, key, sealed, expires_at FROM vault WHERE expires_at > ?',
      this.parts.clock.now(),
    );
    this.#stored = rows.flatMap(({ operation, key, sealed, expires_at: until }) => {
      try {
        return [{ text: String(this.parts.seal.open(sealed, `${operation}/${key}`)), until }];
      } catch {
        // It was sealed with another key, so this process cannot show it.
        return [];
      }
    });
  }
}

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
