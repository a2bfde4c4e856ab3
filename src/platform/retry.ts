import { SwitchboardError } from '../lib/errors.ts';
import { backoff } from '../work/failures.ts';

/** Maximum retries after the first attempt. */
export const MAX_RETRIES = 4;
const CAP_MS = 30_000;
/** Maximum jitter, as a fraction of the step. */
const JITTER = 0.25;
const LONGEST_RETRY_AFTER_MS = 31 * 86_400_000;
/** Maximum length of a Retry-After header that is parsed. */
const MAX_HEADER = 64;

/** Statuses that the platform asks to retry (PLATFORM.md, Retries). */
const RETRIED: ReadonlySet<number> = new Set([408, 429, 500, 503, 504]);
/** Statuses that mean that nothing was done, for every call (PLATFORM.md, Errors). */
const NOTHING_DONE: ReadonlySet<number> = new Set([429, 503]);

export const isRetried = (status: number): boolean => RETRIED.has(status);

/** True if a call with this status certainly did nothing. 408, 5xx except 503, and redirects are unclear. */
export function isCertain(status: number): boolean {
  return NOTHING_DONE.has(status) || (status >= 400 && status < 500 && status !== 408);
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

/** The three forms of a date in HTTP (RFC 9110, 5.6.7); the last names no zone and means GMT. */
const HTTP_DATES = [
  /^[a-z]{3}, \d{2} [a-z]{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/i,
  /^[a-z]{6,9}, \d{2}-[a-z]{3}-\d{2} \d{2}:\d{2}:\d{2} GMT$/i,
  /^[a-z]{3} [a-z]{3} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/i,
];

/** The time that the platform asks to wait. `isBounded`: it asked for more than 31 days. */
export interface RetryAfter {
  ms: number;
  isBounded: boolean;
}

/** The headers of an answer that are read here. */
export type RetryHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * `Retry-After`, in seconds or as an HTTP date. A date is compared with the answer's own `Date`, because the platform's
 * clock may differ from this one, or with `now` (epoch ms) if there is none. Undefined where it is neither. More than 31
 * days is implausible for a limit per minute, so it counts as 31 days.
 */
export function readRetryAfter(headers: RetryHeaders, now: number): RetryAfter | undefined {
  const text = first(headers['retry-after']);
  const ms = /^\d{1,40}(\.\d{1,9})?$/.test(text) ? Math.ceil(Number(text) * 1000) : untilDate(text, headers, now);
  if (ms === undefined) return undefined;
  return { ms: Math.min(ms, LONGEST_RETRY_AFTER_MS), isBounded: ms > LONGEST_RETRY_AFTER_MS };
}

function untilDate(text: string, headers: RetryHeaders, now: number): number | undefined {
  const at = readHttpDate(text);
  if (at === undefined) return undefined;
  const date = readHttpDate(first(headers.date)) ?? now;
  // A date that is over by the answer's own is compared with this clock: a proxy may have written the other one.
  return Math.max(0, at > date ? at - date : at - now);
}

function first(header: string | string[] | undefined): string {
  const text = (Array.isArray(header) ? header[0] : header) ?? '';
  return text.length > MAX_HEADER ? '' : text.trim();
}

/** A date of HTTP as epoch ms; undefined if the text is none. */
function readHttpDate(text: string): number | undefined {
  const form = HTTP_DATES.findIndex((date) => date.test(text));
  if (form === -1) return undefined;
  const at = Date.parse(form === 2 ? `${text} GMT` : text);
  return Number.isNaN(at) ? undefined : at;
}

/** The error of a call whose caller cancelled it before anything was sent. */
export function cancelled(): SwitchboardError {
  const message = 'Cancelled by the caller before it was sent.';
  return new SwitchboardError({ code: 'timeout', message, effect: 'nothing_done', outcome: 'not_done' });
}

/** The error of a call that was not sent because the client was closed. */
export function closing(): SwitchboardError {
  return new SwitchboardError({
    code: 'network',
    outcome: 'not_done',
    message: 'Switchboard is shutting down.',
    effect: 'nothing_sent',
    next: 'Try again when it is back.',
  });
}

/**
 * The error of a call whose deadline passes while it waits for the budget. `waitMs`: time until a place may be free.
 */
export function outOfBudget(waitMs: number): SwitchboardError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new SwitchboardError({
    code: 'rate_limited',
    outcome: 'not_done',
    message: 'The platform’s rate limit is used up and the time for this call is over.',
    effect: 'nothing_sent',
    next: `Try again in about ${seconds} s.`,
    retryAfterSeconds: seconds,
  });
}
