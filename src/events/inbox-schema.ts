import type { EventKind, PlatformEvent } from './parse.ts';

/** `new → delivered`, or `failed` with another attempt to come, `dead` after the last, and `dropped` by a person then. */
export type InboxState = 'new' | 'delivered' | 'failed' | 'dead' | 'dropped';

/** An event in the inbox. */
export interface StoredEvent {
  id: number;
  event: PlatformEvent;
  state: InboxState;
  /** Attempts that count towards the limit. */
  attempts: number;
  /** Attempts that failed because the other side was down; they do not count. */
  waits: number;
  nextAt: number;
  reason: string;
  /** How often the platform sent it again. */
  repeats: number;
  /** It was delivered before and is handled again, because its subject has changed since. */
  again: boolean;
  /** Names of the handlers that have succeeded with it. */
  handled: string[];
  receivedAt: number;
  /** When it last arrived; later than `receivedAt` if it is handled again. */
  arrivedAt: number;
  settledAt: number | undefined;
}

/** What people were last shown about a subject. */
export interface LastReport {
  status: string;
  message: string;
  /** The numbers of an order. */
  numbers?: readonly string[];
}

/** Narrows what is read back. */
export interface EventFilter {
  /** Epoch ms; events that arrived then or later are left out. */
  until?: number;
  kinds?: readonly EventKind[];
  /** Numbers and ids that the event must all be about. */
  about?: readonly string[];
}

/** How a failed attempt counts. */
export interface RetryOptions {
  /** The other side is down: the attempt does not count. */
  outage?: boolean;
  /** Trying again cannot help: the event goes to the dead-letter list. */
  last?: boolean;
}

export interface Row {
  id: number;
  kind: EventKind;
  subject: string;
  event: string;
  state: InboxState;
  attempts: number;
  waits: number;
  next_at: number;
  reason: string;
  repeats: number;
  again: number;
  handled: string;
  received_at: number;
  arrived_at: number;
  settled_at: number | null;
}

export const SCHEMA = `
CREATE TABLE IF NOT EXISTS events (
  id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, subject TEXT NOT NULL,
  event TEXT NOT NULL, state TEXT NOT NULL DEFAULT 'new', attempts INTEGER NOT NULL DEFAULT 0,
  waits INTEGER NOT NULL DEFAULT 0, next_at INTEGER NOT NULL, reason TEXT NOT NULL DEFAULT '',
  repeats INTEGER NOT NULL DEFAULT 0, again INTEGER NOT NULL DEFAULT 0, handled TEXT NOT NULL DEFAULT '[]',
  received_at INTEGER NOT NULL, arrived_at INTEGER NOT NULL, settled_at INTEGER
);
CREATE INDEX IF NOT EXISTS events_open ON events (subject, id) WHERE state IN ('new','failed');
CREATE INDEX IF NOT EXISTS events_next ON events (next_at, id) WHERE state IN ('new','failed');
CREATE INDEX IF NOT EXISTS events_dead ON events (id) WHERE state = 'dead';
CREATE INDEX IF NOT EXISTS events_arrived ON events (arrived_at);
CREATE TABLE IF NOT EXISTS told (subject TEXT PRIMARY KEY, status TEXT NOT NULL, message TEXT NOT NULL, at INTEGER NOT NULL,
  numbers TEXT NOT NULL DEFAULT '[]');
CREATE TABLE IF NOT EXISTS tallies (
  what TEXT NOT NULL, label TEXT NOT NULL, count INTEGER NOT NULL, last_at INTEGER NOT NULL, PRIMARY KEY (what, label)
);
CREATE TABLE IF NOT EXISTS lead (one INTEGER PRIMARY KEY CHECK (one = 1), owner TEXT NOT NULL, pid INTEGER NOT NULL,
  host TEXT NOT NULL, until INTEGER NOT NULL);
`;

/** The states in which an event is still to be handled. */
export const OPEN = `state IN ('new','failed')`;

/** The due time of an event that waits until the one before it of the same subject is settled. */
export const PARKED = 8.64e15;

/** No earlier event of the same subject is open. */
export const FIRST = `NOT EXISTS (
  SELECT 1 FROM events p WHERE p.subject = e.subject AND p.id < e.id AND p.state IN ('new','failed'))`;

/**
 * The earliest open event of each subject. Those behind it are parked, and a bound on `next_at` skips them. `FIRST` is
 * checked all the same, for rows that an older version wrote and for events that were opened again.
 */
export const HEADS = `FROM events e WHERE ${OPEN} AND ${FIRST}`;

/** When an event that is opened again falls due. */
export const TURN = `CASE WHEN ${FIRST} THEN ? ELSE ${PARKED} END`;

/**
 * The event is about this number or id: as its sender, its receiver, its order, or a number of its order. The text of a
 * message does not count. The whole text is searched first, because that is quick.
 */
const NAMES = `(
  (instr(event, '"' || named.value || '"') > 0 AND named.value IN (event ->> '$.orderId', event ->> '$.phone',
    event ->> '$.from', event ->> '$.messageId', event ->> '$.callId'))
  OR (instr(event, '"' || named.value || '"') > 0
    AND EXISTS (SELECT 1 FROM json_each(event, '$.to') AS receiver WHERE receiver.value = named.value))
  OR (kind = 'order' AND EXISTS (SELECT 1 FROM told, json_each(told.numbers) AS number
    WHERE told.subject = events.subject AND number.value = named.value)))`;

/** Events of a period, by kinds and by what they are about. */
export const SINCE = `SELECT * FROM events WHERE arrived_at >= ? AND arrived_at < ?
  AND (? = 0 OR kind IN (SELECT value FROM json_each(?)))
  AND NOT EXISTS (SELECT 1 FROM json_each(?) AS named WHERE ${NAMES} IS NOT TRUE)
  ORDER BY arrived_at DESC, id DESC LIMIT ?`;

export function fromRow(row: Row): StoredEvent {
  return {
    id: row.id,
    event: JSON.parse(row.event) as PlatformEvent,
    state: row.state,
    attempts: row.attempts,
    waits: row.waits,
    nextAt: row.next_at,
    reason: row.reason,
    repeats: row.repeats,
    again: row.again === 1,
    handled: JSON.parse(row.handled) as string[],
    receivedAt: row.received_at,
    arrivedAt: row.arrived_at,
    settledAt: row.settled_at ?? undefined,
  };
}
