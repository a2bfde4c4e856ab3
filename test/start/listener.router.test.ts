import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/lib/clock.ts';
import { createAttempts, createBearers, sendJson } from '../../src/lib/http.ts';
import { createRouter } from '../../src/start/listener.ts';
import { type Access, READ, type RequestHandler, type Surface } from '../../src/start/surface.ts';
import { listen } from '../support/ending.ts';

async function serve(surfaces: readonly Surface[], config: { public: boolean } = { public: false }) {
  const logged: string[] = [];
  const log = (_level: string, _fields: unknown, message: string) => void logged.push(message);
  const router = createRouter({
    config,
    surfaces,
    hosts: [],
    bearers: createBearers(
      { ...config, MCP_HTTP_TOKENS: [{ name: 'vera', role: 'viewer', token: 'token-of-vera' }] },
      createAttempts(systemClock, log),
    ),
    log,
  });
  const server = createServer((request, response) => void router.handle(request, response));
  const url = await listen(server);
  const status = async (path: string, headers: Record<string, string> = {}) =>
    (await fetch(url + path, { headers, redirect: 'manual' })).status;
  return { url, status, logged };
}

function surface(access: Access, path: string): Surface {
  const handle: RequestHandler = (_request, response) => sendJson(response, 200, {});
  return { name: path, routes: [{ path, below: true, access, handle }] };
}

const FOREIGN = { origin: 'https://attacker.example' };

describe('the router', () => {
  it('applies the access of each route', async () => {
    const { status } = await serve([
      surface('open', '/teams'),
      surface('local', '/mcp'),
      surface('demo', '/playground'),
      surface('observer', '/metrics'),
    ]);
    expect(await status('/teams', FOREIGN)).toBe(200);
    expect(await status('/mcp', FOREIGN)).toBe(403);
    expect([await status('/mcp'), await status('/mcp/')]).toEqual([200, 200]);
    expect(await status('/playground', FOREIGN)).toBe(403);
    expect(await status('/playground', { 'x-forwarded-for': '203.0.113.9' })).toBe(403);
    expect(await status('/playground/page')).toBe(200);
    expect(await status('/metrics')).toBe(401);
    expect(await status('/metrics', { authorization: 'Bearer token-of-vera' })).toBe(200);
  });

  it('refuses the demo to everybody behind a public address', async () => {
    const { status } = await serve([surface('demo', '/sandbox')], { public: true });
    expect(await status('/sandbox/state')).toBe(403);
  });

  it('matches what is below a path only where the route says so, and refuses other methods', async () => {
    const handle: RequestHandler = (_request, response) => sendJson(response, 200, {});
    const { url, status } = await serve([
      { name: 'one', routes: [{ path: '/one', access: 'open', methods: READ, handle }] },
    ]);
    expect([await status('/one'), await status('/one/more')]).toEqual([200, 404]);
    const answer = await fetch(`${url}/one`, { method: 'POST', body: 'x' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('answers 500 and logs when a surface fails', async () => {
    const fails = { path: '/fails', access: 'open' as const, handle: () => Promise.reject(new Error('broken')) };
    const { status, logged } = await serve([{ name: 'fails', routes: [fails] }]);
    expect(await status('/fails')).toBe(500);
    expect(logged).toEqual(['a request failed']);
  });
});
