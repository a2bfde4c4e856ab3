import { SwitchboardError } from '../lib/errors.ts';

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
