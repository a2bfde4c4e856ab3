import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/demo/sandbox/index.ts';
import { loadConfig } from '../../src/lib/config.ts';
import { openWithPages } from '../../src/start/page-server.ts';
import { describeInBrowser } from '../support/browser.ts';
import { makeFolder } from '../support/folder.ts';
import { onSandbox } from '../support/on-sandbox.ts';
import { type Running, runCli, startCli } from '../support/process.ts';
import { A1, type Json, lookAsStranger, press, seeded } from '../support/world.ts';

describeInBrowser('in a real browser', (openBrowser) => {
  let browser: Browser;
  let context: BrowserContext;
  let sandbox: Sandbox;
  let folder: ReturnType<typeof makeFolder>;
  let running: Running;
  let url: string;

  beforeAll(async () => {
    browser = await openBrowser();
    sandbox = await startSandbox({ port: 0 });
    folder = makeFolder();
    running = startCli(['start'], folder.path, { PORT: '0', ...onSandbox(sandbox.url) });
    url = (await running.said(/listens on (\S+)/))[1] ?? '';
    await running.said(/Confirmations/);
  });
  afterAll(async () => {
    await browser?.close();
    await running?.stop('SIGKILL');
    await sandbox?.close();
    folder?.remove();
  });
  beforeEach(async () => {
    await fetch(`${sandbox.url}/sandbox/reset`, { method: 'POST', body: '{}' });
    context = await browser.newContext();
  });
  afterEach(() => context.close());

  /** Calls a tool over MCP as an assistant. Returns the confirmation of its result. */
  async function ask(name: string, input: unknown): Promise<{ id: string; url: string }> {
    const answer = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
    });
    return ((await answer.json()) as Json).result.structuredContent.confirmation;
  }
  const sent = async (path: string) =>
    ((await (await fetch(`${sandbox.url}/sandbox/requests`)).json()) as Json).filter((one: Json) => one.path === path)
      .length;
  const REACTIVATE = { PhoneNumber: seeded(7), AccountId: A1 };
  const PATH = '/v1.0/numbers/reactivate';

  it('shows a browser that is not paired the state alone, pairs it by the link, and confirms then', async () => {
    const asked = await ask('numbers_reactivate', REACTIVATE);
    expect(asked.url).not.toContain('key=');
    const page = await context.newPage();
    await page.goto(asked.url);
    expect(await page.content()).toContain('Waiting for your decision.');
    expect(await page.content()).not.toContain(seeded(7));
    expect(await page.locator('button').count()).toBe(0);

    const { out } = await runCli(['key'], folder.path, onSandbox(sandbox.url));
    await page.goto(out.trim());
    expect(page.url()).toBe(`${url}/confirm`);
    expect(await page.content()).toContain('signed in');
    // No script of the page can read the cookie.
    expect(await page.evaluate('document.cookie')).toBe('');

    await page.goto(asked.url);
    expect(await page.content()).toContain(seeded(7));
    await page.getByRole('button', { name: /^Reactivate/ }).click();
    await page.getByText('Done.').waitFor();
    expect(await sent(PATH)).toBe(1);

    // The link is used up: another browser gets nothing by it.
    const other = await browser.newContext();
    const late = await other.newPage();
    expect((await late.goto(out.trim()))?.status()).toBe(403);
    await late.goto(asked.url);
    expect(await late.content()).not.toContain(seeded(7));
    await other.close();
  });

  it('knows the paired browser that comes by a link on another site', async () => {
    const asked = await ask('numbers_reactivate', REACTIVATE);
    const page = await context.newPage();
    await page.goto((await runCli(['key'], folder.path, onSandbox(sandbox.url))).out.trim());
    // The chat page of an assistant, on another site.
    await page.route('https://assistant.example/', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<a href="${asked.url}">Confirm here</a>` }),
    );
    await page.goto('https://assistant.example/');
    await page.getByText('Confirm here').click();
    await page.getByText(seeded(7)).first().waitFor();
  });

  it('cannot be made to confirm by a page of another site or port, although it is paired', async () => {
    const asked = await ask('numbers_reactivate', REACTIVATE);
    const page = await context.newPage();
    await page.goto((await runCli(['key'], folder.path, onSandbox(sandbox.url))).out.trim());
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

  it('does not confirm for an approver’s session when another port sets the form’s cookie and sends the form', async () => {
    const own = makeFolder();
    const tokens = 'alice:operator:token-of-alice,boss:approver:token-of-boss';
    const started = startCli(['start'], own.path, { PORT: '0', ...onSandbox(sandbox.url), MCP_HTTP_TOKENS: tokens });
    const at = (await started.said(/listens on (\S+)/))[1] ?? '';
    await started.said(/Confirmations/);
    const evil = createServer();
    try {
      const answer = await fetch(`${at}/mcp`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          authorization: 'Bearer token-of-alice',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'numbers_reactivate', arguments: REACTIVATE },
        }),
      });
      const asked = ((await answer.json()) as Json).result.structuredContent.confirmation;
      const page = await context.newPage();
      await page.goto(`${at}/confirm`);
      await page.fill('input[name=token]', 'token-of-boss');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByText('signed in as').waitFor();
      // The attack uses the token and cookie of a stranger's page and, as the worst case, those of the approver's own
      // page.
      const stranger = await lookAsStranger(asked.url);
      await page.goto(asked.url);
      const csrf = await page.locator('input[name=csrf]').first().getAttribute('value');
      const stolen = (await context.cookies(asked.url)).find(({ name }) => name === 'sb_csrf');
      evil.on('request', (request, response) => {
        const [token, cookie] =
          request.url === '/stranger' ? [stranger.csrf, stranger.cookie] : [csrf, `sb_csrf=${stolen?.value}`];
        response.setHeader('set-cookie', `${cookie}; Path=/confirm`);
        response.setHeader('content-type', 'text/html');
        response.end(
          `<form method="post" action="${asked.url}"><input name="csrf" value="${token}"><input name="act" value="confirm"></form><script>document.forms[0].submit()</script>`,
        );
      });
      await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve));
      for (const path of ['/stranger', '/own']) {
        const refused = page.waitForResponse((one) => one.url() === asked.url && one.request().method() === 'POST');
        await page.goto(`http://127.0.0.1:${(evil.address() as AddressInfo).port}${path}`).catch(() => undefined);
        expect((await refused).status()).toBe(403);
      }
      expect(await sent(PATH)).toBe(0);
      // The approver's own click still counts.
      await page.goto(asked.url);
      await page.locator('button[value=confirm]').click();
      await page.getByText('Done.').waitFor();
      expect(await sent(PATH)).toBe(1);
    } finally {
      evil.close();
      evil.closeAllConnections();
      await started.stop('SIGKILL');
      own.remove();
    }
  });

  it('an assistant that fetches the address and posts its form confirms nothing', async () => {
    const asked = await ask('numbers_reactivate', REACTIVATE);
    const seen = await lookAsStranger(asked.url);
    for (const act of ['confirm', 'decline', 'once'])
      for (const more of [{}, { token: 'guess' }, { key: 'guess' }])
        expect((await press(asked.url, act, more as Record<string, string>, seen)).status).toBe(403);
    expect(await sent(PATH)).toBe(0);
    expect((await lookAsStranger(asked.url)).html).toContain('Waiting for your decision.');
  });

  it('is opened by an assistant’s own server, paired by a file, once for each confirmation, where there is a display', async () => {
    const own = makeFolder();
    const opened: string[] = [];
    const config = loadConfig({ DATA_DIR: own.path, LOG_LEVEL: 'silent', DISPLAY: ':0', ...onSandbox(sandbox.url) });
    const pages = await openWithPages(config, async (path) => void opened.push(path));
    try {
      const actor = { id: 'mcp:x', name: 'x', role: 'operator', surface: 'mcp', priority: 'assistant' } as const;
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
      own.remove();
    }
  });

  it.each([
    ['without a display', {}],
    ['in CI', { DISPLAY: ':0', CI: 'true' }],
    ['over SSH', { DISPLAY: ':0', SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' }],
    ['where tokens are set', { DISPLAY: ':0', MCP_HTTP_TOKENS: 'a:approver:12345678' }],
    ['where the page may not confirm', { DISPLAY: ':0', CONFIRM_VIA: 'slack' }],
  ])('is not opened %s', async (_where, env) => {
    const own = makeFolder();
    const opened: string[] = [];
    const config = loadConfig({ DATA_DIR: own.path, LOG_LEVEL: 'silent', ...onSandbox(sandbox.url), ...env });
    const pages = await openWithPages(config, async (path) => void opened.push(path));
    expect(await pages.showPage('act_any')).toBe(false);
    expect(opened).toEqual([]);
    await pages.close();
    own.remove();
  });
});
