import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/demo/sandbox/index.ts';
import { makeFolder } from '../support/folder.ts';
import { onSandbox } from '../support/on-sandbox.ts';
import { runCli, startCli } from '../support/process.ts';
import { openSqliteFile } from '../support/sqlite-file.ts';
import { describeEngines, makeSchema } from '../support/stores.ts';
import { seeded } from '../support/world.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function installation(): Promise<{ folder: string; sandbox: Sandbox; env: Record<string, string> }> {
  const folder = makeFolder();
  const sandbox = await startSandbox();
  closers.push(folder.remove, () => sandbox.close());
  return { folder: folder.path, sandbox, env: { PORT: '0', ...onSandbox(sandbox.url) } };
}

const key = (byte: number) => Buffer.alloc(32, byte).toString('base64');
const update = ['call', 'numbers_update', `Number=${seeded(10)}`, 'CnamFirstName=Ann', 'CnamLastName=Low', '--yes'];

describeEngines('an installation', (engine) => {
  async function sealed(): Promise<{ folder: string; env: Record<string, string> }> {
    const { folder, env } = await installation();
    const schema = engine === 'postgres' ? await makeSchema() : undefined;
    if (schema) closers.push(schema.drop);
    const settings = { ...env, ...(schema && { DATABASE_URL: schema.url }) };
    expect(await runCli(update, folder, { ...settings, SEALING_KEY: key(1) })).toMatchObject({ code: 0 });
    return { folder, env: settings };
  }

  it.each([['start'], ['call', 'numbers_get', `PhoneNumber=${seeded(1)}`]])(
    'is not opened with another sealing key by %s',
    async (...args) => {
      const { folder, env } = await sealed();
      const run = await runCli(args, folder, { ...env, SEALING_KEY: key(2) });
      expect(run).toMatchObject({ code: args[0] === 'call' ? 1 : 2, out: '' });
      expect(run.err).toMatch(/SEALING_KEY is not the one that .* was sealed with/);
      expect(
        await runCli(['call', 'numbers_get', `PhoneNumber=${seeded(1)}`], folder, { ...env, SEALING_KEY: key(1) }),
      ).toMatchObject({ code: 0 });
    },
  );
});

describe('an SQLite file', () => {
  it('is refused beside the key of another installation, and used again when its own is back', async () => {
    const { folder, env } = await installation();
    expect(await runCli(update, folder, env)).toMatchObject({ code: 0 });
    const path = join(folder, 'data', 'sealing.key');
    const own = readFileSync(path, 'utf8');
    writeFileSync(path, key(3));
    const { code, err } = await runCli(['start'], folder, env);
    expect(code).toBe(2);
    expect(err).toContain(`The sealing key ${path} is not the one that ${join(folder, 'data', 'switchboard.db')}`);
    writeFileSync(path, own);
    expect(await runCli(update, folder, env)).toMatchObject({ code: 0 });
  });

  it('holds all data by itself after a stop', async () => {
    const { folder, env } = await installation();
    const running = startCli(['start'], folder, env);
    closers.push(() => running.stop('SIGKILL'));
    await running.said(/listens on/);
    expect(await runCli(update, folder, env)).toMatchObject({ code: 0 });
    expect(await running.stop('SIGTERM')).toBe(0);
    const copy = join(folder, 'copy');
    mkdirSync(copy);
    cpSync(join(folder, 'data', 'switchboard.db'), join(copy, 'switchboard.db'));
    const file = openSqliteFile(join(copy, 'switchboard.db'));
    closers.push(() => file.close());
    expect(file.all('SELECT operation, state FROM actions')).toMatchObject([
      { operation: 'numbers_update', state: 'done' },
    ]);
    expect(file.get('PRAGMA integrity_check')).toMatchObject({ integrity_check: 'ok' });
  });
});
