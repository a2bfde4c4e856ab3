import { join } from 'node:path';
import { expect, it } from 'vitest';
import { IDS, type Workspace } from '../../src/demo/playground/workspace.ts';
import { CLI } from '../support/build.ts';
import { atEnd } from '../support/ending.ts';
import { environment, makeFolder } from '../support/folder.ts';
import { controlSandbox } from '../support/on-sandbox.ts';
import { look, press, signIn } from '../support/page.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { type Running, runCli } from '../support/process.ts';
import { ORDER, REACTIVATE, seeded } from '../support/seed.ts';
import { surroundings } from '../support/slack-process.ts';
import { openSqliteFile } from '../support/sqlite-file.ts';
import { describeWithPostgres } from '../support/stores.ts';
import { until } from '../support/world.ts';
import { type Connected, first } from '../surfaces/mcp/clients.ts';

/* The built program while its database is away, at every way in. */

const TOKEN = 'token-of-op-1';
const APPROVER = 'token-of-app-1';
const SETTINGS = {
  SEALING_KEY: Buffer.alloc(32, 7).toString('base64'),
  MCP_HTTP_TOKENS: `op:operator:${TOKEN}`,
  PLATFORM_REQUESTS_PER_MINUTE: '1200',
};
const CHANGE = { Number: seeded(10), CnamFirstName: 'New', CnamLastName: 'Name' };
const LOST_AND_BACK = [
  'the database is not available: reads go on, changes are refused',
  'the database is available again',
];

async function connected(place: Parameters<ReturnType<typeof first>>[0]): Promise<Connected> {
  const client = await first()(place);
  atEnd(() => client.close());
  return client;
}

const stdio = (folder: string, env: Record<string, string>): Promise<Connected> =>
  connected({
    kind: 'stdio',
    command: process.execPath,
    args: [CLI, 'mcp'],
    env: environment(folder, env),
    cwd: folder,
  });

const wordsOf = (result: unknown) => JSON.stringify(result);

/** Requests to the platform other than those for a token. */
async function sent(url: string): Promise<string[]> {
  const requests = (await controlSandbox(url, 'requests')) as { path: string }[];
  return requests.map(({ path }) => path).filter((path) => !path.includes('oauth2'));
}

/** The messages of the log about the database and the work that needs it. */
function aboutDatabase({ err }: Running): string[] {
  const lines = err()
    .split('\n')
    .filter((line) => line.startsWith('{'));
  const said = lines.map((line) => String((JSON.parse(line) as { msg: unknown }).msg));
  return said.filter((text) => text.startsWith('the database'));
}

/** Looks a number up by a command in Slack, and returns the answer that Slack shows. */
async function slackLookup(ws: Workspace): Promise<string> {
  const before = ws.messages(IDS.C_SUPPORT, { visibleTo: IDS.U_AGENT }).length;
  const act = { user: IDS.U_AGENT, channel: IDS.C_SUPPORT, command: '/number', text: seeded(1) };
  expect((await ws.command(act)).status).toBe(200);
  const shown = () => JSON.stringify(ws.messages(IDS.C_SUPPORT, { visibleTo: IDS.U_AGENT }).slice(before));
  await until(() => shown().includes('Acme'), 'the card of the number');
  return shown();
}

async function postgres(): Promise<PostgresServer> {
  const server = await startPostgres({ fsync: 'off' });
  atEnd(() => server.remove());
  return server;
}

describeWithPostgres('reads while the database is down', () => {
  it('are answered over MCP, at the terminal and in Slack, and changes are refused without a request', async () => {
    const server = await postgres();
    const { ws, sandbox, env, start } = await surroundings();
    const settings = { ...env, ...SETTINGS, DATABASE_URL: server.url };
    const { running, events, url } = await start({ ...SETTINGS, DATABASE_URL: server.url, SLACK_VIEWERS: '*' });
    ws.setRequestUrl(events);
    const http = await connected({ kind: 'http', url, token: TOKEN });
    expect(wordsOf(await http.call('numbers_lookup', { PhoneNumber: seeded(1) }))).toContain('Acme');
    server.stop('immediate');

    const folder = makeFolder();
    const late = await stdio(folder, settings);
    for (const client of [http, late]) {
      const lookup = await client.call('numbers_lookup', { PhoneNumber: seeded(1) });
      expect(lookup.isError ?? false, wordsOf(lookup)).toBe(false);
      expect(wordsOf(lookup)).toContain('own records');
      expect(wordsOf(await client.read(`switchboard://numbers/${seeded(1)}`))).toContain('Active');
      expect(wordsOf(await client.read(`switchboard://orders/${ORDER}`))).toContain('Submitted');
      const order = await client.call('numbers_order_get', { OrderId: ORDER });
      expect(order.isError ?? false, wordsOf(order)).toBe(false);
      const change = await client.call('numbers_update', CHANGE);
      expect(wordsOf(change)).toContain('(unavailable)');
      expect(wordsOf(await client.call('events_since', {}))).toContain('(unavailable)');
    }
    for (const args of [
      ['call', 'numbers_get', `PhoneNumber=${seeded(1)}`],
      ['call', 'numbers_order_get', `OrderId=${ORDER}`],
      ['number', seeded(1)],
    ]) {
      const read = await runCli(args, folder, settings);
      expect([read.code, read.err], wordsOf(read)).toEqual([0, '']);
    }
    const change = await runCli(
      ['call', 'numbers_update', `Number=${seeded(10)}`, 'CnamFirstName=New', 'CnamLastName=Name', '--yes'],
      folder,
      settings,
    );
    expect([change.code, JSON.parse(change.err).error.code]).toEqual([1, 'unavailable']);
    expect(await slackLookup(ws)).toContain('Acme');
    expect((await sent(sandbox.url)).filter((path) => path.includes('numbers/update'))).toEqual([]);

    server.start();
    await until(() => running.err().includes('available again'));
    expect(aboutDatabase(running)).toEqual(LOST_AND_BACK);
    expect(wordsOf(await http.call('numbers_lookup', { PhoneNumber: seeded(1) }))).not.toContain('own records');
    expect(await slackLookup(ws)).toContain('Acme');
  });
});

