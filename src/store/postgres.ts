import pg from 'pg';
import { type Clock, FETCH_MS, monotonicOf, retried, SECOND_MS } from '../lib/clock.ts';
import { hasCode, Outage, queriesOf, storeUnavailable, UnusableStore } from './key-values.ts';
import { currently, numberOf, RELAXED, raise } from './schema.ts';
import type { Area, Database, Queries, Store, StoreOptions, Transaction, Value } from './types.ts';

/**
 * SQLSTATE classes and codes of a server that is away, full, too busy or read-only, and of one that refuses this
 * program or has lost its tables, for example while a password is changed or a backup is restored. `25P03` ends the
 * transaction of a process that was suspended in it.
 */
const UNAVAILABLE = ['08', '53', '57', '58', '25006', '25P03', '55P03', 'XX', '28', '3D', '42501', '42P01'];
/**
 * Classes and codes of errors that waiting does not resolve: wrong user or password, no such database, no rights, a
 * parameter of the URL that the server does not take.
 */
const REFUSED = ['28', '3D', '3F', '42501', '22023', '42704'];
/** Messages of Node and of PostgreSQL's client for TLS errors that waiting does not resolve. */
const REFUSED_TLS = /does not support SSL|self.signed|certificate|altnames|ENOENT|wrong version number/i;

/** Turns an error of the server or the connection to it into `unavailable`. An error of a statement stays as it is. */
export function translated(error: unknown): unknown {
  if (!(error instanceof Error) || error.name === 'SwitchboardError') return error;
  const { code = '' } = error as { code?: unknown };
  if (/^[0-9A-Z]{5}$/.test(String(code))) return hasCode(error, UNAVAILABLE) ? storeUnavailable(error) : error;
  const isOurs =
    code === '' &&
    !(error instanceof pg.DatabaseError) &&
    !/connect|timeout|terminat|ended|closed|ECONN|socket/i.test(error.message);
  return isOurs ? error : storeUnavailable(error);
}

/** Maximum number of connections of one process, unless the URL has `max`. */
const MAX_CONNECTIONS = 10;
/** Interval between comparisons of the clocks. */
const MEASURE_MS = 30_000;
const MAX_RUNS = 10;
/** `server_version_num` of PostgreSQL 13. */
const OLDEST_VERSION = 130_000;
const SCHEMA_LOCK = 7_021_946;
/** The database's clock in epoch ms. It advances within a transaction. */
const TIME = 'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS at';

export interface PostgresStoreOptions extends StoreOptions {
  /** `postgres://…`. Its query may set TLS, `max` and `statement_timeout` (ms). */
  url: string;
  /** If left out, the schema of the URL's user. Created if it is missing. */
  schema?: string;
  /** True to keep the given clock instead of following the database's. For tests that control the clock. */
  ownClock?: boolean;
}

type Send = (sql: string, values: readonly Value[]) => Promise<pg.QueryResult>;

/** An installation in one schema of a PostgreSQL database, which any number of processes share. */
export class PostgresStore implements Store {
  readonly clock: Clock;
  readonly #options: PostgresStoreOptions;
  /** Time in ms by which the machine's clock is behind the database's, as last measured. */
  #difference = 0;
  /** The same for the machine's monotonic clock. */
  #fromMonotonic: number;
  readonly #pool: pg.Pool;
  readonly #listeners = new Set<() => void>();
  readonly #outage: Outage;
  readonly #opening = retried(() => this.#open());
  #measuring: NodeJS.Timeout | undefined;
  #looking: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** The error of the last write, if the database answered and refused it because it is full or read-only. */
  #refusal: Error | undefined;

  constructor(options: PostgresStoreOptions) {
    const { schema, clock, log = () => undefined, ownClock = false } = options;
    this.#options = options;
    this.#outage = new Outage((...line) => (this.#isClosed ? undefined : log(...line)));
    this.#fromMonotonic = clock.now() - monotonicOf(clock);
    // All processes of an installation agree about the database's time, to the round trip of a query.
    this.clock = ownClock
      ? clock
      : {
          now: () => clock.now() + this.#difference,
          monotonic: () => monotonicOf(clock) + this.#fromMonotonic,
          setTimeout: (run, ms) => clock.setTimeout(run, ms),
          clearTimeout: (handle) => clock.clearTimeout(handle),
        };
    this.#pool = new pg.Pool(poolOptions(options.url, schema));
    // Emitted when an idle connection breaks. The pool replaces it with the next query.
    this.#pool.on('error', (error) => log('debug', { error: error.message }, 'a connection to the database was lost'));
    // A connection in use can break while no query listens for its errors. Without this listener the process would end.
    // A running or later query on the connection still rejects.
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
  }

