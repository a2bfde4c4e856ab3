import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { IDS, type Workspace } from '../../../src/demo/playground/workspace.ts';
import { faultsOf } from '../../support/axe.ts';
import { describeInBrowser } from '../../support/browser.ts';
import { openWorkspacePage, section, until, type WorkspacePage } from './support.ts';

describeInBrowser('blocks in a real browser', (openBrowser) => {
  let page: Page;
  let ws: Workspace;
  let api: WorkspacePage['api'];
  openWorkspacePage(openBrowser, {}, (opened) => {
    ({ page, ws, api } = opened);
  });

  const post = async (args: object): Promise<string> => {
    const answer = await api('chat.postMessage', { channel: IDS.C_SUPPORT, text: 'x', ...args });
    expect(answer).toMatchObject({ ok: true });
    return String(answer.ts);
  };
  const shown = () => page.locator('.data-table tbody tr:visible > :first-child').allTextContents();

  it('a data table is sorted and its pages are turned, also after a new drawing', async () => {
    const text = (value: string) => ({ type: 'raw_text', text: value });
    const rows = Array.from({ length: 12 }, (_, i) => [
      text(`line ${i}`),
      { type: 'raw_number', value: (i * 5) % 12, text: `${(i * 5) % 12} MB` },
    ]);
    await post({ blocks: [{ type: 'data_table', caption: 'Usage', rows: [[text('Line'), text('Used')], ...rows] }] });
    await until(async () => (await shown()).length === 5);
    expect(await faultsOf(page, 'playground data table')).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });
    const pager = page.locator('.pager [role=status]');
    expect(await pager.textContent()).toBe('1–5 of 12');
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    expect([await pager.textContent(), ...(await shown())]).toEqual(['11–12 of 12', 'line 10', 'line 11']);
    expect(await page.getByRole('button', { name: 'Next', exact: true }).isDisabled()).toBe(true);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Previous');

    // The column is sorted by its numbers, not by its texts: 10 MB comes after 9 MB.
    const used = page.getByRole('button', { name: 'Used', exact: true });
    await used.click();
    expect([await pager.textContent(), ...(await shown())]).toEqual([
      '1–5 of 12',
      ...['line 0', 'line 5', 'line 10', 'line 3', 'line 8'],
    ]);
    await used.click();
    expect((await shown())[0]).toBe('line 7');
    expect(await page.locator('th[aria-sort=descending]').textContent()).toContain('Used');
    await post({ text: 'One more message' });
    await page.getByText('One more message').waitFor();
    expect((await shown())[0]).toBe('line 7');
    await used.click();
    expect((await shown())[0]).toBe('line 0');
  });

  it('a code block is copied with one click', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const code = { type: 'rich_text_preformatted', elements: [{ type: 'text', text: '4651 <PIN>' }] };
    await post({ blocks: [{ type: 'rich_text', elements: [code] }] });
    await page.getByText('4651 <PIN>').waitFor();
    expect(await faultsOf(page, 'playground code')).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByText('Copied.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('4651 <PIN>');
  });

  it('a link to a message leads to it', async () => {
    const ts = await post({ channel: IDS.C_APPROVALS, text: 'The card' });
    const link = `https://switchboard-demo.slack.com/archives/${IDS.C_APPROVALS}/p${ts.replace('.', '')}`;
    await post({ blocks: [section(`<${link}|Open the card>`)] });
    await page.getByRole('link', { name: 'Open the card', exact: true }).click();
    await page.getByText('The card', { exact: true }).waitFor();
    expect(await page.locator('#title').textContent()).toBe('#approvals');
    await until(() => page.evaluate<boolean>(`document.activeElement.dataset.ts === '${ts}'`));
    await page.getByRole('button', { name: /^support/ }).click();
  });

  it('an ephemeral message is there for one person, and its replacement too', async () => {
    const { id } = ws.state.responseUrl(IDS.U_AGENT, IDS.C_SUPPORT);
    const respond = (body: object) =>
      fetch(ws.apiUrl.replace('/api/', `/response/${id}`), { method: 'POST', body: JSON.stringify(body) });
    await respond({ text: 'Reading' });
    await page.locator('.message.ephemeral', { hasText: 'Reading' }).waitFor();
    await respond({ text: 'Read', replace_original: true });
    await page.locator('.message.ephemeral', { hasText: 'Reading' }).waitFor({ state: 'detached' });
    const read = page.locator('.message.ephemeral', { hasText: 'Read' });
    await read.waitFor();
    // Slack offers neither shortcuts nor a thread on it.
    expect(await read.getByRole('button').count()).toBe(0);
    await page.getByLabel('You are').selectOption({ label: 'Lee (approver)' });
    await read.waitFor({ state: 'detached' });
    await page.getByLabel('You are').selectOption({ label: 'Ana (operator)' });
    await read.waitFor();
    await respond({ delete_original: true });
    await read.waitFor({ state: 'detached' });
  });
});
