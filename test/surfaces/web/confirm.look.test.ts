import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { faultsOf } from '../../support/axe.ts';
import { describeInBrowser } from '../../support/browser.ts';
import { A1, SUBMIT_PATH, seeded } from '../../support/seed.ts';
import { call, openWorld, value, type World } from '../../support/world.ts';

/** In the browser: the left edge of each word in an element. */
const leftOf = new Function(
  'element',
  'words',
  `const lefts = {};
  const walker = element.ownerDocument.createTreeWalker(element, 4);
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    for (const word of words) {
      const at = node.textContent.indexOf(word);
      if (at < 0) continue;
      const range = element.ownerDocument.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + word.length);
      lefts[word] = range.getBoundingClientRect().left;
    }
  return lefts;`,
) as (element: unknown, words: readonly string[]) => Record<string, number>;

describeInBrowser('the confirmation page to look at', (openBrowser) => {
  let browser: Browser;
  let world: World;
  let client: Awaited<ReturnType<World['client']>>;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    browser = await openBrowser();
    world = await openWorld({ MCP_TOOLSETS: 'all' });
    client = await world.client();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    await world.reset();
    // A zone that is never UTC, and has no summer time.
    context = await browser.newContext({ timezoneId: 'Asia/Tokyo', locale: 'en-GB' });
    page = await context.newPage();
    await page.goto(await world.link());
    await page.getByText('signed in as').waitFor();
  });
  afterEach(() => context.close());

  const ask = async (name: string, input: Record<string, unknown>) =>
    value(await call(client, name, input)).confirmation as { id: string; url: string; expiresAt: string };
  const reactivation = (last = 7) => ask('numbers_reactivate', { PhoneNumber: seeded(last), AccountId: A1 });
  const cancellation = (...last: number[]) =>
    ask('numbers_cancel', { PhoneNumbers: last.map((one) => ({ Number: seeded(one) })) });
  const first = () => page.locator('button[value=confirm]');
  const confirmed = async (url: string, state: string) => {
    await page.goto(url);
    await first().click();
    await page.locator(`.state.${state}`).waitFor();
  };

  describe('has no violation of WCAG A or AA and no sideways scrolling, light or dark, wide or narrow', () => {
    it('while it waits', async () => {
      const { id, url } = await reactivation();
      await page.goto(url);
      expect(await faultsOf(page, 'pending')).toEqual([]);
      await page.goto(`${world.url}/confirm`);
      await page.getByText('Waiting for your decision:').waitFor();
      expect(await faultsOf(page, 'waiting list')).toEqual([]);
      await page.goto(url);
      await page.getByRole('button', { name: 'Decline', exact: true }).click();
      await page.getByText('Declined. Nothing was done.').waitFor();
      expect(await faultsOf(page, 'declined')).toEqual([]);
      expect((await world.runtime.gate.actions.get(id))?.state).toBe('declined');
    });

    it('after the end', async () => {
      await confirmed((await reactivation()).url, 'done');
      expect(await faultsOf(page, 'done')).toEqual([]);
      await confirmed((await reactivation(8)).url, 'failed');
      expect(await faultsOf(page, 'failed')).toEqual([]);
      const { url } = await cancellation(1, 3);
      await world.control('faults', { path: SUBMIT_PATH, refuse: [seeded(3)] });
      await confirmed(url, 'partly');
      await page
        .getByText(`${seeded(3)}: `)
        .first()
        .waitFor();
      expect(await faultsOf(page, 'partly')).toEqual([]);
    });
  });

  it('shows the old name left of the new one, also where both are written from right to left', async () => {
    const rename = (Name: string) =>
      ask('subscribers_update', { SubscriberId: 'TSUID-00000000-0000-4000-8000-000000000002', Name });
    await confirmed((await rename('מיכל כהן')).url, 'done');
    await page.goto((await rename('דוד לוי')).url);
    /** The words of the only line that has all of them, from left to right. */
    const inOrder = async (words: readonly string[]) => {
      const line = words.reduce((found, word) => found.filter({ hasText: word }), page.locator('dd'));
      const lefts = await line.evaluate(leftOf, words);
      return [...words].sort((a, b) => (lefts[a] ?? Number.NaN) - (lefts[b] ?? Number.NaN));
    };
    expect(await inOrder(['דוד', 'מיכל'])).toEqual(['מיכל', 'דוד']);
  });

  it('is decided with the keyboard alone, and says what comes next', async () => {
    const { url } = await reactivation();
    await page.goto(url);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.value')).toBe('confirm');
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.value')).toBe('decline');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Done.').waitFor();
    await page.getByText('You can close this page.').waitFor();
  });
});
