import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BatchStore } from '../../batches/store.ts';
import { errorWords } from '../../language/outcome.ts';
import { endCopied } from '../../ledger/rows.ts';
import { createSeal, sealingKeys } from '../../ledger/seal.ts';
import { systemClock } from '../../lib/clock.ts';
import { ConfigError } from '../../lib/config.ts';
import { SwitchboardError } from '../../lib/errors.ts';
import { parseUrl } from '../../lib/values.ts';
import { copyStore, reopen, requireStopped } from '../../store/copy.ts';
import { PostgresStore } from '../../store/postgres.ts';
import { SqliteStore } from '../../store/sqlite.ts';
import { readArguments, wrongUsage } from '../../surfaces/cli/flags.ts';
import { closing, DATA_FILE, logRaised, openInstallation } from '../installation.ts';
import { readSettings } from '../settings.ts';

const USAGE = 'switchboard store copy --from FILE [--to postgres://…], reopen --from FILE, or rebind';
const NO_FROM = `--from is missing: the DATA_DIR, or its ${DATA_FILE}.`;

/** The streams of the command; tests pass their own. */
type StoreIo = Record<'stdout' | 'stderr', { write(text: string): unknown }>;

/**
 * `switchboard store copy`: moves an installation from its SQLite file to an empty PostgreSQL database. `reopen` lets
 * the installation use the file again, `rebind` lets it go on with another address of the platform or another account
 * key. Returns the exit code: 0 if everything was copied, 1 if nothing was.
 */
export async function runStore(args: readonly string[], io: StoreIo = process): Promise<number> {
  const [verb, ...rest] = args;
  if (verb === 'reopen') return runReopen(rest, io);
  if (verb === 'rebind') return runRebind(rest, io);
  const options = { from: { type: 'string' }, to: { type: 'string' } } as const;
  const isMissing = verb === undefined || verb.startsWith('-');
  if (isMissing) readArguments(args, USAGE, options, true);
  const problem = isMissing ? 'The command is missing' : `${verb} is not a command of store`;
  if (verb !== 'copy') throw wrongUsage(`${problem}: it is copy, reopen or rebind.`, USAGE);
  const { from: given, to: target } = readArguments(rest, USAGE, options).values;
  if (given === undefined) throw wrongUsage(NO_FROM, USAGE);
  const url = targetOf(target);
  const folder = folderOf(given);
  const from = new SqliteStore({ path: join(folder, DATA_FILE), clock: systemClock, onRaised: logRaised });
  const to = new PostgresStore({ url, clock: systemClock, onRaised: logRaised });
  try {
    const tables = Object.entries(await copyStore(from, to)).map(([table, rows]) => `  ${table.padEnd(20)} ${rows}\n`);
    io.stdout.write(`Copied from ${folder}:\n${tables.join('')}`);
    io.stderr.write(
      `Next: set DATABASE_URL, and SEALING_KEY to the content of ${join(folder, 'sealing.key')} (or to its present value), in the settings of every process. The file stays as a backup. No process starts on it any more; after "switchboard store reopen --from ${folder}" one does.\n`,
    );
    return 0;
  } catch (error) {
    const detail = error instanceof SwitchboardError && error.detail !== undefined ? ` (${error.detail})` : '';
    io.stderr.write(`Nothing was copied. ${errorWords(error)}${detail}\n`);
    return 1;
  } finally {
    await from.close();
    await to.close();
  }
}

async function runReopen(args: readonly string[], io: StoreIo): Promise<number> {
  const { values } = readArguments(args, USAGE, { from: { type: 'string' } });
  if (values.from === undefined) throw wrongUsage(NO_FROM, USAGE);
  const folder = folderOf(values.from);
  const file = new SqliteStore({ path: join(folder, DATA_FILE), clock: systemClock, onRaised: logRaised });
  return closing(file, async (store) => {
    const seal = createSeal(...sealingKeys(folder, readSettings().SEALING_KEY));
    const batches = new BatchStore({ db: store.database('ledger'), seal, clock: store.clock, owner: 'store' });
    const wasMoved = await reopen(store, async (queries, copiedAt) =>
      batches.stopAll(queries, await endCopied(queries, { copiedAt, now: store.clock.now(), seal })),
    );
    io.stdout.write(
      wasMoved
        ? `${folder} can be used again. What happened in the database since it was copied is not in this file: stop every process on the database first. Questions and batches that were open then may have been confirmed and sent there: their outcome is unknown here, and none of them can be confirmed or sent again.\n`
        : `${folder} was not copied to a database. Nothing was changed.\n`,
    );
    return 0;
  });
}

async function runRebind(args: readonly string[], io: StoreIo): Promise<number> {
  readArguments(args, USAGE, {});
  return closing(await openInstallation(readSettings()), async (store) => {
    await requireStopped(store.database('ledger'), store.clock);
    await store.database('ledger').run('UPDATE installation SET platform = NULL, account_digest = NULL');
    io.stdout.write(
      'The next start takes the platform and the account of its settings. Outcomes that are unknown are then read there, and changes that wait are sent there.\n',
    );
    return 0;
  });
}

/**
 * Returns the database to copy to. Every user of the computer can read the arguments of a process, so a password comes
 * from DATABASE_URL.
 */
function targetOf(given: string | undefined): string {
  const url = given ?? readSettings().DATABASE_URL;
  const parsed = url === undefined ? undefined : parseUrl(url);
  if (url === undefined || parsed === undefined || !/^postgres(ql)?:\/\//.test(url))
    throw wrongUsage('--to (or DATABASE_URL) must be a database, as postgres://user@host/database.', USAGE);
  const { password, searchParams } = parsed;
  if (given !== undefined && (password !== '' || searchParams.has('password')))
    throw new ConfigError(
      'Nothing was copied: --to must not contain a password, because every user of this computer can read the arguments of a process. Leave --to out and set DATABASE_URL in the environment or the settings file, or set PGPASSWORD.',
    );
  return url;
}

/** Returns the folder that holds the data. */
function folderOf(path: string): string {
  if (!existsSync(path)) throw new ConfigError(`--from ${path} does not exist.`);
  const folder = statSync(path).isDirectory() ? path : dirname(path);
  if (!existsSync(join(folder, DATA_FILE)))
    throw new ConfigError(
      `--from ${path} holds no ${DATA_FILE}: give the DATA_DIR of an installation, or its ${DATA_FILE}.`,
    );
  return folder;
}
