import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeSchema } from '../support/stores.ts';
import { ask, type Drill, figure, OLD, openDrill, type Server } from './servers.ts';

/*
 * Two servers are restarted one after another while callers use them. A caller goes to the other server when one says on
 * `/readyz` that it stops, as a load balancer does, and repeats a request once that got no answer.
 */

const CALLERS = 8;
const INITIALIZE = {
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'drill', version: '1' } },
  }),
};
let drill: Drill;
beforeAll(async () => {
  drill = await openDrill();
});
afterAll(() => drill.close());

it('are restarted under load', async () => {
  const { url: database, drop } = await makeSchema();
  const servers: Server[] = [await drill.start(database, OLD), await drill.start(database, OLD)];
  const counts = { answered: 0, repeated: 0, failed: 0 };
  const slowest = { ms: 0 };
  let isOver = false;
  const caller = async (name: number) => {
    for (let at = name; !isOver; at += 1) {
      const started = performance.now();
      const first = await ask(servers[at % 2]?.url ?? '', '/mcp', INITIALIZE);
      const status = first === 200 ? first : await ask(servers[(at + 1) % 2]?.url ?? '', '/mcp', INITIALIZE);
      slowest.ms = Math.max(slowest.ms, performance.now() - started);
      if (first !== 200) counts.repeated += 1;
      if (status === 200) counts.answered += 1;
      else {
        counts.failed += 1;
        figure(`a call failed: ${first}, then ${status}`);
      }
    }
  };
  const load = Promise.all(Array.from({ length: CALLERS }, (_, name) => caller(name)));
  for (const [at, server] of servers.entries()) {
    const started = performance.now();
    expect(await server.running.stop('SIGTERM')).toBe(0);
    const stopped = performance.now();
    servers[at] = await drill.start(database, OLD);
    figure(
      `server ${at + 1}: stopped in ${Math.round(stopped - started)} ms, ready again after ${servers[at]?.readyMs} ms`,
    );
  }
  isOver = true;
  await load;
  figure(
    `${counts.answered} calls answered, ${counts.repeated} of them by the other server, ${counts.failed} failed, slowest ${Math.round(slowest.ms)} ms`,
  );
  expect(counts.failed).toBe(0);
  for (const { running } of servers) await running.stop('SIGTERM');
  await drop();
});
