import { secretMembers } from '../../../tools/member-names.ts';
import { type Inbox, letterOf, openInbox } from '../../events/inbox.ts';
import { clean } from '../../language/show.ts';
import { systemClock } from '../../lib/clock.ts';
import { type Config, ConfigError } from '../../lib/config.ts';
import { nearest } from '../../lib/nearest.ts';
import { createRedactor } from '../../platform/dialect/redact.ts';
import { readArguments as readOptions } from '../../surfaces/cli/arguments.ts';
import { localTime } from '../../surfaces/cli/local-time.ts';
import { agreed } from '../../surfaces/cli/prompt.ts';
import { prose } from '../../surfaces/cli/prose.ts';
import { widthOf } from '../../surfaces/cli/reporting.ts';
import { wrappedList } from '../../surfaces/cli/table.ts';
import { Jobs } from '../../work/jobs.ts';
import { openInstallation } from '../installation.ts';
import { readSettings } from '../settings.ts';
import { storedIn } from '../start-text.ts';

const USAGE = `switchboard events list [--json]
   or: switchboard events retry ID… | --all
   or: switchboard events drop ID… | --all [--yes]`;

/** The streams of the command; tests pass their own. */
export interface EventsIo {
  stdin: NodeJS.ReadableStream & { isTTY?: boolean | undefined };
  stdout: NodeJS.WritableStream & { isTTY?: boolean | undefined; columns?: number | undefined };
  stderr: NodeJS.WritableStream;
}

const VERBS = ['list', 'retry', 'drop'] as const;
const OPTIONS = { all: { type: 'boolean' }, yes: { type: 'boolean' }, json: { type: 'boolean' } } as const;
/** Further events are counted, but not listed. */
const MAX_LISTED = 1_000;

interface Arguments {
  verb: (typeof VERBS)[number];
  /** Undefined means all of them. */
  ids: number[] | undefined;
  yes: boolean;
  json: boolean;
}

/** `switchboard events`. Returns the exit code; throws `ConfigError` for wrong usage, which ends with 2. */
export async function runEvents(args: readonly string[], io: EventsIo = process): Promise<number> {
  const asked = readArguments(args);
  const config = readSettings();
  const store = await openInstallation(config, { clock: systemClock, log: () => undefined });
  const { clock } = store;
  const jobs = new Jobs({ database: store.database('ledger'), clock, owner: 'switchboard events' });
  const inbox = openInbox({ database: store.database('events'), clock, jobs });
  try {
    if (asked.verb === 'list') return await list(inbox, asked, io, config);
    const chosen = await choose(inbox, asked.ids);
    if (asked.verb === 'retry') {
      const count = chosen.length === 0 ? 0 : await inbox.revive(chosen);
      io.stdout.write(`${counted(count)} tried again.\n`);
      return 0;
    }
    if (chosen.length > 0 && !(await agreed(`Permanently drop ${counted(chosen.length)}?`, asked.yes, io))) return 3;
    const count = chosen.length === 0 ? 0 : await inbox.drop(chosen);
    io.stdout.write(`${counted(count)} dropped.\n`);
    return 0;
  } finally {
    await inbox.close();
    await store.close();
  }
}

function readArguments(args: readonly string[]): Arguments {
  const [verb, ...rest] = args;
  if (verb?.startsWith('-')) readOptions(args, USAGE, OPTIONS, true);
  if (verb === undefined || !VERBS.some((known) => known === verb)) {
    const near = verb === undefined ? undefined : nearest(verb, VERBS);
    throw new ConfigError(
      verb === undefined
        ? `Give a command: ${VERBS.join(', ')}.\nUsage: ${USAGE}`
        : `${verb} is not list, retry or drop.${near ? ` Did you mean ${near}?` : ''}\nUsage: ${USAGE}`,
    );
  }
  const { values, positionals } = readOptions(rest, USAGE, OPTIONS, true);
  const wrong = positionals.find((id) => !/^\d{1,15}$/.test(id));
  if (wrong !== undefined) throw new ConfigError(`ID ${wrong} is not a number; switchboard events list shows the IDs.`);
  const ids = positionals.map(Number);
  const { all = false, yes = false, json = false } = values;
  if (verb === 'list' && (ids.length > 0 || all))
    throw new ConfigError('list shows everything on the dead-letter list; it takes no ID and no --all.');
  if (verb !== 'list' && ids.length === 0 && !all)
    throw new ConfigError(`Specify the events to ${verb}: IDs from switchboard events list, or --all.`);
  if (ids.length > 0 && all) throw new ConfigError('Give either IDs or --all, not both.');
  return {
    verb: verb as Arguments['verb'],
    ids: all || verb === 'list' ? undefined : ids,
    yes,
    json,
  };
}

/** Returns the chosen ids. Throws if one of them is not on the list, so that nothing is done. */
async function choose(inbox: Inbox, ids: number[] | undefined): Promise<number[]> {
  const dead = await inbox.deadIds();
  if (ids === undefined) return dead;
  const missing = ids.filter((id) => !dead.includes(id));
  if (missing.length > 0)
    throw new ConfigError(
      `ID ${missing.join(', ')} is not on the dead-letter list. Nothing was done; switchboard events list shows what is.`,
    );
  return [...new Set(ids)];
}

async function list(inbox: Inbox, asked: Arguments, io: EventsIo, config: Config): Promise<number> {
  const { open, dead } = await inbox.counts();
  const rows = (await inbox.dead(MAX_LISTED)).reverse().map(letterOf);
  if (asked.json || io.stdout.isTTY !== true) {
    const { strip } = createRedactor(secretMembers);
    const events = rows.map((letter) => ({ ...letter, fields: strip(letter.fields) }));
    io.stdout.write(`${JSON.stringify({ events, dead, waiting: open }, null, 2)}\n`);
    return 0;
  }
  const waiting = open === 0 ? '' : ` ${open === 1 ? '1 event waits' : `${open} events wait`} to be shown.`;
  const width = widthOf(io.stdout);
  const say = (text: string) => io.stdout.write(`${prose(text, width)}\n`);
  if (rows.length === 0) say(`No event is on the dead-letter list of ${storedIn(config)}.${waiting}`);
  else {
    const cells = rows.map(({ id, receivedAt, kind, about, attempts, reason }) => [
      String(id),
      localTime(receivedAt.getTime()),
      kind,
      clean(about),
      String(attempts),
      clean(reason),
    ]);
    const rest = dead > rows.length ? ` ${dead - rows.length} older ones are not listed.` : '';
    say(`${counted(dead)} on the dead-letter list.${rest}${waiting}`);
    io.stdout.write(`\n${wrappedList(['ID', 'Received', 'Kind', 'About', 'Tries', 'Why'], cells, width)}\n\n`);
    const which = dead === 1 ? `${rows[0]?.id}` : '--all';
    say(`Try again: switchboard events retry ${which}`);
    say(`Discard: switchboard events drop ${which}`);
  }
  return 0;
}

const counted = (count: number) => (count === 1 ? '1 event' : `${count} events`);
