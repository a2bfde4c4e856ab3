import Bottleneck from 'bottleneck';
import type { Clock } from '../clock.ts';
import { SwitchboardError } from '../errors.ts';
import { after } from './retry.ts';
import type { Priority, Window } from './types.ts';

/** People before assistants before background work (design, rule 4); smaller goes first in Bottleneck. */
const PRIORITIES: Readonly<Record<Priority, number>> = { person: 2, assistant: 5, background: 8 };
/** A shared window does not tell when another process gave a place back: look again after this long. */
const LOOK_AGAIN_MS = 1000;

/** One wish for a place. */
export interface Want {
  priority: Priority;
  /** Epoch ms. */
  deadline: number;
  signal?: AbortSignal | undefined;
  /** Told when it starts to wait, with the seconds expected. */
  onWait?: ((seconds: number) => void) | undefined;
  /** Given a function that moves the wish forward in the queue, once it is queued. */
  onQueued?: (raise: (priority: Priority) => void) => void;
  /** Told when an attempt goes out (true) and when it is over (false). */
  onWire?: (is: boolean) => void;
}

/** A held place: exactly one of the two is called, further calls do nothing. */
export interface Place {
  /** The answer's headers came, or the attempt failed: the place falls free one period from now. */
  used(): void;
  /** Nothing was sent: the place is free at once. */
  unused(): void;
}

export interface LaneOptions {
  clock: Clock;
  window: Window;
  /** The window is shared with other processes. */
  shared: boolean;
  /** Name in the window. */
  name: string;
  /** Places per period. */
  limit: number;
  periodMs: number;
  timeoutMs: number;
}

interface Ticket {
  priority: number;
  settled: boolean;
  resolve: (place: Place) => void;
  reject: (error: SwitchboardError) => void;
  clear: () => void;
}

/** The caller went away before anything was sent. */
export function cancelled(): SwitchboardError {
  const message = 'Cancelled by the caller before it was sent. Nothing was done.';
  return new SwitchboardError({ code: 'timeout', message, outcome: 'not_done' });
}

/** The client was closed before anything was sent. */
export function closing(): SwitchboardError {
  const message = 'Switchboard is shutting down. Nothing was sent; try again when it is back.';
  return new SwitchboardError({ code: 'network', message, outcome: 'not_done' });
}

/** The deadline passed, or is sure to pass, while waiting for the budget. `waitMs`: until a place may be free. */
export function outOfBudget(waitMs: number): SwitchboardError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  const message = `The platform’s rate limit is used up and the time for this call is over. Nothing was sent; try again in about ${seconds} s.`;
  return new SwitchboardError({ code: 'rate_limited', message, outcome: 'not_done', retryAfterSeconds: seconds });
}

/**
 * One budget (platform.md, Limits; design, rule 4): in no period do more than `limit` requests arrive. A place is held
 * from before the request leaves until one period after its answer began, so that neither network delay nor a burst
 * can put more into any period of the platform's. Bottleneck queues by priority; its reservoir is filled by hand, one
 * for each place taken from the window.
 */
export class Lane {
  private readonly options: LaneOptions;
  private readonly queue = new Bottleneck({ reservoir: 0, maxConcurrent: null });
  private readonly tickets = new Set<Ticket>();
  /** Places taken from the window and on their way through Bottleneck. */
  private readonly granted: string[] = [];
  private pausedUntil = 0;
  private freeAt = 0;
  private clearTimer: () => void = () => undefined;
  private closed = false;

  constructor(options: LaneOptions) {
    this.options = options;
  }

  /** Calls that wait for a place. */
  get waiting(): number {
    return this.tickets.size;
  }

  get used(): number {
    return this.options.window.held(this.options.name);
  }

