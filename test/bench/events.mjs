// Deliveries of events, on disk before they are acknowledged, beside a plain server that flushes each body.
// Run after a build: node test/bench/events.mjs
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'undici';

// The rounds are short and many, so that other load on the disk affects all servers alike.
const ROUNDS = 9;
const ROUND_MS = 300;
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
// Beside the sources: the system's folder for temporary files may be memory, where a flush costs nothing.
const folder = mkdtempSync(here('../../node_modules/.bench-'));
const token = randomUUID();
const started = [];
const quantile = (list, q) => [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * q))];
const median = (list) => quantile(list, 0.5);

/** Starts a server; its address is the first one it prints. It rests until its turn comes. */
async function serve(name, args, settings = {}) {
  const child = spawn(process.execPath, args, { cwd: folder, env: settings, stdio: ['ignore', 'pipe', 'pipe'] });
  started.push(child);
  let said = '';
  const url = await new Promise((resolve, reject) => {
    const listen = (chunk) => {
      said += chunk;
      const address = /http:\/\/[\w.]+:\d+/.exec(said)?.[0];
      if (address) resolve(address);
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.once('exit', () => reject(new Error(`${name} ended:\n${said}`)));
  });
  child.kill('SIGSTOP');
  return { name, child, url, acknowledged: 0 };
}

const ours = (name, settings = {}) =>
  serve(name, [here('../../dist/cli.js'), 'start'], {
    DATA_DIR: join(folder, name),
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'error',
    EVENTS_TOKEN: token,
    ...settings,
  });

const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
let sent = 0;

function delivery() {
  sent += 1;
  return JSON.stringify({
    MessageId: `TMID-${randomUUID()}`,
    Direction: 'INBOUND',
    From: `+1555000${String(sent % 1000).padStart(4, '0')}`,
    To: '+12015550101',
    Body: `The parcel ${sent} is at the door; the code for the gate is the usual one.`,
    Cost: 0,
    Status: 'Received',
  });
}

async function deliver(server, client) {
  const at = performance.now();
  const answer = await client.request({ method: 'POST', path: '/events/messages', headers, body: delivery() });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`${server.name} answered ${answer.statusCode}: ${text}`);
  server.acknowledged += 1;
  return performance.now() - at;
}

/** Runs one server's turn. The other servers are stopped, so that their background work does not disturb it. */
async function round(server, connections) {
  server.child.kill('SIGCONT');
  const clients = Array.from({ length: connections }, () => new Client(server.url));
  await Promise.all(clients.map((client) => deliver(server, client)));
  const times = [];
  const start = performance.now();
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() - start < ROUND_MS) times.push(await deliver(server, client));
    }),
  );
  const perSecond = times.length / ((performance.now() - start) / 1000);
  await Promise.all(clients.map((client) => client.close()));
  server.child.kill('SIGSTOP');
  return { perSecond, times };
}

async function compare(connections, [bare, together, ...others]) {
  const servers = [bare, together, ...others];
  for (const server of servers) await round(server, connections);
  const rates = new Map(servers.map((server) => [server, []]));
  const times = new Map(servers.map((server) => [server, []]));
  for (let i = 0; i < ROUNDS; i += 1) {
    for (const server of servers) {
      const one = await round(server, connections);
      rates.get(server).push(one.perSecond);
      times.get(server).push(...one.times);
    }
  }
  const against = (server, other) => {
    const ratios = rates.get(server).map((rate, i) => rate / rates.get(other)[i]);
    return `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`;
  };
  console.log(`${connections} connection${connections === 1 ? '' : 's'}`);
  for (const server of servers) {
    const ack = [0.5, 0.99].map((q) => quantile(times.get(server), q).toFixed(2));
    console.log(
      `  ${server.name.padEnd(22)} ${median(rates.get(server)).toFixed(0).padStart(6)}/s, ack p50 ${ack[0].padStart(6)} p99 ${ack[1].padStart(6)} ms` +
        (others.includes(server)
          ? `, ratio ${against(server, bare)}; to group commit ${against(server, together)}`
          : ''),
    );
  }
}

/** Nothing that was acknowledged may be missing. */
async function counted({ name, child, url, acknowledged }) {
  child.kill('SIGCONT');
  const text = await (await fetch(`${url}/metrics`)).text();
  const number = (metric) => Number(new RegExp(`^${metric}\\S* (\\d+)`, 'm').exec(text)?.[1] ?? 0);
  const kept = number('switchboard_events_received_total');
  if (kept !== acknowledged) throw new Error(`${name} acknowledged ${acknowledged} and kept ${kept}`);
  console.log(`${name}: ${kept} acknowledged and kept, ${number('switchboard_events_open')} still to be handled`);
}

try {
  const bare = await serve('bare, a flush each', [here('bare-fsync.mjs'), join(folder, 'each')]);
  const together = await serve('bare, group commit', [here('bare-fsync.mjs'), join(folder, 'together'), 'together']);
  // Without Slack there is no surface that shows events. The platform is never called, and .invalid resolves to no
  // host.
  const alone = await ours('ours, no Slack', {
    PLATFORM_BASE_URL: 'https://platform.invalid',
    PLATFORM_ACCOUNT_KEY: 'DID-bench',
    PLATFORM_ACCOUNT_SECRET: 'bench',
  });
  const demo = await ours('ours, demo');
  console.log(
    'Deliveries acknowledged: ratio to a bare server that flushes each body (goal 0.80), ack goal 50 ms.\n' +
      'The demo shows each as a card at the same time, in a stand-in of Slack in the same process.',
  );
  for (const connections of [1, 16, 64]) await compare(connections, [bare, together, alone, demo]);
  await counted(alone);
  await counted(demo);
} finally {
  await Promise.all(
    started.map((child) => {
      if (child.exitCode !== null || child.signalCode !== null) return undefined;
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      return gone;
    }),
  );
  rmSync(folder, { recursive: true, force: true });
}
