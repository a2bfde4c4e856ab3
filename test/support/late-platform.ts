import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { beforeEach } from 'vitest';
import type { Clock } from '../../src/lib/clock.ts';
import { listen } from './ending.ts';
import { openSandbox } from './on-sandbox.ts';
import { openWorld } from './world.ts';

/**
 * The fate of one request on its way to the platform.
 * `cut-late`: the connection is cut at once, the work is done when `release` is called.
 * `held`: the work is done and answered when `release` is called.
 * `cut-done`: the work is done, then the connection is cut. `cut-lost`: the connection is cut, the work is never done.
 * A string that starts with "{": that answer, and no work. A number: that status, and no work.
 */
export type Fate = 'held' | 'cut-late' | 'cut-done' | 'cut-lost' | `{${string}` | number;

interface Held {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A request to the platform: its path without the query, and the members of its query or body. */
export interface Asked {
  method: string;
  path: string;
  sent: Record<string, unknown>;
}

function askedOf({ method, path: url, body }: Held): Asked {
  const { pathname: path, searchParams } = new URL(url, 'http://localhost');
  return { method, path, sent: body === '' ? Object.fromEntries(searchParams) : JSON.parse(body) };
}

export type LatePlatform = Awaited<ReturnType<typeof openLatePlatform>>;

/**
 * Opens a proxy between Switchboard and a sandbox, which lets requests meet faults that the sandbox itself cannot play.
 */
export async function openLatePlatform() {
  const fates: { path: string; fate: Fate; method: string | undefined }[] = [];
  const held: Held[] = [];
  const holding: (() => void)[] = [];
  const platform = {
    url: '',
    /** The address of the sandbox behind it. */
    target: '',
    /** The next request to this path, with this method if it is given, meets this fate. */
    next: (path: string, fate: Fate, method?: string) => void fates.push({ path, fate, method }),
    /** Requests that arrived, with the query: "GET /v1.0/numbers?PhoneNumber=…". Those for or without a valid token are left out. */
    arrived: [] as string[],
    /** Changes an answer of the sandbox with status 200. `asked`: the members of the request's query or body. */
    rewrite: undefined as ((answer: string, asked: Asked) => string) | undefined,
    /** Runs after the work of a `cut-done` request, before its connection is cut. */
    beforeCut: undefined as (() => Promise<void>) | undefined,
    /** Fates that no request has met yet. */
    waiting: () => fates.length,
    /** Does the work of the requests that were held or cut. Waits until that of the cut ones is done. */
    release: async () => {
      for (const go of holding.splice(0)) go();
      for (const request of held.splice(0)) await forward(request);
    },
  };

  async function forward(request: Held) {
    const { method, path, headers, body } = request;
    const sent: Record<string, string> = {};
    for (const name of ['authorization', 'content-type']) {
      const value = headers[name];
      if (typeof value === 'string') sent[name] = value;
    }
    // A token is for one address, that of the platform as Switchboard knows it.
    const text = body.replaceAll(platform.url, platform.target);
    const answer = await fetch(`${platform.target}${path}`, {
      method,
      headers: sent,
      ...(method === 'GET' ? {} : { body: text }),
    });
    const said = await answer.text();
    const shown =
      answer.status === 200 && platform.rewrite && !path.endsWith('/oauth2/tokens')
        ? platform.rewrite(said, askedOf(request))
        : said;
    const shownHeaders: Record<string, string> = {};
    for (const name of ['content-type', 'retry-after']) {
      const value = answer.headers.get(name);
      if (value !== null) shownHeaders[name] = value;
    }
    return { status: answer.status, headers: shownHeaders, text: shown };
  }

  async function play(request: Held, response: ServerResponse): Promise<void> {
    const path = request.path.split('?')[0];
    const arrives = () => {
      if (!path?.endsWith('/oauth2/tokens')) platform.arrived.push(`${request.method} ${request.path}`);
    };
    const at = fates.findIndex((one) => one.path === path && (one.method ?? request.method) === request.method);
    const fate = at < 0 ? undefined : fates.splice(at, 1)[0]?.fate;
    const answer = typeof fate === 'string' && fate.startsWith('{') ? fate : undefined;
    if (fate !== undefined) arrives();
    if (typeof fate === 'number' || answer !== undefined) {
      const status = typeof fate === 'number' ? fate : 200;
      response.writeHead(status, { 'content-type': 'application/json' }).end(answer ?? '{"Message":"Try again"}');
      return;
    }
    if (fate === 'cut-late') held.push(request);
    if (fate === 'cut-done') {
      await forward(request);
      await platform.beforeCut?.();
    }
    if (fate === 'held') await new Promise<void>((resolve) => holding.push(resolve));
    else if (fate !== undefined) {
      response.destroy();
      return;
    }
    const { status, headers, text } = await forward(request);
    if (fate === undefined && status !== 401) arrives();
    response.writeHead(status, headers).end(text);
  }

  const server = createServer((request, response) => {
    const { method = 'GET', url: path = '/', headers } = request;
    textOf(request)
      .then((body) => play({ method, path, headers, body }, response))
      .catch((error: unknown) => response.destroy(error as Error));
  });
  platform.url = await listen(server);
  return platform;
}

/** Opens such a platform before a sandbox of its own. */
export async function openLateSandbox(): Promise<LatePlatform> {
  const platform = await openLatePlatform();
  platform.target = (await openSandbox()).url;
  return platform;
}

/** A world with these settings behind such a platform. */
export async function lateWorld(env: Record<string, string>, clock?: Clock) {
  const platform = await openLatePlatform();
  const world = await openWorld({ MCP_TOOLSETS: 'all', PLATFORM_BASE_URL: platform.url, ...env }, clock);
  platform.target = world.sandbox.url;
  return { platform, world };
}

/** A world of a file behind such a platform, and a client of it. Each test finds them as if they were new. */
export async function sharedLateWorld(clock?: Clock) {
  const { platform, world } = await lateWorld({}, clock);
  beforeEach(async () => {
    platform.rewrite = undefined;
    await world.afresh();
  });
  return { platform, world, client: await world.client() };
}
