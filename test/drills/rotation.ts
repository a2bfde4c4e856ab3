import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeSchema } from '../support/stores.ts';
import { type Drill, figure, NEW, OLD, openDrill, type Server } from './servers.ts';

/* SEALING_KEY is rotated with two servers on one database, as src/start/README.md says. */

let drill: Drill;
beforeAll(async () => {
  drill = await openDrill();
});
afterAll(() => drill.close());

it('is rotated in three steps, one server after another', async () => {
  const { url: database, drop } = await makeSchema();
  const servers: Server[] = [await drill.start(database, OLD), await drill.start(database, OLD)];
  for (const keys of [`${OLD},${NEW}`, `${NEW},${OLD}`, NEW]) {
    const started = performance.now();
    for (const [at, server] of servers.entries()) {
      expect(await server.running.stop('SIGTERM')).toBe(0);
      servers[at] = await drill.start(database, keys);
    }
    const count = keys.split(',').length;
    figure(`${count} ${count === 1 ? 'key' : 'keys'}: two servers restarted in ${seconds(started)} s`);
    const { out } = await drill.run(['doctor'], database, keys);
    expect(out).toMatch(/^ok {3}sealing key: /m);
  }
  const { code, err } = await drill.run(['call', 'numbers_get', 'Number=+12015550101'], database, OLD);
  expect(code).not.toBe(0);
  expect(err).toContain('SEALING_KEY');
  figure('the old key alone is refused');
  for (const { running } of servers) await running.stop('SIGTERM');
  await drop();
});

const seconds = (started: number) => ((performance.now() - started) / 1000).toFixed(1);
