import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { DatabaseClock, Outage, storeUnavailable } from './key-values.ts';
import { Listener } from './listener.ts';
import {
  mayRunAgain,
  refused,
  refusesWrites,
  stoppedAnswering,
  translated,
  UnsupportedDatabase,
} from './postgres-errors.ts';
import { inSchema, poolOptions } from './postgres-url.ts';
import { createTables, tablesOf } from './schema.ts';
import type { Area, Database, Queries, Store, StoreHealth, Transaction, Value } from './types.ts';

export { UnsupportedDatabase };

/** Interval between comparisons of the clocks. */
const MEASURE_MS = 30_000;
/** Writes within this time are announced together. */
const ANNOUNCE_MS = 10;
const MAX_RUNS = 10;
/** `server_version_num` of PostgreSQL 13. */
const OLDEST_VERSION = 130_000;
const SCHEMA_LOCK = 7_021_946;
/** Statements that each connection keeps prepared. Further ones, such as long lists of ids, are planned each time. */
const MAX_PREPARED = 500;
/** The database's clock in epoch ms. It advances within a transaction. */
const TIME = 'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS at';

export interface PostgresStoreOptions {
  /** `postgres://…`. Its query may set TLS, `max` and `statement_timeout` (ms). */
  url: string;
  /** If left out, the schema of the URL's user. */
  schema?: string;
  clock: Clock;
  log: Log;
  /** Runs in the transaction that first opens the database. Rejecting refuses every query. */
  onOpen?: (queries: Queries) => Promise<void>;
  /** True to keep the given clock instead of following the database's. For tests that control the clock. */
  ownClock?: boolean;
}

/** An installation in one schema of a PostgreSQL database, which any number of processes share. */
export class PostgresStore implements Store {
  readonly engine = 'postgres';
  readonly clock: Clock;
  readonly #time: DatabaseClock | undefined;
  readonly #pool: pg.Pool;
  readonly #listener: Listener;
  readonly #log: Log;
  readonly #schema: string | undefined;
  readonly #onOpen: PostgresStoreOptions['onOpen'];
  readonly #databases = new Map<Area, PostgresDatabase>();
  readonly #statements = new Map<string, { name?: string; text: string }>();
  #opening: Promise<void> | undefined;
  #measuring: NodeJS.Timeout | undefined;
  #isClosed = false;
  readonly #outage: Outage;
  /** The error of the last write, if the database answered and refused it because it is full or read-only. */
  #refusal: Error | undefined;

  constructor({ url: given, schema, clock, log, onOpen, ownClock = false }: PostgresStoreOptions) {
    const url = schema === undefined ? given : inSchema(given, schema);
    this.#schema = schema;
    this.#onOpen = onOpen;
    this.#log = log;
    this.#outage = new Outage((...line) => (this.#isClosed ? undefined : log(...line)));
    this.#time = ownClock ? undefined : new DatabaseClock(clock);
    this.clock = this.#time ?? clock;
    this.#pool = new pg.Pool(poolOptions(url));
    // Emitted when an idle connection breaks. The pool replaces it with the next query.
    this.#pool.on('error', (error) => log('debug', { error: error.message }, 'a connection to the database was lost'));
    // A connection in use can break while no query listens for its errors. Without this listener the process would end.
    // A running or later query on the connection still rejects.
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
    this.#listener = new Listener({ url, log, id: randomUUID() });
  }

  database(area: Area): PostgresDatabase {
    let database = this.#databases.get(area);
    if (!database) {
      database = new PostgresDatabase(this, area);
      this.#databases.set(area, database);
    }
    return database;
  }

