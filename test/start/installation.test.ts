import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/demo/sandbox/index.ts';
import { atEnd } from '../support/ending.ts';
import { makeFolder } from '../support/folder.ts';
import { begin, callOf, request } from '../support/messages.ts';
import { onSandbox, openSandbox } from '../support/on-sandbox.ts';
import { runCli, startCli, startServer } from '../support/process.ts';
import { seeded } from '../support/seed.ts';
import { openSqliteFile } from '../support/sqlite-file.ts';

async function installation(): Promise<{ folder: string; sandbox: Sandbox; env: Record<string, string> }> {
  const folder = makeFolder();
  const sandbox = await openSandbox();
  return { folder, sandbox, env: { PORT: '0', ...onSandbox(sandbox.url) } };
}

const key = (byte: number) => Buffer.alloc(32, byte).toString('base64');
const update = ['call', 'numbers_update', `Number=${seeded(10)}`, 'CnamFirstName=Ann', 'CnamLastName=Low', '--yes'];

describe('an SQLite file', () => {
  it('is refused beside the key of another installation, and used again when its own is back', async () => {
    const { folder, env } = await installation();
    expect(await runCli(update, folder, env)).toMatchObject({ code: 0 });
    const path = join(folder, 'data', 'sealing.key');
    const own = readFileSync(path, 'utf8');
    writeFileSync(path, key(3));
    const { code, err } = await runCli(['start'], folder, env);
    expect(code).toBe(1);
    expect(err).toContain(`The sealing key ${path} is not the one that ${join(folder, 'data', 'switchboard.db')}`);
    rmSync(path);
    const missing = await runCli(['start'], folder, env);
    expect(missing.err).toMatch(/sealing.key is missing, and .*switchboard.db was sealed with it. Put the file back/);
    expect(existsSync(path)).toBe(false);
    writeFileSync(path, own);
    expect(await runCli(update, folder, env)).toMatchObject({ code: 0 });
  });

  it('that a newer program has raised stops the process that uses it, and is refused alike at every door', async () => {
    const { folder, env } = await installation();
    const running = startCli(['start'], folder, env);
    await running.said(/Switchboard started/);
    const file = openSqliteFile(join(folder, 'data', 'switchboard.db'));
    file.run("UPDATE installation SET schema = '99', program = '9.9.0'");
    file.run('UPDATE jobs SET run_at = 0, claimed_until = 0');
    file.close();
    expect(await running.ended).toBe(1);
    expect(running.err()).toContain('It was raised by Switchboard 9.9.0: start that version or a later one.');

    const message = expect.stringMatching(/number 99, .* number 3\./);
    const error = { code: 'unavailable', outcome: 'not_done', message };
    for (const args of [['batch', 'list'], ['audit'], ['call', 'numbers', 'get', seeded(1)], ['events', 'list']]) {
      const { code, err } = await runCli(args, folder, env);
      expect([code, JSON.parse(err)]).toEqual([1, { error }]);
    }
    const mcp = startCli(['mcp'], folder, env);
    atEnd(() => mcp.stop('SIGKILL'));
    await begin(mcp);
    const answer = await request(mcp, callOf('numbers_get', { PhoneNumber: seeded(1) }, 2));
    expect(answer.result._meta['switchboard/error']).toEqual(error);
  });

  it('of a platform is not touched by the demo, and that of the demo by no platform', async () => {
    const { folder, env } = await installation();
    const real = { ...env, DATA_DIR: join(folder, 'data', 'demo') };
    expect(await runCli(update, folder, real)).toMatchObject({ code: 0 });
    const read = ['call', 'numbers', 'get', seeded(1)];
    const refused = await runCli(read, folder, {});
    expect([refused.code, refused.out]).toEqual([1, '']);
    const trail = await runCli(['audit'], folder, real);
    expect([trail.code, trail.out]).toEqual([0, expect.stringContaining('numbers_update')]);

    const other = makeFolder();
    expect(await runCli(read, other, {})).toMatchObject({ code: 0 });
    const [demo, moved] = [join(other, 'data', 'demo'), join(other, 'moved')];
    cpSync(demo, moved, { recursive: true });
    cpSync(join(other, 'data', 'sealing.key'), join(moved, 'sealing.key'));
    const onDemo = await runCli(read, other, { ...env, DATA_DIR: moved });
    expect(onDemo.err).toContain('The data of DATA_DIR is about the platform demo');
  });

  it('that was put back beside the log of a newer one is refused in words', async () => {
    const { folder, env } = await installation();
    expect(await runCli(update, folder, env)).toMatchObject({ code: 0 });
    writeFileSync(join(folder, 'data', 'switchboard.db'), Buffer.alloc(8192, 7));
    const { code, err } = await runCli(['audit'], folder, env);
    expect([code, JSON.parse(err).error]).toEqual([1, expect.objectContaining({ code: 'unavailable' })]);
    expect(err).toContain('remove the files that end in -wal and -shm');
  });

  it('holds all data by itself after a stop', async () => {
    const { folder, env } = await installation();
    const { running } = await startServer(env, folder);
    expect(await runCli(update, folder, env)).toMatchObject({ code: 0 });
    expect(await running.stop('SIGTERM')).toBe(0);
    const copy = join(folder, 'copy');
    mkdirSync(copy);
    cpSync(join(folder, 'data', 'switchboard.db'), join(copy, 'switchboard.db'));
    const file = openSqliteFile(join(copy, 'switchboard.db'));
    atEnd(() => file.close());
    const actions = file.all('SELECT operation, state FROM actions');
    expect(actions).toMatchObject([{ operation: 'numbers_update', state: 'done' }]);
    expect(file.get('PRAGMA integrity_check')).toMatchObject({ integrity_check: 'ok' });
  });
});
