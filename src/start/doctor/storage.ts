import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { openInbox } from '../../events/inbox.ts';
import { eventHealth } from '../../events/metrics.ts';
import { errorWords } from '../../language/failure.ts';
import { systemClock } from '../../lib/clock.ts';
import type { Config } from '../../lib/config.ts';
import { accessProblem, dataFile } from '../../lib/data-dir.ts';
import { CLOCK_SKEW_MS } from '../../lib/durations.ts';
import { asSwitchboardError } from '../../lib/errors.ts';
import type { Store } from '../../store/types.ts';
import { Jobs } from '../../work/jobs.ts';
import { DATA_FILE, openInstallation } from '../installation.ts';
import type { Say } from './report.ts';
import { checkSealingKey } from './sealing-key.ts';

/** Checks that the data folder can be used, and that its files are private. */
export function checkData({ DATA_DIR }: Config, say: Say): void {
  const isThere = existsSync(DATA_DIR);
  const problem = accessProblem(isThere ? DATA_DIR : nearestFolder(DATA_DIR));
  if (problem !== undefined) {
    const what = isThere ? 'written to' : 'created';
    say('FAIL', 'data', `${DATA_DIR} cannot be ${what} (${problem}); set DATA_DIR to a folder of your own`);
  } else if (!isThere) say('ok', 'data', `${DATA_DIR} is created when it is first needed`);
  else if (process.platform !== 'win32' && (statSync(DATA_DIR).mode & 0o077) !== 0)
    say('warn', 'data', `${DATA_DIR} can be listed by other users until the next start; chmod 700 ${DATA_DIR}`);
  else say('ok', 'data', `${DATA_DIR} is private to this user`);
}

/** The nearest folder above a path that exists. */
function nearestFolder(path: string): string {
  const above = dirname(path);
  return existsSync(above) || above === path ? above : nearestFolder(above);
}

/** Checks version, rights, clock and tables of the database, the sealing key, the inbox, and that it takes a write. */
export async function checkStorage(config: Config, say: Say): Promise<void> {
  const isFile = config.DATABASE_URL === undefined;
  if (isFile) say('ok', 'database', `none configured: state is kept in an SQLite file in ${config.DATA_DIR}`);
  if (isFile && !existsSync(dataFile(config, DATA_FILE))) {
    await checkSealingKey(config, undefined, say);
    return say('ok', 'events', NONE_YET);
  }
  const store = await openInstallation(config, { clock: systemClock, log: () => undefined });
  try {
    const isReadable = isFile ? await checkFile(store, say) : await checkDatabase(store, say);
    // Reading would create the tables.
    await checkSealingKey(config, isReadable ? store : undefined, say);
    if (isReadable) await checkEvents(store, say);
    if (isReadable) await checkWrite(store, config, say);
  } catch (error) {
    say('FAIL', 'database', problemWith(config, error));
  } finally {
    await store.close();
  }
  return undefined;
}

/** Writes a row as it is, because a database that is full, locked or read-only can still be read. */
async function checkWrite(store: Store, config: Config, say: Say): Promise<void> {
  await store.database('ledger').run('UPDATE installation SET schema = schema');
  await store.check();
  say('ok', 'database writes', config.DATABASE_URL === undefined ? 'reach the SQLite file' : 'reach the database');
}

/** Why the database cannot be used, and the way out. */
function problemWith(config: Config, error: unknown): string {
  const { message, detail, cause } = asSwitchboardError(error);
  if (detail === undefined) return message;
  const reason = detail.replace(/^database: /, '');
  const code = String((cause as { code?: unknown } | undefined)?.code ?? '');
  const way = WAYS_OUT.find(({ codes }) => codes.test(code))?.way;
  return way === undefined ? `cannot be used (${reason})` : `cannot be written to (${reason}); ${way(config)}`;
}

/** Names the place of the data as the reader looks for it. */
const placeOf = ({ DATABASE_URL, DATA_DIR }: Config) =>
  DATABASE_URL === undefined ? `the disk of ${DATA_DIR}` : 'the disk of the database server';

/** Remedies, by the codes of SQLite, PostgreSQL and the system. */
const WAYS_OUT: ReadonlyArray<{ codes: RegExp; way: (config: Config) => string }> = [
  {
    codes: /^SQLITE_(BUSY|LOCKED)/,
    way: (config) =>
      `another program holds its lock, such as a backup; end it (fuser ${dataFile(config, DATA_FILE)} names it)`,
  },
  { codes: /^(SQLITE_FULL|53100|ENOSPC|EDQUOT)/, way: (config) => `free space on ${placeOf(config)}` },
  { codes: /^25006/, way: () => 'the server is read-only, such as a standby; set DATABASE_URL to the primary' },
  {
    codes: /^(SQLITE_(READONLY|CANTOPEN|IOERR)|EACCES|EPERM|EROFS)/,
    way: ({ DATA_DIR }) =>
      `let this user write to ${DATA_DIR} and its files (ls -l ${DATA_DIR}), on a disk that is not read-only`,
  },
];

/** Resolves to true if there are tables of this version, and the same below. */
async function checkFile(store: Store, say: Say): Promise<boolean> {
  const { tables } = await store.health();
  if (tables === 'other') say('FAIL', 'database tables', OTHER_TABLES);
  if (tables === 'missing') say('ok', 'events', NONE_YET);
  return tables === 'current';
}

const OTHER_TABLES = 'belong to another version of Switchboard; start that version, or use another DATA_DIR';
const NONE_YET = 'none received yet; switchboard webhooks sync has the platform deliver them here';

async function checkDatabase(store: Store, say: Say): Promise<boolean> {
  const { version, clockDifferenceMs, mayCreateTables, tables } = await store.health();
  if (Number(/\d+/.exec(version)?.[0]) >= 13) say('ok', 'database', version);
  else say('FAIL', 'database', `${version}; version 13 or later is needed`);
  if (!mayCreateTables)
    say(
      tables === 'current' ? 'ok' : 'FAIL',
      'database rights',
      'the user may not create tables in its schema; GRANT CREATE ON SCHEMA',
    );
  if (tables === 'other') say('FAIL', 'database tables', 'belong to another version of Switchboard');
  else say('ok', 'database tables', tables === 'missing' ? 'are made at the next start' : 'are those of this version');
  const seconds = Math.round(Math.abs(clockDifferenceMs) / 1000);
  if (Math.abs(clockDifferenceMs) > CLOCK_SKEW_MS)
    say('FAIL', 'database clock', `differs by ${seconds} s from this machine's; the database's counts. Set up NTP`);
  if (tables === 'missing') say('ok', 'events', NONE_YET);
  return tables === 'current';
}

/** Checks for events on the dead-letter list. */
async function checkEvents(store: Store, say: Say): Promise<void> {
  try {
    const { clock } = store;
    const jobs = new Jobs({ database: store.database('ledger'), clock, owner: 'switchboard doctor' });
    const inbox = openInbox({ database: store.database('events'), clock, jobs });
    const { ok, line } = await eventHealth(inbox, clock);
    say(ok ? 'ok' : 'FAIL', 'events', line);
  } catch (error) {
    say('FAIL', 'events', `the inbox cannot be read: ${errorWords(error)}`);
  }
}
