import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { foreign, fromLoopback } from '../../../src/lib/http.ts';

let port: number;
const server = createServer((incoming, response) => {
  response.end(
    JSON.stringify({ local: fromLoopback(incoming), foreign: foreign(incoming, { hosts: ['sb.example.com'] }) }),
  );
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => server.close());

function seen(headers: Record<string, string>): Promise<{ local: boolean; foreign?: string }> {
  return new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', headers }, (response) => {
      response.setEncoding('utf8');
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve(JSON.parse(text)));
    })
      .on('error', reject)
      .end();
  });
}

it('takes a direct caller for one at this computer', async () => {
  expect(await seen({})).toEqual({ local: true });
});

it.each([
  [{ 'x-forwarded-for': '203.0.113.9' }],
  [{ forwarded: 'for=203.0.113.9' }],
  [{ via: '1.1 proxy' }],
  [{ host: 'sb.example.com' }],
])('does not take what a proxy on this computer passed on for one: %j', async (headers) => {
  expect((await seen(headers)).local).toBe(false);
});

it('refuses names and pages that are not ours', async () => {
  expect((await seen({ host: 'evil.example' })).foreign).toBe('Host');
  expect((await seen({ origin: 'https://evil.example' })).foreign).toBe('Origin');
  expect((await seen({ host: 'sb.example.com', origin: 'https://sb.example.com' })).foreign).toBeUndefined();
});
