import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ViewCard } from '../../../src/cards/view.ts';
import type { HostSetup } from '../../support/app-host/window.ts';
import { type AppHost, type OpenView, openView } from '../../support/app-host.ts';
import { describeInBrowser } from '../../support/browser.ts';
import { askForChange, openViewHost, type ViewHost } from '../../support/view-host.ts';
import { call as callTool, until, type World } from '../../support/world.ts';

/* The view in a host whose answers fail, come late, or are meant to harm. */

describeInBrowser('the view in a host that fails', (openBrowser) => {
  let browser: Browser;
  let context: BrowserContext;
  let world: World;
  let client: Client;
  let host: AppHost;
  let opened: ViewHost | undefined;
  let view: OpenView;

  beforeAll(async () => {
    opened = await openViewHost(openBrowser);
    ({ browser, world, client, host } = opened);
  });
  afterAll(() => opened?.close());
  beforeEach(async () => {
    await world.reset();
    context = await browser.newContext({ timezoneId: 'UTC', locale: 'en-GB' });
    await context.clock.install();
  });
  afterEach(async () => {
    expect(view.strays).toEqual([]);
    await context.close();
  });

  const call = (name: string, input: Record<string, unknown>) => callTool(client, name, input);
  const ask = (number: number) => askForChange(client, number);
  async function show(result: object, setup: HostSetup = {}): Promise<void> {
    view = await openView(context, host, setup);
    await view.send(result);
  }
  const calls = async () => (await view.log()).filter((line) => line.startsWith('call '));
  /** Waits until the view has handled the host's answers. */
  async function settle(): Promise<void> {
    await view.page.evaluate('fetch("/").then(() => undefined)');
    await view.view.locator('main').evaluate('new Promise((resolve) => queueMicrotask(resolve))');
  }
  /** Lets time pass. Gives the number of calls in it. */
  async function during(seconds: number, step = 1): Promise<number> {
    const before = (await calls()).length;
    for (let passed = 0; passed < seconds; passed += step) {
      await context.clock.runFor(step * 1_000);
      await settle();
    }
    return (await calls()).length - before;
  }
  /** Hides the view and shows it again. */
  const lookAgain = () =>
    view.page.frames()[1]?.evaluate(
      `for (const value of [true, false]) {
         Object.defineProperty(document, 'hidden', { value, configurable: true });
         document.dispatchEvent(new Event('visibilitychange'));
       }`,
    );
  const button = (name: string) => view.view.getByRole('button', { name, exact: true });

  it('says since when a state could not be read, stops, and reads again when it is looked at', async () => {
    const { state, url } = await ask(7);
    await context.route('**/call', (route) =>
      route.fulfill({ json: { isError: true, content: [{ type: 'text', text: 'No session. (unavailable)' }] } }),
    );
    await show(state);
    await button('Withdraw').click();
    // One reading that fails may be followed by one that succeeds.
    expect(await during(3)).toBe(1);
    await view.view.getByText('Waiting for a person').waitFor();
    expect(await during(15)).toBe(2);
    expect(await view.view.locator('#state').textContent()).toMatch(
      /^This state could not be read since \d+ \w+ \d+, \d\d:\d\d UTC\./,
    );
    expect(await view.view.getByText('Waiting for a person').count()).toBe(0);
    expect(await view.view.getByText('Withdraw this request?').count()).toBe(0);
    expect(await view.view.getByRole('button').allTextContents()).toEqual(['Open the question']);
    expect(await view.view.locator('code.address').textContent()).toBe(url);
    expect(await during(900, 15)).toBeLessThanOrEqual(5);
    expect(await during(900, 60)).toBe(0);
    // It is looked at without success, and then with success.
    const before = (await calls()).length;
    await lookAgain();
    await during(300, 15);
    expect((await calls()).length - before).toBe(1);
    await view.view.getByText('could not be read').waitFor();
    await context.unroute('**/call');
    await lookAgain();
    await view.view.getByText('Waiting for a person').waitFor();
    await button('Withdraw').waitFor();
  });

  it('says so at once for a record that is gone', async () => {
    const { state } = await ask(7);
    const card = state._meta?.['switchboard/card'] as ViewCard;
    const record = { kind: 'confirmation', id: 'act_00000000' };
    await show({ ...state, _meta: { 'switchboard/card': { ...card, record } } });
    expect(await during(3)).toBe(1);
    await view.view.getByText('could not be read since').waitFor();
    expect(await button('Withdraw').count()).toBe(0);
    expect(await during(600, 30)).toBe(0);
    // The next result is current again.
    await view.send(state);
    await view.view.getByText('Waiting for a person').waitFor();
    await button('Withdraw').waitFor();
  });

  it('takes a problem back when something else is shown', async () => {
    const first = await ask(7);
    const second = await ask(8);
    await show(first.state, { links: 'refuse' });
    for (const next of [second, first]) {
      await button('Open the question').click();
      await view.view.getByRole('alert').waitFor();
      await view.send(next.state);
      await view.view.locator('code.address', { hasText: next.url }).waitFor();
      expect(await view.view.getByRole('alert').count()).toBe(0);
    }
    await button('Open the question').click();
    await view.view.getByRole('alert').waitFor();
    await call('confirmations_withdraw', { id: first.id });
    await during(3);
    await view.view.getByText('Withdrawn. ').waitFor();
    expect(await view.view.getByRole('alert').count()).toBe(0);
  });

  it('does not draw a reading that comes late over a newer result', async () => {
    const first = await ask(7);
    const second = await ask(8);
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await context.route('**/call', async (route) => {
      await held;
      await route.continue();
    });
    await show(first.state);
    await until(async () => (await during(1)) === 1);
    await view.send(second.state);
    await view.view.locator('code.address', { hasText: second.url }).waitFor();
    const answered = view.page.waitForResponse('**/call');
    release();
    await (await answered).finished();
    await settle();
    await settle();
    expect(await view.view.locator('code.address').textContent()).toBe(second.url);
    // The newer record is followed.
    await call('confirmations_withdraw', { id: second.id });
    await during(5);
    await view.view.getByText('Withdrawn. ').waitFor();
  });

  it('takes no image from the theme of the host, however it is spelled', async () => {
    const loads = 'u\\72l(https://evil.example/x.png)';
    const set = 'image-set("https://evil.example/x.png" 1x)';
    const variables = { '--color-background-primary': loads, '--color-background-secondary': set };
    await show((await ask(7)).state, { context: { styles: { variables: { ...variables, '--font-sans': 'serif' } } } });
    await view.view.getByText('Waiting for a person').waitFor();
    const root = 'document.documentElement.style';
    expect(await view.page.frames()[1]?.evaluate(`[${root}.length, ${root}.item(0)]`)).toEqual([1, '--font-sans']);
  });

  it('asks for a bounded height, and scrolls beyond it', async () => {
    const rows = Array.from({ length: 200 }, (_, at) => [`row ${at}`, 'x\n'.repeat(20)]);
    await show({ content: [], _meta: { 'switchboard/card': { title: 'Long', parts: [{ kind: 'facts', rows }] } } });
    await view.view.getByText('row 199').waitFor();
    await until(async () => (await view.page.locator('iframe').boundingBox())?.height === 4_000);
    expect(await view.page.frames()[1]?.evaluate('document.documentElement.scrollHeight')).toBeGreaterThan(8_000);
  });
});
