import { expect, it } from 'vitest';
import { atEnd } from '../support/ending.ts';
import { onSandbox, openSandbox } from '../support/on-sandbox.ts';
import { lookAsStranger, signIn } from '../support/page.ts';
import { startPostgres } from '../support/postgres.ts';
import { startServer } from '../support/process.ts';
import { describeWithPostgres, makeSchema } from '../support/stores.ts';
import { until } from '../support/world.ts';

const TOKENS = 'op:operator:token-of-op-1,ana:approver:token-of-ana';

/** `switchboard start` on this database. */
const start = (DATABASE_URL: string, platform: string) =>
  startServer({
    ...{ DATABASE_URL, SEALING_KEY: Buffer.alloc(32, 7).toString('base64'), MCP_HTTP_TOKENS: TOKENS },
    ...onSandbox(platform),
  });

const seen = (url: string, path: string) =>
  fetch(`${url}${path}`, { headers: { authorization: 'Bearer token-of-op-1' } });

const sandbox = await openSandbox();

describeWithPostgres('processes on one database', () => {
  it('take each other’s forms of the confirmation page', async () => {
    const schema = await makeSchema();
    atEnd(schema.drop);
    const one = await start(schema.url, sandbox.url);
    const other = await start(schema.url, sandbox.url);
    const { csrf, cookie } = await lookAsStranger(`${one.url}/confirm`);
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
    atEnd(() => server.remove());
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
