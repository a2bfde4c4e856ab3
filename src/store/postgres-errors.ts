import pg from 'pg';
import { storeUnavailable } from './key-values.ts';

/** "Serialization failure" and "deadlock detected": the transaction may run again. */
const RUN_AGAIN = ['40001', '40P01'];
/**
 * SQLSTATE classes and codes of a server that is away, full, too busy or read-only, and of one that refuses this
 * program or has lost its tables, for example while a password is changed or a backup is restored. `25P03` ends the
 * transaction of a process that was suspended in it.
 */
const UNAVAILABLE = ['08', '53', '57', '58', '25006', '25P03', '55P03', 'XX', '28', '3D', '42501', '42P01'];
/** Classes and codes of errors that waiting does not resolve: wrong user or password, no such database, no rights. */
const REFUSED = ['28', '3D', '3F', '42501'];
/** Messages of Node and of PostgreSQL's client for TLS errors that waiting does not resolve. */
const REFUSED_TLS = /does not support SSL|self.signed|certificate|altnames|ENOENT|wrong version number/i;

/** Thrown when Switchboard cannot work with this database at all. */
export class UnsupportedDatabase extends Error {
  override readonly name = 'UnsupportedDatabase';
}

/** True if another transaction got in the way of this one. */
export function mayRunAgain(error: unknown): boolean {
  return RUN_AGAIN.includes(codeOf(error));
}

/** True if a database answers but takes no writes: its disk is full, or it is read-only. */
export function refusesWrites(error: unknown): error is Error {
  return ['53100', '25006'].includes(codeOf(error));
}

/** True if a statement was abandoned because no answer came. */
export function stoppedAnswering(error: unknown): error is Error {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** The refusal to start on a database that does not let this program in; undefined for any other error. */
export function refused(error: unknown): UnsupportedDatabase | undefined {
  const cause = error instanceof Error && error.name === 'SwitchboardError' ? error.cause : error;
  if (!(cause instanceof Error)) return undefined;
  const code = codeOf(cause);
  const isRefused = REFUSED.some((prefix) => code.startsWith(prefix)) || REFUSED_TLS.test(cause.message);
  return isRefused
    ? new UnsupportedDatabase(`DATABASE_URL: the database cannot be used: ${cause.message}.`, { cause })
    : undefined;
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}

/** Turns an error of the server or the connection to it into `unavailable`. An error of a statement stays as it is. */
export function translated(error: unknown): unknown {
  if (!(error instanceof Error) || error.name === 'SwitchboardError') return error;
  const code = codeOf(error);
  const isStatement = /^[0-9A-Z]{5}$/.test(code) && !UNAVAILABLE.some((prefix) => code.startsWith(prefix));
  if (isStatement) return error;
  const isOurs =
    code === '' &&
    !(error instanceof pg.DatabaseError) &&
    !/connect|timeout|terminat|ended|closed|ECONN|socket/i.test(error.message);
  return isOurs ? error : storeUnavailable(error);
}
