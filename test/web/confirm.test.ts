import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '../../src/actor.ts';
import { type Clock, systemClock } from '../../src/clock.ts';
import { createDoor } from '../../src/door.ts';
import { createLedger } from '../../src/ledger/ledger.ts';
import { createSeal } from '../../src/ledger/seal.ts';
import type { Client, Request } from '../../src/platform/types.ts';
import { createRedactor } from '../../src/redact.ts';
import { WrongTokens } from '../../src/web/attempts.ts';
import { createConfirmPage, escapeHtml } from '../../src/web/confirm.ts';
import { KEY_MS, Pairing, SESSION_MS } from '../../src/web/pairing.ts';
import { Sessions } from '../../src/web/session.ts';
import { secretNames } from '../../src/words/secrets.ts';
import { tools } from '../../tools/index.ts';
import { everyWay } from '../support/approval.ts';
import { keptIn } from '../support/here.ts';
import {
  A1,
  call,
  confirm,
  decline,
  look,
  lookAsStranger,
  openWorld,
  type Page,
  pairBrowser,
  press,
  seeded,
  signIn,
  signOut,
  value,
  type World,
} from '../support/world.ts';

const REACTIVATE = { PhoneNumber: seeded(7), AccountId: A1 };
const PATH = '/v1.0/numbers/reactivate';
const HOSTILE = `<script>alert(1)</script><img src=x onerror="alert(2)">'"&</dd></dl>`;
const PIN = /PortOutPIN: <code>(\d{6})<\/code>/;