  /** Connects, and makes the tables under a lock that all processes share. */
  async ready(): Promise<void> {
    if (this.#isClosed) throw storeUnavailable(new Error('the store is closed'));
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async check(): Promise<void> {
    await this.ready();
    await this.query('SELECT 1', []);
    if (this.#refusal !== undefined) throw storeUnavailable(this.#refusal);
  }

  /** Reads the state of the database without changing it. */
  async health(): Promise<StoreHealth> {
    await this.measureClock();
    const { rows } = await this.query<{ version: string; may: boolean | null }>(
      `SELECT current_setting('server_version') AS version, has_schema_privilege(current_schema(), 'CREATE') AS may`,
      [],
    );
    const [row] = rows;
    return {
      engine: 'postgres',
      version: `PostgreSQL ${row?.version.split(' ')[0]}`,
      clockDifferenceMs: this.#time?.difference ?? 0,
      mayCreateTables: row?.may ?? false,
      tables: await tablesOf(queriesOf(this), 'postgres'),
    };
  }

  /** Compares the machine's clock with the database's. */
  async measureClock(): Promise<void> {
    if (!this.#time) return;
    const clock = this.#time;
    const sentAt = clock.now() - clock.difference;
    const { rows } = await this.query<{ at: number }>(TIME, []);
    if (rows[0]) clock.measured(rows[0].at, sentAt);
  }

  /** Runs one statement on any connection. */
  async query<Row extends pg.QueryResultRow>(sql: string, values: readonly Value[]): Promise<pg.QueryResult<Row>> {
    return this.#attempt(async () => {
      const result = await this.#pool.query<Row>(this.#prepared(sql, values));
      this.#answered(result.command !== 'SELECT');
      return result;
    });
  }

  /** Runs a transaction. Runs it again if it conflicted with another one. */
  async transact<T>(work: (queries: PostgresTransaction) => Promise<T>): Promise<T> {
    return this.#attempt(async () => {
      for (let run = 1; ; run += 1) {
        try {
          const value = await this.#transactOnce(work);
          this.#answered(false);
          return value;
        } catch (error) {
          if (run >= MAX_RUNS || !mayRunAgain(error)) throw error;
        }
      }
    });
  }

  /**
   * Tells the other processes that an area was written to. Does not wait for the disk, because polls find a write whose
   * notification is lost.
   */
  announce(area: Area): void {
    this.#listener.announce(
      area,
      (channel, payload) =>
        this.query(`SELECT set_config('synchronous_commit', 'off', true), pg_notify(?, ?)`, [channel, payload]),
      ANNOUNCE_MS,
    );
  }

  listen(area: Area, listener: () => void): () => void {
    return this.#listener.on(area, listener);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#measuring);
    await this.#opening?.catch(() => undefined);
    await this.#listener.close();
    await this.#pool.end();
  }

  async #open(): Promise<void> {
    await this.transact(async (queries) => {
      await queries.run(`SELECT pg_advisory_xact_lock(${SCHEMA_LOCK})`);
      await requireVersion(queries);
      if (this.#schema !== undefined) await queries.run(`CREATE SCHEMA IF NOT EXISTS ${this.#schema}`);
      await createTables(queries, 'postgres');
      await this.#onOpen?.(queries);
    }).catch((error: unknown) => {
      throw refused(error) ?? error;
    });
    await this.measureClock();
    this.#measuring ??= setInterval(() => {
      this.measureClock().catch((error: unknown) =>
        this.#log('debug', { error: String(error) }, 'the database’s clock could not be read; trying again'),
      );
    }, MEASURE_MS).unref();
  }

  async #transactOnce<T>(work: (queries: PostgresTransaction) => Promise<T>): Promise<T> {
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
      const ownClock = this.#time === undefined ? this.clock : undefined;
      const send: Send = (sql, values, ms) =>
        client.query({ ...this.#prepared(sql, values), ...(ms !== undefined && { query_timeout: ms }) });
      const value = await work(new PostgresTransaction(send, ownClock));
      await client.query('COMMIT');
      return value;
    } catch (error) {
      // A connection that has stopped answering would not answer ROLLBACK either.
      if (stoppedAnswering(error)) broken ??= error;
      else
        await client.query('ROLLBACK').catch((failure: Error) => {
          broken ??= failure;
        });
      throw error;
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  }

  /** Runs queries. Their failures become those of the store. */
  async #attempt<T>(run: () => Promise<T>): Promise<T> {
    const { round } = this.#outage;
    try {
      // A database that refuses writes answers at once, and reads go on.
      return await (this.#refusal === undefined ? this.#outage.attempt(run) : run());
    } catch (error) {
      if (refusesWrites(error)) this.#refusal = error;
      throw this.#outage.failed(translated(error), round);
    }
  }

  /** @param written true if the database took a write, which ends a refusal of writes */
  #answered(written: boolean): void {
    if (written) this.#refusal = undefined;
    if (this.#refusal === undefined) this.#outage.ended();
  }

  /** The statement with PostgreSQL's placeholders. Its name makes a connection prepare it once. */
  #prepared(sql: string, values: readonly Value[]): pg.QueryConfig {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      const text = numbered(sql);
      const number = this.#statements.size;
      statement = number < MAX_PREPARED ? { name: `switchboard-${number}`, text } : { text };
      if (number < MAX_PREPARED) this.#statements.set(sql, statement);
    }
    return { ...statement, values: values.map(withoutNul) };
  }
}

