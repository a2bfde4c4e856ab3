import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { initialize, rpc } from '../support/messages.ts';
import { openWorld, until } from '../support/world.ts';
import { LISTEN } from './load.ts';

const TOKENS = 'vera:viewer:token-of-vera,otto:operator:token-of-otto';
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

const world = await openWorld({ MCP_HTTP_TOKENS: TOKENS });

describe('a viewer with a token that wants the memory', () => {
  const post = (message: unknown, token = 'token-of-vera', more: Record<string, string> = {}) =>
    fetch(`${world.url}/mcp`, {
      method: 'POST',
      headers: { ...HEADERS, authorization: `Bearer ${token}`, ...more },
      body: JSON.stringify(message),
    });
  const LONG = 'x'.repeat(900_000);
  const longName = { 'io.modelcontextprotocol/clientInfo': { name: LONG, version: '1' } };

  // The first request of its protocol: the others that come at once wait until the adapter is loaded.
  it('counts no stream whose client went away before it was opened', async () => {
    const headers = { ...HEADERS, ...LISTEN.headers, authorization: 'Bearer token-of-vera' };
    const leaving = Array.from({ length: 60 }, () => {
      const sent = request(`${world.url}/mcp`, { method: 'POST', headers, agent: false });
      const closed = new Promise((resolve) => sent.once('error', resolve).once('close', resolve));
      const written = new Promise<void>((resolve) => sent.end(LISTEN.body, resolve));
      return { sent, closed, written };
    });
    await Promise.all(leaving.map(({ written }) => written));
    // Answered after the bodies above were read, without an adapter.
    expect((await fetch(`${world.url}/mcp`, { method: 'DELETE', headers })).status).toBe(405);
    for (const { sent } of leaving) sent.destroy();
    await Promise.all(leaving.map(({ closed }) => closed));
    await until(
      async () => {
        const leave = new AbortController();
        const one = { method: 'POST', headers, body: LISTEN.body, signal: leave.signal };
        const answer = await fetch(`${world.url}/mcp`, one);
        leave.abort();
        return answer.status;
      },
      (status) => status === 200,
    );
  });

  it('holds at most fifty sessions of one identity, and leaves those of others', async () => {
    const other = await post(initialize(), 'token-of-otto');
    const session = other.headers.get('mcp-session-id') ?? '';
    for (let at = 0; at < 60; at += 1) await (await post(initialize())).text();
    expect(world.sessions()).toBe(51);
    const still = await post(rpc('tools/list', {}), 'token-of-otto', { 'mcp-session-id': session });
    expect(still.status).toBe(200);
  });

  it.each([
    ['a long address', rpc('resources/subscribe', { uri: `switchboard://orders/${LONG}` }), 'uri: has more than 500'],
    ['a long id', rpc('tools/list', {}, LONG), 'id: must be an integer, or a string of at most 200'],
    ['a long progress token', rpc('tools/list', { _meta: { progressToken: LONG } }), 'progressToken'],
    ['a long cursor', rpc('tools/list', { cursor: LONG }), 'cursor: was not given by this server'],
    ['a long client name', rpc('tools/call', { name: 'numbers_get', _meta: longName }), '_meta: has more than 16384'],
    ['many messages', Array.from({ length: 60 }, (_, id) => rpc('ping', {}, id)), 'at most 50'],
  ])('refuses %s with the reason', async (_what, message, why) => {
    expect(await (await post(message)).json()).toMatchObject({ error: { message: expect.stringContaining(why) } });
  });
});
