import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { recordOf as recordOfThread } from '../assistant/conversations.ts';
import { proveAgain } from '../ledger/action.ts';
import {
  createSeal,
  keyFile,
  resealedResult,
  SEALED_RESULTS,
  type Seal,
  sealingKeys,
  storedKeys,
} from '../ledger/seal.ts';
import { type Clock, MINUTE_MS, systemClock } from '../lib/clock.ts';
import { type Config, dataFile, openDataDir } from '../lib/config.ts';
import { createLog, type Log } from '../lib/log.ts';
import { Proxies } from '../lib/proxies.ts';
import { listSettings, settingSecrets } from '../lib/settings.ts';
import { recordOf, withoutTrailing } from '../lib/values.ts';
import { createRedactor, type Redactor } from '../platform/dialect/redact.ts';
import { runningProcesses } from '../store/copy.ts';
import { type Columns, levelOf, readOrElse, UnusableStore, update } from '../store/key-values.ts';
import { forgetSealed, NUMBER } from '../store/schema.ts';
import { SqliteStore } from '../store/sqlite.ts';
import type { Queries, Store, StoreOptions, Value } from '../store/types.ts';
import { readMemberNames } from './settings.ts';

/** The SQLite file in DATA_DIR. */
export const DATA_FILE = 'switchboard.db';
/** The demo's schema in the database of DATABASE_URL. It keeps the demo's data apart from the real data. */
const DEMO_SCHEMA = 'switchboard_demo';
/** The platform of the demo's data. */
const DEMO_PLATFORM = 'demo';

/**
 * Opens the store that the settings name: the database of DATABASE_URL, otherwise the SQLite file in DATA_DIR.
 *
 * @param seal left out by callers that read no sealed value
 */
export function openInstallation(
  config: Config,
  { seal, ...others }: { clock?: Clock; log?: Log; seal?: Seal | undefined } = {},
): Promise<Store> {
  return openChecked(config, { ...others, onOpen: (queries) => bind(queries, seal, config) });
}

/** Creates the store, which the first query opens. PostgreSQL's client is loaded only if it is used. */
async function openChecked(config: Config, options: Partial<StoreOptions> = {}): Promise<Store> {
  const { clock = systemClock } = options;
  const { DATABASE_URL: url, demo } = config;
  const common = { ...options, clock, replacesOldest: demo, onRaised: logRaised };
  if (url === undefined) return new SqliteStore({ ...common, path: dataFile(config, DATA_FILE) });
  const { PostgresStore } = await import('../store/postgres.ts');
  return new PostgresStore({ ...common, url, ownClock: clock !== systemClock, ...(demo && { schema: DEMO_SCHEMA }) });
}

