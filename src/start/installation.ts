import { keyFile, type Seal } from '../ledger/seal.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { type Config, ConfigError } from '../lib/config.ts';
import { dataFile } from '../lib/data-dir.ts';
import type { Log } from '../lib/log.ts';
import { movedAt } from '../store/copy.ts';
import { openStore } from '../store/open.ts';
import { forgetSealed } from '../store/schema.ts';
import type { Queries, Store } from '../store/types.ts';
import { isStoreUnavailable } from '../store/unavailable.ts';
import { sealAgain } from './seal-again.ts';

/** The SQLite file in DATA_DIR. */
export const DATA_FILE = 'switchboard.db';
/** The demo's schema in the database of DATABASE_URL. It keeps the demo's data apart from the real data. */
const DEMO_SCHEMA = 'switchboard_demo';

/**
 * Opens the store that the settings name: the database of DATABASE_URL, otherwise the SQLite file in DATA_DIR.
 *
 * @param seal left out by callers that read no sealed value
 */
export function openInstallation(config: Config, options: { clock: Clock; log: Log; seal?: Seal }): Promise<Store> {
  const { clock, log, seal } = options;
  return openStore({
    url: config.DATABASE_URL,
    ...(config.demo && { schema: DEMO_SCHEMA }),
    path: dataFile(config, DATA_FILE),
    clock,
    log,
    ownClock: clock !== systemClock,
    ...(seal && { onOpen: (queries) => requireSameKey(queries, seal, config) }),
  });
}

/**
 * Checks that the SQLite file was not copied to a database. Otherwise both stores would send an action that is
 * confirmed in both.
 *
 * @throws ConfigError that says how to go on
 */
export async function requireNotMoved(store: Store, config: Config): Promise<void> {
  if (store.engine !== 'sqlite') return;
  const at = await movedAt(store).catch((error: unknown) => {
    // Calls that need the store report that it is unavailable, until it is back.
    if (isStoreUnavailable(error)) return undefined;
    throw error;
  });
  if (at === undefined) return;
  const file = dataFile(config, DATA_FILE);
  throw new ConfigError(
    `${file} was copied to a database on ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC: set DATABASE_URL to it. To use the file instead, stop every process on that database and run "switchboard store reopen --from ${file}".`,
  );
}

/**
 * Checks that every process of the installation has the sealing key that its data was sealed with. With another key, a
 * process could not read secrets and would not trust decisions. The first process decides which key that is. A new key
 * that is listed before the known one takes its place, and what has to outlast the old key is sealed again.
 *
 * @throws ConfigError if the data belongs to an installation with another key
 */
async function requireSameKey(queries: Queries, seal: Seal, config: Config): Promise<void> {
  const known = await sealedBy(queries);
  const [own = '', ...others] = seal.digests(SEALED_NAME);
  if (known === own) return;
  if (known !== undefined && others.includes(known)) await sealAgain(queries, seal);
  else if (known !== undefined && !config.demo) throw new ConfigError(otherKey(config));
  // The demo's sandbox begins with new data if the key of the old ones is lost, and so does its history.
  else if (known !== undefined) await forgetSealed(queries);
  await queries.run('UPDATE installation SET key_digest = ?', own);
}

/**
 * Seals again what has to outlast the old key of an SQLite file, if there are several keys and the first one is new. For
 * a database that is done when it is opened.
 */
export async function sealFileAgain(store: Store, seal: Seal): Promise<void> {
  const [own = '', ...others] = seal.digests(SEALED_NAME);
  if (store.engine !== 'sqlite' || others.length === 0) return;
  const ledger = store.database('ledger');
  if ((await sealedBy(ledger)) === own) return;
  await ledger.transaction(async (queries) => {
    await sealAgain(queries, seal);
    await queries.run('UPDATE installation SET key_digest = ?', own);
  });
}

/** True if this seal has the key that the data was sealed with; undefined if nothing was sealed yet. */
export async function hasSameKey(queries: Queries, seal: Seal): Promise<boolean | undefined> {
  const known = await sealedBy(queries);
  return known === undefined ? undefined : seal.digests(SEALED_NAME).includes(known);
}

/** The text whose digest tells sealing keys apart. */
const SEALED_NAME = 'installation';

async function sealedBy(queries: Queries): Promise<string | undefined> {
  const row = await queries.get<{ key_digest: string | null }>('SELECT key_digest FROM installation');
  return row?.key_digest ?? undefined;
}

/** Says that the sealing key is not that of the stored data, and how to go on. */
export function otherKey(config: Config): string {
  const { SEALING_KEY, DATABASE_URL, DATA_DIR } = config;
  const key = SEALING_KEY === undefined ? `The sealing key ${keyFile(DATA_DIR)}` : 'SEALING_KEY';
  if (DATABASE_URL !== undefined)
    return `${key} is not the one that the database of DATABASE_URL was sealed with. Set SEALING_KEY to that of the first machine: its SEALING_KEY, or the content of sealing.key in its DATA_DIR.`;
  const file = dataFile(config, DATA_FILE);
  const back =
    SEALING_KEY === undefined
      ? `Put the file back that belongs to these data, or set SEALING_KEY to its content`
      : `Set SEALING_KEY to the one that belongs to these data, or remove it if ${keyFile(DATA_DIR)} does`;
  return `${key} is not the one that ${file} was sealed with. ${back}. If the key is lost, move ${file} away: a new start then begins without its data.`;
}
