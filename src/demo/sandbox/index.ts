import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type RealTime, SandboxClock, systemTime } from './clock.ts';
import { publicState } from './control.ts';
import type { Control } from './control-types.ts';
import { Deliveries } from './deliveries.ts';
import { Faults } from './faults.ts';
import { Jobs } from './jobs.ts';
import type { JsonObject } from './json.ts';
import { RateLimits } from './limits.ts';
import { seed } from './seed.ts';
import { Server } from './server.ts';
import { type DataFile, dataFileAt, Store } from './store.ts';
import { Tokens } from './tokens.ts';

export type { RealTime } from './clock.ts';
export { DISTRIBUTORS } from './seed.ts';
export { type DataFile, UnusableData } from './store.ts';

export interface SandboxOptions {
  /** 0, the default, takes any free port. */
  port?: number;
  /** The sandbox listens on loopback only. */
  host?: '127.0.0.1';
  /** A file that keeps the state across restarts. */
  data?: string | DataFile;
  /** Called when the file cannot be written. The data stay in memory, and writing is retried after some seconds. */
  onSaveFailed?: (error: unknown) => void;
  /**
   * Delay between a change and writing the file, in ms of real time. If left out, the file is written before the
   * answer.
   */
  saveAfterMs?: number;
  /** Start time of the sandbox clock, in ISO 8601. With a data file, the clock continues from there instead. */
  now?: string;
  /** Source of real time; the system's by default. */
  clock?: RealTime;
  /** Called with one line per request, and with failures. */
  logger?: (line: string) => void;
}

export interface Sandbox {
  /** Called after `POST /sandbox/reset`, before it is answered. */
  onReset: () => Promise<void>;
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
  /** Returns the same as `GET /sandbox/state`, which is all state except secrets. */
  state(): unknown;
  /**
   * Runs a `POST` as the first distributor, without a token and limits, for the set-up by the host.
   *
   * @throws Error with the platform's message if it is refused
   */
  perform(path: string, body: JsonObject): JsonObject;
  /** Answers a read, without a request or a token. A bare array is returned as `Results`. Throws as `perform`. */
  read(path: string, query: Readonly<Record<string, string>>): JsonObject;
  /** For a host server that mounts the sandbox on its own port: answers `/v1.0/…` and `/sandbox/…`. */
  handle(req: IncomingMessage, res: ServerResponse): void;
}

/** Starts the platform sandbox and listens on 127.0.0.1. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const clock = new SandboxClock(options.clock ?? systemTime);
  const start = options.now === undefined ? null : Date.parse(options.now);
  if (Number.isNaN(start)) throw new Error(`now must be an ISO 8601 time, not ${JSON.stringify(options.now)}`);
  clock.set(start ?? clock.real.now());
  const data = typeof options.data === 'string' ? dataFileAt(options.data) : (options.data ?? null);
  const { store, tokens: saved } = Store.open(clock, data);
  const log = options.logger ?? (() => undefined);
  const deliveries = new Deliveries(store, clock);
  const tokens = new Tokens(clock, saved);
  const limits = new RateLimits(clock);
  const faults = new Faults();
  const jobs = new Jobs({ store, clock, deliveries });
  const saving = new Saving({
    real: clock.real,
    afterMs: options.saveAfterMs ?? 0,
    save: () => store.save(clock, tokens.saved()),
    onFailed: options.onSaveFailed ?? ((error) => log(`sandbox: the data could not be written: ${String(error)}`)),
  });
  const save = () => saving.request();
  // Writes the file once at the start, so that a file that cannot be written is noticed before any data depend on it.
  if (typeof options.data === 'string') store.save(clock, tokens.saved());
  const control: Control = {
    store,
    clock,
    deliveries,
    tokens,
    limits,
    faults,
    jobs,
    requests: [],
    commit: () => {
      save();
      jobs.arm();
    },
    release: () => undefined,
    reset: async (keepsTokens = false) => {
      await deliveries.abandon();
      control.release();
      clock.set(start ?? clock.real.now());
      store.state = seed(clock.now());
      if (!keepsTokens) tokens.expireAll();
      limits.clear();
      faults.clear();
      control.requests = [];
      jobs.restart();
      await sandbox.onReset();
    },
  };
  deliveries.onSettled = control.commit;
  jobs.onRun = save;
  const server = new Server(control, log);
  const listener = createServer((req, res) => server.handle(req, res));
  const port = await new Promise<number>((resolve, reject) => {
    listener.once('error', reject);
    listener.listen(options.port ?? 0, options.host ?? '127.0.0.1', () => {
      listener.off('error', reject);
      resolve((listener.address() as AddressInfo).port);
    });
  });
  control.commit();
  const sandbox: Sandbox = {
    onReset: async () => undefined,
    url: `http://127.0.0.1:${port}`,
    port,
    state: () => publicState(control),
    perform: (path, body) => server.perform(path, body),
    read: (path, query) => server.read(path, query),
    handle: (req, res) => server.handle(req, res),
    close: async () => {
      jobs.close();
      deliveries.onSettled = () => undefined;
      await deliveries.abandon();
      control.release();
      saving.now();
      saving.stop();
      await new Promise<void>((resolve) => {
        listener.close(() => resolve());
        listener.closeAllConnections();
      });
    },
  };
  return sandbox;
}

/** The delay before a failed write is repeated, in ms. */
const AGAIN_MS = 5_000;

interface SavingOptions {
  real: RealTime;
  afterMs: number;
  save: () => void;
  onFailed: (error: unknown) => void;
}

/**
 * Writes the state after a delay, so that several changes share one write. A failed write, for example on a full disk,
 * is retried and does not end the process.
 */
class Saving {
  readonly #options: SavingOptions;
  #timer: unknown;

  constructor(options: SavingOptions) {
    this.#options = options;
  }

  request(): void {
    const { afterMs, real } = this.#options;
    if (afterMs === 0) this.now();
    else this.#timer ??= real.setTimeout(() => this.now(), afterMs);
  }

  now(): void {
    const { real, save, onFailed } = this.#options;
    this.stop();
    try {
      save();
    } catch (error) {
      onFailed(error);
      this.#timer = real.setTimeout(() => this.now(), AGAIN_MS);
    }
  }

  stop(): void {
    this.#options.real.clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
