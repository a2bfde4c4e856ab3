import type { Clock } from '../lib/clock.ts';
import type { Database } from '../store/types.ts';
import type { Seal } from './seal.ts';

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
export class HeldSecrets {
  readonly #db: Database;
  readonly #seal: Seal;
  readonly #clock: Clock;
  #cached: readonly Held[] = [];
  /** Secrets of writes under way. */
  readonly #pinned = new Map<symbol, Held>();
  /** Counts what this process added, so that a read that began before does not undo it. */
  #added = 0;
  #reading: Promise<void> | undefined;
  #isStale = false;

  constructor(db: Database, seal: Seal, clock: Clock) {
    this.#db = db;
    this.#seal = seal;
    this.#clock = clock;
  }

  values(): readonly string[] {
    const now = this.#clock.now();
    return [...this.#cached, ...this.#pinned.values()].filter(({ until }) => until > now).map(({ text }) => text);
  }

  /** Redacts a secret from now on: before the write that stores it, and after it if it succeeds. */
  async storing<T>(stored: Stored | undefined, write: () => Promise<T>): Promise<T> {
    if (stored === undefined) return write();
    const held: Held = { text: String(stored.secret), until: stored.expiresAt };
    const key = Symbol('write');
    this.#pinned.set(key, held);
    try {
      const result = await write();
      this.#add(held);
      return result;
    } finally {
      this.#pinned.delete(key);
    }
  }

  /** Redacts a secret that this process has taken out of the ledger, until `until` (epoch ms). */
  taken({ secret, expiresAt }: Stored): void {
    this.#add({ text: String(secret), until: expiresAt });
  }

  /** Reads the ledger's secrets. Calls made while a read is under way share the next read. */
  refresh(): Promise<void> {
    if (this.#reading !== undefined) {
      this.#isStale = true;
      return this.#reading;
    }
    this.#reading = this.#readUntilFresh().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  #add(held: Held): void {
    const now = this.#clock.now();
    this.#added += 1;
    this.#cached = [...this.#cached.filter(({ until }) => until > now), held];
  }

  async #readUntilFresh(): Promise<void> {
    for (;;) {
      const added = this.#added;
      this.#isStale = false;
      const read = await this.#read(this.#clock.now());
      if (added === this.#added) this.#cached = read;
      else this.#isStale = true;
      if (!this.#isStale) return;
    }
  }

  async #read(now: number): Promise<Held[]> {
    const stored = await this.#db.all<{ operation: string; key: string; sealed: Uint8Array; expires_at: number }>(
      'SELECT operation, key, sealed, expires_at FROM vault WHERE expires_at > ?',
      now,
    );
    return stored.flatMap((row) => this.#open(row.sealed, `${row.operation}/${row.key}`, row.expires_at));
  }

  /** Returns nothing for a secret that was sealed with another key, because this process cannot show it. */
  #open(sealed: Uint8Array, record: string, until: number): Held[] {
    try {
      return [{ text: String(this.#seal.open(sealed, record)), until }];
    } catch {
      return [];
    }
  }
}
