import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder } from '../support/folder.ts';
import { runCli } from '../support/process.ts';
import { seeded } from '../support/seed.ts';
import { openWorld } from '../support/world.ts';

/* Every user of a computer can read the arguments of all processes, so no command takes a secret there. */

const SECRET = 'Corr3ct-horse';
const folder = makeFolder();
mkdirSync(join(folder, 'old'));
writeFileSync(join(folder, 'old', 'switchboard.db'), '');
await openWorld();

it.each([
  ['a field', ['subscribers_create', `Password=${SECRET}`]],
  ['a field of a port-out', ['numbers_portout', seeded(1), 'PortOutPIN=73519', '--yes']],
  ['--json', ['subscribers_create', '--json', JSON.stringify({ Password: SECRET })]],
  [
    '--json with a field beside it',
    ['subscribers', 'create', 'Name=Pat', `--json=${JSON.stringify({ Password: SECRET })}`],
  ],
])('refuses a secret in %s of call, without repeating it', async (_where, args) => {
  const { code, out, err } = await runCli(['call', ...args], folder, { LOG_LEVEL: 'info' });
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(/is secret, .* Nothing was sent\. .*--json @FILE/);
  expect(err).not.toMatch(/Corr3ct|73519/);
});

it('takes the same secret from a file, and names a file that is not there', async () => {
  const file = join(folder, 'pin.json');
  writeFileSync(file, JSON.stringify({ PortOutNumber: seeded(6), PortOutPIN: '73519' }));
  const { code, out } = await runCli(['call', 'numbers_portout', '--json', `@${file}`, '--yes'], folder, {});
  expect(code).toBe(0);
  expect(out).not.toContain('73519');
  const missing = await runCli(['call', 'numbers_portout', '--json', '@/no/such.json', '--yes'], folder, {});
  expect(missing.code).toBe(2);
  expect(missing.err).toContain('--json @/no/such.json cannot be read');
});

it.each([`postgres://ana:${SECRET}@db.example.com/sb`, `postgres://ana@db.example.com/sb?password=${SECRET}`])(
  'refuses a password in --to of store copy: %s',
  async (url) => {
    const args = ['store', 'copy', '--from', join(folder, 'old'), '--to', url];
    const { code, out, err } = await runCli(args, folder, {});
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/Nothing was copied: --to must not contain a password.* DATABASE_URL/);
    expect(err).not.toContain(SECRET);
  },
);

it('refuses a password in --url of webhooks sync', async () => {
  const args = ['webhooks', 'sync', '--url', `https://ana:${SECRET}@sb.example.com`];
  const { code, err } = await runCli(args, folder, {});
  expect(code).toBe(2);
  expect(err).not.toContain(SECRET);
});
