import { missingFrom } from '../lib/lists.ts';
import { marks } from '../store/key-values.ts';
import type { Queries } from '../store/types.ts';
import type { EventKind, PlatformEvent } from './parse.ts';

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

/** Makes an event findable under these names. */
export async function addNames(queries: Queries, id: number, names: readonly string[]): Promise<void> {
  for (const value of names)
    await queries.run('INSERT INTO event_names (value, event) VALUES (?, ?) ON CONFLICT DO NOTHING', value, id);
}

export async function removeNames(queries: Queries, id: number, names: readonly string[]): Promise<void> {
  for (const value of names) await queries.run('DELETE FROM event_names WHERE value = ? AND event = ?', value, id);
}

/** Replaces the numbers of an order's events with those that its last report names. */
export async function changeNumbers(
  queries: Queries,
  subject: string,
  change: { before: readonly string[]; now: readonly string[] },
): Promise<void> {
  const own = `SELECT id FROM events WHERE subject = ? AND kind = 'order'`;
  for (const value of missingFrom(change.before, change.now))
    await queries.run(`DELETE FROM event_names WHERE value = ? AND event IN (${own})`, value, subject);
  for (const value of missingFrom(change.now, change.before))
    await queries.run(
      `INSERT INTO event_names (value, event) SELECT CAST(? AS TEXT), id FROM events
         WHERE subject = ? AND kind = 'order' ON CONFLICT DO NOTHING`,
      value,
      subject,
    );
}

const KINDS: readonly EventKind[] = ['order', 'message', 'status', 'call', 'watch', 'unknown'];

/** Events that arrived since `from` (epoch ms), newest first. */
export async function readSince(
  queries: Queries,
  from: number,
  limit: number,
  { until = Number.MAX_SAFE_INTEGER, kinds = KINDS, about = [] }: EventFilter,
): Promise<Row[]> {
  const [name, ...others] = about;
  const order = 'ORDER BY e.arrived_at DESC, e.id DESC LIMIT ?';
  // The events of a name are few, so they are read first, whatever else they have to match.
  if (name !== undefined)
    return queries.all<Row>(
      `SELECT e.* FROM event_names n CROSS JOIN events e WHERE n.value = ? AND e.id = n.event AND e.kind IN (${marks(kinds)})
         AND e.arrived_at >= ? AND e.arrived_at < ?
         ${others.map(() => 'AND EXISTS (SELECT 1 FROM event_names o WHERE o.value = ? AND o.event = e.id)').join(' ')} ${order}`,
      ...[name, ...kinds, from, until, ...others, limit],
    );
  // Each kind is read in the order of its index, so that events of other kinds are not scanned.
  const where = 'e.kind = ? AND e.arrived_at >= ? AND e.arrived_at < ?';
  const lists: Row[][] = [];
  for (const kind of kinds)
    lists.push(await queries.all<Row>(`SELECT e.* FROM events e WHERE ${where} ${order}`, kind, from, until, limit));
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