  /** Nobody gets a place before `until` (epoch ms): the platform answered 429. */
  pause(until: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, until);
    this.pump();
  }

  /**
   * Takes a place, at once if nobody waits and one is free. Throws or rejects with a `SwitchboardError` (`not_done`):
   * `rate_limited` at the deadline, `timeout` when the caller cancels, `network` when the client is closed.
   */
  take(want: Want): Place | Promise<Place> {
    if (this.closed) throw closing();
    if (want.signal?.aborted) throw cancelled();
    const now = this.options.clock.now();
    if (this.pausedUntil > now) {
      if (this.pausedUntil >= want.deadline) throw outOfBudget(this.pausedUntil - now);
    } else if (this.tickets.size === 0) {
      const id = this.fromWindow();
      if (id !== undefined) return this.place(id);
    }
    return this.wait(want);
  }

  /** Rejects all that wait; what is on the wire goes on. */
  async close(): Promise<void> {
    this.closed = true;
    this.clearTimer();
    for (const ticket of [...this.tickets]) this.fail(ticket, closing());
    for (const id of this.granted.splice(0)) this.options.window.release(id, this.options.clock.now());
    await this.queue.disconnect(false);
  }

  private wait(want: Want): Promise<Place> {
    return new Promise((resolve, reject) => {
      const { clock, limit, periodMs } = this.options;
      const priority = PRIORITIES[want.priority];
      const ticket: Ticket = { priority, settled: false, resolve, reject, clear: () => undefined };
      let ahead = 0;
      if (want.onWait !== undefined) for (const other of this.tickets) if (other.priority <= priority) ahead += 1;
      const onAbort = () => this.fail(ticket, cancelled());
      const cancel = after(clock, want.deadline - clock.now(), () => this.fail(ticket, outOfBudget(this.nextMs())));
      want.signal?.addEventListener('abort', onAbort, { once: true });
      ticket.clear = () => {
        cancel();
        want.signal?.removeEventListener('abort', onAbort);
      };
      this.tickets.add(ticket);
      this.schedule(ticket);
      this.pump();
      want.onQueued?.((better) => {
        if (ticket.settled || PRIORITIES[better] >= ticket.priority) return;
        ticket.priority = PRIORITIES[better];
        // A second job for the same ticket: whichever comes up first serves it, the other gives its place back.
        this.schedule(ticket);
      });
      want.onWait?.(Math.max(1, Math.ceil((this.nextMs() + Math.floor(ahead / limit) * periodMs) / 1000)));
    });
  }

  /** Milliseconds until the next place falls free, as far as is known. */
  private nextMs(): number {
    return Math.max(this.freeAt, this.pausedUntil) - this.options.clock.now();
  }

  private schedule(ticket: Ticket): void {
    // `serve` does not throw, and jobs dropped when the client closes have no ticket left.
    this.queue.schedule({ priority: ticket.priority }, async () => this.serve(ticket)).catch(() => undefined);
  }

  /** A job came up: it has a place. */
  private serve(ticket: Ticket): void {
    const id = this.granted.shift();
    if (id === undefined) return;
    const now = this.options.clock.now();
    if (ticket.settled || this.pausedUntil > now) {
      this.options.window.release(id, now);
      if (!ticket.settled) this.schedule(ticket);
      this.pump();
      return;
    }
    this.settle(ticket);
    ticket.resolve(this.place(id));
  }

  private fail(ticket: Ticket, error: SwitchboardError): void {
    if (ticket.settled) return;
    this.settle(ticket);
    ticket.reject(error);
    if (this.tickets.size === 0) this.clearTimer();
  }

  private settle(ticket: Ticket): void {
    ticket.settled = true;
    ticket.clear();
    this.tickets.delete(ticket);
  }

  private fromWindow(): string | undefined {
    const { window, name, limit, timeoutMs, periodMs } = this.options;
    const got = window.take(name, limit, timeoutMs + periodMs);
    if ('id' in got) return got.id;
    this.freeAt = got.freeAt;
    return undefined;
  }

  /** Hands Bottleneck one place per waiting call as long as the window has any; otherwise looks again when it will. */
  private pump(): void {
    this.clearTimer();
    if (this.closed || this.tickets.size === 0) return;
    const { clock, shared } = this.options;
    const now = clock.now();
    while (this.pausedUntil <= now && this.granted.length < this.tickets.size) {
      const id = this.fromWindow();
      if (id === undefined) break;
      this.granted.push(id);
      void this.queue.incrementReservoir(1);
    }
    if (this.granted.length >= this.tickets.size) return;
    const ms = Math.max(1, (this.pausedUntil > now ? this.pausedUntil : this.freeAt) - now);
    this.clearTimer = after(clock, shared ? Math.min(ms, LOOK_AGAIN_MS) : ms, () => this.pump());
  }

  private place(id: string): Place {
    let held = true;
    const release = (ms: number) => {
      if (!held) return;
      held = false;
      this.options.window.release(id, this.options.clock.now() + ms);
      this.pump();
    };
    return { used: () => release(this.options.periodMs), unused: () => release(0) };
  }
}
