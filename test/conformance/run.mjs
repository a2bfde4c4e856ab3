// Runs the protocol's conformance suite against Switchboard's adapters, in both protocols: npm run conformance
// The suite is fetched by npx in the versions below. It needs Node 22.18 or later.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const SUITES = [
  { version: '0.1.16', protocol: '2025-11-25' },
  { version: '0.2.0-alpha.12', protocol: '2026-07-28' },
];

const path = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`The conformance suite needs Node 22.18 or later; this is ${process.versions.node}.`);
  process.exit(2);
}

const server = spawn(process.execPath, [path('server.ts')], { stdio: ['pipe', 'pipe', 'inherit'] });
const url = await new Promise((resolve, reject) => {
  server.stdout.once('data', (chunk) => resolve(String(chunk).trim()));
  server.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
});

let failed = 0;
for (const { version, protocol } of SUITES) {
  console.log(`\nProtocol ${protocol}, @modelcontextprotocol/conformance ${version}`);
  const expected = path(`expected-failures.${protocol}.yaml`);
  const options = [
    'server',
    '--url',
    url,
    '--suite',
    'all',
    '--spec-version',
    protocol,
    '--expected-failures',
    expected,
  ];
  const { code, out } = await run('npx', ['--yes', `@modelcontextprotocol/conformance@${version}`, ...options]);
  const summary = out.slice(out.indexOf('=== SUMMARY ==='));
  console.log(code === 0 || out.includes('=== SUMMARY ===') ? summary : out);
  if (code !== 0) failed += 1;
}
server.stdin.end();
process.exit(failed === 0 ? 0 : 1);

/**
 * Runs a program to its end.
 * @param {string} command
 * @param {string[]} args
 * @returns {Promise<{ code: number | null; out: string }>}
 */
function run(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    const add = (/** @type {Buffer} */ chunk) => {
      out += chunk;
    };
    child.stdout.on('data', add);
    child.stderr.on('data', add);
    child.once('close', (code) => resolve({ code, out }));
  });
}
