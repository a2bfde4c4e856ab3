import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../lib/clock.ts';
import type { StoredResult } from '../blocks/result.ts';

/** Something typed that can come back in a form. Without secrets. */
export interface Draft {
  toolId: string;
  input: Record<string, unknown>;
  channel: string | undefined;
}

export type Memory = ReturnType<typeof createMemory>;

const KEEP_MS = 60 * 60_000;
const MAX_ENTRIES = 500;

/**
 * Answers and typed values that buttons refer to, for an hour, in this process only: a button carries a handle,
 * never the data. Each belongs to the person it was shown to.
 */
export function createMemory(clock: Clock) {
  const shelf = <T>() => {
    const kept = new Map<string, { thing: T; user: string; until: number }>();
    return {
      put(user: string, thing: T): string {
        const id = randomBytes(9).toString('base64url');
        kept.set(id, { thing, user, until: clock.now() + KEEP_MS });
        while (kept.size > MAX_ENTRIES) {
          const [oldest] = kept.keys();
          if (oldest === undefined) break;
          kept.delete(oldest);
        }
        return id;
      },
      get(user: string, id: string): T | undefined {
        const found = kept.get(id);
        return found && found.user === user && found.until > clock.now() ? found.thing : undefined;
      },
    };
  };
  const results = shelf<StoredResult>();
  const origins = new Map<string, string>();
  return {
    /** The answer with its handle. */
    hold(user: string, held: StoredResult): StoredResult {
      const copy: StoredResult = { ...held };
      copy.id = results.put(user, copy);
      return copy;
    },
    held: results.get,
    drafts: shelf<Draft>(),
    /** By view id: the address that answers whoever opened the form. */
    origins: {
      put(viewId: string, url: string): void {
        origins.set(viewId, url);
        const [oldest] = origins.keys();
        if (origins.size > MAX_ENTRIES && oldest !== undefined) origins.delete(oldest);
      },
      /** Once: an address has few uses. */
      take(viewId: string): string | undefined {
        const url = origins.get(viewId);
        origins.delete(viewId);
        return url;
      },
    },
  };
}
