import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { unzipSync } from 'fflate';
import { beforeAll, describe, expect, it } from 'vitest';
import { VERSION } from '../../src/lib/version.ts';
import { EXTERNAL, runtimePackages } from '../../src/start/runtime-packages.mjs';
import { ROOT } from '../support/build.ts';
import { documents } from '../support/documents.ts';
import { makeFolder } from '../support/folder.ts';

/*
 * The package as its users have it: the tarball of `npm pack`, unpacked into a separate folder, beside copies of the
 * packages that it loads at run time. They are copied from the repository, because installing them needs the network. A
 * package that is not among them, such as one that only the build needs, is not found.
 */

const folder = makeFolder();
const installed = join(folder, 'node_modules', 'switchboard');
const cli = join(installed, 'dist', 'cli.js');
const elsewhere = join(folder, 'elsewhere');
let files: string[];

beforeAll(async () => {
  // Another user must be able to read it.
  chmodSync(folder, 0o755);
  mkdirSync(elsewhere, { recursive: true });
  mkdirSync(installed, { recursive: true });
  const packed = await promisify(execFile)(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
    { cwd: ROOT, maxBuffer: 16 * 1024 * 1024 },
  );
  const described: unknown = JSON.parse(packed.stdout);
  const [tarball] = Array.isArray(described) ? described : [];
  files = tarball.files.map(({ path }: { path: string }) => path);
  await promisify(execFile)('tar', ['xzf', join(folder, tarball.filename), '-C', installed, '--strip-components=1']);
  for (const place of runtimePackages(ROOT, EXTERNAL))
    cpSync(join(ROOT, place), join(folder, place), { recursive: true, dereference: true });
  spawnSync('chmod', ['-R', 'a+rX', folder]);
});

/** Runs a program to its end, from another folder. */
function run(program: string, args: readonly string[], env: Record<string, string>) {
  return spawnSync(program, args, { cwd: elsewhere, env, encoding: 'utf8', input: '', timeout: 60_000 });
}

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const home = (name: string) => ({ PATH, HOME: join(folder, name) });
const LOOKUP = ['call', 'numbers', 'lookup', '+12015550101'];

/** The tools that a started server lists. */
async function toolsOf(command: string, args: string[], env: Record<string, string>): Promise<string[]> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioClientTransport({ command, args, env, cwd: elsewhere, stderr: 'ignore' }));
  try {
    expect(client.getServerVersion()).toMatchObject({ name: 'switchboard', version: VERSION });
    return (await client.listTools()).tools.map(({ name }) => name);
  } finally {
    await client.close();
  }
}

describe('the package', () => {
  it('holds the built program, what it reads, and its documentation, and no source', () => {
    const beside = files.filter((path) => !path.startsWith('dist/chunks/'));
    expect(beside.sort()).toEqual(
      [
        '.env.example',
        'dist/LICENSES.txt',
        'dist/cli.js',
        'dist/listed.json',
        'dist/member-names.json',
        'dist/package.json',
        'dist/playground.css',
        'dist/playground.js',
        'dist/words.model',
        'manifest.json',
        'package.json',
        // The root README refers to the others, and a user who has only the package has them in no other place.
        ...documents(),
      ].sort(),
    );
  });

  it('depends on what it loads at run time, and bundles everything else', () => {
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(Object.keys(dependencies)).toEqual([...EXTERNAL].sort());
    const licences = readFileSync(join(installed, 'dist', 'LICENSES.txt'), 'utf8');
    expect(licences).toMatch(/^undici [\d.]+ \(MIT\)\n\nMIT License/m);
    expect(licences).toMatch(/^ai [\d.]+ \(Apache-2.0\)\n\nCopyright/m);
    // What the AI SDK depends on for models that are never used.
    expect(licences).not.toMatch(/^@ai-sdk\/gateway|^@vercel/m);
  });
});

const nobody = ['-u', 'nobody', '--', process.execPath];
const isRoot = process.getuid?.() === 0;
const canBeNobody = isRoot && spawnSync('runuser', [...nobody, '--version']).status === 0;
if (!canBeNobody)
  process.stdout.write(
    'the package is not tried as another user: that needs root, runuser, and a node that others can run\n',
  );

describe.runIf(canBeNobody)('another user, without a home', () => {
  const NO_HOME = { PATH, HOME: '/nonexistent' };
  const SENTENCE = /DATA_DIR \S+ cannot be created \((EACCES|EROFS|ENOENT)\); set DATA_DIR to a folder of your own\./;

  it.each([
    ['call', LOOKUP],
    ['start', ['start']],
    ['key', ['key']],
  ])('is told by %s in one sentence what to set', (_command, args) => {
    const { status, stderr } = run('runuser', [...nobody, cli, ...args], { ...NO_HOME, PORT: '0' });
    expect(status).toBe(1);
    expect(stderr).toMatch(SENTENCE);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('has the answer once DATA_DIR is set', () => {
    const data = makeFolder();
    const { stdout } = spawnSync('id', ['-u', 'nobody'], { encoding: 'utf8' });
    chownSync(data, Number(stdout), -1);
    const ran = run('runuser', [...nobody, cli, ...LOOKUP], { ...NO_HOME, DATA_DIR: data });
    expect([ran.status, ran.stderr]).toEqual([0, '']);
    expect(JSON.parse(ran.stdout).Number.Status).toBe('Active');
  });
});

it('the bundle for Claude Desktop starts as its manifest says, from another folder, with blank settings', async () => {
  const path = join(folder, 'switchboard.mcpb');
  await promisify(execFile)(process.execPath, [join(ROOT, 'src/build.mjs'), '--mcpb', path], { cwd: ROOT });
  const bundle = join(folder, 'bundle');
  for (const [name, content] of Object.entries(unzipSync(readFileSync(path)))) {
    if (name.endsWith('/')) continue;
    mkdirSync(dirname(join(bundle, name)), { recursive: true });
    writeFileSync(join(bundle, name), content);
  }
  const manifest = JSON.parse(readFileSync(join(bundle, 'manifest.json'), 'utf8'));
  expect(manifest).toMatchObject({ manifest_version: '0.3', name: 'switchboard', version: VERSION });
  const { command, args, env } = manifest.server.mcp_config;
  expect(args[0]).toBe(`\${__dirname}/${manifest.server.entry_point}`);
  const options: Record<string, { default: unknown }> = manifest.user_config;
  const filled = Object.entries<string>(env).map(([name, value]) => {
    const [, option = ''] = /^\$\{user_config\.(\w+)\}$/.exec(value) ?? [];
    expect(options[option]).toBeDefined();
    return [name, String(options[option]?.default)];
  });
  const started = args.map((arg: string) => arg.replaceAll(`\${__dirname}`, bundle));
  expect(command).toBe('node');
  const tools = await toolsOf(process.execPath, started, { ...home('three'), ...Object.fromEntries(filled) });
  expect(tools).toContain('numbers_lookup');
});
