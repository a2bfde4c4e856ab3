import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Browser } from 'playwright-core';
import { type AppHost, serveAppHost } from './app-host.ts';
import type { OpenBrowser } from './browser.ts';
import { call, openWorld, seeded, value, type World } from './world.ts';

/** A world, a client that shows its views, their host, and a browser for the host. */
export interface ViewHost {
  browser: Browser;
  world: World;
  client: Client;
  host: AppHost;
  close(): Promise<void>;
}

export async function openViewHost(openBrowser: OpenBrowser): Promise<ViewHost> {
  const browser = await openBrowser();
  const world = await openWorld({ MCP_APPS: 'true' });
  const client = await world.client({ views: true });
  const host = await serveAppHost(client);
  const close = async () => {
    await browser.close();
    await host.close();
    await world.close();
  };
  return { browser, world, client, host, close };
}

/** A change that an assistant asked for. */
export interface AskedChange {
  id: string;
  url: string;
  /** The result of the call that asked. */
  asked: CallToolResult;
  /** The state of the request, as an assistant reads it next. */
  state: CallToolResult;
}

/** Asks to reactivate the number of the seed with this count. */
export async function askForChange(client: Client, number: number): Promise<AskedChange> {
  const asked = await call(client, 'numbers_reactivate', { PhoneNumber: seeded(number) });
  const { id, url } = value(asked).confirmation;
  return { id, url, asked, state: await call(client, 'confirmations_get', { id }) };
}
