import { RETRY_MS } from '../lib/durations.ts';
import type { Log } from '../lib/log.ts';
import { isStoreUnavailable } from '../store/unavailable.ts';
import type { PageServer, Pairing } from '../surfaces/web/pairing.ts';

/** The note of this process in the store, by which `switchboard key` finds it. */
export class NotedServer {
  readonly #pairing: Pick<Pairing, 'serve' | 'leave'>;
  readonly #server: PageServer;
  readonly #log: Log;
  #again: NodeJS.Timeout | undefined;
  #hasLeft = false;

  constructor(pairing: Pick<Pairing, 'serve' | 'leave'>, server: PageServer, log: Log) {
    this.#pairing = pairing;
    this.#server = server;
    this.#log = log;
  }

  /** Writes the note. If the database cannot be reached, the note is written later, so that the start does not fail. */
  async note(): Promise<void> {
    try {
      await this.#pairing.serve(this.#server);
    } catch (error) {
      if (!isStoreUnavailable(error)) throw error;
      if (this.#hasLeft) return;
      this.#again = setTimeout(() => {
        this.note().catch((failure: unknown) =>
          this.#log('error', { error: String(failure) }, 'switchboard key does not find this server'),
        );
      }, RETRY_MS).unref();
    }
  }

  async leave(): Promise<void> {
    this.#hasLeft = true;
    clearTimeout(this.#again);
    await this.#pairing
      .leave(this.#server.url)
      .catch((error: unknown) => this.#log('warn', { error: String(error) }, 'this server stays noted'));
  }
}
