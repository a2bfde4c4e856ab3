import type { Store, Transaction } from '../../src/store/types.ts';
import { seeded } from '../support/world.ts';

/** The number and the person that are asked about, and how much stands about them in a store of any size. */
export const NUMBER = seeded(1);
export const ACTOR = 'slack:T0PLAYGROUND/U0AGENT';
const ABOUT = 20;
const MINUTE = 60_000;
const NUMBERS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < CAST(? AS BIGINT))';

const digits = (i: string) => `CAST(5550000 + (${i}) % 1000000 AS TEXT)`;
const number = `CASE WHEN i <= ${ABOUT} THEN '${NUMBER}' ELSE '+1303' || ${digits('i')} END`;
const actor = `CASE WHEN i <= ${ABOUT} THEN '${ACTOR}' ELSE 'token:t' || CAST(i % 50 AS TEXT) END`;

/** Fills a ledger with `size` actions of a year, the newest about one number and one person. */
export async function fillLedger(store: Store, size: number, now: number): Promise<void> {
  const at = `CAST(? AS BIGINT) - i * CAST(? AS BIGINT)`;
  const step = Math.floor((300 * 86_400_000) / Math.max(size, 1));
  await store.database('ledger').transaction(async (tx: Transaction) => {
    await tx.run(
      `INSERT INTO actions (id, operation, actor_id, actor_name, person, surface, state, digest, input, shown, known,
         created_at, expires_at, sent_at, finished_at, updated_at, result)
       ${NUMBERS} SELECT 'act_' || CAST(i AS TEXT), 'message_outbound', ${actor}, 'Filler', ${actor}, 'slack', 'done',
         'digest ' || CAST(i AS TEXT), CAST('' AS ${store.engine === 'postgres' ? 'BYTEA' : 'BLOB'}),
         '{"From":"' || ${number} || '"}', '{}', ${at}, ${at}, ${at}, ${at}, ${at},
         '{"MessageId":"MSG-' || CAST(i AS TEXT) || '"}' FROM n`,
      size,
      ...Array.from({ length: 5 }, () => [now - MINUTE, step]).flat(),
    );
    await tx.run(
      `INSERT INTO action_names (action, value, updated_at, places)
       SELECT id, substr(shown, 10, 12), updated_at, 1 FROM actions WHERE actor_name = 'Filler'`,
    );
    await tx.run(
      `INSERT INTO action_names (action, value, updated_at, places)
       SELECT id, 'MSG-' || substr(id, 5), updated_at, 4 FROM actions WHERE actor_name = 'Filler'`,
    );
    await tx.run(
      `INSERT INTO audit (at, action, operation, what, who, detail)
       SELECT created_at, id, operation, 'sent', actor_name, '' FROM actions WHERE actor_name = 'Filler'`,
    );
    await tx.run(
      `INSERT INTO action_totals (state, n) VALUES ('done', ?) ON CONFLICT (state) DO UPDATE SET n = excluded.n`,
      size,
    );
  });
}

/** Fills an inbox with `size` messages, the newest to one number. `open`: this many wait to be handled. */
export async function fillInbox(store: Store, size: number, now: number, open = 0): Promise<void> {
  const step = Math.floor((300 * 86_400_000) / Math.max(size, 1));
  const state = `CASE WHEN i <= CAST(? AS BIGINT) THEN 'new' ELSE 'delivered' END`;
  const at = `CAST(? AS BIGINT) - i * CAST(? AS BIGINT)`;
  await store.database('events').transaction(async (tx: Transaction) => {
    await tx.run(
      `INSERT INTO events (key, kind, subject, event, state, next_at, received_at, arrived_at, settled_at, erased)
       ${NUMBERS} SELECT 'filler ' || CAST(i AS TEXT), 'message', 'message ' || CAST(i AS TEXT),
         '{"kind":"message","name":"","key":"k","subject":"s","messageId":"MSG-' || CAST(i AS TEXT) || '","from":"+12015550199","to":["' || ${number} || '"],"text":"Hello","media":[],"fields":{"a":1}}',
         ${state}, ${at}, ${at}, ${at}, ${at}, CASE WHEN i > 1000 THEN 1 ELSE 0 END FROM n`,
      size,
      open,
      ...Array.from({ length: 4 }, () => [now - MINUTE, step]).flat(),
    );
    await tx.run(
      `INSERT INTO event_names (value, kind, arrived_at, event)
       SELECT substr(event, 94 + length(key), 12), kind, arrived_at, id FROM events WHERE kind = 'message'`,
    );
  });
}
