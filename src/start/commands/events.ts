import { EVENT_JOBS, Inbox } from '../../events/inbox.ts';
import { clean } from '../../language/show.ts';
import { ConfigError } from '../../lib/config.ts';
import { readArguments, requireTaken, wrongUsage } from '../../surfaces/cli/flags.ts';
import { agreed } from '../../surfaces/cli/io.ts';
import { widthOf } from '../../surfaces/cli/reporting.ts';
import { localTime, prose, wrappedList } from '../../surfaces/cli/table.ts';
import { Jobs } from '../../work/jobs.ts';
import { closing, openInstallation, storedIn } from '../installation.ts';
import { readSettings } from '../settings.ts';

const USAGE = 'switchboard events list, retry or drop ID… | --all [--yes]';

/** The commands, and the flags of each. */
const FLAGS = { list: [], retry: ['all'], drop: ['all', 'yes'] } as const;

/** Further events are counted, but not listed. */
const MAX_LISTED = 1_000;

/** `switchboard events`. Returns the exit code; throws `ConfigError` for wrong usage, which ends with 2. */
export async function runEvents(args: readonly string[]): Promise<number> {
  const options = { all: { type: 'boolean' }, yes: { type: 'boolean' } } as const;
  const { values, positionals } = readArguments(args, USAGE, options, true);
  const [verb, ...given] = positionals;
  const { all = false, yes = false } = values;
  if (verb === undefined || !isVerb(verb)) throw wrongUsage('Give a command: list, retry or drop.', USAGE);
  requireTaken(values, `events ${verb}`, FLAGS[verb]);
  const wrong = given.find((id) => !/^\d{1,15}$/.test(id));
  if (wrong !== undefined) throw new ConfigError(`ID ${wrong} is not a number; switchboard events list shows the IDs.`);
  if (verb === 'list' && given.length > 0) throw wrongUsage('list takes no ID.', USAGE);
  if (verb !== 'list' && given.length === 0 && !all)
    throw new ConfigError(`Specify the events to ${verb}: IDs from switchboard events list, or --all.`);
  if (given.length > 0 && all) throw new ConfigError('Give either IDs or --all, not both.');
  const config = readSettings();
  return closing(await openInstallation(config), async (store) => {
    const jobs = new Jobs({ database: store.database('ledger'), clock: store.clock, owner: 'switchboard events' });
    const inbox = new Inbox({ database: store.database('events'), clock: store.clock, jobs });
    if (verb === 'list') return await list(inbox, storedIn(config));
    const dead = (await jobs.dead(EVENT_JOBS)).map(({ id }) => id);
    const missing = given.map(Number).filter((id) => !dead.includes(id));
    if (missing.length > 0)
      throw new ConfigError(
        `ID ${missing.join(', ')} is not on the dead-letter list. Nothing was done; switchboard events list shows what is.`,
      );
    const chosen = all ? dead : [...new Set(given.map(Number))];
    if (verb === 'retry') {
      process.stdout.write(`${counted(await jobs.revive(chosen))} tried again.\n`);
      return 0;
    }
    if (chosen.length > 0 && !(await agreed(`Permanently drop ${counted(chosen.length)}?`, yes, process))) return 3;
    process.stdout.write(`${counted(await inbox.drop(chosen))} dropped.\n`);
    return 0;
  });
}

function isVerb(word: string): word is keyof typeof FLAGS {
  return Object.hasOwn(FLAGS, word);
}

async function list(inbox: Inbox, place: string): Promise<number> {
  const { stdout } = process;
  const { open, dead } = await inbox.counts();
  const rows = (await inbox.dead(MAX_LISTED)).reverse().map(({ id, attempts, lastError: reason = '', stored }) => {
    const { kind, subject: about, fields } = stored.event;
    return { id, kind, about, receivedAt: new Date(stored.arrivedAt), attempts, reason, fields };
  });
  if (stdout.isTTY !== true) {
    stdout.write(`${JSON.stringify({ events: rows, dead, waiting: open }, null, 2)}\n`);
    return 0;
  }
  const width = widthOf(stdout);
  const cells = rows.map(({ id, receivedAt, kind, about, attempts, reason }) => [
    ...[String(id), localTime(receivedAt.getTime()), kind, clean(about), String(attempts), clean(reason)],
  ]);
  const waiting = open === 0 ? '' : `; ${counted(open)} waiting to be shown`;
  stdout.write(`${prose(`${counted(dead)} on the dead-letter list of ${place}${waiting}.`, width)}\n`);
  if (dead > 0) stdout.write(`\n${wrappedList(['ID', 'Received', 'Kind', 'About', 'Tries', 'Why'], cells, width)}\n`);
  return 0;
}

const counted = (count: number) => (count === 1 ? '1 event' : `${count} events`);
