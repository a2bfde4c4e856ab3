import { DAY_MS } from './clock.ts';

/* Durations in ms that several folders share, by what they are for. A folder keeps those that only it needs. */

/** Time limit of one small request to another server, and of a connection to it. */
export const FETCH_MS = 10_000;
/** Time limit of a check whether a server answers, while a person waits for the result. */
export const CHECK_MS = 2_000;
/** Time in which a call of a person at a terminal tries to reach the platform. With a start, it is below five seconds. */
export const REACH_MS = 3_000;
/** What was read longer ago than this, because a call waited for the budget, is read again before the call is sent. */
export const LONG_WAIT_MS = 5_000;
/** Pause after another system failed, before it is asked again. */
export const RETRY_MS = 10_000;
/** Interval between reads of what another process may have written, in the background. */
export const LOOK_MS = 2_000;
/** The same interval while a caller waits for the other process. */
export const POLL_MS = 250;
/** Changes within this time are handled together. */
export const GATHER_MS = 200;
/** Minimum time between two updates of a view. */
export const REDRAW_MS = 1_000;
/** Interval between reports on the progress of work. */
export const PROGRESS_MS = 10_000;
/** A value fetched from another system is used again for this long. */
export const FRESH_MS = 10 * 60_000;
/** The clocks of this installation's processes, of its database and of its issuer may differ by this much. */
export const CLOCK_SKEW_MS = 5_000;
/** A time that is later than now by less than this is accepted, because the clock that it came from may be ahead. */
export const AHEAD_MS = 2 * 60_000;
/** Minimum time between two log lines for the same reason. */
export const LOG_AGAIN_MS = 30_000;
/** Maximum time in which calls under way are answered after a signal to stop. */
export const STOP_MS = 25_000;
/** Retention time of events. */
export const KEPT_MS = 30 * DAY_MS;
