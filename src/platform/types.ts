import type { Priority } from '../lib/actor.ts';
import type { Clock } from '../lib/clock.ts';
import type { Fields } from '../lib/json.ts';
import type { Window } from '../store/window.ts';

export interface Request {
  method: 'GET' | 'POST';
  /** "/v1.0/numbers/order" */
  path: string;
  /** Sent as the query of a GET or the JSON body of a POST; undefined members are left out. */
  input: Fields;
  /** True if the call changes nothing: an ambiguous failure of a read is `not_done`. */
  read: boolean;
  /** True if the call may be sent again although it may have arrived. */
  resend: boolean;
  /** A separate lane at one request per second, outside the budget. */
  lane?: 'provision' | 'portin';
  priority: Priority;
  /** Id of the actor, who has a fair share within the class. If left out, all such calls of a class share one actor. */
  actor?: string;
  /** Epoch ms; waiting for the budget counts. Past it: `timeout`/`rate_limited`, `not_done` if nothing was sent. */
  deadline: number;
  /** The caller's cancellation. It applies while waiting and to reads. A change that was sent is awaited. */
  signal?: AbortSignal;
  /** Secrets of this call, which must not appear in an error message. */
  secrets?: readonly string[];
  /** Called when the call starts to wait, with the expected seconds: "waiting for the rate limit, about 8 s". */
  onWait?: (why: 'rate_limit' | 'retry', seconds: number) => void;
  /**
   * Called right before the first byte of each attempt is written. If it returns false, the call is withdrawn: nothing of
   * this attempt is sent, and no other attempt follows.
   */
  mayWrite?: () => boolean;
  /** Called with the time (epoch ms) when the first byte of an attempt is written, and again for the last byte. */
  onWritten?: (at: number) => void;
}

/** A 200 answer: parsed JSON, envelope unwrapped, `Successful` checked. A bare array is `{ Results: [...] }`. */
export type Answer = Fields;

export interface ClientOptions {
  baseUrl: string;
  accountKey: string;
  accountSecret: string;
  /** IANA zone of `tokenExpiry`, which carries none. */
  timeZone: string;
  requestsPerMinute: number;
  /** For one attempt. */
  timeoutMs: number;
  clock: Clock;
  /** By default a window in memory. */
  window?: Window;
  /** Returns 0..1 for the jitter of retries. By default `Math.random`. */
  random?: () => number;
  log?: (level: 'debug' | 'info' | 'warn', fields: Fields, message: string) => void;
}

export interface Client {
  /** Sends one call. Rejects with `SwitchboardError` only. */
  send(request: Request): Promise<Answer>;
  /**
   * Ensures that a token for a full endpoint URL or a path is available, and returns what may be shown of it. `Warning`
   * is set if its expiry is past or unreadable, and says what to check.
   */
  token(
    endpoint: string,
    request: Pick<Request, 'priority' | 'actor' | 'deadline' | 'signal'>,
  ): Promise<{ successful: boolean; tokenExpiry: string; Warning?: string }>;
  /** Stored tokens and the account's secret, for redaction. */
  secrets?(): Iterable<string>;
  /** Places held in the last minute, the limit, and the number of waiting calls. */
  budget(): { used: number; limit: number; waiting: number };
  close(): Promise<void>;
}
