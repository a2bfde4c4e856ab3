// One of the processes of budget.ts. It keeps calls waiting for the budget until its stdin ends, then prints its
// report.
import { join } from 'node:path';
import { systemClock } from '../../src/lib/clock.ts';
import { SwitchboardError } from '../../src/lib/errors.ts';
import { createClient } from '../../src/platform/client.ts';
import type { Request } from '../../src/platform/wire.ts';
import { openStore } from '../support/open-store.ts';
import type { ProcessReport, ProcessTask } from './budget.ts';

const PERSON_MS = 5_000;
const ACTORS = 5;

const task = JSON.parse(process.argv[2] ?? '') as ProcessTask;
const log = (level: string, fields: unknown, message: string) => {
  if (level === 'warn' || level === 'error')
    process.stderr.write(`${task.index}: ${message} ${JSON.stringify(fields)}\n`);
};
const store = openStore({
  url: task.url,
  path: join(task.folder, 'switchboard.db'),
  clock: systemClock,
  log,
});
const client = createClient({
  baseUrl: task.platform,
  accountKey: 'key',
  accountSecret: 'secret',
  timeZone: 'UTC',
  requestsPerMinute: task.limit,
  timeoutMs: 10_000,
  clock: systemClock,
  database: store.database('budget'),
  log,
});
const report: ProcessReport = { answered: 0, errors: {}, personMs: [] };
let isOver = false;

async function send(who: Pick<Request, 'priority' | 'actor'>): Promise<void> {
  const deadline = Date.now() + 3_600_000;
  try {
    await client.send({ method: 'GET', path: '/v1.0/thing', input: {}, read: true, resend: true, deadline, ...who });
    report.answered += 1;
  } catch (error) {
    if (isOver) return;
    const code = error instanceof SwitchboardError ? error.face.code : String(error);
    report.errors[code] = (report.errors[code] ?? 0) + 1;
  }
}

async function keepSending(actor: string): Promise<void> {
  const priority = task.load === 'confirmed' ? 'confirmed' : 'assistant';
  while (!isOver) await send({ priority, actor });
}

async function lookUp(): Promise<void> {
  const begun = performance.now();
  await send({ priority: 'person', actor: 'ana' });
  if (!isOver) report.personMs.push(performance.now() - begun);
}

for (let n = 0; n < task.queued; n += 1) void keepSending(`agent-${task.index}-${n % ACTORS}`);
// The processes take turns with the person's lookups.
const begin = Date.now() + PERSON_MS * task.index + PERSON_MS / 2;
const people = setTimeout(() => {
  void lookUp();
  setInterval(() => void lookUp(), PERSON_MS * task.processes).unref();
}, begin - Date.now());

process.stdin.resume();
process.stdin.once('end', () => {
  isOver = true;
  clearTimeout(people);
  void client
    .close()
    .then(() => store.close())
    .then(() => process.stdout.write(JSON.stringify(report), () => process.exit(0)));
});
