import { createInterface } from 'node:readline';
import { setImmediate as otherWork, setTimeout as sleep } from 'node:timers/promises';
import { SwitchboardError } from '../../lib/errors.ts';

/** `gone`: the input ended (Ctrl+D), the person pressed Ctrl+C, or the question was withdrawn. */
type PersonAnswer = 'yes' | 'no' | 'gone';

interface TerminalStreams {
  stdin: NodeJS.ReadableStream & { isTTY?: boolean | undefined; setRawMode?: (isRaw: boolean) => unknown };
  stderr: NodeJS.WritableStream;
}

/**
 * True with `yes`, or if the person at the terminal answers y or yes. Otherwise says that nothing was done.
 *
 * @throws SwitchboardError `not_confirmed` where there is no person to ask
 */
export async function agreed(question: string, yes: boolean, io: TerminalStreams): Promise<boolean> {
  if (yes) return true;
  if (io.stdin.isTTY !== true)
    throw new SwitchboardError({
      code: 'not_confirmed',
      message: 'Nothing was done: run it on a terminal, or add --yes.',
      effect: 'stated',
      outcome: 'not_done',
    });
  if ((await askPerson(`${question} [y/N] `, io)) === 'yes') return true;
  io.stderr.write('Nothing was done.\n');
  return false;
}

/**
 * Asks the person at the terminal until another person decides elsewhere, which withdraws the question.
 *
 * @param decided resolves when another person has decided; `signal` ends its wait
 * @returns the person's answer, or `decided`
 */
export async function askUntil(
  question: string,
  io: TerminalStreams,
  signal: AbortSignal,
  decided: (signal: AbortSignal) => Promise<unknown>,
): Promise<PersonAnswer | 'decided'> {
  const ended = new AbortController();
  const both = AbortSignal.any([signal, ended.signal]);
  const answered = askPerson(question, io, both);
  try {
    return await Promise.race([answered, decided(both).then(() => (both.aborted ? answered : 'decided'))]);
  } finally {
    ended.abort();
  }
}

/** Time in which the terminal gives out what was typed before a question. */
const TYPED_BEFORE_MS = 50;

/** Asks the person at the terminal. `yes` for y or yes, `no` for another answer. */
export async function askPerson(question: string, io: TerminalStreams, signal?: AbortSignal): Promise<PersonAnswer> {
  if (await isEndedBefore(io.stdin, signal)) {
    io.stderr.write('\n');
    return 'gone';
  }
  return new Promise((resolve) => {
    const prompt = createInterface({ input: io.stdin, output: io.stderr, terminal: true, historySize: 0 });
    let answered = false;
    const end = (answer: PersonAnswer) => {
      if (answered) return;
      answered = true;
      signal?.removeEventListener('abort', gone);
      resolve(answer);
      prompt.close();
    };
    /** Enter was not pressed, so the next output needs a new line. */
    const gone = () => {
      if (!answered) io.stderr.write('\n');
      end('gone');
    };
    signal?.addEventListener('abort', gone, { once: true });
    // The mode of a terminal that was closed cannot be set back.
    prompt.on('error', gone);
    prompt.on('SIGINT', gone);
    prompt.on('close', gone);
    prompt.question(question, (answer) => end(/^y(es)?$/i.test(answer.trim()) ? 'yes' : 'no'));
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
