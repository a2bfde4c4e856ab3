import type { Faults } from './faults.ts';
import type { Jobs } from './jobs.ts';
import type { RateLimits } from './limits.ts';
import type { Tokens } from './tokens.ts';
import type { World } from './world.ts';

/**
 * One line of `GET /sandbox/requests`. `status` is 0 until the request is answered, and stays 0 when a fault cut the
 * connection before any work was done.
 */
export interface RequestLine {
  method: string;
  path: string;
  status: number;
  /** By the sandbox clock, ISO 8601. */
  time: string;
  dropped?: true;
}

/** Everything the control plane may read and change. */
export interface Control extends World {
  readonly tokens: Tokens;
  readonly limits: RateLimits;
  readonly faults: Faults;
  readonly jobs: Jobs;
  requests: RequestLine[];
  /** Writes the data file and arms the timer of the next job. Called after every request. */
  commit(): void;
  /** Restores the seed: records, clock, tokens (unless they are kept), faults, limits, logs. */
  reset(keepsTokens?: boolean): Promise<void>;
  /** Ends the wait of every answer that a fault delays. */
  release(): void;
}
