import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/demo/sandbox/index.ts';
import { makeFolder } from '../support/folder.ts';
import { onSandbox } from '../support/on-sandbox.ts';
import { startPostgres } from '../support/postgres.ts';
import { type Running, startCli } from '../support/process.ts';
import { describeWithPostgres, makeSchema } from '../support/stores.ts';
import { signIn, until } from '../support/world.ts';

const TOKENS = 'op:operator:token-of-op-1,ana:approver:token-of-ana';

interface Started {
  running: Running;
  url: string;
}

const closers: (() => unknown)[] = [];

/** `switchboard start` on this database. */
async function start(database: string, platform: string): Promise<Started> {
  const folder = makeFolder();
  closers.push(folder.remove);
  const running = startCli(['start'], folder.path, {
    PORT: '0',
    DATABASE_URL: database,
    SEALING_KEY: Buffer.alloc(32, 7).toString('base64'),
    MCP_HTTP_TOKENS: TOKENS,
    ...onSandbox(platform),
  });
  closers.push(() => running.stop('SIGKILL'));
  const [, url = ''] = await running.said(/listens on (http:\/\/127\.0\.0\.1:\d+)/);
  return { running, url };
}

const seen = (url: string, path: string) =>
  fetch(`${url}${path}`, { headers: { authorization: 'Bearer token-of-op-1' } });

describeWithPostgres('processes on one database', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox();
  });
  afterAll(async () => {
    for (const close of closers.splice(0).reverse()) await close();
    await sandbox?.close();
  });

  it('take each other’s forms of the confirmation page', async () => {
    const schema = await makeSchema();
    closers.push(schema.drop);
    const one = await start(schema.url, sandbox.url);
    const other = await start(schema.url, sandbox.url);
    const page = await fetch(`${one.url}/confirm`);
    const csrf = /name="csrf" value="([^"]+)"/.exec(await page.text())?.[1] ?? '';
    const cookie =
      page.headers
        .getSetCookie()
        .find((one) => one.startsWith('sb_csrf'))
        ?.split(';')[0] ?? '';
    const answer = await fetch(`${other.url}/confirm`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie },
      body: new URLSearchParams({ csrf, act: 'signin', token: 'token-of-ana' }),
    });
    expect([answer.status, answer.headers.getSetCookie().some((one) => one.startsWith('sb_session'))]).toEqual([
      303,
      true,
    ]);
    await signIn(`${one.url}/confirm`, 'token-of-ana');
  });

  it('start while the database is away, say so, and are ready soon after it is back', async () => {
    const server = await startPostgres({ fsync: 'off' });
    closers.push(() => server.remove());
    server.stop('immediate');
    const { url, running } = await start(server.url, sandbox.url);
    const away = await seen(url, '/readyz');
    const { problems } = (await away.json()) as { problems: string[] };
    expect([away.status, problems]).toEqual([503, [expect.stringMatching(/^database: /)]]);
    const metrics = await seen(url, '/metrics');
    expect([metrics.status, await metrics.text()]).toEqual([200, expect.stringContaining('switchboard_database_up 0')]);
    server.start();
    await until(async () => (await seen(url, '/readyz')).status === 200);
    expect(await (await seen(url, '/metrics')).text()).toContain('switchboard_database_up 1');
    expect(running.child.exitCode).toBeNull();
  });
});