/** `?` as `$1`, `$2` … */
function numbered(sql: string): string {
  let number = 0;
  return sql.replace(/\?/g, () => {
    number += 1;
    return `$${number}`;
  });
}

/** PostgreSQL refuses texts with the character NUL. */
function withoutNul(value: Value): Value {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
}

/** One area in PostgreSQL. */
export class PostgresDatabase implements Database {
  readonly engine = 'postgres';
  readonly #store: PostgresStore;
  readonly #area: Area;

  constructor(store: PostgresStore, area: Area) {
    this.#store = store;
    this.#area = area;
  }

  ready(): Promise<void> {
    return this.#store.ready();
  }

  async run(sql: string, ...values: Value[]): Promise<number> {
    await this.#store.ready();
    const { rowCount } = await this.#store.query(sql, values);
    if (rowCount) this.#store.announce(this.#area);
    return rowCount ?? 0;
  }

  async get<Row>(sql: string, ...values: Value[]): Promise<Row | undefined> {
    const [row] = await this.all<Row>(sql, ...values);
    return row;
  }

  async all<Row>(sql: string, ...values: Value[]): Promise<Row[]> {
    await this.#store.ready();
    const { rows, command } = await this.#store.query(sql, values);
    if (command !== 'SELECT' && rows.length > 0) this.#store.announce(this.#area);
    return rows as Row[];
  }

  async transaction<T>(work: (queries: Transaction) => Promise<T>): Promise<T> {
    await this.#store.ready();
    const value = await this.#store.transact(work);
    this.#store.announce(this.#area);
    return value;
  }

  onOtherWrites(listener: () => void): () => void {
    return this.#store.listen(this.#area, listener);
  }
}

type Send = (sql: string, values: readonly Value[], ms?: number) => Promise<pg.QueryResult>;

class PostgresTransaction implements Transaction, Queries {
  readonly #send: Send;
  readonly #ownClock: Clock | undefined;
  #ms: number | undefined;

  /** `ownClock`: used instead of the database's clock. */
  constructor(send: Send, ownClock?: Clock) {
    this.#send = send;
    this.#ownClock = ownClock;
  }

  /** Sets the time limit of the further statements of this transaction to `ms`. */
  async allow(ms: number): Promise<void> {
    await this.#send(`SET LOCAL statement_timeout = ${ms}`, []);
    this.#ms = ms;
  }

  async run(sql: string, ...values: Value[]): Promise<number> {
    return (await this.#send(sql, values, this.#ms)).rowCount ?? 0;
  }

  async get<Row>(sql: string, ...values: Value[]): Promise<Row | undefined> {
    const [row] = await this.all<Row>(sql, ...values);
    return row;
  }

  async all<Row>(sql: string, ...values: Value[]): Promise<Row[]> {
    return (await this.#send(sql, values, this.#ms)).rows as Row[];
  }

  async lock(name: string): Promise<void> {
    await this.#send('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', [name]);
  }

  async now(): Promise<number> {
    if (this.#ownClock) return this.#ownClock.now();
    const row = await this.get<{ at: number }>(TIME);
    if (!row) throw new Error('the database did not say its time');
    return row.at;
  }
}

/** Queries that do not bring the tables up to date first. */
function queriesOf(store: PostgresStore): Queries {
  return new PostgresTransaction((sql, values) => store.query(sql, values));
}

async function requireVersion(queries: Queries): Promise<void> {
  const row = await queries.get<{ number: string; version: string }>(
    `SELECT current_setting('server_version_num') AS number, current_setting('server_version') AS version`,
  );
  if (Number(row?.number) < OLDEST_VERSION)
    throw new UnsupportedDatabase(
      `DATABASE_URL: PostgreSQL ${row?.version} is too old; Switchboard needs 13 or later.`,
    );
}
