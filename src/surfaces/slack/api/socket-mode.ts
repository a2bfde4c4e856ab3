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
  /** The last failure that was logged, so that each is logged once; undefined while connected. */
  #failure: string | undefined;
  #closed = false;
  #timer: unknown;

  constructor({ app, appToken, logger, clientOptions, dispatcher, clock, log }: SocketModeOptions) {
    this.#clock = clock;
    this.#log = log;
    this.#receiver = new SocketModeReceiver({
      appToken,
      logger: { ...logger, error: (...parts) => (isReported(parts) ? undefined : logger.error(...parts)) },
      ...(dispatcher && { dispatcher }),
      installerOptions: { clientOptions: { ...clientOptions, retryConfig: { retries: RETRIES } } },
    });
    this.#receiver.init(app);
    this.#receiver.client.on('connected', () => {
      this.#open = true;
      if (this.#failure !== undefined) this.#log('info', {}, 'Socket Mode is connected again');
      this.#failure = undefined;
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
      this.#report(String(error));
      const wait = backoff(attempt + 1, MAX_RETRY_MS);
      this.#timer = this.#clock.setTimeout(() => void this.connect(attempt + 1), wait);
    }
  }

  /** Slack's codes for a token name the setting. */
  #report(error: string): void {
    const isNew = error !== this.#failure;
    this.#failure = error;
    const setting = /auth|token|missing_scope|account_inactive/.test(error) ? ' (SLACK_APP_TOKEN)' : '';
    this.#log(isNew ? 'error' : 'debug', { error }, `Socket Mode could not connect${setting}; trying again`);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#clock.clearTimeout(this.#timer);
    await this.#receiver
      .stop()
      .catch((error: unknown) => this.#log('info', { error: String(error) }, 'Socket Mode was not connected'));
  }
}

/** The library logs a failure to connect, and rejects with it too. */
function isReported(parts: readonly unknown[]): boolean {
  return parts.some((part) => String(part).includes('Failed to retrieve a new WSS URL'));
}
