import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Libsql from 'libsql';
import { afterEach, expect, it, vi } from 'vitest';
import { verifyTrail } from '../../src/ledger/action.ts';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { loadConfig } from '../../src/lib/config.ts';
import { runStore } from '../../src/start/commands/store.ts';
import { checkStorage } from '../../src/start/doctor/checks.ts';
import { openRuntime, type Runtime, type RuntimeOptions } from '../../src/start/runtime.ts';
import type { Engine, Queries, Store } from '../../src/store/types.ts';
import { actorOf } from '../support/approval.ts';
import { waits } from '../support/asking.ts';
import { PARK } from '../support/batches.ts';
import { atEnd } from '../support/ending.ts';
import { controlSandbox, onSandbox, openSandbox } from '../support/on-sandbox.ts';
import { runCli } from '../support/process.ts';
import { execute } from '../support/sql.ts';
import { openSqliteFile } from '../support/sqlite-file.ts';
import { describeEngines, makeStore, type TestStore } from '../support/stores.ts';
import { until } from '../support/until.ts';

/* Data of number 1 is raised by this program, and programs refuse data that is not theirs. */

const SEALING_KEY = Buffer.alloc(32, 7).toString('base64');
/** A moment after both dumps were written. */
const WRITTEN = Date.parse('2026-11-28T21:15:00Z');
const lee = actorOf('cli:lee', { surface: 'cli' });

afterEach(() => void vi.unstubAllEnvs());

/** An empty installation with the dump of number 1 in it. */
async function ofNumber1(engine: Engine): Promise<TestStore> {
  const one = await makeStore(engine);
  const sql = readFileSync(new URL(`number-1/${engine}.sql`, import.meta.url), 'utf8');
  if (one.url !== undefined) await execute(one.url, sql);
  else {
    const db = new Libsql(join(one.folder, 'switchboard.db'));
    db.exec(sql);
    db.close();
  }
  return one;
}

const configOf = (one: TestStore, platform: string, more: Record<string, string> = {}) =>
  loadConfig({
    ...onSandbox(platform),
    ...{ DATA_DIR: one.folder, DATABASE_URL: one.url ?? '', SEALING_KEY, LOG_LEVEL: 'warn', ...more },
  });

async function open(
  ...given: [one: TestStore, platform: string, more?: Record<string, string>, options?: RuntimeOptions]
) {
  const [one, platform, more, options = {}] = given;
  const runtime = await openRuntime(configOf(one, platform, more), { writeLog: () => undefined, ...options });
  atEnd(() => runtime.close());
  return runtime;
}

const all = <Row>({ store }: { store: Store }, sql: string) => store.database('ledger').all<Row>(sql);
const only = async (runtime: Runtime, sql: string) => (await all<{ id: string }>(runtime, sql))[0]?.id ?? '';

/** The bytes of trail and seals, read past the product. */
async function stored({ folder, url }: TestStore, name = 'switchboard.db'): Promise<unknown[]> {
  const file = url === undefined ? openSqliteFile(join(folder, name)) : undefined;
  const rows: unknown[] = [];
  for (const table of ['actions', 'audit', 'audit_end', 'registrations']) {
    const sql = `SELECT * FROM ${table} ORDER BY 1`;
    rows.push(file?.all(sql) ?? (await execute(url ?? '', sql)));
  }
  file?.close();
  return rows;
}

/** The lines of `doctor` about the stored data. */
async function doctor(one: TestStore, more: Record<string, string> = {}): Promise<string[]> {
  const lines: string[] = [];
  for await (const [verdict, detail, what = 'database'] of checkStorage(configOf(one, 'http://127.0.0.1:9', more)))
    lines.push(`${verdict} ${what}: ${detail}`);
  return lines;
}

/** `store copy` of an SQLite file into a database. */
async function copyInto(one: TestStore): Promise<{ err: string }> {
  const from = await makeStore('sqlite');
  await from.store.database('ledger').ready();
  vi.stubEnv('DATABASE_URL', one.url ?? '');
  const said: string[] = [];
  const io = { stdout: { write: () => undefined }, stderr: { write: (text: string) => void said.push(text) } };
  expect(await runStore(['copy', '--from', from.folder], io)).toBe(1);
  return { err: said.join('') };
}

