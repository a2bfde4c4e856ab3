import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAttempts } from '../lib/attempts.ts';
import { BearerTokens } from '../lib/bearer-tokens.ts';
import { systemClock } from '../lib/clock.ts';
import type { Config } from '../lib/config.ts';
import { foreign } from '../lib/http.ts';
import { createPageOpener, type Opener, openBrowser } from '../lib/open-browser.ts';
import { retried } from '../lib/retried.ts';
import { isStoreUnavailable, levelOf } from '../store/unavailable.ts';
import { Pairing } from '../surfaces/web/pairing.ts';
import { writePairingPage } from '../surfaces/web/pairing-page.ts';
import { openInstallation } from './installation.ts';
import { loadOAuth } from './oauth/load.ts';
import { Router } from './router.ts';
import { openLog, openRuntime, type Runtime } from './runtime.ts';
import { openSeal } from './seal.ts';
import { confirmRoutes } from './surfaces/confirm-pages.ts';

export interface WithPages {
  /** Opened when it is first used. */
  runtime: () => Promise<Runtime>;
  /** Opens a confirmation's page in the user's browser. False without a browser, or if the page may not confirm. */
  showPage: (id: string) => Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Serves the confirmation pages on a separate loopback port, for a process that serves nothing else over HTTP, such as
 * `switchboard mcp`. A browser can be paired at once, before there is a question.
 */
export async function openWithPages(config: Config, open: Opener = openBrowser): Promise<WithPages> {
  const { log } = openLog(config);
  const seal = openSeal(config);
  const store = await openInstallation(config, { clock: systemClock, log, seal });
  const { server, url } = await listenOnLoopback();
  const pairing = new Pairing({ database: store.database('pairing'), seal, clock: store.clock });
  const note = () => pairing.serve({ url, pid: process.pid });
  let isNoted = true;
  const runtime = retried(async () => {
    const opened = await openRuntime(config, { clock: systemClock, pages: url });
    if (!isNoted) opened.worker.persist(note);
    isNoted = true;
    return opened;
  });
  const gate = async () => (await runtime()).gate;
  const batches = async () => (await runtime()).batches;
  try {
    await note().catch((error: unknown) => {
      // Reads go on while the database is away, and `switchboard key` finds this server once it is back.
      if (!isStoreUnavailable(error)) throw error;
      isNoted = false;
    });
    const attempts = createAttempts(systemClock, log);
    const oauth = await loadOAuth(config, { url, clock: systemClock, log });
    const routes = confirmRoutes({
      config,
      gate,
      batches,
      attempts,
      pairing,
      seal,
      clock: store.clock,
      flow: oauth?.flow,
    });
    const bearers = new BearerTokens({ config, attempts, oauth: oauth?.tokens });
    const router = new Router({ config, surfaces: [{ name: 'pages', routes }], hosts: [], bearers, log });
    server.on('request', (request, response) => {
      // Callers from other sites get 404, so that this port looks empty to them.
      if (foreign(request, { hosts: [], opaque: true }) !== undefined) response.writeHead(404).end();
      else void router.handle(request, response);
    });
  } catch (error) {
    server.close();
    await store.close();
    throw error;
  }
  const openPage = createPageOpener({
    open,
    file: async (id) => {
      const key = await pairing.makeKey();
      return writePairingPage(config.DATA_DIR, { address: `${url}/confirm/${id}`, key });
    },
    now: systemClock.now,
    onError: (error) => log('warn', { error: String(error) }, 'the browser could not be opened'),
  });
  return {
    runtime,
    showPage: async (id) => (config.display && config.local && (await gate()).decidesBy('page') ? openPage(id) : false),
    close: async () => {
      await pairing
        .leave(url)
        .catch((error: unknown) => log(levelOf(error, 'warn'), { error: String(error) }, 'this server stays noted'));
      server.close();
      server.closeAllConnections();
      await runtime.opened?.then((opened) => opened.close());
      await store.close();
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
