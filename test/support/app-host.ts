import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { BrowserContext, FrameLocator, Page } from 'playwright-core';
import { rolldown } from 'rolldown';
import type { HostSetup, HostWindow } from './app-host/window.ts';
import { ROOT } from './build.ts';

/** What the specification has a host set for a view that names no domains. */
const POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'";

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Host</title>
<style>body{margin:8px}iframe{display:block;width:100%;height:40px;border:0}@media(prefers-color-scheme:dark){body{background:#191d23}}</style>
<iframe sandbox="allow-scripts" title="view"></iframe><script src="/host.js"></script></html>`;

/** The host of a view, on a port of its own, beside one server. */
export interface AppHost {
  url: string;
  close(): Promise<void>;
}

/**
 * Serves the host and the built view.
 *
 * @param call a tool call of the view; the host passes it to the server
 */
export async function serveAppHost(
  call: (params: { name: string; arguments?: object }) => Promise<object>,
): Promise<AppHost> {
  const made = await rolldown({
    input: { host: join(ROOT, 'test/support/app-host/page.ts') },
    cwd: ROOT,
    platform: 'browser',
  });
  const { output } = await made.generate({ format: 'iife' });
  await made.close();
  const script = output[0].code;
  const server = createServer(async (request, response) => {
    const send = (type: string, body: string, headers = {}) =>
      response.writeHead(200, { 'content-type': type, ...headers }).end(body);
    if (request.url === '/host.js') return send('text/javascript', script);
    if (request.url === '/view') {
      const view = readFileSync(join(ROOT, 'dist', 'view.html'), 'utf8');
      return send('text/html', view, { 'content-security-policy': POLICY });
    }
    if (request.url !== '/call') return send('text/html', PAGE);
    let body = '';
    for await (const chunk of request) body += chunk;
    return send('application/json', JSON.stringify(await call(JSON.parse(body))));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A view in an open host. */
export interface OpenView {
  page: Page;
  view: FrameLocator;
  /** What left the frame, and what the browser complained about. Both stay empty. */
  strays: string[];
  log(): Promise<string[]>;
  send(result: object): Promise<void>;
  run(script: string): Promise<unknown>;
}

/** Opens the host in a new page, and waits until the view is ready. */
export async function openView(context: BrowserContext, { url }: AppHost, setup: HostSetup = {}): Promise<OpenView> {
  const page = await context.newPage();
  const strays: string[] = [];
  page.on('request', (request) => {
    if (request.frame() !== page.mainFrame() && new URL(request.url()).pathname !== '/view') strays.push(request.url());
  });
  page.on('console', (message) => {
    if (message.type() === 'error') strays.push(message.text());
  });
  page.on('pageerror', (error) => strays.push(String(error)));
  await page.goto(url);
  await page.evaluate((given) => (globalThis as unknown as HostWindow).startHost(given), setup);
  await page.waitForFunction('window.host.log.includes("initialized")');
  return {
    page,
    view: page.frameLocator('iframe'),
    strays,
    log: () => page.evaluate<string[]>('window.host.log'),
    send: (result) => page.evaluate((given) => (globalThis as unknown as HostWindow).host.send(given), result),
    run: (script) => page.evaluate(script),
  };
}
