import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { faultsOf } from '../../support/axe.ts';
import { describeInBrowser } from '../../support/browser.ts';
import { eachOnDemo } from '../../support/demo-browser.ts';
import { type Json, until } from '../../support/world.ts';

describeInBrowser('the playground in a real browser', (openBrowser) => {
  let page: Page;
  const demo = eachOnDemo(openBrowser, (opened) => {
    page = opened;
  });

  const control = async (path: string): Promise<Json> => (await fetch(new URL(`/sandbox/${path}`, demo().url))).json();
  const type = async (text: string) => {
    await page.locator('#input').fill(text);
    await page.keyboard.press('Enter');
  };

  it('has no violation of WCAG A or AA: closed, with the menu, with messages, with a dialog, in Home', async () => {
    expect(await faultsOf(page, 'playground')).toEqual([]);
    await page.locator('#input').pressSequentially('/nu');
    await page.locator('#suggestions .item').first().waitFor();
    expect(await faultsOf(page, 'playground menu')).toEqual([]);
    await type('/number +12015550101');
    await page.getByText('Only visible to you').first().waitFor();
    expect(await faultsOf(page, 'playground lookup')).toEqual([]);
    await type('/numbers portin form');
    await page.locator('form.modal').waitFor();
    expect(await faultsOf(page, 'playground dialog')).toEqual([]);
    await page.keyboard.press('Escape');
    await page.locator('form.modal').waitFor({ state: 'detached' });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await page.getByRole('button', { name: 'Start anew', exact: true }).waitFor();
    expect(await faultsOf(page, 'playground sidebar')).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: /^Home/ }).click();
    await page.locator('.home .block').first().waitFor();
    expect(await faultsOf(page, 'playground home')).toEqual([]);
  });

  it('guides through a cancellation as Ana and its approval as Lee, and starts anew', async () => {
    await page.getByRole('button', { name: 'Start the tour', exact: true }).click();
    await page.getByText('Step 1 of 3').waitFor();
    expect(await faultsOf(page, 'playground tour')).toEqual([]);
    await page.getByRole('button', { name: 'Write it for me', exact: true }).click();
    await until(async () => (await page.inputValue('#input')) === '/numbers cancel +12015550103');
    await page.keyboard.press('Enter');
    await page.getByText('Step 2 of 3').waitFor();
    const cancelled = async () => (await control('state')).numbers.find((one: Json) => one.Number === '+12015550103');
    expect((await cancelled()).Status).toBe('Active');
    await page.getByRole('button', { name: 'Become Lee', exact: true }).click();
    await page.getByText('Step 3 of 3').waitFor();
    await page.locator('[data-action=sb_confirm]').last().click();
    await page.getByRole('alertdialog').waitFor();
    expect(await faultsOf(page, 'playground confirm')).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByText('Nothing was cancelled before Lee said yes').waitFor();
    expect((await cancelled()).Status).toBe('Cancelled - Pending Delete');
    expect(await faultsOf(page, 'playground done')).toEqual([]);

    await page.setViewportSize({ width: 1280, height: 800 });

    // A second tour takes a number that can still be cancelled.
    await page.getByRole('button', { name: 'Start again', exact: true }).click();
    await page.getByText('Step 1 of 3').waitFor();
    await page.getByRole('button', { name: 'Write it for me', exact: true }).click();
    await until(async () => (await page.inputValue('#input')) === '/numbers cancel +12015550101');
    await page.press('#input', 'Enter');
    await page.getByText('Step 2 of 3').waitFor();
    await page.getByRole('button', { name: 'End the tour', exact: true }).click();

    await page.getByRole('button', { name: 'Start anew', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Keep', exact: true }).click();
    expect((await cancelled()).Status).toBe('Cancelled - Pending Delete');
    await page.getByRole('button', { name: 'Start anew', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Start anew', exact: true }).click();
    await page.getByText('The sandbox starts anew.').waitFor();
    expect((await cancelled()).Status).toBe('Active');
  });

  it('moves the sandbox’s clock, and has a customer text and a port-in rejected', async () => {
    const before = Date.parse((await control('state')).now);
    await page.getByRole('button', { name: /^\+1 day:/ }).click();
    await page.getByText('The sandbox’s clock now shows').waitFor();
    expect(Date.parse((await control('state')).now) - before).toBeGreaterThanOrEqual(86_400_000);
    await page.getByRole('button', { name: 'A customer texts', exact: true }).click();
    await page.getByText('Where is my SIM?').first().waitFor();
    await page.getByRole('button', { name: 'A port-in is rejected', exact: true }).click();
    await page.getByText('Rejected').first().waitFor();
    expect(await faultsOf(page, 'playground events')).toEqual([]);
  });
});
