import type { IncomingMessage } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { foreign } from '../../../src/lib/http.ts';
import { initialize, openSession, rpc } from '../../support/messages.ts';
import { seeded } from '../../support/seed.ts';
import { type Json, openWorld, postMcp, until, type World } from '../../support/world.ts';

const TOKENS =
  'ana:approver:token-of-ana,opa:operator:token-of-opa,otto:operator:token-of-otto,vera:viewer:token-of-vera';

const post = ({ url }: World, message: unknown, headers?: Record<string, string>) => postMcp(url, message, headers);
/** The answer of `/mcp`, which must be JSON. */
const ask = async (world: World, message: unknown): Promise<Json> => (await post(world, message)).json();
const INITIALIZE = initialize();

const world = await openWorld();
const guarded = await openWorld({ MCP_HTTP_TOKENS: TOKENS });

describe('on loopback, without tokens', () => {
  it('is read by pages of accepted origins', async () => {
    const origin = 'http://localhost:6274';
    const preflight = await fetch(`${world.url}/mcp`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-headers': 'content-type,mcp-session-id' },
    });
    expect(preflight.status).toBe(204);
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'POST, GET, DELETE',
      'access-control-allow-headers': 'content-type,mcp-session-id',
    });
    const opened = await post(world, INITIALIZE, { origin });
    const session = opened.headers.get('mcp-session-id') ?? '';
    await fetch(`${world.url}/mcp`, { method: 'DELETE', headers: { 'mcp-session-id': session } });
    expect([session === '', opened.headers.get('access-control-allow-origin')]).toEqual([false, origin]);
    expect(opened.headers.get('access-control-expose-headers')).toContain('Mcp-Session-Id');
    const other = await fetch(`${world.url}/mcp`, { method: 'OPTIONS', headers: { origin: 'https://evil.example' } });
    expect([other.status, other.headers.get('access-control-allow-origin')]).toEqual([403, null]);
  });

  it('drops what a host adds to the arguments of every call, and says so', async () => {
    const host = { sessionId: 's1', action: 'sendMessage', chatInput: 'look it up', toolCallId: 'c1' };
    const given = { name: 'numbers_get', arguments: { PhoneNumber: seeded(1), ...host } };
    const { result } = await ask(world, rpc('tools/call', given));
    expect(result.structuredContent.Number).toBe(seeded(1));
    expect(result.content.at(-1).text).toBe(
      'Not used, because the client adds it: sessionId, action, chatInput, toolCallId.',
    );
    const unknown = { name: 'numbers_get', arguments: { PhoneNumber: seeded(1), action: 'x' } };
    expect((await ask(world, rpc('tools/call', unknown))).result.isError).toBe(true);
  });

  it('opens a session on initialize and forgets it on DELETE', async () => {
    const opened = await post(world, INITIALIZE);
    const session = opened.headers.get('mcp-session-id') ?? '';
    expect(session).toMatch(/^[\x21-\x7e]{16,}$/);
    await opened.text();
    const headers = { 'mcp-session-id': session, 'mcp-protocol-version': '2025-06-18' };
    expect((await post(world, rpc('tools/list'), headers)).status).toBe(200);
    const closed = await fetch(`${world.url}/mcp`, { method: 'DELETE', headers });
    expect(closed.status).toBe(200);
    const gone = await post(world, rpc('tools/list'), headers);
    expect([gone.status, ((await gone.json()) as Json).error.message]).toEqual([
      404,
      expect.stringContaining('initialize'),
    ]);
  });

  it('keeps nothing of a client that it refuses to initialize', async () => {
    const { changes } = world.runtime;
    let listening = 0;
    const listen = vi.spyOn(changes, 'listen').mockImplementation(() => {
      listening += 1;
      return () => {
        listening -= 1;
      };
    });
    expect((await post(world, INITIALIZE, { accept: 'application/json' })).status).toBe(406);
    expect((await post(world, INITIALIZE, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post(world, [INITIALIZE, { ...INITIALIZE, id: 2 }])).status).toBe(400);
    expect(listen).toHaveBeenCalledTimes(1);
    await until(
      () => listening,
      (left) => left === 0,
    );
    listen.mockRestore();
    expect(world.sessions()).toBe(0);
  });

  it('refuses GET without a session, what is no JSON, and what is too large', async () => {
    const get = await fetch(`${world.url}/mcp`, { headers: { accept: 'text/event-stream' } });
    expect(get.status).toBe(405);
    expect(get.headers.get('allow')).toContain('POST');
    const broken = await post(world, '{"jsonrpc":');
    expect(broken.status).toBe(400);
    expect(await broken.json()).toMatchObject({ error: { code: -32700 } });
    const large = await post(world, JSON.stringify(rpc('tools/list', { pad: 'x'.repeat(1024 * 1024) })));
    expect(large.status).toBe(413);
    // The server goes on serving.
    expect((await post(world, rpc('tools/list'))).status).toBe(200);
    // Over two answers with one id, a client could take the one for the other.
    const twice = await post(world, [rpc('tools/list'), rpc('prompts/list')]);
    expect([twice.status, ((await twice.json()) as Json).error.message]).toEqual([
      400,
      'Two requests have the same id.',
    ]);
    expect((await post(world, [rpc('tools/list'), { ...rpc('prompts/list'), id: 2 }])).status).toBe(200);
  });
});

