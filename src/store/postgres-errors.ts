import pg from 'pg';
import { storeUnavailable, UnusableStore } from './key-values.ts';

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

/** True if an error has one of these codes, or a code that begins with one of them. */
export function hasCode(error: unknown, codes: readonly string[]): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && codes.some((prefix) => code.startsWith(prefix));
}

/** The refusal to start on a database that does not let this program in; undefined for any other error. */
export function refused(error: unknown): UnusableStore | undefined {
  const cause = error instanceof Error && error.name === 'SwitchboardError' ? error.cause : error;
  if (!(cause instanceof Error) || !(hasCode(cause, REFUSED) || REFUSED_TLS.test(cause.message))) return undefined;
  return new UnusableStore(`DATABASE_URL: the database cannot be used: ${cause.message}.`, cause);
}

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
