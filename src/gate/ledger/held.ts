import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../store/database.ts';
import type { Seal } from './seal.ts';

/** Maximum age of the cache, for secrets that other processes store. This process invalidates it at once. */
const FRESH_MS = 1000;
/** An unopened PIN is redacted for one day only, because four digits occur in many texts by chance. */
const ONCE_MS = 86_400_000;

/** The values of all secrets the ledger stores sealed, for redaction: those of the vault, and those to be shown once. */
export class HeldSecrets {
  readonly #db: Database;
  readonly #seal: Seal;
  readonly #clock: Clock;
  #cached: string[] | undefined;
  #readAt = 0;
  #closed = false;

  constructor(db: Database, seal: Seal, clock: Clock) {
    this.#db = db;
    this.#seal = seal;
    this.#clock = clock;
  }

  values(): readonly string[] {
    const now = this.#clock.now();
    if (this.#closed) return this.#cached ?? [];
    if (this.#cached === undefined || now - this.#readAt >= FRESH_MS || now < this.#readAt) {
      this.#cached = this.#read(now);
      this.#readAt = now;
    }
    return this.#cached;
  }

  /** Call after this process has stored a secret. */
  changed(): void {
    this.#cached = undefined;
  }

  close(): void {
    this.#closed = true;
  }

  #read(now: number): string[] {
    const stored = this.#db
      .all<{ operation: string; key: string; sealed: Uint8Array }>(
        'SELECT operation, key, sealed FROM vault WHERE expires_at > ?',
        now,
      )
      .map((row) => this.#open(row.sealed, `${row.operation}/${row.key}`));
    const once = this.#db
      .all<{ id: string; once: Uint8Array }>(
        'SELECT id, once FROM actions WHERE once IS NOT NULL AND finished_at > ?',
        now - ONCE_MS,
      )
      .map((row) => this.#open(row.once, `${row.id}/once`));
    return [...stored, ...once].flatMap(texts);
  }

  /** Undefined for what was sealed with another key: this process cannot show it. */
  #open(sealed: Uint8Array, record: string): unknown {
    try {
      return this.#seal.open(sealed, record);
    } catch {
      return undefined;
    }
  }
}

function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(texts) : [];
}
