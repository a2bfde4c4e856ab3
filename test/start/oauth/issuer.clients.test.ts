import { ClientCredentialsProvider } from '@modelcontextprotocol/sdk/client/auth-extensions.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { describe, expect, it } from 'vitest';
import { SkippingClock } from '../../support/clock.ts';
import { Issuer } from '../../support/issuer.ts';
import { A1, seeded } from '../../support/seed.ts';
import { OWN_ADDRESS, openServer } from './support.ts';

const REACTIVATE = { PhoneNumber: seeded(7), AccountId: A1 };

const issuer = await Issuer.start();

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
  try {
    const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { authProvider });
    await client.connect(transport as Transport);
    const { structuredContent } = await client.callTool({
      name: 'numbers_get',
      arguments: { PhoneNumber: seeded(1) },
    });
    expect(structuredContent).toMatchObject({ PhoneNumber: seeded(1) });
    expect(issuer.requests).toContain('/token');
  } finally {
    await client.close();
  }
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
