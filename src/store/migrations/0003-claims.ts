import type { Fields } from '../../lib/json.ts';
import type { Migration, MigrationContext } from './migration.ts';

/** Rows that one step reads. */
const PAGE = 1_000;

interface EventRow {
  id: number;
  kind: string;
  subject: string;
  event: string;
  state: string;
  arrived_at: number;
}

/**
 * Events are claimed one by one, so any number of processes may handle them. Their numbers and ids are looked up in a
 * table, and what is cleaned up, counted or claimed has an index of its own. A signed-in person may have a name.
 */
export const claims: Migration = {
  number: 3,
  areas: {
    events,
    pairing: ({ addColumns }) => addColumns('sessions', { name: 'TEXT' }),
  },
};

async function events({ queries, types: { int }, addColumns }: MigrationContext): Promise<void> {
  await addColumns('events', {
    claim: `${int} NOT NULL DEFAULT 0`,
    owner: 'TEXT',
    claimed_until: `${int} NOT NULL DEFAULT 0`,
    erased: 'INTEGER NOT NULL DEFAULT 0',
  });
  for (const statement of [
    'DROP TABLE IF EXISTS lead',
    `CREATE INDEX events_claimed ON events (claimed_until) WHERE state IN ('new','failed') AND claimed_until > 0`,
    `CREATE INDEX events_waiting ON events (arrived_at) WHERE state IN ('new','failed')`,
    `CREATE INDEX events_settled ON events (settled_at) WHERE state IN ('delivered','dropped') AND erased = 0`,
    `CREATE INDEX events_order ON events (subject) WHERE kind = 'order'`,
    'CREATE INDEX events_kind ON events (kind, arrived_at)',
    // While events cannot be shown, nothing is handled before `until`, and then one event; 0: they can be shown.
    `CREATE TABLE event_pause (
      one INTEGER PRIMARY KEY CHECK (one = 1), until ${int} NOT NULL, in_order_until ${int} NOT NULL
    )`,
    `CREATE TABLE event_names (
      value TEXT NOT NULL, kind TEXT NOT NULL, arrived_at ${int} NOT NULL, event ${int} NOT NULL,
      PRIMARY KEY (value, kind, arrived_at, event)
    )`,
  ])
    await queries.run(statement);
  await fillNames(queries);
}

/** Adds what events are about, and notes which have been erased. */
async function fillNames(queries: MigrationContext['queries']): Promise<void> {
  const reports = await queries.all<{ subject: string; numbers: string }>('SELECT subject, numbers FROM told');
  const numbersOf = new Map(reports.map(({ subject, numbers }) => [subject, JSON.parse(numbers) as string[]]));
  for (let after = 0; ; ) {
    const page = await queries.all<EventRow>(
      'SELECT id, kind, subject, event, state, arrived_at FROM events WHERE id > ? ORDER BY id LIMIT ?',
      after,
      PAGE,
    );
    for (const row of page) {
      const event = JSON.parse(row.event) as Fields;
      const numbers = row.kind === 'order' ? (numbersOf.get(row.subject) ?? []) : [];
      for (const value of new Set([...namesIn(event), ...numbers]))
        await queries.run(
          'INSERT INTO event_names (value, kind, arrived_at, event) VALUES (?, ?, ?, ?)',
          value,
          row.kind,
          row.arrived_at,
          row.id,
        );
      if (['delivered', 'dropped'].includes(row.state) && JSON.stringify(event.fields) === '{}')
        await queries.run('UPDATE events SET erased = 1 WHERE id = ?', row.id);
    }
    const last = page.at(-1);
    if (!last) return;
    after = last.id;
  }
}

function namesIn({ orderId, phone, from, to, messageId, callId }: Fields): string[] {
  const all: unknown[] = [orderId, phone, from, messageId, callId, ...(Array.isArray(to) ? to : [])];
  return all.filter((value): value is string => typeof value === 'string' && value !== '');
}