describe('the confirmation page', () => {
  let world: World;
  let client: Awaited<ReturnType<World['client']>>;
  beforeAll(async () => {
    world = await openWorld();
    client = await world.client();
  });
  afterAll(() => world.close());
  beforeEach(() => world.reset());

  const pending = async (name = 'numbers_reactivate', input: Record<string, unknown> = REACTIVATE) =>
    value(await call(client, name, input)).confirmation as { id: string; url: string };

  it('shows who asks, what, for which number, at what cost, and until when', async () => {
    const { url } = await pending();
    const { status, html } = await look(url);
    expect(status).toBe(200);
    const texts = ['an assistant on this computer', 'over MCP', seeded(7), '5 USD', 'Undo', 'Waits until'];
    for (const text of texts) expect(html).toContain(escapeHtml(text));
    expect(html).toContain('Waits for you. Nothing has been done yet.');
    expect(html).toMatch(/<button[^>]*name="act" value="confirm">Confirm: /);
    expect(html).toMatch(/<button name="act" value="decline">Decline/);
    await decline(url);
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
    expect(html).not.toMatch(/<script|\son\w+=|https?:\/\/|style="/i);
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    // With no-referrer a browser sends a form with `Origin: null`, and the click would be refused.
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Strict/);
    await decline(url);
  });

  it('shows hostile text as text', async () => {
    const { url } = await pending('message_outbound', {
      To: [{ Number: '+12015550199' }],
      From: seeded(1),
      Body: HOSTILE,
    });
    for (const { html } of [await look(url), await confirm(url), await look(url)]) {
      expect(html).not.toMatch(/<script|<img|<\/dl>'/);
      expect(html).toContain(escapeHtml(HOSTILE));
    }
  });

  it('is not moved by looking', async () => {
    const { url } = await pending();
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) await fetch(url, { method });
    await fetch(`${url}?act=confirm`);
    expect((await look(url)).html).toContain('Waits for you.');
    expect(await world.sent(PATH)).toEqual([]);
    await decline(url);
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
        expect(answer.html).toContain('Waits for you.');
      }
    expect(await world.sent(PATH)).toEqual([]);
    expect((await press(mine.url, 'maybe')).status).toBe(400);
    await decline(mine.url);
    await decline(other.url);
  });

  it('runs once however often it is pressed', async () => {
    const { url } = await pending();
    const page = await look(url);
    const pressed = await Promise.all(Array.from({ length: 8 }, () => press(url, 'confirm', {}, page)));
    expect(pressed.map((answer) => answer.status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 409)]);
    expect((await press(url, 'confirm', {}, page)).status).toBe(409);
    expect((await press(url, 'decline', {}, page)).html).toContain('already confirmed');
    expect(await world.sent(PATH)).toHaveLength(1);
    expect((await world.state()).fees).toHaveLength(1);
    const after = await look(url);
    expect(after.html).toContain('Done.');
    expect(after.html).not.toContain('<form');
    expect(after.html).toContain('Confirmed by');
  });

  it('declines for good', async () => {
    const { url } = await pending();
    const page = await look(url);
    expect((await press(url, 'decline', {}, page)).html).toContain('Declined. Nothing was done.');
    const late = await press(url, 'confirm', {}, page);
    expect(late.status).toBe(409);
    expect(late.html).toContain('A person declined it');
    expect(await world.sent(PATH)).toEqual([]);
  });

  it('says what the platform answered', async () => {
    const { url } = await pending('numbers_reactivate', { ...REACTIVATE, PhoneNumber: seeded(8) });
    const { html } = await confirm(url);
    expect(html).toContain('Failed. Nothing was done.');
    expect(html).toMatch(/class="problem">[^<]+</);
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
    expect((await look(url)).html).toContain('Waits for you.');
    await decline(url);
  });

  it('shows a made port-out PIN once, to whoever confirmed, and it is nowhere else', async () => {
    const { id, url } = await pending('numbers_portout', { PortOutNumber: seeded(5) });
    expect((await look(url)).html).not.toMatch(/<code>/);
    const page = await look(url);
    const shown = await press(url, 'confirm', {}, page);
    const pin = PIN.exec(shown.html)?.[1] ?? '';
    expect(pin).toMatch(/^\d{6}$/);
    const again = [await look(url), await press(url, 'once', {}, page), await press(url, 'confirm', {}, page)];
    for (const { html } of again) expect(html).not.toContain(pin);
    expect(again[1]?.html).toContain('It has been shown already.');
    const followed = await call(client, 'confirmations_get', { id });
    expect(value(followed).status).toBe('done');
    expect(JSON.stringify(followed)).not.toContain(pin);
    expect(JSON.stringify(await call(client, 'numbers_get', { PhoneNumber: seeded(5) }))).not.toContain(pin);
    expect(inFiles(world.folder, pin)).toEqual([]);
  });

  it('tells an asked person where the made PIN is shown once', async () => {
    const other = await openWorld({ MCP_HTTP_TOKENS: 'ana:approver:token-of-ana' });
    try {
      const asking = await other.client({ token: 'token-of-ana', person: () => ({ action: 'accept', content: {} }) });
      const result = await call(asking, 'numbers_portout', { PortOutNumber: seeded(4) });
      expect(value(result).Successful).toBe(true);
      expect(JSON.stringify(result)).not.toMatch(/PortOutPIN/i);
      const { door } = other.runtime;
      const id = door.ledger.list({ states: ['done'], limit: 1 })[0]?.id ?? '';
      expect(result.content).toContainEqual({ type: 'text', text: expect.stringContaining(`/confirm/${id}`) });
      // Only the person who confirmed may see it, and once.
      expect(door.takeOnce(id, 'local:somebody')).toBeUndefined();
      expect(door.takeOnce(id, 'token:ana')).toEqual({ PortOutPIN: expect.stringMatching(/^\d{6}$/) });
      expect(door.takeOnce(id, 'token:ana')).toBeUndefined();
    } finally {
      await other.close();
    }
  });

  it('keeps a given PIN off the page and out of the files', async () => {
    const { url } = await pending('numbers_portout', { PortOutNumber: seeded(3), PortOutPIN: '9081726354' });
    for (const { html } of [await look(url), await confirm(url), await look(url)])
      expect(html).not.toContain('9081726354');
    expect(inFiles(world.folder, '9081726354')).toEqual([]);
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
  try {
    const { id, url: none } = value(await call(await world.client(), 'numbers_reactivate', REACTIVATE)).confirmation;
    expect(none).toBeUndefined();
    const url = `${world.url}/confirm/${id}`;
    const page = await look(url);
    expect(page.html).toContain('Waits for you.');
    expect(page.html).toContain('CONFIRM_VIA leaves it out');
    expect(page.html).not.toMatch(/<form|<button/);
    expect((await press(url, 'confirm')).status).toBe(403);
    // Nor with a form of another process.
    const other = value(await call(await open.client(), 'numbers_reactivate', REACTIVATE)).confirmation;
    expect((await press(url, 'confirm', {}, await look(other.url))).status).toBe(403);
    expect(await world.sent(PATH)).toEqual([]);
    expect((await look(url)).html).toContain('Waits for you.');
  } finally {
    await Promise.all([world.close(), open.close()]);
  }
});

