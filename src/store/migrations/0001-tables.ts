import type { Migration, MigrationContext } from './migration.ts';

/**
 * The first tables. Files of versions before migrations have most of them: what is there stays, and columns that were
 * added later are added now.
 */
export const tables: Migration = {
  number: 1,
  areas: {
    ledger,
    events,
    budget,
    watches,
    pairing,
    'slack-events': slackEvents,
    'slack-seen': async ({ queries, types }) => {
      await queries.run(`CREATE TABLE IF NOT EXISTS seen (key TEXT PRIMARY KEY, until ${types.int} NOT NULL)`);
    },
  },
};

async function ledger({ queries, types: { int, bytes, serial }, addColumns }: MigrationContext): Promise<void> {
  await runAll(queries, [
    `CREATE TABLE IF NOT EXISTS actions (
      id TEXT PRIMARY KEY, operation TEXT NOT NULL, actor_id TEXT NOT NULL, actor_name TEXT NOT NULL, surface TEXT NOT NULL,
      state TEXT NOT NULL, digest TEXT NOT NULL, input ${bytes} NOT NULL, shown TEXT NOT NULL, known TEXT NOT NULL,
      consent TEXT, created_at ${int} NOT NULL, expires_at ${int} NOT NULL, decided_by TEXT, decided_via TEXT,
      decided_at ${int}, sent_at ${int}, finished_at ${int}, result TEXT, error TEXT, owner TEXT,
      checks INTEGER NOT NULL DEFAULT 0, updated_at ${int} NOT NULL, notes TEXT NOT NULL DEFAULT '{}', once ${bytes}
    )`,
    'CREATE INDEX IF NOT EXISTS actions_digest ON actions (digest, state)',
    'CREATE INDEX IF NOT EXISTS actions_state ON actions (state, updated_at)',
    'CREATE INDEX IF NOT EXISTS actions_updated ON actions (updated_at)',
    'CREATE INDEX IF NOT EXISTS actions_once ON actions (id) WHERE once IS NOT NULL',
    'CREATE INDEX IF NOT EXISTS actions_operation ON actions (operation, state)',
    `CREATE TABLE IF NOT EXISTS audit (
      seq ${serial}, at ${int} NOT NULL, action TEXT NOT NULL, operation TEXT NOT NULL, what TEXT NOT NULL,
      who TEXT NOT NULL, detail TEXT NOT NULL
    )`,
    'CREATE INDEX IF NOT EXISTS audit_action ON audit (action)',
    `CREATE TABLE IF NOT EXISTS vault (
      operation TEXT NOT NULL, key TEXT NOT NULL, sealed ${bytes} NOT NULL, known TEXT NOT NULL,
      expires_at ${int} NOT NULL, PRIMARY KEY (operation, key)
    )`,
    `CREATE TABLE IF NOT EXISTS owners (
      id TEXT PRIMARY KEY, pid INTEGER NOT NULL, host TEXT NOT NULL, seen_at ${int} NOT NULL
    )`,
    `CREATE TABLE IF NOT EXISTS outcomes (
      action TEXT PRIMARY KEY, written_at ${int}, not_done_at ${int}, not_done_saw TEXT, saw TEXT,
      look_at ${int} NOT NULL DEFAULT 0, looks INTEGER NOT NULL DEFAULT 0, error TEXT
    )`,
  ]);
  await addColumns('actions', {
    person: 'TEXT',
    decided_person: 'TEXT',
    bound: 'TEXT',
    proof: 'TEXT',
    full_digest: `TEXT NOT NULL DEFAULT ''`,
  });
  await queries.run('CREATE INDEX IF NOT EXISTS actions_full_digest ON actions (full_digest, state)');
  await addColumns('audit', { requester: 'TEXT', decider: 'TEXT', way: 'TEXT' });
}

