import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../store/types.ts';
import type { Seal } from './seal.ts';

/** An unopened PIN is redacted for one day only, because four digits occur in many texts by chance. */
const ONCE_MS = 86_400_000;

/** A secret and until when it is redacted (epoch ms). */
interface Held {
  text: string;
  until: number;
}

/**
 * The values of all secrets the ledger stores sealed, for redaction: those of the vault, and those to be shown once. The
 * redactor cannot wait, so the values are in memory. They are read when the ledger opens, when another process has
 * written, and before this process uses a secret.
 */
export class HeldSecrets {
  readonly #db: Database;
  readonly #seal: Seal;
  readonly #clock: Clock;
  #cached: readonly Held[] = [];
  /** Secrets of writes under way. */
  readonly #pinned = new Map<symbol, readonly Held[]>();
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
    return [...this.#cached, ...[...this.#pinned.values()].flat()]
      .filter(({ until }) => until > now)
      .map(({ text }) => text);
  }

  /** Redacts a secret from now on: before the write that stores it, and after it if it succeeds. */
  async storing<T>(secrets: { value: unknown; until: number | undefined }[], write: () => Promise<T>): Promise<T> {
    const held = secrets.flatMap(({ value, until }) =>
      textsIn(value).map((text) => ({ text, until: until ?? this.#clock.now() + ONCE_MS })),
    );
    if (held.length === 0) return write();
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
  taken(value: unknown, until: number): void {
    this.#add(textsIn(value).map((text) => ({ text, until })));
  }

  /** Reads the ledger's secrets. Reads that are asked for while one is under way follow as one. */
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

  /** Stops redacting a secret that was shown to its person. */
  forget(value: unknown): void {
    const texts = textsIn(value);
    this.#added += 1;
    this.#cached = this.#cached.filter(({ text }) => !texts.includes(text));
  }

  #add(held: readonly Held[]): void {
    const now = this.#clock.now();
    this.#added += 1;
    this.#cached = [...this.#cached.filter(({ until }) => until > now), ...held];
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
    const once = await this.#db.all<{ action: string; sealed: Uint8Array; at: number }>(
      'SELECT action, sealed, at FROM once_secrets WHERE at > ?',
      now - ONCE_MS,
    );
    return [
      ...stored.flatMap((row) => this.#open(row.sealed, `${row.operation}/${row.key}`, row.expires_at)),
      ...once.flatMap((row) => this.#open(row.sealed, `${row.action}/once`, row.at + ONCE_MS)),
    ];
  }

  /** Empty for what was sealed with another key: this process cannot show it. */
  #open(sealed: Uint8Array, record: string, until: number): Held[] {
    try {
      return textsIn(this.#seal.open(sealed, record)).map((text) => ({ text, until }));
    } catch {
      return [];
    }
  }
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : [];
}
