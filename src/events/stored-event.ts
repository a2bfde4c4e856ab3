import type { EventKind, PlatformEvent } from './parse.ts';

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
