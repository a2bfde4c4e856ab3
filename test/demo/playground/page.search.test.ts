import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../../support/browser.ts';
import { eachOnDemo } from '../../support/demo-browser.ts';

describeInBrowser('names in the forms of the playground', (openBrowser) => {
  let page: Page;
  eachOnDemo(openBrowser, (opened) => {
    page = opened;
  });
  const type = async (text: string) => {
    await page.locator('#input').fill(text);
    await page.keyboard.press('Enter');
    await page.locator('form.modal').waitFor();
  };
  const field = (block: string) => page.locator(`form.modal [data-block="${block}"]`);

  it('are offered by a picker, and the form then starts from what is set', async () => {
    await type('/numbers update form');
    await field('Number').pressSequentially('ava');
    const options = page.locator('form.modal [role=option]');
    await options.filter({ hasText: 'Ava Stone · (201) 555-0101 · Acme Mobile' }).first().waitFor();
    await options.filter({ hasText: '(201) 555-0103' }).first().click();
    const values = () =>
      page.locator('form.modal input').evaluateAll((inputs) => inputs.map((one) => String(Reflect.get(one, 'value'))));
    const set = ['Ava Stone', 'Main SMS route', '89012403971900010030'];
    await expect.poll(values, { timeout: 40_000 }).toEqual(expect.arrayContaining(set));
  });
});
