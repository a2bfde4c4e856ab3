import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { escapeHtml } from '../../../src/surfaces/web/html.ts';
import { accepts } from '../../support/asking.ts';
import { FastClock } from '../../support/clock.ts';
import { filesWith } from '../../support/folder.ts';
import { confirm, look, type Page, press, signIn, signOut } from '../../support/page.ts';
import { REACTIVATE, REACTIVATE_PATH, seeded } from '../../support/seed.ts';
import { call, openWorld, texts, value } from '../../support/world.ts';

const HOSTILE = `<script>alert(1)</script><img src=x onerror="alert(2)">'"&</dd></dl>`;
const PIN = /Port-out PIN[^<]*: <code>(\d{6})<\/code>/;

const world = await openWorld();
const client = await world.client();

describe('the confirmation page', () => {
  beforeEach(() => world.afresh());

  const pending = (name = 'numbers_reactivate', input: Record<string, unknown> = REACTIVATE) => world.asks(name, input);

  it('shows a day in words, which the script writes as the reader’s browser does', async () => {
    const park = { PhoneNumbers: [seeded(1)], StatusChange: 'park', EffectiveDate: '2099-11-30' };
    const { html } = await look((await pending('numbers_status', park)).url);
    expect(html).toContain('Effective Monday, <time datetime="2099-11-30">Nov 30, 2099</time>.');
  });

  it('shows who asks, what, for which number, at what cost, and until when', async () => {
    const { url } = await pending();
    const { status, html } = await look(url);
    expect(status).toBe(200);
    const facts = [
      'an assistant on this computer',
      'over MCP',
      seeded(7),
      '5 USD',
      'Undo',
      'Waits for an approver until',
    ];
    for (const text of facts) expect(html).toContain(escapeHtml(text));
    expect(html).toContain('Waiting for your decision. Nothing has been done yet.');
    expect(html).toMatch(/<button[^>]*name="act" value="confirm">Reactivate for 5 USD/);
    expect(html).toMatch(/<button name="act" value="decline"[^>]*>Decline/);
  });

  it('works without JavaScript, from no other place, uncached and unframed', async () => {
    const { url } = await pending();
    const { headers, html } = await look(url);
    expect(headers.get('cache-control')).toBe('no-store');
    const policy = headers.get('content-security-policy') ?? '';
    for (const rule of ["default-src 'none'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"])
      expect(policy).toContain(rule);
    expect(policy).not.toMatch(/unsafe|\*/);
    const nonce = /style-src 'nonce-([^']+)'/.exec(policy)?.[1];
    expect(html).toContain(`<style nonce="${nonce}">`);
    // The only script is allowed by its own hash, so that no other could run.
    const [, script = '', ...more] = /^.*<script>(.*?)<\/script>(.*)$/s.exec(html) ?? [];
    const hash = createHash('sha256').update(script).digest('base64');
    expect(/script-src ([^;]+)/.exec(policy)?.[1]).toBe(`'sha256-${hash}'`);
    expect(more.join('')).toBe('</body></html>');
    expect(html.replace(`<script>${script}</script>`, '')).not.toMatch(/<script|\son\w+=|https?:\/\/|style="/i);
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    // With no-referrer a browser sends a form with `Origin: null`, and the click would be refused.
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Strict/);
  });

  it('shows hostile text as text', async () => {
    const input = { To: [{ Number: '+12015550199' }], From: seeded(1), Body: HOSTILE };
    const { url } = await pending('message_outbound', input);
    for (const { html } of [await look(url), await confirm(url), await look(url)]) {
      expect(html.match(/<script/g)).toHaveLength(1);
      expect(html).not.toMatch(/<img|<\/dl>'/);
      expect(html).toContain(escapeHtml(HOSTILE));
    }
  });

  it('is not moved by looking', async () => {
    const { url } = await pending();
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) await fetch(url, { method });
    await fetch(`${url}?act=confirm`);
    expect((await look(url)).html).toContain('Waiting for your decision.');
    expect(await world.sent(REACTIVATE_PATH)).toEqual([]);
  });

  it('takes only the form of this page', async () => {
    const mine = await pending();
    const other = await pending('numbers_reactivate', { ...REACTIVATE, PhoneNumber: seeded(8) });
    const [page, foreign] = [await look(mine.url), await look(other.url)];
    const forms: [string, Page][] = [
      ['no token', { ...page, csrf: '' }],
      ['made up', { ...page, csrf: 'abc.def' }],
      ['no cookie', { ...page, cookie: '' }],
      ["another page's", foreign],
      ["another page's token", { ...page, csrf: foreign.csrf }],
      ["another look's cookie", { ...page, cookie: (await look(mine.url)).cookie }],
    ];
    for (const [what, form] of forms)
      for (const act of ['confirm', 'decline', 'once']) {
        const answer = await press(mine.url, act, {}, form);
        expect([what, act, answer.status]).toEqual([what, act, 403]);
        expect(answer.html).toContain('Waiting for your decision.');
      }
    expect(await world.sent(REACTIVATE_PATH)).toEqual([]);
    expect((await press(mine.url, 'maybe')).status).toBe(400);
  });

  it('runs once however often it is pressed', async () => {
    const { url } = await pending();
    const page = await look(url);
    const pressed = await Promise.all(Array.from({ length: 8 }, () => press(url, 'confirm', {}, page)));
    expect(pressed.map((answer) => answer.status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 409)]);
    const late = await press(url, 'confirm', {}, page);
    expect([late.status, late.html]).toEqual([409, expect.stringContaining('<p class="state done">')]);
    expect(late.html).not.toContain('Try again');
    expect((await press(url, 'decline', {}, page)).html).toContain('already confirmed');
    expect(await world.sent(REACTIVATE_PATH)).toHaveLength(1);
    expect((await world.state()).fees).toHaveLength(1);
    const after = await look(url);
    expect(after.html).toContain('Done.');
    expect(after.html).not.toContain('<form');
    expect(after.html).toContain('Confirmed by');
  });

  it('knows no page that was not asked for', async () => {
    const answer = await look(`${world.url}/confirm/00000000`);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('refuses a form of unreasonable size and goes on', async () => {
    const { url } = await pending();
    const answer = await press(url, 'confirm', { pad: 'x'.repeat(32 * 1024) }).catch(() => undefined);
    expect(answer?.status ?? 413).toBeGreaterThanOrEqual(400);
    expect((await look(url)).html).toContain('Waiting for your decision.');
  });

  it('shows a made port-out PIN once, to whoever confirmed, and it is nowhere else', async () => {
    const { id, url } = await pending('numbers_portout', { PortOutNumber: seeded(5) });
    expect((await look(url)).html).not.toMatch(/<code>/);
    const page = await look(url);
    expect((await press(url, 'once', {}, page)).html).toContain('There is nothing to show before the yes.');
    const shown = await press(url, 'confirm', {}, page);
    const pin = PIN.exec(shown.html)?.[1] ?? '';
    expect(pin).toMatch(/^\d{6}$/);
    const again = [await look(url), await press(url, 'once', {}, page), await press(url, 'confirm', {}, page)];
    for (const { html } of again) expect(html).not.toContain(pin);
    expect(again[1]?.html).toContain('It was already shown.');
    const followed = await call(client, 'confirmations_get', { id });
    expect(value(followed).status).toBe('done');
    expect(JSON.stringify(followed)).not.toContain(pin);
    expect(JSON.stringify(await call(client, 'numbers_get', { PhoneNumber: seeded(5) }))).not.toContain(pin);
    expect(filesWith(world.folder, pin)).toEqual([]);
  });

  it('does not say that somebody has a made PIN whose answer was lost', async () => {
    const other = await openWorld({}, new FastClock());
    await other.control('faults', { path: '/v1.0/numbers/portout', times: 9, dropAfterCommit: true });
    const { url } = await other.asks('numbers_portout', { PortOutNumber: seeded(5) });
    expect((await confirm(url)).html).toContain('Outcome unknown');
    const settled = (await press(url, 'wasDone')).html;
    expect(settled).toContain('The new port-out PIN may not have been shown to anybody. Set another one');
    expect(settled).not.toContain('has the new port-out PIN');
  });

  it.each(['Completed', 'Rejected', 'Cancelled'])(
    'does not say that a PIN is in force after its order was reported as %s',
    async (Status) => {
      const { id, url } = await pending('numbers_portout', { PortOutNumber: seeded(6) });
      expect((await confirm(url)).html).toContain('Done, the PIN is in force');
      const followed = await call(client, 'confirmations_get', { id });
      expect(texts(followed)).not.toContain('not completed');
      const { OrderId } = value(followed).result;
      await world.control('orders', { OrderId, Status });
      await call(client, 'numbers_order_get', { OrderId });
      const { html } = await look(url);
      expect(html).not.toContain('the PIN is in force');
      expect(html).toContain(Status === 'Completed' ? 'Done' : `Order ${Status.toLowerCase()}`);
    },
  );

  it('leads from a question that was replaced to the newer one', async () => {
    const limit = (LimitValue: number) =>
      pending('numbers_data_usage_set', { PhoneNumbers: [{ Number: seeded(1) }], LimitValue });
    const old = await limit(70);
    const seen = await look(old.url);
    const newer = await limit(80);
    const late = await press(old.url, 'confirm', {}, seen);
    expect(late.html).toContain('<p class="state declined">Replaced. Nothing was done.</p>');
    expect(late.html).toContain(`<a href="/confirm/${newer.id}">Open the question that replaced it</a>`);
    expect(late.html).toContain('Answer the newer one instead.');
    expect(late.html).not.toContain('Request it again');
  });

  it.each([
    ['checks an unknown outcome when asked to', 'check', 'done'],
    ['closes an unknown outcome by the word of a person who has checked', 'wasNot', 'failed'],
  ])('%s', async (_what, act, state) => {
    const { id, url } = await pending('numbers_cancel', { PhoneNumbers: [{ Number: seeded(3) }] });
    await world.control('faults', { path: '/v1.0/numbers/cancel-order-submit', dropAfterCommit: true });
    const unknown = await confirm(url);
    expect(unknown.html).toMatch(/may still be working on it until <time [^>]*>[^<]+ UTC<\/time>, and is read again/);
    for (const words of ['value="check">Check now</button>', 'You have seen that it was not done.'])
      expect(unknown.html).toContain(words);
    expect((await press(url, act)).html).toContain(`<p class="state ${state}">`);
    expect((await world.follows(id)).status).toBe(state);
  });
});

