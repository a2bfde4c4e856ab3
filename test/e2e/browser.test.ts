import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Sandbox } from '../../src/demo/sandbox/index.ts';
import { loadConfig } from '../../src/lib/config.ts';
import { openWithPages } from '../../src/start/page-server.ts';
import { describeInBrowser } from '../support/browser.ts';
import { makeFolder } from '../support/folder.ts';
import { callOf } from '../support/messages.ts';
import { controlSandbox, onSandbox, openSandbox } from '../support/on-sandbox.ts';
import { lookAsStranger } from '../support/page.ts';
import { runCli, startServer } from '../support/process.ts';
import { A1, seeded } from '../support/seed.ts';
import { type Json, postMcp } from '../support/world.ts';

describeInBrowser('in a real browser', (openBrowser) => {
  let browser: Browser;
  let context: BrowserContext;
  let sandbox: Sandbox;
  let folder: string;
  let url: string;

  beforeAll(async () => {
    browser = await openBrowser();
    sandbox = await openSandbox();
    const started = await startServer(onSandbox(sandbox.url));
    ({ folder, url } = started);
    await started.running.said(/Confirmations/);
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    await fetch(`${sandbox.url}/sandbox/reset`, { method: 'POST', body: '{}' });
    context = await browser.newContext();
  });
  afterEach(() => context.close());

  /** Calls a tool over MCP as an assistant. Returns the confirmation of its result. */
  async function ask(name: string, input: unknown): Promise<{ id: string; url: string }> {
    const answer = await postMcp(url, callOf(name, input));
    return ((await answer.json()) as Json).result.structuredContent.confirmation;
  }
  const sent = async (path: string) =>
    (await controlSandbox(sandbox.url, 'requests')).filter((one: Json) => one.path === path).length;
  const REACTIVATE = { PhoneNumber: seeded(7), AccountId: A1 };
  const PATH = '/v1.0/numbers/reactivate';

  it('cannot be made to confirm by a page of another site or port, although it is paired', async () => {
    const asked = await ask('numbers_reactivate', REACTIVATE);
    const page = await context.newPage();
    await page.goto((await runCli(['key'], folder, onSandbox(sandbox.url))).out.trim());
    const evil = `<form method="post" action="${asked.url}"><input name="act" value="confirm"><input name="csrf" value="x.y"><button>go</button></form>`;
    for (const address of ['https://evil.example/', 'http://127.0.0.1:9/']) {
      await page.route(address, (route) => route.fulfill({ contentType: 'text/html', body: evil }));
      await page.goto(address);
      await page.locator('button').click();
      await page.waitForURL(asked.url);
    }
    expect((await lookAsStranger(asked.url)).html).toContain('Waiting for your decision.');
    expect(await sent(PATH)).toBe(0);
  });

  it('is opened by an assistant’s own server, paired by a file, once for each confirmation, where there is a display', async () => {
    const own = makeFolder();
    const opened: string[] = [];
    const config = loadConfig({ DATA_DIR: own, LOG_LEVEL: 'silent', DISPLAY: ':0', ...onSandbox(sandbox.url) });
    const pages = await openWithPages(config, async (path) => void opened.push(path));
    try {
      const actor = { id: 'mcp:stdio:x', name: 'x', role: 'operator', surface: 'mcp', priority: 'assistant' } as const;
      const asked = await (await pages.runtime()).gate.perform('numbers_reactivate', REACTIVATE, actor);
      if (asked.kind !== 'pending') throw new Error('it must wait');
      const { id } = asked.confirmation;
      expect(await pages.showPage(id)).toBe(true);
      expect(await pages.showPage(id)).toBe(false);
      expect(opened).toHaveLength(1);
      expect(asked.confirmation.url).not.toContain('key=');
      const page = await context.newPage();
      await page.goto(pathToFileURL(opened[0] ?? '').href);
      await page.waitForURL(asked.confirmation.url ?? '');
      await page.getByRole('button', { name: /^Reactivate/ }).click();
      await page.getByText('Done.').waitFor();
      expect(await sent(PATH)).toBe(1);
    } finally {
      await pages.close();
    }
  });
});
