import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../store/database.ts';
import type { Seal } from './seal.ts';

/** What other processes put into the vault is seen after so long; what this one puts there, at once. */
const FRESH_MS = 1000;
/** A PIN nobody came to see is looked for in texts for a day: four digits stand in many texts by chance. */
const ONCE_MS = 86_400_000;

/** The secrets the ledger keeps sealed: those of the vault, and those made to be shown once. */
export function createHeldSecrets(db: Database, seal: Seal, clock: Clock) {
  let cached: string[] | undefined;
  let readAt = 0;
  let closed = false;

  function read(): string[] {
    const kept = db
      .all<{ operation: string; key: string; sealed: Uint8Array }>(
        'SELECT operation, key, sealed FROM vault WHERE expires_at > ?',
        clock.now(),
      )
      .map((row) => opened(row.sealed, `${row.operation}/${row.key}`));
    const once = db
      .all<{ id: string; once: Uint8Array }>(
        'SELECT id, once FROM actions WHERE once IS NOT NULL AND finished_at > ?',
        clock.now() - ONCE_MS,
      )
      .map((row) => opened(row.once, `${row.id}/once`));
    return [...kept, ...once].flatMap(texts);
  }

  /** Undefined for what was sealed with another key: nobody here can show it. */
  function opened(sealed: Uint8Array, record: string): unknown {
    try {
      return seal.open(sealed, record);
    } catch {
      return undefined;
    }
  }

  return {
    values: (): readonly string[] => {
      const now = clock.now();
      if (closed) return cached ?? [];
      if (cached === undefined || now - readAt >= FRESH_MS || now < readAt) {
        cached = read();
        readAt = now;
      }
      return cached;
    },
    /** This process put something into the vault, or took it out. */
    changed: () => {
      cached = undefined;
    },
    close: () => {
      closed = true;
    },
  };
}

function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(texts) : [];
}
