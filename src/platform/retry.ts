import type { Clock } from '../clock.ts';

/** Retries after the first attempt. */
export const MAX_RETRIES = 4;
const FIRST_MS = 1000;
const CAP_MS = 30_000;
/** An HTTP date has 29 characters; other spellings a few more. */
const MAX_DATE = 100;
/** Beyond this, timers overflow: such a moment is as good as never. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** Statuses the platform asks to retry (platform.md, Errors: retry guidance). */
const RETRIED: ReadonlySet<number> = new Set([408, 429, 500, 503, 504]);
/** Statuses that mean that nothing was done, whatever the call (design, rule 3). */
const NOTHING_DONE: ReadonlySet<number> = new Set([429, 503]);

export const isRetried = (status: number): boolean => RETRIED.has(status);

/** Is it sure that a call answered so did nothing? 408 and 5xx (but 503) leave it open, and so does a redirect. */
export function isCertain(status: number): boolean {
  return NOTHING_DONE.has(status) || (status >= 400 && status < 500 && status !== 408);
}

/**
 * Milliseconds to wait before retry number `retry` (0 is the first): 1 s, doubling, at most 30 s, of which half is
 * fixed and half random (0..1), and never less than the platform's Retry-After (platform.md, Errors: retry guidance).
 */
export function backoff(retry: number, retryAfterMs: number | undefined, random: () => number): number {
  const full = Math.min(CAP_MS, FIRST_MS * 2 ** retry);
  return Math.ceil(Math.max(full / 2 + (full / 2) * random(), retryAfterMs ?? 0));
}

/** `Retry-After`, in seconds or as an HTTP date, as milliseconds from now; undefined if it says neither. */
export function readRetryAfter(header: string | string[] | undefined, now: number): number | undefined {
  const text = (Array.isArray(header) ? header[0] : header)?.trim();
  if (text === undefined || text === '') return undefined;
  if (/^\d{1,9}(\.\d+)?$/.test(text)) return Number(text) * 1000;
  // "-5" would be read as a year.
  const at = text.length <= MAX_DATE && /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

/** A timer through the clock; answers what cancels it. A wait longer than timers reach never ends by itself. */
export function after(clock: Clock, ms: number, run: () => void): () => void {
  if (!(ms < LONGEST_TIMER_MS)) return () => undefined;
  const handle = clock.setTimeout(run, Math.max(0, ms));
  return () => clock.clearTimeout(handle);
}

/** Waits `ms`, or until one of the signals fires: answers false then. */
export function sleep(clock: Clock, ms: number, signals: ReadonlyArray<AbortSignal | undefined>): Promise<boolean> {
  return new Promise((resolve) => {
    if (signals.some((signal) => signal?.aborted)) {
      resolve(false);
      return;
    }
    const end = (slept: boolean) => {
      cancel();
      for (const signal of signals) signal?.removeEventListener('abort', onAbort);
      resolve(slept);
    };
    const onAbort = () => end(false);
    const cancel = after(clock, ms, () => end(true));
    for (const signal of signals) signal?.addEventListener('abort', onAbort, { once: true });
  });
}
