import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { foreign, fromLoopback, fromOtherOrigin } from '../../src/lib/http.ts';

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

it.each<[Record<string, string>, string | undefined, boolean]>([
  [{ host: '127.0.0.1:3900' }, undefined, false],
  [{ host: '127.0.0.1:3900', origin: 'http://127.0.0.1:3900', 'sec-fetch-site': 'same-origin' }, undefined, false],
  [{ host: '127.0.0.1:3900', origin: 'http://127.0.0.1:9999' }, undefined, true],
  [{ host: '127.0.0.1:3900', origin: 'http://localhost:3900' }, undefined, true],
  [{ host: '127.0.0.1:3900', origin: 'null' }, undefined, true],
  [{ host: '127.0.0.1:3900', 'sec-fetch-site': 'same-site' }, undefined, true],
  [{ host: '127.0.0.1:3900', 'sec-fetch-site': 'cross-site' }, undefined, true],
  // Named by a proxy that adds TLS, without PUBLIC_URL.
  [{ host: 'sb.example.com', origin: 'https://sb.example.com' }, undefined, false],
  [{ host: 'sb.example.com', origin: 'https://sb.example.com' }, 'https://sb.example.com/', false],
  [{ host: 'sb.example.com', origin: 'http://sb.example.com' }, 'https://sb.example.com', true],
  [{ host: 'sb.example.com', origin: 'https://sb.example.com:8443' }, 'https://sb.example.com', true],
  // A proxy that rewrites Host, or drops its port.
  [{ host: '127.0.0.1:3900', origin: 'https://sb.example.com' }, 'https://sb.example.com', false],
  [{ host: 'sb.example.com', origin: 'https://sb.example.com:8443' }, 'https://sb.example.com:8443', false],
  [{ host: 'sb.example.com', origin: 'https://sb.example.com' }, 'https://sb.example.com:8443', true],
  [{ host: '127.0.0.1:3900', origin: 'https://evil.example.com' }, 'https://sb.example.com', true],
  [{ host: '127.0.0.1:3900', origin: 'http://127.0.0.1:3900' }, 'http://127.0.0.1:8080', false],
])('tells a form of another origin from its own: %j with PUBLIC_URL %s', (headers, publicUrl, other) => {
  expect(fromOtherOrigin({ headers } as IncomingMessage, publicUrl)).toBe(other);
});
