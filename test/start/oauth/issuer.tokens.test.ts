import { createHmac, generateKeyPairSync } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ClientCredentialsProvider } from '@modelcontextprotocol/sdk/client/auth-extensions.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { SkippingClock } from '../../support/clock.ts';
import { atEnd } from '../../support/ending.ts';
import { AUDIENCE, Issuer, publishIssuer } from '../../support/issuer.ts';
import { REACTIVATE, seeded } from '../../support/seed.ts';
import { OWN_ADDRESS, openServer } from './support.ts';

const MINUTE = 60_000;

const issuer = await Issuer.start();

describe('access tokens of the OAuth issuer', () => {
  let clock: SkippingClock;
  let server: Awaited<ReturnType<typeof openServer>>;

  beforeEach(async () => {
    clock = new SkippingClock();
    server = await openServer(issuer, clock);
  });
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const status = async (token?: string) => (await server.list(token)).status;

  it('tells a client without a token where to get one, as RFC 9728 says', async () => {
    const metadataUrl = `${server.url}/.well-known/oauth-protected-resource/mcp`;
    expect(await server.list()).toMatchObject({
      status: 401,
      challenge: `Bearer realm="switchboard", resource_metadata="${metadataUrl}"`,
    });
    for (const address of [metadataUrl, `${server.url}/.well-known/oauth-protected-resource`]) {
      const answer = await fetch(address, { headers: { origin: 'https://inspector.example' } });
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(await answer.json()).toEqual({
        resource: `${server.url}/mcp`,
        resource_name: 'Switchboard',
        authorization_servers: [issuer.url],
        bearer_methods_supported: ['header'],
      });
    }
    expect((await fetch(`${metadataUrl}/x`)).status).toBe(404);
    expect((await fetch(metadataUrl, { method: 'POST', body: '{}' })).status).toBe(405);
  });

  it.each([
    ['for another audience', { claims: { aud: 'https://other.example.com' } }, /unexpected 'aud' claim/],
    ['without an audience', { claims: { aud: undefined } }, /missing required 'aud' claim/],
    ['of another issuer', { claims: { iss: 'https://issuer.example.com' } }, /unexpected 'iss' claim/],
    ['that has expired', { at: Math.floor(Date.now() / 1000) - 660 }, /'exp' claim timestamp/],
    ['that never expires', { claims: { exp: undefined } }, /missing required 'exp' claim/],
    ['that is not valid yet', { claims: { nbf: Math.floor(Date.now() / 1000) + 60 } }, /'nbf' claim timestamp/],
    ['without a subject', { claims: { sub: undefined } }, /missing required 'sub' claim/],
    ['with line breaks in its subject', { claims: { sub: 'ana\nboss' } }, /subject is not valid/],
    ['bound to a key of its client', { claims: { cnf: { jkt: 'x' } } }, /bound to a key/],
    ['that is an ID token', { header: { typ: 'JWT' }, claims: { nonce: 'x' } }, /ID token/],
    ['that is an ID token without a nonce', { header: { typ: 'JWT' }, claims: { at_hash: 'x' } }, /ID token/],
    ['that is a logout token', { header: { typ: 'logout+jwt' } }, /not an access token/],
    ['signed with a key nobody has', { header: { kid: 'other' } }, /no applicable key/],
  ])('refuses a token %s', async (_what, options, reason) => {
    const refused = await server.list(await issuer.token('ana', options));
    expect(refused).toMatchObject({ status: 401, challenge: expect.stringContaining('error="invalid_token"') });
    expect(refused.error).toMatch(reason);
  });

  it('takes the same token where nothing is wrong with it, with an audience among others and an ordinary type', async () => {
    expect(await status(await issuer.token('ana'))).toBe(200);
    expect(await status(await issuer.token('ana', { header: { typ: undefined } }))).toBe(200);
    expect(await status(await issuer.token('ana', { header: { typ: 'JWT', kid: undefined } }))).toBe(200);
    expect(await status(await issuer.token('ana', { claims: { aud: ['https://other.example.com', AUDIENCE] } }))).toBe(
      200,
    );
  });

  it('refuses a token without a signature, whatever it calls its algorithm', async () => {
    const [, payload = ''] = (await issuer.token('ana')).split('.');
    for (const alg of ['none', 'None', 'NONE', '', 'RS256']) {
      const forged = `${part({ alg, typ: 'at+jwt', kid: issuer.kid })}.${payload}.`;
      expect([alg, await status(forged)]).toEqual([alg, 401]);
    }
  });

  it('refuses a token signed with the public key as if it were a shared secret', async () => {
    const [, payload = ''] = (await issuer.token('ana')).split('.');
    const key = await importJWK(issuer.publicKey, 'RS256');
    const secrets = [JSON.stringify(issuer.publicKey), String(issuer.publicKey.n), String((await exportJWK(key)).n)];
    for (const alg of ['HS256', 'HS512'])
      for (const secret of secrets) {
        const head = `${part({ alg, typ: 'at+jwt', kid: issuer.kid })}.${payload}`;
        const mac = createHmac(alg.replace('HS', 'sha'), secret).update(head).digest('base64url');
        expect(await server.list(`${head}.${mac}`)).toMatchObject({
          status: 401,
          error: expect.stringContaining("'alg' (Algorithm) Header Parameter value not allowed"),
        });
      }
  });

  it('refuses a token that brings its own key, or names one of an attacker', async () => {
    const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
    const jwk = await exportJWK(publicKey);
    const forge = (header: Record<string, unknown>) =>
      new SignJWT({ groups: ['leads'] })
        .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', ...header })
        .setIssuer(issuer.url)
        .setAudience(AUDIENCE)
        .setSubject('ana')
        .setExpirationTime('10m')
        .sign(privateKey);
    for (const header of [{ jwk }, { kid: issuer.kid, jwk }, { kid: issuer.kid, jku: 'http://127.0.0.1:9/keys' }])
      expect(await status(await forge(header))).toBe(401);
  });

  it('refuses a token in which a character was changed', async () => {
    const [header, payload = '', signature] = (await issuer.token('olga')).split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    const raised = part({ ...claims, groups: ['leads'] });
    expect(await server.list(`${header}.${raised}.${signature}`)).toMatchObject({
      status: 401,
      error: expect.stringContaining('signature verification failed'),
    });
  });

  /** The server at an issuer that publishes this key, and metadata with these members. */
  async function atIssuer(key: object, metadata: object = {}) {
    const url = await publishIssuer(key, metadata);
    return { url, server: await openServer({ url }, clock) };
  }

  it.each([
    ['is too short', generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' })],
    ['is incomplete', { kty: 'RSA', e: 'AQAB' }],
  ])('refuses a token whose key at the issuer %s', async (_what, key) => {
    const { url, server } = await atIssuer({ ...key, kid: issuer.kid });
    const refused = await server.list(await issuer.token('ana', { claims: { iss: url } }));
    expect(refused).toMatchObject({ status: 401, error: expect.stringContaining('cannot be used') });
  });

  it('uses no issuer whose addresses are not safe, so that no code and no secret goes there in the clear', async () => {
    for (const name of ['jwks_uri', 'authorization_endpoint', 'token_endpoint']) {
      const { url, server } = await atIssuer(issuer.publicKey, { [name]: 'http://issuer.example.com/x' });
      expect(await server.list(await issuer.token('ana', { claims: { iss: url } }))).toMatchObject({ status: 503 });
      const begun = await fetch(`${server.url}/confirm/oauth/begin`, { redirect: 'manual' });
      expect([name, begun.status]).toEqual([name, 503]);
      expect(server.logged.join()).toContain(`its ${name} must be an https:// URL`);
    }
  });

  it('knows a new key as soon as the issuer signs with it, and forgets the old one', async () => {
    const before = await issuer.token('ana');
    expect(await status(before)).toBe(200);
    await issuer.rotate();
    clock.skip(MINUTE);
    expect(await status(await issuer.token('ana', { at: Math.floor(clock.now() / 1000) }))).toBe(200);
    expect(await status(before)).toBe(401);
  });

  it('goes on with the keys it has while the provider is away, for a day', async () => {
    const token = () => issuer.token('ana', { at: Math.floor(clock.now() / 1000) });
    expect(await status(await token())).toBe(200);
    await issuer.stop();
    try {
      expect(await status(await token())).toBe(200);
      clock.skip(23 * 60 * MINUTE);
      expect(await status(await token())).toBe(200);
      // While the issuer is away, an unknown key cannot be distinguished from a forged one.
      expect(await server.list(await issuer.token('ana', { header: { kid: 'new' } }))).toMatchObject({ status: 503 });
      clock.skip(2 * 60 * MINUTE);
      expect(await status(await token())).toBe(503);
    } finally {
      await issuer.open();
    }
    clock.skip(MINUTE);
    expect(await status(await token())).toBe(200);
    expect(server.logged.join('\n')).toContain('the OAuth issuer failed');
  });

  it('keeps the token out of the log, the files, the platform and the answers', async () => {
    const token = await issuer.token('olga');
    const { structuredContent } = await server.call(token, 'numbers_reactivate', REACTIVATE);
    const broken = `${token.slice(0, -6)}AAAAAA`;
    expect(await status(broken)).toBe(401);
    const [, payload = '', signature = ''] = token.split('.');
    const kept = readdirSync(server.folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(db|db-wal)$/.test(name))
      .map((name) => readFileSync(join(server.folder, name), 'latin1'))
      .join('\n');
    const requests = JSON.stringify(await (await fetch(`${server.sandbox.url}/sandbox/requests`)).json());
    for (const text of [server.logged.join('\n'), kept, requests, JSON.stringify(structuredContent)])
      for (const secret of [payload, signature]) expect(text.includes(secret)).toBe(false);
  });
});

it.each([
  ['of a claim inside another', 'realm_access.roles=staff:viewer', { realm_access: { roles: ['staff'] } }, 200],
  [
    'of a claim with dots and slashes in its name',
    'https://x.example/r=a:b:viewer',
    { 'https://x.example/r': 'a:b' },
    200,
  ],
  ['of a number or a boolean', 'staff=true:viewer', { staff: true }, 200],
  ['of a checked address', 'email=ana@example.com:viewer', { email_verified: true }, 200],
  ['of an address of which the token says nothing more', 'email=ana@example.com:viewer', {}, 403],
  ['of an address that was not checked', 'email=ana@example.com:viewer', { email_verified: false }, 403],
  ['of a value that only begins alike', 'team=lead:viewer', { team: 'leads' }, 403],
  ['of a member every object has', 'constructor.name=Object:viewer', {}, 403],
  ['of scp, as some issuers write the scope', 'scp=run:viewer', { scp: 'read run' }, 200],
])('roles from claims %s', async (_what, rule, claims, expected) => {
  const server = await openServer(issuer, new SkippingClock(), { MCP_OAUTH_ROLES: rule });
  expect((await server.list(await issuer.token('ana', { claims }))).status).toBe(expected);
});

it('a client of the MCP SDK finds the issuer by itself, gets a token for this server, and calls a tool', async () => {
  const server = await openServer(issuer, new SkippingClock(), { MCP_OAUTH_AUDIENCE: OWN_ADDRESS });
  const client = new Client({ name: 'test', version: '1' });
  const authProvider = new ClientCredentialsProvider({
    clientId: 'program',
    clientSecret: 'secret-of-program',
    expectedIssuer: issuer.url,
  });
  atEnd(() => client.close());
  const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { authProvider });
  await client.connect(transport as Transport);
  const given = { name: 'numbers_get', arguments: { PhoneNumber: seeded(1) } };
  expect((await client.callTool(given)).structuredContent).toMatchObject({ PhoneNumber: seeded(1) });
  expect(issuer.requests).toContain('/token');
});

