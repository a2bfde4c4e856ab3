import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SESSION_MS, SIGN_IN_MS } from '../../../src/surfaces/web/session.ts';
import { SkippingClock } from '../../support/clock.ts';
import { confirm, look, lookAsStranger, pairBrowser, press, signIn, signOut } from '../../support/page.ts';
import { REACTIVATE, seeded } from '../../support/seed.ts';
import { openWorld, type World } from '../../support/world.ts';

/** A clock on which an answer to a wrong token is delayed by no time. */
class UndelayedClock extends SkippingClock {
  /** The delays of answers, in ms. */
  held: number[] = [];

  override setTimeout(run: () => void, ms: number): unknown {
    if (ms !== 5_000) return super.setTimeout(run, ms);
    this.held.push(ms);
    return super.setTimeout(run, 0);
  }
}

describe('signing in on the confirmation page', () => {
  /** The address that requests come from. */
  let from: string;
  let clock: UndelayedClock;
  let world: World;

  /** The page with these tokens, as a browser finds it that has no session. */
  async function serve(address: string, MCP_HTTP_TOKENS?: string) {
    from = address;
    clock = new UndelayedClock();
    const tokens = MCP_HTTP_TOKENS === undefined ? {} : { MCP_HTTP_TOKENS };
    world = await openWorld({ LOG_LEVEL: 'warn', CONFIRM_TTL_SECONDS: '300', ...tokens }, clock);
    world.server.prependListener('request', ({ socket }) => {
      Object.defineProperty(socket, 'remoteAddress', { value: from, configurable: true });
    });
    signOut();
  }
  afterEach(signOut);

  const pending = async (): Promise<string> => {
    const token = world.config.local ? {} : { token: 'token-of-opa' };
    return (await world.asks('numbers_reactivate', REACTIVATE, await world.client(token))).url;
  };
  const stateOf = async (url: string) => (await world.runtime.gate.actions.get(url.split('/').at(-1) ?? ''))?.state;
  const sent = () => world.sent('/v1.0/numbers/reactivate');

  describe('for approvers with a token', () => {
    beforeEach(() => serve('203.0.113.9', 'ana:approver:token-of-ana,opa:operator:token-of-opa'));

    it('is confirmed a second before it expires, and not a second too late', async () => {
      const late = await pending();
      await signIn(late, 'token-of-ana');
      const page = await look(late);
      clock.skip(301_000);
      const pressed = await press(late, 'confirm', {}, page);
      expect([pressed.status, pressed.html]).toEqual([409, expect.stringContaining('Expired. Nothing was done.')]);
      expect((await look(late)).html).not.toContain('<form');
      expect(await sent()).toEqual([]);
      const url = await pending();
      clock.skip(299_000);
      expect((await press(url, 'confirm')).html).toContain('Done.');
      expect(await sent()).toHaveLength(1);
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
      expect(await sent()).toEqual([]);
      expect(await stateOf(url)).toBe('pending');
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
      expect(await sent()).toEqual([]);
      const done = await press(url, 'confirm', {}, page);
      expect(done.html).toContain('Done.');
      expect(done.html).toContain('token:ana (ana) on the page, ');
      expect(done.html).not.toContain('token-of-ana');
      expect(await sent()).toHaveLength(1);
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
      expect(await sent()).toEqual([]);
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
      expect(await sent()).toEqual([]);
      expect((await press(url, 'confirm')).html).toContain('Done.');
    });

    it('signs out after a working day', async () => {
      await signIn(await pending(), 'token-of-ana');
      clock.skip(SESSION_MS - 5_000);
      expect((await look(`${world.url}/confirm`)).html).toContain('signed in as <strong>ana');
      clock.skip(6_000);
      expect((await look(`${world.url}/confirm`)).html).toContain('name="token"');
    });

    it('signs out when the token is changed, removed, or loses the role', async () => {
      await signIn(await pending(), 'token-of-ana');
      const tokens = world.config.MCP_HTTP_TOKENS;
      const [ana] = tokens;
      const signedIn = async () => (await look(`${world.url}/confirm`)).html.includes('signed in as');
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
      expect(clock.held).toEqual(Array(5).fill(5_000));
      expect(world.logged).toEqual([expect.stringContaining('repeated wrong tokens')]);
      expect(world.logged.join()).not.toContain('guess-');
      // A right guess is held back as a wrong one is; once in, its owner is not, and neither is another address.
      expect((await signIn(url, 'token-of-ana')).status).toBe(303);
      expect(clock.held.splice(0)).toHaveLength(6);
      from = '203.0.113.10';
      expect((await signIn(url, 'token-of-ana')).status).toBe(303);
      from = '203.0.113.9';
      clock.skip(61_000);
      expect((await signIn(url, 'token-of-ana')).status).toBe(303);
      for (let n = 0; n < 12; n += 1) await press(url, 'signin', { token: 'token-of-opa' }, page);
      expect(clock.held.splice(0)).toEqual([5_000, 5_000]);
      expect((await signIn(url, 'token-of-ana')).status).toBe(303);
      expect(clock.held).toEqual([]);
    });

    it('cannot be paired', async () => {
      from = '127.0.0.1';
      const answer = await fetch(await world.link(), { redirect: 'manual' });
      expect(answer.status).toBe(403);
      expect(answer.headers.getSetCookie()).toEqual([]);
    });
  });

  describe('for the person at this computer', () => {
    beforeEach(() => serve('127.0.0.1'));

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
      await pairBrowser(await world.link());
      const seen = await look(url);
      signOut();
      expect((await press(url, 'confirm', {}, seen)).status).toBe(403);
      expect(await sent()).toEqual([]);
      expect(await stateOf(url)).toBe('pending');
    });

    it('pairs with a key: once, for ten minutes, and the key leaves the address bar', async () => {
      const url = await pending();
      const mine = await world.link(new URL(url).pathname);
      const answer = await fetch(mine, { redirect: 'manual' });
      expect(answer.status).toBe(303);
      expect(answer.headers.get('location')).toBe(new URL(url).pathname);
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
      expect(answer.headers.getSetCookie()[0]).toMatch(/^sb_session_[\w-]+=[\w-]{43}; .*HttpOnly; SameSite=Strict$/);
      expect((await fetch(mine, { redirect: 'manual' })).status).toBe(403);
      await pairBrowser(await world.link());
      const done = await confirm(url);
      expect(done.html).toContain('Done.');
      const { user } = world.config;
      expect(done.html).toContain(`local:${user} (${user}) on the page, `);
      expect(await sent()).toHaveLength(1);
      const late = await world.link();
      clock.skip(SIGN_IN_MS + 1);
      const missed = await fetch(late, { redirect: 'manual' });
      expect([missed.status, await missed.text()]).toEqual([403, expect.stringContaining('switchboard key')]);
    });

    it('keeps the key of a link that is fetched ahead of its user, who has a button then', async () => {
      const mine = await world.link();
      const ahead = [{ headers: { 'sec-purpose': 'prefetch;prerender' } }, { headers: { purpose: 'prefetch' } }];
      for (const request of [{ method: 'HEAD' }, ...ahead]) {
        const answer = await fetch(mine, { redirect: 'manual', ...request });
        expect([answer.status, answer.headers.getSetCookie()]).toEqual([200, []]);
      }
      const html = await (await fetch(mine, { headers: { purpose: 'prefetch' } })).text();
      const key = /name="key" value="([^"]+)"/.exec(html)?.[1] ?? '';
      const pressed = await fetch(`${world.url}/confirm`, {
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
      expect((await fetch(await world.link(), { redirect: 'manual', headers })).status).toBe(403);
      const paired = await fetch(await world.link(), { redirect: 'manual' });
      const cookie = paired.headers.getSetCookie()[0]?.split(';')[0] ?? '';
      expect(await (await fetch(url, { headers: { cookie } })).text()).toContain(seeded(7));
      expect(await (await fetch(url, { headers: { cookie, ...headers } })).text()).not.toContain(seeded(7));
    });

    it('neither pairs nor knows anybody from another computer', async () => {
      const url = await pending();
      await pairBrowser(await world.link());
      from = '203.0.113.9';
      expect((await fetch(await world.link(), { redirect: 'manual' })).status).toBe(403);
      expect((await look(url)).html).not.toContain(seeded(7));
      expect((await press(url, 'confirm', {}, await look(url))).status).toBe(403);
      expect(await sent()).toEqual([]);
    });

    it('lets a browser that came from another site send its cookie', async () => {
      const url = await pending();
      const html = async (site: string) => (await fetch(url, { headers: { 'sec-fetch-site': site } })).text();
      expect(await html('cross-site')).toContain('http-equiv="refresh"');
      expect(await html('same-origin')).not.toContain('http-equiv="refresh"');
    });
  });
});
