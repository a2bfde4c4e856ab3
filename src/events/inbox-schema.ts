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
  /** When the lease ends, unless it is renewed. */
  claimedUntil: number;
  /** Tried while events cannot be shown, to see whether they can be shown again. */
  isProbe: boolean;
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
  claim: number;
  claimed_until: number;
}

/** The states in which an event is still to be handled. */
export const OPEN = `state IN ('new','failed')`;

/** A claim `c` that has not lapsed (epoch ms). */
export const LIVE = `c.state IN ('new','failed') AND c.claimed_until > 0 AND c.claimed_until > ?`;

/** The due time of an event that waits until the one before it of the same subject is settled. */
export const PARKED = 8_640_000_000_000_000;

/** No earlier event of the same subject is open. */
export const FIRST = `NOT EXISTS (
  SELECT 1 FROM events p WHERE p.subject = e.subject AND p.id < e.id AND p.state IN ('new','failed'))`;

/**
 * The earliest open event of each subject. Those behind it are parked, and a bound on `next_at` skips them. `FIRST` is
 * checked all the same, for rows that an older version wrote and for events that were opened again.
 */
export const HEADS = `FROM events e WHERE ${OPEN} AND ${FIRST}`;

/** When an event that is opened again falls due. */
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
