import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type BearerTokens, isRefusal } from '../lib/bearer-tokens.ts';
import type { Config } from '../lib/config.ts';
import { foreign, fromLoopback, fromOtherOrigin, type Refusal, sendJson, sendRefusal } from '../lib/http.ts';
import type { Log } from '../lib/log.ts';
import type { Access, Route, Surface } from './surface.ts';

export interface RouterOptions {
  config: Pick<Config, 'public'>;
  surfaces: readonly Surface[];
  /** Host names accepted beside loopback. */
  hosts: readonly string[];
  bearers: BearerTokens;
  log: Log;
}

/**
 * Finds the route of each request, and checks its caller and its method. Hono 4.13 was measured and not taken: its routes
 * and checks need as many lines, because bodies, streams and connections are Node's own, a request takes 10 µs more, and
 * its 108 kB take 30 ms to load.
 */
export class Router {
  readonly #options: RouterOptions;
  readonly #routes: readonly Route[];

  constructor(options: RouterOptions) {
    this.#options = options;
    this.#routes = options.surfaces.flatMap((surface) => surface.routes ?? []);
  }

  /** Answers every request; never rejects. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = pathOf(request);
    try {
      await this.#answer(request, response, path);
    } catch (error) {
      const detail = error instanceof Error ? error.stack : String(error);
      this.#options.log('error', { path, error: detail }, 'a request failed');
      if (!response.headersSent) sendJson(response, 500, { error: 'Something failed; the log has the details.' });
      else response.end();
    }
  }

  /** Hands a connection to the surface that takes it over, or closes it. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { config, surfaces, hosts } = this.#options;
    const refused = foreign(request, { hosts }) !== undefined || refusedDemo(request, config) !== undefined;
    if (refused || !surfaces.some((surface) => surface.upgrade?.(request, socket, head))) socket.destroy();
  }

  async #answer(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const route = this.#routes.find((one) => path === one.path || (one.below && path.startsWith(`${one.path}/`)));
    const refusal = (await this.#refusal(request, route?.access ?? 'local')) ?? refusedMethod(request, route);
    if (refusal) return sendRefusal(response, refusal);
    if (route && (await route.handle(request, response, path)) !== false) return;
    const home = path === '/' ? this.#options.surfaces.find((surface) => surface.home !== undefined)?.home : undefined;
    if (home === undefined) return sendJson(response, 404, { error: `There is nothing at ${path}.` });
    response.writeHead(302, { location: home }).end();
  }

  async #refusal(request: IncomingMessage, access: Access): Promise<Refusal | undefined> {
    if (access === 'open') return undefined;
    const { config, hosts, bearers } = this.#options;
    const header = foreign(request, { hosts, opaque: access === 'page' });
    if (header !== undefined) {
      const error = `This ${header} is not accepted; set PUBLIC_URL or MCP_ALLOWED_HOSTS if it should be.`;
      return { status: 403, error };
    }
    if (access === 'demo') return refusedDemo(request, config);
    if (access !== 'observer') return undefined;
    // Wrong tokens are counted together with those at `/mcp`, so that tokens cannot be guessed here instead.
    const caller = await bearers.callerOf(request);
    return isRefusal(caller) ? caller : undefined;
  }
}

/** Returns the path of a request, without its query. */
export function pathOf(request: IncomingMessage): string {
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

function refusedMethod(request: IncomingMessage, route: Route | undefined): Refusal | undefined {
  if (route?.methods === undefined || route.methods.includes(request.method ?? '')) return undefined;
  const allow = route.methods.join(', ');
  return { status: 405, error: `This address accepts ${allow} only.`, headers: { allow } };
}
