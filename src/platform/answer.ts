import { changed, type ErrorCode, type Failure, SwitchboardError } from '../lib/errors.ts';
import { isLoopback, parseUrl } from '../lib/http.ts';
import { defined, isRecord, MAX_JSON_DEPTH, mapWords, quote, sentence, tooDeep, words } from '../lib/values.ts';
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
import type { Answer, Reply } from './wire.ts';

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
export function notSent(code: ErrorCode, message: string, next?: string): SwitchboardError {
  return new SwitchboardError({ code, outcome: 'not_done', message, effect: 'nothing_done', ...defined({ next }) });
}

/** The error of a call whose caller cancelled it before anything was sent. */
export function cancelled(message = 'Cancelled by the caller before it was sent.'): SwitchboardError {
  return notSent('timeout', message);
}

/** The error of a call that was not sent because the client was closed. */
export function closing(): SwitchboardError {
  return changed(notSent('network', 'Switchboard is shutting down.', 'Try again when it is back.'), {
    effect: 'nothing_sent',
  });
}

/**
 * The error of a call whose deadline passes while it waits for the budget. `waitMs`: time until a place may be free.
 * `isAsked`: the platform asked for this pause, and the caller does not wait for it.
 */
export function outOfBudget(waitMs: number, isAsked = false): SwitchboardError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new SwitchboardError({
    code: 'rate_limited',
    outcome: 'not_done',
    message: isAsked
      ? 'The platform’s rate limit is used up, and it asked for a pause.'
      : 'The platform’s rate limit is used up and the time for this call is over.',
    effect: 'nothing_sent',
    next: `Try again in about ${seconds} s.`,
    retryAfterSeconds: seconds,
  });
}
