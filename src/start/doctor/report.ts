import type { Config } from '../../lib/config.ts';

/**
 * The result of one check. `ok`: it works, or it is not configured. `warn`: it works, with a loss or a risk that the
 * line names. `FAIL`: it does not work.
 */
export type Verdict = 'ok' | 'warn' | 'FAIL';

/** One line of `switchboard doctor`. `what` is left out where it is the name of the check. */
export type Finding = readonly [verdict: Verdict, detail: string, what?: string];

/** Checks a part of an installation and changes nothing. An error that it throws is its failure. */
export type Check = (config: Config) => Iterable<Finding> | AsyncIterable<Finding>;
