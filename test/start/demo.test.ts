import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeFolder } from '../support/folder.ts';
import { controlSandbox } from '../support/on-sandbox.ts';
import { type Running, runCli, startServer } from '../support/process.ts';
import { seeded, TSUID } from '../support/seed.ts';
import { type Json, until } from '../support/world.ts';

let folder: string;
beforeEach(() => {
  folder = makeFolder();
});

describe('the first start, in demo mode', () => {
  let running: Running;
  let url: string;
  const begin = async (env: Record<string, string> = {}) => {
    ({ running, url } = await startServer({ LOG_LEVEL: 'warn', ...env }, folder));
    await running.said(/Confirmations/);
  };
  const control = (path: string, body?: unknown): Promise<Json> => controlSandbox(url, path, body);
  const text = (Body: string) => control('inbound', { From: '+12015550199', To: seeded(1), Body });
  /** The texts that were delivered to this server, and accepted. */
  const delivered = async () =>
    ((await control('deliveries')) as Json[])
      .filter(({ status, url: to }) => status === 200 && to === `${url}/events/messages`)
      .map(({ body }) => JSON.parse(body).Body);

  it('keeps its data over a restart, and says so there', async () => {
    await begin();
    expect(running.err()).toContain('It starts with new data.');
    const before = (await control('clock', { advance: '2d' })).now;
    const ran = await runCli(
      ['call', 'numbers_update', `Number=${seeded(10)}`, `AssignedSubscriberId=${TSUID}`, '--yes'],
      folder,
      {},
    );
    expect(ran.code).toBe(0);
    const { numbers, webhooks } = await control('state');
    expect(await running.stop()).toBe(0);

    // A terminal command between two starts sees it too.
    const read = await runCli(['call', 'numbers_get', `PhoneNumber=${seeded(10)}`], folder, {});
    expect(JSON.parse(read.out)).toMatchObject({ AssignedSubscriberId: TSUID });

    await begin({ PORT: new URL(url).port });
    expect(running.err()).toContain('It continues with the data of the last start.');
    const after = await control('state');
    expect(after).toMatchObject({ numbers, webhooks });
    expect(Date.parse(after.now)).toBeGreaterThanOrEqual(Date.parse(before));
    await text('Again.');
    await until(async () => (await delivered()).includes('Again.'));
  });
});

describe('a data folder that cannot be used', () => {
  it.each([['start'], ['key']])('stops %s with one sentence that names DATA_DIR', async (command) => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const env = { DATA_DIR: undefined, HOME: file, XDG_STATE_HOME: undefined, PORT: '0', LOG_LEVEL: '' };
    const { code, out, err } = await runCli([command], folder, env);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    const said = command === 'start' ? err : `${JSON.parse(err).error.message}\n`;
    expect(said).toMatch(/^DATA_DIR \S+ cannot be created \(ENOTDIR\); set DATA_DIR to a folder of your own\.\n$/);
    const checked = await runCli(['doctor'], folder, env);
    expect(checked.code).toBe(1);
    expect(checked.out).toMatch(/^FAIL data: /m);
  });
});
