import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Inbox } from '../../events/inbox.ts';
import { errorWords } from '../../language/outcome.ts';
import { createSeal, keyFile, storedKeys } from '../../ledger/seal.ts';
import { MINUTE_MS } from '../../lib/clock.ts';
import { accessProblem, type Config, dataFile } from '../../lib/config.ts';
import { causeOf } from '../../lib/errors.ts';
import { isStoreUnavailable } from '../../store/key-values.ts';
import { NUMBER } from '../../store/schema.ts';
import type { Store } from '../../store/types.ts';
import { Jobs } from '../../work/jobs.ts';
import {
  DATA_FILE,
  differences,
  hasSameKey,
  openInstallation,
  otherKey,
  otherPlatform,
  readBinding,
} from '../installation.ts';
import type { Finding } from './checks.ts';

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

/** Checks the tables of the database, the sealing key, the inbox, and that it takes a write. */
export async function* checkStorage(config: Config): AsyncIterable<Finding> {
  const isFile = config.DATABASE_URL === undefined;
  if (isFile) yield ['ok', `none configured: state is kept in an SQLite file in ${config.DATA_DIR}`];
  if (isFile && !existsSync(dataFile(config, DATA_FILE))) {
    yield await sealingKeyFinding(config, undefined);
    return yield ['ok', NONE_YET, 'events'];
  }
  const store = await openInstallation(config);
  const what = 'database tables';
  try {
    const number = await store.number();
    // Reading would make or raise the tables.
    yield await sealingKeyFinding(config, number === NUMBER ? store : undefined);
    if (number === 0) yield ['ok', NONE_YET, 'events'];
    const next = atNextStart(number, config);
    if (next !== undefined) return yield ['ok', `${next} at the next start`, what];
    await store.database('ledger').ready();
    yield ['ok', 'are those of this version', what];
    yield* checkAgreement(config, store);
    yield await eventsFinding(store);
    // A database that is full, locked or read-only can still be read.
    await store.database('ledger').run('UPDATE installation SET schema = schema');
    await store.check();
    yield ['ok', `reach the ${isFile ? 'SQLite file' : 'database'}`, 'database writes'];
  } catch (error) {
    // The store says that it is away, which waiting may not help. Its cause says why.
    const which = isFile ? '' : 'the database of DATABASE_URL ';
    yield ['FAIL', isStoreUnavailable(error) ? `${which}cannot be used (${causeOf(error)})` : errorWords(error)];
  } finally {
    await store.close();
  }
}

/** What the next start does with stored data of this number; undefined if nothing, or if it is refused. */
function atNextStart(number: number | undefined, { demo }: Config): string | undefined {
  if (number === 0) return 'are made';
  if (number === undefined) return demo ? 'are of an older version: the demo begins anew' : undefined;
  return number < NUMBER ? `are raised from number ${number} to ${NUMBER}` : undefined;
}

/** Checks that the data is about the platform of the settings, and that the running processes have the same settings. */
async function* checkAgreement(config: Config, store: Store): AsyncIterable<Finding> {
  const keys = storedKeys(config.DATA_DIR, config.SEALING_KEY);
  if (keys === undefined) return;
  const seal = createSeal(...keys);
  const stored = await readBinding(store.database('ledger'));
  // What is stored are digests under the sealing key, so nothing can be compared with another one.
  if (hasSameKey(stored, seal) === false) return;
  const problem = otherPlatform(stored, seal, config);
  if (problem !== undefined) yield ['FAIL', problem, 'account of the data'];
  for (const line of await differences(config, seal, store)) yield ['warn', line, 'running processes'];
}

/** Looks for events on the dead-letter list. */
async function eventsFinding(store: Store): Promise<Finding> {
  const { clock } = store;
  const jobs = new Jobs({ database: store.database('ledger'), clock, owner: 'switchboard doctor' });
  const inbox = new Inbox({ database: store.database('events'), clock, jobs });
  const { open, dead, oldestOpenAt = clock.now() } = await inbox.counts();
  const minutes = Math.round((clock.now() - oldestOpenAt) / MINUTE_MS);
  const waiting = open === 0 ? 'none waiting' : `${open} waiting, the oldest for ${minutes} min`;
  const [last] = await inbox.dead(1);
  if (last === undefined) return ['ok', waiting, 'events'];
  const lost = `${dead} on the dead-letter list (last: ${last.stored.event.kind}, ${last.lastError})`;
  return ['FAIL', `${waiting}, ${lost}; see switchboard events list`, 'events'];
}

/**
 * Checks that this installation can read what was sealed. Makes no key.
 *
 * @param store left out if it holds no data yet
 */
async function sealingKeyFinding(config: Config, store: Store | undefined): Promise<Finding> {
  const { SEALING_KEY, DATA_DIR, demo } = config;
  const what = 'sealing key';
  const source = SEALING_KEY === undefined ? keyFile(DATA_DIR) : 'SEALING_KEY';
  const keys = storedKeys(DATA_DIR, SEALING_KEY);
  // For data that was never sealed, any key is right.
  const seal = createSeal(...(keys ?? [new Uint8Array(32)]));
  const isSame = store && hasSameKey(await readBinding(store.database('ledger')), seal);
  if (isSame === undefined)
    return ['ok', keys === undefined ? 'is made at the next start' : `is read from ${source}`, what];
  if (isSame) return ['ok', `${source} is the one that the data was sealed with`, what];
  const problem = otherKey(config);
  if (demo) return ['warn', `the next start of the demo begins with new data: ${problem}`, what];
  return ['FAIL', problem, what];
}
