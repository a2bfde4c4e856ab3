import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { BrowserContext, FrameLocator, Page } from 'playwright-core';
import { rolldown } from 'rolldown';
import { view } from '../../tools/surfaces/views.ts';
import type { HostSetup, HostWindow } from './app-host/window.ts';
import { ROOT } from './build.ts';

/** The policy that the specification requires for a view that names no domains. */
const POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'";

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Host</title>
<style>body{margin:8px}iframe{display:block;width:100%;height:40px;border:0}@media(prefers-color-scheme:dark){body{background:#191d23}}</style>
<iframe sandbox="allow-scripts" title="view"></iframe><script src="/host.js"></script></html>`;

/** The page between the host and the view. It has the policy, which the view in its frame inherits. */
const PROXY = `<!doctype html><style>body{margin:0}iframe{display:block;width:100%;height:100vh;border:0}</style><script>
let view;
addEventListener('message', ({ source, data }) => {
  if (source === view?.contentWindow) return parent.postMessage(data, '*');
  if (source !== parent) return;
  if (data.method !== 'ui/notifications/sandbox-resource-ready') return view?.contentWindow.postMessage(data, '*');
  view = Object.assign(document.createElement('iframe'), { srcdoc: data.params.html });
  view.setAttribute('sandbox', data.params.sandbox);
  document.body.append(view);
});
addEventListener('load', () =>
  parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-proxy-ready', params: {} }, '*'));
</script>`;

/** The host of a view, on a separate port, beside one server. */
export interface AppHost {
  url: string;
  close(): Promise<void>;
}

/** Serves the host. `client`: its connection to the server, of which the view is a resource. */
export async function serveAppHost(client: Client): Promise<AppHost> {
  const [resource] = (await client.readResource({ uri: view.uri })).contents;
  const html = resource && 'text' in resource ? String(resource.text) : '';
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
    const policy = { 'content-security-policy': POLICY };
    if (request.url === '/view') return send('text/html', html, policy);
    if (request.url === '/proxy') return send('text/html', PROXY, policy);
    if (request.url !== '/call') return send('text/html', PAGE);
    let body = '';
    for await (const chunk of request) body += chunk;
    return send('application/json', JSON.stringify(await client.callTool(JSON.parse(body))));
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
  /** Requests that left the frame, and errors of the browser's console. A test expects none. */
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
    const isOurs = ['/view', '/proxy'].includes(new URL(request.url()).pathname);
    if (request.frame() !== page.mainFrame() && !isOurs) strays.push(request.url());
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
    view: setup.isProxied ? page.frameLocator('iframe').frameLocator('iframe') : page.frameLocator('iframe'),
    strays,
    log: () => page.evaluate<string[]>('window.host.log'),
    send: (result) => page.evaluate((given) => (globalThis as unknown as HostWindow).host.send(given), result),
    run: (script) => page.evaluate(script),
  };
}
