// Processor time of whole processes at the terminal, as ratios of bare Node: npm run bench
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'switchboard-bench-'));
const ROUNDS = Number(process.argv[2] ?? 15);
/** The shell's own measure covers a whole process, with its start and its end. */
const MEASURE = 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>/dev/null';

const sandbox = spawn(process.execPath, [cli, 'sandbox', '--port', '0'], { stdio: ['ignore', 'pipe', 'ignore'] });
const url = await new Promise((resolve) => sandbox.stdout.once('data', (text) => resolve(String(text).trim())));
const faster = await fetch(`${url}/sandbox/settings`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '{"requestsPerMinute":10000000}',
});
await faster.body?.cancel();
const platform = {
  PLATFORM_BASE_URL: url,
  PLATFORM_ACCOUNT_KEY: 'DID-sandbox',
  PLATFORM_ACCOUNT_SECRET: 'sandbox-secret',
  PLATFORM_REQUESTS_PER_MINUTE: '100000',
};

const CASES = [
  { name: 'bare Node', args: ['-e', '0'] },
  { name: 'version', args: [cli, 'version'] },
  { name: 'call --help', args: [cli, 'call', '--help'] },
  { name: 'a lookup', args: [cli, 'number', '+12015550101'], env: platform, goal: '3' },
  { name: 'a lookup in the demo', args: [cli, 'number', '+12015550101'], goal: '5' },
];

function measure({ args, env = {}, name }) {
  const { stderr } = spawnSync('bash', ['-c', MEASURE, 'time', process.execPath, ...args], {
    cwd: folder,
    // The first round stores compiled code, as the first start of a user does.
    env: { ...process.env, LC_ALL: 'C', DATA_DIR: join(folder, name), XDG_CACHE_HOME: folder, ...env },
    encoding: 'utf8',
  });
  const [user = 0, system = 0] = stderr.trim().split(' ').map(Number);
  return (user + system) * 1000;
}

try {
  const found = new Map(CASES.map((one) => [one, []]));
  for (let round = 0; round < ROUNDS; round += 1) for (const [one, list] of found) list.push(measure(one));
  // The least of many runs is disturbed least by other work of the machine.
  const bare = Math.min(...(found.get(CASES[0]) ?? []));
  for (const [{ name, goal }, list] of found) {
    const ms = Math.min(...list);
    const aim = goal === undefined ? '' : ` (goal ${goal})`;
    console.log(`${name}: ${ms.toFixed(0)} ms of processor time, ratio ${(ms / bare).toFixed(2)}${aim}`);
  }
} finally {
  sandbox.kill();
  rmSync(folder, { recursive: true, force: true });
}
