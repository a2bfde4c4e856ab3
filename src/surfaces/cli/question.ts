import { createInterface } from 'node:readline';

/**
 * Asks the person at the terminal. True for y or yes. Everything else is a no: another answer, the end of the input
 * (Ctrl+D), an interrupt (Ctrl+C), and `signal`.
 */
export function askYes(
  question: string,
  io: { stdin: NodeJS.ReadableStream; stderr: NodeJS.WritableStream },
  signal?: AbortSignal,
): Promise<boolean> {
  return new Promise((resolve) => {
    const prompt = createInterface({ input: io.stdin, output: io.stderr, terminal: true, historySize: 0 });
    let answered = false;
    const end = (yes: boolean) => {
      if (answered) return;
      answered = true;
      signal?.removeEventListener('abort', gone);
      resolve(yes);
      prompt.close();
    };
    /** Nobody pressed Enter, so the next output needs a new line. */
    const gone = () => {
      if (!answered) io.stderr.write('\n');
      end(false);
    };
    signal?.addEventListener('abort', gone, { once: true });
    prompt.on('SIGINT', gone);
    prompt.on('close', gone);
    prompt.question(question, (answer) => end(/^y(es)?$/i.test(answer.trim())));
  });
}
