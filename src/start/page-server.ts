import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAttempts } from '../lib/attempts.ts';
import { systemClock } from '../lib/clock.ts';
import type { Config } from '../lib/config.ts';
import { foreign } from '../lib/http.ts';
import { createPageOpener, type Opener, openBrowser } from '../lib/open-browser.ts';
import { Pairing, pairingLink } from '../surfaces/web/pairing.ts';
import { loadOAuth } from './oauth/load.ts';
import { Router } from './router.ts';
import { openRuntime, type Runtime } from './runtime.ts';
import { confirmRoute } from './surfaces/confirm-pages.ts';

export interface WithPages {
  runtime: Runtime;
  /** Opens a confirmation's page in the user's browser. False without a browser, or if the page may not confirm. */
  showPage: (id: string) => Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Opens the runtime, and serves the confirmation pages on a loopback port of their own: for a process that serves nothing
 * else over HTTP, such as `switchboard mcp`.
 */
export async function openWithPages(config: Config, open: Opener = openBrowser): Promise<WithPages> {
  const listening = await listenOnLoopback();
  let runtime: Runtime | undefined;
  try {
    runtime = await openRuntime(config, {
      clock: systemClock,
      pageUrl: (id) => `${listening.url}/confirm/${id}`,
    });
    return await servePages({ config, open, runtime, ...listening });
  } catch (error) {
    listening.server.close();
    await runtime?.close();
    throw error;
  }
}

interface PageServerParts {
  config: Config;
  open: Opener;
  runtime: Runtime;
  server: Server;
  url: string;
}

async function servePages({ config, open, runtime, server, url }: PageServerParts): Promise<WithPages> {
  const clock = systemClock;
  const { log, seal, store } = runtime;
  const oauth = await loadOAuth(config, { url, clock, log });
  const pairing = new Pairing({ database: store.database('pairing'), seal, clock: store.clock });
  await pairing.serve({ url, pid: process.pid });
  const attempts = createAttempts(clock, log);
  const pages = { name: 'pages', routes: [confirmRoute({ ...runtime, attempts, pairing, flow: oauth?.flow })] };
  const router = new Router({ config, surfaces: [pages], hosts: [], attempts, oauth: oauth?.tokens, log });
  server.on('request', (request, response) => {
    // To callers from other sites this port looks empty.
    if (foreign(request, { hosts: [] }) !== undefined) response.writeHead(404).end();
    else void router.handle(request, response);
  });
  const openPage = createPageOpener({
    open,
    link: async (id) => pairingLink(url, await pairing.makeKey(), `/confirm/${id}`),
    now: clock.now,
    onError: (error) => log('warn', { error: String(error) }, 'the browser could not be opened'),
  });
  return {
    runtime,
    showPage: async (id) => (config.display && config.local && runtime.gate.decidesBy('page') ? openPage(id) : false),
    close: async () => {
      await pairing
        .leave(url)
        .catch((error: unknown) => log('warn', { error: String(error) }, 'this server stays noted'));
      server.close();
      server.closeAllConnections();
      await runtime.close();
    },
  };
}

async function listenOnLoopback(): Promise<{ server: Server; url: string }> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
