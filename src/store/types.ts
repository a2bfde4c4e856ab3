import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';

/** A value of a column. Times are epoch milliseconds, as integers. */
export type Value = string | number | null | Uint8Array;

/**
 * Runs SQL that both engines understand. Values are marked `?` and never written into the text. Row locks are written
 * as PostgreSQL has them (`FOR UPDATE`, `FOR UPDATE SKIP LOCKED`); the SQLite engine leaves them out, because a
 * transaction there has the whole file.
 */
export interface Queries {
  /** Resolves to the number of rows that were inserted, changed or deleted. */
  run(sql: string, ...values: Value[]): Promise<number>;
  /** The first row, also of a statement with RETURNING. */
  get<Row>(sql: string, ...values: Value[]): Promise<Row | undefined>;
  /** All rows, also of a statement with RETURNING. */
  all<Row>(sql: string, ...values: Value[]): Promise<Row[]>;
}

/**
 * The queries of one transaction. Use only these within it: the database's own would wait for the transaction to end.
 */
export interface Transaction extends Queries {
  /**
   * Waits until no other transaction holds this name, and holds it until this one ends. Take it before reading what the
   * transaction decides on, if the rows that another one could add are not there yet to be locked.
   */
  lock(name: string): Promise<void>;
  /**
   * The time, in epoch ms, read at this moment of the transaction: the database's own on PostgreSQL, so that times that
   * several processes write and compare do not depend on their clocks.
   */
  now(): Promise<number>;
}

export type Engine = 'sqlite' | 'postgres';

/** The parts of the store, as readers of other processes' writes tell them apart. All are tables of one database. */
export type Area = 'ledger' | 'events' | 'budget' | 'watches' | 'pairing' | 'slack-events' | 'slack-seen';

/**
 * One area of the store. A failure of the database itself (away, full, too slow) rejects with a `SwitchboardError` of
 * the code `unavailable`.
 */
export interface Database extends Queries {
  /** Opens the database, and makes or raises its tables. Every query does so first; call it to learn of a refusal early. */
  ready(): Promise<void>;
  /**
   * Runs all or nothing. `work` may run again if the database rolled it back because of another transaction, so it must
   * have no effect besides its queries. It must not wait for anything but its queries. Rejects with `UnusableStore` if a
   * newer program has raised the data since this process opened it: nothing is claimed, asked or decided then.
   *
   * @param isEnd it writes how something ended that was sent before, which is true of newer data too
   */
  transaction<T>(work: (queries: Transaction) => Promise<T>, isEnd?: boolean): Promise<T>;
  /**
   * Calls the listener soon after another process has written to the area, at most once for many writes. It may also be
   * called without one. Returns a function that removes the listener.
   */
  onOtherWrites(listener: () => void): () => void;
}

/** How an installation is opened, on either engine. */
export interface StoreOptions {
  clock: Clock;
  /** Learns when the data cannot be used, and when it can again. */
  log?: Log;
  /** Runs in the transaction that first opens the data. Rejecting refuses every query. */
  onOpen?: (queries: Queries) => Promise<void>;
  /** True to replace data that is older than number 1 by empty tables. */
  replacesOldest?: boolean;
  /** Called after stored data was raised, with its number before, and the name of a copy of the file as it was. */
  onRaised?: (from: number, copy?: string) => void;
}

/** All areas of an installation, on one engine. */
export interface Store {
  /**
   * The time of the store: the database's on PostgreSQL, so that processes whose clocks differ agree; the given clock
   * on SQLite.
   */
  readonly clock: Clock;
  /** Resolves when a query was refused because the data is of another program. The process has to stop. */
  readonly refused: Promise<void>;
  database(area: Area): Database;
  /**
   * Checks with a trivial query that the database answers. Rejects with `unavailable` while it is away, or while it
   * cannot be written to: PostgreSQL refused the last write, or SQLite's disk is full or read-only.
   */
  check(): Promise<void>;
  /**
   * Reads the number of the stored data, without opening or changing it: 0 if there is none yet, undefined if it is older
   * than number 1. Rejects with `unavailable` while the database is away.
   */
  number(): Promise<number | undefined>;
  close(): Promise<void>;
}
