import { createHash } from 'node:crypto';
import type { Seal } from '../ledger/seal.ts';
import { type Clock, FETCH_MS } from '../lib/clock.ts';
import type { Token, TokenStore } from '../platform/wire.ts';
import type { Database } from '../store/types.ts';

export interface SealedTokensOptions {
  /** The store's area `budget`. */
  database: Database;
  seal: Seal;
  clock: Clock;
  /** This process. */
  owner: string;
  /** The platform's account. A token of another account, or of an earlier secret, is never found. */
  account: { baseUrl: string; accountKey: string; accountSecret: string };
}

interface Row {
  sealed: Uint8Array | null;
  until: number;
  fetcher: string;
  fetching: number;
}

/** The sealed content. It has the expiry as a time span (`marginMs`), because the clocks of machines differ. */
type Sealed = Pick<Token, 'value' | 'tokenExpiry'> & {
  /** Time from the end of its use until its expiry, in ms. */
  marginMs: number;
};

/** The platform's tokens in the store, sealed, so that one process fetches each and all use it. */
export class SealedTokens implements TokenStore {
  readonly #options: SealedTokensOptions;

  constructor(options: SealedTokensOptions) {
    this.#options = options;
  }

  acquire(url: string): Promise<{ token: Token } | { isMine: boolean }> {
    const { database, owner } = this.#options;
    const key = this.#key(url);
    return database.transaction(async (tx) => {
      await tx.run('INSERT INTO tokens (key) VALUES (?) ON CONFLICT (key) DO NOTHING', key);
      const row = await tx.get<Row>(
        `SELECT sealed, usable_until AS until, fetcher, fetch_until AS fetching FROM tokens WHERE key = ? FOR UPDATE`,
        key,
      );
      const now = await tx.now();
      const token = row && this.#open(key, row, now);
      if (token) return { token };
      if (row && row.fetching > now && row.fetcher !== owner) return { isMine: false };
      await tx.run('UPDATE tokens SET fetcher = ?, fetch_until = ? WHERE key = ?', owner, now + FETCH_MS, key);
      return { isMine: true };
    });
  }

  async write(url: string, token: Token): Promise<void> {
    const { database, seal, clock } = this.#options;
    const key = this.#key(url);
    const content: Sealed = {
      value: token.value,
      tokenExpiry: token.tokenExpiry,
      marginMs: token.expiresAt - token.usableUntil,
    };
    const left = Math.floor(token.usableUntil - clock.now());
    await database.transaction(async (tx) => {
      const now = await tx.now();
      await tx.run(
        `INSERT INTO tokens (key, sealed, digest, usable_until) VALUES (?, ?, ?, ?)
           ON CONFLICT (key) DO UPDATE SET sealed = excluded.sealed, digest = excluded.digest,
             usable_until = excluded.usable_until, fetcher = '', fetch_until = 0`,
        ...[key, seal.seal(content, recordOf(key)), digestOf(token.value), now + left],
      );
      await tx.run('DELETE FROM tokens WHERE usable_until <= ? AND fetch_until <= ?', now, now);
    });
  }

  async release(url: string): Promise<void> {
    const { database, owner } = this.#options;
    await database.run(
      `UPDATE tokens SET fetcher = '', fetch_until = 0 WHERE key = ? AND fetcher = ?`,
      this.#key(url),
      owner,
    );
  }

  async remove(url: string, value: string): Promise<void> {
    await this.#options.database.run(
      `UPDATE tokens SET sealed = NULL, digest = '', usable_until = 0 WHERE key = ? AND digest = ?`,
      this.#key(url),
      digestOf(value),
    );
  }

  #open(key: string, { sealed, until }: Row, now: number): Token | undefined {
    if (!sealed || until <= now) return undefined;
    const { value, tokenExpiry, marginMs } = this.#options.seal.open(sealed, recordOf(key)) as Sealed;
    const usableUntil = this.#options.clock.now() + until - now;
    return { value, tokenExpiry, usableUntil, expiresAt: usableUntil + marginMs };
  }

  #key(url: string): string {
    const { account, seal } = this.#options;
    return seal.digest(JSON.stringify(['token', account.baseUrl, account.accountKey, account.accountSecret, url]));
  }
}

function recordOf(key: string): string {
  return `token ${key}`;
}

/** Tokens have enough entropy for a plain digest. */
function digestOf(value: string): string {
  return createHash('sha256').update(value).digest('base64url');
}
