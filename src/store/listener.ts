import pg from 'pg';
import { FETCH_MS, LOOK_MS } from '../lib/durations.ts';
import type { Log } from '../lib/log.ts';
import type { Area } from './types.ts';

/** Sends one notification. */
export type Notify = (channel: string, payload: string) => Promise<unknown>;

/**
 * Notifies processes of each other's writes through LISTEN and NOTIFY. A lost connection is restored; until then, and
 * as a fallback, every listener is called every two seconds.
 */
export class Listener {
  readonly #url: string;
  readonly #log: Log;
  /** Id of this process in notifications, so that its own are not reported to it. */
  readonly #id: string;
  readonly #listeners = new Map<Area, Set<() => void>>();
  readonly #announcing = new Map<Area, NodeJS.Timeout>();
  #client: pg.Client | undefined;
  #isStarted = false;
  #isClosed = false;
  #poll: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;

  constructor(options: { url: string; log: Log; id: string }) {
    this.#url = options.url;
    this.#log = options.log;
    this.#id = options.id;
  }

  on(area: Area, listener: () => void): () => void {
    const listeners = this.#listeners.get(area) ?? new Set();
    this.#listeners.set(area, listeners.add(listener));
    this.#start();
    return () => {
      listeners.delete(listener);
    };
  }

  /** Notifies the other processes once within `ms`. If a notification fails, their polls find the write. */
  announce(area: Area, notify: Notify, ms: number): void {
    if (this.#isClosed || this.#announcing.has(area)) return;
    const timer = setTimeout(() => {
      this.#announcing.delete(area);
      if (this.#isClosed) return;
      notify(CHANNEL, `${area} ${this.#id}`).catch((error: unknown) =>
        this.#log('debug', { error: String(error) }, 'other processes could not be notified'),
      );
    }, ms).unref();
    this.#announcing.set(area, timer);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#poll);
    for (const timer of [this.#retry, ...this.#announcing.values()]) clearTimeout(timer);
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => undefined);
  }

  #start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    // A notification may be lost with its connection.
    this.#poll = setInterval(() => this.#tellAll(), LOOK_MS).unref();
    this.#connect();
  }

  #connect(): void {
    if (this.#isClosed) return;
    let client: pg.Client | undefined;
    let isOver = false;
    const again = (error?: Error) => {
      if (isOver || this.#isClosed) return;
      isOver = true;
      this.#log(
        'debug',
        { error: error?.message },
        'the connection that listens to the database ended; connecting again',
      );
      client?.end().catch(() => undefined);
      this.#retry = setTimeout(() => this.#connect(), LOOK_MS).unref();
    };
    try {
      client = this.#client = this.#made(again);
    } catch (error) {
      // The URL names a certificate that cannot be read.
      again(error as Error);
      return;
    }
    const made = client;
    made
      .connect()
      .then(() => made.query(`LISTEN ${CHANNEL}`))
      .then(() => this.#tellAll())
      .catch(again);
  }

  #made(again: (error?: Error) => void): pg.Client {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: 'switchboard listener',
      keepAlive: true,
      connectionTimeoutMillis: FETCH_MS,
    });
    client.on('error', again);
    client.on('end', () => again());
    client.on('notification', ({ payload = '' }) => this.#received(payload));
    return client;
  }

  #received(payload: string): void {
    const [area, id] = payload.split(' ');
    if (id !== this.#id) this.#tell(area as Area);
  }

  #tellAll(): void {
    for (const area of this.#listeners.keys()) this.#tell(area);
  }

  #tell(area: Area): void {
    for (const listener of this.#listeners.get(area) ?? []) listener();
  }
}

const CHANNEL = 'switchboard';
