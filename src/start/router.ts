import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Attempts } from '../lib/attempts.ts';
import { type AccessTokens, BearerTokens } from '../lib/bearer-tokens.ts';
import type { Config } from '../lib/config.ts';
import { foreign, sendJson } from '../lib/http.ts';
import type { Log } from '../lib/log.ts';
import { type Refusal, refusedDemo, refusedToObserve } from './access.ts';
import type { Access, Route, Surface } from './surface.ts';

export interface RouterOptions {
  config: Pick<Config, 'MCP_HTTP_TOKENS' | 'public'>;
  surfaces: readonly Surface[];
  /** Host names accepted beside loopback. */
  hosts: readonly string[];
  attempts: Attempts;
  /** Left out if no OAuth issuer is configured. */
  oauth?: AccessTokens | undefined;
  log: Log;
}

/**
 * Finds the route of each request and checks that the caller may use it. Routes are a few exact prefixes, which need no
 * library.
 */
export class Router {
  readonly #options: RouterOptions;
  readonly #routes: readonly Route[];
  readonly #tokens: BearerTokens;

  constructor(options: RouterOptions) {
    this.#options = options;
    const { config, attempts, oauth } = options;
    this.#tokens = new BearerTokens({ tokens: config.MCP_HTTP_TOKENS, attempts, oauth });
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
    const route = this.#routes.find((one) => path === one.path || path.startsWith(`${one.path}/`));
    const refusal = await this.#refusal(request, route?.access ?? 'local');
    if (refusal) return refuse(response, refusal);
    if (route && (await route.handle(request, response, path))) return;
    const home = path === '/' ? this.#options.surfaces.find((surface) => surface.home !== undefined)?.home : undefined;
    if (home === undefined) return sendJson(response, 404, { error: `There is nothing at ${path}.` });
    response.writeHead(302, { location: home }).end();
  }

  async #refusal(request: IncomingMessage, access: Access): Promise<Refusal | undefined> {
    if (access === 'open') return undefined;
    const { config, hosts } = this.#options;
    const header = foreign(request, { hosts, opaque: access === 'page' });
    if (header !== undefined) {
      const error = `This ${header} is not accepted; set PUBLIC_URL or MCP_ALLOWED_HOSTS if it should be.`;
      return { status: 403, error };
    }
    if (access === 'demo') return refusedDemo(request, config);
    if (access === 'observer') return refusedToObserve(request, config, this.#tokens);
    return undefined;
  }
}

/** Returns the path of a request, without its query. */
export function pathOf(request: IncomingMessage): string {
  return (request.url ?? '/').split('?')[0] ?? '/';
}

function refuse(response: ServerResponse, { status, error, headers = {} }: Refusal): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  sendJson(response, status, { error });
}
