import { exportJWK, generateKeyPair } from 'jose';
import { expect, it } from 'vitest';
import { createWorkspace, IDS } from '../../src/demo/playground/workspace.ts';
import { type ConnectProxy, connectProxy } from '../support/connect-proxy.ts';
import { atEnd } from '../support/ending.ts';
import { makeFolder } from '../support/folder.ts';
import { publishIssuer } from '../support/issuer.ts';
import { scriptedModel } from '../support/models.ts';
import { onSandbox, openSandbox } from '../support/on-sandbox.ts';
import { runCli, startCli } from '../support/process.ts';
import { describeWith, program } from '../support/programs.ts';
import { seeded } from '../support/seed.ts';
import { until } from '../support/world.ts';

/* The built program in a network whose only way out is a proxy. */

/** An OAuth issuer that publishes its metadata and one key. */
async function issuer(address: string): Promise<string> {
  const key = { ...(await exportJWK((await generateKeyPair('RS256')).publicKey)), kid: 'one', alg: 'RS256' };
  return publishIssuer(key, {}, address);
}

describeWith({ openssl: program('openssl') }, 'behind a proxy', ({ openssl = '' }) => {
  async function network(users?: string) {
    const proxy = await connectProxy(openssl, users === undefined ? {} : { users });
    const sandbox = await openSandbox();
    const folder = makeFolder();
    const platform = await proxy.serve('platform.example.com', sandbox.url);
    const env: Record<string, string> = {
      ...onSandbox(platform),
      NODE_EXTRA_CA_CERTS: proxy.certificate,
      HTTPS_PROXY: proxy.url,
      LOG_LEVEL: 'info',
    };
    const read = (more: Record<string, string | undefined> = {}) =>
      runCli(['call', 'numbers_get', `PhoneNumber=${seeded(1)}`], folder, { ...env, ...more });
    return { proxy, sandbox, folder, env, read };
  }

  const targets = ({ asked }: ConnectProxy) => [...new Set(asked.map(({ target }) => target))].sort();

  it('the platform is reached through HTTPS_PROXY or https_proxy, with its user and password, which no text shows', async () => {
    const { proxy, read } = await network('ann:p@ss word');
    const url = proxy.url.replace('://', '://ann:p%40ss%20word@');
    for (const name of ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy']) {
      proxy.asked.length = 0;
      const { code, out, err } = await read({ HTTPS_PROXY: undefined, [name]: url, LOG_LEVEL: 'trace' });
      expect([code, name], err).toEqual([0, name]);
      expect(JSON.parse(out)).toMatchObject({ Number: seeded(1) });
      expect(proxy.asked[0]).toEqual({ target: 'platform.example.com:443', credentials: 'ann:p@ss word' });
      expect(out + err).not.toMatch(/p@ss|p%40ss|ann:/);
    }
  });

  it('a proxy that makes no connection is named with its setting and the way out', async () => {
    const { proxy, read } = await network();
    const host = 'platform.example.com';
    for (const [way, words] of [
      [407, `${proxy.url} (HTTPS_PROXY): it answered 407. Check HTTPS_PROXY, with its user name and password`],
      [403, `${proxy.url} (HTTPS_PROXY): it answered 403. Check HTTPS_PROXY, or add ${host} to NO_PROXY.`],
      [502, `${proxy.url} (HTTPS_PROXY): it answered 502. Check HTTPS_PROXY, or add ${host} to NO_PROXY.`],
    ] as const) {
      proxy.treat(host, way);
      const { code, err } = await read();
      expect(code).toBe(1);
      expect(JSON.parse(err)).toMatchObject({
        error: { code: 'network', outcome: 'not_done', message: expect.stringContaining(words) },
      });
    }
    proxy.treat(host, 'closes');
    const doctor = async (HTTPS_PROXY: string) =>
      (await runCli(['doctor'], (await network()).folder, { ...onSandbox(`https://${host}`), HTTPS_PROXY })).out;
    for (const url of [proxy.url, 'http://127.0.0.1:1'])
      expect((await doctor(url)).replaceAll(/\s+/g, ' ')).toMatch(
        new RegExp(`FAIL platform: No connection to ${host} could be made through the proxy ${url} \\(HTTPS_PROXY\\)`),
      );
  });

  it('this computer is reached directly', async () => {
    const { proxy, sandbox, read } = await network();
    expect((await read({ ...onSandbox(sandbox.url), HTTP_PROXY: proxy.url })).code).toBe(0);
    expect(proxy.asked).toEqual([]);
  });

  it('Slack, its sockets, the model and OAuth use it too, and doctor names it', async () => {
    const { proxy, folder, env } = await network();
    const [ws, model] = [createWorkspace(), await scriptedModel('openai-compatible')];
    atEnd(() => ws.close());
    const settings = {
      ...env,
      PORT: '0',
      SLACK_BOT_TOKEN: ws.botToken,
      SLACK_APP_TOKEN: ws.appToken,
      SLACK_API_URL: `${await proxy.serve('slack.example.com', await ws.listen())}/api/`,
      SLACK_VIEWERS: '*',
      ASSISTANT_MODEL: 'scripted',
      ASSISTANT_URL: `${await proxy.serve('model.example.com', model.url)}/v1`,
      MCP_OAUTH_ISSUER: await proxy.serve('login.example.com', await issuer('https://login.example.com')),
      MCP_OAUTH_AUDIENCE: 'https://switchboard.example.com/mcp',
      MCP_OAUTH_ROLES: 'groups=support:operator',
      NO_PROXY: 'internal.example.com',
    };
    ws.setBaseUrl('https://slack.example.com');
    const doctor = (await runCli(['doctor'], folder, settings)).out.replaceAll(/\s+/g, ' ');
    expect(doctor).toContain(`login.example.com: reached through ${proxy.url} (HTTPS_PROXY)`);
    for (const line of ['ok platform:', 'ok slack: signed in', 'warn assistant: scripted answers', 'ok oauth: https'])
      expect(doctor).toContain(line);
    expect(targets(proxy)).toEqual(['login', 'model', 'platform', 'slack'].map((name) => `${name}.example.com:443`));

    proxy.asked.length = 0;
    startCli(['start'], folder, settings);
    await until(() => ws.socketConnections() === 1, 'the socket of Socket Mode');
    const act = { user: IDS.U_AGENT, channel: IDS.C_SUPPORT, command: '/number', text: seeded(1) };
    expect(await ws.command(act)).toMatchObject({ via: 'socket' });
    const shown = () => JSON.stringify(ws.messages(IDS.C_SUPPORT, { visibleTo: IDS.U_AGENT }));
    await until(() => shown().includes('Acme'), 'the card of the number');
    expect(targets(proxy)).toContain('slack.example.com:443');

    for (const name of ['slack', 'model', 'login']) proxy.treat(`${name}.example.com`, 403);
    const refused = (await runCli(['doctor'], folder, settings)).out.replaceAll(/\s+/g, ' ');
    for (const [check, name] of [
      ['slack', 'slack'],
      ['assistant', 'model'],
      ['oauth', 'login'],
    ])
      expect(refused).toMatch(
        new RegExp(
          `FAIL ${check}: [^:]*:? ?[^ ]* ?No connection to ${name}.example.com could be made through the proxy`,
        ),
      );
    const late = startCli(['start'], folder, settings);
    atEnd(() => late.stop('SIGKILL'));
    await late.said(
      /No connection to slack\.example\.com could be made through the proxy \S+ \(HTTPS_PROXY\): it answered 403/,
    );
  });
});
