import { sinceTime } from '../../../tools/shared/fields.ts';
import { clean } from '../../language/show.ts';
import { Absences } from '../../ledger/actions-view.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { type Config, ConfigError } from '../../lib/config.ts';
import { SwitchboardError } from '../../lib/errors.ts';
import { nearest } from '../../lib/nearest.ts';
import { Proxies } from '../../lib/proxies.ts';
import { readDate } from '../../platform/dialect/dates.ts';
import { readArguments } from '../../surfaces/cli/arguments.ts';
import { wrappedList } from '../../surfaces/cli/columns.ts';
import { localTime } from '../../surfaces/cli/local-time.ts';
import { widthOf } from '../../surfaces/cli/reporting.ts';
import { callSlack } from '../doctor/slack-api.ts';
import { userProblem } from '../doctor/slack-people.ts';
import { openInstallation, openSeal } from '../installation.ts';
import { readSettings } from '../settings.ts';
import { localActor } from './call.ts';

const USAGE = `switchboard approvers away U… --until WHEN --instead U…
   or: switchboard approvers list [--json]
   or: switchboard approvers back U…`;

const VERBS = ['away', 'list', 'back'] as const;
const OPTIONS = { until: { type: 'string' }, instead: { type: 'string' }, json: { type: 'boolean' } } as const;

type Command =
  | { verb: 'away'; approver: string; until: string; instead: string }
  | { verb: 'back'; approver: string }
  | { verb: 'list'; json: boolean };

type Out = NodeJS.WritableStream & { isTTY?: boolean | undefined; columns?: number | undefined };

/** Runs `switchboard approvers`, which says who is away and who is asked instead. Returns the exit code. */
export async function runApprovers(args: readonly string[], out: Out = process.stdout): Promise<number> {
  const command = readCommand(args);
  const config = readSettings();
  const until = command.verb === 'away' ? untilOf(command.until, systemClock) : 0;
  if (command.verb === 'away') await requireApprovers(config, command);
  const seal = openSeal(config);
  const store = await openInstallation(config, { clock: systemClock, log: () => undefined, seal });
  try {
    const absences = new Absences({ db: store.database('ledger'), clock: store.clock, seal });
    const by = localActor(config.user);
    if (command.verb === 'list') return await list(absences, command.json, out);
    if (command.verb === 'back') {
      const isBack = await absences.back(command.approver, by);
      out.write(`${command.approver} ${isBack ? 'is asked again' : 'was not away'}.\n`);
      return 0;
    }
    const { approver, instead } = command;
    const other = (await absences.list()).find((one) => one.approver === instead);
    if (other && other.until > systemClock.now())
      throw new ConfigError(`${instead} is away too, until ${iso(other.until)}. Name another approver with --instead.`);
    await absences.away({ approver, until, instead }, by);
    out.write(`${approver} is away until ${iso(until)}; ${instead} is asked instead.\n`);
    return 0;
  } finally {
    await store.close();
  }
}

function readCommand(args: readonly string[]): Command {
  const { values, positionals } = readArguments(args, USAGE, OPTIONS, true);
  const [word = '', ...people] = positionals;
  const verb = VERBS.find((one) => one === word);
  const wrong = (message: string) => new ConfigError(`${message}\nUsage: ${USAGE}`);
  if (verb === undefined) {
    const near = nearest(word, VERBS);
    throw wrong(
      word === ''
        ? 'Give away, list or back.'
        : `${word} is not away, list or back.${near ? ` Did you mean ${near}?` : ''}`,
    );
  }
  const { until, instead, json = false } = values;
  if (verb === 'list') {
    if (people.length > 0 || until !== undefined || instead !== undefined) throw wrong('list takes --json only.');
    return { verb, json };
  }
  const [approver = '', ...more] = people;
  if (more.length > 0) throw wrong('Name one approver.');
  if (!isUser(approver)) throw wrong(`${approver || 'The approver'} must be a Slack user id (U…).`);
  if (json) throw wrong('--json belongs to list.');
  if (verb === 'back') {
    if (until !== undefined || instead !== undefined) throw wrong('back takes the approver only.');
    return { verb, approver };
  }
  if (until === undefined || instead === undefined)
    throw wrong('Say how long with --until, and who is asked with --instead.');
  if (!isUser(instead)) throw wrong(`--instead ${instead} must be a Slack user id (U…).`);
  if (instead === approver) throw wrong('--instead must be another approver.');
  return { verb, approver, until, instead };
}

/** The end of a day or a time, or a time from now, in epoch ms. */
function untilOf(text: string, clock: Clock): number {
  const now = clock.now();
  const span = readDate(text, 'UTC')?.until;
  const ago = span === undefined ? sinceTime(text, now) : Number.NaN;
  const until = span ?? now + (now - ago);
  if (Number.isNaN(until))
    throw new ConfigError(`--until ${text} is not a day (2026-12-24), a time (2026-12-24T12:00:00Z) or 8h, 2d.`);
  if (until <= now) throw new ConfigError(`--until ${text} is in the past.`);
  return until;
}

/** Both people must be approvers by SLACK_APPROVERS, user groups included. */
async function requireApprovers(config: Config, { approver, instead }: { approver: string; instead: string }) {
  const { SLACK_BOT_TOKEN: token, SLACK_APPROVERS: listed } = config;
  if (token === undefined || listed.length === 0)
    throw new ConfigError(
      'Approvers are asked in Slack, which is not configured: set SLACK_BOT_TOKEN and SLACK_APPROVERS.',
    );
  const api = { base: config.SLACK_API_URL, proxies: new Proxies(config) };
  const call = (method: string, args?: Readonly<Record<string, string>>) => callSlack(api, token, method, args);
  const members = new Set(listed);
  for (const group of listed.filter((id) => id.startsWith('S'))) {
    const answer = await call('usergroups.users.list', { usergroup: group });
    if (answer.kind !== 'ok') throw unread(`the members of ${group}`);
    for (const user of Array.isArray(answer.body.users) ? answer.body.users : []) members.add(String(user));
  }
  for (const user of [approver, instead])
    if (!members.has('*') && !members.has(user))
      throw new ConfigError(`${user} is not an approver: SLACK_APPROVERS does not name them. Nothing was changed.`);
  const problem = await userProblem(instead, call);
  if (problem !== undefined)
    throw new ConfigError(`--instead ${instead} ${problem}, so they cannot confirm. Nothing was changed.`);
}

function unread(what: string): SwitchboardError {
  return new SwitchboardError({
    code: 'unavailable',
    message: `Slack did not return ${what}, so it is not known who may confirm.`,
    effect: 'nothing_done',
    outcome: 'not_done',
  });
}

async function list(absences: Absences, json: boolean, out: Out): Promise<number> {
  const found = await absences.list();
  if (json || out.isTTY !== true) {
    const away = found.map(({ approver, until, instead }) => ({ approver, until: iso(until), instead }));
    out.write(`${JSON.stringify({ away }, null, 2)}\n`);
    return 0;
  }
  if (found.length === 0) {
    out.write('No approver is away.\n');
    return 0;
  }
  const rows = found.map(({ approver, until, instead }) => [approver, localTime(until), instead].map(clean));
  out.write(`${wrappedList(['Away', 'Until', 'Asked instead'], rows, widthOf(out))}\n`);
  return 0;
}

function isUser(text: string): boolean {
  return /^[UW][A-Z0-9]+$/.test(text);
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
