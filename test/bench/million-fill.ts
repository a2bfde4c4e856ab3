import { SqliteStore } from '../../src/store/sqlite.ts';
import type { Database, Store } from '../../src/store/types.ts';
import { seeded } from '../support/seed.ts';

/** The number and the person of the queries, and how many rows are about them in a store of any size. */
export const NUMBER = seeded(1);
export const ACTOR = 'slack:T0PLAYGROUND/U0AGENT';
const ABOUT = 20;
const MINUTE = 60_000;
const DAY = 86_400_000;
/** Rows of one statement. */
const STEP = 50_000;

const NUMBERS =
  'WITH RECURSIVE n(i) AS (SELECT CAST(? AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < CAST(? AS BIGINT))';
const numberOf = (i: string) =>
  `CASE WHEN ${i} <= ${ABOUT} THEN '${NUMBER}' ELSE '+1303' || CAST(5550000 + (${i}) % 1000000 AS TEXT) END`;
const ACTORS = `CASE WHEN i <= ${ABOUT} THEN '${ACTOR}' ELSE 'token:t' || CAST(i % 50 AS TEXT) END`;

/**
 * The rows of a filled store. Row `i`, from 1, is dated `i` steps before `newest`; the first rows are a second apart.
 */
export class Filling {
  readonly #size: number;
  readonly #newest: number;
  readonly #step: number;

  /** @param days over which the rows are spread */
  constructor(size: number, days: number) {
    this.#size = size;
    this.#newest = Date.now() - MINUTE;
    this.#step = Math.floor((days * DAY) / size);
  }

  /** A time (epoch ms) before which there are `n` rows. */
  before(n: number): number {
    return Math.floor(this.#newest - (this.#size - n + 0.5) * this.#step);
  }

  /** When row `i` is dated, as SQL. */
  get at(): string {
    return `(${this.#newest} - CASE WHEN i <= ${ABOUT} THEN i * 1000 ELSE i * CAST(${this.#step} AS BIGINT) END)`;
  }

  /** Runs a statement for every row. It starts with `NUMBERS`. */
  async each(database: Database, sql: string): Promise<void> {
    for (let from = 1; from <= this.#size; from += STEP)
      await database.run(sql, from, Math.min(from + STEP - 1, this.#size));
  }
}

/** Fills a ledger with actions of 300 days, the newest about one number and by one person. */
export async function fillLedger(store: Store, size: number): Promise<Filling> {
  const ledger = store.database('ledger');
  const rows = new Filling(size, 300);
  const { at } = rows;
  const empty = `CAST('' AS ${store instanceof SqliteStore ? 'BLOB' : 'BYTEA'})`;
  await rows.each(
    ledger,
    `INSERT INTO actions (id, operation, actor_id, actor_name, person, surface, state, digest, input, shown, known,
       created_at, expires_at, sent_at, finished_at, updated_at, result)
     ${NUMBERS} SELECT 'act_' || CAST(i AS TEXT), 'message_outbound', ${ACTORS}, 'Filler', ${ACTORS}, 'slack', 'done',
       'digest ' || CAST(i AS TEXT), ${empty}, '{"From":"' || ${numberOf('i')} || '"}', '{}', ${at}, ${at}, ${at}, ${at},
       ${at}, '{"MessageId":"MSG-' || CAST(i AS TEXT) || '"}' FROM n`,
  );
  for (const [value, places] of [
    [numberOf('i'), 1],
    [`'MSG-' || CAST(i AS TEXT)`, 4],
  ] as const)
    await rows.each(
      ledger,
      `INSERT INTO action_names (action, value, updated_at, places)
       ${NUMBERS} SELECT 'act_' || CAST(i AS TEXT), ${value}, ${at}, ${places} FROM n`,
    );
  await rows.each(
    ledger,
    `INSERT INTO audit (seq, at, action, operation, what, who, detail, prev, hash)
     ${NUMBERS} SELECT i + 1, ${at}, 'act_' || CAST(i AS TEXT), 'message_outbound', 'sent', 'Filler', '', '', '' FROM n`,
  );
  return rows;
}

/** Fills an inbox with messages of 29 days that were shown, the newest to one number. */
export async function fillInbox(store: Store, size: number): Promise<Filling> {
  const inbox = store.database('events');
  const rows = new Filling(size, 29);
  const { at } = rows;
  await rows.each(
    inbox,
    `INSERT INTO events (key, kind, subject, event, arrived_at, settled_at)
     ${NUMBERS} SELECT 'filler ' || CAST(i AS TEXT), 'message', 'message ' || CAST(i AS TEXT),
       '{"kind":"message","name":"","key":"k","subject":"s","messageId":"MSG-' || CAST(i AS TEXT)
         || '","direction":"inbound","from":"+12015550199","to":["' || ${numberOf('i')}
         || '"],"text":"Hello","status":"","media":[],"fields":{"a":1}}',
       ${at}, ${at} FROM n`,
  );
  const i = 'CAST(substr(key, 8) AS BIGINT)';
  for (const value of [numberOf(i), `'MSG-' || substr(key, 8)`])
    await inbox.run(`INSERT INTO event_names (value, event) SELECT ${value}, id FROM events WHERE key LIKE 'filler %'`);
  return rows;
}
