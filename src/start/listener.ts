import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { inTime, systemClock } from '../lib/clock.ts';
import { type Config, ConfigError } from '../lib/config.ts';
import {
  type Bearers,
  foreign,
  fromLoopback,
  fromOtherOrigin,
  isRefusal,
  MAX_CONNECTIONS,
  ProcessLoad,
  type Refusal,
  sendJson,
  sendRefusal,
  TIMEOUTS,
} from '../lib/http.ts';
import type { Log } from '../lib/log.ts';
import { urlHost } from '../lib/values.ts';
import { type Access, READ, type Surface } from './surface.ts';

/** Maximum time that a request waits for the start-up to end, in ms. */
const MAX_WAIT_MS = 30_000;
/** Maximum number of requests that wait at the same time. */
const MAX_WAITING = 100;

/**
 * Opens the HTTP server of `switchboard start`. It listens before anything else is opened, so that an early caller waits
 * for the start-up instead of finding its connection refused.
 *
 * @throws ConfigError when HOST is no address of this computer, or the port cannot be used
 */
export async function openListener(config: Config) {
  const server = createServer(TIMEOUTS);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const { HOST, PORT } = config;
      if (error.code === 'EADDRINUSE')
        reject(new ConfigError(`PORT ${PORT} is in use on ${HOST}; set another one, or 0 for any.`));
      else reject(new ConfigError(`HOST ${HOST} and PORT ${PORT} cannot be listened on (${error.code}).`));
    });
    server.listen({ port: config.PORT, host: config.HOST, backlog: MAX_CONNECTIONS }, resolve);
  });
  const { address, port } = server.address() as AddressInfo;
  const load = new ProcessLoad();
  const turns = new Turns();
  let stage: 'open' | 'stopping' | 'stopped' = 'open';
  /** The number of requests that arrived before there was a router. */
  let waiting = 0;
  let router: Router | undefined;
  let isRouted: (router: Router) => void = () => undefined;
  const routed = new Promise<Router>((resolve) => {
    isRouted = resolve;
  });
  server.on('connection', (socket) => {
    load.connected(socket);
    turns.isHeld = true;
  });
  server.on('request', answer);
  server.on('upgrade', (request, socket, head) => {
    if (!router?.upgrade(request, socket, head)) socket.destroy();
  });

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const path = pathOf(request);
    // The client opens its next connection elsewhere.
    if (stage !== 'open') response.shouldKeepAlive = false;
    // Answered under any load, because monitoring must learn that the process is up.
    if (/^\/healthz\/?$/.test(path)) {
      if (READ.includes(request.method ?? '')) sendJson(response, 200, { ok: true });
      else refuseMethod(response, READ);
      return;
    }
    if (!load.admit(request, response)) return;
    if (stage !== 'open' && path === '/readyz') {
      sendJson(response, 503, { ready: false, problems: [STOPPING.error] });
    } else if (stage === 'stopped') {
      sendRefusal(response, STOPPING);
    } else if (router) {
      void turns.next().then(() => router?.handle(request, response));
    } else if (path === '/readyz' || waiting >= MAX_WAITING) {
      sendRefusal(response, STARTING);
    } else {
      waiting += 1;
      void inTime(systemClock, MAX_WAIT_MS, routed, () => undefined).then((opened) => {
        waiting -= 1;
        if (response.destroyed) return undefined;
        return opened ? opened.handle(request, response) : sendRefusal(response, STARTING);
      });
    }
  }

  /**
   * Answers `/readyz` with 503 from now on, so that no more callers are sent here, and resolves when no request is under
   * way, or after this time. Requests that still come are served.
   */
  async function drain(ms: number): Promise<void> {
    stage = 'stopping';
    await inTime(systemClock, ms, load.idle(), () => undefined);
  }

  return {
    port,
    /** The address that it listens on. */
    address: `http://${urlHost(address)}:${port}`,
    /** The address as others reach it, without a slash at its end. */
    url: config.PUBLIC_URL ?? `http://${urlHost(config.HOST)}:${port}`,
    /** Sends requests to this router from now on. */
    route: (opened: Router) => {
      router = opened;
      isRouted(opened);
    },
    drain,
    /**
     * Accepts no more connections: a proxy sends what comes to another process, because a refused one is safe to repeat.
     * Refuses what still comes over open connections once no request is under way, or after this time.
     */
    refuse: async (ms: number) => {
      server.close();
      await drain(ms);
      stage = 'stopped';
    },
    /** Cuts the connections that are still open. */
    close: () => server.closeAllConnections(),
  };
}

const LATER = { status: 503, headers: { 'retry-after': '1' } };
const STOPPING: Refusal = { ...LATER, error: 'Switchboard is stopping; try again in a second.' };
const STARTING: Refusal = { ...LATER, error: 'Switchboard is starting; try again in a second.' };