/** Every column and index of a store, in words of its engine. */
async function tables(queries: Queries, engine: Engine): Promise<unknown[]> {
  if (engine === 'postgres')
    return [
      ...(await queries.all(
        `SELECT table_name, column_name, data_type, is_nullable, column_default, is_identity FROM information_schema.columns
           WHERE table_schema = current_schema() ORDER BY table_name, column_name`,
      )),
      ...(await queries.all<{ made: string }>(
        `SELECT replace(indexdef, schemaname || '.', '') AS made FROM pg_indexes WHERE schemaname = current_schema() ORDER BY 1`,
      )),
    ];
  return queries.all(`SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name`);
}

describeEngines('data of number 1', (engine) => {
  it('goes on where it stopped: trail, seals, a question, an unknown outcome and a batch that runs', async () => {
    const sandbox = await openSandbox({ now: new Date(WRITTEN).toISOString() });
    const one = await ofNumber1(engine);
    const shift = Date.now() - WRITTEN;
    const clock: Clock = { ...systemClock, now: () => Date.now() - shift };
    // The customer has the name that the dump's platform had.
    const before = await open(await makeStore('sqlite'), sandbox.url, {}, { clock });
    const name = { SubscriberId: 'TSUID-00000000-0000-4000-8000-000000000001', Name: 'Ava Stone-Reed' };
    await before.gate.confirm(await waits(before.gate, 'subscribers_update', name, lee), lee, 'terminal');
    // The platform does not tell what became of the message.
    await controlSandbox(sandbox.url, 'faults', { path: '/v1.0/message/search', times: 1_000, status: 400 });
    const runtime = await open(one, sandbox.url, {}, { clock });
    const { seal, store, gate } = runtime;

    expect(await verifyTrail(store.database('ledger'), { seal })).toMatchObject({ flaws: [] });
    const secret = (await all<{ id: string; sealed: Uint8Array }>(runtime, 'SELECT id, sealed FROM registrations'))[0];
    expect(secret && seal.open(secret.sealed, secret.id)).toMatchObject({ password: 'a-password-of-deliveries' });

    const reactivation = await only(runtime, `SELECT id FROM actions WHERE operation = 'numbers_reactivate'`);
    expect(await gate.confirm(reactivation, lee, 'terminal')).toMatchObject({ kind: 'done' });
    const ended = async () => (await all(runtime, `SELECT 1 FROM batches WHERE state = 'done'`)).length === 1;
    await until(ended, 'the batch ends');
    const requests: { path: string }[] = await controlSandbox(sandbox.url, 'requests');
    // One request with the two rows that were not sent before.
    expect(requests.filter(({ path }) => path === '/v1.0/numbers/status')).toHaveLength(1);
    const message = await only(runtime, `SELECT id FROM actions WHERE operation = 'message_outbound'`);
    expect(await gate.follow(message, lee)).toMatchObject({ status: 'unknown' });
    expect(requests.filter(({ path }) => path === '/v1.0/message/outbound')).toEqual([]);
    expect((await verifyTrail(store.database('ledger'), { seal })).flaws).toEqual([]);
  });

  it('is raised by a command that only reads, which says so', async () => {
    const one = await ofNumber1(engine);
    const place = { DATA_DIR: one.folder, DATABASE_URL: one.url ?? '', SEALING_KEY };
    const { err } = await runCli(['audit', '--since', '2d'], one.folder, {
      ...onSandbox('http://127.0.0.1:9'),
      ...place,
    });
    expect(err).toContain('the stored data was raised from number 1 to 3');
  });

  it('gets the tables of a new installation, after a copy of the file that nothing writes over', async () => {
    const [one, fresh] = [await ofNumber1(engine), await makeStore(engine)];
    // Nothing is raised for a process that may not use the data, and no copy stays.
    const other = open(one, 'http://127.0.0.1:9', { SEALING_KEY: Buffer.alloc(32, 8).toString('base64') });
    await expect(other).rejects.toThrow('is not the one');
    const copies = () => readdirSync(one.folder).filter((name) => name.includes('number-1'));
    expect(copies()).toEqual([]);
    expect(await doctor(one)).toContain('ok database tables: are raised from number 1 to 3 at the next start');
    const before = await stored(one);
    // Of two processes that start at once, one raises the data.
    await Promise.all([one.store, await one.open()].map((store) => store.database('ledger').ready()));
    const made = async ({ store }: TestStore) => [
      await tables(store.database('ledger'), engine),
      await all({ store }, 'SELECT schema, program FROM installation'),
    ];
    expect(await made(one)).toEqual(await made(fresh));
    expect(await stored(one)).toEqual(before);
    if (engine === 'postgres') return;
    const [copy = '', ...others] = copies();
    expect(others).toEqual([]);
    expect(await stored(one, copy)).toEqual(before);
    await one.open();
    expect(copies()).toEqual([copy]);
  });
});

