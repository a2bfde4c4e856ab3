import type { Queries, Value } from '../store/types.ts';
import { FIRST, type LastReport, OPEN, PARKED, type Row, TURN } from './inbox-schema.ts';
import { addNames, moveNames, type Name, namesOf } from './names.ts';
import type { OrderEvent, PlatformEvent } from './parse.ts';
import type { Receipt, Writing } from './write-queue.ts';

/** Rows of one statement. */
const ROWS = 64;

/** An event with a key that any database can index. */
interface Delivery {
  event: PlatformEvent;
  key: string;
  subject: string;
  /** Its index among the events that are stored together. */
  at: number;
}

interface Inserted {
  id: number;
  key: string;
  at: number;
}

/** Stores events that arrived together, each once. Events of one subject keep their order of arrival. */
export async function storeDeliveries(
  writing: Writing,
  events: readonly PlatformEvent[],
  now: number,
): Promise<Receipt[]> {
  const deliveries = events.map((event, at) => ({ event, at, key: event.key, subject: event.subject }));
  const receipts: Receipt[] = events.map(() => 'repeat');
  const added: (Delivery & { id: number })[] = [];
  for (let from = 0; from < deliveries.length; from += ROWS) {
    const rows = deliveries.slice(from, from + ROWS);
    const { sql, values } = insertion(rows, now);
    const stored = await writing.queries.all<Inserted>(sql, ...values);
    const inserted = new Map(stored.map((row) => [row.key, row]));
    for (const delivery of rows) {
      const row = inserted.get(delivery.key);
      // A second delivery with the same key is a repeat of the first.
      inserted.delete(delivery.key);
      if (!row) continue;
      receipts[delivery.at] = 'new';
      writing.count('received', delivery.event.kind);
      added.push({ ...delivery, id: row.id });
      if (row.at === PARKED) writing.subjects.add(delivery.subject);
    }
  }
  if (added.length > 0) writing.leavesWork = true;
  await parkLater(writing, added);
  await addNames(writing.queries, await namesOfAll(writing, added, now));
  for (const delivery of deliveries) if (receipts[delivery.at] === 'repeat') await repeat(writing, delivery, now);
  return receipts;
}

/**
 * Stores events and their names with one statement outside a transaction. On PostgreSQL this saves three of four
 * messages to the server. Resolves to undefined, with nothing stored, if these events need a transaction.
 */
export async function storeAtOnce(
  writing: Writing,
  events: readonly PlatformEvent[],
  now: number,
): Promise<Receipt[] | undefined> {
  const subjects = new Set(events.map(({ subject }) => subject));
  const names = events.flatMap((event) => namesOf(event).map((value): Value[] => [event.key, value, event.kind]));
  const isSimple = events.length <= ROWS && subjects.size === events.length && names.length > 0;
  if (!isSimple || events.some(({ kind }) => kind === 'order')) return undefined;
  const rows = events.map((event, at) => ({ event, at, key: event.key, subject: event.subject }));
  const insert = insertion(rows, now);
  const inserted = await writing.queries.all<Inserted>(
    `WITH added AS (${insert.sql}), named AS (
       INSERT INTO event_names (value, kind, arrived_at, event)
         SELECT n.column2, n.column3, CAST(? AS BIGINT), added.id
           FROM (VALUES ${names.map(() => '(?, ?, ?)').join(', ')}) AS n JOIN added ON added.key = n.column1
         ON CONFLICT DO NOTHING)
     SELECT id, key, at FROM added`,
    ...insert.values,
    now,
    ...names.flat(),
  );
  const byKey = new Map(inserted.map((row) => [row.key, row]));
  return rows.map(({ event, key, subject }) => {
    const row = byKey.get(key);
    // A second delivery with the same key is a repeat of the first.
    byKey.delete(key);
    if (!row) return 'repeat';
    writing.count('received', event.kind);
    writing.leavesWork = true;
    if (row.at === PARKED) writing.subjects.add(subject);
    return 'new';
  });
}

/** Counts deliveries of events that were stored before. */
export async function storeRepeats(writing: Writing, events: readonly PlatformEvent[], now: number): Promise<void> {
  for (const [at, event] of events.entries())
    await repeat(writing, { event, key: event.key, subject: event.subject, at }, now);
}

/**
 * The statement has one subquery for all rows, because PostgreSQL plans each subquery. It has no EXISTS, because
 * PostgreSQL would then read every open event.
 */