/**
 * Finds the route of each request, and checks its caller and its method. Hono 4.13 was measured and not taken: its routes
 * and checks need as many lines, because bodies, streams and connections are Node's own, a request takes 10 µs more, and
 * its 108 kB take 30 ms to load.
 */
export function createRouter(options: {
  config: Pick<Config, 'public'>;
  surfaces: readonly Surface[];
  /** Host names accepted beside loopback. */
  hosts: readonly string[];
  bearers: Bearers;
  log: Log;
}) {
  const { config, surfaces, hosts, bearers, log } = options;
  const routes = surfaces.flatMap((surface) => surface.routes ?? []);

  async function answer(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const route = routes.find(
      (one) => path.replace(/\/$/, '') === one.path || (one.below && path.startsWith(`${one.path}/`)),
    );
    const refusal = await refusalOf(request, route?.access ?? 'local');
    if (refusal) return sendRefusal(response, refusal);
    if (route?.methods?.includes(request.method ?? '') === false) return refuseMethod(response, route.methods);
    if (route && (await route.handle(request, response, path)) !== false) return;
    const home = path === '/' ? surfaces.find((surface) => surface.home !== undefined)?.home : undefined;
    if (home === undefined) return sendJson(response, 404, { error: `There is nothing at ${path}.` });
    response.writeHead(302, { location: home }).end();
  }

  async function refusalOf(request: IncomingMessage, access: Access): Promise<Refusal | undefined> {
    if (access === 'open') return undefined;
    const header = foreign(request, hosts, access === 'page');
    const error = `This ${header} is not accepted; set PUBLIC_URL or MCP_ALLOWED_HOSTS if it should be.`;
    if (header !== undefined) return { status: 403, error };
    if (access === 'demo') return refusedDemo(request, config);
    if (access !== 'observer') return undefined;
    // Wrong tokens are counted together with those at `/mcp`, so that tokens cannot be guessed here instead.
    const caller = await bearers.callerOf(request);
    return isRefusal(caller) ? caller : undefined;
  }

  return {
    /** Answers every request; never rejects. */
    async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const path = pathOf(request);
      try {
        await answer(request, response, path);
      } catch (error) {
        log('error', { path, error: error instanceof Error ? error.stack : String(error) }, 'a request failed');
        if (!response.headersSent) sendJson(response, 500, { error: 'Something failed; the log has the details.' });
        else response.end();
      }
    },

    /** Hands a connection to the surface that takes it over. False if none does. */
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
      if (foreign(request, hosts) !== undefined || refusedDemo(request, config) !== undefined) return false;
      return surfaces.some((surface) => surface.upgrade?.(request, socket, head));
    },
  };
}

type Router = ReturnType<typeof createRouter>;

function refuseMethod(response: ServerResponse, methods: readonly string[]): void {
  const allow = methods.join(', ');
  sendRefusal(response, { status: 405, error: `This address accepts ${allow} only.`, headers: { allow } });
}

/** Returns the path of a request, without its query. */
function pathOf(request: IncomingMessage): string {
  return (request.url ?? '/').split('?')[0] ?? '/';
}

/**
 * Checks that a caller may use the demo's playground and control plane: only pages of this server on this computer may.
 * Behind a public address all callers are refused, because requests through a proxy may look local.
 */
function refusedDemo(request: IncomingMessage, config: Pick<Config, 'public'>): Refusal | undefined {
  if (config.public)
    return { status: 403, error: 'The demo is for this computer only, and PUBLIC_URL lets others reach this server.' };
  if (!fromLoopback(request)) return { status: 403, error: 'The demo answers on this computer only.' };
  if (fromOtherOrigin(request))
    return { status: 403, error: 'The demo answers its own pages only; open its address in the address bar.' };
  return undefined;
}

/** Turns in a row in which new connections keep work from being started. */
const MOST_HELD = 100;

/**
 * Starts work one piece at a time, each in its own turn of the event loop. Many requests that arrive together would
 * otherwise be handled in one turn, and no other connection would be served until its end.
 */
class Turns {
  /**
   * Set for each new connection, to start nothing in this turn: Node accepts one in a turn, so a connection waits for as
   * many turns as connections were opened before it, and these turns must be short.
   */
  isHeld = false;
  readonly #waiting: (() => void)[] = [];
  /** Turns since the last piece of work was started. */
  #held = 0;

  /** Resolves in a turn in which nothing else is started. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) setImmediate(() => this.#start());
    });
  }

  #start(): void {
    if (this.isHeld && this.#held < MOST_HELD) {
      this.#held += 1;
    } else {
      this.#held = 0;
      this.#waiting.shift()?.();
    }
    this.isHeld = false;
    if (this.#waiting.length > 0) setImmediate(() => this.#start());
  }
}
