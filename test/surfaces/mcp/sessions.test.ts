import { expect, it } from 'vitest';
import { seeded } from '../../support/seed.ts';
import { type Json, openWorld, postMcp, until } from '../../support/world.ts';

const world = await openWorld();

const post = (message: Json, headers?: Record<string, string>) =>
  postMcp(world.url, { jsonrpc: '2.0', ...message }, headers);
const INITIALIZE = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};
const lookup = { method: 'tools/call', params: { name: 'numbers_get', arguments: { PhoneNumber: seeded(1) } } };

/** The headers of a new session. */
async function open(headers: Record<string, string> = {}): Promise<Record<string, string>> {
  const opened = await post(INITIALIZE, headers);
  expect(opened.status).toBe(200);
  await opened.text();
  return { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
}

const stream = (session: Record<string, string>, accept = 'text/event-stream') =>
  fetch(`${world.url}/mcp`, { headers: { accept, ...session } });
const message = async (answer: Response): Promise<Json> => {
  const text = await answer.text();
  return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
};

it('replaces the stream of a session by a new one, as often as a client reconnects', async () => {
  const session = await open();
  const streams: Response[] = [];
  // More than the 50 streams that one identity may have.
  for (let at = 0; at < 60; at += 1) streams.push(await stream(session));
  expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
  const last = streams.pop();
  for (const replaced of streams) expect(await replaced.text()).toBe('');
  const uri = `switchboard://numbers/${seeded(6)}`;
  await (await post({ id: 2, method: 'resources/subscribe', params: { uri } }, session)).text();
  world.runtime.changes.announce(uri);
  const reader = last?.body?.getReader();
  const chunk = await reader?.read();
  expect(new TextDecoder().decode(chunk?.value)).toContain(uri);
  await reader?.cancel();
});

it('closes the connection of a request that its client cancelled', async () => {
  const session = await open();
  await world.control('faults', { path: '/v1.0/numbers', times: 1, hangMs: 600_000 });
  const called = await post({ id: 5, ...lookup }, session);
  const cancelled = await post({ method: 'notifications/cancelled', params: { requestId: 5 } }, session);
  expect(cancelled.status).toBe(202);
  expect(await called.text()).toBe('');
});

it('answers a call with an error that says so if the process stops before the platform answers', async () => {
  await world.control('faults', { path: '/v1.0/numbers', times: 1, hangMs: 600_000 });
  const before = (await world.requests()).length;
  const answering = post({ id: 7, ...lookup });
  await until(async () => (await world.requests()).length > before);
  world.stop('all');
  const { result } = await message(await answering);
  expect(result._meta['switchboard/error']).toMatchObject({ code: 'unavailable', outcome: 'not_done' });
});
