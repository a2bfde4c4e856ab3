import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type RealTime, SandboxClock, systemTime } from './clock.ts';
import { publicState } from './control.ts';
import type { Control } from './control-types.ts';
import { Deliveries } from './deliveries.ts';
import { Faults } from './faults.ts';
import { Jobs } from './jobs.ts';
import { RateLimits } from './limits.ts';
import { seed } from './seed.ts';
import { Server } from './server.ts';
import { Store } from './store.ts';
import { Tokens } from './tokens.ts';

export type { RealTime } from './clock.ts';

export interface SandboxOptions {
  /** 0, the default, takes any free port. */
  port?: number;
  /** The sandbox listens on loopback only. */
  host?: '127.0.0.1';
  /** A file that keeps the state across restarts. */
  data?: string;
  /** ISO 8601: where the sandbox clock starts. With a data file, its clock continues instead. */
  now?: string;
  /** Where real time comes from. */
  clock?: RealTime;
  /** Called with one line per request, and with failures. */
  logger?: (line: string) => void;
}

export interface Sandbox {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
  /** As `GET /sandbox/state`: everything, secrets left out. */
  state(): unknown;
  /** For a host server that mounts the sandbox on its own port: answers `/v1.0/…` and `/sandbox/…`. */
  handle(req: IncomingMessage, res: ServerResponse): void;
}

/** Starts the platform sandbox and listens on 127.0.0.1. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const clock = new SandboxClock(options.clock ?? systemTime);
  const start = options.now === undefined ? null : Date.parse(options.now);
  if (Number.isNaN(start)) throw new Error(`now must be an ISO 8601 time, not ${JSON.stringify(options.now)}`);
  clock.set(start ?? clock.real.now());
  const { store, tokens: saved } = Store.open(clock, options.data ?? null);
  const log = options.logger ?? (() => undefined);
  const deliveries = new Deliveries(store, clock);
  const tokens = new Tokens(clock, saved);
  const limits = new RateLimits(clock);
  const faults = new Faults();
  const jobs = new Jobs({ store, clock, deliveries });
  const save = () => store.save(clock, tokens.saved());
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
    reset: async () => {
      await deliveries.abandon();
      control.release();
      clock.set(start ?? clock.real.now());
      store.state = seed(clock.now());
      tokens.expireAll();
      limits.clear();
      faults.clear();
      control.requests = [];
      jobs.restart();
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
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    state: () => publicState(control),
    handle: (req, res) => server.handle(req, res),
    close: async () => {
      jobs.close();
      deliveries.onSettled = () => undefined;
      await deliveries.abandon();
      control.release();
      save();
      await new Promise<void>((resolve) => {
        listener.close(() => resolve());
        listener.closeAllConnections();
      });
    },
  };
}
