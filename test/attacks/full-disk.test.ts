import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeFolder } from '../support/folder.ts';
import { type Running, startCli } from '../support/process.ts';
import { describeWith } from '../support/programs.ts';
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import { type Json, seeded, until } from '../support/world.ts';

const probe = makeFolder();
const mountable = mountSmallDisk(probe.path, 1);
mountable?.remove();
probe.remove();

describeWith({ 'a disk that may be mounted': mountable?.path }, 'switchboard start on a full disk', () => {
  let folder: ReturnType<typeof makeFolder>;
  let disk: SmallDisk;
  let running: Running;
  let url: string;
  beforeEach(async () => {
    folder = makeFolder();
    disk = mountSmallDisk(folder.path, 16) as SmallDisk;
    running = startCli(['start'], folder.path, { PORT: '0', LOG_LEVEL: 'warn', DATA_DIR: disk.path });
    url = (await running.said(/listens on (http:[\w.:/]+)/))[1] ?? '';
    await running.said(/Confirmations/);
  });
  afterEach(async () => {
    await running.stop('SIGKILL');
    disk.remove();
    folder.remove();
  });

  const ready = async () => {
    const answer = await fetch(`${url}/readyz`);
    return { status: answer.status, ...((await answer.json()) as Json) };
  };
  const callTool = async (name: string, args: object): Promise<Json> => {
    const answer = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
    });
    return ((await answer.json()) as Json).result;
  };
  const inbound = (Body: string) => ({ From: '+12015550199', To: seeded(1), Body });
  const control = (path: string, body: object) =>
    fetch(`${url}/sandbox/${path}`, { method: 'POST', body: JSON.stringify(body) });

  it('goes on, is not ready, says what was not done, and recovers when there is room again', async () => {
    await until(async () => (await ready()).status === 200);
    disk.fill();
    for (let at = 0; at < 20; at += 1) await control('inbound', inbound(`${at} ${'x'.repeat(1_000)}`));
    const full = await ready();
    expect(full).toMatchObject({ status: 503, ready: false });
    expect(full.problems.join()).toContain('database');
    await until(() => running.err().includes('the data of the demo could not be written'));
    const refused = await callTool('numbers_update', { Number: seeded(1), MessageEnabled: false });
    expect(refused.isError).toBe(true);
    expect(refused.content[0].text).toContain('Nothing was done');
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(running.child.exitCode).toBeNull();

    disk.empty();
    expect((await ready()).status).toBe(200);
    expect((await callTool('numbers_get', { PhoneNumber: seeded(1) })).structuredContent.Number).toBe(seeded(1));
    expect(await running.stop()).toBe(0);
  });

  it('stops with exit code 0 when it is told to', async () => {
    disk.fill();
    await control('inbound', inbound('One.'));
    expect(await running.stop()).toBe(0);
  });
});