describeWithPostgres('a change that was sent before the database went down', () => {
  it('is not denied by the page, by a tool or at the terminal', async () => {
    const server = await postgres();
    const { sandbox, env, start } = await surroundings();
    const tokens = `op:operator:${TOKEN},app:approver:${APPROVER}`;
    const settings = { ...SETTINGS, MCP_HTTP_TOKENS: tokens, CONFIRM_VIA: 'page,terminal', DATABASE_URL: server.url };
    const { url: base } = await start(settings);
    const op = await connected({ kind: 'http', url: base, token: TOKEN });
    const list = { Operation: 'numbers_data_usage_set', Numbers: [seeded(3), seeded(5)], Fields: { LimitValue: 90 } };
    const batch = await op.call('batches_create', list);
    const { id: batchId } = (batch.structuredContent as { batch: { id: string } }).batch;
    const asked = await op.call('numbers_reactivate', REACTIVATE);
    const { id, url } = (asked.structuredContent as { confirmation: { id: string; url: string } }).confirmation;
    await signIn(url, APPROVER);
    const fault = { path: '/v1.0/numbers/reactivate', times: 1, hangMs: 2_500 };
    await controlSandbox(sandbox.url, 'faults', fault);
    const click = press(url, 'confirm');
    await until(async () => (await sent(sandbox.url)).includes(fault.path), 'the request to the platform');
    server.stop('immediate');

    const clicked = await click;
    expect(clicked.html).toContain('It may have been done');
    const folder = makeFolder();
    const terminal = async (...args: string[]) => {
      const { code, err } = await runCli(args, folder, { ...env, ...settings });
      expect(code, err).toBe(4);
      return err;
    };
    const told = [
      clicked.html,
      (await look(url)).html,
      wordsOf(await op.call('confirmations_get', { id })),
      wordsOf(await op.call('confirmations_get', { ids: [id] })),
      wordsOf(await op.call('batches_get', { id: batchId })),
      await terminal('settle', id),
      await terminal('batch', 'show', batchId),
    ];
    for (const text of told) expect(text).not.toMatch(/Nothing was (done|sent)|not_done/);
    for (const text of told.slice(1)) expect(text).toContain('what happened cannot be read');
  });
});

it('a locked SQLite file leaves the process answering: health at once, reads, a click, and a refusal of changes', async () => {
  const { ws, sandbox, start } = await surroundings();
  const { running, events, folder, url } = await start({ ...SETTINGS, SLACK_VIEWERS: '*' });
  ws.setRequestUrl(events);
  const client = await connected({ kind: 'http', url, token: TOKEN });
  await client.call('numbers_reactivate', { PhoneNumber: seeded(7) });
  const card = await until(() =>
    ws.messages(IDS.C_APPROVALS).find(({ blocks }) => JSON.stringify(blocks).includes('sb_confirm')),
  );
  const file = openSqliteFile(join(folder, 'data', 'switchboard.db'));
  atEnd(() => file.close());
  file.run('BEGIN IMMEDIATE');
  let isLocked = true;
  const unlock = () => {
    if (isLocked) file.run('COMMIT');
    isLocked = false;
  };
  atEnd(unlock);
  const slowest = longestHealth(url, () => isLocked);
  const change = client.call('numbers_update', CHANGE);
  const click = ws.click({ user: IDS.U_LEAD, messageTs: card?.ts ?? '', actionId: 'sb_confirm' });
  expect(wordsOf(await client.call('numbers_lookup', { PhoneNumber: seeded(1) }))).toContain('Acme');
  expect(await click).toMatchObject({ status: 200 });
  expect((await click).ackMs).toBeLessThan(3_000);
  expect(wordsOf(await change)).toContain('(unavailable)');
  await until(() => JSON.stringify(ws.messages(IDS.C_APPROVALS, { visibleTo: IDS.U_LEAD })).includes('Try again'));
  expect(await slackLookup(ws)).toContain('Acme');
  unlock();
  // A statement that waits for the lock would hold the process for as long as the lock is held.
  expect(await slowest).toBeLessThan(3_000);
  await until(() => running.err().includes('available again'));
  expect(aboutDatabase(running)).toEqual(LOST_AND_BACK);
  expect(await sent(sandbox.url)).not.toContain('/v1.0/numbers/reactivate');
});

/** The longest time in ms that /healthz took while this was true. */
async function longestHealth(url: string, isGoing: () => boolean): Promise<number> {
  let longest = 0;
  while (isGoing()) {
    const began = performance.now();
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    longest = Math.max(longest, performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return longest;
}
