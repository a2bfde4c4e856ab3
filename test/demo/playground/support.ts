import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { createPlayground } from '../../../src/demo/playground/page.ts';
import { createWorkspace, type Workspace, type WorkspaceOptions } from '../../../src/demo/playground/workspace.ts';
import type { OpenBrowser } from '../../support/browser.ts';
import { until } from '../../support/until.ts';
import type { Json } from '../../support/world.ts';

export { until };

export function plain(text: string) {
  return { type: 'plain_text', text };
}

export function section(text: string) {
  return { type: 'section', text: { type: 'mrkdwn', text } };
}

export function button(more: Record<string, unknown> = {}) {
  return { type: 'button', text: plain('Go'), action_id: 'go', ...more };
}

export function actions(...elements: unknown[]) {
  return { type: 'actions', block_id: 'acts', elements };
}

export function option(i: number, text = `Option ${i}`, value = `v${i}`) {
  return { text: plain(text), value };
}

export function options(count: number) {
  return Array.from({ length: count }, (_, i) => option(i));
}

export interface WorkspacePage {
  ws: Workspace;
  page: Page;
  /** Events that the app received, oldest first. */
  events: Record<string, unknown>[];
  /** Payloads of clicks and forms that the app received, oldest first. */
  interactions: Json[];
  /** Calls a method of the Web API as the app. */
  api(method: string, args: object): Promise<Record<string, unknown>>;
}

/** A workspace with an app that acknowledges everything, and a browser that shows its page as Ana, in #support. */
export function openWorkspacePage(
  openBrowser: OpenBrowser,
  options: WorkspaceOptions,
  use: (opened: WorkspacePage) => void,
): void {
  const closing: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    const ws = createWorkspace({ prefix: '/playground/slack', ...options });
    const playground = createPlayground({ workspace: ws });
    const events: Record<string, unknown>[] = [];
    const interactions: Json[] = [];
    const server = createServer(async (req, res) => {
      if (req.url === '/slack/events') {
        const body = Buffer.concat(await req.toArray()).toString();
        const payload = new URLSearchParams(body).get('payload');
        if (payload === null) events.push(JSON.parse(body).event);
        else interactions.push(JSON.parse(payload));
        return void res.end();
      }
      if (!(await ws.handle(req, res)) && !(await playground.handle(req, res))) res.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    ws.setBaseUrl(url);
    ws.setRequestUrl(`${url}/slack/events`);
    const browser = await openBrowser();
    closing.push(
      () => browser.close(),
      async () => {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
      () => ws.close(),
    );
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(`${url}/playground`);
    await page.locator('.welcome').waitFor();
    const headers = { authorization: `Bearer ${ws.botToken}`, 'content-type': 'application/json; charset=utf-8' };
    const api = async (method: string, args: object) => {
      const answer = await fetch(ws.apiUrl + method, { method: 'POST', headers, body: JSON.stringify(args) });
      return (await answer.json()) as Record<string, unknown>;
    };
    use({ ws, page, events, interactions, api });
  }, 60_000);
  afterAll(async () => {
    for (const close of closing) await close();
  });
}
