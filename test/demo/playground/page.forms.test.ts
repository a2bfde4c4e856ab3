import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../../support/browser.ts';
import { eachOnDemo } from '../../support/demo-browser.ts';

describeInBrowser('a refused form of the playground', (openBrowser) => {
  let page: Page;
  eachOnDemo(openBrowser, (opened) => {
    page = opened;
  });
  const open = async (command: string) => {
    await page.setViewportSize({ width: 900, height: 480 });
    await page.locator('#input').fill(command);
    await page.keyboard.press('Enter');
    await page.locator('form.modal').waitFor();
  };
  const send = () => page.locator('form.modal button[type=submit]').click();
  const field = (block: string) => page.locator(`form.modal [data-block="${block}"]`);
  /** The block whose field has the focus, and whether its label, field and error are all in view. */
  const focused = () =>
    page.evaluate<{ block: string; isSeen: boolean }>(`(() => {
        const content = document.querySelector('form.modal .content').getBoundingClientRect();
        const block = document.activeElement.closest('.block')?.getBoundingClientRect();
        const isSeen = block !== undefined && block.top >= content.top - 1 && block.bottom <= content.bottom + 1;
        return { block: document.activeElement.dataset.block ?? '', isSeen };
      })()`);

  it('focuses the first wrong field and scrolls it into view, at each refusal', async () => {
    await open('/numbers provision form');
    await field('NumberType').selectOption('mvno');
    await field('MessageType').selectOption('p2p');
    await page.locator('form.modal footer').scrollIntoViewIfNeeded();
    await page.locator('form.modal .content').evaluate((content) => content.scrollTo(0, content.scrollHeight));
    await send();
    await expect.poll(focused).toEqual({ block: 'MessageRouteId', isSeen: true });
    // The same errors again change nothing on the screen but the focus.
    await page.locator('form.modal .content').evaluate((content) => content.scrollTo(0, content.scrollHeight));
    await send();
    await expect.poll(focused).toEqual({ block: 'MessageRouteId', isSeen: true });
    await page.keyboard.press('Escape');
    await page.locator('form.modal').waitFor({ state: 'detached' });
  });

  it('focuses the field that the app refused, after one that was refused before and is right now', async () => {
    await open('/numbers data usage set 0101 form');
    await field('LimitValue').fill('900');
    await field('NotifyValue').fill('1000');
    await send();
    await expect.poll(focused).toEqual({ block: 'NotifyValue', isSeen: true });
    await field('NotifyValue').fill('100');
    await field('ThrottleValue').fill('500');
    await field('LimitValue').focus();
    await send();
    await expect.poll(focused).toEqual({ block: 'ThrottleSpeed', isSeen: true });
    await page.keyboard.press('Escape');
  });
});
