import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { after, systemClock } from './clock.ts';
import { CLOSING, type Refusal, sendRefusal } from './http.ts';

/*
 * The limits on load, in one place. A request beyond a limit is answered with 429, or its connection is closed, so that
 * memory does not grow with the number of requests.
 */

/** Requests under way in this process. Open streams and `/healthz` do not count. */
const MAX_REQUESTS = 1_000;
/** Calls under way of one identity, and unanswered requests on one connection: HTTP/1.1 allows pipelining. */
const MAX_OWN_CALLS = 100;
/** Open streams of one identity. */
const MAX_OWN_STREAMS = 50;
/** Open connections. Beyond it, the one that has been idle for the longest time is closed. */
export const MAX_CONNECTIONS = 2_000;
/** Maximum number of sessions of one identity; beyond it, the least recently used one ends. */
export const MAX_OWN_SESSIONS = 50;
/** Limits of a body that comes without a valid token or signature. */
export const UNSIGNED_BODY = { limit: 256 * 1024, within: { ms: 5_000 } } as const;

/** Time limits for a client to send its headers, and its whole request, in ms. */
export const TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 60_000, connectionsCheckingInterval: 5_000 } as const;

export const TOO_MANY_CALLS = `At most ${MAX_OWN_CALLS} calls of one identity run at a time; try again when some have ended.`;

const TOO_MANY_REQUESTS: Refusal = {
  status: 429,
  error: 'Too many requests are under way. Nothing was done; try again in a second.',
  headers: { 'retry-after': '1', ...CLOSING },
};

/** Counts by identity. */
class Tally extends Map<string, number> {
  /** Counts `many` more until the returned function is called; undefined if they would be more than `most`. */
  take(identity: string, most: number, many = 1): (() => void) | undefined {
    if (this.of(identity) + many > most) return undefined;
    this.set(identity, this.of(identity) + many);
    return () => {
      this.set(identity, this.of(identity) - many);
      if (this.of(identity) === 0) this.delete(identity);
    };
  }

  of(identity: string): number {
    return this.get(identity) ?? 0;
  }
}

/** Calls and streams of each identity at `/mcp`. */
export class IdentityLoad {
  readonly #calls = new Tally();
  readonly #running = new Tally();
  readonly #streams = new Tally();

