import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inTime, retried, systemClock } from '../lib/clock.ts';
import type { Config } from '../lib/config.ts';
import { createAttempts, createBearers, foreign, sendJson } from '../lib/http.ts';
import { levelOf, readOrElse } from '../store/key-values.ts';
import { createPairing, type Opener, openBrowser, writePairingPage } from '../surfaces/web/session.ts';
import { openInstallation, openLog, openSeal } from './installation.ts';
import { loadOAuth } from './oauth/index.ts';

/** The pause between two pages: an assistant with many requests must not flood the screen. */
const APART_MS = 5_000;
/** Maximum time in which requests under way are answered when the process ends, in ms. */
const ANSWER_MS = 5_000;

/**
 * Serves the confirmation pages on a separate loopback port, for a process that serves nothing else over HTTP, such as
 * `switchboard mcp`. A browser can be paired at once, before there is a question.
 */
export async function openWithPages(config: Config, open: Opener = openBrowser) {
  const { log } = openLog(config);
  const seal = await openSeal(config);
  const store = await openInstallation(config, { log, seal });
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const pairing = createPairing(store, seal);
  const note = () => pairing.serve({ url, pid: process.pid });
  const runtime = retried(async () => {
    // Most of the program. A server that an assistant has started but not called yet does not need it.
    const { openRuntime } = await import('./runtime.ts');
    const opened = await openRuntime(config, { serves: 'stdio', pages: url });
    opened.worker.persist(note);
    return opened;
  });
  try {
    // While the database is away, reads go on. The note is written again with the first call.
    await readOrElse(note(), undefined);
    const attempts = createAttempts(systemClock, log);
    const oauth = await loadOAuth(config, { url, clock: systemClock, log });
    const router = retried(async () => {
      const { createRouter } = await import('./listener.ts');
      const { confirmRoutes } = await import('./surfaces/confirm-pages.ts');
      const routes = confirmRoutes({ config, runtime, attempts, pairing, seal, clock: store.clock, oauth });
      const bearers = createBearers(config, attempts, oauth);
      return createRouter({ config, surfaces: [{ name: 'pages', routes }], hosts: [], bearers, log });
    });
    server.on('request', (request, response) => {
      // Callers from other sites get 404, so that this port looks empty to them.
      if (foreign(request, [], true) !== undefined) return void response.writeHead(404).end();
      // The pages are loaded with the first request.
      router()
        .then((opened) => opened.handle(request, response))
        .catch((error: unknown) => {
          log('error', { error: String(error) }, 'the confirmation pages could not be opened');
          sendJson(response, 500, { error: 'The page could not be opened; the log has the details.' });
        });
    });
  } catch (error) {
    server.close();
    await store.close();
    throw error;
  }
  const opened = new Set<string>();
  let openedAt = Number.NEGATIVE_INFINITY;
  /**
   * Opens a confirmation's page in the user's browser, each once. False without a browser, if the page may not confirm, or
   * soon after another page.
   */
  const showPage = async (id: string): Promise<boolean> => {
    const now = systemClock.now();
    const mayOpen = config.display && config.local && (await runtime()).gate.decidesBy('page');
    if (!mayOpen || opened.has(id) || now - openedAt < APART_MS) return false;
    opened.add(id);
    openedAt = now;
    try {
      await open(writePairingPage(config.DATA_DIR, { address: `${url}/confirm/${id}`, key: await pairing.makeKey() }));
      return true;
    } catch (error) {
      log('warn', { error: String(error) }, 'the browser could not be opened');
      return false;
    }
  };
  return {
    /** Opened when it is first used. */
    runtime,
    showPage,
    close: async () => {
      await pairing
        .leave(url)
        .catch((error: unknown) => log(levelOf(error, 'warn'), { error: String(error) }, 'this server stays noted'));
      // Requests under way, such as a person's decision, are answered.
      await inTime(systemClock, ANSWER_MS, new Promise((resolve) => server.close(resolve)), () => undefined);
      server.closeAllConnections();
      await runtime.opened?.then((opened) => opened.close());
      await store.close();
    },
  };
}
