import { type Dispatcher, util } from 'undici';
import type { Priority } from '../lib/actor.ts';
import { after, type Clock, FETCH_MS } from '../lib/clock.ts';
import { type ErrorCode, type Failure, SwitchboardError } from '../lib/errors.ts';
import { type Metric, perLabel } from '../lib/http.ts';
import { type Proxies, ProxyError } from '../lib/proxies.ts';
import {
  defined,
  type Fields,
  isLoopback,
  isRecord,
  MAX_JSON_DEPTH,
  mapWords,
  parseUrl,
  quote,
  sentence,
  tooDeep,
  words,
} from '../lib/values.ts';
import type { Database } from '../store/types.ts';
import { backoff } from '../work/jobs.ts';
import { hasNumberRows } from './dialect/number-lists.ts';
import {
  errorStatus,
  namesErrors,
  parseBody,
  readErrorBody,
  readErrorMembers,
  saysBoth,
  saysNo,
  saysYes,
  telling,
  unwrapped,
} from './dialect/readings.ts';
import { AFTER_REFUSAL } from './dialect/verdict.ts';

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

interface Attempt {
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

/** HTTP to one origin. Redirects are not followed; nothing is retried here. Sending never rejects. */
export function wireTo(origin: string, options: { timeoutMs: number; clock: Clock; proxies: Proxies }) {
  const { timeoutMs, clock, proxies } = options;
  // undici's own timeouts are off: one timer covers an attempt from connect to the last byte.
  const common = { headersTimeout: 0, bodyTimeout: 0, connectMs: Math.min(timeoutMs, FETCH_MS) };
  const pooled: Dispatcher = proxies.connect(origin, { ...common, pipelining: 1 });
  const fresh: Dispatcher = proxies.connect(origin, { ...common, pipelining: 0 });
  return {
    send: (attempt: Attempt): Promise<Reply | NoReply> => {
      const { method, path, headers, body = null, signal } = attempt;
      return new Promise((resolve) => {
        const { handler, stop } = exchangeOf(attempt, (outcome) => {
          cancelTimer();
          signal?.removeEventListener('abort', onAbort);
          resolve(outcome);
        });
        const onAbort = () => stop('cancelled');
        const cancelTimer = after(clock, attempt.timeoutMs, () => stop('timeout'));
        signal?.addEventListener('abort', onAbort, { once: true });
        if (signal?.aborted) return onAbort();
        (attempt.fresh ? fresh : pooled).dispatch({ origin, method, path, headers, body }, handler);
      });
    },
    /** Waits for the requests in flight. Each ends within its timeout. */
    close: async (): Promise<void> => {
      await Promise.all([pooled.close(), fresh.close()]);
    },
  };
}

/** What undici's dispatcher calls. Its types leave out the last one. */
type Handler = Dispatcher.DispatchHandler & { onRequestSent: () => void };

/**
 * One request and its answer, as undici's dispatcher reports them. Its `request` method does the same with a stream, a
 * promise and an abort signal for each call, and does not say when the first byte is written.
 *
 * @param onOver called once with the outcome
 */
function exchangeOf({ onArrived, mayWrite, onWritten }: Attempt, onOver: (outcome: Reply | NoReply) => void) {
  /** The reason why this process ended the exchange. */
  let why: NoReply['why'] = 'network';
  let abort: (error: Error) => void = () => undefined;
  let head: Pick<Reply, 'status' | 'headers'> | undefined;
  let [left, isOver, size] = [false, false, 0];
  const chunks: Buffer[] = [];
  const settle = (outcome: Reply | NoReply) => {
    isOver = true;
    onOver(outcome);
  };
  const end = (how: Reply['end']) => {
    if (!isOver && head) settle({ kind: 'reply', ...head, body: UTF_8.decode(Buffer.concat(chunks)), end: how });
  };
  const onError = (error: Error) => {
    if (isOver) return;
    if (head && why !== 'cancelled') return end(why === 'timeout' ? 'timeout' : 'cut');
    if (!head) onArrived(undefined);
    const proxy = error instanceof ProxyError ? error : undefined;
    const known = head ? { code: '', detail: why } : { code: codeIn(error), detail: `${why}: ${String(error)}` };
    settle({ kind: 'none', why, left, ...known, proxy });
  };
  const handler: Handler = {
    // A connection is ready, and the request is written to it next.
    onConnect: (drop) => {
      abort = drop;
      if (isOver || mayWrite?.() === false) return drop(new Error('ended before it was written'));
      left = true;
      onWritten?.();
    },
    onRequestSent: () => onWritten?.(),
    onHeaders: (status, raw) => {
      // After a 1xx status, the answer is still to come.
      if (status < 200 || isOver) return true;
      head = { status, headers: util.parseHeaders(raw) };
      onArrived(status);
      return true;
    },
    onData: (chunk) => {
      size += chunk.length;
      if (size <= MAX_BODY) chunks.push(chunk);
      else if (!isOver) {
        end('oversized');
        abort(new Error('the answer is too long'));
      }
      return !isOver;
    },
    onComplete: () => end('complete'),
    onError,
  };
  /** Ends the exchange with the known facts. */
  const stop = (reason: NoReply['why']) => {
    if (isOver) return;
    why = reason;
    const error = new Error(why === 'timeout' ? 'no answer in time' : 'the caller cancelled');
    onError(error);
    abort(error);
  };
  return { handler, stop };
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

/** Counts this process's requests to the platform, each attempt once, token requests included. */
export function requestMeasures() {
  const [results, seconds] = [new Map<string, number>(), new Map<string, number>()];
  const common = { type: 'counter', label: 'result', known: RESULTS } as const;
  return {
    add: (result: 'ok' | ErrorCode, ms: number) => {
      results.set(result, (results.get(result) ?? 0) + 1);
      seconds.set(result, (seconds.get(result) ?? 0) + ms / 1000);
    },
    metrics: (): Metric[] => {
      const help = 'Requests to the platform by result, each attempt counted once.';
      const time = 'Time that these attempts took, from the start to the answer or failure.';
      return [
        perLabel({ ...common, name: 'switchboard_platform_requests_total', help, counts: results }),
        perLabel({ ...common, name: 'switchboard_platform_request_seconds_total', help: time, counts: seconds }),
      ];
    },
  };
}

/** The call that an error message is about. */
export interface CallContext {
  method: string;
  path: string;
  /** The full URL its token was for. */
  url: string;
  read: boolean;
  /** True for a token request: nothing of the call itself has been sent. */
  forToken?: boolean;
  redact: (text: string, token?: string) => string;
}

/** One attempt that did not succeed. */
export interface FailedAttempt {
  code: ErrorCode;
  /** A description of the failure, as sentences with secrets redacted. Empty if only the status is known. */
  reason: string;
  /** True if `reason` is text of the platform. */
  quoted?: boolean;
  status?: number;
  field?: string;
  transactionLogId?: string;
  retryAfterMs?: number;
  /** The next step, if it differs from that of the code. */
  next?: string;
  /** True if the platform certainly did nothing. */
  certain: boolean;
  /** True if another attempt may succeed, provided the call may be sent again. */
  again: boolean;
  /** For the log, with secrets redacted. */
  detail: string;
}

export type Result = { answer: Answer } | { failure: FailedAttempt };

/**
 * Turns a reply into an answer or a failure (PLATFORM.md, Errors). `now`: epoch ms.
 * @param read true if the call changes nothing
 */
export function readReply(reply: Reply, now: number, redact: (text: string) => string, read: boolean): Result {
  if (reply.status < 200 || reply.status > 299) return { failure: statusFailure(reply, now, redact) };
  const unclear = { code: 'server_error', status: reply.status, certain: false, again: false } as const;
  const broken = (reason: string, more: Partial<FailedAttempt> = {}): Result => ({
    failure: { ...unclear, reason, detail: reason, ...more },
  });
  if (reply.end === 'oversized') return broken('The platform’s answer is larger than 8 MiB and was not read.');
  if (reply.end === 'cut') return broken('The platform’s answer was cut off.', { again: true });
  if (reply.end === 'timeout')
    return broken('The platform’s answer did not end in time.', { code: 'timeout', again: true });
  let body: unknown;
  try {
    body = parseBody(reply.body);
  } catch (error) {
    const detail = `${String(error).slice(0, 100)}: ${JSON.stringify(redact(reply.body.slice(0, 1000)).slice(0, 200))}`;
    if (/^\s*</.test(reply.body)) return broken(WEB_PAGE.reason, { ...WEB_PAGE, detail });
    const reason = tooDeep(reply.body)
      ? `The platform’s answer is nested more than ${MAX_JSON_DEPTH} levels deep and was not read.`
      : 'The platform’s answer is not valid JSON.';
    return broken(reason, { detail });
  }
  // The empty answer of a change may be a success (dialect/verdict.ts). A read got nothing.
  const isEmpty =
    body === undefined || body === null || body === '' || (isRecord(body) && Object.keys(body).length === 0);
  if (read && isEmpty) return broken('The platform sent no answer.');
  if (read && typeof body !== 'object') return broken('The platform’s answer to a read is no record.');
  const answer = unwrapped(body, read);
  const failure = failureIn(answer, read, redact);
  return failure === undefined ? { answer } : { failure };
}

/** The failure in a 200 whose body has a failure flag or is an error body (PLATFORM.md, Errors). */
function failureIn(answer: Answer, read: boolean, redact: (text: string) => string): FailedAttempt | undefined {
  const refused = saysNo(answer);
  const status = errorStatus(answer);
  if (!refused && status === undefined && !namesErrors(answer)) return undefined;
  const records = telling(answer).length > 0;
  // A record returned by a read may have members with these names.
  if (read && !refused && records) return undefined;
  // An answer to a change that says more than that it failed is left to its verdict (dialect/verdict.ts).
  if (!read && (hasNumberRows(answer) || saysBoth(answer))) return undefined;
  if (!read && !refused && (records || saysYes(answer))) return undefined;
  const words = readErrorMembers(answer, redact);
  const quoted = words.reason !== '';
  const reason = quoted ? words.reason : 'The platform reported that the call did not succeed.';
  const certain = refused || status === undefined || isCertain(status);
  const unnamed = refused ? 'refused' : 'bad_request';
  const code = status === undefined ? unnamed : codeOf(status);
  return { ...words, reason, quoted, code, status: 200, certain, again: false, detail: reason };
}

/** The error of a call that failed for good. `maybeDone`: this or an earlier attempt may have done the work. */
export function errorOf(failure: FailedAttempt, call: CallContext, maybeDone: boolean): SwitchboardError {
  const unknown = maybeDone && !call.read && !call.forToken;
  const seconds = failure.retryAfterMs === undefined ? undefined : Math.max(1, Math.ceil(failure.retryAfterMs / 1000));
  const { code, status, field, transactionLogId } = failure;
  const said = failure.reason === '' ? generic(failure, call) : sentence(failure.reason);
  const message = failure.quoted && failure.reason !== '' ? words`The platform said: ${quote(said)}` : said;
  const face: Failure = {
    code,
    outcome: unknown ? 'unknown' : 'not_done',
    message: mapWords(message, call.redact),
    ...(!call.read && !call.forToken && { effect: unknown ? 'maybe_done' : 'nothing_done' }),
    ...(!unknown && { next: call.redact(failure.next ?? nextStep(failure, call, seconds)) }),
    ...defined({ status, field, transactionLogId, retryAfterSeconds: seconds }),
  };
  return new SwitchboardError(face, { detail: call.redact(`${call.method} ${call.path}: ${failure.detail}`) });
}

const WEB_PAGE = {
  reason: 'The answer is a web page, not one of the platform’s API.',
  next: 'Check that PLATFORM_BASE_URL is the address of the API.',
};

/** Statuses with which a server that is not the platform's API answers. A proxy before the API has its pages for others. */
const ELSEWHERE = [401, 403, 404, 405];

function statusFailure(reply: Reply, now: number, redact: (text: string) => string): FailedAttempt {
  const { status } = reply;
  const words = readErrorBody(reply.body, redact);
  const { field: _, ...others } = words;
  const retryAfterMs = readRetryAfter(reply.headers, now);
  return {
    ...(status === 400 ? words : others),
    ...(ELSEWHERE.includes(status) && /^\s*<(?:!doctype )?html/i.test(reply.body) && WEB_PAGE),
    quoted: words.reason !== '',
    code: codeOf(status),
    status,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    certain: isCertain(status),
    again: RETRIED.includes(status),
    detail: `HTTP ${status} ${words.reason}`,
  };
}

const CODES: Readonly<Record<number, ErrorCode>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'timeout',
  429: 'rate_limited',
  503: 'unavailable',
  504: 'timeout',
};

function codeOf(status: number): ErrorCode {
  return CODES[status] ?? (status >= 400 && status < 500 ? 'bad_request' : 'server_error');
}

function generic({ code, status }: FailedAttempt, { method, path }: CallContext): string {
  const http = status === undefined ? '' : ` (HTTP ${status})`;
  const texts: Partial<Record<ErrorCode, string>> = {
    bad_request: `The platform refused the request${http}.`,
    unauthorized: 'The platform did not accept the access token.',
    forbidden: 'The platform did not permit the call.',
    not_found: 'The platform did not find what was asked for.',
    method_not_allowed: `The platform does not accept ${method} at ${path}.`,
    rate_limited: 'The platform’s rate limit is exceeded.',
    unavailable: 'The platform is temporarily unavailable.',
    timeout: `The platform did not finish in time${http}.`,
  };
  return texts[code] ?? `The platform failed${http}.`;
}

const WRONG_TOKEN =
  'No access token was given: check PLATFORM_ACCOUNT_KEY, PLATFORM_ACCOUNT_SECRET and PLATFORM_BASE_URL.';

/** The next steps of a token request, for which nobody but the owner can do anything. */
const TOKEN_NEXT: Partial<Record<ErrorCode, string>> = {
  bad_request: WRONG_TOKEN,
  refused: WRONG_TOKEN,
  unauthorized: 'The platform does not know these credentials: check PLATFORM_ACCOUNT_KEY and PLATFORM_ACCOUNT_SECRET.',
  forbidden: 'No access token was given: ask the platform which permissions the account has.',
  not_found: 'Check PLATFORM_BASE_URL.',
};

/** The next step for the reader, after a call that did nothing. */
function nextStep({ code }: FailedAttempt, call: CallContext, seconds: number | undefined): string {
  const texts: Partial<Record<ErrorCode, string>> = {
    bad_request: 'Correct the input and try again.',
    refused: AFTER_REFUSAL,
    unauthorized: 'Check the credentials, and that the account may use the platform.',
    forbidden: `The token was for ${call.url}; usually its scope does not match the address called. Check PLATFORM_BASE_URL and the account’s permissions.`,
    not_found: 'It does not exist or belongs to another account.',
    method_not_allowed: 'Check PLATFORM_BASE_URL and the version of Switchboard.',
    rate_limited: `Try again in ${seconds === undefined ? 'a minute' : `${seconds} s`}.`,
    network: isLoopback(parseUrl(call.url)?.hostname ?? '')
      ? 'Its address is on this computer. If it is the sandbox, start switchboard start or switchboard sandbox again, or restart this program; otherwise check PLATFORM_BASE_URL.'
      : 'Check PLATFORM_BASE_URL and the network, then try again.',
    ...(call.forToken && TOKEN_NEXT),
  };
  return texts[code] ?? `Try again${seconds === undefined ? ' later' : ` in ${seconds} s`}.`;
}

/** Maximum retries after the first attempt. */
export const MAX_RETRIES = 4;
const CAP_MS = 30_000;
/** Maximum jitter, as a fraction of the step. */
const JITTER = 0.25;
const LONGEST_RETRY_AFTER_MS = 31 * 86_400_000;
/** Maximum length of a Retry-After header that is parsed. */
const MAX_HEADER = 64;

/** Statuses that the platform asks to retry (PLATFORM.md, Retries). */
const RETRIED = [408, 429, 500, 503, 504];

/** True if a call with this status certainly did nothing (PLATFORM.md, Errors). 408, 5xx except 503, and redirects are unclear. */
function isCertain(status: number): boolean {
  return status === 503 || (status >= 400 && status < 500 && status !== 408);
}

/**
 * Milliseconds to wait before retry number `retry` (0 is the first): 1 s, doubling, at most 30 s, or the platform's
 * Retry-After if that is longer, plus up to a quarter of the step, by the share `jitter` (0..1), so that callers that
 * failed together do not return together (PLATFORM.md, Retries).
 */
export function retryDelay(retry: number, retryAfterMs: number | undefined, jitter = Math.random()): number {
  const step = backoff(retry + 1, CAP_MS);
  return Math.ceil(Math.max(step, retryAfterMs ?? 0) + step * JITTER * jitter);
}

/** A date of HTTP (RFC 9110, 5.6.7). Other texts that `Date.parse` takes are none. */
const HTTP_DATE = /^[a-z]{3,9}, \d{2}[ -][a-z]{3}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/i;

/**
 * `Retry-After` in ms, from seconds or an HTTP date. A date is compared with the answer's own `Date`, because the
 * platform's clock may differ from this one, or with `now` (epoch ms) if there is none. Undefined where it is neither.
 * More than 31 days is implausible for a limit per minute, so it counts as 31 days.
 */
export function readRetryAfter(headers: Reply['headers'], now: number): number | undefined {
  const text = first(headers['retry-after']);
  if (/^\d{1,40}(\.\d{1,9})?$/.test(text)) return Math.min(Math.ceil(Number(text) * 1000), LONGEST_RETRY_AFTER_MS);
  const [at, sent = now] = [text, first(headers.date)].map((one) =>
    HTTP_DATE.test(one) ? Date.parse(one) : undefined,
  );
  if (at === undefined || Number.isNaN(at)) return undefined;
  // A date that is over by the answer's own is compared with this clock: a proxy may have written the other one.
  return Math.min(Math.max(0, at > sent ? at - sent : at - now), LONGEST_RETRY_AFTER_MS);
}

function first(header: string | string[] | undefined): string {
  const text = [header].flat()[0] ?? '';
  return text.length > MAX_HEADER ? '' : text.trim();
}

/** The error of a call that did nothing because this process gave it up. */
export function notSent(code: ErrorCode, message: string, more: Partial<Failure> = {}): SwitchboardError {
  return new SwitchboardError({ code, outcome: 'not_done', message, effect: 'nothing_done', ...more });
}

/** The error of a call whose caller cancelled it before anything was sent. */
export function cancelled(message = 'Cancelled by the caller before it was sent.'): SwitchboardError {
  return notSent('timeout', message);
}

/** The error of a call that was not sent because the client was closed. */
export function closing(): SwitchboardError {
  const next = 'Try again when it is back.';
  return notSent('network', 'Switchboard is shutting down.', { effect: 'nothing_sent', next });
}

/** The error of a call whose deadline passes while it waits for the budget. `waitMs`: time until a place may be free. */
export function outOfBudget(waitMs: number): SwitchboardError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  const message = 'The platform’s rate limit is used up and the time for this call is over.';
  const next = `Try again in about ${seconds} s.`;
  return notSent('rate_limited', message, { effect: 'nothing_sent', next, retryAfterSeconds: seconds });
}
