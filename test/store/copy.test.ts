import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { verifyTrail } from '../../src/ledger/action.ts';
import { loadConfig } from '../../src/lib/config.ts';
import { runStore } from '../../src/start/commands/store.ts';
import { openRuntime, type Runtime } from '../../src/start/runtime.ts';
import type { Store } from '../../src/store/types.ts';
import { actorOf } from '../support/approval.ts';
import { waits } from '../support/asking.ts';
import { atEnd } from '../support/ending.ts';
import { recover } from '../support/later.ts';
import { onSandbox, openSandbox, sentTo } from '../support/on-sandbox.ts';
import { describeWithPostgres, makeStore } from '../support/stores.ts';
import { until } from '../support/until.ts';

afterEach(() => void vi.unstubAllEnvs());
/** `switchboard store` with these words. */
async function stored(...words: string[]) {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runStore(words, {
    stdout: { write: (text) => out.push(text) },
    stderr: { write: (text) => err.push(text) },
  });
  return { code, out: out.join(''), err: err.join('') };
}
async function copy(from: string, to: string | undefined) {
  vi.stubEnv('DATABASE_URL', to ?? '');
  return stored('copy', '--from', from);
}

/** Returns the flaws of the audit trail. */
async function flaws({ store, seal }: Runtime): Promise<string[]> {
  return (await verifyTrail(store.database('ledger'), { seal })).flaws;
}

const EVENTS = 1_234;
const INSERT_EVENT = 'INSERT INTO events (key, kind, subject, event, arrived_at) VALUES (?, ?, ?, ?, ?)';

async function fill(store: Store): Promise<void> {
  await store.database('events').transaction(async (queries) => {
    for (let n = 0; n < EVENTS; n += 1)
      await queries.run(INSERT_EVENT, `key ${n}`, 'order', `order ${n}`, `{"text":"Zoë ${n}"}`, 1_900_000_000_000 + n);
  });
  const vault = ['op', 'k', new Uint8Array([0, 255]), '{}', 9];
  await store.database('ledger').run('INSERT INTO vault VALUES (?, ?, ?, ?, ?)', ...vault);
  await store.database('watches').run(`INSERT INTO watches (phone, by, started_at) VALUES ('+12015550101', '[]', 2)`);
  await store.close();
}

const stores = async () => ({ from: await makeStore('sqlite'), to: await makeStore('postgres') });

/** An installation in files, with a question about a message, and an empty database. */
async function asked() {
  const { from, to } = await stores();
  const sandbox = await openSandbox();
  const settings = { ...onSandbox(sandbox.url), LOG_LEVEL: 'silent', DATA_DIR: from.folder };
  const lee = actorOf('cli:lee', { surface: 'cli' });
  const open = (url?: string) => {
    const key = () => readFileSync(join(from.folder, 'sealing.key'), 'utf8').trim();
    return openRuntime(loadConfig({ ...settings, ...(url && { DATABASE_URL: url, SEALING_KEY: key() }) }), {});
  };
  const before = await open();
  const message = { To: [{ Number: '+13125550100' }], From: '+12015550101', Body: 'once' };
  const id = await waits(before.gate, 'message_outbound', message, lee);
  await before.close();
  const sent = async () => (await sentTo(sandbox.url, '/v1.0/message/outbound')).length;
  return { from, to, open, message, id, lee, sent };
}

