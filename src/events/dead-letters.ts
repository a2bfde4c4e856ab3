import type { Fields } from '../lib/json.ts';
import type { Job } from '../work/jobs.ts';
import type { PlatformEvent } from './parse.ts';
import type { StoredEvent } from './stored-event.ts';

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

/** The letter of a dead job that handles an event. */
export function letterOf({ id, attempts, lastError, stored }: Job & { stored: StoredEvent }): DeadLetter {
  const { event, receivedAt } = stored;
  return {
    id,
    kind: event.kind,
    about: aboutOf(event),
    receivedAt: new Date(receivedAt),
    attempts,
    reason: lastError ?? '',
    fields: event.fields,
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
