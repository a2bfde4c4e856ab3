import type { EventKind, PlatformEvent } from './parse.ts';

/**
 * `new → delivered`. A failed event is `failed` until its last attempt, then `dead`; a person may set it to `dropped`.
 */
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
  /** Number of repeated deliveries. */
  repeats: number;
  /** True if it was delivered before and is handled again because its subject has changed since. */
  again: boolean;
  /** Names of the handlers that have succeeded with it. */
  handled: string[];
  receivedAt: number;
  /** The time of its last arrival. It is later than `receivedAt` if the event is handled again. */
  arrivedAt: number;
  settledAt: number | undefined;
}

/**
 * A process's right to handle an event until its lease ends. Its number is part of every write: once another process has
 * claimed the event, the writes of this claim do nothing.
 */
export interface Claim {
  id: number;
  claim: number;
}

/** An event that this process may handle. */
export interface ClaimedEvent extends StoredEvent, Claim {
  /** The end of the lease, unless it is renewed. */
  claimedUntil: number;
  /** True if the event is tried during a pause, to find out whether events can be shown again. */
  isProbe: boolean;
}

/** The last report that people were shown about a subject. */
export interface LastReport {
  status: string;
  message: string;
  /** The numbers of an order. */
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

/** Options of a failed attempt. */
export interface RetryOptions {
  /** True if the other side is down. The attempt does not count. */
  outage?: boolean;
  /** True if another attempt cannot help. The event goes to the dead-letter list. */
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
  claim: number;
  claimed_until: number;
}

/** The states in which an event is still to be handled. */
export const OPEN = `state IN ('new','failed')`;

/** A claim `c` that has not lapsed (epoch ms). */
export const LIVE = `c.state IN ('new','failed') AND c.claimed_until > 0 AND c.claimed_until > ?`;

/** The due time of a parked event, which waits until the previous event of its subject is settled. */
export const PARKED = 8_640_000_000_000_000;

/** No earlier event of the same subject is open. */
export const FIRST = `NOT EXISTS (
  SELECT 1 FROM events p WHERE p.subject = e.subject AND p.id < e.id AND p.state IN ('new','failed'))`;

/**
 * The earliest open event of each subject. Later events are parked, and a bound on `next_at` skips them. `FIRST` is
 * needed for rows that an older version wrote and for events that were opened again.
 */
export const HEADS = `FROM events e WHERE ${OPEN} AND ${FIRST}`;

/** The due time of an event that is opened again. */
export const TURN = `CASE WHEN ${FIRST} THEN CAST(? AS BIGINT) ELSE ${PARKED} END`;

/** No event of the same subject is claimed (epoch ms). */
export const UNCLAIMED = `e.subject NOT IN (SELECT c.subject FROM events c WHERE ${LIVE})`;

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
