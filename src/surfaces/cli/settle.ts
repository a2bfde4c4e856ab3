import type { Confirmation } from '../../gate/confirmation.ts';
import type { Gate } from '../../gate/gate.ts';
import { type Failure, invalidInput, SwitchboardError } from '../../lib/errors.ts';
import { joined } from '../../lib/words.ts';
import { readArguments } from './arguments.ts';
import { follow } from './help.ts';
import { type CallIo, EXIT, type Write } from './io.ts';
import { readOptions } from './options.ts';
import { open } from './performing.ts';
import { reported, show } from './reporting.ts';

const USAGE = 'switchboard settle ID [--done | --not-done] [--output json|table]';

const OPTIONS = {
  done: { type: 'boolean' },
  'not-done': { type: 'boolean' },
  output: { type: 'string' },
} as const;

interface Asked {
  id: string;
  /** The word of the person, for an outcome that no reading shows. */
  word: 'done' | 'not_done' | undefined;
  output: 'json' | 'table' | undefined;
}

/**
 * Runs `switchboard settle`. It reads an action of unknown outcome now. If the reading does not show the outcome, it
 * takes the word of the person at the terminal. The exit status is the outcome.
 */
export function runSettle(args: readonly string[], io: CallIo): Promise<number> {
  return reported(io, (out, err) => settle(readAsked(args), io, out, err));
}

function readAsked(args: readonly string[]): Asked {
  const { values, positionals } = readArguments(args, USAGE, OPTIONS, true);
  const [id = ''] = positionals.map((word) => word.replace(/^id=/i, ''));
  if (positionals.length !== 1 || !/^act_[\w-]+$/.test(id)) {
    throw invalidInput('ID', `ID: give the id that a call returned, and nothing else: ${USAGE}.`);
  }
  const { done = false, 'not-done': notDone = false, output } = values;
  if (done && notDone) throw invalidInput('--done', `--done: give either --done or --not-done: ${USAGE}.`);
  if (output !== undefined && output !== 'json' && output !== 'table') {
    throw invalidInput('--output', '--output: is json or table.');
  }
  return { id, word: done ? 'done' : notDone ? 'not_done' : undefined, output };
}

async function settle({ id, word, output }: Asked, io: CallIo, out: Write, err: Write): Promise<number> {
  const { gate, close } = await open(io);
  try {
    const options = readOptions(output === undefined ? [] : ['--output', output]);
    // The reading of the platform comes first: a person's word counts only where it shows nothing.
    const read = await gate.follow(id, io.actor);
    if (read.status === 'unknown' && word === undefined) throw await stillUnknown(gate, id, read.error);
    if (read.status === 'unknown' && word !== undefined) await gate.settle(id, io.actor, word, 'terminal');
    const value = await follow(gate, id, io.actor, { qr: false });
    await show({ kind: 'done', value, mismatched: [] }, undefined, { asked: options, io, out, err });
    const isSettled = read.status === 'unknown';
    if (!isSettled && word !== undefined) {
      await err(
        `The outcome is known (${read.status}), so --${word === 'done' ? 'done' : 'not-done'} changed nothing.\n`,
      );
    }
    return isSettled ? EXIT.done : exitOf(read.status);
  } finally {
    await close().catch(() => undefined);
  }
}

const EXITS: Readonly<Partial<Record<Confirmation['status'], number>>> = {
  done: EXIT.done,
  partly: EXIT.partly,
  unknown: EXIT.unknown,
  failed: EXIT.refused,
};

/** The exit status of an action whose outcome was known before; a question that waits or was declined is not confirmed. */
function exitOf(status: Confirmation['status']): number {
  return EXITS[status] ?? EXIT.notConfirmed;
}

/** The error for an outcome that the reading did not show. */
async function stillUnknown(gate: Gate, id: string, error: Failure | undefined): Promise<SwitchboardError> {
  const until = await gate.workedUntil(id);
  const wait =
    until === undefined || until <= Date.now()
      ? ''
      : `The platform may still be working on it until ${new Date(until).toISOString()}, and it is read again by itself.`;
  const word = `Look on the platform, then say what you saw: switchboard settle ${id} --done, or --not-done.`;
  const failure: Failure = error ?? { code: 'server_error', outcome: 'unknown', message: 'The outcome is unknown.' };
  return new SwitchboardError({ ...failure, outcome: 'unknown', next: joined([failure.next, wait, word]) });
}
