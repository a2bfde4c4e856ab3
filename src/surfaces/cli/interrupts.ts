import { SwitchboardError } from '../../lib/errors.ts';
import { defined } from '../../lib/json.ts';

/** Calls `run` at each interrupt and returns a function that stops listening. */
export type OnInterrupt = (run: (signal?: NodeJS.Signals) => void) => () => void;

/** Ctrl-C, the end that a supervisor asks for, and the terminal that is closed. */
const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

export const onEnd: OnInterrupt = (run) => {
  for (const signal of SIGNALS) process.on(signal, run);
  return () => {
    for (const signal of SIGNALS) process.removeListener(signal, run);
  };
};

/**
 * Handles interrupts of a call. Before the request is sent, it withdraws the call. Afterwards the first one reports
 * that the request is under way, and the second one stops waiting for its outcome.
 */
export class Interrupts {
  readonly #abort = new AbortController();
  readonly #stopped: Promise<never>;
  #stop: (reason: SwitchboardError) => void = () => undefined;
  readonly #tell: (text: string) => void;
  readonly #unlisten: () => void;
  #isSent = false;
  #actionId: string | undefined;

  /** @param tell writes a line to the person at the terminal */
  constructor(listen: OnInterrupt, tell: (text: string) => void) {
    this.#tell = tell;
    this.#stopped = new Promise((_resolve, reject) => {
      this.#stop = reject;
    });
    this.#stopped.catch(() => undefined);
    this.#unlisten = listen(() => this.#interrupted());
  }

  /** Aborts when the person withdraws the call. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Records that the first byte of the change was written. */
  sent(): void {
    this.#isSent = true;
  }

  /** Records the ledger's id of the call, by which its outcome can be followed. */
  acts(id: string): void {
    this.#actionId ??= id;
  }

  /** Resolves to the outcome of the work. Rejects as soon as the person stops waiting for it. */
  race<T>(work: Promise<T>): Promise<T> {
    work.catch(() => undefined);
    return Promise.race([work, this.#stopped]);
  }

  end(): void {
    this.#unlisten();
  }

  #interrupted(): void {
    const isFirst = !this.#abort.signal.aborted;
    // The gate still waits for a change that may have arrived, but does not repeat an attempt that the platform
    // certainly refused.
    this.#abort.abort();
    if (!isFirst) this.#stop(this.#isSent ? new StoppedWaiting(this.#actionId) : withdrawn());
    else if (this.#isSent)
      this.#tell("The request was already sent. Waiting for the platform's answer; Ctrl-C again stops waiting.");
  }
}

/** The person stopped waiting after the request was sent. */
export class StoppedWaiting extends SwitchboardError {
  constructor(actionId: string | undefined) {
    super({
      code: 'network',
      message: `You stopped waiting after the request was sent, so its outcome is not known yet.`,
      ...defined({ follow: actionId }),
      outcome: 'unknown',
    });
  }
}

/** The person withdrew the call before it was sent. */
export function withdrawn(): SwitchboardError {
  return new SwitchboardError({
    code: 'not_confirmed',
    message: 'Stopped.',
    effect: 'nothing_sent',
    next: 'Run it again if it is still needed.',
    outcome: 'not_done',
    reason: 'withdrawn',
  });
}