  /**
   * True if a further call would exceed the limit. Checked before its body is read, because reading costs more than
   * refusing.
   */
  isFull(identity: string): boolean {
    return Math.max(this.#calls.of(identity), this.#running.of(identity)) >= MAX_OWN_CALLS;
  }

  /**
   * Counts the calls of a request until it is answered. Returns a sentence if they are too many.
   *
   * @param many messages in the body of the request
   */
  admitCalls(identity: string, many: number, response: ServerResponse): string | undefined {
    const isFree = this.#running.of(identity) + many <= MAX_OWN_CALLS;
    return isFree && heldBy(response, this.#calls.take(identity, MAX_OWN_CALLS, many)) ? undefined : TOO_MANY_CALLS;
  }

  /** Runs a call and counts it until it ends, also when its client disconnects. Undefined: there are too many. */
  counted<T>(identity: string, work: () => Promise<T>): Promise<T> | undefined {
    const end = this.#running.take(identity, MAX_OWN_CALLS);
    return end && work().finally(end);
  }

  /** Counts a stream until it closes. Returns a sentence if there are too many. */
  admitStream(identity: string, response: ServerResponse): string | undefined {
    if (!heldBy(response, this.#streams.take(identity, MAX_OWN_STREAMS)))
      return `At most ${MAX_OWN_STREAMS} streams of one identity may be open; close one first.`;
    uncounted.get(response)?.();
    return undefined;
  }
}

/** Functions that stop counting a request that became a stream, by its response. */
const uncounted = new WeakMap<ServerResponse, () => void>();

/** Requests and connections of the whole process. */
export class ProcessLoad {
  #requests = 0;
  #onLeave: () => void = () => undefined;
  /** Open connections and their requests under way, the least recently used one first. */
  readonly #connections = new Map<Socket, number>();

  connected(socket: Socket): void {
    this.#connections.set(socket, 0);
    socket.once('close', () => this.#connections.delete(socket));
    if (this.#connections.size <= MAX_CONNECTIONS) return;
    for (const [other, requests] of this.#connections) if (requests === 0) return void other.destroy();
    socket.destroy();
  }

  /** Resolves when no request is under way. Open streams do not count. */
  async idle(): Promise<void> {
    while (this.#requests > 0)
      await new Promise<void>((resolve) => {
        this.#onLeave = resolve;
      });
  }

  /** Counts a request until it is answered. False if there are too many; the request has been refused then. */
  admit(request: IncomingMessage, response: ServerResponse): boolean {
    const { socket } = request;
    // The parser hands over the requests that it has read although the connection is closed.
    if (socket.destroyed) return false;
    const pending = this.#connections.get(socket) ?? 0;
    if (pending >= MAX_OWN_CALLS) {
      socket.destroy();
      return false;
    }
    // Set again, so that this connection is the newest of the map.
    this.#connections.delete(socket);
    this.#connections.set(socket, pending + 1);
    response.once('close', () => {
      const open = this.#connections.get(socket);
      if (open !== undefined) this.#connections.set(socket, open - 1);
    });
    response.once('finish', () => {
      // The body of an answered request may go on, and may have come without a valid token.
      if (request.complete) return;
      after(systemClock, UNSIGNED_BODY.within.ms, () => request.complete || socket.destroy());
    });
    if (this.#requests >= MAX_REQUESTS) {
      sendRefusal(response, TOO_MANY_REQUESTS);
      return false;
    }
    this.#requests += 1;
    const leave = () => {
      if (!uncounted.delete(response)) return;
      this.#requests -= 1;
      this.#onLeave();
    };
    uncounted.set(response, leave);
    response.once('close', leave);
    return true;
  }
}

function heldBy(response: ServerResponse, release: (() => void) | undefined): boolean {
  if (release === undefined) return false;
  if (response.destroyed) release();
  else response.once('close', release);
  return true;
}

/**
 * A metric at the moment it is read, in Prometheus' terms. A histogram has the upper bounds of its buckets, with the number
 * of values up to each.
 */
export interface Metric {
  name: string;
  help: string;
  type: 'gauge' | 'counter' | 'histogram';
  values: readonly ({ labels?: Readonly<Record<string, string>> } & (
    | { value: number }
    | { buckets: readonly { upTo: number; count: number }[]; count: number; sum: number }
  ))[];
}

/** A gauge with a single value. */
export function gauge(name: string, help: string, value: number): Metric {
  return { name, help, type: 'gauge', values: [{ value }] };
}

/**
 * A metric with one value for each value of a label. Those of `known` that have not occurred are 0, so that a query does
 * not find a gap before the first one occurs.
 */
export function perLabel(options: {
  name: string;
  help: string;
  type: 'gauge' | 'counter';
  label: string;
  known: readonly string[];
  counts: ReadonlyMap<string, number>;
}): Metric {
  const { name, help, type, label, known, counts } = options;
  const all = [...new Set([...known, ...counts.keys()])];
  return { name, help, type, values: all.map((one) => ({ labels: { [label]: one }, value: counts.get(one) ?? 0 })) };
}

/** Counts measured values in buckets. */
export class Buckets {
  readonly #values: { buckets: { upTo: number; count: number }[]; count: number; sum: number };

  /** @param bounds upper bounds, ascending */
  constructor(bounds: readonly number[]) {
    this.#values = { buckets: bounds.map((upTo) => ({ upTo, count: 0 })), count: 0, sum: 0 };
  }

  add(value: number): void {
    this.#values.count += 1;
    this.#values.sum += value;
    for (const bucket of this.#values.buckets) if (value <= bucket.upTo) bucket.count += 1;
  }

  metric(name: string, help: string): Metric {
    return { name, help, type: 'histogram', values: [this.#values] };
  }
}
