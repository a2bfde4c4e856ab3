import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import axe, { type AxeResults } from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { committed, type Files } from '../../snapshots/files.ts';
import { type AppHost, type OpenView, openView } from '../../support/app-host.ts';
import { describeInBrowser } from '../../support/browser.ts';
import { type AskedChange, askForChange, openViewHost, type ViewHost } from '../../support/view-host.ts';
import { call as callTool, ORDER, seeded, until, type World } from '../../support/world.ts';

describeInBrowser('the view in a host', (openBrowser) => {
  let browser: Browser;
  let context: BrowserContext;
  let world: World;
  let client: Client;
  let host: AppHost;
  let viewHost: ViewHost | undefined;
  let opened: OpenView[] = [];

  beforeAll(async () => {
    viewHost = await openViewHost(openBrowser);
    ({ browser, world, client, host } = viewHost);
  });
  afterAll(() => viewHost?.close());
  beforeEach(async () => {
    await world.reset();
    context = await browser.newContext({ timezoneId: 'UTC', locale: 'en-GB' });
  });
  afterEach(async () => {
    // Nothing left the frame, nothing was refused by its policy, and no script failed.
    expect(opened.flatMap(({ strays }) => strays)).toEqual([]);
    // The official library understood every message.
    const logs = await Promise.all(opened.map((view) => view.log()));
    expect(logs.flat().filter((line) => line.startsWith('error'))).toEqual([]);
    opened = [];
    await context.close();
  });

  const call = (name: string, input: Record<string, unknown>) => callTool(client, name, input);

  async function open(...given: Parameters<typeof openView> extends [unknown, unknown, ...infer Rest] ? Rest : never) {
    const view = await openView(context, host, ...given);
    opened.push(view);
    return view;
  }

  async function ask(number: number): Promise<AskedChange> {
    const change = await askForChange(client, number);
    expect(change.asked._meta?.['switchboard/card']).toBeUndefined();
    return change;
  }

  /** A tab in which a person at this computer has paired the browser. */
  async function pairedTab(): Promise<Page> {
    const tab = await context.newPage();
    await tab.goto(await world.link());
    return tab;
  }

  const cardOf = ({ _meta = {} }: CallToolResult) => _meta['switchboard/card'] as { title: string };
  const calls = async (view: OpenView) => (await view.log()).filter((line) => line.startsWith('call '));

  it('shows a lookup, a waiting change, its confirmation in another tab, and the end, by itself', async () => {
    const steps: Files = {};
    const record = async (name: string, { view }: OpenView) => {
      // biome-ignore lint/performance/useDomNodeTextContent: its line breaks are those that a reader sees.
      steps[`${name}.txt`] = steady(await view.locator('main').innerText());
    };
    const lookup = await open();
    await lookup.send(await call('numbers_lookup', { PhoneNumber: seeded(7) }));
    await lookup.view.getByText('Cancelled - Pending Delete (can be brought back)', { exact: false }).first().waitFor();
    await record('1-lookup', lookup);

    const asked = await ask(7);
    const waiting = await open();
    await waiting.send(asked.state);
    await waiting.view.getByText('Waiting for a person').waitFor();
    await record('2-waiting', waiting);
    await waiting.view.getByRole('button', { name: 'Open the question', exact: true }).click();
    await until(async () => (await waiting.log()).includes(`open ${asked.url}`));
    expect(await world.sent('/v1.0/numbers/reactivate')).toEqual([]);

    const tab = await pairedTab();
    await tab.goto(asked.url);
    await tab.getByRole('button', { name: /^Reactivate/ }).click();
    await tab.getByText('Done.').waitFor();
    steps['3-confirmed.txt'] = steady(
      `${await tab.locator('h1').textContent()}\n${await tab.locator('.state').textContent()}`,
    );

    await waiting.page.bringToFront();
    await waiting.view.getByText('Done.').waitFor();
    await record('4-done', waiting);
    expect(await waiting.view.getByRole('button').count()).toBe(0);
    expect(await world.sent('/v1.0/numbers/reactivate')).toHaveLength(1);
    expect(new Set(await calls(waiting))).toEqual(new Set(['call confirmations_get']));
    expect(steps).toEqual(committed('view', steps));
  });

  it('shows a batch from its question to its last row', async () => {
    const made = await call('batches_create', {
      Operation: 'numbers_data_usage_set',
      Numbers: [seeded(1), seeded(3), seeded(4)],
      Fields: { LimitValue: 300 },
    });
    const { batch, confirmation } = made.structuredContent as { batch: { id: string }; confirmation: { url: string } };
    const view = await open();
    await view.send(await call('batches_get', { id: batch.id }));
    await view.view.getByText('It waits for a yes').waitFor();
    const tab = await pairedTab();
    await tab.goto(confirmation.url);
    await tab.getByRole('button', { name: /^Set/ }).first().click();
    await view.page.bringToFront();
    await view.view.getByText('Done: 3 done.').waitFor();
    expect(await view.view.locator('p.progress').textContent()).toBe('3 of 3');
  });

  it('works in a frame of a page that passes messages on, as the official host has it', async () => {
    const asked = await ask(7);
    const view = await open({ isProxied: true });
    await view.send(asked.state);
    await view.view.getByText('Waiting for a person').waitFor();
    // The host's frame is as high as the view.
    const main = await view.view.locator('main').evaluate((one) => one.getBoundingClientRect().height);
    await until(async () => (await view.page.locator('iframe').boundingBox())?.height === Math.ceil(main));
    await view.view.getByRole('button', { name: 'Open the question', exact: true }).click();
    await until(async () => (await view.log()).includes(`open ${asked.url}`));
    await view.view.getByRole('button', { name: 'Withdraw', exact: true }).click();
    await view.view.getByRole('button', { name: 'Yes, withdraw it', exact: true }).click();
    await view.view.getByText('Withdrawn. ').waitFor();
  });

  it('takes a request back at the second click, with the keyboard alone', async () => {
    const asked = await ask(7);
    const view = await open();
    await view.send(asked.state);
    const focused = () => view.view.locator(':focus').textContent();
    await view.view.getByRole('button', { name: 'Withdraw', exact: true }).waitFor();
    await view.view.getByText('Open the question').focus();
    await view.page.keyboard.press('Tab');
    expect(await focused()).toBe('Withdraw');
    await view.page.keyboard.press('Enter');
    // The first key that follows by accident keeps the request.
    expect(await focused()).toBe('Keep it');
    await view.page.keyboard.press('Enter');
    expect(await focused()).toBe('Withdraw');
    expect(await calls(view)).not.toContain('call confirmations_withdraw');
    await view.page.keyboard.press('Enter');
    await view.page.keyboard.press('Tab');
    await view.page.keyboard.press('Enter');
    await view.view.getByText('Withdrawn. ').waitFor();
    expect((await call('confirmations_get', { id: asked.id })).structuredContent).toMatchObject({ status: 'declined' });
    expect(await view.view.getByRole('button').count()).toBe(0);
  });

  it('says that it was not withdrawn if a person has decided', async () => {
    const asked = await ask(7);
    const view = await open();
    await view.send(asked.state);
    await view.view.getByRole('button', { name: 'Withdraw', exact: true }).click();
    await call('confirmations_withdraw', { id: asked.id });
    await view.view.getByRole('button', { name: 'Yes, withdraw it', exact: true }).click();
    await view.view.getByText('It was not withdrawn.').waitFor();
    await view.view.getByText('Withdrawn. ').first().waitFor();
  });

  it.each(['refuse', 'error'] as const)(
    'says so beside the address if the host will not open it (%s)',
    async (links) => {
      const asked = await ask(7);
      const view = await open({ links });
      await view.send(asked.state);
      expect(await view.view.locator('code.address').textContent()).toBe(asked.url);
      await view.view.getByRole('button', { name: 'Open the question', exact: true }).click();
      await view.view.getByRole('alert').getByText('Copy it into your browser').waitFor();
      await view.view.locator('code.address').click();
      const frame = view.page.frames()[1];
      expect(await frame?.evaluate('getSelection().toString()')).toBe(asked.url);
    },
    40_000,
  );

  it('offers neither links nor updates where the host has none', async () => {
    const asked = await ask(7);
    const view = await open({ links: 'none', serverTools: false });
    await view.send(asked.state);
    await view.view.getByText('Ask the assistant for the state').waitFor();
    expect(await view.view.getByRole('button').count()).toBe(0);
    expect(await view.view.locator('code.address').textContent()).toBe(asked.url);
  });

  it('draws the data and the sentences if the host leaves the card out', async () => {
    const asked = await ask(7);
    const view = await open({ stripsMeta: true });
    await view.send(asked.state);
    await view.view.getByText('pending').waitFor();
    await view.view.getByText(asked.url).waitFor();
    await view.send(await call('numbers_lookup', { PhoneNumber: seeded(5) }));
    await view.view.getByRole('heading', { name: /nearly used up/ }).waitFor();
    await view.view.getByText('Ava Stone').first().waitFor();
    // The view keeps the card current in this host too.
    await view.send(asked.state);
    await call('confirmations_withdraw', { id: asked.id });
    await view.view.getByText('declined').first().waitFor();
  });

  it('shows whatever a host sends as plain text, or says that it cannot', async () => {
    const view = await open();
    const evil = '<img src=x onerror="top.hacked=1"><script>top.hacked=1</script>';
    const card = (given: object) => ({
      content: [],
      structuredContent: { Summary: evil, [evil]: { [evil]: [{ [evil]: evil }] } },
      _meta: { 'switchboard/card': given },
    });
    const facts = { kind: 'facts', title: evil, rows: [[evil, evil]] };
    const table = { kind: 'table', title: evil, columns: [evil], rows: [[evil]] };
    const steps = { kind: 'steps', steps: [{ label: evil, state: 'current' }] };
    const whole = {
      title: evil,
      state: { name: 'done', text: evil },
      parts: [facts, table, steps, { kind: 'note', text: evil }, { kind: 'quote', title: evil, text: evil }],
      actions: [
        { id: 'open', label: evil, value: 'javascript:top.hacked=1//confirm/act_1' },
        { id: 'withdraw', label: evil, value: evil, confirm: { text: evil, yes: evil, no: evil } },
        { id: evil, label: evil, value: evil },
      ],
    };
    await view.send(card(whole));
    await until(async () => (await view.view.locator('h1').textContent()) === evil);
    expect(await view.view.locator('main img, main script').count()).toBe(0);
    expect(await view.view.locator('code.address').count()).toBe(0);
    // A card of another shape is not drawn. The data is, as text.
    for (const wrong of [
      { ...whole, parts: 'none' },
      { ...whole, title: 7 },
      { ...whole, parts: [{ kind: 'facts', rows: [[evil]] }] },
      { ...whole, parts: [{ kind: 'table', columns: [{}], rows: [] }] },
      { ...whole, parts: [{ kind: 'progress', done: 5, of: -1 }] },
      { ...whole, parts: [{ kind: '__proto__' }, null] },
    ]) {
      await view.send(card({ ...whole, title: 'right' }));
      await view.view.getByRole('heading', { name: 'right', exact: true }).waitFor();
      await view.send(card(wrong));
      await until(async () => (await view.view.locator('h1').textContent()) === evil);
      expect(await view.view.locator('main img, main script').count()).toBe(0);
    }
    for (const params of [
      null,
      7,
      'x',
      [],
      {},
      { content: 'x' },
      { structuredContent: [] },
      { _meta: 'x', content: [{}] },
    ]) {
      await view.send(card({ ...whole, title: 'right' }));
      await view.view.getByRole('heading', { name: 'right', exact: true }).waitFor();
      const message = { jsonrpc: '2.0', method: 'ui/notifications/tool-result', params };
      await view.run(`window.host.raw(${JSON.stringify(message)})`);
      await view.view.getByText('cannot be shown here').waitFor();
    }
    for (const message of [
      7,
      'x',
      {},
      { jsonrpc: '2.0' },
      { jsonrpc: '2.0', id: 99, result: 5 },
      { jsonrpc: '2.0', id: 1 },
    ])
      await view.run(`window.host.raw(${JSON.stringify(message)})`);
    await view.send({ isError: true, content: [{ type: 'text', text: evil }] });
    await until(async () => (await view.view.locator('#state').textContent()) === evil);
    expect(await view.run('window.hacked')).toBeUndefined();
  });

  it('follows the theme of the host, and loads nothing for it', async () => {
    const view = await open({
      context: {
        styles: {
          variables: {
            '--color-background-primary': 'light-dark(rgb(250, 250, 240), rgb(10, 20, 30))',
            '--color-text-primary': 'url(https://evil.example/x.png)',
            '--font-sans': 'serif',
          },
          css: { fonts: '@import url("https://evil.example/fonts.css")' },
        },
      },
    });
    const style = (name: string) =>
      view.page.frames()[1]?.evaluate(`getComputedStyle(document.querySelector('main')).${name}`);
    expect(await style('backgroundColor')).toBe('rgb(250, 250, 240)');
    expect(await style('fontFamily')).toBe('serif');
    expect(await style('color')).toBe('rgb(27, 31, 36)');
    await view.page.emulateMedia({ colorScheme: 'dark' });
    await view.view.locator('html[data-theme=dark]').waitFor();
    expect(await style('backgroundColor')).toBe('rgb(10, 20, 30)');
    expect(await style('color')).toBe('rgb(232, 235, 239)');
    // A colour scheme of the root would make the frame opaque.
    const frame = view.page.frames()[1];
    expect(await frame?.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('normal');
  });

  it.each([
    ['light', 700],
    ['dark', 320],
  ] as const)(
    'is readable and fits, %s at %s px',
    async (colorScheme, width) => {
      const asked = await ask(7);
      const view = await open();
      await view.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await view.page.setViewportSize({ width: width + 16, height: 700 });
      for (const [name, result] of [
        ['a question', asked.state],
        ['a lookup', await call('numbers_lookup', { PhoneNumber: seeded(5) })],
        ['several numbers', await call('numbers_lookup', { PhoneNumbers: [1, 2, 3, 7].map(seeded) })],
        ['an order', await call('numbers_order_get', { OrderId: ORDER })],
      ] as const) {
        await view.send(result);
        const { title } = cardOf(result);
        await view.view.getByRole('heading', { name: title, exact: true }).waitFor();
        await view.view.locator(`html[data-theme=${colorScheme}]`).waitFor();
        const frame = view.page.frames()[1];
        if (frame === undefined) throw new Error('there is no frame');
        // The height that the view reports is its own, so the host's frame needs no scroll bar.
        await until(async () => (await frame.evaluate('innerHeight - document.documentElement.scrollHeight')) === 0);
        expect([name, await frame.evaluate('document.documentElement.scrollWidth - innerWidth')]).toEqual([name, 0]);
        const small = await frame.evaluate(
          `[...document.querySelectorAll('button, summary')].filter((one) => one.getBoundingClientRect().height < 44).length`,
        );
        expect([name, small]).toEqual([name, 0]);
        await frame.evaluate(`window.axe || (() => { ${axe.source} })()`);
        const { violations } = await frame.evaluate<AxeResults>(
          `axe.run(document, { runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] } })`,
        );
        expect(violations.map(({ id, nodes }) => `${name}: ${id} ${nodes[0]?.html}`)).toEqual([]);
        expect([name, Number(await frame.evaluate('innerHeight')) <= 500 || width < 460]).toEqual([name, true]);
      }
    },
    60_000,
  );

  it('reads less and less often, and not at all once it has ended, is hidden or is torn down', async () => {
    await context.clock.install();
    const asked = await ask(7);
    const view = await open();
    await view.send(asked.state);
    await view.view.getByText('Waiting for a person').waitFor();
    const during = async (ms: number) => {
      const before = (await calls(view)).length;
      for (let passed = 0; passed < ms; passed += 1_000) {
        await context.clock.runFor(1_000);
        // A call of the view that this second has begun ends before the next one.
        await view.page.evaluate('fetch("/").then(() => undefined)');
      }
      return (await calls(view)).length - before;
    };
    const first = await during(30_000);
    expect(first).toBeGreaterThanOrEqual(3);
    expect(await during(60_000)).toBeLessThan(first);
    const frame = view.page.frames()[1];
    const hide = (hidden: boolean) =>
      frame?.evaluate(
        `Object.defineProperty(document, 'hidden', { value: ${hidden}, configurable: true }); document.dispatchEvent(new Event('visibilitychange'))`,
      );
    await hide(true);
    expect(await during(70_000)).toBeLessThanOrEqual(1);
    await view.send({ ...asked.state, content: [] });
    expect(await during(70_000)).toBe(0);
    await call('confirmations_withdraw', { id: asked.id });
    await hide(false);
    await view.view.getByText('Withdrawn. ').waitFor();
    expect(await during(130_000)).toBe(0);

    const other = await ask(8);
    await view.send(other.state);
    await view.view.getByText('Waiting for a person').waitFor();
    await view.run('window.host.teardown()');
    expect(await during(130_000)).toBe(0);
  });
});

/** A text without what differs from run to run. */
function steady(text: string): string {
  const plain = text
    .replace(/\d{1,2} [A-Z][a-z]{2} \d{4}(, \d\d:\d\d UTC)?/g, '{time}')
    .replace(/act_[\w-]{16,}/g, '{id}')
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, 'http://127.0.0.1:3900')
    .replace(/local:[^\s,]+ \([^)]*\)/g, '{person}');
  const lines = plain.split('\n').map((line) => line.replace(/\s+/g, ' ').trim());
  return `${lines.filter(Boolean).join('\n')}\n`;
}
