import { type Failure, invalidInput, SwitchboardError } from '../../lib/errors.ts';
import { joined } from '../../lib/words.ts';
import { readArguments, readOptions } from './arguments.ts';
import { followed } from './call.ts';
import { type CallIo, EXIT } from './io.ts';
import { open } from './performing.ts';
import { reported, show } from './reporting.ts';

const USAGE = 'switchboard settle ID [--done | --not-done] [--output json|table]';

const OPTIONS = {
  done: { type: 'boolean' },
  'not-done': { type: 'boolean' },
  output: { type: 'string' },
} as const;

/**
 * Runs `switchboard settle`. It reads an action of unknown outcome now. If the reading does not show the outcome, it
 * takes the word of the person at the terminal. The exit status is the outcome.
 */
export function runSettle(args: readonly string[], io: CallIo): Promise<number> {
  return reported(io, async (out, err) => {
    const { values, positionals } = readArguments(args, USAGE, OPTIONS, true);
    const { done: wasDone = false, 'not-done': wasNot = false, output } = values;
    const [id = ''] = positionals.map((one) => one.replace(/^id=/i, ''));
    if (positionals.length !== 1 || !/^act_[\w-]+$/.test(id))
      throw invalidInput('ID', `ID: give the id that a call returned, and nothing else: ${USAGE}.`);
    if (wasDone && wasNot) throw invalidInput('--done', `--done: give either --done or --not-done: ${USAGE}.`);
    const asked = readOptions(output === undefined ? [] : ['--output', output]);
    const { gate, close } = await open(io);
    try {
      // The reading of the platform comes first: a person's word counts only where it shows nothing.
      const { status, error } = await gate.follow(id, io.actor);
      const isUnknown = status === 'unknown';
      const hasWord = wasDone || wasNot;
      if (isUnknown && !hasWord) throw stillUnknown(id, error, await gate.workedUntil(id));
      if (isUnknown) await gate.settle(id, io.actor, wasDone ? 'done' : 'not_done', 'terminal');
      const value = await followed(gate, id, io.actor, { qr: false });
      await show({ kind: 'done', value, mismatched: [] }, undefined, { asked, io, out, err });
      if (isUnknown) return EXIT.done;
      if (hasWord)
        await err(`The outcome is known (${status}), so --${wasDone ? 'done' : 'not-done'} changed nothing.\n`);
      return { done: EXIT.done, partly: EXIT.partly, failed: EXIT.refused }[status as string] ?? EXIT.notConfirmed;
    } finally {
      await close().catch(() => undefined);
    }
  });
}

/** The error for an outcome that the reading did not show. `until`: how long the platform may still work on it (epoch ms). */
function stillUnknown(id: string, error: Failure | undefined, until: number | undefined): SwitchboardError {
  const wait =
    until === undefined || until <= Date.now()
      ? ''
      : `The platform may still be working on it until ${new Date(until).toISOString()}, and it is read again by itself.`;
  const word = `Look on the platform, then say what you saw: switchboard settle ${id} --done, or --not-done.`;
  const failure: Failure = error ?? { code: 'server_error', outcome: 'unknown', message: 'The outcome is unknown.' };
  return new SwitchboardError({ ...failure, outcome: 'unknown', next: joined([failure.next, wait, word]) });
}
