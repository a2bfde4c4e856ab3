import type { ErrorCode } from '../lib/errors.ts';
import { type Metric, perLabel } from '../lib/metrics.ts';
import type { Stopped } from './turn-events.ts';

const PREFIX = 'switchboard_assistant_';
/** The ends and reasons that are told from the start, so that a query finds no gap before the first one. */
const ENDS: readonly TurnResult[] = ['answered', 'failed', 'stopped', 'too_long', 'too_many_calls'];
const REASONS: readonly ErrorCode[] = ['timeout', 'network', 'unauthorized', 'rate_limited', 'server_error'];
/** The end of a turn. */
type TurnResult = 'answered' | 'failed' | Stopped;

/** Counts of this process for `/metrics`. They hold no text of the conversation. */
export class Usage {
  readonly #model: string | undefined;
  readonly #turns = new Map<string, number>();
  readonly #failures = new Map<string, number>();
  readonly #tokens = { input: 0, output: 0 };
  #seconds = 0;

  /** @param model its name; undefined if none is set */
  constructor(model: string | undefined) {
    this.#model = model;
  }

  /** @param ms duration of the turn */
  turn(end: TurnResult, ms: number, tokens: { input: number; output: number }): void {
    this.#turns.set(end, (this.#turns.get(end) ?? 0) + 1);
    this.#seconds += ms / 1000;
    this.#tokens.input += tokens.input;
    this.#tokens.output += tokens.output;
  }

  failed(reason: ErrorCode): void {
    this.#failures.set(reason, (this.#failures.get(reason) ?? 0) + 1);
  }

  metrics(): Metric[] {
    const all: Metric[] = [
      counter('turns_total', 'Turns of the conversation by end.', { label: 'end', known: ENDS, counts: this.#turns }),
      counter('failures_total', 'Failures of the model.', { label: 'reason', known: REASONS, counts: this.#failures }),
      counter('tokens_total', 'Tokens of the model.', {
        label: 'kind',
        known: [],
        counts: new Map(Object.entries(this.#tokens)),
      }),
      {
        name: `${PREFIX}turn_seconds_total`,
        help: 'Time of all turns.',
        type: 'counter',
        values: [{ value: this.#seconds }],
      },
    ];
    if (this.#model === undefined) return all;
    const values = [{ labels: { model: this.#model }, value: 1 }];
    return [...all, { name: `${PREFIX}model`, help: 'The model that is set.', type: 'gauge', values }];
  }
}

function counter(
  what: string,
  help: string,
  values: { label: string; known: readonly string[]; counts: ReadonlyMap<string, number> },
): Metric {
  return perLabel({ name: PREFIX + what, help, type: 'counter', ...values });
}
