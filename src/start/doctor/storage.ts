import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { openInbox } from '../../events/inbox.ts';
import { eventHealth } from '../../events/metrics.ts';
import { systemClock } from '../../lib/clock.ts';
import type { Config } from '../../lib/config.ts';
import { accessProblem, dataFile } from '../../lib/data-dir.ts';
import { CLOCK_SKEW_MS } from '../../lib/durations.ts';
import { asSwitchboardError } from '../../lib/errors.ts';
import type { Store } from '../../store/types.ts';
import { Jobs } from '../../work/jobs.ts';
import { DATA_FILE, openInstallation } from '../installation.ts';
import type { Finding } from './report.ts';
import { sealingKeyFinding } from './sealing-key.ts';

/** Checks that the data folder can be used, and that its files are private. */
export function* checkData({ DATA_DIR }: Config): Iterable<Finding> {
  const isThere = existsSync(DATA_DIR);
  const problem = accessProblem(isThere ? DATA_DIR : nearestFolder(DATA_DIR));
  const what = isThere ? 'written to' : 'created';
  if (problem !== undefined)
    yield ['FAIL', `${DATA_DIR} cannot be ${what} (${problem}); set DATA_DIR to a folder of your own`];
  else if (!isThere) yield ['ok', `${DATA_DIR} is created when it is first needed`];
  else if (process.platform !== 'win32' && (statSync(DATA_DIR).mode & 0o077) !== 0)
    yield ['warn', `${DATA_DIR} can be listed by other users until the next start; chmod 700 ${DATA_DIR}`];
  else yield ['ok', `${DATA_DIR} is private to this user`];
}

/** The nearest folder above a path that exists. */
function nearestFolder(path: string): string {
  const above = dirname(path);
  return existsSync(above) || above === path ? above : nearestFolder(above);
}

const NONE_YET = 'none received yet; switchboard webhooks sync has the platform deliver them here';

/** Checks version, rights, clock and tables of the database, the sealing key, the inbox, and that it takes a write. */
export async function* checkStorage(config: Config): AsyncIterable<Finding> {
  const isFile = config.DATABASE_URL === undefined;
  if (isFile) yield ['ok', `none configured: state is kept in an SQLite file in ${config.DATA_DIR}`];
  if (isFile && !existsSync(dataFile(config, DATA_FILE))) {
    yield await sealingKeyFinding(config, undefined);
    return yield ['ok', NONE_YET, 'events'];
  }
  const store = await openInstallation(config, { clock: systemClock, log: () => undefined });
  try {
    const { tables } = await store.health();
    if (!isFile) yield* databaseFindings(store);
    if (tables === 'other')
      yield [
        'FAIL',
        'belong to another version of Switchboard; start that version, or use other data',
        'database tables',
      ];
    // Reading would create the tables.
    yield await sealingKeyFinding(config, tables === 'current' ? store : undefined);
    if (tables === 'missing') yield ['ok', NONE_YET, 'events'];
    if (tables !== 'current') return;
    yield await eventsFinding(store);
    // A database that is full, locked or read-only can still be read.
    await store.database('ledger').run('UPDATE installation SET schema = schema');
    await store.check();
    yield ['ok', `reach the ${isFile ? 'SQLite file' : 'database'}`, 'database writes'];
  } catch (error) {
    const { message, detail } = asSwitchboardError(error);
    yield ['FAIL', detail === undefined ? message : `cannot be used (${detail.replace(/^database: /, '')})`];
  } finally {
    await store.close();
  }
}

async function* databaseFindings(store: Store): AsyncIterable<Finding> {
  const { version, clockDifferenceMs, mayCreateTables, tables } = await store.health();
  if (Number(/\d+/.exec(version)?.[0]) >= 13) yield ['ok', version];
  else yield ['FAIL', `${version}; version 13 or later is needed`];
  const verdict = tables === 'current' ? 'ok' : 'FAIL';
  if (!mayCreateTables)
    yield [verdict, 'the user may not create tables in its schema; GRANT CREATE ON SCHEMA', 'database rights'];
  if (tables !== 'other')
    yield ['ok', tables === 'missing' ? 'are made at the next start' : 'are those of this version', 'database tables'];
  const skew = Math.abs(clockDifferenceMs);
  const differs = `differs by ${Math.round(skew / 1000)} s from this machine's; the database's counts. Set up NTP`;
  if (skew > CLOCK_SKEW_MS) yield ['FAIL', differs, 'database clock'];
}

/** Looks for events on the dead-letter list. */
async function eventsFinding(store: Store): Promise<Finding> {
  const { clock } = store;
  const jobs = new Jobs({ database: store.database('ledger'), clock, owner: 'switchboard doctor' });
  const inbox = openInbox({ database: store.database('events'), clock, jobs });
  const { ok, line } = await eventHealth(inbox, clock);
  return [ok ? 'ok' : 'FAIL', line, 'events'];
}
