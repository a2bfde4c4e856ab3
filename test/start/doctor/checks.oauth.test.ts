import { beforeAll, describe, expect, it } from 'vitest';
import { makeFolder } from '../../support/folder.ts';
import { AUDIENCE, Issuer, ROLES } from '../../support/issuer.ts';
import { runCli } from '../../support/process.ts';

const AT_ISSUER = { MCP_OAUTH_AUDIENCE: AUDIENCE, MCP_OAUTH_ROLES: ROLES };

describe('switchboard doctor on OAuth', () => {
  let issuer: Issuer;
  let folder: string;
  beforeAll(async () => {
    issuer = await Issuer.start();
    folder = makeFolder();
  });
  const doctor = (env: Record<string, string> = {}) =>
    runCli(['doctor'], folder, { MCP_OAUTH_ISSUER: issuer.url, ...AT_ISSUER, ...env });

  it('says that the issuer answers, and what must be registered there', async () => {
    const { code, out } = await doctor({ PUBLIC_URL: 'https://switchboard.example.com/', MCP_OAUTH_CLIENT_ID: 'page' });
    expect(out).toContain(`ok   oauth: ${issuer.url} answers with 1 key\n`);
    expect(out).toContain(
      'ok   oauth sign-in: register the client page with the redirect URI https://switchboard.example.com/confirm/oauth/return\n',
    );
    expect(code).toBe(0);
  });

  it('fails where the issuer is another one, or away', async () => {
    const fails = (why: RegExp) => ({ code: 1, out: expect.stringMatching(why) });
    const path = await doctor({ MCP_OAUTH_ISSUER: `${issuer.url}/other` });
    expect(path).toMatchObject(fails(/^FAIL oauth: .*unexpected HTTP response status code/m));
    await issuer.stop();
    expect(await doctor()).toMatchObject(fails(/^FAIL oauth: .*ECONNREFUSED/m));
  });
});