  get refused(): Promise<void> {
    return this.#outage.refused;
  }

  database(area: Area): Database {
    return {
      ...queriesBy(async (sql, values) => {
        await this.ready();
        return this.query(sql, values);
      }),
      ready: () => this.ready(),
      transaction: async (work, isEnd = RELAXED.includes(area)) => {
        await this.ready();
        return this.transact(isEnd ? work : currently(work));
      },
      onOtherWrites: (listener) => {
        this.#listeners.add(listener);
        // The listeners look for themselves what was written. Notifications would need a session of their own, which
        // poolers do not keep, and this look as well, because one may be lost.
        this.#looking ??= setInterval(() => {
          for (const one of this.#listeners) one();
        }, SECOND_MS).unref();
        return () => this.#listeners.delete(listener);
      },
    };
  }

  /** Connects, and makes or raises the tables under a lock that all processes share. */
  async ready(): Promise<void> {
    if (this.#isClosed) throw storeUnavailable(new Error('the store is closed'));
    return this.#opening();
  }

  async check(): Promise<void> {
    await this.ready();
    await this.query('SELECT 1', []);
    if (this.#refusal !== undefined) throw storeUnavailable(this.#refusal);
  }

  number(): Promise<number | undefined> {
    return numberOf(queriesBy(this.query), 'postgres');
  }

  /** Compares the machine's clocks with the database's. */
  async measureClock(): Promise<void> {
    const { clock, ownClock = false } = this.#options;
    if (ownClock) return;
    const [sentAt, begunAt] = [clock.now(), monotonicOf(clock)];
    const { rows } = await this.query(TIME, []);
    if (!rows[0]) return;
    this.#difference = Math.round(rows[0].at - (sentAt + clock.now()) / 2);
    this.#fromMonotonic = Math.round(rows[0].at - (begunAt + monotonicOf(clock)) / 2);
  }

  /** Runs one statement on any connection. */
  readonly query: Send = (sql, values) =>
    this.#attempt(async () => {
      const result = await this.#pool.query(statementOf(sql, values));
      this.#answered(result.command !== 'SELECT');
      return result;
    });

  /** Runs a transaction. Runs it again if it conflicted with another one: a serialization failure or a deadlock. */
  transact<T>(work: (queries: Transaction) => Promise<T>): Promise<T> {
    return this.#attempt(async () => {
      for (let run = 1; ; run += 1) {
        try {
          const value = await this.#transactOnce(work);
          this.#answered(false);
          return value;
        } catch (error) {
          if (run >= MAX_RUNS || !hasCode(error, ['40001', '40P01'])) throw error;
        }
      }
    });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#measuring);
    clearInterval(this.#looking);
    await this.#opening.opened?.catch(() => undefined);
    await this.#pool.end();
  }

  async #open(): Promise<void> {
    const { schema, onOpen, replacesOldest = false, onRaised } = this.#options;
    let from: number | undefined;
    await this.transact(async (queries) => {
      await queries.run(`SELECT pg_advisory_xact_lock(${SCHEMA_LOCK})`);
      const server = await queries.get<{ number: string; version: string; encoding: string }>(
        `SELECT current_setting('server_version_num') AS number, current_setting('server_version') AS version,
           current_setting('server_encoding') AS encoding`,
      );
      if (Number(server?.number) < OLDEST_VERSION)
        throw new UnusableStore(
          `DATABASE_URL: PostgreSQL ${server?.version} is too old; Switchboard needs 13 or later.`,
        );
      // A text that it cannot store could keep the end of a call from being written.
      if (server?.encoding !== 'UTF8')
        throw new UnusableStore(
          `DATABASE_URL: the encoding of the database is ${server?.encoding}; Switchboard needs one that was created with ENCODING 'UTF8'.`,
        );
      if (schema !== undefined) await queries.run(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
      from = await raise(queries, 'postgres', { replacesOldest });
      await onOpen?.(queries);
    }).catch((error: unknown) => {
      const cause = error instanceof Error && error.name === 'SwitchboardError' ? error.cause : error;
      // The database does not let this program in.
      if (cause instanceof Error && (hasCode(cause, REFUSED) || REFUSED_TLS.test(cause.message)))
        throw new UnusableStore(`DATABASE_URL: the database cannot be used: ${cause.message}.`, cause);
      throw error;
    });
    if (from !== undefined) onRaised?.(from);
    await this.measureClock();
    this.#measuring ??= setInterval(() => {
      this.measureClock().catch((error: unknown) =>
        this.#options.log?.('debug', { error: String(error) }, 'the database’s clock could not be read; trying again'),
      );
    }, MEASURE_MS).unref();
  }

  async #transactOnce<T>(work: (queries: Transaction) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw translated(error);
    });
    let broken: Error | undefined;
    const onError = (error: Error) => {
      broken = error;
    };
    client.on('error', onError);
    try {
      await client.query('BEGIN');
      const queries = queriesBy((sql, values) => client.query(statementOf(sql, values)));
      const value = await work({
        ...queries,
        lock: async (name) => void (await queries.run('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', name)),
        now: async () => (this.#options.ownClock ? this.clock.now() : ((await queries.get(TIME)) as { at: number }).at),
      });
      await client.query('COMMIT');
      return value;
    } catch (error) {
      // A connection that has stopped answering would not answer ROLLBACK either.
      if (error instanceof Error && error.message === 'Query read timeout') broken ??= error;
      else await client.query('ROLLBACK').catch(onError);
      throw error;
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  }

  /** Runs queries. Their failures become those of the store. */
  async #attempt<T>(run: () => Promise<T>): Promise<T> {
    try {
      // A database that refuses writes answers at once, and reads go on.
      return await (this.#refusal === undefined ? this.#outage.attempt(run) : run());
    } catch (error) {
      // Its disk is full, or it is read-only.
      if (hasCode(error, ['53100', '25006'])) this.#refusal = error as Error;
      throw this.#outage.failed(translated(error));
    }
  }

  /** @param written true if the database took a write, which ends a refusal of writes */
  #answered(written: boolean): void {
    if (written) this.#refusal = undefined;
    if (this.#refusal === undefined) this.#outage.ended();
  }
}

