import { EVENT_JOBS, Inbox } from '../../events/inbox.ts';
import type { PlatformEvent } from '../../events/parse.ts';
import { clean } from '../../language/show.ts';
import { ConfigError } from '../../lib/config.ts';
import { nearest } from '../../lib/nearest.ts';
import { createRedactor } from '../../platform/dialect/redact.ts';
import { readArguments, requireTaken } from '../../surfaces/cli/arguments.ts';
import { agreed } from '../../surfaces/cli/io.ts';
import { widthOf } from '../../surfaces/cli/reporting.ts';
import { localTime, prose, wrappedList } from '../../surfaces/cli/table.ts';
import { Jobs } from '../../work/jobs.ts';
import { openInstallation, storedIn } from '../installation.ts';
import { readMemberNames, readSettings } from '../settings.ts';

const USAGE = `switchboard events list [--json]
   or: switchboard events retry ID… | --all
   or: switchboard events drop ID… | --all [--yes]`;

/** The streams of the command; tests pass their own. */
export interface EventsIo {
  stdin: NodeJS.ReadableStream & { isTTY?: boolean | undefined };
  stdout: NodeJS.WritableStream & { isTTY?: boolean | undefined; columns?: number | undefined };
  stderr: NodeJS.WritableStream;
}

/** The commands, and the flags of each. */
const FLAGS = { list: ['json'], retry: ['all'], drop: ['all', 'yes'] } as const;
const VERBS = Object.keys(FLAGS);
/** Further events are counted, but not listed. */
const MAX_LISTED = 1_000;

/** `switchboard events`. Returns the exit code; throws `ConfigError` for wrong usage, which ends with 2. */
export async function runEvents(args: readonly string[], io: EventsIo = process): Promise<number> {
  const options = { all: { type: 'boolean' }, yes: { type: 'boolean' }, json: { type: 'boolean' } } as const;
  const { values, positionals } = readArguments(args, USAGE, options, true);
  const [verb, ...given] = positionals;
  const { all = false, yes = false } = values;
  if (verb === undefined) throw usage(`Give a command: ${VERBS.join(', ')}.`);
  if (!isVerb(verb)) {
    const near = nearest(verb, VERBS);
    throw usage(`${verb} is not list, retry or drop.${near ? ` Did you mean ${near}?` : ''}`);
  }
  requireTaken(values, `events ${verb}`, FLAGS[verb]);
  const wrong = given.find((id) => !/^\d{1,15}$/.test(id));
  if (wrong !== undefined) throw new ConfigError(`ID ${wrong} is not a number; switchboard events list shows the IDs.`);
  if (verb === 'list' && given.length > 0) throw usage('list takes no ID.');
  if (verb !== 'list' && given.length === 0 && !all)
    throw new ConfigError(`Specify the events to ${verb}: IDs from switchboard events list, or --all.`);
  if (given.length > 0 && all) throw new ConfigError('Give either IDs or --all, not both.');
  const config = readSettings();
  const store = await openInstallation(config);
  const jobs = new Jobs({ database: store.database('ledger'), clock: store.clock, owner: 'switchboard events' });
  const inbox = new Inbox({ database: store.database('events'), clock: store.clock, jobs });
  try {
    if (verb === 'list') return await list(inbox, io, storedIn(config), values.json === true);
    const dead = await jobs.deadIds(EVENT_JOBS);
    const missing = given.map(Number).filter((id) => !dead.includes(id));
    if (missing.length > 0)
      throw new ConfigError(
        `ID ${missing.join(', ')} is not on the dead-letter list. Nothing was done; switchboard events list shows what is.`,
      );
    const chosen = all ? dead : [...new Set(given.map(Number))];
    if (verb === 'retry') {
      io.stdout.write(`${counted(await jobs.revive(chosen))} tried again.\n`);
      return 0;
    }
    if (chosen.length > 0 && !(await agreed(`Permanently drop ${counted(chosen.length)}?`, yes, io))) return 3;
    io.stdout.write(`${counted(await inbox.drop(chosen))} dropped.\n`);
    return 0;
  } finally {
    await store.close();
  }
}

function isVerb(word: string): word is keyof typeof FLAGS {
  return Object.hasOwn(FLAGS, word);
}

function usage(problem: string): ConfigError {
  return new ConfigError(`${problem}\nUsage: ${USAGE}`);
}

async function list(inbox: Inbox, io: EventsIo, place: string, asJson: boolean): Promise<number> {
  const { open, dead } = await inbox.counts();
  const rows = (await inbox.dead(MAX_LISTED)).reverse().map(({ id, attempts, lastError: reason = '', stored }) => {
    const { event, arrivedAt } = stored;
    const { kind, fields } = event;
    return { id, kind, about: aboutOf(event), receivedAt: new Date(arrivedAt), attempts, reason, fields };
  });
  if (asJson || io.stdout.isTTY !== true) {
    const { strip } = createRedactor(readMemberNames().secret);
    const events = rows.map((row) => ({ ...row, fields: strip(row.fields) }));
    io.stdout.write(`${JSON.stringify({ events, dead, waiting: open }, null, 2)}\n`);
    return 0;
  }
  const waiting = open === 0 ? '' : ` ${open === 1 ? '1 event waits' : `${open} events wait`} to be shown.`;
  const width = widthOf(io.stdout);
  const say = (text: string) => io.stdout.write(`${prose(text, width)}\n`);
  if (rows.length === 0) {
    say(`No event is on the dead-letter list of ${place}.${waiting}`);
    return 0;
  }
  const cells = rows.map(({ id, receivedAt, kind, about, attempts, reason }) => [
    ...[String(id), localTime(receivedAt.getTime()), kind, clean(about), String(attempts), clean(reason)],
  ]);
  const rest = dead > rows.length ? ` ${dead - rows.length} older ones are not listed.` : '';
  say(`${counted(dead)} on the dead-letter list.${rest}${waiting}`);
  io.stdout.write(`\n${wrappedList(['ID', 'Received', 'Kind', 'About', 'Tries', 'Why'], cells, width)}\n\n`);
  const which = dead === 1 ? `${rows[0]?.id}` : '--all';
  say(`Try again: switchboard events retry ${which}`);
  say(`Discard: switchboard events drop ${which}`);
  return 0;
}

function aboutOf(event: PlatformEvent): string {
  switch (event.kind) {
    case 'order':
      return `${event.orderId} ${event.status}`;
    case 'message':
    case 'status':
      return `${event.from} to ${event.to.join(', ')}`;
    case 'call':
      return `${event.from} to ${event.to}`;
    case 'watch':
      return event.phone;
    default:
      return event.name;
  }
}

const counted = (count: number) => (count === 1 ? '1 event' : `${count} events`);
