import { createServer, type IncomingMessage } from 'node:http';
import { crc32, inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/lib/config.ts';
import { fromLoopback, fromOtherOrigin } from '../../src/lib/http.ts';
import { Proxies } from '../../src/lib/proxies.ts';
import { qrLines, qrModules, qrPng, qrSvg } from '../../src/lib/qr.ts';
import { settingSecrets } from '../../src/lib/settings.ts';
import { listen } from '../support/ending.ts';
import { rawStatus } from '../support/raw-status.ts';

const server = createServer((incoming, response) => response.writeHead(fromLoopback(incoming) ? 200 : 403).end());
const url = await listen(server);

it('takes a direct caller for one at this computer', async () => {
  expect(await rawStatus(url, {})).toBe(200);
});

it.each<[Record<string, string>]>([
  [{ 'x-forwarded-for': '203.0.113.9' }],
  [{ forwarded: 'for=203.0.113.9' }],
  [{ via: '1.1 proxy' }],
  [{ host: 'sb.example.com' }],
])('does not take what a proxy on this computer passed on for one: %j', async (headers) => {
  expect(await rawStatus(url, headers)).toBe(403);
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

const BOTH = { HTTPS_PROXY: 'http://secure.test:1', HTTP_PROXY: 'http://plain.test:2' };
const settings = (env: Record<string, string>) => loadConfig({ DATA_DIR: '/tmp/none', ...env });
const via = (env: Record<string, string>, url: string) => new Proxies(settings(env)).of(url);

it.each([
  ['https://api.test/v1', { setting: 'HTTPS_PROXY', url: 'http://secure.test:1' }],
  ['wss://api.test', { setting: 'HTTPS_PROXY', url: 'http://secure.test:1' }],
  ['http://model.test', { setting: 'HTTP_PROXY', url: 'http://plain.test:2' }],
  ['http://localhost:3901', undefined],
  ['https://127.8.0.1', undefined],
  ['http://[::1]:80', undefined],
])('%s goes through %j', (url, proxy) => {
  expect(via(BOTH, url)).toEqual(proxy);
});

it.each([
  ['api.test', ['https://api.test', 'https://v2.api.test', 'https://API.test.'], ['https://myapi.test']],
  ['.api.test', ['https://api.test', 'https://v2.api.test'], ['https://test']],
  ['*.api.test', ['https://v2.api.test'], ['https://test']],
  ['api.test:8443', ['https://api.test:8443'], ['https://api.test']],
  ['api.test:443', ['https://api.test'], ['https://api.test:8443']],
  ['10.0.0.0/8', ['https://10.1.2.3'], ['https://11.1.2.3', 'https://api.test']],
  ['192.0.2.7', ['https://192.0.2.7:1'], ['https://192.0.2.8']],
  ['fd00::/8', ['https://[fd00::7]'], ['https://[2001:db8::1]']],
  ['one.test other.test,third.test', ['https://one.test', 'https://other.test', 'https://third.test'], []],
  ['*', ['https://api.test', 'https://192.0.2.7'], []],
  ['10.0.0.0/64', [], ['https://10.0.0.1']],
])('NO_PROXY=%s leaves out what it names, and nothing else', (NO_PROXY, direct, through) => {
  for (const url of direct) expect([url, via({ ...BOTH, NO_PROXY }, url)]).toEqual([url, undefined]);
  for (const url of through) expect([url, via({ ...BOTH, NO_PROXY }, url)?.setting]).toEqual([url, 'HTTPS_PROXY']);
});

it('reads either case, that in lower case first, and a proxy without a scheme', () => {
  for (const [env, setting, url] of [
    [{ https_proxy: 'low.test:8080', HTTPS_PROXY: 'http://up.test' }, 'HTTPS_PROXY', 'http://low.test:8080'],
    [{ HTTP_PROXY: 'https://only.test' }, 'HTTP_PROXY', 'https://only.test'],
  ] as const)
    expect(via(env, 'https://api.test')).toEqual({ setting, url });
  expect(via({ HTTPS_PROXY: 'http://a.test', no_proxy: 'api.test' }, 'https://api.test')).toBeUndefined();
  expect(settings({ https_proxy: 'http://a.test', no_proxy: 'b' }).unknownSettings).toEqual([]);
});

it.each(['nonsense', 'socks5://proxy.test:1080', 'http://', 'http://user:hunter2@proxy.test/path', 'ftp://proxy.test'])(
  'stops the start with a reason that does not show the value: %s',
  (HTTPS_PROXY) => {
    expect(() => settings({ HTTPS_PROXY })).toThrow(/^HTTPS_PROXY must be http:\/\/host:port or https:\/\/host:port/);
    expect(() => settings({ HTTPS_PROXY })).not.toThrow(/hunter2/);
  },
);

it('holds the password as a secret, and shows an address without it', () => {
  const config = settings({ HTTPS_PROXY: 'http://ann:p%40ss@proxy.test:8080' });
  expect(settingSecrets(config)).toEqual(expect.arrayContaining(['p%40ss', 'p@ss']));
  expect(new Proxies(config).of('https://api.test')?.url).toBe('http://proxy.test:8080');
});

const CODE = 'LPA:1$smdp.example.com$K7Q2-9X4P-ABCD';

/** The pixels of a PNG of eight bits per pixel; true is dark. Checks the sum of every chunk. */
function pixels(png: Buffer): boolean[][] {
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const body = png.subarray(at + 4, at + 8 + length);
    expect(png.readUInt32BE(at + 8 + length)).toBe(crc32(body));
    chunks.set(body.toString('latin1', 0, 4), body.subarray(4));
    at += 12 + length;
  }
  const header = chunks.get('IHDR') ?? Buffer.alloc(13);
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const data = inflateSync(chunks.get('IDAT') ?? Buffer.alloc(0));
  return Array.from({ length: height }, (_row, y) =>
    Array.from({ length: width }, (_pixel, x) => data[y * (1 + width) + 1 + x] === 0),
  );
}

/** The modules that lines of half blocks draw. */
function drawn(lines: readonly string[]): boolean[][] {
  return lines.flatMap((line) => [
    [...line].map((character) => '█▀'.includes(character)),
    [...line].map((character) => '█▄'.includes(character)),
  ]);
}

describe('a QR code', () => {
  const modules = qrModules(CODE) ?? [];

  it('is the same in a PNG, at any scale', () => {
    for (const scale of [1, 3]) {
      const image = pixels(qrPng(CODE, scale) ?? Buffer.alloc(0));
      expect(image).toHaveLength(modules.length * scale);
      expect(modules.map((row, y) => row.map((_, x) => image[y * scale]?.[x * scale + scale - 1]))).toEqual(modules);
    }
  });

  it('is the same in text, drawn in dark or in light', () => {
    // The last line may have a lower half in which nothing is drawn.
    expect(drawn(qrLines(CODE, 'dark') ?? []).slice(0, modules.length)).toEqual(modules);
    const light = modules.map((row) => row.map((isDark) => !isDark));
    expect(drawn(qrLines(CODE, 'light') ?? []).slice(0, modules.length)).toEqual(light);
  });

  it('is not made of a text that no code holds', () => {
    for (const text of ['', 'x'.repeat(2_332)])
      expect([qrModules(text), qrLines(text, 'dark'), qrSvg(text), qrPng(text)]).toEqual(Array(4).fill(undefined));
    expect(qrModules('x'.repeat(2_331))).toBeDefined();
  });
});
