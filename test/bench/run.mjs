// Side by side in one run, printed as ratios. Run after a build: npm run bench
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const cli = here('../../dist/cli.js');
const folder = mkdtempSync(join(tmpdir(), 'switchboard-bench-'));
const env = { ...process.env, DATA_DIR: folder, XDG_CACHE_HOME: folder, LOG_LEVEL: 'error' };
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const ratio = (ours, bare) => (ours / bare).toFixed(2);
const started = [];

const opening = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list' },
];
const modernMeta = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  },
};
const pinned = { versionNegotiation: { mode: { pin: '2026-07-28' } } };

/** Each protocol with the line of the SDK that serves it. */
const ERAS = [
  {
    name: '2025-11-25',
    fifty: [here('bare-fifty.mjs')],
    proxy: here('bare-proxy.mjs'),
    opening,
    client: () => new Client({ name: 'bench', version: '1' }),
    stdio: StdioClientTransport,
    http: StreamableHTTPClientTransport,
  },
  {
    name: '2026-07-28',
    fifty: [here('bare-fifty.mjs'), 'modern'],
    proxy: here('bare-proxy-modern.mjs'),
    opening: [
      { id: 1, method: 'server/discover', params: modernMeta },
      { id: 2, method: 'tools/list', params: modernMeta },
    ],
    client: () => new ModernClient({ name: 'bench', version: '1' }, pinned),
    stdio: ModernStdio,
    http: ModernHttp,
  },
];

function run(args, extra = {}) {
  const child = spawn(process.execPath, args, {
    env: { ...env, ...extra },
    cwd: folder,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  started.push(child);
  return child;
}

async function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** From spawn to the answer of tools/list, and the resident memory then and later. */
async function startOnce(args, messages) {
  const at = performance.now();
  const child = run(args);
  for (const message of messages) child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  let text = '';
  for await (const chunk of child.stdout) {
    text += chunk;
    if (text.includes('"id":2')) break;
  }
  const ms = performance.now() - at;
  const memory = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  const rss = memory();
  // The pages for confirmations open after the first answer.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const later = memory();
  // Its end is awaited, because the first process stores compiled code then.
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill();
  await ended;
  return { ms, rss, later };
}

async function startUp(era) {
  const ours = [];
  const bare = [];
  for (let i = 0; i < 15; i += 1) {
    bare.push(await startOnce(era.fifty, era.opening));
    ours.push(await startOnce([cli, 'mcp'], era.opening));
  }
  const of = (list, member) => median(list.map((one) => one[member]));
  for (const [member, what, goal] of [
    ['ms', 'start to tool list, ms', '0.42'],
    ['rss', 'resident memory then, MB', '1.10'],
    ['later', 'resident memory a second later, MB', '1.10'],
  ])
    console.log(
      `${era.name}: ${what}   ours ${of(ours, member).toFixed(0)}, bare SDK ${of(bare, member).toFixed(0)}, ratio ${ratio(of(ours, member), of(bare, member))} (goal ${goal})`,
    );
}

async function calls(client, n, inFlight) {
  const input = { name: 'numbers_get', arguments: { PhoneNumber: '+12015550101' } };
  const times = [];
  const one = async () => {
    const at = performance.now();
    const answer = await client.callTool(input);
    if (answer.isError) throw new Error(answer.content[0].text);
    times.push(performance.now() - at);
  };
  for (let done = 0; done < n; done += inFlight) await Promise.all(Array.from({ length: inFlight }, one));
  return times;
}

async function compare(name, goal, bare, ours) {
  for (const inFlight of [1, 50]) {
    const all = { bare: [], ours: [] };
    await calls(bare, 100, inFlight);
    await calls(ours, 100, inFlight);
    for (let round = 0; round < 6; round += 1) {
      all.bare.push(...(await calls(bare, 200, inFlight)));
      all.ours.push(...(await calls(ours, 200, inFlight)));
    }
    console.log(
      `${name}, ${String(inFlight).padStart(2)} in flight   ours ${median(all.ours).toFixed(2)} ms, bare SDK ${median(all.bare).toFixed(2)} ms, ratio ${ratio(median(all.ours), median(all.bare))}${inFlight === 1 ? ` (goal ${goal})` : ''}`,
    );
  }
}

try {
  for (const era of ERAS) await startUp(era);

  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const sandbox = run([cli, 'sandbox', '--port', String(port)]);
  await new Promise((resolve) => sandbox.stdout.once('data', resolve));
  await fetch(`${url}/sandbox/settings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"requestsPerMinute":10000000}',
  });
  const platform = {
    PLATFORM_BASE_URL: url,
    PLATFORM_ACCOUNT_KEY: 'DID-sandbox',
    PLATFORM_ACCOUNT_SECRET: 'sandbox-secret',
    PLATFORM_REQUESTS_PER_MINUTE: '100000',
  };

  const stdio = async (era, args) => {
    const client = era.client();
    await client.connect(
      new era.stdio({
        command: process.execPath,
        args,
        env: { ...env, ...platform },
        cwd: folder,
        stderr: 'ignore',
      }),
    );
    return client;
  };
  for (const era of ERAS) {
    const bare = await stdio(era, [era.proxy, url]);
    const ours = await stdio(era, [cli, 'mcp']);
    await compare(`${era.name}: a read over stdio`, '1.15', bare, ours);
    await Promise.all([bare.close(), ours.close()]);
  }

  const oursPort = await freePort();
  run([cli, 'start'], { ...platform, PORT: String(oursPort) });
  const http = async (era, address) => {
    for (let tries = 0; ; tries += 1) {
      const client = era.client();
      try {
        await client.connect(new era.http(new URL(address)));
        return client;
      } catch (error) {
        if (tries > 100) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  };
  for (const era of ERAS) {
    const barePort = await freePort();
    run([era.proxy, url, String(barePort)]);
    const bare = await http(era, `http://127.0.0.1:${barePort}/mcp`);
    const ours = await http(era, `http://127.0.0.1:${oursPort}/mcp`);
    await compare(`${era.name}: a read over HTTP`, '0.90', bare, ours);
    await Promise.all([bare.close(), ours.close()]);
  }
} finally {
  for (const child of started) child.kill();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
process.exit(0);
