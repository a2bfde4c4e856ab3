// The budget over four processes against a platform that counts every request, as a table. Run by budget.mjs.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startPostgres } from '../support/postgres.ts';

export interface ProcessTask {
  index: number;
  processes: number;
  platform: string;
  /** DATABASE_URL; undefined: SQLite files in `folder`. */
  url: string | undefined;
  folder: string;
  limit: number;
  /** Calls that wait all the time. */
  queued: number;
  load: string;
}

export interface ProcessReport {
  answered: number;
  errors: Record<string, number>;
  /** Duration of each lookup by a person. */
  personMs: number[];
}

const PROCESSES = 4;
const QUEUED = 500;
const LIMIT = 120;
/** The places that assistants may use of 120. */
const FOR_ASSISTANTS = 100;
const MINUTE_MS = 60_000;
const DEFAULT_SECONDS = 65;

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'sqlite' },
    minutes: { type: 'string' },
    load: { type: 'string', default: 'mixed' },
  },
});
const seconds = values.minutes === undefined ? DEFAULT_SECONDS : Number(values.minutes) * 60;

/** When each request arrived, by the monotonic clock. */
const arrivals: number[] = [];
let refused = 0;
const platform = createServer((request, response) => {
  const now = performance.now();
  arrivals.push(now);
  const inMinute = arrivals.slice(-LIMIT - 1).filter((at) => at > now - MINUTE_MS).length;
  request.resume();
  if (inMinute > LIMIT) {
    refused += 1;
    response.writeHead(429, { 'retry-after': '1' }).end();
    return;
  }
  const expiry = new Date(Date.now() + 3_600_000).toLocaleString('en-US', { timeZone: 'UTC', hour12: true });
  const [date = '', time = ''] = expiry.split(', ');
  const isToken = request.url?.endsWith('/oauth2/tokens') ?? false;
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(isToken ? { token: 'token', tokenExpiry: `${date} ${time}` } : { ok: true }));
});
await new Promise<void>((resolve) => platform.listen(0, '127.0.0.1', resolve));

const folder = mkdtempSync(join(tmpdir(), 'switchboard-budget-'));
const server = values.engine === 'postgres' ? await startPostgres() : undefined;
const started: { child: ChildProcess; report: Promise<ProcessReport> }[] = [];
const begun = performance.now();
for (let index = 0; index < PROCESSES; index += 1) {
  const task: ProcessTask = {
    index,
    processes: PROCESSES,
    platform: `http://127.0.0.1:${(platform.address() as AddressInfo).port}`,
    url: server?.url,
    folder,
    limit: LIMIT,
    queued: QUEUED / PROCESSES,
    load: values.load,
  };
  const program = fileURLToPath(new URL('budget-process.mjs', import.meta.url));
  const child = spawn(process.execPath, [program, JSON.stringify(task)], { stdio: ['pipe', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk;
  });
  const report = new Promise<ProcessReport>((resolve) =>
    child.once('close', () => resolve(JSON.parse(text) as ProcessReport)),
  );
  started.push({ child, report });
}
await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
for (const { child } of started) child.stdin?.end();
const ended = performance.now();
const reports = await Promise.all(started.map(({ report }) => report));
platform.close();
server?.remove();
rmSync(folder, { recursive: true, force: true });

/** Requests in the 60 seconds up to and including a moment. */
function inMinuteUpTo(moment: number): number {
  return arrivals.filter((at) => at > moment - MINUTE_MS && at <= moment).length;
}

const within = arrivals.filter((at) => at <= ended);
const first = within[0] ?? begun;
const counts: number[] = [];
for (let at = first + MINUTE_MS; at <= ended; at += 100) counts.push(inMinuteUpTo(at));
const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
const people = reports.flatMap(({ personMs }) => personMs).sort((a, b) => a - b);
const errors = reports.map((report) =>
  Object.entries(report.errors)
    .map(([code, n]) => `${code} ${n}`)
    .join(' '),
);
const ms = (value: number | undefined) => (value === undefined ? 'none' : `${value.toFixed(0)} ms`);
const rows: [string, string][] = [
  ['engine, processes, seconds', `${values.engine}, ${PROCESSES}, ${seconds}`],
  [
    'load',
    values.load === 'confirmed'
      ? '500 queued confirmed calls, a person every 5 s'
      : '500 queued assistant calls, a person every 5 s',
  ],
  ['requests', `${within.length}, by process ${reports.map(({ answered }) => answered).join(' ')}`],
  ['largest 60 s window', `${Math.max(...within.map(inMinuteUpTo))} of ${LIMIT}`],
  [
    'mean 60 s window',
    `${mean.toFixed(1)}: ${((mean / LIMIT) * 100).toFixed(1)} % of ${LIMIT}, ${((mean / FOR_ASSISTANTS) * 100).toFixed(1)} % of what assistants may use`,
  ],
  ['429s', String(refused)],
  [
    'a person waits',
    `${people.length} lookups, median ${ms(people[Math.floor(people.length / 2)])}, longest ${ms(people.at(-1))}`,
  ],
  ['errors', errors.join(' ').trim() || 'none'],
];
for (const [name, value] of rows) console.log(`${name.padEnd(28)} ${value}`);
