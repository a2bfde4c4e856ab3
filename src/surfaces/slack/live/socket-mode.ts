import { type App, type AppOptions, type Logger, SocketModeReceiver } from '@slack/bolt';
import type { Dispatcher } from 'undici';
import type { Clock } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log.ts';
import { backoff } from '../../../work/failures.ts';

export type ClientOptions = NonNullable<AppOptions['clientOptions']>;

export interface SocketModeOptions {
  app: App;
  appToken: string;
  logger: Logger;
  clientOptions: ClientOptions;
  /** Connects through the proxies of the settings; undefined without one. */
  dispatcher: Dispatcher | undefined;
  clock: Clock;
  log: Log;
}

const MAX_RETRY_MS = 60_000;
/** Tries of the request that opens a connection. */
const RETRIES = 2;

/** Receives Slack's requests over a WebSocket, for servers that Slack cannot reach. */
export class SocketMode {
  readonly #receiver: SocketModeReceiver;
  readonly #clock: Clock;
  readonly #log: Log;
  #open = false;
  #closed = false;
  #timer: unknown;

  constructor({ app, appToken, logger, clientOptions, dispatcher, clock, log }: SocketModeOptions) {
    this.#clock = clock;
    this.#log = log;
    this.#receiver = new SocketModeReceiver({
      appToken,
      logger,
      ...(dispatcher && { dispatcher }),
      installerOptions: { clientOptions: { ...clientOptions, retryConfig: { retries: RETRIES } } },
    });
    this.#receiver.init(app);
    this.#receiver.client.on('connected', () => {
      this.#open = true;
    });
    for (const event of ['connecting', 'reconnecting', 'disconnected'])
      this.#receiver.client.on(event, () => {
        this.#open = false;
      });
  }

  get connected(): boolean {
    return this.#open;
  }

  /** Connects, and tries again at growing intervals while Slack is down. */
  async connect(attempt = 0): Promise<void> {
    if (this.#closed) return;
    try {
      await this.#receiver.start();
    } catch (error) {
      this.#log('error', { error: String(error) }, 'Socket Mode could not connect; will retry');
      const wait = backoff(attempt + 1, MAX_RETRY_MS);
      this.#timer = this.#clock.setTimeout(() => void this.connect(attempt + 1), wait);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#clock.clearTimeout(this.#timer);
    await this.#receiver
      .stop()
      .catch((error: unknown) => this.#log('info', { error: String(error) }, 'Socket Mode was not connected'));
  }
}
