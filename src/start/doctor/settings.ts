import { statSync } from 'node:fs';
import { approvalOf, waysFor } from '../../gate/approval.ts';
import { type Config, excessBudget, unsafeListening } from '../../lib/config.ts';
import { isOwn } from '../../lib/data-dir.ts';
import { CHECK_MS } from '../../lib/durations.ts';
import { urlHost } from '../../lib/http.ts';
import { isRecord } from '../../lib/json.ts';
import { fetchDirect, Proxies } from '../../lib/proxies.ts';
import { NO_SETTINGS_FILE, readSettingsFile } from '../../lib/settings-file.ts';
import { withoutTrailing } from '../../lib/text.ts';
import type { Finding } from './report.ts';

/** Names settings that do not exist or stand twice in the settings file, and a settings file that other users can read or change. */
export function* checkSettings(config: Config): Iterable<Finding> {
  const { settingsFile, unknownSettings } = config;
  if (unknownSettings.length === 0) yield ['ok', `all valid, from ${settingsFile ?? 'the environment'}`];
  for (const { name, nearest, place } of unknownSettings)
    yield ['warn', `${name} is not a setting${nearest === undefined ? '' : `; did you mean ${nearest}?`} (${place})`];
  const excess = excessBudget(config);
  if (excess !== undefined) yield ['warn', excess];
  const { repeated } = settingsFile === undefined ? NO_SETTINGS_FILE : readSettingsFile(settingsFile);
  for (const [name, lines] of Object.entries(repeated))
    yield ['warn', `${name} stands on the lines ${lines.join(' and ')} of ${settingsFile}; the last one counts`];
  const found = statSync(settingsFile ?? '', { throwIfNoEntry: false });
  if (found === undefined || process.platform === 'win32') return undefined;
  const mode = (found.mode & 0o777).toString(8).padStart(4, '0');
  const whatFor = (found.mode & 0o022) === 0 ? 'read' : 'changed';
  // Group members may read it, as a service's group does, but only its owner may change it.
  const isOpen = (found.mode & 0o026) !== 0;
  const problem = isOpen
    ? `can be ${whatFor} by other users (mode ${mode}); chmod 600 ${settingsFile}`
    : `belongs to another user (uid ${found.uid}), who can change the settings`;
  if (isOpen || (!isOwn(found) && found.uid !== 0)) yield ['warn', `${settingsFile} ${problem}`, 'settings file'];
  return undefined;
}

/** Reads the ways to confirm from the settings. */
export function* checkConfirmations(config: Config): Iterable<Finding> {
  const approval = approvalOf(config);
  const { twoPerson, oauth, slackApprovers = [], pageApprovers, via } = approval;
  const ways = waysFor('', undefined, approval).filter(({ way }) => way === 'slack' || way === 'page');
  const open = ways.filter(({ reason }) => reason === undefined);
  const reasons = ways.map(({ way, reason }) => `${way}: ${reason}`).join('; ');
  const wayOut = 'set SLACK_APPROVERS, or an approver in MCP_HTTP_TOKENS (name:approver:token)';
  // The user of a client or of a terminal answers only what they asked for themselves.
  const own = via.filter((way) => way === 'client' || way === 'terminal');
  const named = [...(via.includes('slack') ? slackApprovers : []), ...(via.includes('page') ? pageApprovers : [])];
  const [only = '*'] = named;
  if (open.length > 0 && twoPerson && !oauth && named.length === 1 && !/^[*S]/.test(only))
    yield [
      'warn',
      `only ${only} may confirm, and with CONFIRM_TWO_PERSON nobody can confirm what ${only} asks for; name another approver`,
    ];
  else if (open.length > 0) yield ['ok', `confirm by ${open.map(({ way }) => way).join(' and ')}`];
  else if (own.length > 0 && !twoPerson)
    yield ['warn', `only the user of a ${own.join(' or ')} may confirm (${reasons}); ${wayOut}`];
  else yield ['FAIL', `nobody may confirm what needs an approver (${reasons}); ${wayOut}`];
}

/** Checks whether `start` accepts these settings, whether it is running, and whether PUBLIC_URL leads to it. */
export async function* checkServer(config: Config): AsyncIterable<Finding> {
  const unsafe = unsafeListening(config);
  if (unsafe !== undefined) return yield ['FAIL', unsafe];
  const host = /^(0\.0\.0\.0|::)$/.test(config.HOST) ? '127.0.0.1' : config.HOST;
  const url = `http://${urlHost(host)}:${config.PORT}`;
  const problem = config.PORT === 0 ? 'PORT is 0' : await problemOf(url, fetchDirect);
  if (config.PORT === 0) yield ['ok', 'PORT is 0: start takes a free port'];
  else if (problem === undefined) yield ['ok', `runs on ${url}`];
  else if (problem === ANOTHER) yield ['FAIL', `something else answers on ${url}; set PORT to a free port`];
  else yield ['ok', `does not run on ${url}; switchboard start starts it`];
  const { PUBLIC_URL: address } = config;
  if (address === undefined) return undefined;
  const what = 'server address';
  const proxies = new Proxies(config);
  const outside = await problemOf(address, (at, options) => proxies.fetch(at, options));
  if (outside === undefined) return yield ['ok', `PUBLIC_URL ${address} leads to a server of Switchboard`, what];
  const effect = 'links in cards and the events of the platform go there';
  // Without a running server, a proxy in front of it has nothing to answer with.
  return yield [problem === undefined ? 'FAIL' : 'warn', `PUBLIC_URL ${address}: ${outside}; ${effect}`, what];
}

const ANOTHER = 'something other than Switchboard answers';

/** The reason why no server of Switchboard answers at an address; undefined if one does. */
async function problemOf(
  address: string,
  fetch: (url: string, options: { signal: AbortSignal }) => Promise<Response>,
): Promise<string | undefined> {
  try {
    const answer = await fetch(`${withoutTrailing(address, '/')}/healthz`, { signal: AbortSignal.timeout(CHECK_MS) });
    // Another program may answer with something that is no JSON.
    const body: unknown = await answer.json().catch(() => undefined);
    return answer.ok && isRecord(body) && 'ok' in body ? undefined : ANOTHER;
  } catch (error) {
    const { message, cause } = error as Error;
    return `it cannot be reached from this computer (${cause instanceof Error && cause.message !== '' ? cause.message : message})`;
  }
}
