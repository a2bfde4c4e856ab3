import type { Actor } from '../../../src/lib/actor.ts';
import { tools } from '../../../tools/index.ts';
import { actorOf } from '../../support/approval.ts';
import { streams } from '../../support/streams.ts';

/** What a person at a terminal types, or what a program gives in a pipe. */
export interface Typing {
  tty?: boolean;
  /** Width of the terminal. */
  columns?: number;
  /** Input that is typed once a question is shown; "eof" ends the input, "^C" interrupts. */
  types?: string;
  stdin?: string;
  /** Input that is typed while the command begins, before the question is shown. */
  typedBefore?: string;
  /** Interrupts the process once, when stderr first says this. */
  interruptAt?: RegExp;
  /** The interrupt, by default Ctrl-C. */
  signal?: NodeJS.Signals;
}

/** The streams of a command with what is typed into them, and what they said. */
export function typing(how: Typing) {
  const { stdin, stdout, stderr, said } = streams(how.tty);
  let interrupt: (signal?: NodeJS.Signals) => void = () => undefined;
  let isInterrupted = false;
  stderr.on('data', (chunk) => {
    if (!isInterrupted && how.interruptAt?.test(String(chunk))) {
      isInterrupted = true;
      interrupt(how.signal);
    }
    if (how.types !== undefined && /\[(?:y\/N|1-\d+)\] /.test(String(chunk))) {
      if (how.types === 'eof') stdin.end();
      else stdin.write(how.types === '^C' ? '\u0003' : `${how.types}\n`);
    }
  });
  if (how.stdin !== undefined) stdin.end(how.stdin);
  if (how.typedBefore !== undefined) stdin.write(how.typedBefore);
  const onInterrupt = (stop: typeof interrupt) => {
    interrupt = stop;
    return () => undefined;
  };
  const io = { tools, stdin, stdout, stderr, columns: how.columns ?? 100, onInterrupt };
  return { io, said, interrupt: () => interrupt() };
}

/** The person who types: ana unless another name is given. */
export const typist = ({ as = 'ana', role = 'approver' }: { as?: string; role?: Actor['role'] }) =>
  actorOf(`cli:${as}`, { role, surface: 'cli' });
