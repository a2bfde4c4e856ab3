import { userInfo } from 'node:os';
import { beforeEach, expect, it } from 'vitest';
import { makeFolder } from '../../support/folder.ts';
import { answerTo, begin, callOf, initialize, request, rpc, written } from '../../support/messages.ts';
import { controlSandbox, onSandbox, openSandbox } from '../../support/on-sandbox.ts';
import { confirm, look, lookAsStranger, press } from '../../support/page.ts';
import { pair, type Running, startCli } from '../../support/process.ts';
import { rawStatus } from '../../support/raw-status.ts';
import { REACTIVATE, seeded } from '../../support/seed.ts';
import { type Json, until } from '../../support/world.ts';

let folder: string;
let running: Running;
const sandbox = await openSandbox();
beforeEach(async () => {
  await fetch(`${sandbox.url}/sandbox/reset`, { method: 'POST', body: '{}' });
  folder = makeFolder();
});

/** Every line of stdout, which must be the protocol and nothing else. */
const lines = (): Json[] => {
  const all = written(running);
  for (const { jsonrpc } of all) expect(jsonrpc).toBe('2.0');
  return all;
};
const call = (id: number, name: string, input: object) => request(running, callOf(name, input, id));

function open(capabilities: object = {}): Promise<Json> {
  running = startCli(['mcp'], folder, onSandbox(sandbox.url));
  return begin(running, capabilities);
}

const state = async (n: number) =>
  (await controlSandbox(sandbox.url, 'state')).numbers.find((row: Json) => row.Number === seeded(n)).Status;

it('speaks the protocol on stdout and nothing else, and ends with its stdin', async () => {
  const { result } = await open();
  expect(result).toMatchObject({
    serverInfo: { name: 'switchboard' },
    instructions: expect.stringContaining('Rules that matter'),
  });
  expect((await request(running, rpc('tools/list', {}, 2))).result.tools.length).toBeGreaterThan(50);
  const got = await call(3, 'numbers_get', { PhoneNumber: seeded(1) });
  expect(got.result.structuredContent).toMatchObject({ Number: seeded(1) });
  const wrong = await call(4, 'numbers_get', { PhoneNumber: seeded(1), Nonsense: 1 });
  expect(wrong.result._meta['switchboard/error']).toMatchObject({ code: 'invalid_input', field: 'Nonsense' });
  running.child.stdin?.write('this is no protocol\n');
  expect((await request(running, rpc('ping', {}, 5))).result).toEqual({});
  running.child.stdin?.end();
  expect(await running.ended).toBe(0);
  expect(lines().map((message) => message.id)).toEqual([1, 2, 3, 4, null, 5]);
  for (const text of [running.out(), running.err()]) expect(text).not.toMatch(/sandbox-secret|eyJ[\w-]+\./);
});

it('serves the page of a gated call on a loopback port of its own', async () => {
  await open();
  const asked = await call(2, 'numbers_reactivate', REACTIVATE);
  const { id, url } = asked.result.structuredContent.confirmation;
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/confirm\//);
  expect(await state(7)).toBe('Cancelled - Pending Delete');
  // To callers from other sites the port looks empty.
  expect(await rawStatus(url, { host: 'evil.example' })).toBe(404);
  expect(await rawStatus(url, { origin: 'https://evil.example' })).toBe(404);
  expect(await rawStatus(new URL('/mcp', url).href, {})).toBe(404);
  // The address alone, which the assistant has too, shows nothing and confirms nothing.
  const stranger = await lookAsStranger(url);
  expect(stranger.html).toContain('Waiting for your decision.');
  expect(stranger.html).not.toContain(seeded(7));
  expect((await press(url, 'confirm', {}, stranger)).status).toBe(403);
  expect(await state(7)).toBe('Cancelled - Pending Delete');
  await pair(folder, onSandbox(sandbox.url));
  expect((await look(url)).html).toContain(seeded(7));
  expect((await confirm(url)).html).toContain('Done.');
  const followed = await call(3, 'confirmations_get', { id });
  expect(followed.result.structuredContent).toMatchObject({ status: 'done', result: { Successful: true } });
  expect(await state(7)).toBe('Active');
});

/** Calls a change that costs money as a client that can ask. Resolves to the question that the client gets. */
async function asked(): Promise<Json> {
  await open({ elicitation: {} });
  running.write(callOf('numbers_reactivate', REACTIVATE, 2));
  return until(() => lines().find((message) => message.method === 'elicitation/create'));
}

it('asks the person of a client that can, which may write null for what it leaves out', async () => {
  const question = await asked();
  expect(question.params.message).toContain('5 USD');
  running.write({ jsonrpc: '2.0', id: question.id, result: { _meta: null, action: 'accept', content: {} } });
  const done = await answerTo(running, 2);
  expect(done.result.structuredContent).toMatchObject({ Successful: true });
  expect(await state(7)).toBe('Active');
  // The person at the client decided, not the assistant that called.
  const since = await call(3, 'events_since', { Since: '1h', Only: 'actions' });
  const { username } = userInfo();
  expect(since.result.structuredContent.Actions).toMatchObject([
    {
      AskedBy: `local:${username} (an assistant of ${username})`,
      DecidedBy: `local:${username} (the user of raw)`,
      DecidedVia: 'client',
    },
  ]);
});

it.each([
  ['says no', { action: 'accept', content: { confirm: false } }, 'declined'],
  ['has a text for its content', { action: 'accept', content: 'yes' }, 'pending'],
])('sends nothing on an answer that %s', async (_name, answer, end) => {
  const { id } = await asked();
  running.write({ jsonrpc: '2.0', id, result: answer });
  const { result } = await answerTo(running, 2);
  const error = result._meta?.['switchboard/error'];
  expect(error?.reason ?? result.structuredContent.confirmation.status).toBe(end);
  expect(await state(7)).toBe('Cancelled - Pending Delete');
});

it('runs on a sandbox of its own where no platform is set, and says so', async () => {
  running = startCli(['mcp'], folder);
  await running.said(/Demo mode/);
  const { result } = await request(running, initialize());
  expect(result.instructions).toMatch(/^Demo: .*Nothing real is touched\./);
  const got = await call(2, 'numbers_get', { PhoneNumber: seeded(1) });
  expect(got.result.structuredContent).toMatchObject({ Number: seeded(1) });
  expect(await running.stop()).toBe(0);
});