function insertion(rows: readonly Delivery[], now: number): { sql: string; values: Value[] } {
  return {
    sql: `INSERT INTO events (key, kind, subject, event, next_at, received_at, arrived_at)
       SELECT v.column1, v.column2, v.column3, v.column4,
         CASE WHEN (SELECT o.id FROM events o WHERE o.subject = v.column3 AND o.state IN ('new','failed') ORDER BY o.id LIMIT 1)
           IS NOT NULL THEN ${PARKED} ELSE CAST(? AS BIGINT) END, CAST(? AS BIGINT), CAST(? AS BIGINT)
       FROM (VALUES ${rows.map(() => '(?, ?, ?, ?)').join(', ')}) AS v WHERE true
       ON CONFLICT (key) DO NOTHING RETURNING id, key, next_at AS at`,
    values: [
      ...[now, now, now],
      ...rows.flatMap(({ event, key, subject }): Value[] => [key, event.kind, subject, JSON.stringify(event)]),
    ],
  };
}

/** Parks all but the first event of each subject among those that were stored together. */
async function parkLater(writing: Writing, added: readonly (Delivery & { id: number })[]): Promise<void> {
  const subjects = new Set<string>();
  const later: number[] = [];
  for (const { subject, id } of added) {
    if (subjects.has(subject)) later.push(id);
    subjects.add(subject);
  }
  for (let at = 0; at < later.length; at += ROWS) {
    const ids = later.slice(at, at + ROWS);
    await writing.queries.run(
      `UPDATE events SET next_at = ${PARKED} WHERE id IN (${ids.map(() => '?').join(', ')})`,
      ...ids,
    );
  }
}

async function namesOfAll(
  writing: Writing,
  added: readonly (Delivery & { id: number })[],
  now: number,
): Promise<Name[]> {
  const names: Name[] = [];
  for (const { event, subject, id } of added) {
    const numbers = event.kind === 'order' ? (await readReport(writing, subject))?.numbers : undefined;
    for (const value of new Set([...namesOf(event), ...(numbers ?? [])]))
      names.push({ value, kind: event.kind, arrivedAt: now, id });
  }
  return names;
}

async function repeat(writing: Writing, { event, key, subject }: Delivery, now: number): Promise<void> {
  await writing.queries.run('UPDATE events SET repeats = repeats + 1 WHERE key = ?', key);
  writing.count('repeated', event.kind);
  if (event.kind === 'order') await openAgain(writing, key, await readReport(writing, subject), { event, now });
}

/**
 * Opens a repeated order event again. A corrected order passes the same states a second time, and (order, status) is
 * one key. If the last report is of another state, the order is read again, and the event is shown only if the order
 * has changed.
 */
async function openAgain(
  writing: Writing,
  key: string,
  last: LastReport | undefined,
  { event, now }: { event: OrderEvent; now: number },
): Promise<void> {
  if (!last || (last.status === event.status && (event.message === '' || last.message === event.message))) return;
  const row = await writing.queries.get<Row>(
    `SELECT * FROM events WHERE key = ? AND state IN ('delivered','dead','dropped') FOR UPDATE`,
    key,
  );
  if (!row) return;
  await writing.queries.run(
    `UPDATE events AS e SET state = 'new', again = 1, attempts = 0, waits = 0, handled = '[]', reason = '', event = ?,
       erased = 0, next_at = ${TURN}, arrived_at = ?, settled_at = NULL WHERE id = ?`,
    JSON.stringify(event),
    now,
    now,
    row.id,
  );
  await moveNames(writing.queries, row, [...namesOf(event), ...(last.numbers ?? [])], now);
  writing.subjects.add(row.subject);
  writing.leavesWork = true;
}

/** The last report that people were shown about a subject. */
export async function readReport({ queries }: { queries: Queries }, subject: string): Promise<LastReport | undefined> {
  const row = await queries.get<{ status: string; message: string; numbers: string }>(
    'SELECT status, message, numbers FROM told WHERE subject = ?',
    subject,
  );
  return row && { ...row, numbers: JSON.parse(row.numbers) as string[] };
}

/**
 * Releases parked events without an open predecessor. An older version or an interrupted process may leave such events.
 */
export const RELEASE = `UPDATE events AS e SET next_at = CASE WHEN arrived_at < ? THEN arrived_at ELSE ? END
  WHERE ${OPEN} AND next_at = ${PARKED} AND ${FIRST}`;

/**
 * Releases the first open event of each subject. It is due since its arrival, so that a backlog of many subjects is
 * handled in order of arrival. Resolves to the number of released events. The statement does not test for open events,
 * because every parked event is open. That test, or `next_at` without the plus, would make PostgreSQL read the index of
 * all waiting events.
 */
export async function releaseFirst(queries: Queries, subjects: readonly string[], now: number): Promise<number> {
  const first = `(SELECT min(id) FROM events WHERE subject = ? AND ${OPEN})`;
  let released = 0;
  for (let at = 0; at < subjects.length; at += ROWS) {
    const some = subjects.slice(at, at + ROWS);
    released += await queries.run(
      `UPDATE events SET next_at = CASE WHEN arrived_at < ? THEN arrived_at ELSE ? END
         WHERE +next_at = ${PARKED} AND id IN (${some.map(() => first).join(', ')})`,
      now,
      now,
      ...some,
    );
  }
  return released;
}
