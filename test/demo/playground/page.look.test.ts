import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { faultsOf } from '../../support/axe.ts';
import { describeInBrowser } from '../../support/browser.ts';
import { eachOnDemo } from '../../support/demo-browser.ts';
import { runCli } from '../../support/process.ts';
import { type Json, until } from '../../support/world.ts';

describeInBrowser('the playground in a real browser', (openBrowser) => {
  let page: Page;
  const demo = eachOnDemo(openBrowser, (opened) => {
    page = opened;
  });

  const control = async (path: string): Promise<Json> => (await fetch(new URL(`/sandbox/${path}`, demo().url))).json();
  const focused = () => page.evaluate<string>('document.activeElement.id || document.activeElement.textContent');
  const type = async (text: string) => {
    await page.locator('#input').fill(text);
    await page.keyboard.press('Enter');
  };
  const marked = () => page.locator('#suggestions [aria-selected=true] b').textContent();

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

  it('is used by keyboard: the slash menu by arrows, Enter, Tab and Escape', async () => {
    expect(await focused()).toBe('input');
    await page.keyboard.type('/nu');
    expect(await marked()).toBe('/number');
    await page.keyboard.press('ArrowDown');
    expect(await marked()).toBe('/numbers');
    await page.keyboard.press('ArrowDown');
    expect(await marked()).toBe('/number');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    expect(await page.inputValue('#input')).toBe('/numbers ');
    await page.locator('#input').fill('');
    await page.keyboard.type('/ev');
    await page.keyboard.press('Tab');
    expect(await page.inputValue('#input')).toBe('/events ');
    await page.locator('#input').fill('');
    await page.keyboard.type('/nu');
    await page.keyboard.press('Escape');
    await page.locator('#suggestions').waitFor({ state: 'hidden' });
    expect(await page.inputValue('#input')).toBe('/nu');
    expect(await focused()).toBe('input');
  });

  it('is used by keyboard: a typeahead in a dialog', async () => {
    await type('/numbers portin form');
    const dialog = page.getByRole('dialog');
    const field = dialog.getByRole('combobox', { name: /^Assigned subscriber/ });
    await field.focus();
    await page.keyboard.type('ava');
    const option = dialog.getByRole('option', { name: /^Ava Stone/ });
    await option.waitFor();
    expect(await option.getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Enter');
    await option.waitFor({ state: 'hidden' });
    expect(await field.inputValue()).toContain('Ava Stone');
    // Escape closes the list first, then the dialog.
    await page.keyboard.type(' S');
    await page.locator('.typeahead .menu:visible').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.typeahead .menu:visible').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('keeps the focus in a dialog, and gives it back', async () => {
    const opener = page.getByRole('button', { name: 'Look up a number', exact: true });
    await opener.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    // The person switch belongs to it: one can change who one is while it is open.
    const inDialog = () => page.evaluate<boolean>('document.activeElement.closest("[role=dialog], #person") !== null');
    const stops = await dialog.locator('button, input, select, textarea').count();
    for (let i = 0; i <= stops; i++) {
      expect(await inDialog()).toBe(true);
      await page.keyboard.press('Tab');
    }
    for (let i = 0; i <= stops; i++) {
      expect(await inDialog()).toBe(true);
      await page.keyboard.press('Shift+Tab');
    }
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await until(async () => (await focused()).includes('Look up a number'));
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
    await page.keyboard.press('Enter');
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

  it('is used on a phone by touch: a tour that ends with Decline, and a new start that forgets it', async () => {
    const phone = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } };
    const touched = await demo().browser.newContext(phone);
    page = await touched.newPage();
    await page.goto(demo().url);
    await page.locator('.welcome').waitFor();
    await page.getByRole('button', { name: 'Menu', exact: true }).tap();
    await page.getByRole('button', { name: 'Start the tour', exact: true }).tap();
    await page.getByRole('button', { name: 'Write it for me', exact: true }).tap();
    await page.getByRole('button', { name: 'Send', exact: true }).tap();
    await page.getByText('Step 2 of 3').waitFor();
    const card = page.locator('.message', { has: page.locator('[data-action=sb_decline]') }).last();
    await page.getByRole('button', { name: 'Become Lee', exact: true }).tap();
    await page.getByText('Step 3 of 3').waitFor();
    // The text of a card has the width of the window, and its buttons are big enough for a finger.
    // A message is drawn again at each change, and has no size in between.
    await until(async () => ((await card.locator('.body').boundingBox())?.width ?? 0) > 280, 'a wide card');
    const reply = page.getByRole('button', { name: 'Reply in thread', exact: true }).last();
    await until(async () => ((await reply.boundingBox())?.height ?? 0) >= 32, 'a big button');
    const scrolls = page.locator('#list').evaluate((list) => list.scrollWidth > list.clientWidth);
    expect(await scrolls, 'the conversation scrolls sideways').toBe(false);
    expect(await faultsOf(page, 'playground touch')).toEqual([]);
    await page.setViewportSize(phone.viewport);
    await page.getByRole('button', { name: 'Decline', exact: true }).last().tap();
    await page.getByLabel('Reason').fill('Not before Monday');
    await page.locator('dialog, [role=dialog]').getByRole('button', { name: 'Decline', exact: true }).tap();
    await page.getByText('Lee declined, so nothing was cancelled').waitFor();
    await page.locator('.message', { hasText: 'Not before Monday' }).first().waitFor();
    const audit = async () => (await runCli(['audit'], demo().folder, {})).out;
    expect(await audit()).toContain('numbers_cancel');
    await page.getByRole('button', { name: 'Menu', exact: true }).tap();
    await page.getByRole('button', { name: 'Start anew', exact: true }).tap();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Start anew', exact: true }).tap();
    await page.getByText('The sandbox starts anew.').waitFor();
    await until(async () => (await page.locator('.message').count()) === 0);
    expect(await audit()).toBe('');
    await touched.close();
  });

  it('shows every time in one zone, and says which', async () => {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    await page.getByText(`Times in ${zone.split('/').at(-1)?.replaceAll('_', ' ')}`).waitFor();
    await type('/number +12015550101');
    const posted = page.locator('.message time').first();
    const shown = await posted.textContent();
    await page.getByLabel('You are').selectOption({ label: 'Vic (viewer)' });
    await type('where?');
    await page.locator('.message', { hasText: 'where?' }).waitFor();
    const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, hour: 'numeric', minute: '2-digit' });
    const near = [0, 1, 2].map((minutes) => format.format(Date.now() - minutes * 60_000));
    expect(near).toContain(await page.locator('.message time').last().textContent());
    expect(near).toContain(shown);
  });

  it('opens a list of choices with a click, leads to what is wrong in a form, and shows the answer of a command', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: /^support/ }).click();
    for (const phone of ['0101', '0102', '0103']) {
      await page.locator('#input').fill(`/number +1201555${phone}`);
      await page.keyboard.press('Enter');
      await page
        .locator('article', { hasText: `(201) 555-${phone}` })
        .first()
        .waitFor();
    }
    const below = `(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight)(document.querySelector('#list'))`;
    await page.evaluate('document.querySelector("#list").scrollTop = 0');
    await page.locator('#input').fill('/webhook create form');
    await page.keyboard.press('Enter');
    expect(await page.evaluate<number>(below)).toBeLessThan(120);

    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Method').click();
    await dialog.getByRole('option', { name: 'PUT', exact: true }).click();
    await dialog.getByLabel('Webhook URL').fill('https://example.com/hook');
    await dialog.getByLabel('Order update').check();
    await dialog.getByLabel('Authentication type').selectOption('Token');
    await dialog.getByLabel('Authentication token').waitFor();
    await dialog.locator('button[type=submit]').click();
    await dialog.locator('.error').first().waitFor();
    const focused = 'document.activeElement.closest(".wrong") !== null';
    await expect.poll(() => page.evaluate<boolean>(focused)).toBe(true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
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

  it('takes a port-in on, state by state, after it was corrected', async () => {
    const seeded = { OrderId: 'JNUOID-00000000-0000-4000-8000-000000000001', Status: 'Submitted' };
    await fetch(new URL('/sandbox/orders', demo().url), { method: 'POST', body: JSON.stringify(seeded) });
    const order = page.locator('#orders li', { hasText: '+13125550111' });
    await page.reload();
    await order.getByText('Submitted').waitFor();
    await order.getByRole('button', { name: /^Next state:/ }).click();
    await order.getByText('Pending Carrier Approval').waitFor();
    expect(await faultsOf(page, 'playground orders')).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });
    await order.getByRole('button', { name: /^Reject:/ }).click();
    await order.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: /^events/ }).click();
    await page.getByRole('button', { name: 'Correct and re-submit', exact: true }).last().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Current account number').fill('4651-9999');
    await dialog.locator('button[type=submit]').click();
    await dialog.getByRole('button', { name: 'Apply', exact: true }).click();
    await dialog.getByText(': Submitted').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await order.getByText('Submitted').waitFor();
    for (const status of ['Pending Carrier Approval', 'Scheduled']) {
      await order.getByRole('button', { name: /^Next state:/ }).click();
      await order.getByText(status).waitFor();
    }
    await order.getByRole('button', { name: /^Next state:/ }).click();
    await order.waitFor({ state: 'detached' });
    const { numbers } = await control('state');
    expect(numbers.find((one: Json) => one.Number === '+13125550111')?.Status).toBe('Active');
  });
});
