import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { Sandbox } from '../../../src/demo/sandbox/index.ts';
import { makeFolder } from '../../support/folder.ts';
import { controlSandbox, onSandbox, openSandbox } from '../../support/on-sandbox.ts';
import { type Running, startCli } from '../../support/process.ts';
import { A1, confirm, type Json, seeded, signIn, value } from '../../support/world.ts';
import { second, type Wants } from './clients.ts';

/* Two processes of one installation, and a client of 2026-07-28 whose requests go to each in turn. */

const REACTIVATE = { PhoneNumber: seeded(7), AccountId: A1 };
const PATH = '/v1.0/numbers/reactivate';

let sandbox: Sandbox;
const folder = makeFolder();
const servers: Running[] = [];
const urls: string[] = [];
const asked: string[] = [];

beforeAll(async () => {
  sandbox = await openSandbox();
  for (const _ of [1, 2]) {
    const server = startCli(['start'], folder, {
      ...onSandbox(sandbox.url),
      PLATFORM_REQUESTS_PER_MINUTE: '100000',
      PORT: '0',
      MCP_HTTP_TOKENS: 'ana:approver:token-of-ana',
    });
    servers.push(server);
    urls.push((await server.said(/listens on (http:\/\/127\.0\.0\.1:\d+)/))[1] ?? '');
  }
});

const control = (path: string, body?: object): Promise<Json> => controlSandbox(sandbox.url, path, body);
const sent = async () =>
  (await control('requests')).filter(({ path, status }: Json) => path === PATH && status !== 401).length;

beforeEach(async () => {
  asked.length = 0;
  await control('reset', {});
});

/** Sends each request to the next process. */
const inTurn: typeof globalThis.fetch = (_input, init) => {
  const to = urls[asked.length % urls.length] ?? '';
  asked.push(to);
  return fetch(new URL('/mcp', to), init);
};
const connect = (wants: Wants) =>
  second({ pin: '2026-07-28' }, inTurn)({ kind: 'http', url: urls[0] ?? '', token: 'token-of-ana' }, wants);

it('runs what was asked for in one process and accepted in the other', async () => {
  const client = await connect({ elicitation: { form: {} }, person: async () => 'accept' });
  try {
    expect(value(await client.call('numbers_reactivate', REACTIVATE))).toMatchObject({ Successful: true });
  } finally {
    await client.close();
  }
  expect(new Set(asked).size).toBe(2);
  expect(await sent()).toBe(1);
});

it.each([0, 1])('tells the result of what was confirmed on the page of process %i', async (at) => {
  const client = await connect({
    elicitation: { url: {} },
    person: async ({ url }) => {
      const page = new URL(new URL(url ?? '').pathname, urls[at]).href;
      await signIn(page, 'token-of-ana');
      await confirm(page);
      return 'accept';
    },
  });
  try {
    expect(value(await client.call('numbers_reactivate', REACTIVATE))).toMatchObject({ Successful: true });
  } finally {
    await client.close();
  }
  expect(await sent()).toBe(1);
});
