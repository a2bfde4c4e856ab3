import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Inbox } from '../../src/events/inbox.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { PostgresStore } from '../../src/store/postgres.ts';
import { Jobs } from '../../src/work/jobs.ts';
import { sms } from '../events/support.ts';
import { startPostgres } from '../support/postgres.ts';
import { program } from '../support/programs.ts';

const ROUNDS = 5;
const ROUND_S = 2;
const TABLE = `CREATE TABLE bare (id BIGSERIAL PRIMARY KEY, key TEXT NOT NULL UNIQUE, event TEXT NOT NULL)`;
/** One insert a transaction, of as many bytes as a delivery has. */
const INSERT = `INSERT INTO bare (key, event) VALUES (md5(random()::text || clock_timestamp()::text), repeat('x', 400));\n`;

let serial = 0;

/** Deliveries stored in a second, by this many senders that each wait for the answer. */
async function stored(inbox: ReturnType<typeof Inbox>, senders: number): Promise<number> {
  const end = performance.now() + ROUND_S * 1000;
  let count = 0;
  const send = async (): Promise<void> => {
    while (performance.now() < end) {
      serial += 1;
      await inbox.receive(sms(serial, `+1555${String(serial % 10_000).padStart(7, '0')}`));
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: senders }, send));
  return count / ROUND_S;
}

/** Commits in a second, as pgbench counts them. */
function commits(url: string, script: string, senders: number): number {
  const args = ['-n', '-f', script, '-c', String(senders), '-j', '1', '-T', String(ROUND_S), url];
  const text = execFileSync(program('pgbench') ?? 'pgbench', args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return Number(/tps = ([\d.]+) \(without/.exec(text)?.[1] ?? 0);
}

test('deliveries stored in PostgreSQL, beside pgbench with one insert a transaction', async () => {
  const server = await startPostgres();
  const store = new PostgresStore({ url: server.url, clock: systemClock, log: () => undefined });
  const database = store.database('events');
  const jobs = new Jobs({ database, clock: systemClock, owner: 'bench' });
  const inbox = new Inbox({ database, clock: systemClock, jobs });
  const script = join(server.folder, 'insert.sql');
  writeFileSync(script, INSERT);
  try {
    await database.run(TABLE);
    for (const senders of [1, 16, 64]) {
      const ratios: number[] = [];
      const rates: string[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const ours = await stored(inbox, senders);
        const bare = commits(server.url, script, senders);
        ratios.push(ours / bare);
        rates.push(`${ours.toFixed(0)} : ${bare.toFixed(0)}`);
      }
      const sorted = ratios.sort((a, b) => a - b);
      const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
      console.log(`${senders} senders: ratio ${median.toFixed(2)} (goal at 16: 0.80); ${rates.join(', ')} a second`);
      expect(median).toBeGreaterThan(0);
    }
  } finally {
    await inbox.close();
    await store.close();
    server.remove();
  }
});
