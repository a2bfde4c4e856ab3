import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fetchDirect } from '../../src/lib/proxies.ts';
import { collectGarbage } from '../support/garbage.ts';

// Sends headers and then nothing, or a redirect.
const server = createServer((request, response) => {
  if (request.url === '/moved') return response.writeHead(302, { location: '/secret' }).end();
  return response.writeHead(200).flushHeaders();
});
let url = '';
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

it('ends a body that never ends when its signal is aborted, also after garbage was collected', async () => {
  const abort = new AbortController();
  const { body } = await fetchDirect(`${url}/hangs`, { signal: abort.signal });
  const read = body?.getReader().read();
  const ended = expect(Promise.race([read, sleep(10_000, 'it hangs', { ref: false })])).rejects.toThrow('stop');
  await collectGarbage();
  abort.abort(new Error('stop'));
  await ended;
});

it('answers with the status of a redirect, and does not follow it', async () => {
  expect((await fetchDirect(`${url}/moved`, { redirect: 'follow' })).status).toBe(302);
});
