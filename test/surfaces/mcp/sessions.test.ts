import { expect, it } from 'vitest';
import { callOf, initialize, openSession, rpc } from '../../support/messages.ts';
import { seeded } from '../../support/seed.ts';
import { openWorld, postMcp } from '../../support/world.ts';

const world = await openWorld();

const post = (message: object, headers?: Record<string, string>) => postMcp(world.url, message, headers);
const open = () => openSession(world.url, initialize({}, '2025-11-25'));
const lookup = (id: number) => callOf('numbers_get', { PhoneNumber: seeded(1) }, id);

const stream = (session: Record<string, string>, accept = 'text/event-stream') =>
  fetch(`${world.url}/mcp`, { headers: { accept, ...session } });
it('replaces the stream of a session by a new one, as often as a client reconnects', async () => {
  const session = await open();
  const streams: Response[] = [];
  // More than the 50 streams that one identity may have.
  for (let at = 0; at < 60; at += 1) streams.push(await stream(session));
  expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
  const last = streams.pop();
  for (const replaced of streams) expect(await replaced.text()).toBe('');
  const uri = `switchboard://numbers/${seeded(6)}`;
  await (await post(rpc('resources/subscribe', { uri }, 2), session)).text();
  world.runtime.changes.announce(uri);
  const reader = last?.body?.getReader();
  const chunk = await reader?.read();
  expect(new TextDecoder().decode(chunk?.value)).toContain(uri);
  await reader?.cancel();
});

it('closes the connection of a request that its client cancelled', async () => {
  const session = await open();
  await world.control('faults', { path: '/v1.0/numbers', times: 1, hangMs: 600_000 });
  const called = await post(lookup(5), session);
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } };
  const cancelled = await post(cancel, session);
  expect(cancelled.status).toBe(202);
  expect(await called.text()).toBe('');
});