/** The statement with `$1`, `$2` … for `?`. */
function statementOf(sql: string, values: readonly Value[]): pg.QueryConfig {
  let place = 0;
  return {
    text: sql.replace(/\?/g, () => `$${++place}`),
    // PostgreSQL refuses texts with the character NUL.
    values: values.map((value) => (typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value)),
  };
}

function queriesBy(send: Send): Queries {
  return queriesOf(
    async (sql, values) => (await send(sql, values)).rowCount ?? 0,
    async (sql, values) => (await send(sql, values)).rows,
  );
}

/** The options of the pool, from the URL and the defaults of this program. A schema is the search path. */
function poolOptions(given: string, schema: string | undefined): pg.PoolConfig {
  const url = new URL(given);
  const { searchParams } = url;
  // TLS as libpq means it. By default `pg` verifies certificates for `sslmode=require`, and writes warnings to stderr.
  searchParams.set('uselibpqcompat', 'true');
  const options = searchParams.get('options');
  if (schema !== undefined)
    searchParams.set('options', `${options === null ? '' : `${options} `}-c search_path=${schema}`);
  const number = (name: string, otherwise: number) => Number(searchParams.get(name) ?? otherwise) || otherwise;
  const statementMs = number('statement_timeout', FETCH_MS);
  return {
    connectionString: url.href,
    max: number('max', MAX_CONNECTIONS),
    statement_timeout: statementMs,
    // A connection that has stopped answering is dropped.
    query_timeout: statementMs * 1.5,
    // A call waits this long for a free connection.
    connectionTimeoutMillis: FETCH_MS / 2,
    // A process suspended within a transaction loses its locks before the statements that wait for them give up.
    idle_in_transaction_session_timeout: Math.min(statementMs, FETCH_MS) / 2,
    application_name: 'switchboard',
    keepAlive: true,
    // Integers are numbers: times, counts and ids do not exceed 2^53.
    types: {
      getTypeParser: (id, format) =>
        id === pg.types.builtins.INT8 ? (text: string) => Number(text) : pg.types.getTypeParser(id, format),
    },
  };
}
