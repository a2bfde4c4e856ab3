import type { Tool } from '../../catalogue/operation.ts';
import type { Gate } from '../../gate/gate.ts';
import type { GroupWords } from '../../language/help.ts';
import type { Actor } from '../../lib/actor.ts';
import type { Failure } from '../../lib/errors.ts';
import type { OnInterrupt } from './interrupts.ts';

/** The environment of `switchboard call`. Tests pass their own streams. */
export interface CallIo {
  tools: readonly Tool[];
  /** Opens the gate. It is called only after the input was found valid. */
  openDoor(): Promise<{ gate: Gate; close(): Promise<void> }>;
  stdin: NodeJS.ReadableStream & { isTTY?: boolean | undefined };
  stdout: NodeJS.WritableStream & { isTTY?: boolean | undefined };
  stderr: NodeJS.WritableStream & { isTTY?: boolean | undefined; columns?: number | undefined };
  actor: Actor;
  /** Epoch ms: when the process began. Processes that were started at once make their calls in parallel. */
  startedAt?: number;
  /**
   * True if the user of the terminal may confirm their own call (`terminalDecides`); true by default. The gate checks
   * it again.
   */
  confirms?: boolean;
  /** Width of the terminal; 80 by default. */
  columns?: number | undefined;
  /** The streams that show colours; none by default. */
  colours?: { out: boolean; err: boolean };
  /** True if the terminal can redraw a line, as all but `TERM=dumb` can; false by default. */
  redraws?: boolean;
  /** tools/groups.ts, for the titles in help. */
  groups?: Readonly<Record<string, GroupWords>>;
  /** PLATFORM_ACCOUNT_ID. The gate fills it in too. */
  defaultAccountId?: string | undefined;
  /** The time by the gate's clock, in epoch ms. */
  now?: () => number;
  /** Calls `run` at each interrupt, and returns a function that stops listening. Those of this process by default. */
  onInterrupt?: OnInterrupt;
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

/**
 * Writes in order. A text that cannot be written, as on a full disk, goes to `other`, because it may be all that tells
 * of a change that was made. `onLost` is then called once. A reader that has closed the stream gets nothing more.
 */
export function written(stream: NodeJS.WritableStream, other: Write, onLost: (code: string) => Promise<void>): Write {
  let [gone, lost] = [false, false];
  stream.on('error', () => undefined);
  return (text) =>
    new Promise((resolve) => {
      if (gone) return resolve();
      stream.write(text, (error) => {
        const code = (error as NodeJS.ErrnoException | null | undefined)?.code ?? '';
        if (code === 'EPIPE') gone = true;
        if (!error || gone) return resolve();
        const told = lost ? Promise.resolve() : onLost(code);
        lost = true;
        told.then(() => other(text)).then(resolve, resolve);
      });
    });
}

export async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  return (await readBytes(stream)).toString('utf8');
}

export async function readBytes(stream: NodeJS.ReadableStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  return Buffer.concat(chunks);
}
