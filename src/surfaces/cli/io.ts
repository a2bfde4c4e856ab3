import { createInterface } from 'node:readline';
import { setImmediate as otherWork, setTimeout as sleep } from 'node:timers/promises';
import type { Tool } from '../../catalogue/operation.ts';
import type { Gate } from '../../gate/gate.ts';
import type { Actor } from '../../lib/actor.ts';
import { type Failure, SwitchboardError } from '../../lib/errors.ts';
import type { Style } from '../../lib/log.ts';
import { defined } from '../../lib/values.ts';

/** What a command opens to run operations. */
export interface Door {
  gate: Gate;
  close(): Promise<void>;
}

/** The environment of a command that runs operations. Tests pass their own streams. */
export interface CallIo<D extends Door = Door> {
  tools: readonly Tool[];
  openDoor(): Promise<D>;
  stdin: NodeJS.ReadableStream & { isTTY?: boolean | undefined; setRawMode?: (isRaw: boolean) => unknown };
  stdout: NodeJS.WritableStream & { isTTY?: boolean | undefined };
  stderr: NodeJS.WritableStream & { isTTY?: boolean | undefined; columns?: number | undefined };
  actor: Actor;
  /** Epoch ms: when the process began. Processes that were started at once make their calls in parallel. */
  startedAt?: number;
  /** Width of the terminal; 80 by default. */
  columns?: number | undefined;
  /** The streams that show colours; none by default. */
  colours?: { out: boolean; err: boolean };
  /** True if the terminal can redraw a line, as all but `TERM=dumb` can; false by default. */
  redraws?: boolean;
  /** The time by the gate's clock, in epoch ms. */
  now?: () => number;
  /** Calls `run` at each interrupt, and returns a function that stops listening. Those of this process by default. */
  onInterrupt?: OnInterrupt;
}

/** A command that runs: its environment, and what follows from it. */
export interface Terminal<D extends Door = Door> extends CallIo<D> {
  out: Write;
  err: Write;
  /** True if a person reads stderr. */
  human: boolean;
  /** True if a person can be asked. */
  canAsk: boolean;
  /** Columns for help texts and tables. */
  width: number;
  /** The styles of stderr. */
  style: Style;
}

/** Writes a text. Resolves when the stream has accepted it. */
export type Write = (text: string) => Promise<void>;

/** Exit status of `switchboard call`. */
export const EXIT = { done: 0, refused: 1, usage: 2, notConfirmed: 3, unknown: 4, partly: 5 } as const;

/** The exit status of a command that failed. */
export function exitCode(face: Failure): number {
  if (face.outcome === 'unknown') return EXIT.unknown;
  if (face.code === 'not_confirmed') return EXIT.notConfirmed;
  return face.code === 'invalid_input' || face.code === 'forbidden_by_role' ? EXIT.usage : EXIT.refused;
}

/** Writes in order. If the reader has closed the stream (EPIPE), writing stops and the command goes on. */
export function quietly(stream: NodeJS.WritableStream): Write {
  let gone = false;
  stream.on('error', () => {
    gone = true;
  });
  return (text) =>
    new Promise((resolve) => {
      if (gone) resolve();
      else stream.write(text, () => resolve());
    });
}

/** Calls `run` at each interrupt and returns a function that stops listening. */
type OnInterrupt = (run: (signal?: NodeJS.Signals) => void) => () => void;

