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
  /** True for what changes nothing: an ambiguous failure of a read is `not_done`. */
  read: boolean;
  /** May it be sent again when it may have arrived? */
  resend: boolean;
  /** A lane of its own at one a second, outside the budget. */
  lane?: 'provision' | 'portin';
  priority: Priority;
  /** Id of the actor, who has a fair share within the class. Left out: one actor for all such calls of the class. */
  actor?: string;
  /** Epoch ms; waiting for the budget counts. Past it: `timeout`/`rate_limited`, `not_done` if nothing was sent. */
  deadline: number;
  /** The caller's cancellation. Obeyed while waiting and for reads; a change that was sent is awaited to its end. */
  signal?: AbortSignal;
  /** Values that must not stand in an error message (secrets of this call). */
  secrets?: readonly string[];
  /** Told when the call starts to wait, with the expected seconds: "waiting for the rate limit, about 8 s". */
  onWait?: (why: 'rate_limit' | 'retry', seconds: number) => void;
  /**
   * Asked right before the first byte of each attempt is written; false withdraws the call: nothing of this attempt is
   * sent, and none follows.
   */
  mayWrite?: () => boolean;
  /** Told the moment (epoch ms) when the first byte of an attempt is written, and again when the last one is. */
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
  /** Left out: one in memory. */
  window?: Window;
  /** Left out: Math.random. 0..1, for the jitter of retries. */
  random?: () => number;
  log?: (level: 'debug' | 'info' | 'warn', fields: Fields, message: string) => void;
}

export interface Client {
  /** Sends one call. Rejects with `SwitchboardError` only. */
  send(request: Request): Promise<Answer>;
  /**
   * Makes sure a token for a full endpoint URL or a path is held; answers what may be shown of it. `Warning`: its expiry
   * reads as past or cannot be read, and what to check.
   */
  token(
    endpoint: string,
    request: Pick<Request, 'priority' | 'actor' | 'deadline' | 'signal'>,
  ): Promise<{ successful: boolean; tokenExpiry: string; Warning?: string }>;
  /** Tokens held and the account's secret: what must not stand in anything shown. */
  secrets?(): Iterable<string>;
  /** The last minute: places held and the limit. */
  budget(): { used: number; limit: number; waiting: number };
  close(): Promise<void>;
}
