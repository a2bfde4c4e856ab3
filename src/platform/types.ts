import type { Priority } from '../lib/actor.ts';
import type { Clock } from '../lib/clock.ts';
import type { Fields } from '../lib/json.ts';
import type { Metric } from '../lib/metrics.ts';
import type { Proxies } from '../lib/proxies.ts';
import type { Database } from '../store/types.ts';

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
  /**
   * Epoch ms; waiting for the budget counts. After it, the call fails with `timeout` or `rate_limited`, `not_done` if
   * nothing was sent.
   */
  deadline: number;
  /**
   * The longest time in ms that the call waits because the platform asked for a pause (429, Retry-After). For a longer
   * pause it fails at once and says when to try again. By default only the deadline counts.
   */
  maxPauseMs?: number;
  /** The caller's cancellation. It applies while waiting and to reads. A change that was sent is awaited. */
  signal?: AbortSignal;
  /**
   * Removes secrets from the platform's words in an error; `token` is the one that was sent. By default the client's
   * own.
   */
  redact?: (text: string, token?: string) => string;
  /** Called when the call starts to wait, with the expected seconds: "waiting for the rate limit, about 8 s". */
  onWait?: (why: 'rate_limit' | 'retry', seconds: number) => void;
  /**
   * Asked before each attempt, when its place is taken. If it resolves to false, the call is withdrawn as below. If it
   * rejects, the call ends with that error.
   */
  mayBegin?: (attempt: NextAttempt) => Promise<boolean>;
  /**
   * Called right before the first byte of each attempt is written. If it returns false, the call is withdrawn: nothing
   * of this attempt is sent, and no other attempt follows.
   */
  mayWrite?: () => boolean;
  /** Called with the time (epoch ms) when the first byte of an attempt is written, and again for the last byte. */
  onWritten?: (at: number) => void;
}

/** An attempt at a request that is about to begin. */
export interface NextAttempt {
  /**
   * True if it follows a pause, so that what the call rests on may have changed: the platform refused an attempt before it,
   * or the call waited more than 5 s for the budget. False where an earlier attempt may have done the work.
   */
  paused: boolean;
  /** Called before the caller reads again: the attempt's place is held for longer. */
  keep(): void;
}

/** A 200 answer: parsed JSON, envelope unwrapped, `Successful` checked. A bare array is `{ Results: [...] }`. */
export type Answer = Fields;

export interface Token {
  value: string;
  /** The text the platform sent. */
  tokenExpiry: string;
  /** Epoch ms. */
  expiresAt: number;
  /** Epoch ms: from then on it is not used for new calls. */
  usableUntil: number;
  /** The reason why the expiry is doubtful (already past on arrival, or unreadable), and what to check. */
  doubt?: string;
}

/** The tokens of all processes that share a store. Its methods reject while the store is away. */
export interface TokenStore {
  /** The token for a URL if there is a usable one. Otherwise `isMine` is true if this process must fetch it now. */
  acquire(url: string): Promise<{ token: Token } | { isMine: boolean }>;
  /** Keeps a token that this process fetched. */
  write(url: string, token: Token): Promise<void>;
  /** Called if this process did not fetch the token after all, so that another one may. */
  release(url: string): Promise<void>;
  /** Removes a token that the platform refused, unless a newer one has replaced it. */
  remove(url: string, value: string): Promise<void>;
}

export interface ClientOptions {
  baseUrl: string;
  accountKey: string;
  accountSecret: string;
  /** IANA zone of `tokenExpiry`, which carries none. */
  timeZone: string;
  requestsPerMinute: number;
  /** Time limit of one attempt. */
  timeoutMs: number;
  /**
   * Maximum time in which a call tries to reach the platform, by one connection or several. A person waits for it at a
   * terminal. By default only the deadline of the call counts.
   */
  reachMs?: number;
  clock: Clock;
  /**
   * The database in which all processes of an installation count their requests. By default a client counts its own.
   */
  database?: Database;
  /** Tokens that other processes fetched. By default each client fetches its own. */
  tokens?: TokenStore;
  /** Ways to the platform. By default it is reached directly. */
  proxies?: Proxies;
  /** Share (0..1) of the longest jitter of retries. By default random for each retry. */
  jitter?: number;
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
    request: Pick<Request, 'priority' | 'actor' | 'deadline' | 'signal' | 'maxPauseMs'>,
  ): Promise<{ successful: boolean; tokenExpiry: string; Warning?: string }>;
  /** Stored tokens and the account's secret, for redaction. */
  secrets?(): Iterable<string>;
  /** Counts of the requests of this process. */
  metrics?(): Metric[];
  /** Places held in the last minute by all processes, the limit, and the calls that wait in this process. */
  budget(): Promise<{ used: number; limit: number; waiting: number }>;
  close(): Promise<void>;
}
