import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { faultsOf } from '../../support/axe.ts';
import { describeInBrowser } from '../../support/browser.ts';
import { eachOnDemo } from '../../support/demo-browser.ts';

describeInBrowser('several people in one page', (openBrowser) => {
  let page: Page;
  eachOnDemo(openBrowser, (opened) => {
    page = opened;
  });

  const become = (name: string) => page.getByLabel('You are').selectOption({ label: name });
  const dialog = () => page.getByRole('dialog');
  const send = async (text: string) => {
    await page.locator('#input').fill(text);
    await page.keyboard.press('Enter');
  };

  it('each have a dialog of their own, with what they typed', async () => {
    await send('/numbers portin form');
    const name = dialog().getByLabel('Subscriber name');
    await name.fill('Ava Stone');
    expect(await faultsOf(page, 'playground person switch')).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });
    await become('Lee (approver)');
    await dialog().waitFor({ state: 'detached' });
    await send('/numbers provision form');
    await dialog().waitFor();
    expect(await dialog().getByLabel('Subscriber name').count()).toBe(0);
    await become('Ana (operator)');
    await name.waitFor();
    expect(await name.inputValue()).toBe('Ava Stone');
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await become('Lee (approver)');
    await dialog().waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });

  it('reach the switch from a dialog by keyboard, also in a narrow window', async () => {
    await send('/numbers portin form');
    await dialog().waitFor();
    const isSwitch = () => page.evaluate<boolean>('document.activeElement.id === "user"');
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      await page.getByLabel('You are').waitFor();
      await dialog().getByRole('button', { name: 'Close', exact: true }).focus();
      await page.keyboard.press('Shift+Tab');
      expect(await isSwitch()).toBe(true);
      await page.keyboard.press('Tab');
      expect(await isSwitch()).toBe(false);
      expect(await page.evaluate<boolean>('document.activeElement.closest("[role=dialog]") !== null')).toBe(true);
    }
    // The page behind the dialog is out of reach.
    expect(
      await page.evaluate('[document.querySelector(".main").inert, document.querySelector("#side").inert]'),
    ).toEqual([true, true]);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });

  it('see a guide go on after somebody else has decided', async () => {
    await send('/numbers portin guide +13125550190');
    await dialog().locator('button[type=submit]').click();
    const fields = {
      'Current carrier name': 'Lakeside',
      'Current account number': '4651',
      'Account PIN or password': '7777',
      'street 1': '1 Main St',
      city: 'Chicago',
      state: 'IL',
      ZIP: '60601',
    };
    for (const [label, value] of Object.entries(fields)) await dialog().getByLabel(label).fill(value);
    await dialog().locator('button[type=submit]').click();
    await dialog().getByText('waits for an approver').waitFor();
    await become('Lee (approver)');
    await page.locator('[data-action=sb_confirm]').last().click();
    await page.getByRole('alertdialog').locator('[data-accept]').click();
    await page.locator('[data-action=sb_confirm]').first().waitFor({ state: 'detached' });
    await become('Ana (operator)');
    await dialog().getByText('Submitted').first().waitFor();
    // The form follows what happens to the order.
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });
});
