import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { recordOf as recordOfThread } from '../assistant/conversations.ts';
import { proveAgain } from '../ledger/audit.ts';
import {
  createSeal,
  keyFile,
  resealedResult,
  SEALED_RESULTS,
  type Seal,
  sealingKeys,
  storedKeys,
} from '../ledger/seal.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { type Config, ConfigError } from '../lib/config.ts';
import { dataFile, openDataDir, UnsafeData } from '../lib/data-dir.ts';
import type { Log } from '../lib/log.ts';
import { movedAt } from '../store/copy.ts';
import { isStoreUnavailable, UnusableStore, update } from '../store/key-values.ts';
import type { PostgresStoreOptions } from '../store/postgres.ts';
import { forgetSealed } from '../store/schema.ts';
import { SqliteStore } from '../store/sqlite.ts';
import type { Queries, Store, StoreOptions, Value } from '../store/types.ts';

/** The SQLite file in DATA_DIR. */
export const DATA_FILE = 'switchboard.db';
/** The demo's schema in the database of DATABASE_URL. It keeps the demo's data apart from the real data. */
const DEMO_SCHEMA = 'switchboard_demo';

/**
 * Opens the store that the settings name: the database of DATABASE_URL, otherwise the SQLite file in DATA_DIR.
 *
 * @param seal left out by callers that read no sealed value
 */
export function openInstallation(
  config: Config,
  options: { clock?: Clock; log?: Log; seal?: Seal | undefined } = {},
): Promise<Store> {
  const { seal, ...others } = options;
  if (seal === undefined) return openChecked(config, others);
  return openChecked(config, {
    ...others,
    onOpen: async (queries) => {
      await requireSameKey(queries, seal, config);
      if (!config.demo) await requireSamePlatform(queries, seal, config);
    },
  });
}

function openChecked(config: Config, options: Partial<StoreOptions> = {}): Promise<Store> {
  const { clock = systemClock } = options;
  return openStore({
    ...options,
    clock,
    url: config.DATABASE_URL,
    ...(config.demo && { schema: DEMO_SCHEMA }),
    path: dataFile(config, DATA_FILE),
    ownClock: clock !== systemClock,
    replacesOldest: config.demo,
  });
}

/**
 * Checks that the SQLite file was not copied to a database. Otherwise both stores would send an action that is
 * confirmed in both.
 *
 * @throws UnusableStore that says how to go on
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
  throw new UnusableStore(
    `${file} was copied to a database on ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC: set DATABASE_URL to it. To use the file instead, stop every process on that database and run "switchboard store reopen --from ${file}".`,
  );
}

/**
 * Checks that every process of the installation has the sealing key that its data was sealed with. With another key, a
 * process could not read secrets and would not trust decisions. The first process decides which key that is. A new key
 * that is listed before the known one takes its place, and what has to outlast the old key is sealed again.
 *
 * @throws UnusableStore if the data belongs to an installation with another key
 */
async function requireSameKey(queries: Queries, seal: Seal, config: Config): Promise<void> {
  const known = await sealedBy(queries);
  const [own = '', ...others] = seal.digests(SEALED_NAME);
  if (known === own) return;
  if (known !== undefined && others.includes(known)) await sealAgain(queries, seal);
  else if (known !== undefined && !config.demo) throw new UnusableStore(otherKey(config));
  // The demo's sandbox begins with new data if the key of the old ones is lost, and so does its history.
  else if (known !== undefined) await forgetSealed(queries);
  await queries.run('UPDATE installation SET key_digest = ?', own);
}

/**
 * Checks that the stored data is about the platform and the account of the settings: outcomes would be read, and
 * confirmed changes sent, at the wrong one. The first process decides which they are.
 *
 * @throws UnusableStore if they are others
 */
async function requireSamePlatform(queries: Queries, seal: Seal, config: Config): Promise<void> {
  const problem = await otherPlatform(queries, seal, config);
  if (problem !== undefined) throw new UnusableStore(problem);
  const { platform, digests } = ownerOf(seal, config);
  // After a rotation of the sealing key, the digest is that of the new one.
  await update(queries, 'installation', { platform, account_digest: digests[0] ?? null }, '1 = 1');
}

/** Says that the data is about another platform or account, and how to go on; undefined if it is not. */
export async function otherPlatform(queries: Queries, seal: Seal, config: Config): Promise<string | undefined> {
  const stored = await queries.get<{ platform: string | null; account: string | null }>(
    'SELECT platform, account_digest AS account FROM installation',
  );
  const { platform, digests } = ownerOf(seal, config);
  const isOther = stored?.platform != null && stored.platform !== platform;
  if (!isOther && (stored?.account == null || digests.includes(stored.account))) return undefined;
  const place = config.DATABASE_URL === undefined ? 'DATA_DIR' : 'DATABASE_URL';
  const problem = isOther
    ? `The data of ${place} is about the platform ${stored.platform}, and PLATFORM_BASE_URL is ${platform}. Set PLATFORM_BASE_URL back`
    : `The data of ${place} is about another account of ${platform} than the one of PLATFORM_ACCOUNT_KEY. Set PLATFORM_ACCOUNT_KEY back`;
  return `${problem}, or use another ${place} for this one. If it is the same account under a new address or key, run "switchboard store rebind".`;
}