describeWithPostgres('switchboard store copy', () => {
  it('copies every row, and the next one gets a number of its own', async () => {
    const { from, to } = await stores();
    await fill(from.store);
    const { code, out, err } = await copy(join(from.folder, 'switchboard.db'), to.url);
    expect(err).toContain(`SEALING_KEY to the content of ${join(from.folder, 'sealing.key')}`);
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringMatching(/events +1234\n/) });
    const events = to.store.database('events');
    const ids = await events.get('SELECT count(*) AS n, min(id) AS first, max(id) AS last FROM events');
    expect(ids).toEqual({ n: EVENTS, first: 1, last: EVENTS });
    const one = { event: '{"text":"Zoë 1000"}', arrived_at: 1_900_000_001_000 };
    expect(await events.get('SELECT event, arrived_at FROM events WHERE id = 1001')).toEqual(one);
    const next = await events.get(`${INSERT_EVENT} RETURNING id`, 'new', 'order', 'x', '{}', 1);
    expect(next).toEqual({ id: EVENTS + 1 });
    const secret = await to.store.database('ledger').get<{ sealed: Uint8Array }>('SELECT sealed FROM vault');
    expect([...(secret?.sealed ?? [])]).toEqual([0, 255]);
  });

  it('copies nothing while a process uses the files, or into a database that is in use', async () => {
    const { from, to } = await stores();
    await from.store
      .database('ledger')
      .run(
        `INSERT INTO jobs (kind, subject, payload, run_at, added_at, claimed_until) VALUES ('process', '', ?, 0, 0, ?)`,
        JSON.stringify({ pid: 4711, host: 'box' }),
        Date.now() + 10_000,
      );
    expect(await copy(from.folder, to.url)).toMatchObject({
      code: 1,
      err: expect.stringContaining('Nothing was copied. Process 4711 on box still uses this data.'),
    });
    await from.store.database('ledger').run('DELETE FROM jobs');
    await fill(from.store);
    expect((await copy(from.folder, to.url)).code).toBe(0);
    expect(await copy(from.folder, to.url)).toMatchObject({
      code: 1,
      err: expect.stringContaining('The database already holds actions or events'),
    });
    expect(await to.store.database('events').get('SELECT count(*) AS n FROM events')).toEqual({ n: EVENTS });
  });

  it('no process starts on files that were copied, until they are opened again', async () => {
    const { from, to } = await stores();
    await fill(from.store);
    expect((await copy(from.folder, to.url)).code).toBe(0);
    const config = loadConfig({ ...onSandbox('http://127.0.0.1:9'), LOG_LEVEL: 'error', DATA_DIR: from.folder });
    const start = async () => (await openRuntime(config, {})).close();
    await expect(start()).rejects.toThrow(/was copied to a database on .* UTC: set DATABASE_URL to it.*store reopen/);
    const reopen = () => stored('reopen', '--from', from.folder);
    expect(await reopen()).toMatchObject({ code: 0, out: expect.stringContaining('can be used again') });
    await start();
    expect((await reopen()).out).toContain('Nothing was changed');
  });

  it('a process that starts while the files are copied does not use them, so a question is not confirmed in both', async () => {
    const { from, to, open, id, lee, sent } = await asked();
    let copying: ReturnType<typeof copy> | undefined;
    let late: Promise<Runtime> | undefined;
    await to.store.database('ledger').transaction(async (queries) => {
      await queries.run('LOCK TABLE actions IN ACCESS EXCLUSIVE MODE');
      copying = copy(from.folder, to.url);
      const waits = `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'actions'::regclass`;
      await until(async () => (await queries.get(waits)) !== undefined, 'the copy waits for the table');
      late = open();
      const opened = late.then(
        () => true,
        () => true,
      );
      // The database ends a transaction that is idle for long.
      const looked = () => queries.get('SELECT 1').then(() => undefined);
      await until(async () => Promise.race([opened, looked()]), 'the other process is open');
    });
    expect((await copying)?.code).toBe(0);
    const yes = async (runtime: Promise<Runtime> | undefined) => {
      const opened = await runtime;
      atEnd(async () => opened?.close());
      await opened?.gate.confirm(id, lee, 'terminal');
    };
    await expect(yes(late)).rejects.toThrow('was copied to a database');
    await yes(open(to.url));
    expect(await sent()).toBe(1);
  });

  it('sends nothing from files that are opened again, whatever was open when they were copied', async () => {
    const { from, to, open, message, id, lee, sent } = await asked();
    expect((await copy(from.folder, to.url)).code).toBe(0);

    const moved = await open(to.url);
    await moved.gate.confirm(id, lee, 'terminal');
    expect(await flaws(moved)).toEqual([]);
    await moved.close();
    expect((await stored('reopen', '--from', from.folder)).code).toBe(0);

    const after = await open();
    atEnd(() => after.close());
    await expect(after.gate.confirm(id, lee, 'terminal')).rejects.toMatchObject({
      face: { code: 'not_confirmed', message: expect.stringContaining('its outcome is unknown') },
    });
    const { status, error } = await after.gate.follow(id, lee);
    expect([status, error?.message]).toEqual(['unknown', expect.stringContaining('copied to a database')]);
    const again = await after.gate.perform('message_outbound', message, lee);
    expect(again.kind === 'pending' && again.confirmation.consequence).toContain('may have been done already');
    await recover(after);
    expect(await flaws(after)).toEqual([]);
    expect(await sent()).toBe(1);
  });

  it('sends no row of a batch that ran when they were copied, also after the files are opened again', async () => {
    const { from, to, open, lee, sent } = await asked();
    const before = await open();
    const list = { numbers: ['+13125550201', '+13125550202', '+13125550203'] };
    const shared = { From: '+12015550101', Body: 'to many' };
    const { id } = (await before.batches.create({ operation: 'message_outbound', list, shared }, lee)).view;
    const reaches = (runtime: Runtime, state: string) =>
      until(async () => (await runtime.batches.view(id, lee)).state === state, `the batch is ${state}`);
    await reaches(before, 'waiting');
    const { confirmation = '' } = await before.batches.view(id, lee);
    await before.worker.stop();
    await before.gate.confirm(confirmation, lee, 'terminal');
    await reaches(before, 'running');
    await before.close();
    expect((await copy(from.folder, to.url)).code).toBe(0);
    const moved = await open(to.url);
    await reaches(moved, 'done');
    await moved.close();
    expect((await stored('reopen', '--from', from.folder)).code).toBe(0);
    const after = await open();
    atEnd(() => after.close());
    await reaches(after, 'stopped');
    await recover(after);
    await expect(after.batches.rest(id, lee)).rejects.toThrow('there is nothing to ask for again');
    const trail = await after.gate.actions.audit(20);
    const detail = expect.stringContaining('It may have been confirmed and sent from there.');
    expect(trail).toContainEqual(expect.objectContaining({ batch: id, what: 'stopped', detail }));
    expect(await sent()).toBe(3);
  });
});
