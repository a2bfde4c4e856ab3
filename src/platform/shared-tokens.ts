import { type Clock, sleep } from '../lib/clock.ts';
import { POLL_MS } from '../lib/durations.ts';
import type { ClientOptions, Token, TokenStore } from './types.ts';

/** Tokens of other processes, for as long as the store can be read. Without it each process fetches its own. */
export class SharedTokens {
  readonly #store: TokenStore;
  readonly #clock: Clock;
  readonly #log: ClientOptions['log'];
  /** Removals under way: the token must not be read again. */
  readonly #removing = new Map<string, Promise<void>>();

  constructor(options: { store: TokenStore; clock: Clock; log: ClientOptions['log'] }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#log = options.log;
  }

  /** A token that another process has, or fetches right now. Undefined if this process must fetch one. */
  async find(url: string, signal: AbortSignal): Promise<Token | undefined> {
    try {
      await this.#removing.get(url);
      for (;;) {
        const found = await this.#store.acquire(url);
        if ('token' in found) return found.token;
        if (found.isMine) return undefined;
        if (!(await sleep(this.#clock, POLL_MS, [signal]))) return undefined;
      }
    } catch (error) {
      this.#failed(error);
      return undefined;
    }
  }

  fetched(url: string, token: Token): void {
    this.#store.write(url, token).catch((error: unknown) => this.#failed(error));
  }

  notFetched(url: string): void {
    this.#store.release(url).catch((error: unknown) => this.#failed(error));
  }

  refused(url: string, { value }: Token): void {
    const removing = this.#store
      .remove(url, value)
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        if (this.#removing.get(url) === removing) this.#removing.delete(url);
      });
    this.#removing.set(url, removing);
  }

  #failed(error: unknown): void {
    this.#log?.('debug', { error: String(error) }, 'shared access tokens are not available; this process uses its own');
  }
}