function ownerOf(seal: Seal, { PLATFORM_BASE_URL = '', PLATFORM_ACCOUNT_KEY = '' }: Config) {
  const platform = new URL(PLATFORM_BASE_URL).href.replace(/\/+$/, '');
  return { platform, digests: seal.digests(`account ${PLATFORM_ACCOUNT_KEY}`) };
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

/** Says that the sealing key of the stored data is missing or another one, and how to go on. */
export function otherKey(config: Config): string {
  const { SEALING_KEY, DATABASE_URL, DATA_DIR } = config;
  const key = SEALING_KEY === undefined ? `The sealing key ${keyFile(DATA_DIR)}` : 'SEALING_KEY';
  const isMissing = storedKeys(DATA_DIR, SEALING_KEY) === undefined;
  const problem = (data: string) =>
    isMissing
      ? `${key} is missing, and ${data} was sealed with it`
      : `${key} is not the one that ${data} was sealed with`;
  if (DATABASE_URL !== undefined)
    return `${problem('the database of DATABASE_URL')}. Set SEALING_KEY to that of the first machine: its SEALING_KEY, or the content of sealing.key in its DATA_DIR.`;
  const file = dataFile(config, DATA_FILE);
  const back =
    SEALING_KEY === undefined
      ? `Put the file back that belongs to these data, or set SEALING_KEY to its content`
      : `Set SEALING_KEY to the one that belongs to these data, or remove it if ${keyFile(DATA_DIR)} does`;
  return `${problem(file)}. ${back}. If the key is lost, move ${file} away: a new start then begins without its data.`;
}

/**
 * Creates the store: in the database of `url`, otherwise in the SQLite file at `path`. The first query opens it.
 * PostgreSQL's client is loaded only if it is used.
 */
export async function openStore({
  url,
  path,
  ...options
}: Omit<PostgresStoreOptions, 'url'> & { url: string | undefined; path: string }): Promise<Store> {
  if (url === undefined) return new SqliteStore({ path, ...options });
  const { PostgresStore } = await import('../store/postgres.ts');
  return new PostgresStore({ url, ...options });
}

/** A column of sealed values. */
interface Column {
  table: string;
  column: string;
  /** The columns that name a row. */
  key: readonly string[];
  /** The record that a value is sealed for, from the values of these columns. */
  record(...key: string[]): string;
}

/**
 * Columns that are read after the old key was removed. Inputs of actions are left out, because only calls that have not
 * ended need theirs, and the decisions about them are bound to the sealed bytes. Tokens are fetched again.
 */
const COLUMNS: readonly Column[] = [
  { table: 'registrations', column: 'sealed', key: ['id'], record: (id) => id },
  { table: 'vault', column: 'sealed', key: ['operation', 'key'], record: (operation, key) => `${operation}/${key}` },
  { table: 'actions', column: 'once_secret', key: ['id'], record: (id) => `${id}/once` },
  { table: 'conversations', column: 'sealed', key: ['thread'], record: recordOfThread },
];

/** Seals stored values again with the first key. A value that no key opens stays as it is. */
async function sealAgain(queries: Queries, seal: Seal): Promise<void> {
  for (const column of COLUMNS) await sealColumn(queries, column, seal);
  const results = await queries.all<{ id: string; result: string }>(
    'SELECT id, result FROM actions WHERE result LIKE ?',
    SEALED_RESULTS,
  );
  for (const row of results) {
    const result = resealedResult(row, seal);
    if (result !== undefined) await queries.run('UPDATE actions SET result = ? WHERE id = ?', result, row.id);
  }
  await proveAgain(queries, seal);
}

async function sealColumn(queries: Queries, { table, column, key, record }: Column, seal: Seal): Promise<void> {
  const rows = await queries.all<Record<string, Value>>(
    `SELECT ${[...key, column].join(', ')} FROM ${table} WHERE ${column} IS NOT NULL`,
  );
  const where = key.map((name) => `${name} = ?`).join(' AND ');
  for (const row of rows) {
    const names = key.map((name) => String(row[name]));
    const sealed = resealed(row[column], record(...names), seal);
    if (sealed) await queries.run(`UPDATE ${table} SET ${column} = ? WHERE ${where}`, sealed, ...names);
  }
}

function resealed(sealed: Value | undefined, record: string, seal: Seal): Uint8Array | undefined {
  if (!(sealed instanceof Uint8Array)) return undefined;
  try {
    return seal.seal(seal.open(sealed, record), record);
  } catch {
    // It belongs to another installation, or is damaged.
    return undefined;
  }
}

/**
 * Opens the data folder and the seal of this installation. Makes a sealing key if there is none, unless there is data
 * that was sealed with one.
 *
 * @throws ConfigError when the folder or the key may have been put there by another user
 * @throws UnusableStore when the key is missing
 */
export async function openSeal(config: Config): Promise<Seal> {
  try {
    openDataDir(config.DATA_DIR);
    if (config.demo) openDataDir(dirname(dataFile(config, DATA_FILE)));
    if (storedKeys(config.DATA_DIR, config.SEALING_KEY) === undefined && !config.demo) await requireUnsealed(config);
    return createSeal(...sealingKeys(config.DATA_DIR, config.SEALING_KEY));
  } catch (error) {
    if (error instanceof UnsafeData) throw new ConfigError(error.message);
    throw error;
  }
}

/** @throws UnusableStore if there is data that was sealed with a key, before anything is made or raised */
async function requireUnsealed(config: Config): Promise<void> {
  if (config.DATABASE_URL === undefined && !existsSync(dataFile(config, DATA_FILE))) return;
  const store = await openChecked(config, {
    onOpen: async (queries) => {
      if ((await sealedBy(queries)) !== undefined) throw new UnusableStore(otherKey(config));
    },
  });
  try {
    await store.database('ledger').ready();
  } catch (error) {
    // While the database is away, nothing is known. Whether the key fits is found once it is back.
    if (!isStoreUnavailable(error)) throw error;
  } finally {
    await store.close();
  }
}