/** Ctrl-C, the end that a supervisor asks for, and the terminal that is closed. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

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
  #stop: (reason: SwitchboardError) => void = () => undefined;
  readonly #stopped = new Promise<never>((_resolve, reject) => {
    this.#stop = reject;
  });
  /** Aborts when the person withdraws the call. */
  readonly signal = this.#abort.signal;
  /** Stops listening. */
  readonly end: () => void;
  /** True once the first byte of the change was written. */
  isSent = false;
  /** The ledger's id of the call, by which its outcome can be followed. */
  actionId: string | undefined;

  /** @param tell writes a line to the person at the terminal */
  constructor(listen: OnInterrupt, tell: (text: string) => void) {
    this.#stopped.catch(() => undefined);
    this.end = listen(() => {
      const isFirst = !this.#abort.signal.aborted;
      // The gate still waits for a change that may have arrived, but does not repeat an attempt that the platform
      // certainly refused.
      this.#abort.abort();
      if (!isFirst) this.#stop(this.isSent ? new StoppedWaiting(this.actionId) : withdrawn());
      else if (this.isSent)
        tell("The request was already sent. Waiting for the platform's answer; Ctrl-C again stops waiting.");
    });
  }

  /** Resolves to the outcome of the work. Rejects as soon as the person stops waiting for it. */
  race<T>(work: Promise<T>): Promise<T> {
    work.catch(() => undefined);
    return Promise.race([work, this.#stopped]);
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

/** The error of a call that nobody has confirmed. */
export function unconfirmed(said: Pick<Failure, 'message'> & Partial<Failure>): SwitchboardError {
  return new SwitchboardError({ code: 'not_confirmed', effect: 'nothing_sent', outcome: 'not_done', ...said });
}

/** The person withdrew the call before it was sent. */
export function withdrawn(): SwitchboardError {
  return unconfirmed({ message: 'Stopped.', next: 'Run it again if it is still needed.', reason: 'withdrawn' });
}

/** `cancel`: the input ended (Ctrl+D), the person pressed Ctrl+C, or the question was withdrawn. */
type PersonAnswer = 'accept' | 'decline' | 'cancel';

type TerminalStreams = Pick<CallIo, 'stdin' | 'stderr'>;

/**
 * True with `yes`, or if the person at the terminal answers y or yes. Otherwise says that nothing was done.
 *
 * @throws SwitchboardError `not_confirmed` where there is no person to ask
 */
export async function agreed(question: string, yes: boolean, io: TerminalStreams): Promise<boolean> {
  if (yes) return true;
  if (io.stdin.isTTY !== true)
    throw unconfirmed({ message: 'Nothing was done: run it on a terminal, or add --yes.', effect: 'stated' });
  if ((await askPerson(`${question} [y/N] `, io)) === 'accept') return true;
  io.stderr.write('Nothing was done.\n');
  return false;
}

/**
 * Asks the person at the terminal until another person decides elsewhere, which withdraws the question.
 *
 * @param decided resolves when another person has decided; `signal` ends its wait
 * @returns the person's answer; `unavailable` if another person has decided
 */
export async function askUntil(
  question: string,
  io: TerminalStreams,
  signal: AbortSignal,
  decided: (signal: AbortSignal) => Promise<unknown>,
): Promise<PersonAnswer | 'unavailable'> {
  const ended = new AbortController();
  const both = AbortSignal.any([signal, ended.signal]);
  const answered = askPerson(question, io, both);
  try {
    return await Promise.race([answered, decided(both).then(() => (both.aborted ? answered : 'unavailable'))]);
  } finally {
    ended.abort();
  }
}

/** Time in which the terminal gives out what was typed before a question. */
const TYPED_BEFORE_MS = 50;

/** Asks the person at the terminal. They accept by y or yes. */
async function askPerson(question: string, io: TerminalStreams, signal?: AbortSignal): Promise<PersonAnswer> {
  const answer = await askLine(question, io, signal);
  return answer === undefined ? 'cancel' : /^y(es)?$/i.test(answer) ? 'accept' : 'decline';
}

/** Asks the person at the terminal for a line of text; undefined if they are gone. */
export async function askLine(
  question: string,
  io: TerminalStreams,
  signal?: AbortSignal,
): Promise<string | undefined> {
  if (await isEndedBefore(io.stdin, signal)) {
    io.stderr.write('\n');
    return undefined;
  }
  return new Promise((resolve) => {
    const prompt = createInterface({ input: io.stdin, output: io.stderr, terminal: true, historySize: 0 });
    let answered = false;
    const end = (answer?: string) => {
      if (answered) return;
      answered = true;
      signal?.removeEventListener('abort', gone);
      resolve(answer);
      prompt.close();
    };
    /** Enter was not pressed, so the next output needs a new line. */
    const gone = () => {
      if (!answered) io.stderr.write('\n');
      end();
    };
    signal?.addEventListener('abort', gone, { once: true });
    // The mode of a terminal that was closed cannot be set back.
    prompt.on('error', gone);
    prompt.on('SIGINT', gone);
    prompt.on('close', gone);
    prompt.question(question, (answer) => end(answer.trim()));
  });
}

/**
 * Drops what was typed before the question, because it is no answer to a question that was not shown yet. True if the person
 * pressed Ctrl-C, the input has ended, or the signal has aborted.
 */
async function isEndedBefore(stdin: TerminalStreams['stdin'], signal: AbortSignal | undefined): Promise<boolean> {
  let isEnded = false;
  const drop = (typed: Buffer | string) => {
    isEnded ||= String(typed).includes('\u0003');
  };
  const end = () => {
    isEnded = true;
  };
  stdin.on('data', drop).on('end', end).on('error', end).resume();
  // A line without its end is given out in this mode only.
  stdin.setRawMode?.(true);
  // The input is looked at after the timer, too, also in a process that was busy until then.
  await sleep(TYPED_BEFORE_MS);
  await otherWork();
  stdin.setRawMode?.(false);
  stdin.pause();
  stdin.off('data', drop).off('end', end).off('error', end);
  return isEnded || signal?.aborted === true;
}
