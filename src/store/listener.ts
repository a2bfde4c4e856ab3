import pg from 'pg';
import { FETCH_MS, LOOK_MS } from '../lib/durations.ts';
import type { Log } from '../lib/log.ts';
import type { Area } from './types.ts';

export const CHANNEL = 'switchboard';

/**
 * Learns of the writes of other processes through LISTEN. A lost connection is restored; until then, and because a
 * notification may be lost with its connection, every listener is called every two seconds.
 */
export class Listener {
  readonly #options: { url: string; log: Log; id: string };
  readonly #listeners = new Map<Area, Set<() => void>>();
  #client: pg.Client | undefined;
  #isClosed = false;
  #poll: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;

  /** @param options.id names this process in notifications, so that its own are not reported to it */
  constructor(options: { url: string; log: Log; id: string }) {
    this.#options = options;
  }

  on(area: Area, listener: () => void): () => void {
    const listeners = this.#listeners.get(area) ?? new Set();
    this.#listeners.set(area, listeners.add(listener));
    if (this.#poll === undefined) {
      this.#poll = setInterval(() => this.#tellAll(), LOOK_MS).unref();
      this.#connect();
    }
    return () => listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#poll);
    clearTimeout(this.#retry);
    await this.#client?.end().catch(() => undefined);
  }

  #connect(): void {
    if (this.#isClosed) return;
    const { url, log, id } = this.#options;
    let isOver = false;
    const again = (error?: Error) => {
      if (isOver || this.#isClosed) return;
      isOver = true;
      log('debug', { error: error?.message }, 'the connection that listens to the database ended; connecting again');
      this.#client?.end().catch(() => undefined);
      this.#retry = setTimeout(() => this.#connect(), LOOK_MS).unref();
    };
    try {
      const client = new pg.Client({
        connectionString: url,
        application_name: 'switchboard listener',
        keepAlive: true,
        connectionTimeoutMillis: FETCH_MS,
      });
      this.#client = client;
      client.on('error', again);
      client.on('end', () => again());
      client.on('notification', ({ payload = '' }) => {
        const [area, sender] = payload.split(' ');
        if (sender !== id) this.#tell(area as Area);
      });
      client
        .connect()
        .then(() => client.query(`LISTEN ${CHANNEL}`))
        .then(() => this.#tellAll())
        .catch(again);
    } catch (error) {
      // The URL names a certificate that cannot be read.
      again(error as Error);
    }
  }

  #tellAll(): void {
    for (const area of this.#listeners.keys()) this.#tell(area);
  }

  #tell(area: Area): void {
    for (const listener of this.#listeners.get(area) ?? []) listener();
  }
}
