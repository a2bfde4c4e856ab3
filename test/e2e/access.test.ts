import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '../support/process.ts';
import { rawStatus } from '../support/raw-status.ts';

const TOKENS = 'ana:approver:token-of-ana,vera:viewer:token-of-vera';

/** `switchboard start` with these settings, in demo mode, and its address on loopback. */
function started(env: Record<string, string>) {
  const made = { url: '' };
  beforeAll(async () => {
    const { running, url } = await startServer(env);
    await running.said(/MCP: http/);
    made.url = url;
  });
  return made;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const FORWARDED = [
  { 'x-forwarded-for': '203.0.113.9' },
  { 'x-forwarded-proto': 'https' },
  { forwarded: 'for=203.0.113.9' },
  { 'x-real-ip': '203.0.113.9' },
  { via: '1.1 proxy' },
];
const OTHER_PAGES = [
  { origin: 'https://evil.example' },
  { origin: 'http://localhost:5173' },
  { origin: 'null' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
];

describe('on this computer alone', () => {
  const history = started({});
  const status = (path: string, headers: Record<string, string> = {}, body?: string) =>
    rawStatus(`${history.url}${path}`, headers, body);

  it('is not taken in by what a proxy forwards', async () => {
    for (const headers of FORWARDED)
      for (const path of ['/readyz', '/metrics', '/mcp', '/playground', '/playground/app.js', '/sandbox/state'])
        expect([path, headers, await status(path, headers)]).toEqual([path, headers, 403]);
    expect(await status('/healthz', FORWARDED[0])).toBe(200);
  });

  it('keeps the demo from every page but its own', async () => {
    const paths = [
      '/playground',
      '/playground/app.js',
      '/playground/state',
      '/playground/do',
      '/playground/slack/api/auth.test',
      '/playground/slack/api/chat.postMessage',
      '/playground/slack/response/x',
      '/sandbox/state',
      '/sandbox/reset',
    ];
    for (const headers of OTHER_PAGES)
      for (const path of paths)
        for (const body of [undefined, '{}'])
          expect([path, headers, await status(path, headers, body)]).toEqual([path, headers, 403]);
    const { host } = new URL(history.url);
    expect(await status('/sandbox/state', { origin: `http://${host}`, 'sec-fetch-site': 'same-origin' })).toBe(200);
    expect(await status('/playground', { 'sec-fetch-site': 'none' })).toBe(200);
  });

  it('refuses a rebound name on every path of the demo', async () => {
    for (const path of ['/playground', '/playground/slack/api/auth.test', '/sandbox/state', '/mcp', '/readyz'])
      expect([path, await status(path, { host: 'rebound.example' })]).toEqual([path, 403]);
  });

  it('refuses an upgrade that a foreign page or a proxy asks for', async () => {
    for (const headers of [...OTHER_PAGES, ...FORWARDED, { host: 'rebound.example' }])
      expect([headers, await upgrade(history.url, '/playground/slack/socket?ticket=x', headers)]).toEqual([
        headers,
        '',
      ]);
    // From here it is looked at, and refused because its ticket was never given out.
    expect(await upgrade(history.url, '/playground/slack/socket?ticket=x', {})).toContain('404');
  });

  it('takes deliveries by POST from programs, until credentials exist', async () => {
    const json = { 'content-type': 'application/json' };
    for (const path of ['/events/platform', '/events/messages', '/events/message-status', '/events/voice']) {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const answer = await fetch(`${history.url}${path}?From=1&Body=x`, { method });
        expect([path, method, answer.status, answer.headers.get('allow')]).toEqual([path, method, 405, 'POST']);
      }
      for (const headers of [...OTHER_PAGES, ...FORWARDED])
        expect([path, headers, await status(path, { ...json, ...headers }, '{}')]).toEqual([path, headers, 401]);
      // The demo has registered itself, so its sandbox has credentials. Others need none here, but none that are wrong.
      expect([path, await status(path, { ...json, authorization: 'Bearer wrong' }, '{}')]).toEqual([path, 401]);
      expect([path, await status(path, json, '{')]).toEqual([path, 400]);
    }
  });
});

describe('with tokens', () => {
  const history = started({ MCP_HTTP_TOKENS: TOKENS });
  it('asks for any valid one at /readyz and /metrics', async () => {
    for (const path of ['/readyz', '/metrics']) {
      const ask = (headers: Record<string, string>) => rawStatus(`${history.url}${path}`, headers);
      expect([path, await ask({})]).toEqual([path, 401]);
      expect([path, await ask(bearer('wrong-token'))]).toEqual([path, 401]);
      expect([path, await ask(bearer('token-of-vera'))]).toEqual([path, 200]);
      expect([path, await ask({ ...bearer('token-of-vera'), ...FORWARDED[0] })]).toEqual([path, 200]);
    }
    expect(await rawStatus(`${history.url}/healthz`, {})).toBe(200);
  });
});

/** Returns the answer to a request written by hand, read until the connection ends or stays silent for a while. */
function raw(url: string, line: string, headers: Record<string, string>): Promise<string> {
  const { hostname, port, host } = new URL(url);
  return new Promise((resolve, reject) => {
    let said = '';
    const socket = connect(Number(port), hostname, () => {
      const all = { host, ...headers };
      const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
      socket.write(`${[line, ...lines].join('\r\n')}\r\n\r\n`);
    });
    socket.setTimeout(5_000, () => socket.destroy());
    socket.on('data', (chunk) => {
      said += String(chunk);
      if (said.includes('\r\n\r\n')) socket.end();
    });
    socket.on('close', () => resolve(said));
    socket.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNRESET' ? resolve(said) : reject(error)));
  });
}

const upgrade = (url: string, path: string, headers: Record<string, string>) =>
  raw(url, `GET ${path} HTTP/1.1`, {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
  });
