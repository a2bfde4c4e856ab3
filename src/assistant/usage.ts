import type { ErrorCode } from '../lib/errors.ts';
import { type Metric, perLabel } from '../lib/metrics.ts';
import type { Feedback } from './conversations.ts';
import type { Stopped } from './turn-events.ts';

const FEEDBACK: readonly Feedback[] = ['good', 'bad'];
/** The failures that `modelFailure` distinguishes. */
const REASONS: readonly ErrorCode[] = [
  'timeout',
  'network',
  'unauthorized',
  'not_found',
  'rate_limited',
  'server_error',
  'bad_request',
];
const ENDS: readonly TurnResult[] = [
  'answered',
  'failed',
  'stopped',
  'shutdown',
  'too_long',
  'too_many_calls',
  'forgotten',
  'taken_over',
  'cut',
  'withheld',
  'empty',
];
/** The end of a turn. */
type TurnResult = 'answered' | 'failed' | Stopped;

/** Counts of this process for `/metrics`. They hold no text of the conversation. */
export class Usage {
  readonly #model: string | undefined;
  readonly #turns = new Map<string, number>();
  readonly #failures = new Map<string, number>();
  readonly #feedback = new Map<string, number>();
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

  failed(reason: string): void {
    this.#failures.set(reason, (this.#failures.get(reason) ?? 0) + 1);
  }

  judged(feedback: string): void {
    this.#feedback.set(feedback, (this.#feedback.get(feedback) ?? 0) + 1);
  }

  metrics(): Metric[] {
    return [
      counter('turns', 'Turns of the conversation by end.', { label: 'end', known: ENDS, counts: this.#turns }),
      counter('failures', 'Failures of the model by reason.', {
        label: 'reason',
        known: REASONS,
        counts: this.#failures,
      }),
      counter('feedback', 'Answers by the judgement of readers.', {
        label: 'value',
        known: FEEDBACK,
        counts: this.#feedback,
      }),
      counter('tokens', 'Tokens of the model.', {
        label: 'kind',
        known: [],
        counts: new Map(Object.entries(this.#tokens)),
      }),
      {
        name: 'switchboard_assistant_turn_seconds_total',
        help: 'Time of all turns.',
        type: 'counter',
        values: [{ value: this.#seconds }],
      },
      ...(this.#model === undefined
        ? []
        : [
            perLabel({
              name: 'switchboard_assistant_model',
              help: 'The model that is set.',
              type: 'gauge',
              label: 'model',
              known: [],
              counts: new Map([[this.#model, 1]]),
            }),
          ]),
    ];
  }
}

function counter(
  what: string,
  help: string,
  values: { label: string; known: readonly string[]; counts: ReadonlyMap<string, number> },
): Metric {
  return perLabel({ name: `switchboard_assistant_${what}_total`, help, type: 'counter', ...values });
}
