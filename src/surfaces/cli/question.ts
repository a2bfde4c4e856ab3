import { createInterface } from 'node:readline';

/** `gone`: the input ended (Ctrl+D), the person pressed Ctrl+C, or the question was withdrawn. */
export type PersonAnswer = 'yes' | 'no' | 'gone';

interface TerminalStreams {
  stdin: NodeJS.ReadableStream;
  stderr: NodeJS.WritableStream;
}

/** Asks the person at the terminal. True for y or yes, false for anything else. */
export async function askYes(question: string, io: TerminalStreams): Promise<boolean> {
  return (await askPerson(question, io)) === 'yes';
}

/** Asks the person at the terminal. `yes` for y or yes, `no` for another answer. */
export function askPerson(question: string, io: TerminalStreams, signal?: AbortSignal): Promise<PersonAnswer> {
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
    prompt.on('SIGINT', gone);
    prompt.on('close', gone);
    prompt.question(question, (answer) => end(/^y(es)?$/i.test(answer.trim()) ? 'yes' : 'no'));
  });
}
