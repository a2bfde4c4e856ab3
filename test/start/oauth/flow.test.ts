import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { describeInBrowser } from '../../support/browser.ts';
import { SkippingClock } from '../../support/clock.ts';
import { Issuer } from '../../support/issuer.ts';
import { A1, type Json, seeded } from '../../support/world.ts';
import { openServer } from './support.ts';

/** Ports of loopback addresses may differ (RFC 8252, section 7.3). */
const RETURN = 'http://127.0.0.1/confirm/oauth/return';
const REACTIVATE = { PhoneNumber: seeded(7), AccountId: A1 };
const PATH = '/v1.0/numbers/reactivate';

let issuer: Issuer;
let clock: SkippingClock;
let server: Awaited<ReturnType<typeof openServer>>;

beforeAll(async () => {
  issuer = await Issuer.start({ redirectUris: [RETURN] });
});
afterAll(() => issuer.stop());

/** Asks for a change as this person's assistant. Returns the address of its confirmation. */
async function ask(person: string): Promise<string> {
  const { structuredContent } = await server.call(await issuer.token(person), 'numbers_reactivate', REACTIVATE);
  return structuredContent.confirmation.url;
}

async function sent(): Promise<number> {
  const requests = (await (await fetch(`${server.sandbox.url}/sandbox/requests`)).json()) as Json;
  return requests.filter((one: Json) => one.path === PATH).length;
}

describeInBrowser('signing in with the OAuth issuer, in a real browser', (openBrowser) => {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());
  afterEach(async () => {
    await context.close();
    await server.close();
  });
  const open = async (env: Record<string, string> = {}) => {
    clock = new SkippingClock();
    server = await openServer(issuer, clock, env);
    context = await browser.newContext();
    page = await context.newPage();
  };
  /** Follows the link of the page, and signs in at the provider. */
  async function signIn(link: RegExp, person: string): Promise<void> {
    await page.getByRole('link').filter({ hasText: link }).click();
    await page.locator('input[name=login]').fill(person);
    await page.locator('input[name=password]').fill('any');
    await page.locator('button[type=submit]').click();
    // The provider asks for consent at each sign-in of a client on loopback.
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await page.waitForURL(`${server.url}/**`);
  }
  const shown = (text: string | RegExp) => page.getByText(text).first().waitFor();

  it('shows an approver what is asked, and does it on their yes', async () => {
    await open();
    const url = await ask('olga');
    await page.goto(url);
    await shown(/^Sign in with 127/);
    expect(await page.content()).not.toContain(seeded(7));

    await signIn(/^Sign in with 127/, 'ana');
    await shown(seeded(7));
    expect(page.url()).toBe(url);
    expect(await page.content()).toContain('oauth:olga (olga@example.com)');
    expect(await page.evaluate('document.cookie')).toBe('');
    expect(await sent()).toBe(0);

    await page.getByRole('button', { name: /^Reactivate/ }).click();
    await shown('Done.');
    expect(await page.content()).toContain('oauth:ana (ana@example.com)');
    expect(await sent()).toBe(1);
  });

  it('keeps whoever is no approver from seeing and deciding', async () => {
    await open();
    const url = await ask('ana');
    await page.goto(url);
    await signIn(/^Sign in with 127/, 'olga');
    await shown(/oauth:olga \(olga@example\.com\) has the role operator/);
    expect(await context.cookies(url)).not.toContainEqual(
      expect.objectContaining({ name: expect.stringMatching(/^sb_session/) }),
    );
    await page.goto(url);
    expect(await page.content()).not.toContain(seeded(7));

    // The provider still knows olga; another account is one link away.
    await page.getByRole('link', { name: /^Sign in with 127/ }).click();
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await shown(/has the role operator/);
    await signIn(/somebody else$/, 'ben');
    await shown(seeded(7));
  });

  it('refuses the requester where two persons are needed, and takes another one', async () => {
    await open({ CONFIRM_TWO_PERSON: 'true' });
    await page.goto(await ask('ana'));
    await signIn(/^Sign in with 127/, 'ana');
    await shown(/You asked for this yourself; another approver must confirm it/);
    expect(await page.getByRole('button', { name: /^Reactivate/ }).count()).toBe(0);
    expect(await sent()).toBe(0);

    await signIn(/somebody else$/, 'ben');
    await page.getByRole('button', { name: /^Reactivate/ }).click();
    await shown('Done.');
    expect(await page.content()).toContain('oauth:ben (ben@example.com)');
    expect(await sent()).toBe(1);
  });

  it('signs out whoever changes the person of a sign-in in the database', async () => {
    await open({ CONFIRM_TWO_PERSON: 'true' });
    const url = await ask('ana');
    await page.goto(url);
    await signIn(/^Sign in with 127/, 'ana');
    const sessions = server.runtime.store.database('pairing');
    expect(
      await sessions.run(
        `UPDATE key_values SET value = replace(value, 'oauth:ana', 'oauth:ben') WHERE kind = 'session'`,
      ),
    ).toBe(1);
    await page.goto(url);
    await shown(/^Sign in with 127/);
    expect(await page.getByRole('button', { name: /^Reactivate/ }).count()).toBe(0);
    expect(await sent()).toBe(0);
  });

  it('takes the role of the access token where the ID token tells none', async () => {
    await open({ MCP_OAUTH_ROLES: 'scope=switchboard:approver' });
    await page.goto(await ask('olga'));
    await signIn(/^Sign in with 127/, 'ana');
    await shown(seeded(7));
  });

  it('signs nobody in for two-person approval by subjects that differ from client to client', async () => {
    const pairwise = await Issuer.start({ redirectUris: [RETURN], pairwise: 'bare' });
    await open({ CONFIRM_TWO_PERSON: 'true', MCP_OAUTH_ISSUER: pairwise.url });
    await page.goto(`${server.url}/confirm`);
    await signIn(/^Sign in with 127/, 'ana');
    await shown(/CONFIRM_TWO_PERSON needs an issuer/);
    await pairwise.stop();
  });

  it('knows a person by oid where their subjects differ', async () => {
    const pairwise = await Issuer.start({ redirectUris: [RETURN], pairwise: 'oid' });
    await open({ CONFIRM_TWO_PERSON: 'true', MCP_OAUTH_ISSUER: pairwise.url });
    const claims = { sub: 'ana-of-another-client', oid: 'oid-of-ana' };
    const token = await pairwise.token('ana', { claims });
    const { structuredContent } = await server.call(token, 'numbers_reactivate', REACTIVATE);
    await page.goto(structuredContent.confirmation.url);
    await signIn(/^Sign in with 127/, 'ana');
    await shown(/You asked for this yourself/);
    await pairwise.stop();
  });

  it('signs out after an hour', async () => {
    await open();
    await page.goto(await ask('olga'));
    await signIn(/^Sign in with 127/, 'ana');
    await shown(seeded(7));
    clock.skip(61 * 60_000);
    await page.goto(`${server.url}/confirm`);
    await shown(/^Sign in with 127/);
  });
});

