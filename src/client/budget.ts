import Bottleneck from 'bottleneck';
import type { Clock } from '../clock.ts';
import { SwitchboardError } from '../errors.ts';
import type { Priority, Window } from '../platform/types.ts';

/** Bottleneck's priorities: 0 goes first, 9 last. */
const PRIORITY: Record<Priority, number> = { person: 2, assistant: 5, background: 8 };

export interface Waiter {
  priority: Priority;
  deadline: number;
  signal?: AbortSignal;
  onWait?: (seconds: number) => void;
}

/** The right to send one request. `free(ms)`: the place falls free so many ms from now. */
export interface Place {
  free(ms: number): void;
}

export interface Lane {
  take(waiter: Waiter): Promise<Place>;
  /** Nobody is served before this moment: the platform said 429. */
  pause(until: number): void;
  waiting(): number;
  close(): Promise<void>;
}

/**
 * One lane: at most `limit` places at a time. Bottleneck queues and orders by priority; its reservoir starts empty
 * and is filled by one for every place the window grants, so a person who arrives gets the next place, and its own
 * refilling (which lets twice the limit through at the refill) is not used (platform.md, Limits).
 */
export function createLane(options: {
  name: string;
  limit: number;
  /** How long a place is held at most, should its release get lost. */
  holdMs: number;
  window: Window;
  clock: Clock;
}): Lane {
  const { name, limit, holdMs, window, clock } = options;
  const queue = new Bottleneck({ reservoir: 0, maxConcurrent: null });
  const granted: string[] = [];
  let waiting = 0;
  let pausedUntil = 0;
  let timer: unknown;
  let closed = false;

  const place = (id: string): Place => ({
    free: (ms) => {
      window.release(id, clock.now() + ms);
      if (waiting > 0) pump();
    },
  });

  /** Takes places from the window while somebody waits; otherwise looks again when the next one falls free. */
  function pump(): void {
    if (timer !== undefined) clock.clearTimeout(timer);
    timer = undefined;
    let fresh = 0;
    while (!closed && waiting > granted.length) {
      const now = clock.now();
      const taken = now < pausedUntil ? { freeAt: pausedUntil } : window.take(name, limit, holdMs);
      if ('freeAt' in taken) {
        // Another process may take what falls free: look again soon, but not in a tight loop.
        timer = clock.setTimeout(pump, Math.max(20, taken.freeAt - now));
        break;
      }
      granted.push(taken.id);
      fresh += 1;
    }
    if (fresh > 0) void queue.incrementReservoir(fresh);
  }

  function expectedMs(): number {
    const probe = window.take(name, limit, holdMs);
    if ('id' in probe) {
      window.release(probe.id, clock.now());
      return Math.max(0, pausedUntil - clock.now());
    }
    return Math.max(probe.freeAt, pausedUntil) - clock.now();
  }

  async function take(waiter: Waiter): Promise<Place> {
    if (waiter.signal?.aborted) throw cancelled();
    if (waiting === 0 && clock.now() >= pausedUntil) {
      const taken = window.take(name, limit, holdMs);
      if ('id' in taken) return place(taken.id);
    }
    const wait = expectedMs();
    waiter.onWait?.(wait / 1000);
    return new Promise<Place>((resolve, reject) => {
      let left = false;
      const leave = (error: SwitchboardError) => {
        if (left) return;
        left = true;
        waiting -= 1;
        cleanUp();
        reject(error);
      };
      const late = () => leave(tooLate(Math.ceil(Math.max(0, expectedMs()) / 1000)));
      const gone = () => leave(cancelled());
      const deadline = clock.setTimeout(late, Math.max(0, waiter.deadline - clock.now()));
      const cleanUp = () => {
        clock.clearTimeout(deadline);
        waiter.signal?.removeEventListener('abort', gone);
      };
      waiter.signal?.addEventListener('abort', gone, { once: true });
      waiting += 1;
      queue
        .schedule({ priority: PRIORITY[waiter.priority] }, async () => {
          const id = granted.shift();
          if (left) {
            // Whoever waited is gone: the place goes back unused.
            if (id !== undefined) window.release(id, clock.now());
            if (waiting > 0) pump();
            return;
          }
          left = true;
          waiting -= 1;
          cleanUp();
          if (id === undefined) reject(new Error('the budget served a request without a place'));
          else resolve(place(id));
        })
        .catch((error: unknown) => {
          if (left) return;
          left = true;
          waiting -= 1;
          cleanUp();
          reject(closed ? cancelled() : error);
        });
      pump();
    });
  }

  return {
    take,
    pause: (until) => {
      pausedUntil = Math.max(pausedUntil, until);
    },
    waiting: () => waiting,
    close: async () => {
      closed = true;
      if (timer !== undefined) clock.clearTimeout(timer);
      await queue.stop({ dropWaitingJobs: true, dropErrorMessage: 'closed' });
      await queue.disconnect();
    },
  };
}

export function cancelled(): SwitchboardError {
  return new SwitchboardError({
    code: 'timeout',
    message: 'Cancelled by the caller before it was sent. Nothing was done.',
    outcome: 'not_done',
  });
}

function tooLate(seconds: number): SwitchboardError {
  return new SwitchboardError({
    code: 'rate_limited',
    message: `The request limit is used up and this call's time ran out while it waited. Nothing was done; try again in about ${seconds} s.`,
    outcome: 'not_done',
    retryAfterSeconds: seconds,
  });
}
