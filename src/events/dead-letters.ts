import type { Fields } from '../lib/json.ts';
import { type InboxOptions, openInbox } from './inbox.ts';
import type { PlatformEvent } from './parse.ts';

/** An event on the dead-letter list, as a person reads it. */
export interface DeadLetter {
  id: number;
  kind: string;
  /** A summary in a few words. */
  about: string;
  receivedAt: Date;
  attempts: number;
  reason: string;
  fields: Readonly<Fields>;
}

/** The dead-letter list of an installation. Processes that handle its events may be running. */
export interface DeadLetters {
  /** The number of dead events, and of events that wait to be handled. */
  counts(): Promise<{ dead: number; open: number }>;
  /** The newest events of the list, oldest first. */
  list(limit: number): Promise<DeadLetter[]>;
  /** The ids of all events of the list, oldest first. */
  ids(): Promise<number[]>;
  /** Resolves to the number of events that are tried again. */
  retry(ids: readonly number[]): Promise<number>;
  /** Gives events up for good. Resolves to their number. */
  drop(ids: readonly number[]): Promise<number>;
  close(): Promise<void>;
}

export function openDeadLetters(options: InboxOptions): DeadLetters {
  const inbox = openInbox(options);
  return {
    counts: () => inbox.counts(),
    list: async (limit) =>
      (await inbox.dead(limit)).reverse().map(({ id, attempts, lastError, stored: { event, receivedAt } }) => ({
        id,
        kind: event.kind,
        about: aboutOf(event),
        receivedAt: new Date(receivedAt),
        attempts,
        reason: lastError ?? '',
        fields: event.fields,
      })),
    ids: () => inbox.deadIds(),
    retry: (ids) => inbox.revive(ids),
    drop: (ids) => inbox.drop(ids),
    close: () => inbox.close(),
  };
}

function aboutOf(event: PlatformEvent): string {
  switch (event.kind) {
    case 'order':
      return `${event.orderId} ${event.status}`;
    case 'message':
    case 'status':
      return `${event.from} to ${event.to.join(', ')}`;
    case 'call':
      return `${event.from} to ${event.to}`;
    case 'watch':
      return event.phone;
    default:
      return event.name;
  }
}
