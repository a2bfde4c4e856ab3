import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import type { Engine, Store } from '../../src/store/types.ts';
import { atEnd } from './ending.ts';
import { makeFolder } from './folder.ts';
import { openStore } from './open-store.ts';
import { isRequired } from './programs.ts';
import { execute } from './sql.ts';

/** A store that a test opened, and others on the same data. */
export interface TestStore {
  store: Store;
  /** DATABASE_URL of its schema; undefined on SQLite. */
  url: string | undefined;
  /** DATA_DIR with its files. */
  folder: string;
  /** Another process's view of the same data. `clock`: left out, the first one's. */
  open(clock?: Clock): Promise<Store>;
}

/** An empty store, which is deleted at the end. A clock other than the system's is used as it is, on PostgreSQL too. */
export async function makeStore(engine: Engine, clock: Clock = systemClock): Promise<TestStore> {
  const folder = makeFolder();
  const schema = engine === 'postgres' ? await makeSchema() : undefined;
  const opened: Store[] = [];
  const open = async (own: Clock = clock): Promise<Store> => {
    const store = openStore({
      url: schema?.url,
      path: join(folder, 'switchboard.db'),
      clock: own,
      log: () => undefined,
      ownClock: own !== systemClock,
    });
    opened.push(store);
    return store;
  };
  atEnd(async () => {
    for (const store of opened) await store.close();
    await schema?.drop();
  });
  return { store: await open(), url: schema?.url, folder, open };
}

/** Makes a schema in the run's database and returns its DATABASE_URL. */
export async function makeSchema(): Promise<{ url: string; drop: () => Promise<void> }> {
  const server = process.env.TEST_DATABASE_URL;
  if (server === undefined) throw new Error('no PostgreSQL server for the tests');
  const name = `t_${randomUUID().replaceAll('-', '')}`;
  await execute(server, `CREATE SCHEMA ${name}`);
  const url = new URL(server);
  url.searchParams.set('options', `-c search_path=${name}`);
  return { url: url.href, drop: async () => void (await execute(server, `DROP SCHEMA ${name} CASCADE`)) };
}

/** The engines of this part of the run: `vitest.config.ts` names them. */
const engines = (process.env.TEST_ENGINES ?? 'sqlite,postgres').split(',');

/** Runs the tests once for every engine. PostgreSQL is left out, and said to be, where none is installed. */
export function describeEngines(title: string, tests: (engine: Engine) => void): void {
  if (engines.includes('sqlite')) describe(`${title} (SQLite)`, () => tests('sqlite'));
  describeWithPostgres(title, () => tests('postgres'));
}

/** Runs the tests on PostgreSQL. They are left out, and said to be, where none is installed. */
export function describeWithPostgres(title: string, tests: () => void): void {
  if (!engines.includes('postgres')) {
    describe.skip(`${title} (PostgreSQL: npm run test:all)`, () => it('is left out', () => undefined));
    return;
  }
  if (process.env.TEST_DATABASE_URL !== undefined) {
    describe(`${title} (PostgreSQL)`, tests);
    return;
  }
  const why = `${title} on PostgreSQL: it is not installed`;
  if (isRequired('postgres')) {
    it(`${title} (PostgreSQL)`, () => {
      throw new Error(`${why}, and required here (CI or TEST_REQUIRE)`);
    });
    return;
  }
  process.stderr.write(`\nLEFT OUT: ${why}. Install the package postgresql to run these tests.\n`);
  describe.skip(`${title} (left out: PostgreSQL missing)`, () => it('is left out', () => undefined));
}