describe('scopes', () => {
  const SCOPED =
    'scope=switchboard.read:viewer,scope=switchboard.write:operator,groups=support:operator,groups=leads:approver';

  it('are asked for, are needed, and limit what a client may do for its person', async () => {
    const server = await openServer(issuer, new SkippingClock(), { MCP_OAUTH_ROLES: SCOPED });
    const token = (scope: string | undefined, person = 'ana') => issuer.token(person, { claims: { scope } });
    const mayWrite = async (given: string) =>
      (await server.call(given, 'numbers_reactivate', REACTIVATE))?._meta?.['switchboard/error'] === undefined;
    expect((await server.list()).challenge).toContain('scope="switchboard.read switchboard.write"');
    const metadata = await (await fetch(`${server.url}/.well-known/oauth-protected-resource`)).json();
    expect(metadata).toMatchObject({ scopes_supported: ['switchboard.read', 'switchboard.write'] });
    for (const scope of [undefined, '', 'openid email', 'switchboard', 'xswitchboard.read'])
      expect(await server.list(await token(scope))).toMatchObject({
        status: 403,
        challenge: expect.stringMatching(/scope="switchboard\.read switchboard\.write".*error="insufficient_scope"/),
      });
    // A granted scope is worth nothing to a person without a role.
    expect(await server.list(await token('switchboard.write', 'nobody'))).toMatchObject({
      status: 403,
      challenge: '',
    });
    expect(await mayWrite(await token('openid switchboard.read'))).toBe(false);
    expect(await mayWrite(await token('switchboard.write switchboard.read'))).toBe(true);
  });
});
