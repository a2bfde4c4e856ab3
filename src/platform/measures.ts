import type { ErrorCode } from '../lib/errors.ts';
import { Buckets, type Metric, perLabel } from '../lib/metrics.ts';

/** The result of an attempt at a request: an answer that did the work, or the code of its error. */
export type RequestResult = 'ok' | ErrorCode;

const RESULTS: readonly RequestResult[] = [
  'ok',
  'bad_request',
  'refused',
  'unauthorized',
  'forbidden',
  'not_found',
  'rate_limited',
  'server_error',
  'timeout',
  'network',
];
/** Upper bounds in seconds. The default timeout of a request is 30 s. */
const BOUNDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Counts this process's requests to the platform, each attempt once, token requests included. */
export class RequestMeasures {
  readonly #results = new Map<string, number>();
  readonly #durations = new Buckets(BOUNDS);

  add(result: RequestResult, ms: number): void {
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
