import { missingFrom } from '../lib/lists.ts';
import type { Queries, Value } from '../store/types.ts';
import type { EventKind, PlatformEvent } from './parse.ts';

/** An event under one of the numbers and ids that it is about. */
export interface Name {
  value: string;
  kind: EventKind;
  arrivedAt: number;
  id: number;
}

/** Rows of one statement. */
const ROWS = 64;
/** Of several names, the one with the fewest events is looked up. At most this many events of a name are counted. */
const MAX_COUNTED = 1_000;
/** A longer text is neither a number nor an id. */
const MAX_NAME = 200;

/** The numbers and ids that an event is about: its sender, its receivers, its order. The text of a message does not count. */
export function namesOf(event: PlatformEvent): string[] {
  return [...new Set(allOf(event))].filter((value) => value !== '' && value.length <= MAX_NAME);
}

function allOf(event: PlatformEvent): string[] {
  switch (event.kind) {
    case 'order':
      return [event.orderId, ...(event.read?.numbers ?? [])];
    case 'message':
    case 'status':
      return [event.from, ...event.to, event.messageId];
    case 'call':
      return [event.from, event.to, event.callId];
    case 'watch':
      return [event.phone];
    default:
      return [];
  }
}

/** Makes events findable under their names. */
export async function addNames(queries: Queries, names: readonly Name[]): Promise<void> {
  for (let at = 0; at < names.length; at += ROWS) {
    const rows = names.slice(at, at + ROWS);
    await queries.run(
      `INSERT INTO event_names (value, kind, arrived_at, event) VALUES ${rows.map(() => '(?, ?, ?, ?)').join(', ')}
         ON CONFLICT DO NOTHING`,
      ...rows.flatMap(({ value, kind, arrivedAt, id }) => [value, kind, arrivedAt, id]),
    );
  }
}

async function removeName(queries: Queries, { value, kind, arrivedAt, id }: Name): Promise<void> {
  await queries.run(
    'DELETE FROM event_names WHERE value = ? AND kind = ? AND arrived_at = ? AND event = ?',
    value,
    kind,
    arrivedAt,
    id,
  );
}

/** Removes these names of an event. */
export async function removeNames(queries: Queries, row: Row, values: readonly string[]): Promise<void> {
  for (const value of values)
    await removeName(queries, { value, kind: row.kind, arrivedAt: row.arrived_at, id: row.id });
}

/** Moves the names of an event that has arrived again to its new time. */
export async function moveNames(
  queries: Queries,
  row: Row,
  values: readonly string[],
  arrivedAt: number,
): Promise<void> {
  await removeNames(queries, row, values);
  await addNames(
    queries,
    values.map((value) => ({ value, kind: row.kind, id: row.id, arrivedAt })),
  );
}

/** Replaces the numbers of an order's events with those that its last report names. */
export async function changeNumbers(
  queries: Queries,
  subject: string,
  change: { before: readonly string[]; now: readonly string[] },
): Promise<void> {
  const added = missingFrom(change.now, change.before);
  const removed = missingFrom(change.before, change.now);
  if (added.length === 0 && removed.length === 0) return;
  const events = await queries.all<{ id: number; at: number }>(
    `SELECT id, arrived_at AS at FROM events WHERE subject = ? AND kind = 'order'`,
    subject,
  );
  const under = (values: readonly string[]): Name[] =>
    values.flatMap((value) => events.map(({ id, at }) => ({ value, kind: 'order', arrivedAt: at, id })));
  for (const name of under(removed)) await removeName(queries, name);
  await addNames(queries, under(added));
}

/** Events that arrived since `from` (epoch ms), newest first. */
export async function readSince(
  queries: Queries,
  from: number,
  limit: number,
  { until = Number.MAX_SAFE_INTEGER, kinds, about = [] }: EventFilter,
): Promise<Row[]> {
  const period: Value[] = [from, until];
  if (about.length > 0) return readAbout(queries, { period, limit, kinds: kinds ?? KINDS, about });
  if (kinds === undefined)
    return queries.all<Row>(
      'SELECT * FROM events WHERE arrived_at >= ? AND arrived_at < ? ORDER BY arrived_at DESC, id DESC LIMIT ?',
      ...period,
      limit,
    );
  // Each kind is read separately, in the order of its index, so that events of other kinds are not scanned.
  const lists: Row[][] = [];
  for (const kind of kinds)
    lists.push(
      await queries.all<Row>(
        `SELECT * FROM events WHERE kind = ? AND arrived_at >= ? AND arrived_at < ?
           ORDER BY arrived_at DESC, id DESC LIMIT ?`,
        kind,
        ...period,
        limit,
      ),
    );
  return newest(lists, limit);
}

