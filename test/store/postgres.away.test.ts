import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/lib/clock.ts';
import { isStoreUnavailable, UnusableStore } from '../../src/store/key-values.ts';
import { PostgresStore } from '../../src/store/postgres.ts';
import { atEnd } from '../support/ending.ts';
import { execute } from '../support/sql.ts';
import { describeWithPostgres, makeStore } from '../support/stores.ts';
import { until } from '../support/until.ts';

function open(url: string): PostgresStore {
  const store = new PostgresStore({ url, clock: systemClock });
  atEnd(() => store.close());
  return store;
}

/** A message of PostgreSQL's protocol. */
function message(type: string, body: Buffer | string): Buffer {
  const bytes = Buffer.from(body);
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(bytes.length + 4, 1);
  return Buffer.concat([head, bytes]);
}

/** A server that lets in and says good-bye in one packet, as one does that ends all its connections. */
async function closingServer(): Promise<{ url: string; connections: () => number }> {
  let connections = 0;
  const hello = [message('R', Buffer.alloc(4)), message('Z', 'I')];
  const end = message('E', 'SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0');
  const server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(Buffer.concat([...hello, end])));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `postgres://x@127.0.0.1:${port}/x`, connections: () => connections };
}

it('survives a connection that is ended in the moment it is made', async () => {
  const uncaught: unknown[] = [];
  const note = (error: unknown) => void uncaught.push(error);
  process.on('uncaughtException', note);
  atEnd(() => process.off('uncaughtException', note));
  const server = await closingServer();
  const store = open(server.url);
  for (let n = 0; n < 3; n += 1) {
    const failure: unknown = await store.transact(async (tx) => tx.now()).catch((error: unknown) => error);
    expect(isStoreUnavailable(failure)).toBe(true);
    expect(isStoreUnavailable(await store.check().catch((error: unknown) => error))).toBe(true);
  }
  await until(() => server.connections() >= 6);
  expect(uncaught).toEqual([]);
});

describeWithPostgres('a database that does not let the program in', () => {
  it('says what it refuses: TLS, the database, a certificate that is not there', async () => {
    const made = await makeStore('postgres');
    const changed = (change: (url: URL) => void) => {
      const url = new URL(made.url ?? '');
      change(url);
      return open(url.href).ready();
    };
    await expect(changed((url) => url.searchParams.set('sslmode', 'verify-full'))).rejects.toThrow(/SSL/);
    await expect(
      changed((url) => {
        url.pathname = '/no_such_database';
      }),
    ).rejects.toThrow(/^DATABASE_URL: .*no_such_database/);
    await expect(changed((url) => url.searchParams.set('sslrootcert', '/no/such.pem'))).rejects.toThrow(UnusableStore);
    for (const [name, value] of [['statement_timeout', '-1'] as const, ['options', '-c no_such=1'] as const])
      await expect(changed((url) => url.searchParams.set(name, value))).rejects.toThrow(
        /^DATABASE_URL: .*no_such|-1 ms/,
      );
  });

  it('needs a database that stores every text', async () => {
    const server = process.env.TEST_DATABASE_URL ?? '';
    await execute(server, 'DROP DATABASE IF EXISTS in_latin1');
    await execute(server, "CREATE DATABASE in_latin1 ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'");
    const url = new URL(server);
    url.pathname = '/in_latin1';
    await expect(open(url.href).ready()).rejects.toThrow(/encoding of the database is LATIN1.*UTF8/);
  });
});

describeWithPostgres('a database that answers and takes no writes', () => {
  it('is reported until a write succeeds again', async () => {
    const made = await makeStore('postgres');
    await made.store.database('ledger').ready();
    const url = new URL(made.url ?? '');
    url.searchParams.set('options', `${url.searchParams.get('options')} -c default_transaction_read_only=on`);
    const store = new PostgresStore({ url: url.href, clock: systemClock, log: () => undefined, ownClock: true });
    atEnd(() => store.close());
    await store.check();
    const insert = `INSERT INTO watches (phone, by, started_at) VALUES ('a', 'proof', 1)`;
    const failure: unknown = await store.query(insert, []).catch((error: unknown) => error);
    expect(isStoreUnavailable(failure)).toBe(true);
    await expect(store.check()).rejects.toThrow();
    await store.query('SET default_transaction_read_only = off', []);
    await store.query(insert, []);
    await store.check();
  });
});

describeWithPostgres('a process that is suspended within a transaction', () => {
  it('makes a statement that waits for its lock wait, not fail; its own transaction was undone', async () => {
    const made = await makeStore('postgres');
    const url = new URL(made.url ?? '');
    url.searchParams.set('statement_timeout', '2000');
    const [suspended, other] = [open(url.href), open(url.href)];
    await Promise.all([suspended.ready(), other.ready()]);
    const insert = `INSERT INTO watches (phone, by, started_at) VALUES ('a', 'proof', 1)`;
    let resume: (() => void) | undefined;
    const resumed = new Promise<void>((resolve) => {
      resume = resolve;
    });
    atEnd(() => resume?.());
    let holds = false;
    const undone = suspended
      .transact(async (tx) => {
        await tx.lock('a name');
        await tx.run(insert);
        holds = true;
        await resumed;
        await tx.run(insert);
      })
      .catch((error: unknown) => error);
    await until(() => holds);
    await other.transact(async (tx) => {
      await tx.lock('a name');
      expect(await tx.all('SELECT 1 FROM watches')).toEqual([]);
    });
    resume?.();
    expect(isStoreUnavailable(await undone)).toBe(true);
  });
});