describeEngines('data that is not this program’s', (engine) => {
  const NEWER = "UPDATE installation SET schema = '99', program = '9.9.0'";
  const SAYS =
    /^The stored data has number 99, and this program, Switchboard 0.3.0, reads up to number 3. It was raised by Switchboard 9.9.0: start that version or a later one.$/;

  const OLDER = "UPDATE installation SET schema = 'abc'";
  it.each([
    ['newer', NEWER, SAYS],
    ['older', OLDER, /^The stored data is older than number 1, .*export what you need with that version/],
    [
      'copied',
      'UPDATE installation SET copied_at = 5',
      /was copied to a database on 1970-01-01 00:00 UTC: set DATABASE/,
    ],
  ])('is refused and left alone: %s', async (which, sql, says) => {
    const one = await makeStore(engine);
    await one.store.database('ledger').run(sql);
    const stored = await all(one, 'SELECT * FROM installation');
    const face = { code: 'unavailable', outcome: 'not_done', message: expect.stringMatching(says) };
    await expect(open(one, 'http://127.0.0.1:9')).rejects.toMatchObject({ face });
    expect((await doctor(one)).at(-1)?.replace(/^FAIL database: /, '')).toMatch(says);
    expect(await all(one, 'SELECT * FROM installation')).toEqual(stored);
    if (engine === 'postgres' && which !== 'copied')
      expect((await copyInto(one)).err).toMatch(/^Nothing was copied. The stored data /);
  });

  it.each(['jobs', 'installation'])('is refused and left alone: of another program, with a table %s', async (table) => {
    const one = await makeStore(engine);
    const sql = `CREATE TABLE ${table} (x TEXT)`;
    if (one.url !== undefined) await execute(one.url, sql);
    else new Libsql(join(one.folder, 'switchboard.db')).exec(sql);
    const says = `The database has tables of another program: ${table}. Use another DATA_DIR, `;
    const face = { code: 'unavailable', outcome: 'not_done', message: expect.stringContaining(says) };
    await expect(open(one, 'http://127.0.0.1:9')).rejects.toMatchObject({ face });
    expect((await doctor(one)).at(-1)).toContain(`FAIL database: ${says}`);
  });

  it('keeps its questions when it is raised under a process, which stops itself', async () => {
    const sandbox = await openSandbox();
    const one = await makeStore(engine);
    const runtime = await open(one, sandbox.url);
    const id = await waits(runtime.gate, 'numbers_reactivate', { PhoneNumber: '+12015550107' }, lee);
    const list = { text: '+12015550101\n+12015550103' };
    const park = { operation: 'numbers_status', list, shared: PARK, isHeld: true };
    const batch = await runtime.batches.create(park, lee);
    await runtime.batches.while(({ state }) => state === 'planning', batch.view.id, lee, { ms: 10_000 });
    await one.store.database('ledger').run(NEWER);
    const refused = { face: { code: 'unavailable', outcome: 'not_done', message: expect.stringMatching(SAYS) } };
    for (const work of [
      () => runtime.gate.confirm(id, lee, 'terminal'),
      () => runtime.gate.perform('numbers_cancel', { PhoneNumbers: ['+12015550106'] }, lee),
      () => runtime.gate.decline(id, lee, 'terminal'),
      () => runtime.batches.stop(batch.view.id, lee, 'terminal'),
      () => runtime.jobs.hold(['a number']),
    ])
      await expect(work()).rejects.toMatchObject(refused);
    await runtime.store.refused;
    expect(await all(one, 'SELECT state FROM actions')).toEqual([{ state: 'pending' }]);
    expect(await all(one, 'SELECT state FROM batches')).toEqual([{ state: 'planned' }]);
  });

  it('begins anew in the demo, if it is older than number 1', async () => {
    const one = await makeStore(engine);
    const own = { DATA_DIR: one.folder, DATABASE_URL: one.url ?? '', SEALING_KEY, LOG_LEVEL: 'silent' };
    const demo = () => openRuntime(loadConfig(own), {});
    const first = await demo();
    await first.gate.perform('numbers_reactivate', { PhoneNumber: '+12015550107' }, lee);
    await first.store.database('ledger').run(OLDER);
    await first.close();
    const second = await demo();
    const kept = await all(second, 'SELECT schema, (SELECT count(*) FROM actions) AS n FROM installation');
    expect(kept).toEqual([{ schema: '3', n: 0 }]);
    // Its worker and a dropped schema would wait for each other.
    await second.close();
    if (one.url !== undefined) await execute(one.url, 'DROP SCHEMA switchboard_demo CASCADE');
  });

  it('is refused for another platform or account, without a word of the key, until the data is bound again', async () => {
    const one = await makeStore(engine);
    const [here, there] = ['http://127.0.0.1:9', 'http://127.0.0.1:99'];
    await (await open(one, here)).close();
    await expect(open(one, there)).rejects.toThrow(
      `is about the platform ${here}, and PLATFORM_BASE_URL is ${there}. Set PLATFORM_BASE_URL back, or use another`,
    );
    const other = { PLATFORM_ACCOUNT_KEY: 'DID-other' };
    const another = /is about another account of \S+ than the one of PLATFORM_ACCOUNT_KEY(?!.*DID-)/;
    await expect(open(one, here, other)).rejects.toThrow(another);
    const failed = (await doctor(one, other)).filter((line) => line.startsWith('FAIL'));
    expect(failed).toEqual([expect.stringContaining('account of the data: ')]);
    const settings = { DATA_DIR: one.folder, DATABASE_URL: one.url ?? '', ...onSandbox(here) };
    for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
    expect(await runStore(['rebind'], { stdout: { write: () => undefined }, stderr: { write: () => undefined } })).toBe(
      0,
    );
    await open(one, there, other);
  });

  it('is used by processes of different settings with a warning that names each setting', async () => {
    const one = await makeStore(engine);
    const lines: string[] = [];
    const options = { serves: 'http', writeLog: (line: string) => void lines.push(line) } as const;
    await open(one, 'http://127.0.0.1:9', {}, { serves: 'http' });
    const named = async () => (await all(one, `SELECT 1 FROM jobs WHERE kind = 'process'`)).length === 1;
    await until(named, 'it names itself');
    await open(one, 'http://127.0.0.1:9', {}, options);
    const different = { CONFIRM_TWO_PERSON: 'true', PLATFORM_TIME_ZONE: 'Asia/Tokyo' };
    expect((await doctor(one, different)).filter((line) => line.startsWith('warn'))).toHaveLength(4);
    await open(one, 'http://127.0.0.1:9', different, options);
    await until(() => lines.length >= 4, 'both are named of both processes');
    for (const name of Object.keys(different))
      expect(lines.join('\n')).toMatch(new RegExp(`${name} differs from that of process \\d+ on `));
  });
});
