import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFolder } from '../support/folder.ts';
import { callOf, rpc } from '../support/messages.ts';
import { type Running, startCli } from '../support/process.ts';
import { describeWith } from '../support/programs.ts';
import { seeded } from '../support/seed.ts';
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import { type Json, postMcp, until } from '../support/world.ts';
import { HealthWatch, LISTEN, memoryOf, post, Raw } from './load.ts';

const TOKENS = 'vera:viewer:token-of-vera,otto:operator:token-of-otto';
const MIB = 1024 * 1024;
const read = (at: number) => callOf('numbers_get', { PhoneNumber: seeded(1) }, at);

const headers = (token: string) => ({
  accept: 'application/json, text/event-stream',
  authorization: `Bearer ${token}`,
});

const toMcp = (message: unknown, token = 'token-of-vera') => post('/mcp', JSON.stringify(message), headers(token));

describe('a process under load', () => {
  let folder: string;
  let running: Running;
  let url: string;
  let health: HealthWatch;
  let before: number;
  const open: Raw[] = [];
  const connection = () => {
    const raw = new Raw(url);
    open.push(raw);
    return raw;
  };
  const memory = () => memoryOf(running.child.pid ?? 0);
  const answered = (all: readonly Raw[]) => all.flatMap((one) => one.statuses());

  beforeEach(async () => {
    folder = makeFolder();
    running = startCli(['start'], folder, { PORT: '0', LOG_LEVEL: 'error', MCP_HTTP_TOKENS: TOKENS });
    url = (await running.said(/listens on (http:[\w.:/]+)/))[1] ?? '';
    await running.said(/Confirmations/);
    // Reads stay under way: the platform answers late.
    const fault = { path: '/v1.0/numbers', times: 100_000, hangMs: 600_000 };
    await fetch(`${url}/sandbox/faults`, { method: 'POST', body: JSON.stringify(fault) });
    // The adapters of the protocol are loaded.
    await (await postMcp(url, rpc('tools/list', {}), headers('token-of-vera'))).text();
    before = memory();
    health = new HealthWatch(url, running.child.pid ?? 0);
  });
  afterEach(async () => {
    await health.end();
    for (const { socket } of open.splice(0)) socket.destroy();
  });

  /** Checks what holds after every attack. */
  const expectServing = async () => {
    const grown = memory() - before;
    await health.end();
    expect(running.child.exitCode).toBeNull();
    expect(grown).toBeLessThan(150);
    // Processor time, because other programs on the machine take some of the second.
    expect(health.busiest).toBeLessThan(1_000);
  };

  it('serves others while a viewer pipelines 48,000 calls', async () => {
    const all = Array.from({ length: 20 }, connection);
    const calls = (from: number) => Array.from({ length: 2_400 }, (_, at) => toMcp(read(from + at))).join('');
    for (const [at, raw] of all.entries()) void raw.write(calls(at * 10_000));
    // At first the viewer may hold all 1,000 places, so the other identity tries again, as the answer asks.
    for (let served = 0; served < 20; ) {
      const other = connection();
      await other.write(toMcp(rpc('tools/list', {}, served), 'token-of-otto'));
      const [status] = await until(
        () => other.statuses(),
        (statuses) => statuses.length === 1,
      );
      expect([200, 429]).toContain(status);
      if (status === 200) served += 1;
    }
    await expectServing();
  });

  it('runs 100 calls of one identity, answers 429 to more, and serves another identity', async () => {
    const all = Array.from({ length: 130 }, connection);
    await Promise.all(all.map((raw, at) => raw.write(toMcp(read(at)))));
    await until(() => answered(all).length >= 30);
    expect(answered(all)).toEqual(Array.from({ length: 30 }, () => 429));
    const other = connection();
    await other.write(toMcp(rpc('tools/list', {}, 1), 'token-of-otto'));
    await until(() => other.statuses().length === 1);
    expect(other.statuses()).toEqual([200]);
    await expectServing();
  });

  it('opens 50 streams of one identity and answers 429 to more', async () => {
    const more = { ...headers('token-of-vera'), ...LISTEN.headers };
    const all = Array.from({ length: 60 }, connection);
    await Promise.all(all.map((raw) => raw.write(post('/mcp', LISTEN.body, more))));
    await until(() => answered(all).length === 60);
    expect(answered(all).filter((status) => status === 200)).toHaveLength(50);
    expect(answered(all).filter((status) => status === 429)).toHaveLength(10);
  });

  it('answers 429 beyond 1,000 requests in all, and /healthz all the same', async () => {
    const all = Array.from({ length: 1_100 }, connection);
    await Promise.all(all.map((raw) => raw.write(post('/slack/events', 'x', {}, 100))));
    await until(() => answered(all).length >= 100);
    expect(answered(all).filter((status) => status === 429)).toHaveLength(100);
    await until(() => all.every(({ isClosed }) => isClosed));
    expect(answered(all).filter((status) => status === 408)).toHaveLength(1_000);
    await expectServing();
  });

  it('closes the connection of a request without a valid token whose body goes on', async () => {
    const refused = [post('/mcp', 'x', headers('wrong'), MIB), post('/mcp', 'x', {}, MIB), post('/none', 'x', {}, MIB)];
    const all = refused.map(() => connection());
    await Promise.all(all.map((raw, at) => raw.write(refused[at] ?? '')));
    await until(() => answered(all).length === 3);
    expect(answered(all)).toEqual([401, 401, 404]);
    await until(() => all.every(({ isClosed }) => isClosed), Boolean, 10_000);
  });
});

const probe = makeFolder();
const mountable = mountSmallDisk(probe, 1);

mountable?.remove();

describeWith({ 'a disk that may be mounted': mountable?.path }, 'switchboard start on a full disk', () => {
  let folder: string;
  let disk: SmallDisk;
  let running: Running;
  let url: string;
  beforeEach(async () => {
    folder = makeFolder();
    disk = mountSmallDisk(folder, 16) as SmallDisk;
    running = startCli(['start'], folder, { PORT: '0', LOG_LEVEL: 'warn', DATA_DIR: disk.path });
    url = (await running.said(/listens on (http:[\w.:/]+)/))[1] ?? '';
    await running.said(/Confirmations/);
  });
  afterEach(() => disk.remove());

  const ready = async () => {
    const answer = await fetch(`${url}/readyz`);
    return { status: answer.status, ...((await answer.json()) as Json) };
  };
  const callTool = async (name: string, args: object): Promise<Json> => {
    const answer = await postMcp(url, rpc('tools/call', { name, arguments: args }));
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
