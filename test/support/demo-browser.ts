import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach } from 'vitest';
import type { OpenBrowser } from './browser.ts';
import { atEnd } from './ending.ts';
import { makeFolder } from './folder.ts';
import { controlSandbox } from './on-sandbox.ts';
import { startCli } from './process.ts';

/** A real browser beside `switchboard start` in demo mode, on separate data. */
export interface DemoBrowser {
  browser: Browser;
  /** The link that the first line of `start` names. */
  url: string;
  /** The folder of the process, for further commands on the same data. */
  folder: string;
}

export async function openDemoBrowser(
  openBrowser: OpenBrowser,
  env: Record<string, string> = {},
): Promise<DemoBrowser> {
  const folder = makeFolder();
  const browser = await openBrowser();
  atEnd(() => browser.close());
  const running = startCli(['start'], folder, { PORT: '0', LOG_LEVEL: 'warn', ...env });
  const [, url = ''] = await running.said(/Open (http:[\w.:/]+)/);
  await running.said(/Confirmations/);
  return {
    browser,
    url,
    folder,
  };
}

/**
 * Starts one demo for the tests of a `describe`. Each test begins with the initial data, even if the test before it
 * failed, and gets a separate page that shows the playground. Returns a function that gives the demo inside a test.
 */
export function eachOnDemo(openBrowser: OpenBrowser, use: (page: Page) => void): () => DemoBrowser {
  let demo: DemoBrowser;
  let context: BrowserContext;
  beforeAll(async () => {
    demo = await openDemoBrowser(openBrowser);
  }, 60_000);
  beforeEach(async () => {
    await controlSandbox(new URL(demo.url).origin, 'reset', {});
    context = await demo.browser.newContext();
    const page = await context.newPage();
    await page.goto(demo.url);
    await page.locator('.welcome').waitFor();
    use(page);
  });
  afterEach(() => context?.close());
  return () => demo;
}