it('shows the state only where the page may not confirm (CONFIRM_VIA=slack)', async () => {
  const world = await openWorld({
    CONFIRM_VIA: 'slack',
    SLACK_BOT_TOKEN: 'xoxb-1',
    SLACK_SIGNING_SECRET: 'signing-secret',
    SLACK_APPROVERS: 'U000LEAD',
  });
  const open = await openWorld();
  const { id, url: none } = await world.asks('numbers_reactivate', REACTIVATE);
  expect(none).toBeUndefined();
  const url = `${world.url}/confirm/${id}`;
  const page = await look(url);
  expect(page.html).toContain('Waiting for another person.');
  expect(page.html).toContain('CONFIRM_VIA allows slack. If nobody can decide it there, its requester can withdraw it');
  expect(page.html).not.toMatch(/<form|<button/);
  expect((await press(url, 'confirm')).status).toBe(403);
  // Nor with a form of another process.
  const other = await open.asks('numbers_reactivate', REACTIVATE);
  expect((await press(url, 'confirm', {}, await look(other.url))).status).toBe(403);
  expect(await world.sent(REACTIVATE_PATH)).toEqual([]);
  expect((await look(url)).html).toContain('Waiting for another person.');
});

it('shows a secret once, at the top of the page, to the person who confirmed in a client, and to nobody else', async () => {
  const tokens = 'ana:approver:token-of-ana,lee:approver:token-of-lee';
  const world = await openWorld({ MCP_HTTP_TOKENS: tokens, CONFIRM_VIA: 'client' });
  onTestFinished(signOut);
  const client = await world.client({ token: 'token-of-ana', person: accepts });
  const result = await call(client, 'numbers_portout', { PortOutNumber: seeded(5) });
  expect(value(result).Successful).toBe(true);
  expect(JSON.stringify(result)).not.toMatch(/PortOutPIN/i);
  const id = (await world.runtime.gate.actions.list({ states: ['done'], limit: 1 }))[0]?.id ?? '';
  const url = `${world.url}/confirm/${id}`;
  expect(texts(result)).toContain(`/confirm/${id}`);
  await signIn(url, 'token-of-lee');
  for (const { html } of [await look(url), await press(url, 'once')]) {
    expect(html).toContain('<p class="state done">');
    expect(html).not.toMatch(/value="once"|<code>/);
  }
  expect(await world.runtime.gate.takeOnce(id, 'token:lee')).toBeUndefined();
  await signIn(url, 'token-of-ana');
  const mine = await look(url);
  expect(mine.html).toContain('Show the secret once');
  expect(mine.html.indexOf('value="once"')).toBeLessThan(mine.html.indexOf('<dl>'));
  const shown = await press(url, 'once', {}, mine);
  expect(shown.html).toMatch(PIN);
  expect(shown.html.search(PIN)).toBeLessThan(shown.html.indexOf('<dl>'));
  expect((await press(url, 'once')).html).not.toMatch(PIN);
});