/** Does something with a store, and closes it. */
export async function closing<S extends { close(): Promise<void> }, T>(
  store: S,
  work: (store: S) => Promise<T>,
): Promise<T> {
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Writes a line to stderr that stored data was raised, at any LOG_LEVEL: programs of its old number stop then. */
export function logRaised(from: number, copy?: string): void {
  const log = createLog('warn', { strip: (fields) => fields, text: (text) => text });
  const kept = copy === undefined ? '' : `; ${copy} is as it was before`;
  log('warn', {}, `the stored data was raised from number ${from} to ${NUMBER}${kept}`);
}

/** The installation that the stored data belongs to. */
interface Binding extends Columns {
  /** A digest of the sealing key; null if nothing was sealed yet. */
  key_digest: string | null;
  /** The address of the platform (`demo` for the demo), and a digest of the account key; null before the first start. */
  platform: string | null;
  account_digest: string | null;
  /** When the SQLite file was copied to a database (epoch ms). */
  copied_at: number | null;
}

export async function readBinding(queries: Queries): Promise<Binding> {
  const row = await queries.get<Binding>('SELECT key_digest, platform, account_digest, copied_at FROM installation');
  return { ...{ key_digest: null, platform: null, account_digest: null, copied_at: null }, ...row };
}

/**
 * Checks that the stored data belongs to these settings. The first process decides to which. Without a seal, only the first
 * of these is checked.
 *
 * - A file that was copied to a database is not used: both would send an action that is confirmed in both.
 * - With another sealing key, a process could not read secrets and would not trust decisions. A new key that is listed
 *   before the known one takes its place, and what has to outlast the old key is sealed again.
 * - At another platform or account, outcomes would be read and confirmed changes sent at the wrong one.
 *
 * @throws UnusableStore if it does not belong to them
 */
async function bind(queries: Queries, seal: Seal | undefined, config: Config): Promise<void> {
  const stored = await readBinding(queries);
  if (stored.copied_at !== null) {
    const file = dataFile(config, DATA_FILE);
    const copied = new Date(stored.copied_at).toISOString().slice(0, 16).replace('T', ' ');
    throw new UnusableStore(
      `${file} was copied to a database on ${copied} UTC: set DATABASE_URL to it. To use the file instead, stop every process on that database and run "switchboard store reopen --from ${file}".`,
    );
  }
  if (seal === undefined) return;
  const isSame = hasSameKey(stored, seal);
  if (isSame === false && stored.platform !== DEMO_PLATFORM) throw new UnusableStore(otherKey(config));
  const problem = otherPlatform(stored, seal, config);
  if (problem !== undefined) throw new UnusableStore(problem);
  const own = { key_digest: seal.digest(SEALED_NAME), ...ownerOf(seal, config) };
  // The demo's sandbox begins with new data if the key of the old ones is lost, and so does its history.
  if (isSame === false) await forgetSealed(queries);
  else if (isSame && stored.key_digest !== own.key_digest) await sealAgain(queries, seal);
  const isBound = Object.entries(own).every(([column, value]) => stored[column] === value);
  if (!isBound) await update(queries, 'installation', own, '1 = 1');
}

/** Says that the data is about another platform or account, and how to go on; undefined if it is not. */
export function otherPlatform(stored: Binding, seal: Seal, config: Config): string | undefined {
  const { platform } = ownerOf(seal, config);
  const { platform: known, account_digest: account } = stored;
  if (known === null || account === null) return undefined;
  const isSamePlatform = known === platform;
  if (isSamePlatform && (config.demo || seal.digests(accountOf(config)).includes(account))) return undefined;
  const place = config.DATABASE_URL === undefined ? 'DATA_DIR' : 'DATABASE_URL';
  const problem = isSamePlatform
    ? `another account of ${platform} than the one of PLATFORM_ACCOUNT_KEY. Set PLATFORM_ACCOUNT_KEY back`
    : `the platform ${known}, and PLATFORM_BASE_URL is ${platform}. Set PLATFORM_BASE_URL back`;
  return `The data of ${place} is about ${problem}, or use another ${place} for this one. If it is the same account under a new address or key, run "switchboard store rebind".`;
}

function ownerOf(seal: Seal, config: Config) {
  const platform = config.demo ? DEMO_PLATFORM : withoutTrailing(new URL(config.PLATFORM_BASE_URL ?? '').href, '/');
  return { platform, account_digest: seal.digest(accountOf(config)) };
}

function accountOf({ PLATFORM_ACCOUNT_KEY = '' }: Config): string {
  return `account ${PLATFORM_ACCOUNT_KEY}`;
}

/** The text whose digest tells sealing keys apart. */
const SEALED_NAME = 'installation';

/** True if this seal has the key that the data was sealed with; undefined if nothing was sealed yet. */
export function hasSameKey({ key_digest: known }: Binding, seal: Seal): boolean | undefined {
  return known === null ? undefined : seal.digests(SEALED_NAME).includes(known);
}

/** Says that the sealing key of the stored data is missing or another one, and how to go on. */
export function otherKey(config: Config): string {
  const { SEALING_KEY, DATABASE_URL, DATA_DIR } = config;
  const key = SEALING_KEY === undefined ? `The sealing key ${keyFile(DATA_DIR)}` : 'SEALING_KEY';
  const isMissing = storedKeys(DATA_DIR, SEALING_KEY) === undefined;
  const file = dataFile(config, DATA_FILE);
  const data = DATABASE_URL === undefined ? file : 'the database of DATABASE_URL';
  const problem = isMissing
    ? `is missing, and ${data} was sealed with it`
    : `is not the one that ${data} was sealed with`;
  const way =
    'Put the file back that belongs to these data, or set SEALING_KEY to the key: that of the first machine, or the content of sealing.key in its DATA_DIR.';
  const lost =
    DATABASE_URL === undefined ? ` If it is lost, move ${file} away: a new start then begins without its data.` : '';
  return `${key} ${problem}. ${way}${lost}`;
}

/**
 * Columns of sealed values that are read after the old key was removed. Inputs of actions are left out, because only
 * calls that have not ended need theirs, and the decisions about them are bound to the sealed bytes. Tokens are fetched
 * again.
 */
const COLUMNS: readonly (readonly [table: string, column: string, key: string[], record: RecordOf])[] = [
  ['registrations', 'sealed', ['id'], (id) => id],
  ['vault', 'sealed', ['operation', 'key'], (operation, key) => `${operation}/${key}`],
  ['actions', 'once_secret', ['id'], (id) => `${id}/once`],
  ['conversations', 'sealed', ['thread'], recordOfThread],
];

/** The record that a value is sealed for, from the columns that name its row. */
type RecordOf = (...key: string[]) => string;

/** Seals stored values again with the first key. A value that no key opens stays as it is. */
async function sealAgain(queries: Queries, seal: Seal): Promise<void> {
  for (const [table, column, key, record] of COLUMNS) {
    const where = key.map((name) => `${name} = ?`).join(' AND ');
    const rows = await queries.all<Record<string, Value>>(
      `SELECT ${[...key, column].join(', ')} FROM ${table} WHERE ${column} IS NOT NULL`,
    );
    for (const row of rows) {
      const names = key.map((name) => String(row[name]));
      const sealedFor = record(...names);
      let content: unknown;
      try {
        content = seal.open(row[column] as Uint8Array, sealedFor);
      } catch {
        // It belongs to another installation, or is damaged.
        continue;
      }
      await queries.run(`UPDATE ${table} SET ${column} = ? WHERE ${where}`, seal.seal(content, sealedFor), ...names);
    }
  }
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

/**
 * Opens the data folder and the seal of this installation. Makes a sealing key if there is none, unless there is data
 * that was sealed with one.
 *
 * @throws UnusableData when the folder or the key cannot be used, or may have been put there by another user
 * @throws UnusableStore when the key is missing
 */
export async function openSeal(config: Config): Promise<Seal> {
  openDataDir(config.DATA_DIR);
  if (config.demo) openDataDir(dirname(dataFile(config, DATA_FILE)));
  if (storedKeys(config.DATA_DIR, config.SEALING_KEY) === undefined && !config.demo) await requireUnsealed(config);
  return createSeal(...sealingKeys(config.DATA_DIR, config.SEALING_KEY));
}

/** @throws UnusableStore if there is data that was sealed with a key, before anything is made or raised */
async function requireUnsealed(config: Config): Promise<void> {
  if (config.DATABASE_URL === undefined && !existsSync(dataFile(config, DATA_FILE))) return;
  const onOpen = async (queries: Queries) => {
    if ((await readBinding(queries)).key_digest !== null) throw new UnusableStore(otherKey(config));
  };
  // While the database is away, nothing is known. Whether the key fits is found once it is back.
  await closing(await openChecked(config, { onOpen }), (store) =>
    readOrElse(store.database('ledger').ready(), undefined),
  );
}

/** The settings that decide the same questions in every process of an installation. */
const SHARED = listSettings()
  .map(({ name }) => name)
  .filter((name) => name === 'PLATFORM_TIME_ZONE' || name.startsWith('CONFIRM_'));

/** A digest of each shared setting. The job that names a running process holds them, for the others to compare. */
export function settingDigests(config: Config, seal: Seal): Record<string, string> {
  return Object.fromEntries(SHARED.map((name) => [name, seal.digest(textOf(config, name))]));
}

/** A shared setting and a running process that has another value of it: one sentence for each. */
export async function differences(config: Config, seal: Seal, store: Store): Promise<string[]> {
  return (await runningProcesses(store.database('ledger'), store.clock)).flatMap(({ pid, host, settings }) => {
    const others = recordOf(settings);
    return SHARED.filter((name) => {
      const other = others[name];
      return typeof other === 'string' && !seal.digests(textOf(config, name)).includes(other);
    }).map((name) => `${name} differs from that of process ${pid} on ${host}, which uses the same data`);
  });
}

function textOf(config: Config, name: (typeof SHARED)[number]): string {
  return JSON.stringify([name, config[name] ?? null]);
}

/** Logs once each shared setting that another running process has with another value, until the timer is cleared. */
export function watchAgreement(options: { config: Config; seal: Seal; store: Store; log: Log }): NodeJS.Timeout {
  const { config, seal, store, log } = options;
  let logged: string[] = [];
  const look = async () => {
    try {
      const found = await differences(config, seal, store);
      for (const line of found) if (!logged.includes(line)) log('warn', {}, line);
      logged = found;
    } catch (error) {
      log(levelOf(error, 'warn'), { error: String(error) }, 'the settings of other processes could not be read');
    }
  };
  void look();
  return setInterval(() => void look(), MINUTE_MS).unref();
}

/** Opens the redactor and the log of this process. Without `write`, lines go to stderr. */
export function openLog(config: Config, write?: (line: string) => void): { redactor: Redactor; log: Log } {
  const { secret, writable } = readMemberNames();
  const redactor = createRedactor(secret, writable);
  const secrets = settingSecrets(config);
  // Callers do not read the log, so the short secrets of the settings are removed from it too.
  const redaction = {
    strip: <T>(fields: T) => redactor.strip(fields, { secrets }),
    text: (text: string) => redactor.text(text, { secrets }),
  };
  redactor.hold(() => secrets);
  return { redactor, log: createLog(config.LOG_LEVEL, redaction, write) };
}

/** The folder or database of the ledger, events and tokens, without a password. */
export function storedIn(config: Config): string {
  if (config.DATABASE_URL !== undefined) {
    const { host, pathname } = new URL(config.DATABASE_URL);
    return `PostgreSQL ${host}${pathname} (DATABASE_URL)`;
  }
  return dataFile(config, '');
}

/** The configured platform, or the demo's sandbox with its fixed credentials, for a client of it. */
export function platformOf(config: Config, demo?: { url: string }) {
  const { PLATFORM_BASE_URL: baseUrl = '', PLATFORM_ACCOUNT_KEY: accountKey = '' } = config;
  const { PLATFORM_ACCOUNT_SECRET: accountSecret = '', PLATFORM_TIME_ZONE: timeZone } = config;
  return {
    requestsPerMinute: config.PLATFORM_REQUESTS_PER_MINUTE,
    proxies: new Proxies(config),
    timeoutMs: config.PLATFORM_TIMEOUT_MS,
    ...(demo
      ? { baseUrl: demo.url, accountKey: 'DID-sandbox', accountSecret: 'sandbox-secret', timeZone: 'UTC' }
      : { baseUrl, accountKey, accountSecret, timeZone }),
  };
}
