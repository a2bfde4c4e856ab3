import { nearest } from '../../lib/nearest.ts';
import { readArguments, usage } from './arguments.ts';

export const BATCH_USAGE = 'switchboard batch OPERATION --file FILE|- [Field=value …] [--csv FILE|-] [--yes]';

/** The words that may follow `batch` instead of an operation. */
export const BATCH_VERBS = ['list', 'show', 'stop', 'rest'] as const;
type Verb = (typeof BATCH_VERBS)[number];

/** A request to `switchboard batch`. */
export type BatchRequest =
  | { verb: 'help' }
  | { verb: 'list' }
  | ({ verb: Exclude<Verb, 'list'>; id: string } & Given)
  | ({ verb: 'create'; words: string[]; file: string } & Given);

interface Given {
  csv: string | undefined;
  yes: boolean;
  /** The reason of the person who asks, for approvers. */
  reason: string | undefined;
}

const OPTIONS = {
  file: { type: 'string' },
  csv: { type: 'string' },
  yes: { type: 'boolean', short: 'y' },
  reason: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;
export const BATCH_FLAGS = [...Object.keys(OPTIONS), 'settings'].map((name) => `--${name}`);

/**
 * Reads the arguments of `switchboard batch`.
 *
 * @throws SwitchboardError or ConfigError for wrong usage
 */
export function readBatchOptions(args: readonly string[]): BatchRequest {
  const { values, positionals: words } = readArguments(args, BATCH_USAGE, OPTIONS, true);
  const [first, id, ...rest] = words;
  if (values.help || first === 'help') return { verb: 'help' };
  if (first === undefined) throw usage(`Name an operation. Usage: ${BATCH_USAGE}`);
  const given = { csv: values.csv, yes: values.yes ?? false, reason: values.reason };
  const verb = BATCH_VERBS.find((one) => one === first);
  if (verb === 'list') return { verb };
  if (verb !== undefined) {
    if (id === undefined || rest.length > 0) throw usage(`Usage: switchboard batch ${verb} ID. batch list shows them.`);
    return { verb, id, ...given };
  }
  const near = words.length === 1 && values.file === undefined ? nearest(first, BATCH_VERBS) : undefined;
  if (near !== undefined) throw usage(`Did you mean batch ${near}? Usage: ${BATCH_USAGE}`);
  if (values.file === undefined) throw usage(`--file names the list; - is standard input. Usage: ${BATCH_USAGE}`);
  return { verb: 'create', words, file: values.file, ...given };
}

export const BATCH_HELP = `Usage: switchboard batch OPERATION --file FILE|- [Field=value …]
       [--csv FILE|-] [--yes] [--reason TEXT]
   or: switchboard batch list
   or: switchboard batch show ID [--csv FILE|-]
   or: switchboard batch stop ID
   or: switchboard batch rest ID [--csv FILE|-] [--yes] [--reason TEXT]

Runs one operation over a list of 2 to 500 rows with one yes. Every row is read
first; the plan shows which can be sent, and why others are left out. The first
row is sent alone, then 2, 4, … at once. Each row is read again before it is
sent. A lookup needs no yes.

  --file  the list: one number on each line, or CSV whose first line names the
          columns; - is standard input
  --csv   writes every row with its outcome to FILE
  --yes   confirms without asking
  --reason
          says why, for approvers and for the audit trail

Fields that all rows share are given once: StatusChange=park. Ctrl-C stops the
batch, which is its end. "batch rest" makes a new batch of the rows that were
not done. Another process, such as "switchboard start", goes on with a batch
whose terminal was closed. A yes lasts 12 hours.
Exit status: as "switchboard call". It is 5 also when all rows that were
confirmed are done, but others of the list were left out.
`;
