import pg from 'pg';
import { FETCH_MS } from '../lib/durations.ts';

/** Maximum number of connections of one process, unless the URL has `max`. */
const MAX_CONNECTIONS = 10;

/** The URL with a search path. Options that it has stay. */
export function inSchema(url: string, schema: string): string {
  const own = new URL(url);
  const options = own.searchParams.get('options');
  own.searchParams.set('options', `${options === null ? '' : `${options} `}-c search_path=${schema}`);
  return own.href;
}

/** Reads integers as numbers: times, counts and ids do not exceed 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (id, format) =>
    id === pg.types.builtins.INT8 ? (text: string) => Number(text) : pg.types.getTypeParser(id, format),
};

/** The options of the pool, from the URL and the defaults of this program. */
export function poolOptions(url: string): pg.PoolConfig {
  const { searchParams } = new URL(url);
  const number = (name: string, otherwise: number) => Number(searchParams.get(name) ?? otherwise) || otherwise;
  const statementMs = number('statement_timeout', FETCH_MS);
  return {
    connectionString: url,
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
    types,
  };
}
