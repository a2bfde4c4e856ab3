import { type ChildProcess, spawn } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { bundle } from '../support/bundle.mjs';
import { makeFolder } from '../support/folder.ts';
import { sms, tempInbox, until, worker } from './support.ts';

const ROOT = new URL('../..', import.meta.url).pathname;

/** A process that only receives events. */
const SOURCE = `
import { createServer } from 'node:http';
import { systemClock } from '${ROOT}src/lib/clock.ts';
import { eventsHttp, Inbox } from '${ROOT}src/events/inbox.ts';
import { Jobs } from '${ROOT}src/work/jobs.ts';
import { SqliteStore } from '${ROOT}src/store/sqlite.ts';
const store = new SqliteStore({ path: process.argv[2], clock: systemClock });
const database = store.database('events');
const jobs = new Jobs({ database, clock: systemClock, owner: String(process.pid) });
const inbox = new Inbox({ database, clock: systemClock, jobs });
const handle = eventsHttp({ config: {}, local: true, inbox, clock: systemClock, log: () => undefined });
const server = createServer((request, response) => void handle(request, response, request.url));
server.listen(0, '127.0.0.1', () => process.stdout.write(server.address().port + '\\n'));
`;

async function receiver(path: string) {
  const dir = makeFolder();
  symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'));
  writeFileSync(join(dir, 'child.ts'), SOURCE);
  await bundle(dir, { child: join(dir, 'child.ts') });
  const child: ChildProcess = spawn(process.execPath, [join(dir, 'child.mjs'), path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: string[] = [];
  if (child.stdout) createInterface(child.stdout).on('line', (line) => lines.push(line));
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await until(() => lines.length > 0);
  return {
    url: `http://127.0.0.1:${lines[0]}/events/platform`,
    kill: async () => {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

const post = async (url: string, n: number, from?: string): Promise<number> => {
  try {
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(sms(n, from).fields) });
    return response.status;
  } catch {
    return 0;
  }
};

it('a process that is killed loses nothing it acknowledged: killed under load, then the platform repeats everything', async () => {
  const path = join(makeFolder(), 'switchboard.db');
  const child = await receiver(path);
  const acknowledged = new Set<number>();
  let sent = 0;
  const load = Array.from({ length: 16 }, async () => {
    for (;;) {
      const n = sent++;
      if ((await post(child.url, n)) !== 200) return;
      acknowledged.add(n);
    }
  });
  await until(() => acknowledged.size > 200);
  await child.kill();
  await Promise.all(load);

  const inbox = tempInbox(undefined, path);
  for (let n = 0; n < sent; n += 1) {
    const answer = await inbox.receive(sms(n));
    if (acknowledged.has(n)) expect(answer, `event ${n}`).toBe('repeat');
  }
  const shown: number[] = [];
  const made = worker(
    { inbox, parallel: 32 },
    { message: async ({ messageId }) => void shown.push(Number(messageId.slice(5))) },
  );
  made.start();
  await until(async () => (await inbox.counts()).open === 0);
  expect(shown).toHaveLength(sent);
  expect(new Set(shown).size).toBe(sent);
});
