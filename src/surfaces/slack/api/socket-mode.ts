import { type App, type AppOptions, type Logger, SocketModeReceiver } from '@slack/bolt';
import type { Dispatcher } from 'undici';
import { type Clock, MINUTE_MS } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log.ts';
import { backoff } from '../../../work/jobs.ts';

export type ClientOptions = NonNullable<AppOptions['clientOptions']>;

/** The library logs a failure to connect, and rejects with it too. */
const REPORTED = 'Failed to retrieve a new WSS URL';

/** Receives Slack's requests over a WebSocket, for servers that Slack cannot reach. */
export class SocketMode {
  readonly #receiver: SocketModeReceiver;
  readonly #services: { clock: Clock; log: Log };
  #open = false;
  /** The last failure that was logged, so that each is logged once; undefined while connected. */
  #failure: string | undefined;
  #closed = false;
  #timer: unknown;

  /** `dispatcher` connects through the proxies of the settings; undefined without one. */
  constructor(options: {
    app: App;
    appToken: string;
    logger: Logger;
    clientOptions: ClientOptions;
    dispatcher: Dispatcher | undefined;
    clock: Clock;
    log: Log;
  }) {
    const { app, appToken, logger, clientOptions, dispatcher, log } = options;
    this.#services = options;
    const error = (...parts: unknown[]) => {
      if (!parts.some((part) => String(part).includes(REPORTED))) logger.error(...parts);
    };
    this.#receiver = new SocketModeReceiver({
      appToken,
      logger: { ...logger, error },
      ...(dispatcher && { dispatcher }),
      installerOptions: { clientOptions: { ...clientOptions, retryConfig: { retries: 2 } } },
    });
    this.#receiver.init(app);
    this.#receiver.client.on('connected', () => {
      this.#open = true;
      if (this.#failure !== undefined) log('info', {}, 'Socket Mode is connected again');
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
    } catch (failure) {
      const error = String(failure);
      const level = error === this.#failure ? 'debug' : 'error';
      this.#failure = error;
      // Slack's codes for a token name the setting.
      const setting = /auth|token|missing_scope|account_inactive/.test(error) ? ' (SLACK_APP_TOKEN)' : '';
      this.#services.log(level, { error }, `Socket Mode could not connect${setting}; trying again`);
      const wait = backoff(attempt + 1, MINUTE_MS);
      this.#timer = this.#services.clock.setTimeout(() => void this.connect(attempt + 1), wait);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#services.clock.clearTimeout(this.#timer);
    const text = 'Socket Mode was not connected';
    await this.#receiver.stop().catch((error: unknown) => this.#services.log('info', { error: String(error) }, text));
  }
}
