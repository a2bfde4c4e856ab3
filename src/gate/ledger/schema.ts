import { addColumns, type Database, openDatabase } from '../../store/database.ts';

const SCHEMA = `
CREATE TABLE IF NOT EXISTS actions (
  id TEXT PRIMARY KEY, operation TEXT NOT NULL, actor_id TEXT NOT NULL, actor_name TEXT NOT NULL, surface TEXT NOT NULL,
  state TEXT NOT NULL, digest TEXT NOT NULL, input BLOB NOT NULL, shown TEXT NOT NULL, known TEXT NOT NULL, consent TEXT,
  created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, decided_by TEXT, decided_via TEXT, decided_at INTEGER,
  sent_at INTEGER, finished_at INTEGER, result TEXT, error TEXT, owner TEXT, checks INTEGER NOT NULL DEFAULT 0,
  updated_at INTEGER NOT NULL, notes TEXT NOT NULL DEFAULT '{}', once BLOB
);
CREATE INDEX IF NOT EXISTS actions_digest ON actions (digest, state);
CREATE INDEX IF NOT EXISTS actions_state ON actions (state, updated_at);
CREATE INDEX IF NOT EXISTS actions_updated ON actions (updated_at);
CREATE INDEX IF NOT EXISTS actions_once ON actions (id) WHERE once IS NOT NULL;
CREATE TABLE IF NOT EXISTS audit (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, action TEXT NOT NULL, operation TEXT NOT NULL,
  what TEXT NOT NULL, who TEXT NOT NULL, detail TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS audit_action ON audit (action);
CREATE TABLE IF NOT EXISTS vault (
  operation TEXT NOT NULL, key TEXT NOT NULL, sealed BLOB NOT NULL, known TEXT NOT NULL, expires_at INTEGER NOT NULL,
  PRIMARY KEY (operation, key)
);
CREATE TABLE IF NOT EXISTS owners (id TEXT PRIMARY KEY, pid INTEGER NOT NULL, host TEXT NOT NULL, seen_at INTEGER NOT NULL);
`;
/** Columns that files of earlier versions lack. */
const ADDED = {
  actions: { person: 'TEXT', decided_person: 'TEXT', bound: 'TEXT', proof: 'TEXT' },
  audit: { requester: 'TEXT', decider: 'TEXT', way: 'TEXT' },
};

/** Opens or creates the ledger's file. Every commit is on disk before it returns. */
export function openLedgerDatabase(path: string): Database {
  const db = openDatabase(path, SCHEMA, { durable: true });
  for (const [table, columns] of Object.entries(ADDED)) addColumns(db, table, columns);
  return db;
}