describe('the addresses of a sign-in', () => {
  beforeEach(async () => {
    clock = new SkippingClock();
    server = await openServer(issuer, clock);
  });
  afterEach(() => server.close());
  const begin = async (query = '') => {
    const answer = await fetch(`${server.url}/confirm/oauth/begin${query}`, { redirect: 'manual' });
    const cookie = answer.headers.getSetCookie()[0] ?? '';
    return { status: answer.status, address: answer.headers.get('location') ?? '', cookie };
  };
  const back = async (query: Record<string, string>, cookie = '') => {
    const answer = await fetch(`${server.url}/confirm/oauth/return?${new URLSearchParams(query)}`, {
      redirect: 'manual',
      headers: { cookie: cookie.split(';')[0] ?? '' },
    });
    return { status: answer.status, html: await answer.text(), cookies: answer.headers.getSetCookie() };
  };

  it('send the browser to the issuer with PKCE, state and nonce, and seal their secrets in a cookie', async () => {
    const { status, address, cookie } = await begin('?id=abc');
    expect(status).toBe(303);
    const url = new URL(address);
    expect(url.origin).toBe(issuer.url);
    const query = Object.fromEntries(url.searchParams);
    expect(query).toMatchObject({
      response_type: 'code',
      client_id: 'switchboard-page',
      redirect_uri: `${server.url}/confirm/oauth/return`,
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      resource: 'https://switchboard.example.com/mcp',
    });
    expect(cookie).toMatch(/; Path=\/confirm\/oauth; Max-Age=600; HttpOnly; SameSite=Lax$/);
    expect(cookie).not.toContain(query.nonce);
    expect(cookie).not.toContain(query.state);
    expect((await begin()).cookie.split(';')[0]).not.toBe(cookie.split(';')[0]);
  });

  it('sign nobody in who brings no cookie, that of another sign-in, or an old one', async () => {
    const [one, other] = [await begin(), await begin()];
    const stateOf = ({ address }: { address: string }) => new URL(address).searchParams.get('state') ?? '';
    const query = { code: 'a-code', state: stateOf(one), iss: issuer.url };
    const swapped = `${one.cookie.split('=')[0]}=${other.cookie.split(';')[0]?.split('=')[1]}`;
    for (const cookie of ['', other.cookie, swapped, `${one.cookie.split('=')[0]}=AAAA`]) {
      const answer = await back(query, cookie);
      expect([answer.status, answer.html.includes('not started in this browser')]).toEqual([403, true]);
      expect(answer.cookies.join()).not.toContain('sb_session');
    }
    clock.skip(11 * 60_000);
    expect((await back(query, one.cookie)).html).toContain('not started in this browser');
  });

  it('sign nobody in by a code that the issuer did not give, or where it says no', async () => {
    const one = await begin();
    const state = new URL(one.address).searchParams.get('state') ?? '';
    const wrong = await back({ code: 'a-code', state, iss: issuer.url }, one.cookie);
    expect([wrong.status, wrong.cookies]).toEqual([403, []]);
    const mixed = await back({ code: 'a-code', state, iss: 'https://other.example.com' }, one.cookie);
    expect([mixed.status, mixed.cookies]).toEqual([403, []]);
    const denied = await back({ error: 'access_denied<script>', state, iss: issuer.url }, one.cookie);
    expect(denied.status).toBe(403);
    expect(denied.html).toContain('The OAuth issuer refused the sign-in (access_denied&#60;script&#62;).');
  });

  it('say that the issuer is away, and lead nowhere else', async () => {
    expect((await begin('?id=../../evil')).status).toBe(303);
    clock.skip(25 * 3_600_000);
    await issuer.stop();
    try {
      expect((await begin()).status).toBe(503);
    } finally {
      await issuer.open();
    }
    const post = await fetch(`${server.url}/confirm/oauth/begin`, { method: 'POST', redirect: 'manual' });
    expect(post.status).toBe(405);
    expect((await fetch(`${server.url}/confirm/oauth/other`)).status).toBe(404);
  });
});