async function events({ queries, types: { int, bytes, serial }, addColumns }: MigrationContext): Promise<void> {
  await runAll(queries, [
    `CREATE TABLE IF NOT EXISTS events (
      id ${serial}, key TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, subject TEXT NOT NULL, event TEXT NOT NULL,
      state TEXT NOT NULL DEFAULT 'new', attempts INTEGER NOT NULL DEFAULT 0, waits INTEGER NOT NULL DEFAULT 0,
      next_at ${int} NOT NULL, reason TEXT NOT NULL DEFAULT '', repeats INTEGER NOT NULL DEFAULT 0,
      again INTEGER NOT NULL DEFAULT 0, handled TEXT NOT NULL DEFAULT '[]', received_at ${int} NOT NULL,
      arrived_at ${int} NOT NULL, settled_at ${int}
    )`,
    `CREATE INDEX IF NOT EXISTS events_open ON events (subject, id) WHERE state IN ('new','failed')`,
    `CREATE INDEX IF NOT EXISTS events_next ON events (next_at, id) WHERE state IN ('new','failed')`,
    `CREATE INDEX IF NOT EXISTS events_dead ON events (id) WHERE state = 'dead'`,
    'CREATE INDEX IF NOT EXISTS events_arrived ON events (arrived_at)',
    `CREATE TABLE IF NOT EXISTS told (
      subject TEXT PRIMARY KEY, status TEXT NOT NULL, message TEXT NOT NULL, at ${int} NOT NULL,
      numbers TEXT NOT NULL DEFAULT '[]'
    )`,
    `CREATE TABLE IF NOT EXISTS tallies (
      what TEXT NOT NULL, label TEXT NOT NULL, count ${int} NOT NULL, last_at ${int} NOT NULL, PRIMARY KEY (what, label)
    )`,
    `CREATE TABLE IF NOT EXISTS lead (
      one INTEGER PRIMARY KEY CHECK (one = 1), owner TEXT NOT NULL, pid INTEGER NOT NULL, host TEXT NOT NULL,
      until ${int} NOT NULL
    )`,
    `CREATE TABLE IF NOT EXISTS registrations (
      id TEXT PRIMARY KEY, url TEXT NOT NULL, account TEXT, webhook TEXT, sealed ${bytes} NOT NULL,
      created_at ${int} NOT NULL, orphaned INTEGER NOT NULL DEFAULT 0
    )`,
  ]);
  await addColumns('told', { numbers: `TEXT NOT NULL DEFAULT '[]'` });
  await addColumns('registrations', { platform: 'TEXT', parts: 'TEXT' });
}

async function budget({ engine, queries, types: { int } }: MigrationContext): Promise<void> {
  await queries.run(
    `CREATE TABLE IF NOT EXISTS places (id TEXT PRIMARY KEY, lane TEXT NOT NULL, free_at ${int} NOT NULL)`,
  );
  await queries.run('CREATE INDEX IF NOT EXISTS places_lane ON places (lane, free_at)');
  if (engine === 'postgres') return;
  // Earlier versions counted the places with triggers.
  await runAll(queries, ['DROP TRIGGER IF EXISTS taken', 'DROP TRIGGER IF EXISTS freed', 'DROP TABLE IF EXISTS lanes']);
}

async function watches({ queries, types: { int } }: MigrationContext): Promise<void> {
  await runAll(queries, [
    `CREATE TABLE IF NOT EXISTS watches (
      phone TEXT PRIMARY KEY, by TEXT NOT NULL, next_at ${int} NOT NULL, checked_at ${int},
      alone INTEGER NOT NULL DEFAULT 0, started_at ${int} NOT NULL, told INTEGER NOT NULL DEFAULT 0,
      used TEXT NOT NULL DEFAULT '', remaining TEXT NOT NULL DEFAULT '', behaviour TEXT NOT NULL DEFAULT '',
      status TEXT NOT NULL DEFAULT '', level INTEGER NOT NULL DEFAULT 0
    )`,
    `CREATE TABLE IF NOT EXISTS looker (
      one INTEGER PRIMARY KEY CHECK (one = 1), seen_at ${int} NOT NULL, looked_at ${int} NOT NULL DEFAULT 0
    )`,
  ]);
}

async function pairing({ queries, types: { int }, addColumns }: MigrationContext): Promise<void> {
  await runAll(queries, [
    `CREATE TABLE IF NOT EXISTS keys (digest TEXT PRIMARY KEY, expires_at ${int} NOT NULL)`,
    `CREATE TABLE IF NOT EXISTS sessions (
      digest TEXT PRIMARY KEY, person TEXT NOT NULL, proof TEXT NOT NULL, expires_at ${int} NOT NULL
    )`,
    `CREATE TABLE IF NOT EXISTS servers (url TEXT PRIMARY KEY, pid INTEGER NOT NULL, started_at ${int} NOT NULL)`,
  ]);
  await addColumns('servers', { proof: 'TEXT' });
  await addColumns('sessions', { name: 'TEXT', seal: 'TEXT' });
}

/*
 * Tables of earlier versions keep their names: `said` is what a message shows, `doubts` has unconfirmed posts, and `told`
 * the users who were notified. `asked` is the channel as the settings named it.
 */
async function slackEvents({ queries, types: { int }, addColumns }: MigrationContext): Promise<void> {
  await runAll(queries, [
    `CREATE TABLE IF NOT EXISTS threads (
      key TEXT PRIMARY KEY, channel TEXT NOT NULL, ts TEXT NOT NULL, said TEXT NOT NULL, at ${int} NOT NULL
    )`,
    'CREATE TABLE IF NOT EXISTS doubts (name TEXT PRIMARY KEY, key TEXT NOT NULL, doubt TEXT NOT NULL)',
    `CREATE TABLE IF NOT EXISTS outage (
      one INTEGER PRIMARY KEY CHECK (one = 1), channel TEXT NOT NULL, reason TEXT NOT NULL, since ${int} NOT NULL,
      told TEXT NOT NULL DEFAULT '[]'
    )`,
  ]);
  await addColumns('threads', { asked: 'TEXT' });
}

async function runAll(queries: MigrationContext['queries'], statements: readonly string[]): Promise<void> {
  for (const statement of statements) await queries.run(statement);
}
