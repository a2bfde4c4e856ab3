import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createAttempts } from '../lib/attempts.ts';
import { systemClock } from '../lib/clock.ts';
import type { Config } from '../lib/config.ts';
import { foreign } from '../lib/http.ts';
import { createPageOpener, type Opener, openBrowser } from '../lib/open-browser.ts';
import { createConfirmPage } from '../surfaces/web/confirm.ts';
import { Pairing, pairingLink } from '../surfaces/web/pairing.ts';
import { sessionsOf } from '../surfaces/web/session.ts';
import { openRuntime, type Runtime } from './runtime.ts';

export interface WithPages {
  runtime: Runtime;
  /** Opens a confirmation's page in the user's browser, where there is one and the page may confirm. */
  showPage: (id: string) => Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Ledger, client and gate, with the confirmation pages on a loopback port of their own: for a process that serves
 * nothing else over HTTP, such as `switchboard mcp`.
 */
export async function openWithPages(config: Config, open: Opener = openBrowser): Promise<WithPages> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let runtime: Runtime;
  try {
    runtime = await openRuntime(config, { pageUrl: (id) => `${url}/confirm/${id}` });
  } catch (error) {
    server.close();
    throw error;
  }
  const { log, seal, gate } = runtime;
  const pairing = new Pairing({ path: join(config.DATA_DIR, 'pairing.db'), seal, clock: systemClock });
  pairing.serve({ url, pid: process.pid });
  const page = createConfirmPage({
    gate: async () => gate,
    sessions: sessionsOf(config, pairing, createAttempts(systemClock, log)),
    publicUrl: config.PUBLIC_URL,
    demo: config.demo,
  });
  server.on('request', (request, response) => {
    const found = /^\/confirm(?:\/([\w-]+))?$/.exec((request.url ?? '').split('?')[0] ?? '');
    if (foreign(request, { hosts: [] }) !== undefined || !found) {
      response.writeHead(404).end();
      return;
    }
    page.handle(request, response, found[1]).catch((error: unknown) => {
      log('error', { error: error instanceof Error ? error.stack : String(error) }, 'a confirmation page failed');
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  const openPage = createPageOpener({
    open,
    link: (id) => pairingLink(url, pairing.makeKey(), `/confirm/${id}`),
    now: systemClock.now,
    onError: (error) => log('warn', { error: String(error) }, 'the browser could not be opened'),
  });
  return {
    runtime,
    showPage: async (id) => (config.display && config.local && gate.decidesBy('page') ? openPage(id) : false),
    close: async () => {
      pairing.leave(url);
      server.close();
      server.closeAllConnections();
      await runtime.close();
      pairing.close();
    },
  };
}
