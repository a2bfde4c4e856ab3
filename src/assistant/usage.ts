import type { Metric } from '../lib/metrics.ts';

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
  turn(end: string, ms: number, tokens: { input: number; output: number }): void {
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
      counter('switchboard_assistant_turns', 'Turns of the conversation by end', 'end', this.#turns),
      counter('switchboard_assistant_failures', 'Failures of the model by reason', 'reason', this.#failures),
      counter('switchboard_assistant_feedback', 'Answers by the judgement of readers', 'value', this.#feedback),
      counter('switchboard_assistant_tokens', 'Tokens of the model', 'kind', new Map(Object.entries(this.#tokens))),
      {
        name: 'switchboard_assistant_seconds',
        help: 'Time of all turns',
        type: 'counter',
        values: [{ value: this.#seconds }],
      },
      ...(this.#model === undefined
        ? []
        : [gaugeOf('switchboard_assistant_model', 'The model that is set', 'model', this.#model)]),
    ];
  }
}

function counter(name: string, help: string, label: string, counts: ReadonlyMap<string, number>): Metric {
  const values = [...counts].map(([key, value]) => ({ label: key, value }));
  return { name, help, type: 'counter', label, values };
}

function gaugeOf(name: string, help: string, label: string, value: string): Metric {
  return { name, help, type: 'gauge', label, values: [{ label: value, value: 1 }] };
}