it('shows a secret only to the person who confirmed, at the top of the page', async () => {
  const world = await openWorld({ MCP_HTTP_TOKENS: 'ana:approver:token-of-ana,lee:approver:token-of-lee' });
  try {
    const client = await world.client({ token: 'token-of-ana' });
    const { url } = value(await call(client, 'numbers_portout', { PortOutNumber: seeded(5) })).confirmation;
    await signIn(url, 'token-of-ana');
    // The answer of the click is lost; its person looks again.
    const page = await look(url);
    await world.runtime.door.confirm(url.split('/').at(-1) ?? '', decider('ana'), 'page');
    await signIn(url, 'token-of-lee');
    const others = [await look(url), await press(url, 'once', {}, await look(url))];
    for (const { html } of others) {
      expect(html).toContain('Done.');
      expect(html).not.toMatch(/value="once"|<code>/);
    }
    await signIn(url, 'token-of-ana');
    const mine = await look(url);
    expect(mine.html).toContain('value="once"');
    expect(mine.html.indexOf('value="once"')).toBeLessThan(mine.html.indexOf('<dl>'));
    const shown = await press(url, 'once', {}, mine);
    expect(shown.html).toMatch(PIN);
    expect(shown.html.search(PIN)).toBeLessThan(shown.html.indexOf('<dl>'));
    expect(page.status).toBe(200);
  } finally {
    signOut();
    await world.close();
  }
});

