import { beforeEach, describe, expect, it } from 'vitest';
import { SkippingClock } from '../../support/clock.ts';
import { Issuer } from '../../support/issuer.ts';
import { REACTIVATE, seeded } from '../../support/seed.ts';
import { openServer } from './support.ts';

/** Ports of loopback addresses may differ (RFC 8252, section 7.3). */
const RETURN = 'http://127.0.0.1/confirm/oauth/return';

let clock: SkippingClock;
let server: Awaited<ReturnType<typeof openServer>>;

const issuer = await Issuer.start({ redirectUris: [RETURN] });

/** What a browser does here: it keeps cookies, follows redirects, and sends the issuer's forms. */
class Visitor {
  readonly #cookies = new Map<string, string>();

  async get(address: string, form?: Record<string, string>): Promise<string> {
    const { host, href } = new URL(address);
    const answer = await fetch(href, {
      redirect: 'manual',
      headers: { cookie: [...this.#cookies].map(([name, value]) => `${name.split(' ')[1]}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      this.#cookies.set(`${host} ${name}`, value);
    }
    const next = answer.headers.get('location');
    return next === null ? answer.text() : this.get(new URL(next, href).href);
  }

  /** Signs in at the issuer, with consent. Resolves to the page of Switchboard that comes then. */
  async signIn(person: string, id: string): Promise<string> {
    let page = await this.get(`${server.url}/confirm/oauth/begin?again=1&id=${id}`);
    for (const form of [{ prompt: 'login', login: person, password: 'any' }, { prompt: 'consent' }]) {
      const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1] ?? '';
      page = await this.get(action.replaceAll('&amp;', '&'), form);
    }
    return page;
  }

  get isSignedIn(): boolean {
    return [...this.#cookies.keys()].some((name) => name.includes('sb_session'));
  }
}

describe('signing in with the OAuth issuer', () => {
  const open = async (env: Record<string, string> = {}) => {
    clock = new SkippingClock();
    server = await openServer(issuer, clock, env);
    return new Visitor();
  };
  /** Asks for a change as the holder of this token. Resolves to the id of its confirmation, and its address. */
  async function ask(
    token: string,
    operation = 'numbers_reactivate',
    input: object = REACTIVATE,
  ): Promise<{ id: string; url: string }> {
    const { structuredContent } = await server.call(token, operation, input);
    return structuredContent.confirmation;
  }

  it('shows an approver what is asked, for an hour', async () => {
    const visitor = await open();
    const { id, url } = await ask(await issuer.token('olga'));
    expect(await visitor.get(url)).not.toContain(seeded(7));
    const page = await visitor.signIn('ana', id);
    for (const text of [seeded(7), 'oauth:olga (olga@example.com)', 'oauth:ana (ana@example.com)'])
      expect(page).toContain(text);
    expect(page).toMatch(/<button[^>]*>Reactivate/);
    clock.skip(61 * 60_000);
    expect(await visitor.get(url)).not.toContain(seeded(7));
  });

  it('keeps whoever is no approver from seeing', async () => {
    const visitor = await open();
    const { id, url } = await ask(await issuer.token('ana'));
    expect(await visitor.signIn('olga', id)).toContain('oauth:olga (olga@example.com) has the role operator');
    expect(visitor.isSignedIn).toBe(false);
    expect(await visitor.get(url)).not.toContain(seeded(7));
    expect(await new Visitor().signIn('ben', id)).toContain(seeded(7));
  });

  it('refuses the requester where two persons are needed, and whoever writes another person into the database', async () => {
    const visitor = await open({ CONFIRM_TWO_PERSON: 'true' });
    const { id, url } = await ask(await issuer.token('ana'));
    const own = await visitor.signIn('ana', id);
    expect(own).toContain('You asked for this yourself; another approver must confirm it (CONFIRM_TWO_PERSON).');
    for (const text of ['Waiting for another person. Nothing', 'value="decline"']) expect(own).toContain(text);
    expect(own).not.toContain('value="confirm"');
    // A change of the level own is not affected.
    const plain = await ask(await issuer.token('ana'), 'numbers_update', { Number: seeded(4), CnamFirstName: 'Quinn' });
    expect(await visitor.get(plain.url)).toContain('value="confirm"');
    const forged = `UPDATE key_values SET value = replace(value, 'oauth:ana', 'oauth:ben') WHERE kind = 'session'`;
    expect(await server.runtime.store.database('pairing').run(forged)).toBe(1);
    expect(await visitor.get(url)).not.toContain(seeded(7));
    expect(await new Visitor().signIn('ben', id)).toMatch(/<button[^>]*>Reactivate/);
  });

  it.each([
    [
      'signs nobody in for two-person approval by subjects that differ from client to client',
      'bare',
      /needs an issuer/,
    ],
    ['knows a person by oid where their subjects differ', 'oid', /You asked for this yourself/],
  ] as const)('%s', async (_what, pairwise, says) => {
    const other = await Issuer.start({ redirectUris: [RETURN], pairwise });
    const visitor = await open({ CONFIRM_TWO_PERSON: 'true', MCP_OAUTH_ISSUER: other.url });
    const claims = { sub: 'ana-of-another-client', oid: 'oid-of-ana' };
    const { id } = await ask(await other.token('ana', { claims }));
    expect(await visitor.signIn('ana', id)).toMatch(says);
  });
});

describe('the addresses of a sign-in', () => {
  beforeEach(async () => {
    clock = new SkippingClock();
    server = await openServer(issuer, clock);
  });
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
