import { existsSync } from 'node:fs';
import { systemClock } from '../lib/clock.ts';
import type { Config } from '../lib/config.ts';
import { dataFile } from '../lib/data-dir.ts';
import { openInbox } from './inbox.ts';
import type { PlatformEvent } from './parse.ts';

/** An event that was given up, as a person reads it. */
export interface DeadLetter {
  id: number;
  kind: string;
  /** Whom it is about, in a few words. */
  about: string;
  receivedAt: Date;
  attempts: number;
  reason: string;
  fields: Readonly<Record<string, unknown>>;
}

/** The dead letters of a DATA_DIR; the processes that handle its events may run meanwhile. */
export interface DeadLetters {
  /** How many are dead, and how many wait to be handled. */
  counts(): { dead: number; open: number };
  /** The newest of them, oldest first. */
  list(limit: number): DeadLetter[];
  /** Of all of them, oldest first. */
  ids(): number[];
  /** Each resolves to how many it was done for. */
  retry(ids: readonly number[]): Promise<number>;
  drop(ids: readonly number[]): Promise<number>;
  close(): void;
}

/** Undefined where no event was ever received. */
export function openDeadLetters(config: Config): DeadLetters | undefined {
  const path = dataFile(config, 'events.db');
  if (!existsSync(path)) return undefined;
  const inbox = openInbox({ path, clock: systemClock });
  return {
    counts: () => inbox.counts(),
    list: (limit) =>
      inbox
        .dead(limit)
        .reverse()
        .map(({ id, event, receivedAt, attempts, reason }) => ({
          id,
          kind: event.kind,
          about: aboutOf(event),
          receivedAt: new Date(receivedAt),
          attempts,
          reason,
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
