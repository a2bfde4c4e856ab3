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
