import { type Dispatcher, util } from 'undici';
import type { Priority } from '../lib/actor.ts';
import { after, type Clock, FETCH_MS } from '../lib/clock.ts';
import type { ErrorCode } from '../lib/errors.ts';
import { Buckets, type Metric, perLabel } from '../lib/load.ts';
import { type Proxies, ProxyError } from '../lib/proxies.ts';
import type { Fields } from '../lib/values.ts';
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
  onWait?: (why: 'rate_limit' | 'busy' | 'retry', seconds: number) => void;
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
  /** What is wrong with the expiry (past on arrival, unreadable, or not that of the token itself), and what to check. */
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

/** Maximum size of an answer that is read: 8 MiB. */
const MAX_BODY = 8 * 1024 * 1024;
const UTF_8 = new TextDecoder();

/** The platform answered. `end` says whether its body could be read to the end; `body` holds what was read. */
export interface Reply {
  kind: 'reply';
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
  end: 'complete' | 'oversized' | 'cut' | 'timeout';
}

/** No answer came. `left`: the request may have reached the platform. */
export interface NoReply {
  kind: 'none';
  why: 'network' | 'timeout' | 'cancelled';
  left: boolean;
  /** The system's or undici's code, such as ECONNREFUSED. */
  code: string;
  detail: string;
  /** Why the proxy made no connection. */
  proxy?: ProxyError | undefined;
}

export interface Attempt {
  method: 'GET' | 'POST';
  /** With the query. */
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** Connect to last byte, in ms. */
  timeoutMs: number;
  /** True to use a new connection, so that a stale idle one cannot make the outcome unknown. */
  fresh: boolean;
  signal?: AbortSignal | undefined;
  /** Called when the answer's headers came, with their status, or when the attempt failed. */
  onArrived: (status: number | undefined) => void;
  /** Called right before the first byte is written to a connection. If it returns false, nothing is written. */
  mayWrite?: (() => boolean) | undefined;
  /** Called when the first byte is written and again when the last one is. */
  onWritten?: (() => void) | undefined;
}

/** HTTP to one origin. Redirects are not followed; nothing is retried here. Never rejects. */
export class Wire {
  readonly #clock: Clock;
  readonly #origin: string;
  readonly #pooled: Dispatcher;
  readonly #fresh: Dispatcher;

  constructor(origin: string, { timeoutMs, clock, proxies }: { timeoutMs: number; clock: Clock; proxies: Proxies }) {
    this.#clock = clock;
    this.#origin = origin;
    // undici's own timeouts are off: one timer covers an attempt from connect to the last byte.
    const common = { headersTimeout: 0, bodyTimeout: 0, connectMs: Math.min(timeoutMs, FETCH_MS) };
    this.#pooled = proxies.connect(origin, { ...common, pipelining: 1 });
    this.#fresh = proxies.connect(origin, { ...common, pipelining: 0 });
  }

