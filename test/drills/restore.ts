import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PostgresServer, postgresPrograms, startPostgres } from '../support/postgres.ts';
import { type Drill, figure, OLD, openDrill } from './servers.ts';

/* A dump of the database is restored into an empty one, and a server goes on with it. */

const CHANGES = 5;
let drill: Drill;
let postgres: PostgresServer;
beforeAll(async () => {
  drill = await openDrill();
  postgres = await startPostgres();
});
afterAll(async () => {
  await drill.close();
  postgres.remove();
});

it('goes on with all actions after a restore', async () => {
  const [first, second] = [await postgres.database(), await postgres.database()];
  const bin = postgresPrograms() ?? '';
  for (let at = 0; at < CHANGES; at += 1) {
    const args = ['call', 'subscribers_update', 'SubscriberId=TSUID-00000000-0000-4000-8000-000000000001'];
    const { code, err } = await drill.run([...args, `Name=Ava ${at}`, '--yes'], first, OLD);
    expect([code, err]).toEqual([0, expect.anything()]);
  }
  const before = await drill.run(['audit'], first, OLD);
  const started = performance.now();
  const dump = execFileSync(join(bin, 'pg_dump'), ['--no-owner', first]);
  const dumped = performance.now();
  execFileSync(join(bin, 'psql'), ['-q', '-v', 'ON_ERROR_STOP=1', second], {
    input: dump,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const restored = performance.now();
  const server = await drill.start(second, OLD);
  figure(
    `dump of ${dump.length} bytes in ${Math.round(dumped - started)} ms, restored in ${Math.round(restored - dumped)} ms, ready after ${server.readyMs} ms`,
  );
  const after = await drill.run(['audit'], second, OLD);
  expect(after.out).toBe(before.out);
  figure(`${before.out.trim().split('\n').length} lines of the audit trail, the same as before`);
  await server.running.stop('SIGTERM');
});
