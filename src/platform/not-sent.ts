import { SwitchboardError } from '../lib/errors.ts';

/** The error of a call whose caller cancelled it before anything was sent. */
export function cancelled(): SwitchboardError {
  const message = 'Cancelled by the caller before it was sent. Nothing was done.';
  return new SwitchboardError({ code: 'timeout', message, outcome: 'not_done' });
}

/** The error of a call that was not sent because the client was closed. */
export function closing(): SwitchboardError {
  const message = 'Switchboard is shutting down. Nothing was sent; try again when it is back.';
  return new SwitchboardError({ code: 'network', message, outcome: 'not_done' });
}

/** The error of a call whose deadline passes while it waits for the budget. `waitMs`: time until a place may be free. */
export function outOfBudget(waitMs: number): SwitchboardError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  const message = `The platform’s rate limit is used up and the time for this call is over. Nothing was sent; try again in about ${seconds} s.`;
  return new SwitchboardError({ code: 'rate_limited', message, outcome: 'not_done', retryAfterSeconds: seconds });
}