  async send(attempt: Attempt): Promise<Reply | NoReply> {
    const exchange = new Exchange(attempt);
    const onAbort = () => exchange.stop('cancelled');
    const cancelTimer = after(this.#clock, attempt.timeoutMs, () => exchange.stop('timeout'));
    attempt.signal?.addEventListener('abort', onAbort, { once: true });
    if (attempt.signal?.aborted) onAbort();
    try {
      const { method, path, headers, body = null, fresh } = attempt;
      const request = { origin: this.#origin, method, path, headers, body };
      if (!exchange.isOver) (fresh ? this.#fresh : this.#pooled).dispatch(request, exchange);
      return await exchange.outcome;
    } finally {
      cancelTimer();
      attempt.signal?.removeEventListener('abort', onAbort);
    }
  }

  /** Waits for the requests in flight. Each ends within its timeout. */
  async close(): Promise<void> {
    await Promise.all([this.#pooled.close(), this.#fresh.close()]);
  }
}

/**
 * One request and its answer, as undici's dispatcher reports them. Its `request` method does the same with a stream, a
 * promise and an abort signal for each call, and does not say when the first byte is written.
 */
class Exchange implements Dispatcher.DispatchHandler {
  readonly outcome: Promise<Reply | NoReply>;
  /** True once the outcome is settled. */
  isOver = false;
  readonly #attempt: Attempt;
  #settle: (outcome: Reply | NoReply) => void = () => undefined;
  #abort: ((error: Error) => void) | undefined;
  /** The reason why this process ended the exchange. */
  #why: NoReply['why'] = 'network';
  #left = false;
  #head: Pick<Reply, 'status' | 'headers'> | undefined;
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(attempt: Attempt) {
    this.#attempt = attempt;
    this.outcome = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  /** Ends the exchange with the known facts. */
  stop(why: NoReply['why']): void {
    if (this.isOver) return;
    this.#why = why;
    const error = new Error(why === 'timeout' ? 'no answer in time' : 'the caller cancelled');
    this.onError(error);
    this.#abort?.(error);
  }

  /** Called when a connection is ready, right before the request is written to it. */
  onConnect(abort: (error?: Error) => void): void {
    this.#abort = abort;
    if (this.isOver || this.#attempt.mayWrite?.() === false) {
      abort(new Error('ended before it was written'));
    } else {
      this.#left = true;
      this.#attempt.onWritten?.();
    }
  }

  /**
   * Called when the last byte is written. undici calls this method if a handler has it, although its types leave it
   * out.
   */
  onRequestSent(): void {
    this.#attempt.onWritten?.();
  }

  onHeaders(status: number, raw: Buffer[]): boolean {
    // After a 1xx status, the answer is still to come.
    if (status < 200 || this.isOver) return true;
    this.#head = { status, headers: util.parseHeaders(raw) };
    this.#attempt.onArrived(status);
    return true;
  }

  onData(chunk: Buffer): boolean {
    if (this.isOver) return false;
    this.#size += chunk.length;
    if (this.#size > MAX_BODY) {
      this.#end('oversized');
      this.#abort?.(new Error('the answer is too long'));
      return false;
    }
    this.#chunks.push(chunk);
    return true;
  }

  onComplete(): void {
    this.#end('complete');
  }

  onError(error: Error): void {
    if (this.isOver) return;
    const why = this.#why;
    if (this.#head !== undefined && why !== 'cancelled') this.#end(why === 'timeout' ? 'timeout' : 'cut');
    if (this.isOver) return;
    this.isOver = true;
    const detail = this.#head ? why : `${why}: ${String(error)}`;
    const code = this.#head ? '' : codeIn(error);
    if (!this.#head) this.#attempt.onArrived(undefined);
    const proxy = error instanceof ProxyError ? error : undefined;
    this.#settle({ kind: 'none', why, left: this.#left, code, detail, proxy });
  }

  #end(end: Reply['end']): void {
    if (this.isOver || this.#head === undefined) return;
    this.isOver = true;
    const bytes = this.#chunks.length === 1 && this.#chunks[0] ? this.#chunks[0] : Buffer.concat(this.#chunks);
    this.#settle({ kind: 'reply', ...this.#head, body: UTF_8.decode(bytes), end });
  }
}

/** The code of an error. For an `AggregateError`, which has one error for each address, the code of the first. */
function codeIn(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeIn(error.errors[0]);
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}

/** The results of an attempt at a request: an answer that did the work, or the code of its error. */
const RESULTS = ['ok', 'bad_request', 'refused', 'unauthorized', 'forbidden', 'not_found'].concat([
  'rate_limited',
  'server_error',
  'timeout',
  'network',
] satisfies ErrorCode[]);
/** Upper bounds in seconds. The default timeout of a request is 30 s. */
const BOUNDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Counts this process's requests to the platform, each attempt once, token requests included. */
export class RequestMeasures {
  readonly #results = new Map<string, number>();
  readonly #durations = new Buckets(BOUNDS);

  add(result: 'ok' | ErrorCode, ms: number): void {
    this.#results.set(result, (this.#results.get(result) ?? 0) + 1);
    this.#durations.add(ms / 1000);
  }

  metrics(): Metric[] {
    return [
      perLabel({
        name: 'switchboard_platform_requests_total',
        help: 'Requests to the platform by result, each attempt counted once.',
        type: 'counter',
        label: 'result',
        known: RESULTS,
        counts: this.#results,
      }),
      this.#durations.metric(
        'switchboard_platform_request_duration_seconds',
        'Time from the start of an attempt at a request to its answer or failure.',
      ),
    ];
  }
}