describe('with a clock and callers of our own', () => {
  const assistant: Actor = { id: 'mcp:x', name: 'x', role: 'operator', surface: 'mcp', priority: 'assistant' };
  let now: number;
  let from: string;
  let local: boolean;
  let tokens: { name: string; role: Actor['role']; token: string }[];
  let logged: string[];
  let sent: Request[];
  let ledger: ReturnType<typeof createLedger>;
  let server: Server;
  let base: string;
  let door: ReturnType<typeof createDoor>;
  let pairing: Pairing;

  beforeEach(() => {
    local = false;
    from = '203.0.113.9';
    tokens = [
      { name: 'ana', role: 'approver', token: 'token-of-ana' },
      { name: 'opa', role: 'operator', token: 'token-of-opa' },
    ];
  });
  /** The page as these settings and this clock make it. */
  async function serve() {
    now = Date.parse('2026-11-21T12:00:00Z');
    sent = [];
    logged = [];
    const clock: Clock = {
      ...systemClock,
      now: () => now,
      // Waiting costs no time here; how long it would be is read from the log.
      setTimeout: (run) => systemClock.setTimeout(run, 0),
    };
    const seal = createSeal(randomBytes(32));
    ledger = createLedger({ path: ':memory:', seal, clock, owner: { id: 'test', pid: process.pid, host: 'test' } });
    pairing = new Pairing({ path: ':memory:', seal, clock });
    const client: Client = {
      send: async (request) => {
        if (!request.read) sent.push(request);
        return { Successful: true };
      },
      token: async () => ({ successful: true, tokenExpiry: '' }),
      budget: () => ({ used: 0, limit: 120, waiting: 0 }),
      close: async () => undefined,
    };
    door = createDoor({
      tools,
      client,
      ledger,
      clock,
      redactor: createRedactor(secretNames(tools)),
      approval: everyWay(),
      confirmSeconds: 300,
      pageUrl: (id) => `${base}/confirm/${id}`,
      here: keptIn(ledger, clock).here,
    });
    const attempts = new WrongTokens({
      clock,
      log: (_level, fields, message) => void logged.push(`${message} ${JSON.stringify(fields)}`),
    });
    const page = createConfirmPage({
      door: async () => door,
      sessions: new Sessions({ pairing, local, user: 'ana-here', secure: false, attempts, tokens }),
    });
    server = createServer((request, response) => {
      Object.defineProperty(request.socket, 'remoteAddress', { value: from, configurable: true });
      const id = /^\/confirm(?:\/([\w-]+))?/.exec(request.url ?? '')?.[1];
      page.handle(request, response, id).catch(() => response.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  afterEach(() => {
    signOut();
    server.close();
    server.closeAllConnections();
    ledger.close();
    pairing.close();
  });

  const pending = async () => {
    const asked = await door.perform('numbers_reactivate', REACTIVATE, assistant);
    if (asked.kind !== 'pending') throw new Error('it must wait');
    return asked.confirmation.url ?? '';
  };
  const link = (path = '/confirm') => `${base}${path}?key=${pairing.makeKey()}`;

  describe('for approvers with a token', () => {
    beforeEach(serve);

    it('expires, and is not confirmed a second too late', async () => {
      const url = await pending();
      await signIn(url, 'token-of-ana');
      const page = await look(url);
      now += 301_000;
      const late = await press(url, 'confirm', {}, page);
      expect(late.status).toBe(409);
      expect(late.html).toContain('Expired. Nothing was done.');
      expect((await look(url)).html).not.toContain('<form');
      expect(sent).toEqual([]);
    });

    it('is confirmed a second before', async () => {
      const url = await pending();
      now += 299_000;
      await signIn(url, 'token-of-ana');
      expect((await press(url, 'confirm')).html).toContain('Done.');
      expect(sent).toHaveLength(1);
    });

    it('shows a stranger the state and a sign-in form, and takes no decision from them', async () => {
      const url = await pending();
      const page = await lookAsStranger(url);
      expect(page.html).toContain('Waits for you.');
      expect(page.html).toContain('name="token"');
      expect(page.html).not.toMatch(/switchboard key|5 USD|reactivate|value="confirm"|mcp/i);
      expect(page.html).not.toContain(seeded(7));
      for (const act of ['confirm', 'decline', 'once', 'signin'])
        for (const more of [{}, { token: '' }, { token: 'wrong' }, { token: 'token-of-opa' }]) {
          const answer = await press(url, act, more as Record<string, string>, page);
          expect([act, more, answer.status]).toEqual([act, more, 403]);
          expect(answer.html).toContain('The token of an approver is needed. Nothing was done.');
          expect(answer.html).not.toContain(seeded(7));
        }
      expect(sent).toEqual([]);
      expect(ledger.get(url.split('/').at(-1) ?? '')?.state).toBe('pending');
    });

    it('signs in with a cookie that no script and no other site can use, and shows everything then', async () => {
      const url = await pending();
      const signed = await signIn(url, 'token-of-ana');
      expect(signed.status).toBe(303);
      expect(signed.headers.get('location')).toBe(new URL(url).pathname);
      const cookie = signed.headers.getSetCookie().find((one) => one.startsWith('sb_session'));
      expect(cookie).toMatch(/; Path=\/confirm; Max-Age=\d+; HttpOnly; SameSite=Strict$/);
      expect(cookie).not.toContain('token-of-ana');
      const page = await look(url);
      expect(page.html).toContain(seeded(7));
      // Nothing is decided by signing in, even where the form asked for it.
      expect(sent).toEqual([]);
      const done = await press(url, 'confirm', {}, page);
      expect(done.html).toContain('Done.');
      expect(done.html).toContain('ana, ');
      expect(done.html).not.toContain('token-of-ana');
      expect(sent).toHaveLength(1);
    });

    it('signs out after a working day', async () => {
      await signIn(await pending(), 'token-of-ana');
      now += SESSION_MS - 1;
      expect((await look(`${base}/confirm`)).html).toContain('signed in as <strong>ana');
      now += 2;
      expect((await look(`${base}/confirm`)).html).toContain('name="token"');
    });

    it('signs out when the token is changed, removed, or loses the role', async () => {
      await signIn(await pending(), 'token-of-ana');
      const [ana] = tokens;
      const signedIn = async () => (await look(`${base}/confirm`)).html.includes('signed in as');
      expect(await signedIn()).toBe(true);
      for (const now of [
        { ...ana, token: 'another-token' },
        { ...ana, role: 'operator' },
        { ...ana, name: 'lee' },
      ]) {
        tokens[0] = now as (typeof tokens)[0];
        expect(await signedIn()).toBe(false);
      }
      tokens[0] = ana as (typeof tokens)[0];
      expect(await signedIn()).toBe(true);
    });

    it('answers ever later where wrong tokens are tried, with a log line', async () => {
      const url = await pending();
      const page = await lookAsStranger(url);
      for (let n = 0; n < 8; n += 1)
        expect((await press(url, 'signin', { token: `guess-${n}` }, page)).status).toBe(403);
      const delays = logged.map((line) => JSON.parse(line.slice(line.indexOf('{'))).delayMs);
      expect(delays).toEqual([250, 500, 1000, 2000, 4000]);
      expect(logged[0]).toContain('wrong tokens are being tried');
      expect(logged.join()).not.toContain('guess-');
      expect((await signIn(url, 'token-of-ana')).status).toBe(303);
    });

    it('cannot be paired', async () => {
      from = '127.0.0.1';
      const answer = await fetch(link(), { redirect: 'manual' });
      expect(answer.status).toBe(403);
      expect(answer.headers.getSetCookie()).toEqual([]);
    });
  });

  describe('for the person at this computer', () => {
    beforeEach(async () => {
      local = true;
      from = '127.0.0.1';
      tokens = [];
      await serve();
    });

    it('shows whoever has the address the state and how to pair, whatever they post', async () => {
      const url = await pending();
      const page = await lookAsStranger(url);
      expect(page.html).toContain('Waits for you.');
      expect(page.html).toContain('switchboard key');
      expect(page.html).not.toMatch(/<form|5 USD|value="confirm"/);
      expect(page.html).not.toContain(seeded(7));
      for (const act of ['confirm', 'decline', 'once'])
        for (const more of [{}, { key: '' }, { key: 'made-up' }, { token: 'x' }])
          expect((await press(url, act, more as Record<string, string>, page)).status).toBe(403);
      // With the nonce of another signed-in page it is no more than with its own.
      await pairBrowser(link());
      const seen = await look(url);
      signOut();
      expect((await press(url, 'confirm', {}, seen)).status).toBe(403);
      expect(sent).toEqual([]);
      expect(ledger.get(url.split('/').at(-1) ?? '')?.state).toBe('pending');
    });

    it('pairs with a key: once, for ten minutes, and the key leaves the address bar', async () => {
      const url = await pending();
      const mine = link(new URL(url).pathname);
      const answer = await fetch(mine, { redirect: 'manual' });
      expect(answer.status).toBe(303);
      expect(answer.headers.get('location')).toBe(new URL(url).pathname);
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
      expect(answer.headers.getSetCookie()[0]).toMatch(/^sb_session_\w+=[\w-]{43}; .*HttpOnly; SameSite=Strict$/);
      expect((await fetch(mine, { redirect: 'manual' })).status).toBe(403);
      const late = link();
      now += KEY_MS + 1;
      const missed = await fetch(late, { redirect: 'manual' });
      expect([missed.status, await missed.text()]).toEqual([403, expect.stringContaining('switchboard key')]);
      now -= KEY_MS + 1;
      await pairBrowser(link());
      const done = await confirm(url);
      expect(done.html).toContain('Done.');
      expect(done.html).toContain('ana-here, ');
      expect(sent).toHaveLength(1);
    });

    it('keeps the key of a link that is fetched ahead of its user, who has a button then', async () => {
      const mine = link();
      const ahead = [{ headers: { 'sec-purpose': 'prefetch;prerender' } }, { headers: { purpose: 'prefetch' } }];
      for (const request of [{ method: 'HEAD' }, ...ahead]) {
        const answer = await fetch(mine, { redirect: 'manual', ...request });
        expect([answer.status, answer.headers.getSetCookie()]).toEqual([200, []]);
      }
      const html = await (await fetch(mine, { headers: { purpose: 'prefetch' } })).text();
      const key = /name="key" value="([^"]+)"/.exec(html)?.[1] ?? '';
      const pressed = await fetch(`${base}/confirm`, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ key }),
      });
      expect(pressed.status).toBe(303);
    });

    it.each([
      ['through a proxy', { 'x-forwarded-for': '203.0.113.9' }],
      ['through another', { 'x-forwarded-anything': '1' }],
      ['through a third', { via: '1.1 proxy' }],
    ])('neither pairs a browser nor knows a paired one %s', async (_what, headers) => {
      const url = await pending();
      expect((await fetch(link(), { redirect: 'manual', headers })).status).toBe(403);
      const paired = await fetch(link(), { redirect: 'manual' });
      const cookie = paired.headers.getSetCookie()[0]?.split(';')[0] ?? '';
      expect(await (await fetch(url, { headers: { cookie } })).text()).toContain(seeded(7));
      expect(await (await fetch(url, { headers: { cookie, ...headers } })).text()).not.toContain(seeded(7));
    });

    it('neither pairs nor knows anybody from another computer', async () => {
      const url = await pending();
      await pairBrowser(link());
      from = '203.0.113.9';
      expect((await fetch(link(), { redirect: 'manual' })).status).toBe(403);
      expect((await look(url)).html).not.toContain(seeded(7));
      expect((await press(url, 'confirm', {}, await look(url))).status).toBe(403);
      expect(sent).toEqual([]);
    });

    it('lets a browser that came from another site send its cookie', async () => {
      const url = await pending();
      const html = async (site: string) => (await fetch(url, { headers: { 'sec-fetch-site': site } })).text();
      expect(await html('cross-site')).toContain('http-equiv="refresh"');
      expect(await html('same-origin')).not.toContain('http-equiv="refresh"');
    });
  });
});

const decider = (name: string): Actor => ({
  id: `page:token:${name}`,
  person: `token:${name}`,
  name,
  role: 'approver',
  surface: 'page',
  priority: 'person',
});

/** The files that hold a text. */
function inFiles(folder: string, text: string): string[] {
  return readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(text));
}
