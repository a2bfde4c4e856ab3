import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Gate } from '../../../src/gate/gate.ts';
import { createSeal } from '../../../src/ledger/seal.ts';
import type { Actor } from '../../../src/lib/actor.ts';
import { Attempts } from '../../../src/lib/bearer-tokens.ts';
import { type Clock, systemClock } from '../../../src/lib/clock.ts';
import type { Request } from '../../../src/platform/wire.ts';
import { SqliteStore } from '../../../src/store/sqlite.ts';
import { ConfirmPage } from '../../../src/surfaces/web/confirm.ts';
import { Pairing, SESSION_MS, SIGN_IN_MS } from '../../../src/surfaces/web/pairing.ts';
import { Sessions } from '../../../src/surfaces/web/session.ts';
import { answering, gateOn } from '../../support/approval.ts';
import { listen } from '../../support/ending.ts';
import { openLedger, type TestLedger } from '../../support/ledger.ts';
import { confirm, look, lookAsStranger, pairBrowser, press, signIn, signOut } from '../../support/page.ts';
import { A1, seeded } from '../../support/seed.ts';

const REACTIVATE = { PhoneNumber: seeded(7), AccountId: A1 };

describe('signing in on the confirmation page', () => {
  const assistant: Actor = { id: 'mcp:x', name: 'x', role: 'operator', surface: 'mcp', priority: 'assistant' };
  let now: number;
  let from: string;
  let local: boolean;
  let tokens: { name: string; role: Actor['role']; token: string }[];
  let logged: string[];
  /** The delay of each answer to a token, in ms. */
  let held: number[];
  let sent: Request[];
  let ledger: TestLedger;
  let server: Server;
  let base: string;
  let gate: Gate;
  let pairing: Pairing;
  let store: SqliteStore;

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
    held = [];
    const clock: Clock = {
      ...systemClock,
      now: () => now,
      // Waiting costs no time here.
      setTimeout: (run) => systemClock.setTimeout(run, 0),
    };
    server = createServer();
    base = await listen(server);
    const seal = createSeal(randomBytes(32));
    ledger = openLedger({ clock, seal });
    store = new SqliteStore({ path: ':memory:', clock });
    pairing = new Pairing({ database: store.database('pairing'), seal, clock });
    const client = answering(async (request) => {
      if (!request.read) sent.push(request);
      return request.read ? { Successful: true } : { Successful: true, Status: 'Success' };
    });
    gate = gateOn({ client, ledger, worker: ledger.worker, clock, pages: base });
    const noted = (run: () => void, ms: number) => {
      held.push(ms);
      return clock.setTimeout(run, ms);
    };
    const attempts = new Attempts(
      { ...clock, setTimeout: noted },
      (_level, fields, message) => void logged.push(`${message} ${JSON.stringify(fields)}`),
    );
    const page = new ConfirmPage({
      gate: async () => gate,
      batches: () => Promise.reject(new Error('no batch is asked about')),
      sessions: new Sessions({ pairing, local, user: 'ana-here', secure: false, attempts, tokens }),
    });
    server.on('request', (request, response) => {
      Object.defineProperty(request.socket, 'remoteAddress', { value: from, configurable: true });
      const id = /^\/confirm(?:\/([\w-]+))?/.exec(request.url ?? '')?.[1];
      page.handle(request, response, id).catch(() => response.destroy());
    });
  }
  afterEach(async () => {
    signOut();
    await store.close();
  });

  const pending = async () => {
    const asked = await gate.perform('numbers_reactivate', REACTIVATE, assistant);
    if (asked.kind !== 'pending') throw new Error('it must wait');
    return asked.confirmation.url ?? '';
  };
  const link = async (path = '/confirm') => `${base}${path}?key=${await pairing.makeKey()}`;

  describe('for approvers with a token', () => {
    beforeEach(serve);

    it('is confirmed a second before it expires, and not a second too late', async () => {
      const late = await pending();
      await signIn(late, 'token-of-ana');
      const page = await look(late);
      now += 301_000;
      const pressed = await press(late, 'confirm', {}, page);
      expect([pressed.status, pressed.html]).toEqual([409, expect.stringContaining('Expired. Nothing was done.')]);
      expect((await look(late)).html).not.toContain('<form');
      expect(sent).toEqual([]);
      const url = await pending();
      now += 299_000;
      expect((await press(url, 'confirm')).html).toContain('Done.');
      expect(sent).toHaveLength(1);
    });

    it('shows a stranger the state and a sign-in form, and takes no decision from them', async () => {
      const url = await pending();
      const page = await lookAsStranger(url);
      expect(page.html).toContain('Waiting for your decision.');
      expect(page.html).toContain('name="token"');
      // A random value of the page may have any letters.
      const words = page.html.replace(/[\w-]{20,}/g, ' ');
      expect(words).not.toMatch(/switchboard key|5 USD|reactivate|value="confirm"|mcp/i);
      expect(page.html).not.toContain(seeded(7));
      for (const act of ['confirm', 'decline', 'once', 'signin'])
        for (const more of [{}, { token: '' }, { token: 'wrong' }, { token: 'token-of-opa' }]) {
          const answer = await press(url, act, more as Record<string, string>, page);
          expect([act, more, answer.status]).toEqual([act, more, 403]);
          expect(answer.html).toContain('An approver’s token is required. Nothing was done.');
          expect(answer.html).not.toContain(seeded(7));
        }
      expect(sent).toEqual([]);
      expect((await ledger.get(url.split('/').at(-1) ?? ''))?.state).toBe('pending');
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
      expect(done.html).toContain('token:ana (ana) on the page, ');
      expect(done.html).not.toContain('token-of-ana');
      expect(sent).toHaveLength(1);
    });

    it.each<[string, Record<string, string>]>([
      ['on another port of this host', { origin: 'http://127.0.0.1:9999' }],
      ['that a browser calls same-site', { 'sec-fetch-site': 'same-site' }],
      ['without a name', { origin: 'null' }],
    ])('takes no form of a page %s, with every cookie and the right token', async (_where, headers) => {
      const url = await pending();
      const signed = await signIn(url, 'token-of-ana');
      const session = signed.headers.getSetCookie()[0]?.split(';')[0] ?? '';
      const page = await look(url);
      const answer = await fetch(url, {
        method: 'POST',
        headers: { cookie: `${session}; ${page.cookie}`, ...headers },
        body: new URLSearchParams({ csrf: page.csrf, act: 'confirm' }),
      });
      expect(answer.status).toBe(403);
      expect(await answer.text()).toContain('Nothing was done.');
      expect(sent).toEqual([]);
      expect((await press(url, 'confirm', {}, page)).html).toContain('Done.');
    });

    it('takes no decision with the form token of a stranger’s page, nor of another session', async () => {
      const url = await pending();
      const stranger = await lookAsStranger(url);
      await signIn(url, 'token-of-ana');
      const earlier = await look(url);
      await signIn(url, 'token-of-ana');
      // The cookie that belongs to the token can be set from another port; the session is the approver's.
      for (const seen of [{ ...stranger, stranger: false }, earlier]) {
        const answer = await press(url, 'confirm', {}, seen);
        expect(answer.status).toBe(403);
        expect(answer.html).toContain('This form is out of date or came from another page.');
      }
      expect(sent).toEqual([]);
      expect((await press(url, 'confirm')).html).toContain('Done.');
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

    it('answers late where wrong tokens are tried, with a log line', async () => {
      const url = await pending();
      const page = await lookAsStranger(url);
      for (let n = 0; n < 15; n += 1)
        expect((await press(url, 'signin', { token: `guess-${n}` }, page)).status).toBe(403);
      expect(held).toEqual(Array(5).fill(5_000));
      expect(logged).toEqual([expect.stringContaining('repeated wrong tokens')]);
      expect(logged.join()).not.toContain('guess-');
      // A right guess is held back as a wrong one is; once in, its owner is not, and neither is another address.
      expect((await signIn(url, 'token-of-ana')).status).toBe(303);
      expect(held.splice(0)).toHaveLength(6);
      from = '203.0.113.10';
      expect((await signIn(url, 'token-of-ana')).status).toBe(303);
      from = '203.0.113.9';
      now += 61_000;
      expect((await signIn(url, 'token-of-ana')).status).toBe(303);
      for (let n = 0; n < 12; n += 1) await press(url, 'signin', { token: 'token-of-opa' }, page);
      expect(held.splice(0)).toEqual([5_000, 5_000]);
      expect((await signIn(url, 'token-of-ana')).status).toBe(303);
      expect(held).toEqual([]);
    });

    it('cannot be paired', async () => {
      from = '127.0.0.1';
      const answer = await fetch(await link(), { redirect: 'manual' });
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
      expect(page.html).toContain('Waiting for your decision.');
      expect(page.html).toContain('switchboard key');
      expect(page.html).not.toMatch(/<form|5 USD|value="confirm"/);
      expect(page.html).not.toContain(seeded(7));
      for (const act of ['confirm', 'decline', 'once'])
        for (const more of [{}, { key: '' }, { key: 'made-up' }, { token: 'x' }])
          expect((await press(url, act, more as Record<string, string>, page)).status).toBe(403);
      // The nonce of a page that was seen signed in helps no more than the stranger's own.
      await pairBrowser(await link());
      const seen = await look(url);
      signOut();
      expect((await press(url, 'confirm', {}, seen)).status).toBe(403);
      expect(sent).toEqual([]);
      expect((await ledger.get(url.split('/').at(-1) ?? ''))?.state).toBe('pending');
    });

    it('pairs with a key: once, for ten minutes, and the key leaves the address bar', async () => {
      const url = await pending();
      const mine = await link(new URL(url).pathname);
      const answer = await fetch(mine, { redirect: 'manual' });
      expect(answer.status).toBe(303);
      expect(answer.headers.get('location')).toBe(new URL(url).pathname);
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
      expect(answer.headers.getSetCookie()[0]).toMatch(/^sb_session_[\w-]+=[\w-]{43}; .*HttpOnly; SameSite=Strict$/);
      expect((await fetch(mine, { redirect: 'manual' })).status).toBe(403);
      const late = await link();
      now += SIGN_IN_MS + 1;
      const missed = await fetch(late, { redirect: 'manual' });
      expect([missed.status, await missed.text()]).toEqual([403, expect.stringContaining('switchboard key')]);
      now -= SIGN_IN_MS + 1;
      await pairBrowser(await link());
      const done = await confirm(url);
      expect(done.html).toContain('Done.');
      expect(done.html).toContain('local:ana-here (ana-here) on the page, ');
      expect(sent).toHaveLength(1);
    });

    it('keeps the key of a link that is fetched ahead of its user, who has a button then', async () => {
      const mine = await link();
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
      expect((await fetch(await link(), { redirect: 'manual', headers })).status).toBe(403);
      const paired = await fetch(await link(), { redirect: 'manual' });
      const cookie = paired.headers.getSetCookie()[0]?.split(';')[0] ?? '';
      expect(await (await fetch(url, { headers: { cookie } })).text()).toContain(seeded(7));
      expect(await (await fetch(url, { headers: { cookie, ...headers } })).text()).not.toContain(seeded(7));
    });

    it('neither pairs nor knows anybody from another computer', async () => {
      const url = await pending();
      await pairBrowser(await link());
      from = '203.0.113.9';
      expect((await fetch(await link(), { redirect: 'manual' })).status).toBe(403);
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
