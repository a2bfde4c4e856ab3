import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { program } from './programs.ts';
import { execute } from './sql.ts';

/** A PostgreSQL server that tests started. */
export interface PostgresServer {
  /** The address for a superuser without a password, on loopback. */
  url: string;
  port: number;
  folder: string;
  /** Creates one more database and returns its DATABASE_URL. */
  database(): Promise<string>;
  /** The pid of the postmaster. */
  pid(): number;
  /** Stops it as a crash would (`immediate`) or in order (`fast`). */
  stop(mode?: 'immediate' | 'fast'): void;
  /** Starts it again on the same port, after `stop`. */
  start(): void;
  /** Stops it and deletes its files. */
  remove(): void;
}

/** The folder of PostgreSQL's server programs; undefined where none is installed. */
export function postgresPrograms(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const found = versions.map((version) => join(debian, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb')));
  if (found !== undefined) return found;
  const initdb = program('initdb');
  return initdb?.replace(/\/initdb$/, '');
}

/** Creates a cluster in a temporary folder and starts it on 127.0.0.1. Its server never runs as root. */
export async function startPostgres(settings: Readonly<Record<string, string>> = {}): Promise<PostgresServer> {
  const bin = postgresPrograms();
  if (bin === undefined) throw new Error('PostgreSQL is not installed');
  const folder = mkdtempSync(join(tmpdir(), 'switchboard-pg-'));
  const port = await freePort();
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chmodSync(folder, 0o777);
  const run = (name: string, args: readonly string[]) =>
    isRoot
      ? execFileSync('runuser', ['-u', 'postgres', '--', join(bin, name), ...args], { stdio: 'pipe', cwd: folder })
      : execFileSync(join(bin, name), args, { stdio: 'pipe', cwd: folder });
  const data = join(folder, 'data');
  run('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync']);
  const options = Object.entries({ max_connections: '200', ...settings })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
  const start = () =>
    void run('pg_ctl', [
      ...['-D', data, '-l', join(folder, 'log'), '-w', '-t', '30'],
      ...['-o', `-p ${port} -c listen_addresses=127.0.0.1 -k ${folder} ${options}`, 'start'],
    ]);
  const stop = (mode: 'immediate' | 'fast' = 'fast') => void run('pg_ctl', ['-D', data, '-m', mode, '-w', 'stop']);
  start();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  return {
    url,
    port,
    folder,
    database: async () => {
      const name = `db_${randomUUID().replaceAll('-', '')}`;
      await execute(url, `CREATE DATABASE ${name}`);
      return `postgres://postgres@127.0.0.1:${port}/${name}`;
    },
    pid: () => Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]),
    stop,
    start,
    remove: () => {
      try {
        stop('immediate');
      } catch {
        // A test has stopped it.
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
