import { createServer } from 'node:http';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { createSeal } from '../../../src/ledger/seal.ts';
import { type Clock, systemClock } from '../../../src/lib/clock.ts';
import { NEVER } from '../../../src/store/key-values.ts';
import { SqliteStore } from '../../../src/store/sqlite.ts';
import { createPairing, SESSION_MS } from '../../../src/surfaces/web/session.ts';
import { FakeClock } from '../../support/clock.ts';
import { listen } from '../../support/ending.ts';
import { makeFolder } from '../../support/folder.ts';
import { runCli, startServer } from '../../support/process.ts';
import { editFile } from '../../support/sqlite-file.ts';

/* The destination of a one-time key is read from a file. Rows that an attacker wrote there must not redirect it. */

let folder: string;
let otherUrl: string;
beforeEach(async () => {
  folder = makeFolder();
  otherUrl = await listen(createServer((_request, response) => response.end('hello')));
});

/** The demo's data. */
function path(): string {
  return join(folder, 'data', 'demo', 'switchboard.db');
}

const edit = (sql: string, ...values: (string | number)[]) => editFile(path(), sql, ...values);

/** The sign-ins in this file, until the end of the test. */
function openPairing(at: string, clock: Clock = systemClock) {
  const store = new SqliteStore({ path: at, clock });
  onTestFinished(() => store.close());
  const database = store.database('pairing');
  return { database, pairing: createPairing(store, createSeal(Buffer.alloc(32, 7))) };
}

it('prints a link to the server that runs, whatever somebody else wrote into the file', async () => {
  const { running, url } = await startServer({}, folder);
  await running.said(/Confirmations/);
  const link = async () => (await runCli(['key'], folder, { PORT: '0' })).out.split('?')[0];
  expect(await link()).toBe(`${url}/confirm`);

  const later = Date.now() + 1e9;
  const insert = `INSERT INTO key_values (kind, key, value, expires_at) VALUES ('page server', ?, ?, ?)`;
  edit(insert, otherUrl, JSON.stringify({ pid: process.pid, startedAt: later, proof: '' }), later);
  expect(await link()).toBe(`${url}/confirm`);
  // Nor with the seal of the row that is there.
  const taken = `(SELECT json_extract(value, '$.proof') FROM key_values WHERE key = ?)`;
  edit(`UPDATE key_values SET value = json_set(value, '$.proof', ${taken}) WHERE key = ?`, url, otherUrl);
  expect(await link()).toBe(`${url}/confirm`);
});

it('takes sealed addresses on loopback and PUBLIC_URL only', async () => {
  const { pairing } = openPairing(path());
  for (const url of ['http://127.0.0.1:3900', 'http://[::1]:3901', 'http://192.0.2.7:80', 'https://sb.example.com'])
    await pairing.serve({ url, pid: 1 });
  const urls = async (publicUrl?: string) => (await pairing.servers(publicUrl)).map(({ url }) => url).sort();
  expect(await urls()).toEqual(['http://127.0.0.1:3900', 'http://[::1]:3901']);
  expect(await urls('https://sb.example.com')).toContain('https://sb.example.com');
  edit(`UPDATE key_values SET value = json_set(value, '$.pid', 2)`);
  expect(await urls()).toEqual([]);
});

it.each<[string, string]>([
  ['another person', `value = json_set(value, '$.person', 'oauth:boss')`],
  ['another name', `value = json_set(value, '$.name', 'Boss')`],
  ['another proof', `value = json_set(value, '$.proof', '')`],
  ['a later end', `value = json_set(value, '$.until', 9e15), expires_at = 9e15`],
  ['no seal', `value = json_set(value, '$.seal', '')`],
  [
    'the seal of another sign-in',
    `value = json_set(value, '$.seal', (SELECT json_extract(value, '$.seal') FROM key_values WHERE key <> s.key))`,
  ],
  ['the cookie of another sign-in', `key = (SELECT key || 'x' FROM key_values WHERE key <> s.key)`],
])('takes no sign-in whose row has %s', async (_name, change) => {
  const { database, pairing } = openPairing(join(folder, 'switchboard.db'));
  const cookie = await pairing.open({ person: 'oauth:ana', proof: 'of the settings', name: 'Ana' });
  const other = await pairing.open({ person: 'oauth:lee', proof: 'of the settings', name: 'Lee' });
  expect(await pairing.find(cookie)).toEqual({ person: 'oauth:ana', proof: 'of the settings', name: 'Ana' });
  await database.run(`UPDATE key_values AS s SET ${change} WHERE json_extract(value, '$.person') = 'oauth:ana'`);
  expect(await pairing.find(cookie)).toBeUndefined();
  expect(await pairing.find(other)).toMatchObject({ person: 'oauth:lee' });
});

it('ends a sign-in in time, whatever the row says besides its sealed end', async () => {
  const clock = new FakeClock();
  const { database, pairing } = openPairing(join(folder, 'switchboard.db'), clock);
  const cookie = await pairing.open({ person: 'oauth:ana', proof: '' });
  await database.run('UPDATE key_values SET expires_at = ?', NEVER);
  expect(await pairing.find(cookie)).toMatchObject({ person: 'oauth:ana' });
  clock.advance(SESSION_MS + 1);
  expect(await pairing.find(cookie)).toBeUndefined();
});