describe('Host and Origin', () => {
  const request = (host: string | undefined, origin?: string) =>
    ({
      headers: { ...(host === undefined ? {} : { host }), ...(origin === undefined ? {} : { origin }) },
    }) as IncomingMessage;
  it.each([
    ['127.0.0.1:3900', undefined, [], undefined],
    ['localhost:3900', 'http://localhost:5173', [], undefined],
    ['[::1]:3900', undefined, [], undefined],
    ['127.0.0.1:3900', 'https://evil.example', [], 'Origin'],
    ['127.0.0.1:3900', 'null', [], 'Origin'],
    ['127.0.0.1:3900', 'http://127.0.0.1.evil.example', [], 'Origin'],
    ['evil.example', undefined, [], 'Host'],
    ['127.0.0.1.evil.example', undefined, [], 'Host'],
    ['localhost.evil.example', undefined, [], 'Host'],
    ['', undefined, [], 'Host'],
    [undefined, undefined, [], 'Host'],
    ['sb.example.com', 'https://sb.example.com', ['sb.example.com'], undefined],
    ['sb.example.com', 'https://evil.example', ['sb.example.com'], 'Origin'],
  ] as const)('Host %s, Origin %s, allowed %s: %s', (host, origin, hosts, wrong) => {
    expect(foreign(request(host, origin), hosts)).toBe(wrong);
  });
});

describe('with bearer tokens', () => {
  it('wants one', async () => {
    for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: 'Basic dG9rZW4tb2YtYW5h' }]) {
      const answer = await post(guarded, rpc('tools/list'), headers as Record<string, string>);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
      expect(await answer.text()).not.toContain('token-of');
    }
    expect((await fetch(`${guarded.url}/mcp?token=token-of-ana`, { method: 'POST' })).status).toBe(401);
  });

  it('keeps a session to the token that opened it', async () => {
    const session = await openSession(guarded.url, INITIALIZE, { authorization: 'Bearer token-of-opa' });
    const headers = { ...session, 'mcp-protocol-version': '2025-06-18' };
    const as = (token: string) => post(guarded, rpc('tools/list'), { ...headers, authorization: `Bearer ${token}` });
    expect((await as('token-of-otto')).status).toBe(404);
    expect((await as('token-of-ana')).status).toBe(404);
    expect((await as('token-of-opa')).status).toBe(200);
    expect((await post(guarded, rpc('tools/list'), headers)).status).toBe(401);
  });
});