const KINDS: readonly EventKind[] = ['order', 'message', 'status', 'call', 'watch', 'unknown'];

interface AboutQuery {
  period: readonly Value[];
  limit: number;
  kinds: readonly EventKind[];
  about: readonly string[];
}

async function readAbout(queries: Queries, { period, limit, kinds, about }: AboutQuery): Promise<Row[]> {
  const [first = '', ...others] = await rarestFirst(queries, about);
  const also = others.map(
    () =>
      'AND EXISTS (SELECT 1 FROM event_names o WHERE o.value = ? AND o.kind = n.kind AND o.arrived_at = n.arrived_at AND o.event = n.event)',
  );
  const lists: Row[][] = [];
  for (const kind of kinds)
    lists.push(
      await queries.all<Row>(
        `SELECT e.* FROM (
           SELECT n.event FROM event_names n WHERE n.value = ? AND n.kind = ? AND n.arrived_at >= ? AND n.arrived_at < ?
             ${also.join(' ')} ORDER BY n.arrived_at DESC, n.event DESC LIMIT ?) AS found
           JOIN events e ON e.id = found.event`,
        first,
        kind,
        ...period,
        ...others,
        limit,
      ),
    );
  return newest(lists, limit);
}

async function rarestFirst(queries: Queries, about: readonly string[]): Promise<string[]> {
  if (about.length < 2) return [...about];
  const counted: { value: string; n: number }[] = [];
  for (const value of new Set(about)) {
    const row = await queries.get<{ n: number }>(
      'SELECT count(*) AS n FROM (SELECT 1 FROM event_names WHERE value = ? LIMIT ?) AS counted',
      value,
      MAX_COUNTED,
    );
    counted.push({ value, n: row?.n ?? 0 });
  }
  return counted.sort((a, b) => a.n - b.n).map(({ value }) => value);
}

function newest(lists: readonly Row[][], limit: number): Row[] {
  return lists
    .flat()
    .sort((a, b) => b.arrived_at - a.arrived_at || b.id - a.id)
    .slice(0, limit);
}

/** An event in the inbox. */
export interface StoredEvent {
  id: number;
  event: PlatformEvent;
  /** Number of repeated deliveries. */
  repeats: number;
  receivedAt: number;
  /** The time of its last arrival. It is later than `receivedAt` if the event is handled again. */
  arrivedAt: number;
  /** When it was shown, or dropped by a person. Undefined while its job is open or dead. */
  settledAt: number | undefined;
}

/** The last report that people were shown about an order. */
export interface LastReport {
  status: string;
  message: string;
  /** The numbers of the order. */
  numbers?: readonly string[];
}

/** Filters the events that are read back. */
export interface EventFilter {
  /** Epoch ms; events that arrived then or later are left out. */
  until?: number;
  kinds?: readonly EventKind[];
  /** Numbers and ids. An event matches if it is about all of them. */
  about?: readonly string[];
}

export interface Row {
  id: number;
  key: string;
  kind: EventKind;
  subject: string;
  /** NULL once its content has been erased. */
  event: string | null;
  repeats: number;
  received_at: number;
  arrived_at: number;
  settled_at: number | null;
}

export function fromRow(row: Row): StoredEvent {
  return {
    id: row.id,
    event: eventIn(row),
    repeats: row.repeats,
    receivedAt: row.received_at,
    arrivedAt: row.arrived_at,
    settledAt: row.settled_at ?? undefined,
  };
}

/** The event; without its content if that has been erased. */
export function eventIn({ event, key, subject }: Row): PlatformEvent {
  return event === null
    ? { kind: 'unknown', name: '', key, subject, fields: {} }
    : (JSON.parse(event) as PlatformEvent);
}
