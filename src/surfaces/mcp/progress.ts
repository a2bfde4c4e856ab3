import { PROGRESS_MS } from '../../lib/durations.ts';
import type { RequestContext } from './protocol.ts';

/** Reports progress to a waiting client. The protocol requires the number to grow. */
export class Progress {
  readonly #context: RequestContext;
  #sent = 0;
  #message = 'waiting';
  #timer: NodeJS.Timeout | undefined;

  constructor(context: RequestContext) {
    this.#context = context;
  }

  /**
   * Reports why the call waits now, and repeats the report until `stop`. Several requests of one call that wait for the
   * same reason and time are reported once.
   */
  waiting(why: 'rate_limit' | 'retry' | 'person', seconds: number): void {
    const message = describe(why, seconds);
    if (message === this.#message) return;
    this.#message = message;
    this.#notify();
    this.#timer ??= setInterval(() => this.#notify(), PROGRESS_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #notify(): void {
    this.#sent += 1;
    this.#context.notifyProgress(this.#sent, this.#message);
  }
}

function describe(why: 'rate_limit' | 'retry' | 'person', seconds: number): string {
  if (why === 'person') return `waiting for a person to confirm, at most ${seconds} s`;
  if (why === 'retry') return `the platform failed, trying again in about ${Math.ceil(seconds)} s`;
  return `waiting for the rate limit, about ${Math.ceil(seconds)} s`;
}
