import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, expect, it, type TestContext } from 'vitest';
import { VERSION } from '../../src/lib/version.ts';
import { EXTERNAL } from '../../src/start/runtime-packages.mjs';
import { ROOT } from '../support/build.ts';
import { startRegistry } from '../support/registry.ts';
import { until } from '../support/until.ts';

/*
 * The tarball of `npm pack`, installed by npm in an empty folder of a user who has nothing else. Names and versions come from a
 * registry of this test, and tarballs from npm's cache; a tarball that is not in the cache is fetched from the public registry.
 */

const home = mkdtempSync(join(tmpdir(), 'sb-install-'));
const work = join(home, 'work');
const tarball = `switchboard-${VERSION}.tgz`;
let registry: Awaited<ReturnType<typeof startRegistry>>;
let env: Record<string, string>;

/** Time limit of one command, the installation included. */
const LIMIT_MS = 240_000;

beforeAll(async () => {
  registry = await startRegistry();
  mkdirSync(work);
  // The tarballs of the machine's cache, and nothing else of it: npm exec leaves its installation in the cache.
  const cache = join(home, 'npm-cache');
  const tarballs = join(process.env.npm_config_cache ?? join(homedir(), '.npm'), '_cacache');
  mkdirSync(cache);
  if (existsSync(tarballs)) symlinkSync(tarballs, join(cache, '_cacache'));
  writeFileSync(join(home, 'empty.env'), '');
  env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    DATA_DIR: join(home, 'data'),
    npm_config_registry: registry.url,
    // The lock file names the public registry's tarballs.
    npm_config_replace_registry_host: 'never',
    npm_config_prefer_offline: 'true',
    npm_config_update_notifier: 'false',
    npm_config_audit: 'false',
    npm_config_cache: cache,
  };
  const packed = spawnSync('npm', ['pack', '--ignore-scripts', '--pack-destination', home], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect([packed.status, readdirSync(home)]).toEqual([0, expect.arrayContaining([tarball])]);
}, LIMIT_MS);
afterAll(async () => {
  await registry.close();
  rmSync(home, { recursive: true, force: true });
});

const SETTINGS = ['--settings', join(home, 'empty.env')];

/** Failures of npm on a machine without a network. */
const NO_NETWORK = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|ETIMEDOUT/;

/** Runs npm to its end in the empty folder. Leaves the test out if a tarball can be had from nowhere. */
async function npm(context: TestContext, ...args: string[]) {
  const ran = await runNpm(args);
  if (ran.code !== 0 && NO_NETWORK.test(ran.err))
    context.skip(
      'the package is not installed: a tarball is not in npm’s cache, and the public registry is not reached',
    );
  return ran;
}

function runNpm(args: readonly string[]): Promise<{ code: number | null; out: string; err: string }> {
  return new Promise((resolve) => {
    const child = spawn('npm', args, { cwd: work, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: LIMIT_MS });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    child.once('close', (code) => resolve({ code, out, err }));
  });
}

it('depends on what it loads at run time, and bundles everything else', () => {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(Object.keys(dependencies)).toEqual([...EXTERNAL].sort());
});

it(
  'runs by npm exec from the tarball, without an installation',
  async (context) => {
    const ran = await npm(context, 'exec', '--yes', '--package', join(home, tarball), '--', 'switchboard', '--version');
    expect([ran.code, ran.out]).toEqual([0, `${VERSION}\n`]);
  },
  LIMIT_MS,
);

it(
  'is installed, and answers a lookup, serves MCP, and starts',
  async (context) => {
    const installed = await npm(context, 'install', join(home, tarball));
    expect(installed.code, installed.err).toBe(0);
    const bin = join(work, 'node_modules', '.bin', 'switchboard');
    expect(statSync(bin).mode & 0o111).toBe(0o111);

    const looked = spawnSync(bin, ['call', 'numbers', 'lookup', '+12015550101', ...SETTINGS], {
      cwd: work,
      env,
      encoding: 'utf8',
    });
    expect([looked.status, looked.stderr]).toEqual([0, '']);
    expect(JSON.parse(looked.stdout).Number.Number).toBe('+12015550101');

    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StdioClientTransport({ command: bin, args: ['mcp', ...SETTINGS], env, cwd: work }));
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('numbers_lookup');
    await client.close();

    const server = spawn(bin, ['start', ...SETTINGS], { cwd: work, env: { ...env, PORT: '0' } });
    const ended = new Promise<number | null>((resolve) => server.once('close', resolve));
    let said = '';
    for (const stream of [server.stdout, server.stderr])
      stream.on('data', (chunk) => {
        said += chunk;
      });
    try {
      const url = await until(() => /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0]);
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
    } finally {
      server.kill('SIGTERM');
    }
    expect(await ended).toBe(0);
  },
  LIMIT_MS,
);
